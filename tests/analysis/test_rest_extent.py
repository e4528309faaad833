"""Extent of rest against closed forms: one slider, two in parallel, a chain of two bodies, linear programmes."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from klingel.analysis.rest_extent import NOT_HELD, RADIUS, STEPS, Local, Slopes, extreme, near_rest


class Springs:
    """K q = F f, forces of friction within their limits; `hardening` adds a cubic spring to every coordinate."""

    def __init__(self, stiffness, friction, limits, hardening=0.0, faces=None, follows=None):
        self.k, self.friction = np.atleast_2d(stiffness).astype(float), np.atleast_2d(friction).astype(float)
        self.limits, self.hardening = np.array(limits, float), hardening
        self.units = np.ones(self.k.shape[0])
        self.faces = faces or tuple((k,) for k in range(self.limits.size))
        self.follows = np.zeros((self.limits.size, self.units.size)) if follows is None else np.array(follows)

    def piece(self, q):
        return 0

    def at(self, q, piece):
        return Local(-self.k @ q - self.hardening * q**3, self.limits + self.follows @ q, np.zeros(0))

    def slopes(self, q, piece):
        return Slopes(-self.k - np.diag(3.0 * self.hardening * q**2), self.follows, np.zeros((0, q.size)))


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
        exact = linprog(cost, A_eq=np.hstack([-k / 1e5, of.friction / 1e5]), b_eq=np.zeros(n), bounds=bounds)
        high = extreme(of, np.zeros(n), coordinate, 1.0)
        assert high.final
        assert high.value == pytest.approx(-exact.fun, rel=1e-6)


def test_a_face_in_a_plane_has_a_circle_of_forces():
    """Two unlike springs across each other, one face: the farthest in a direction is not that of its corner."""
    of = Springs(np.diag([2e5, 1e5]), np.eye(2), [800.0, 800.0], faces=((0, 1),))
    for coordinate, stiffness in ((0, 2e5), (1, 1e5)):
        assert ends(of, coordinate)[1].value == pytest.approx(800.0 / stiffness, rel=1e-5)
    turned = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    of = Springs(turned @ np.diag([2e5, 1e5]) @ turned.T, np.eye(2), [800.0, 800.0], faces=((0, 1),))
    exact = 800.0 * np.linalg.norm(np.linalg.inv(of.k), axis=1)
    for coordinate in (0, 1):
        high = ends(of, coordinate)[1]
        assert high.value == pytest.approx(exact[coordinate], rel=1e-4)
        assert np.hypot(*high.forces) <= 800.0 * (1.0 + 1e-9)


def test_a_limit_that_follows_the_deformation():
    """k q = T + m q upwards, k q = -(T + m q) downwards: a wedge, or the envelopes of a leaf spring."""
    low, high = ends(Springs(2e5, 1.0, [800.0], follows=[[5e4]]))
    assert high.value == pytest.approx(800.0 / (2e5 - 5e4), rel=1e-6)
    assert low.value == pytest.approx(-800.0 / (2e5 + 5e4), rel=1e-6)


class Stops(Springs):
    """With stops on both sides of some directions: kinks that end a piece."""

    def __init__(self, stiffness, friction, limits, across, gap, stop):
        super().__init__(stiffness, friction, limits)
        self.across, self.gap, self.stop = across, gap, stop

    def piece(self, q):
        u = self.across @ q
        return tuple(np.where(u > self.gap, 1, np.where(u < -self.gap, -1, 0)).tolist())

    def at(self, q, piece):
        u, side = self.across @ q, np.array(piece)
        found = super().at(q, piece)
        pushes = np.where(side != 0, self.stop * (u - side * self.gap), 0.0)
        walls = np.where(side != 0, side * u - self.gap, self.gap - u), np.where(side != 0, np.inf, self.gap + u)
        return found._replace(rest=found.rest - self.across.T @ pushes, walls=np.concatenate(walls))

    def slopes(self, q, piece):
        side = np.array(piece)
        found = super().slopes(q, piece)
        pushes = self.stop * (side != 0)
        walls = (
            np.where((side != 0)[:, None], side[:, None] * self.across, -self.across),
            self.across * (side == 0)[:, None],
        )
        return found._replace(
            rest=found.rest - self.across.T @ (pushes[:, None] * self.across), walls=np.vstack(walls)
        )


def exact_with_stops(of, coordinate):
    """All pieces, one programme each: the polytope of rest states within it."""
    best, n, m = -np.inf, of.units.size, of.limits.size
    for sides in product((-1, 0, 1), repeat=of.across.shape[0]):
        side = np.array(sides)
        k = of.k + of.across.T @ ((of.stop * (side != 0))[:, None] * of.across)
        push = of.across.T @ (of.stop * side * of.gap)
        above, most = [], []
        for row, s in zip(of.across, side, strict=True):
            for sign, bound in [(s, -of.gap)] if s else [(1, of.gap), (-1, of.gap)]:
                above.append(np.concatenate([(-sign if s else sign) * row, np.zeros(m)]))
                most.append(bound)
        cost = np.zeros(n + m)
        cost[coordinate] = -1.0
        found = linprog(
            cost, A_eq=np.hstack([-k, of.friction]) / 1e5, b_eq=-push / 1e5, A_ub=np.array(above),
            b_ub=np.array(most), bounds=[(None, None)] * n + [(-t, t) for t in of.limits],
        )  # fmt: skip
        if found.success:
            best = max(best, -found.fun)
    return best


def test_through_kinks_against_programmes_of_all_pieces():
    """Stops that close on the way: the search goes on beyond them. Two of twelve end in local extremes."""
    reached = []
    for seed in (5, 17, 24, 31):
        rng = np.random.default_rng(seed)
        root = rng.standard_normal((3, 3))
        stiffness = 1e5 * (root @ root.T + 0.3 * np.eye(3))
        friction, limits = rng.standard_normal((3, 4)), rng.uniform(100.0, 900.0, 4)
        of = Stops(stiffness, friction, limits, rng.standard_normal((3, 3)), gap=5e-4, stop=1e6)
        for coordinate in range(3):
            high, exact = ends(of, coordinate)[1], exact_with_stops(of, coordinate)
            assert high.final
            assert 0.9 * exact < high.value < exact * (1.0 + 1e-5)
            reached.append(high.value > exact * (1.0 - 1e-4))
    assert sum(reached) >= 10


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


def test_a_rest_is_found_from_anywhere_and_none_where_there_is_none():
    of = Springs([[2e5, -1e5], [-1e5, 2e5]], np.eye(2), [800.0, 300.0])
    found = near_rest(of, np.array([0.03, -0.02]))
    assert found is not None
    assert np.abs(of.at(found.q, 0).rest + of.friction @ (of.limits * found.shares)).max() < 1e-6
    assert np.abs(found.shares).max() <= 1.0
    falling = Springs([[0.0]], [[1.0]], [800.0])
    falling.at = lambda q, piece: Local(np.array([-1e4]), falling.limits, np.zeros(0))
    assert near_rest(falling, np.zeros(1)) is None
