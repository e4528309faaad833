"""The cubic between rows: exact for cubics, of fourth order for anything smooth."""

import numpy as np
import pytest

from klingel.simulation.extrema import extremes, maxima, minima, upward_crossings, values_at


def test_a_cubic_is_met_exactly():
    t = np.array([0.0, 0.7, 2.0, 3.0])
    cubic = np.polynomial.Polynomial([0.3, 2.0, -2.5, 0.7])
    times, values = maxima(t, cubic(t), cubic.deriv()(t))
    roots = [r.real for r in cubic.deriv().roots() if cubic.deriv(2)(r) < 0.0]
    assert times == pytest.approx(roots, abs=1e-14)
    assert values == pytest.approx([cubic(r) for r in roots], abs=1e-14)
    assert values_at(t, cubic(t), cubic.deriv()(t), np.array([0.1, 1.9])) == pytest.approx(cubic([0.1, 1.9]))


def _sine(h):
    t = np.arange(0.0, 3.0, h)
    w = 2.0 * np.pi * 1.7
    return t, np.sin(w * t), w * np.cos(w * t)


def test_maxima_converge_with_fourth_order():
    errors = [np.abs(maxima(*_sine(h))[1] - 1.0).max() for h in (0.02, 0.01, 0.005)]
    assert errors[-1] < 1e-6
    assert all(12.0 < a / b for a, b in zip(errors[:-1], errors[1:], strict=True))


def test_minima_and_extremes_mirror_maxima():
    t, y, v = _sine(0.01)
    assert minima(t, -y, -v)[1] == pytest.approx(-maxima(t, y, v)[1])
    low, high = extremes(t, y, v)
    assert (low, high) == pytest.approx((-1.0, 1.0), abs=1e-6)


def test_monotone_motion_has_no_maxima_and_its_ends_as_extremes():
    t = np.linspace(0.0, 1.0, 11)
    assert maxima(t, t, np.ones(11))[0].size == 0
    assert extremes(t, t, np.ones(11)) == (0.0, 1.0)


def test_crossings_are_located_and_ripples_do_not_count():
    t, y, v = _sine(0.01)
    times = upward_crossings(t, y, v, 0.0, 0.1)
    assert times[1:] == pytest.approx(np.arange(2, times.size + 1) / 1.7, abs=1e-6)
    w = 2.0 * np.pi * 60.0
    ripple = upward_crossings(t, y + 0.05 * np.sin(w * t), v + 0.05 * w * np.cos(w * t), 0.0, 0.1)
    assert ripple.size == times.size
    assert upward_crossings(t, y, v, 5.0, 0.1).size == 0
