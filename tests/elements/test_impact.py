"""Impacts never add energy and never leave a contact closing; resting contacts push and never pull."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.elements import impact
from klingel.elements.impact import TRANSITIONS, Mode
from klingel.numerics.linear.lcp import Status

ROD_MASS = np.diag([1 / 1022.0, 1 / 1022.0, 1 / 678.0])
# guided rod (B.3) in the middle: gap rates of the four contacts per unit of (x, y, yaw) rate, half length 1 m
ROD = np.array([[-1.0, -1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 1.0, -1.0]])


def strike(w, inverse_mass, closed, restitution, velocity, resting_speed=0.0):
    n = w.shape[1]
    velocity, impulse, after = np.array(velocity, dtype=float), np.zeros(n), np.zeros(n)
    restitution, resting_speed = (
        np.broadcast_to(np.asarray(v, float), n).copy() for v in (restitution, resting_speed)
    )
    work = np.full(impact.work_size(n), np.nan)
    status = impact.strike(
        w, inverse_mass, np.asarray(closed), restitution, resting_speed, velocity, impulse, after, work
    )
    assert status == Status.SOLVED
    return velocity, impulse, after


def test_each_contact_has_its_own_resting_speed():
    """Two masses hit their walls at 1 mm/s: one rebounds, the other does not."""
    velocity, _, after = strike(-np.eye(2), np.eye(2), [True, True], 0.5, [1e-3, 1e-3], [2e-3, 0.5e-3])
    np.testing.assert_allclose(after, [0.0, 0.5e-3], atol=1e-15)
    np.testing.assert_allclose(velocity, [0.0, -0.5e-3], atol=1e-15)


def energy(inverse_mass, velocity):
    return 0.5 * velocity @ np.linalg.solve(inverse_mass, velocity)


@st.composite
def collisions(draw):
    """Coordinates, contacts (some open), positive definite masses, a restitution per contact."""
    n, coordinates = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    w = (
        rng.integers(-2, 3, (coordinates, n)).astype(float)
        if draw(st.booleans())
        else rng.normal(size=(coordinates, n))
    )
    root = rng.normal(size=(coordinates, coordinates))
    inverse_mass = root @ root.T + 0.2 * np.eye(coordinates)
    velocity = rng.integers(-2, 3, coordinates).astype(float)
    return w, inverse_mass, rng.random(n) < 0.8, rng.uniform(0.0, 0.95, n), velocity


@settings(deadline=None, max_examples=150)
@given(collisions())
def test_no_contact_keeps_closing_and_no_energy_appears(case):
    w, inverse_mass, closed, restitution, before = case
    velocity, impulse, after = strike(w, inverse_mass, closed, restitution, before, 1e-9)
    size = np.abs(before).max() + 1e-300
    assert (impulse >= 0.0).all()
    assert (impulse[~closed] == 0.0).all()
    assert (after[closed] >= -1e-9 * size).all()
    assert after == pytest.approx(w.T @ velocity, abs=1e-9 * size)
    # impulse and momentum
    change = inverse_mass @ w @ impulse
    assert velocity == pytest.approx(before + change, abs=1e-9 * size)
    assert energy(inverse_mass, velocity) <= energy(inverse_mass, before) * (1 + 1e-10)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.floats(0.0, 1.0))
def test_single_contact_is_newtons_law(seed, coordinates, restitution):
    rng = np.random.default_rng(seed)
    w, velocity = rng.normal(size=(coordinates, 1)), rng.normal(size=coordinates)
    inverse_mass = np.diag(rng.uniform(0.1, 10.0, coordinates))
    rate = float(w[:, 0] @ velocity)
    if rate > 0.0:
        w, rate = -w, -rate
    new, impulse, after = strike(w, inverse_mass, [True], restitution, velocity)
    assert after[0] == pytest.approx(-restitution * rate, rel=1e-9, abs=1e-12)
    assert after[0] == pytest.approx(impact.rebound(rate, restitution, 0.0), rel=1e-9, abs=1e-12)
    lost = energy(inverse_mass, velocity) - energy(inverse_mass, new)
    assert lost == pytest.approx(-0.5 * (1.0 - restitution) * impulse[0] * rate, rel=1e-6, abs=1e-12)


def test_rod_that_hits_flat_takes_two_equal_impulses():
    """Double contact of B.3: no yaw appears, both ends take half."""
    velocity, impulse, after = strike(ROD, ROD_MASS, [True, True, False, False], 0.9, [0.2, 0.0, 0.0])
    assert velocity == pytest.approx([-0.18, 0.0, 0.0], abs=1e-15)
    assert impulse == pytest.approx([0.5 * 1022 * 0.38] * 2 + [0.0] * 2, rel=1e-12)
    assert after == pytest.approx([0.18, 0.18, -0.18, -0.18])


def test_rod_that_hits_one_end_turns():
    velocity, impulse, _ = strike(ROD, ROD_MASS, [True, False, False, False], 0.9, [0.12, 0.0, 0.001])
    assert impulse[1:] == pytest.approx(0.0)
    assert ROD[:, 0] @ velocity == pytest.approx(0.9 * 0.119, rel=1e-12)
    assert velocity[2] > 0.001


def test_mirror_image_gives_the_mirrored_result():
    one = strike(ROD, ROD_MASS, [True, True, False, False], 0.7, [0.2, 0.0, 0.03])
    other = strike(ROD, ROD_MASS, [True, True, False, False], 0.7, [0.2, 0.0, -0.03])
    assert other[0] == pytest.approx(one[0] * [1, 1, -1], abs=1e-15)
    assert other[1][[1, 0]] == pytest.approx(one[1][:2], abs=1e-12)


def test_opening_contact_is_struck_in_a_second_round():
    """Contact 2 touches and opens slowly; the kick at 1 turns it into the wall. No energy is lost."""
    w = np.array([[-1.0, -1.0], [1.0, -1.0]])
    inverse_mass = np.diag([1.0, 4.0])
    before = np.array([1.0, -1.01])  # gap rates -2.01 and +0.01
    velocity, impulse, after = strike(w, inverse_mass, [True, True], 1.0, before)
    assert (impulse > 0.0).all()
    assert (after >= 0.0).all()
    assert energy(inverse_mass, velocity) == pytest.approx(energy(inverse_mass, before), rel=1e-12)


def test_body_caught_between_two_walls_stays():
    velocity, impulse, after = strike(np.array([[1.0, -1.0]]), np.eye(1), [True, True], 0.9, [2.0])
    assert velocity == pytest.approx([0.0], abs=1e-12)
    assert impulse[1] - impulse[0] == pytest.approx(2.0)
    assert after == pytest.approx([0.0, 0.0], abs=1e-12)


def test_contact_slower_than_the_resting_speed_does_not_rebound():
    w, mass = np.array([[-1.0]]), np.eye(1)
    assert strike(w, mass, [True], 0.8, [2e-3], 1e-3)[2] == pytest.approx([1.6e-3])
    assert strike(w, mass, [True], 0.8, [0.5e-3], 1e-3)[2] == pytest.approx([0.0], abs=1e-18)
    assert impact.rebound(-0.5e-3, 0.8, 1e-3) == 0.0


def test_ball_comes_to_rest_after_the_expected_number_of_impacts():
    speed, count, restitution, threshold = 1.0, 0, 0.5, 1e-3
    while speed > 0.0:
        speed = strike(np.array([[1.0]]), np.eye(1), [True], restitution, [-speed], threshold)[0][0]
        count += 1
    assert count == 1 + int(np.ceil(np.log(threshold) / np.log(restitution)))


def press(w, inverse_mass, touching, free):
    n = w.shape[1]
    force, acceleration = np.zeros(n), np.zeros(n)
    work = np.full(impact.work_size(n), np.nan)
    free = np.asarray(free, dtype=float)
    status = impact.press(w, inverse_mass, np.asarray(touching), free, force, acceleration, work)
    assert status == Status.SOLVED
    return force, acceleration


@settings(deadline=None, max_examples=100)
@given(collisions())
def test_touching_contacts_push_or_open(case):
    w, inverse_mass, touching, _, push = case
    free = w.T @ (inverse_mass @ push)
    force, acceleration = press(w, inverse_mass, touching, free)
    size = np.abs(free).max() + 1e-300
    assert (force >= 0.0).all()
    assert (force[~touching] == 0.0).all()
    total = free + w.T @ inverse_mass @ w @ force
    assert (total[touching] >= -1e-9 * size).all()
    assert acceleration[touching] == pytest.approx(total[touching], abs=1e-9 * size)
    assert np.abs(force * total)[touching].max(initial=0.0) <= 1e-9 * size * (np.abs(force).max() + 1e-300)


@settings(deadline=None, max_examples=100)
@given(collisions())
def test_held_contacts_do_not_accelerate(case):
    """Dependent ones included: they share the load, and the gaps still stay closed."""
    w, inverse_mass, resting, _, push = case
    resting = resting & (np.abs(w).max(axis=0) > 0.0)
    free = w.T @ (inverse_mass @ push)
    force, work = np.zeros(w.shape[1]), np.full(impact.work_size(w.shape[1]), np.nan)
    assert impact.hold(w, inverse_mass, resting, free, force, work)
    total = free + w.T @ inverse_mass @ w @ force
    assert np.abs(total[resting]).max(initial=0.0) <= 1e-9 * (np.abs(free).max() + 1e-300)
    assert (force[~resting] == 0.0).all()


def test_hold_agrees_with_press_where_all_push():
    free = np.array([-1.0, -0.8, 1.0, 0.8])
    touching = np.array([True, True, False, False])
    force, work = np.zeros(4), np.zeros(impact.work_size(4))
    assert impact.hold(ROD, ROD_MASS, touching, free, force, work)
    assert force == pytest.approx(press(ROD, ROD_MASS, touching, free)[0], rel=1e-9)


def test_force_changes_sign_when_a_held_contact_would_pull():
    """One end of the rod pressed hard by a moment: the other end would have to pull, so it opens."""
    touching = np.array([True, True, False, False])
    free = ROD.T @ (ROD_MASS @ np.array([100.0, 0.0, -500.0]))
    force, work = np.zeros(4), np.zeros(impact.work_size(4))
    assert impact.hold(ROD, ROD_MASS, touching, free, force, work)
    pressed, acceleration = press(ROD, ROD_MASS, touching, free)
    assert force[1] < 0.0 < force[0]
    assert pressed[1] == 0.0
    assert acceleration[1] > 0.0


def test_contact_nothing_can_move_is_refused():
    work = np.zeros(impact.work_size(1))
    assert not impact.hold(np.zeros((2, 1)), np.eye(2), np.array([True]), np.array([-1.0]), np.zeros(1), work)


def test_every_mode_is_left_and_entered():
    assert {a for a, _, b in TRANSITIONS if a != b} == set(Mode)
    assert {b for a, _, b in TRANSITIONS if a != b} == set(Mode)
