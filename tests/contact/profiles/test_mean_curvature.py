"""Mean curvature: exact on an arc, the mean across a joint, the local one for no width."""

import numpy as np
import pytest

from klingel.contact.profiles.mean_curvature import MeanCurvature
from klingel.contact.profiles.pieces import arc, join, line


def test_arc_and_line():
    radius = 0.3
    top = arc((0.0, -radius), radius, np.pi / 2 + 0.1, np.pi / 2)  # convex, upwards
    curve = join(top, line((0.0, 0.0), (0.05, 0.0)))
    mean = MeanCurvature(curve, 4e-3)
    assert mean.at_lateral(-0.015) == pytest.approx(1 / radius, rel=1e-5)
    assert mean.at_lateral(0.02) == pytest.approx(0.0, abs=1e-9)
    assert mean.at_lateral(0.0) == pytest.approx(0.5 / radius, rel=1e-5)  # half arc, half line
    assert mean.at_lateral(0.05) == pytest.approx(0.0, abs=1e-9)  # cut at the end of the profile
    assert MeanCurvature(curve, 0.0).at_lateral(-1e-3) == pytest.approx(1 / radius, rel=1e-9)


def test_by_parameter_and_by_lateral_position_agree():
    curve = join(line((0.0, 0.0), (0.01, -0.001)), arc((0.0099, -0.101), 0.1, np.pi / 2, np.pi / 2 - 0.2))
    mean = MeanCurvature(curve, 2e-3)
    for t in (0.3, 0.95, 1.4):
        y = np.interp(t, mean.t, mean.y)
        assert mean.at_parameter(t) == pytest.approx(mean.at_lateral(y), rel=1e-6, abs=1e-9)
