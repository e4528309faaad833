"""Which faces stick: optimality for random systems, sharing between parallel faces, dependent rows."""

import numpy as np
import pytest

from klingel.elements import stick_or_slip
from klingel.elements.stick_or_slip import FACE, PUSH


def decided(a, free, static, kinetic=None, width=None, pushed=None, play=None):
    n = len(free)
    full = [np.full(n, v) for v in (FACE, 1.0, 0.0)]
    play = full[0] if play is None else np.array(play, float)
    width = full[1] if width is None else np.array(width, float)
    pushed = full[2] if pushed is None else np.array(pushed, float)
    static = np.array(static, float)
    kinetic = static.copy() if kinetic is None else np.array(kinetic, float)
    force, slips = np.zeros(n), np.zeros(n)
    work = np.zeros(3 * n + stick_or_slip.work_size(n))
    a, free = np.ascontiguousarray(a, float), np.array(free, float)
    stick_or_slip.decide(a, play, width, static, kinetic, pushed, free, force, slips, work)
    return slips > 0.5, force


def held(a, free, size):
    n = len(free)
    force = np.zeros(n)
    work = np.zeros(stick_or_slip.work_size(n))
    stick_or_slip.hold(
        np.ascontiguousarray(a, float), np.ones(n), np.array(size, float), np.array(free, float), force, work
    )
    return force


@pytest.mark.parametrize("seed", range(40))
def test_sliding_faces_are_accelerated_against_their_force_and_stuck_ones_hold(seed):
    """The conditions of Coulomb on accelerations; they have one solution, since A is definite."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    j = rng.normal(size=(n + 2, n))
    a = j.T @ np.diag(10.0 ** rng.uniform(-2.0, 2.0, n + 2)) @ j
    limits, free = 10.0 ** rng.uniform(-1.0, 1.0, n), 10.0 * rng.normal(size=n)
    slips, force = decided(a, free, limits)
    moving = free + a[:, slips] @ force[slips]
    stuck = ~slips
    if stuck.any():
        force[stuck] = -np.linalg.solve(a[np.ix_(stuck, stuck)], moving[stuck])
    assert np.all(np.abs(force[stuck]) <= limits[stuck] * (1.0 + 1e-8))
    assert np.abs(force[slips]) == pytest.approx(limits[slips], rel=1e-9)
    rate = (free + a @ force)[slips]
    assert np.all(rate * force[slips] <= 1e-7 * np.abs(free).max() * limits[slips])


def test_parallel_faces_share_in_proportion_to_their_limits():
    one = np.ones((3, 3))  # three faces that hold the same unit mass
    assert held(one, [-6.0] * 3, [1.0, 2.0, 3.0]) == pytest.approx([1.0, 2.0, 3.0], rel=1e-6)
    slips, _ = decided(one, [-5.999] * 3, [1.0, 2.0, 3.0])
    assert not slips.any()
    slips, force = decided(one, [-6.001] * 3, [1.0, 2.0, 3.0])
    assert slips.all()
    assert force == pytest.approx([1.0, 2.0, 3.0])


def test_a_face_that_gives_way_takes_the_others_along():
    """Static limits hold 3, but one alone 1.5: the second breaks with it, and both slide with kinetic limits."""
    one = np.ones((2, 2))
    slips, force = decided(one, [-3.1] * 2, [1.5, 1.5], [1.0, 1.0])
    assert slips.all()
    assert force == pytest.approx([1.0, 1.0])


def test_in_series_only_the_weaker_gives_way():
    """Block 1 on the ground, block 2 on it, pulled by 3: rates are v1 and v2 - v1."""
    masses = np.diag([1.0, 1.0])
    j = np.array([[1.0, -1.0], [0.0, 1.0]])
    a, pull = j.T @ masses @ j, np.array([0.0, 3.0])
    free = j.T @ pull
    assert list(decided(a, free, [5.0, 2.0])[0]) == [False, True]
    assert list(decided(a, free, [2.0, 5.0])[0]) == [True, False]
    assert list(decided(a, free, [1.0, 1.1])[0]) == [True, True]


def test_a_plane_face_slides_where_it_is_pushed_and_knows_no_axes():
    a = 0.5 * np.eye(2)
    slips, force = decided(a, [3.0, 4.0], [2.0, 2.0], width=[2, 0])
    assert slips.all()
    assert force == pytest.approx([-1.2, -1.6])
    slips, _ = decided(a, [0.59, 0.79], [2.0, 2.0], width=[2, 0])
    assert not slips.any()


def test_a_contact_pushes_only():
    a = np.array([[1.0, 1.0], [1.0, 1.0]])
    slips, _ = decided(a, [-3.0, -3.0], [1.0, -1.0], play=[FACE, PUSH])
    assert not slips.any()  # the contact takes what the face cannot
    slips, force = decided(a, [3.0, 3.0], [1.0, -1.0], play=[FACE, PUSH])
    assert list(slips) == [True, False]  # it cannot pull
    assert force[0] == pytest.approx(-1.0)
