"""Forces and accelerations: Newton and Euler in all six coordinates, two iterations of (7-4), mirror, power."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.literature.de_pater.equations_of_motion import contact_wrench, motion
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.history import history
from klingel.literature.de_pater.hybrid_system import de_pater_problem, start
from klingel.literature.de_pater.layout import Mem, P, Second, X
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.numerics.integrate import integrate

W = DePaterWheelset()
FREE = np.array([Second.FREE, Second.FREE], np.int8)
RIGHT_PRESSED = np.array([Second.PRESSED, Second.FREE], np.int8)
MIRROR = np.array([1.0, 1.0, -1.0, -1.0] * 2)
MEMORY = np.zeros(len(Mem))

slip = st.floats(-3e-3, 3e-3)
states = st.tuples(slip, slip, st.floats(-6e-3, 6e-3), slip, slip, slip, slip, slip).map(np.array)


@settings(deadline=None, max_examples=50)
@given(states, st.booleans())
def test_newton_and_euler_of_height_and_roll(x, complete):
    """The two rows that (4-20) leaves out hold with the normal forces of (4-35), flange included."""
    p = replace(W, inertia_terms="complete" if complete else "first-order").flat()
    now = motion(0.0, x, MEMORY, RIGHT_PRESSED, p)
    at = tread(x[X.V], p)
    contacts = (
        (RIGHT, at.angle_1, now.one),
        (LEFT, at.angle_2, now.two),
        (RIGHT, flange(RIGHT, x[X.V], at, p).angle, now.right),
    )
    y, z, roll = np.sum([contact_wrench(s, a, c.n, c.ty, p) for s, a, c in contacts], axis=0)
    square = W.speed**2
    bend = x[X.V_1] ** 2 if complete else 0.0
    gyro = -W.spin_inertia * square / W.radius * x[X.PSI_1]
    assert now.found
    assert W.mass * square * now.v == pytest.approx(y - W.stiffness_y * x[X.V], abs=1e-6)
    height = at.height_v * now.v + at.height_vv * bend
    assert W.mass * square * height == pytest.approx(z + W.load - W.stiffness_z * at.height, abs=1e-6)
    turn = at.roll_v * now.v + at.roll_vv * bend
    moment = roll + gyro - W.stiffness_z * W.box_base**2 * at.roll
    assert W.inertia * square * turn == pytest.approx(moment, abs=1e-6)


@settings(deadline=None, max_examples=50)
@given(states)
def test_his_iteration_and_ours_find_the_same_forces(x):
    ours = motion(0.0, x, MEMORY, FREE, W.flat())
    his = motion(0.0, x, MEMORY, FREE, replace(W, forces="previous-step").flat())
    assert ours.found
    assert his.found
    for a, b in ((ours.one, his.one), (ours.two, his.two)):
        assert a == pytest.approx(b, rel=1e-9, abs=1e-7)


@settings(deadline=None, max_examples=50)
@given(states, st.booleans())
def test_mirrored_motion(x, pressed):
    p = W.flat()
    mode = RIGHT_PRESSED if pressed else FREE
    one = motion(0.0, x, MEMORY, mode, p)
    two = motion(0.0, MIRROR * x, MEMORY, np.ascontiguousarray(mode[::-1]), p)
    assert (two.u, two.chi, two.v, two.psi) == pytest.approx(
        (one.u, one.chi, -one.v, -one.psi), rel=1e-9, abs=1e-12
    )
    assert (two.one.n, two.two.n, two.left.n) == pytest.approx((one.two.n, one.one.n, one.right.n), rel=1e-9)


def test_a_start_from_the_last_forces_needs_fewer_rounds():
    x = start(v=4e-3, psi=1e-3)
    p = replace(W, forces="previous-step").flat()
    now = motion(0.0, x, MEMORY, FREE, p)
    cold = p[P.ROUNDS]
    memory = MEMORY.copy()
    memory[Mem.T_Y1], memory[Mem.T_Y2] = now.one.ty, now.two.ty
    motion(0.0, x, memory, FREE, p)
    assert p[P.ROUNDS] - cold <= 2.0 < cold


@pytest.mark.parametrize("terms", ["complete", "first-order"])
def test_power_balance(terms):
    """d(kinetic energy) = power of all forces, flange included; (4-19) misses exactly the term it drops."""
    w = replace(W, inertia_terms=terms, speed=60.0)
    run = integrate(de_pater_problem(w), start(v=5e-3, psi=3e-3), 5.0, rtol=1e-7, atol=1e-11, output_step=0.02)
    h = history(run)
    assert len(run.events) >= 2
    dropped = np.zeros(h.s.size)
    if terms == "first-order":
        p = w.flat()
        for i, x in enumerate(h.state):
            at = tread(x[X.V], p)
            bend = w.mass * at.height_v * at.height_vv + w.inertia * at.roll_v * at.roll_vv
            dropped[i] = w.speed**2 * bend * x[X.V_1] ** 3
    defect = h["gradient"] - h["power"] - dropped
    assert np.abs(defect).max() < 1e-12 * np.abs(h["power"]).max()


def test_tractive_effort_is_the_force_of_the_body_spring():
    run = integrate(de_pater_problem(W), start(u=1e-4), 2.0, output_step=0.1)
    h = history(run)
    assert h["traction"] == pytest.approx(-W.stiffness_x * h["u"])
    assert h["traction"][0] == pytest.approx(-100.0)
