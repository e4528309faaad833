"""The tabulated creep law: FASTSIM's values, symmetries, Kalker's linear law, a derivative at rest."""

from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.contact.creep.fastsim import normalised
from klingel.literature.de_pater.creep_table import creep_table, lookup, slopes

TREAD, FLANGE = 0.722, 18.8
K = 3.0 * pi / 16.0
number = st.floats(-6.0, 6.0)


def flat(ratio):
    return np.ascontiguousarray(creep_table(ratio).ravel()).copy()


def fastsim(ratio, tau_x, tau_y, tau_s):
    return np.array(normalised(K * tau_x, K * tau_y, 2.0 * tau_s / ratio, 2.0 * tau_s, 60, 60)[:2])


@pytest.mark.parametrize("ratio", [TREAD, FLANGE])
@pytest.mark.parametrize(("spin", "largest"), [(0.0, 5e-4), (0.13, 1e-3), (0.5, 3e-3), (8.0, 0.03)])
def test_values_are_those_of_fastsim(ratio, spin, largest):
    """Spins of the default tread (0.13) and flange (8) among them."""
    p, rng = flat(ratio), np.random.default_rng(7)
    for _ in range(60):
        tau, angle = 10.0 ** rng.uniform(-2.0, 1.0), rng.uniform(0.0, 2.0 * pi)
        point = tau * np.cos(angle), tau * np.sin(angle), spin * rng.uniform(0.9, 1.1)
        assert np.linalg.norm(np.array(lookup(p, 0, *point)) - fastsim(ratio, *point)) < largest


@settings(deadline=None)
@given(number, number, number)
def test_symmetries(tau_x, tau_y, tau_s):
    p = flat(TREAD)
    fx, fy = lookup(p, 0, tau_x, tau_y, tau_s)
    assert lookup(p, 0, -tau_x, -tau_y, -tau_s) == pytest.approx((-fx, -fy), abs=1e-12)
    assert lookup(p, 0, -tau_x, tau_y, tau_s) == pytest.approx((-fx, fy), abs=1e-12)
    assert fx * fx + fy * fy <= 1.0 + 1e-12


@pytest.mark.parametrize("ratio", [TREAD, FLANGE])
@pytest.mark.parametrize("angle", [0.0, 0.4, 1.3, 2.6])
def test_small_creep_gives_kalkers_linear_forces(ratio, angle):
    p = flat(ratio)
    tau = 1e-5
    fx, fy = lookup(p, 0, tau * np.cos(angle), tau * np.sin(angle), 0.0)
    assert (fx / tau, fy / tau) == pytest.approx((np.cos(angle), np.sin(angle)), abs=1e-3)
    _, by_spin, by_x, by_y = slopes(p, 0, 0.0)
    assert (by_x, by_y) == pytest.approx((1.0, 1.0), abs=1e-3)
    assert by_spin == pytest.approx(1.0, abs=0.01)  # the strips of FASTSIM do not sum spin exactly


@pytest.mark.parametrize("angle", [0.2, 1.1, 2.0, 3.0])
def test_large_creep_without_spin_is_along_the_slip(angle):
    slip = np.array([np.cos(angle), np.sin(angle)])
    f = np.array(lookup(flat(TREAD), 0, *(40.0 * slip), 0.0))
    assert f / np.linalg.norm(f) == pytest.approx(slip, abs=1e-12)
    assert np.linalg.norm(f) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("spin", [0.05, 0.13, 0.8])
@pytest.mark.parametrize("angle", [0.0, 0.9, pi / 2, 4.0])
def test_the_law_is_differentiable_at_zero_creep(spin, angle):
    """Slopes of both directions agree with each other and with those used by the linearisation."""
    p = flat(TREAD)
    f_0, by_spin, by_x, by_y = slopes(p, 0, spin)
    c, s, h = np.cos(angle), np.sin(angle), 1e-6
    ahead, here, behind = (np.array(lookup(p, 0, k * h * c, k * h * s, spin)) for k in (1.0, 0.0, -1.0))
    assert here == pytest.approx((0.0, f_0), abs=1e-14)
    assert (ahead - here) / h == pytest.approx((by_x * c, by_y * s), abs=1e-5)
    assert (here - behind) / h == pytest.approx((by_x * c, by_y * s), abs=1e-5)
    more, less = (lookup(p, 0, 0.0, 0.0, spin + k * h)[1] for k in (1.0, -1.0))
    assert (more - less) / (2 * h) == pytest.approx(by_spin, abs=1e-6)
