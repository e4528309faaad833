"""Both forms at single states: with each other, with Newton and Euler, with the printed multipliers."""

from dataclasses import replace
from math import inf, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.elements import dead_band
from klingel.literature.constrained_wheelset import augmented, reduced
from klingel.literature.constrained_wheelset.constraints import X
from klingel.literature.constrained_wheelset.elimination import eliminate
from klingel.literature.constrained_wheelset.forces import Load
from klingel.literature.constrained_wheelset.start import full_state, rest, start
from klingel.literature.constrained_wheelset.switches import GUARD_NAMES, start_modes
from tests.literature.constrained_wheelset.cases import PRINTED, STEEP, UNSUSPENDED, external

MOVES = st.tuples(
    st.floats(-0.012, 0.012), st.floats(-0.01, 0.01), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)
)  # y, yaw and their rates


def modes_at(w, y):
    modes = start_modes()
    modes[0] = dead_band.mode_at(y, -w.flange_clearance, w.flange_clearance)
    return modes


def both(w, moves, modes=None):
    """Full state, unknowns and forces of the augmented form, and the reduced motion, in consistent modes."""
    small = start(w, *moves)
    x, p = full_state(w, small), w.flat()
    modes = modes_at(w, moves[0]) if modes is None else modes
    unknowns = np.empty(augmented.N)
    now = reduced.motion(small, modes, p)
    for k, n in ((1, now.forces.n_left), (2, now.forces.n_right)):
        modes[k] = Load.PRESSED if n >= 0.0 else Load.PULLED
    now = reduced.motion(small, modes, p)
    forces, found = augmented.motion(x, modes, p, unknowns)
    assert found
    assert now.found
    return x, unknowns, forces, now


@pytest.mark.parametrize("name", PRINTED)
@settings(deadline=None, max_examples=40)
@given(moves=MOVES)
def test_forms_agree_on_accelerations_and_forces(name, moves):
    _, unknowns, forces, now = both(PRINTED[name], moves)
    scale = 1e4  # [N], the weight
    np.testing.assert_allclose(forces[:6], now.forces[:6], rtol=1e-11, atol=1e-11 * scale)
    assert unknowns[0] == pytest.approx(now.y_ddot, rel=1e-11, abs=1e-11)
    x = full_state(PRINTED[name], start(PRINTED[name], *moves))
    dx = np.empty(len(X))
    assert augmented.rhs(0.0, x, np.zeros(0), modes_at(PRINTED[name], moves[0]), PRINTED[name].flat(), dx) == 0
    np.testing.assert_array_equal(dx[: X.Y_DOT], x[X.Y_DOT : X.SPIN])


@settings(deadline=None, max_examples=40)
@given(moves=MOVES)
def test_newton_and_euler(moves):
    """m a = F and I omega' + gyroscopic term = M with the printed 3-D matrices, normal forces included."""
    w = STEEP
    x, unknowns, f, now = both(w, moves)
    band = w.flange_clearance
    flange = -w.flange_stiffness * (moves[0] - np.clip(moves[0], -band, band))
    force, moment = external(w, x, f, flange)
    size = 1e-11 * (abs(f.n_left) + abs(f.n_right) + abs(flange) + w.mass * w.gravity)
    gyro = w.inertia_spin * w.speed / w.nominal_radius
    assert w.mass * unknowns[0] == pytest.approx(force[1], abs=size)
    assert w.mass * unknowns[1] == pytest.approx(force[2], abs=size)
    assert w.inertia_roll * unknowns[2] == pytest.approx(moment[0] + gyro * x[X.YAW_DOT], abs=size)
    assert w.inertia_yaw * now.yaw_ddot == pytest.approx(moment[2] - gyro * x[X.ROLL_DOT], abs=size)
    assert w.inertia_spin * now.spin_dot == pytest.approx(moment[1], abs=size)


@settings(deadline=None, max_examples=30)
@given(moves=MOVES)
def test_multipliers_are_the_printed_normal_forces(moves):
    _, unknowns, f, _ = both(UNSUSPENDED, moves)
    multipliers = unknowns[augmented.LAMBDA :]
    # the printed root has no sign
    assert np.hypot(*multipliers[:2]) == pytest.approx(abs(f.n_left), rel=1e-10, abs=1e-7)
    assert np.hypot(*multipliers[2:4]) == pytest.approx(abs(f.n_right), rel=1e-10, abs=1e-7)
    np.testing.assert_allclose(multipliers[4:], 0.0, atol=1e-9)


@pytest.mark.parametrize("delta", [0.02, 0.05, 0.08])
def test_static_multipliers(delta):
    """The printed lambda_0, which is exact without friction."""
    w = replace(UNSUSPENDED, conicity=delta, friction=0.0)
    _, unknowns, _, _ = both(w, (0.0, 0.0, 0.0, 0.0))
    half = w.mass * w.gravity / 2
    expected = [half * tan(delta), -half, -half * tan(delta), -half, 0.0, 0.0]
    np.testing.assert_allclose(unknowns[augmented.LAMBDA :], expected, atol=1e-9)


@pytest.mark.parametrize("name", PRINTED)
def test_rest_is_an_equilibrium(name):
    w = PRINTED[name]
    dx = np.empty(5)
    assert reduced.rhs(0.0, rest(w), np.zeros(0), start_modes(), w.flat(), dx) == 0
    np.testing.assert_allclose(dx, 0.0, atol=1e-11)


@settings(deadline=None, max_examples=30)
@given(moves=MOVES)
def test_mirror_image(moves):
    """y, yaw -> -y, -yaw exchanges the wheels."""
    _, _, f, now = both(STEEP, moves)
    _, _, g, then = both(STEEP, tuple(-m for m in moves))
    assert (f.n_left, f.n_right) == pytest.approx((g.n_right, g.n_left), rel=1e-11)
    assert (now.y_ddot, now.yaw_ddot) == pytest.approx((-then.y_ddot, -then.yaw_ddot), rel=1e-9, abs=1e-9)
    assert now.spin_dot == pytest.approx(then.spin_dot, rel=1e-9, abs=1e-9)


def test_power_of_the_constraints_vanishes():
    """q' . M q'' equals the power of all other forces."""
    w = STEEP
    x, unknowns, f, _ = both(w, (0.003, -0.002, 0.3, 0.2))
    free = f._replace(n_left=0.0, n_right=0.0)
    force, moment = external(w, x, free)
    v = x[[X.Y_DOT, X.Z_DOT, X.ROLL_DOT]]
    gyro = w.inertia_spin * w.speed / w.nominal_radius * x[X.YAW_DOT]
    power = v @ [force[1], force[2], moment[0] + gyro]
    assert v @ (unknowns[:3] * [w.mass, w.mass, w.inertia_roll]) == pytest.approx(power, rel=1e-11)


def test_guards_tell_the_way_out_of_each_mode():
    w = UNSUSPENDED
    g = np.empty(len(GUARD_NAMES))
    x, p = start(w, y=0.0095), w.flat()
    modes = start_modes()
    reduced.guards(0.0, x, np.zeros(0), modes, p, g)
    assert g[1] == pytest.approx(-0.0004)
    fired = np.array([False, True, False, True])
    reduced.act(0.0, x, np.zeros(0), modes, p, fired)
    assert modes.tolist() == [dead_band.Mode.UPPER, Load.PRESSED, Load.PULLED]
    reduced.guards(0.0, x, np.zeros(0), modes, p, g)
    assert g[0] == pytest.approx(0.0004)
    assert g[1] == inf
    assert g[2] > 0.0 > g[3]


def test_elimination_solves_and_reports_singular_matrices():
    rng = np.random.default_rng(1)
    matrix, right = rng.normal(size=(13, 13)), rng.normal(size=(13, 5))
    matrix[0, 0] = 0.0
    a = np.concatenate([np.zeros(4), np.hstack([matrix, right]).ravel()])
    assert eliminate(a, 4, 13, 5)
    np.testing.assert_allclose(a[4:].reshape(13, 18)[:, 13:], np.linalg.solve(matrix, right), rtol=1e-10)
    assert not eliminate(np.zeros(13 * 18), 0, 13, 5)
