"""Extent of rest against closed forms: one slider, two in parallel, a chain of two bodies, linear programmes."""

import numpy as np
import pytest
from scipy.optimize import linprog

from klingel.analysis.rest_extent import NOT_HELD, RADIUS, STEPS, extreme


class Springs:
    """K q = F f, forces of friction within their limits; `hardening` adds a cubic spring to every coordinate."""

    def __init__(self, stiffness, friction, limits, hardening=0.0):
        self.k, self.f = np.atleast_2d(stiffness).astype(float), np.atleast_2d(friction).astype(float)
        self.limits, self.hardening = np.array(limits, float), hardening
        self.units = np.ones(self.k.shape[0])

    def residual(self, q):
        return -self.k @ q - self.hardening * q**3

    def jacobian(self, q):
        return -self.k - np.diag(3.0 * self.hardening * q**2)

    def friction(self, q):
        return self.f


def ends(of, coordinate=0):
    start = np.zeros(of.units.size)
    return [extreme(of, start, coordinate, sign) for sign in (-1.0, 1.0)]


def test_one_slider():
    """A spring k and a slider T: rest reaches T/k to both sides."""
    low, high = ends(Springs(2e5, 1.0, [800.0]))
    assert (low.value, high.value) == (pytest.approx(-4e-3, rel=1e-9), pytest.approx(4e-3, rel=1e-9))
    assert high.forces == pytest.approx([800.0])
    assert high.final
    assert high.left < 1e-6


def test_two_sliders_in_parallel_add_their_limits():
    low, high = ends(Springs(2e5, [[1.0, 1.0]], [800.0, 300.0]))
    assert high.value == pytest.approx(1100.0 / 2e5, rel=1e-9)
    assert low.value == pytest.approx(-1100.0 / 2e5, rel=1e-9)
    assert high.forces == pytest.approx([800.0, 300.0])


def test_hardening_spring():
    """k q + c q^3 = T."""
    high = ends(Springs(2e5, 1.0, [800.0], hardening=2e10))[1]
    assert 2e5 * high.value + 2e10 * high.value**3 == pytest.approx(800.0, rel=1e-6)


def test_without_friction_rest_is_a_point():
    low, high = ends(Springs(2e5, np.zeros((1, 0)), []))
    assert (low.value, high.value) == (0.0, 0.0)


def test_a_body_held_by_nothing_but_friction():
    low, high = ends(Springs([[0.0]], [[1.0]], [800.0]))
    assert (low.value, high.value) == (-np.inf, np.inf)


@pytest.mark.parametrize("seed", range(6))
def test_linear_systems_against_one_linear_programme(seed):
    """Where forces are linear the whole set is a polytope: a single programme knows its extremes."""
    rng = np.random.default_rng(seed)
    n, sliders = 4, 6
    root = rng.standard_normal((n, n))
    k = 1e5 * (root @ root.T + n * np.eye(n))
    of = Springs(k, rng.standard_normal((n, sliders)), rng.uniform(100.0, 900.0, sliders))
    for coordinate in range(n):
        cost = np.zeros(n + sliders)
        cost[coordinate] = -1.0
        bounds = [(None, None)] * n + [(-limit, limit) for limit in of.limits]
        exact = linprog(cost, A_eq=np.hstack([-k / 1e5, of.f / 1e5]), b_eq=np.zeros(n), bounds=bounds)
        high = extreme(of, np.zeros(n), coordinate, 1.0)
        assert high.final
        assert high.value == pytest.approx(-exact.fun, rel=1e-6)


class Stops(Springs):
    """With stops on both sides of some directions: kinks at which the sequence ends early."""

    def __init__(self, stiffness, friction, limits, across, gap, stop):
        super().__init__(stiffness, friction, limits)
        self.across, self.gap, self.stop = across, gap, stop

    def residual(self, q):
        u = self.across @ q
        return super().residual(q) - self.across.T @ (self.stop * (u - np.clip(u, -self.gap, self.gap)))

    def jacobian(self, q):
        pushes = self.stop * (np.abs(self.across @ q) > self.gap)
        return super().jacobian(q) - self.across.T @ (pushes[:, None] * self.across)


@pytest.mark.parametrize("seed", [5, 17, 24])
def test_what_is_symmetric_has_symmetric_extremes(seed):
    """Also where kinks stop the sequence and random aims decide how far it comes."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((3, 3))
    stiffness = 1e5 * (root @ root.T + 0.3 * np.eye(3))
    friction, limits = rng.standard_normal((3, 4)), rng.uniform(100.0, 900.0, 4)
    of = Stops(stiffness, friction, limits, rng.standard_normal((3, 3)), gap=5e-4, stop=1e7)
    for coordinate in range(3):
        low, high = ends(of, coordinate)
        assert low.value == pytest.approx(-high.value, rel=1e-9)
        assert low.forces == pytest.approx(-high.forces, rel=1e-9)
        assert low.final == high.final


def test_programmes_reach_what_is_told_as_held_by_nothing():
    """Not by rounding: the first pass alone goes clearly beyond the limit."""
    assert STEPS * RADIUS > 1.1 * NOT_HELD
