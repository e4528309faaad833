"""The diagram shows every maximum of a sweep, rest with its width, and the kinds."""

import numpy as np
import pytest

from klingel.plots.bifurcation import SHADES, draw_bifurcation
from klingel.plots.style import save
from klingel.simulation.sweep_result import KINDS, from_records

SETTINGS = {"parameter": "speed", "states": ["a.y", "a.y_dot"], "modes": [], "memory_size": 0}


def record(index, value, direction, kind, maxima=(), low=0.0, high=0.0):
    return {
        "index": index, "value": value, "direction": direction, "start": 0, "kind": kind, "evidence": {},
        "simulated": 1.0, "end": None, "minimum": {"a.y": low}, "maximum": {"a.y": high},
        "frequency": {"a.y": None}, "maxima": {"a.y": list(maxima)},
    }  # fmt: skip


@pytest.fixture
def sweep():
    return from_records(
        SETTINGS,
        [
            record(0, 30.0, "down", "irregular", [1e-3, 2e-3, 3e-3]),
            record(1, 20.0, "down", "off-centre rest", low=-1e-3, high=-1e-3),
            record(2, 10.0, "down", "derailed"),
            record(3, 20.0, "up", "off-centre rest", low=2e-3, high=2e-3),
            record(4, 30.0, "up", "period-2", [4e-3, 5e-3, 4e-3, 5e-3]),
        ],
    )


def test_every_maximum_is_a_dot(sweep, tmp_path):
    fig = draw_bifurcation(sweep)
    (ax,) = fig.axes
    rest, down, up = ax.lines
    assert down.get_ydata() == pytest.approx([1.0, 2.0, 3.0])
    assert up.get_ydata() == pytest.approx([4.0, 5.0, 4.0, 5.0])
    assert set(up.get_xdata()) == {30.0}
    assert rest.get_ydata() == pytest.approx([-1.0, 2.0])
    assert ax.get_ylabel() == "a, y [mm]"
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert {"maxima, down", "maxima, up", "rest, its width", "period-n", "derailed"} <= set(words)
    assert save(fig, tmp_path / "diagram.png").stat().st_size > 5_000


def test_strips_stay_below_the_dots(sweep):
    (ax,) = draw_bifurcation(sweep).axes
    low, high = ax.get_ylim()
    lowest = min(np.min(line.get_ydata()) for line in ax.lines)
    top = max(bar.get_y() + bar.get_height() for bar in ax.patches)
    assert (lowest - low) / (high - low) > top


def test_every_kind_has_a_shade():
    assert {"period-n" if kind.startswith("period-") else kind for kind in KINDS} == set(SHADES)
