"""The stop operator obeys its laws; a fit gives back what made the record."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.numerics.fitting.hysteresis_fit import fit_hysteresis, stop

RNG = np.random.default_rng(7)
T = np.linspace(0.0, 10.0, 2001)
SWEEP = 0.014 * np.sin(2 * np.pi * T) * (0.6 + 0.4 * np.cos(0.5 * T))  # minor loops of many sizes


def _stops(u, thresholds):
    out = np.empty((len(u), len(thresholds)))
    stop(np.asarray(u), np.asarray(thresholds), out)
    return out


def _force(u, k, sliders):
    thresholds = [limit / stiffness for stiffness, limit in sliders]
    return k * u + _stops(u, thresholds) @ np.array([stiffness for stiffness, _ in sliders])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40), st.floats(0.01, 0.8))
def test_stop_is_bounded_dissipative_and_independent_of_rate(path, threshold):
    u = np.array(path)
    e = _stops(u, [threshold])[:, 0]
    assert np.max(np.abs(e)) <= threshold
    fine = np.interp(np.arange(0, len(u) - 0.75, 0.25), np.arange(len(u)), u)
    assert _stops(fine, [threshold])[::4, 0] == pytest.approx(e, abs=1e-12)
    work = np.diff(u) * e[1:]  # right-end rule: the exact work lies below it by the part spent sticking
    assert np.all(work - 0.5 * np.diff(e**2) >= -1e-12)


def test_stop_follows_the_broken_line_after_a_reversal():
    u = np.concatenate([np.linspace(0, 1, 101), np.linspace(1, -1, 201)[1:]])
    e = _stops(u, [0.3])[:, 0]
    down = u[101:]
    assert e[101:] == pytest.approx(0.3 - np.minimum(1 - down, 0.6), abs=1e-12)


@pytest.mark.parametrize(
    "sliders", [((10.4, 0.053),), ((12.0, 0.012), (4.0, 0.016)), ((32.0, 0.016), (15.7, 0.037), (4.1, 0.02))]
)
def test_exact_record_gives_exact_parameters(sliders):
    u = 2.5 * SWEEP
    fit = fit_hysteresis(u, 0.01 + _force(u, 5.0, sliders), count=len(sliders))
    assert fit.stiffness == pytest.approx(5.0, rel=1e-5)
    assert fit.offset == pytest.approx(0.01, abs=1e-6)
    assert np.array(fit.sliders) == pytest.approx(np.array(sliders), rel=1e-4)
    assert fit.rms < 1e-6


def test_noisy_record_within_three_standard_errors_and_right_number_of_sliders():
    sliders = ((12.0, 0.012), (4.0, 0.016))
    beyond = np.maximum(SWEEP - 0.01, 0) + np.minimum(SWEEP + 0.01, 0)
    f = _force(SWEEP, 5.0, sliders) + 5.0 * beyond + 0.002 * RNG.standard_normal(len(T))
    fit = fit_hysteresis(SWEEP, f, extra=beyond[:, None], skip=100)
    assert len(fit.sliders) == 2
    assert abs(fit.stiffness - 5.0) < 3 * fit.stiffness_error
    assert abs(fit.extra[0] - 5.0) < 3 * fit.extra_errors[0]
    off = np.abs(np.array(fit.sliders) - np.array(sliders)) / np.array(fit.slider_errors)
    assert np.max(off) < 3.5
    assert np.max(np.array(fit.slider_errors) / np.array(sliders)) < 0.05
    assert fit.rms == pytest.approx(0.002, rel=0.05)


def test_slider_that_never_slips_counts_as_spring():
    u = 0.002 * np.sin(2 * np.pi * T)
    fit = fit_hysteresis(u, _force(u, 5.0, ((10.0, 0.05),)) + 1e-6 * RNG.standard_normal(len(T)))
    assert fit.stiffness + sum(k for k, _ in fit.sliders) == pytest.approx(15.0, rel=1e-3)
    assert sum(limit for _, limit in fit.sliders) < 1e-4


def test_too_short_a_record_is_refused():
    with pytest.raises(InputError, match="at least"):
        fit_hysteresis(np.zeros(30), np.zeros(30), skip=15)
