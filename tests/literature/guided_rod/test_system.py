"""The guided rod: geometry of the gaps, impact laws, conservation, symmetry and contacts at rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.elements.impact import Mode
from klingel.literature.guided_rod.system import GuidedRod, Memory, Scratch, gaps, guided_rod, write_directions
from klingel.numerics.integrate import integrate

ROD = GuidedRod()
MASSES = np.array([ROD.mass, ROD.mass, ROD.inertia])
SINGLE = (0.0, 0.0, 0.0, 0.12, 0.0, 0.001)  # start of figures B.20, B.21
DOUBLE = (0.0, 0.0, 0.0, 0.2, 0.0, 0.0)  # start of figures B.22, B.23

small = st.floats(-0.02, 0.02)
speeds = st.floats(-0.3, 0.3)
motions = st.tuples(small, small, small, speeds, speeds, speeds)


def run(parameters=ROD, start=SINGLE, t_end=20.0, **options):
    return integrate(guided_rod(parameters), start, t_end, rtol=1e-10, atol=1e-12, **options)


def energy(trajectory):
    return 0.5 * (trajectory.x[:, 3:] ** 2 @ MASSES)


def directions(x):
    p = ROD.flat()
    write_directions(np.asarray(x, float), p)
    return p[Scratch.W : Scratch.INVERSE_MASS].reshape(3, 4), p[Scratch.FREE_ACCELERATION : Scratch.FORCE]


@given(motions)
@settings(deadline=None, max_examples=50)
def test_gaps_are_distances_from_the_faces(state):
    """Guide points turned into the frame of the rod by a rotation matrix."""
    x, y, psi = state[:3]
    ahead, aside = ROD.box_width / 2 + ROD.clearance, ROD.length / 2
    guides = np.array([(ahead, aside), (ahead, -aside), (-ahead, aside), (-ahead, -aside)])
    turn = np.array([[np.cos(psi), np.sin(psi)], [-np.sin(psi), np.cos(psi)]])
    local = (guides - (x, y)) @ turn.T
    distances = np.abs(local[:, 0]) - ROD.box_width / 2
    assert gaps(ROD, np.array([state]))[0] == pytest.approx(distances, abs=1e-15)


@given(motions)
@settings(deadline=None, max_examples=50)
def test_directions_and_accelerations_are_derivatives_of_the_gaps(state):
    """Rates and accelerations along a straight uniform motion, by central differences."""
    x, step = np.array(state), 1e-3
    path = x + np.outer((-step, 0.0, step), np.r_[x[3:], 0.0, 0.0, 0.0])
    before, here, after = gaps(ROD, path)
    w, acceleration = directions(x)
    assert w.T @ x[3:] == pytest.approx((after - before) / (2 * step), abs=1e-7)
    assert acceleration == pytest.approx((after - 2 * here + before) / step**2, abs=1e-7)


def test_first_impact_by_hand():
    """One contact: impulse (1 + eps) closing speed / (1/m cos^2 + 1/m sin^2 + arm^2/I)."""
    t = 0.09 / 0.12
    for _ in range(50):  # front right: (a - x) cos psi - (l/2) sin psi - b/2 = 0 with x = 0.12 t, psi = 0.001 t
        t = (0.2225 - (0.1325 + np.sin(0.001 * t)) / np.cos(0.001 * t)) / 0.12
    psi = 0.001 * t
    arm = -np.cos(psi) - (0.2225 - 0.12 * t) * np.sin(psi)
    closing = 0.12 * np.cos(psi) - 0.001 * arm
    impulse = 1.9 * closing / (1 / 1022 + arm**2 / 678)
    after = [0.12 - impulse * np.cos(psi) / 1022, -impulse * np.sin(psi) / 1022, 0.001 + impulse * arm / 678]
    trajectory = run(t_end=1.0)
    event = next(iter(trajectory.events))
    assert event.guard == "front_right.gap"
    assert event.time == pytest.approx(t, abs=1e-10)
    assert trajectory.x[np.searchsorted(trajectory.t, t + 1e-6), 3:] == pytest.approx(after, abs=1e-11)


def test_impulse_is_normal_and_keeps_the_moment_of_momentum_about_the_contact():
    trajectory = run()
    sides = {"front_right": (1, -1), "front_left": (1, 1), "rear_right": (-1, -1), "rear_left": (-1, 1)}
    for event in trajectory.events:
        first = np.flatnonzero(trajectory.t == event.time)[0]
        x, y, psi = trajectory.x[first, :3]
        px, py, spin = (trajectory.x[first + 1, 3:] - trajectory.x[first, 3:]) * MASSES
        front, left = sides[event.element]
        rx, ry = front * (ROD.box_width / 2 + ROD.clearance) - x, left * ROD.length / 2 - y
        assert py * np.cos(psi) - px * np.sin(psi) == pytest.approx(0.0, abs=1e-11)
        assert spin == pytest.approx(rx * py - ry * px, abs=1e-10)
        assert -front * px > 0.0


def test_double_contact_is_a_bouncing_point():
    """Closed form: n-th impact after c/v + sum of 2 c/(v eps^k); the rod does not turn."""
    trajectory = run(start=DOUBLE)
    v, c, eps = DOUBLE[3], ROD.clearance, ROD.restitution
    times, speed, t = [], v, c / v
    while t < 20.0:
        times.append(t)
        speed *= eps
        t += 2 * c / speed
    assert trajectory.events.time[::2] == pytest.approx(times, abs=1e-9)
    assert np.all(trajectory.events.time[::2] == trajectory.events.time[1::2])
    assert trajectory.memory[-1, Memory.MULTIPLE] == len(times)
    assert trajectory.memory[-1, Memory.SINGLE] == 0
    assert abs(trajectory.x[-1, 3]) == pytest.approx(v * eps ** len(times), rel=1e-12)
    assert np.abs(trajectory["psi"]).max() < 1e-14


@given(motions)
@settings(deadline=None, max_examples=20)
def test_energy_never_grows_and_nothing_penetrates(start):
    trajectory = run(start=start, t_end=10.0)
    kinetic = energy(trajectory)
    assert np.all(np.diff(kinetic) <= 1e-12 * kinetic[0] + 1e-300)
    assert kinetic[0] - kinetic[-1] == pytest.approx(trajectory.memory[-1, Memory.IMPACT_LOSS], abs=1e-11)
    assert gaps(ROD, trajectory.x).min() > -ROD.contact_tolerance


@given(motions)
@settings(deadline=None, max_examples=20)
def test_elastic_impacts_keep_the_energy(start):
    kinetic = energy(run(GuidedRod(restitution=1.0), start, t_end=30.0))
    assert kinetic == pytest.approx(kinetic[0], rel=1e-11, abs=1e-300)


def test_mirrored_run():
    """y, psi -> -y, -psi exchanges left and right; few impacts, because irregular motion magnifies rounding."""
    one = run(t_end=5.0)
    mirror = np.array([1, -1, -1, 1, -1, -1])
    other = run(start=mirror * SINGLE, t_end=5.0)
    assert other.x[-1] == pytest.approx(mirror * one.x[-1], abs=1e-12)
    swapped = {"front_right.gap": "front_left.gap", "rear_left.gap": "rear_right.gap"}
    swapped |= {value: key for key, value in swapped.items()}
    assert [swapped[event.guard] for event in one.events] == [event.guard for event in other.events]


def test_pressed_rod_comes_to_rest_on_both_front_guides():
    pushed = GuidedRod(force_x=100.0)
    trajectory = run(pushed, t_end=60.0)
    assert list(trajectory.mode[-1]) == [Mode.RESTING, Mode.RESTING, Mode.FREE, Mode.FREE]
    assert trajectory["x"][-1] == pytest.approx(ROD.clearance, abs=1e-9)
    assert trajectory.x[-1, [2, 3, 5]] == pytest.approx(0.0, abs=1e-9)
    assert gaps(pushed, trajectory.x).min() > -ROD.contact_tolerance


def test_turned_rod_rests_on_two_opposite_guides_in_balance():
    turned = GuidedRod(moment=50.0)
    trajectory = run(turned, start=np.zeros(6), t_end=60.0)
    assert list(trajectory.mode[-1]) == [Mode.FREE, Mode.RESTING, Mode.RESTING, Mode.FREE]
    problem, g = guided_rod(turned), np.zeros(8)
    problem.guards(
        60.0, trajectory.x[-1].copy(), trajectory.memory[-1], trajectory.mode[-1], problem.parameters, g
    )
    w, _ = directions(trajectory.x[-1])
    assert w[:, [1, 2]] @ g[[5, 6]] == pytest.approx([0.0, 0.0, -50.0], abs=1e-8)


def test_resting_contact_opens_when_its_force_vanishes():
    """Sliding along its face while it turns faster and faster, the rod is lifted off by the Coriolis term."""
    pushed = GuidedRod(force_x=100.0, moment=-20.0)
    psi = 0.06
    x = 0.2225 - (0.1325 + np.sin(psi)) / np.cos(psi)
    problem = replace(guided_rod(pushed), mode=np.array([0, 1, 0, 0], np.int8))
    trajectory = integrate(problem, (x, 0.0, psi, -np.tan(psi), 1.0, 0.0), 3.0, rtol=1e-10, atol=1e-12)
    event = next(iter(trajectory.events))
    assert (event.guard, event.old, event.new) == ("front_right.force", "RESTING", "FREE")
    held = gaps(pushed, trajectory.x[trajectory.t < event.time])[:, 1]
    assert np.abs(held).max() < ROD.contact_tolerance
    later = np.searchsorted(trajectory.t, event.time, side="right")
    assert gaps(pushed, trajectory.x[later : later + 1])[0, 1] > 0.0


@pytest.mark.parametrize(("field", "value"), [("mass", -1.0), ("restitution", 2.0), ("clearance", 0.0)])
def test_bad_numbers_are_named(field, value):
    with pytest.raises(InputError, match=field):
        GuidedRod(**{field: value})
