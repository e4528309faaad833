"""The cubic between rows: exact for cubics, of fourth order for anything smooth."""

from itertools import pairwise

import numpy as np
import pytest

from klingel.analysis.extrema import maxima, minima, upward_crossings, values_at

CUBIC = np.polynomial.Polynomial([0.3, 2.0, -2.5, 0.7])


def one(t, y, v):
    return t, y[:, None], v[:, None]


def _sine(h):
    t = np.arange(0.0, 3.0, h)
    w = 2.0 * np.pi * 1.7
    return t, np.sin(w * t), w * np.cos(w * t)


def test_a_cubic_is_met_exactly():
    t = np.array([0.0, 0.7, 2.0, 3.0])
    rows = one(t, CUBIC(t), CUBIC.deriv()(t))
    roots = [r.real for r in CUBIC.deriv().roots() if CUBIC.deriv(2)(r) < 0.0]
    found = maxima(*rows)
    assert found.time == pytest.approx(roots, abs=1e-14)
    assert found.value == pytest.approx([CUBIC(r) for r in roots], abs=1e-14)
    times = np.array([0.1, 1.9, 3.0])
    assert values_at(*rows, times)[:, 0] == pytest.approx(CUBIC(times))


def test_maxima_converge_with_fourth_order():
    errors = [np.abs(maxima(*one(*_sine(h))).value - 1.0).max() for h in (0.02, 0.01, 0.005)]
    assert errors[-1] < 1e-6
    assert all(a / b > 12.0 for a, b in pairwise(errors))


def test_columns_do_not_mix():
    t, y, v = _sine(0.01)
    x, rates = np.column_stack([y, 2.0 * y + 1.0, -y]), np.column_stack([v, 2.0 * v, -v])
    found, alone = maxima(t, x, rates), maxima(*one(t, y, v))
    assert found.of(0)[1] == pytest.approx(alone.value)
    assert found.of(1)[1] == pytest.approx(2.0 * alone.value + 1.0)
    assert found.of(2)[1] == pytest.approx(-minima(*one(t, y, v)).value)
    crossed = upward_crossings(t, x, rates, np.array([0.0, 1.0, 0.0]), np.array([0.1, 0.2, 0.1]))
    assert crossed.of(0)[0] == pytest.approx(crossed.of(1)[0])
    assert crossed.of(2)[0] == pytest.approx(np.arange(0.5, 5.0) / 1.7, abs=1e-6)


def test_monotone_motion_has_no_extrema():
    t = np.linspace(0.0, 1.0, 11)
    rows = one(t, t, np.ones(11))
    assert maxima(*rows).time.size == minima(*rows).time.size == 0


def test_crossings_are_located_and_ripples_do_not_count():
    t, y, v = _sine(0.01)
    zero, band = np.zeros(1), np.full(1, 0.1)
    times = upward_crossings(*one(t, y, v), zero, band).time
    assert times == pytest.approx(np.arange(1, 6) / 1.7, abs=1e-6)
    w = 2.0 * np.pi * 60.0
    rows = one(t, y + 0.05 * np.sin(w * t), v + 0.05 * w * np.cos(w * t))
    assert upward_crossings(*rows, zero, band).time.size == times.size
    assert upward_crossings(*one(t, y, v), zero + 5.0, band).time.size == 0
