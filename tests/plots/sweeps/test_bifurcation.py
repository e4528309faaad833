"""The diagram shows every maximum of a sweep, rest with its width, and the kinds."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from klingel._errors import InputError
from klingel.plots.style import figure, save
from klingel.plots.sweeps.bifurcation import HATCHES, SHADES, draw_bifurcation
from klingel.plots.sweeps.rest_band import apart, draw_set
from klingel.simulation.resting.rest_set import StoredRestSet
from klingel.simulation.sweep.result import KINDS, from_records

SETTINGS = {
    "parameter": "speed",
    "vehicle": "name = 'cart'",
    "track": "inclination = 0.025",
    "states": ["a.y", "a.y_dot"],
    "modes": [],
    "memory_size": 0,
}


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
    low, high, down, up = ax.lines
    assert down.get_ydata() == pytest.approx([1.0, 2.0, 3.0])
    assert up.get_ydata() == pytest.approx([4.0, 5.0, 4.0, 5.0])
    assert set(up.get_xdata()) == {30.0}
    assert low.get_ydata() == pytest.approx([-1.0, -1.0])
    assert high.get_ydata() == pytest.approx([2.0, 2.0])
    assert [band.get_height() for band in ax.containers[0]] == pytest.approx([3.0])
    assert ax.get_ylabel() == "a, y [mm]"
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert {"maxima, down", "maxima, up", "rest, its width", "period-n", "derailed"} <= set(words)
    assert save(fig, tmp_path / "diagram.png").stat().st_size > 5_000


def test_strips_stay_below_the_dots(sweep):
    (ax,) = draw_bifurcation(sweep).axes
    low, high = ax.get_ylim()
    lowest = min(np.min(line.get_ydata()) for line in ax.lines)
    strips = [bar for container in ax.containers[1:] for bar in container]
    top = max(bar.get_y() + bar.get_height() for bar in strips)
    assert (lowest - low) / (high - low) > top


def test_every_kind_has_a_shade():
    assert {"period-n" if kind.startswith("period-") else kind for kind in KINDS} == set(SHADES)


def test_kinds_are_told_apart_without_colours():
    """As grey as a printer would make them: those with the same hatching differ by a twentieth at least."""
    for pattern in {HATCHES.get(kind, "") for kind in SHADES}:
        alike = [to_rgb(shade) for kind, shade in SHADES.items() if HATCHES.get(kind, "") == pattern]
        assert all(np.diff(sorted(np.dot(alike, [0.299, 0.587, 0.114]))) > 0.05)


def test_another_sweep_of_the_same_case_joins_its_marks(sweep):
    fresh = from_records(SETTINGS, [record(0, 25.0, "fresh", "periodic", [6e-3])])
    fig = draw_bifurcation(sweep, others=(fresh,))
    (ax,) = fig.axes
    assert any(np.array_equal(line.get_ydata(), [6.0]) for line in ax.lines)
    assert [text.get_text() for text in ax.texts] == ["fresh", "down", "up"]
    assert ax.get_title(loc="left") == "cart (1/40)"


def test_another_case_has_marks_of_its_own(sweep):
    other = from_records(
        {**SETTINGS, "track": "inclination = 0.05"}, [record(0, 25.0, "down", "periodic", [6e-3])]
    )
    fig = draw_bifurcation(sweep, others=(other,))
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert {"maxima, 1/40, down", "maxima, 1/40, up", "maxima, 1/20, down"} <= set(words)
    marks = {handle.get_label(): handle.get_marker() for handle in fig.legends[0].legend_handles[:3]}
    assert marks["maxima, 1/40, down"] == marks["maxima, 1/40, up"] != marks["maxima, 1/20, down"]
    assert fig.axes[0].get_title(loc="left") == ""


def test_words_stand_below_their_points():
    settings = {**SETTINGS, "parameter": "links", "values": ["SPP", "PTP"], "speed": 30.0}
    points = [record(0, "SPP", "fresh", "periodic", [1e-3]), record(1, "PTP", "fresh", "periodic", [2e-3])]
    (ax,) = draw_bifurcation(from_records(settings, points)).axes
    assert [label.get_text() for label in ax.get_xticklabels()] == ["SPP", "PTP"]
    assert ax.lines[-1].get_xdata().tolist() == [0.0, 1.0]


def test_what_does_not_fit_together_is_refused(sweep):
    other = from_records({**SETTINGS, "parameter": "gauge"}, [record(0, 1.4, "down", "rest")])
    with pytest.raises(InputError, match="with: must be a sweep over the same parameter, speed, got 'gauge'"):
        draw_bifurcation(sweep, others=(other,))
    with pytest.raises(InputError, match=r"quantity: must be one of a\.y, got 'b\.y'"):
        draw_bifurcation(sweep, quantities=("b.y",))


def test_a_rest_set_is_a_band_over_the_speed_only():
    stored = StoredRestSet(
        vehicle="any",
        extent={"front_wheelset.y": (-2e-3, 3e-3), "carbody.y": (-np.inf, np.inf)},
        final={},
        left=0.0,
    )
    _, ax = figure()
    assert [handle.get_label() for handle in draw_set(ax, [stored], "front_wheelset.y")] == ["rest set"]
    assert ax.get_ylim()[1] >= 3.0
    assert draw_set(ax, [stored], "carbody.y") == []
    assert apart([stored], "speed") == ([], [stored])
    with pytest.raises(InputError, match="rest set"):
        apart([stored], "carbody.mass")
