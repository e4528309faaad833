"""One mark per point at its largest displacement, rest as a band from the least to the greatest found."""

import numpy as np
import pytest

from klingel.plots.style import save
from klingel.plots.sweeps.attractors import draw_attractors
from klingel.simulation.sweep.result import from_records
from tests.plots.sweeps.test_bifurcation import SETTINGS, record


@pytest.fixture
def sweeps():
    chains = [
        record(0, 30.0, "down", "irregular", low=-3e-3, high=2e-3),
        record(1, 20.0, "down", "off-centre rest", low=-1e-3, high=-1e-3),
        record(2, 20.0, "up", "rest", low=1e-5, high=1e-5),
        record(3, 30.0, "up", "unsettled", low=-1e-3, high=2e-3),
    ]
    starts = [record(0, 30.0, "fresh", "periodic", low=-4e-3, high=5e-3), record(1, 10.0, "fresh", "rest")]
    return from_records(SETTINGS, chains), from_records(SETTINGS, starts)


def test_marks_are_the_largest_displacements(sweeps, tmp_path):
    fig = draw_attractors(sweeps[0], others=sweeps[1:])
    (ax,) = fig.axes
    found = {line.get_marker(): line for line in ax.lines if len(line.get_xdata()) and line.get_marker() != "None"}
    assert found["v"].get_ydata() == pytest.approx([3.0])
    assert found["^"].get_ydata() == pytest.approx([2.0])
    assert found["x"].get_ydata() == pytest.approx([5.0])
    assert found["^"].get_color() == "0.65"  # was not settled
    assert found["^"].get_markerfacecolor() == "none"
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert words == ["fresh", "down", "up", "not settled", "rest, its width"]
    assert save(fig, tmp_path / "attractors.png").stat().st_size > 5_000


def test_the_band_of_rest_is_broken_where_nothing_rests(sweeps):
    (ax,) = draw_attractors(sweeps[0], others=sweeps[1:]).axes
    low, high = ax.lines[:2]
    gap = np.nan
    np.testing.assert_allclose(high.get_xdata(), [5.0, 15.0, 15.0, 25.0])
    np.testing.assert_allclose(low.get_ydata(), [0.0, 0.0, 0.01, 0.01], atol=1e-12)
    np.testing.assert_allclose(high.get_ydata(), [0.0, 0.0, 1.0, 1.0], atol=1e-12)
    far = from_records(SETTINGS, [record(0, 50.0, "fresh", "rest"), record(1, 60.0, "fresh", "periodic")])
    (ax,) = draw_attractors(sweeps[0], others=(*sweeps[1:], far)).axes
    np.testing.assert_allclose(ax.lines[1].get_ydata(), [0.0, 0.0, 1.0, 1.0, gap, 0.0, 0.0], atol=1e-12)


def test_what_friction_can_hold_is_a_band_of_its_own(sweeps):
    settings = {**SETTINGS, "starts": [{"corner.slider": 1e-3}]}
    held = from_records(settings, [record(0, 20.0, "fresh", "off-centre rest", low=3e-3, high=3e-3)])
    fig = draw_attractors(sweeps[0], others=(*sweeps[1:], held))
    wide, narrow = fig.axes[0].lines[1].get_ydata(), fig.axes[0].lines[3].get_ydata()
    np.testing.assert_allclose(wide, [0.0, 0.0, 3.0, 3.0], atol=1e-12)
    np.testing.assert_allclose(narrow, [0.0, 0.0, 1.0, 1.0], atol=1e-12)
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert words[0] == "sliders displaced"
    assert words[-2:] == ["rest, its width", "rest, sliders displaced"]
