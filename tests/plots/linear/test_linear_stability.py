"""The picture shows every eigenvalue once, growing ones apart."""

import numpy as np
import pytest

from klingel.plots.linear.linear_stability import draw_eigenvalues


def test_points_and_units():
    values = np.array([[-1.0 + 5.0j, -1.0 - 5.0j, -50.0], [0.5 + 6.0j, 0.5 - 6.0j, -50.0]])
    fig = draw_eigenvalues(np.array([10.0, 20.0]), values, "test", critical=15.0)
    growth, frequency = fig.axes
    decays, grows = growth.lines[:2]
    assert (decays.get_xdata(), decays.get_ydata()) == ([10.0], [-1.0])
    assert (grows.get_xdata(), grows.get_ydata()) == ([20.0], [0.5])
    assert frequency.lines[1].get_ydata()[0] == pytest.approx(6.0 / (2.0 * np.pi))
    assert frequency.get_xlabel() == "speed [m/s]"
    assert growth.get_ylabel() == "growth rate [1/s]"
