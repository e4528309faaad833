"""The compiled constraints against the printed C(q, s) and its exact derivatives; projection."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.constraints import (
    X,
    largest,
    project,
    write_accelerations,
    write_jacobians,
    write_rates,
    write_residual,
)
from klingel.literature.constrained_wheelset.parameters import S
from klingel.literature.constrained_wheelset.start import check_consistent, full_state, start
from tests.literature.constrained_wheelset.cases import STEEP, constraints, taylor

Q, SS = slice(X.Y, X.ROLL + 1), slice(X.S11, X.S32 + 1)
Q_DOT, SS_DOT = slice(X.Y_DOT, X.ROLL_DOT + 1), slice(X.S11_DOT, X.S32_DOT + 1)


@pytest.fixture(params=range(5))
def state(request):
    """Anywhere, also far off the constraints."""
    rng = np.random.default_rng(request.param)
    return rng.uniform(-0.3, 0.3, len(X))


def filled(x):
    p = STEEP.flat()
    write_residual(x, p)
    residual = p[S.C : S.C + 6].copy()
    write_jacobians(x, p)
    write_accelerations(x, p)
    write_rates(x, p)
    c_q = p[S.C_Q : S.C_Q + 18].reshape(6, 3)
    c_s = p[S.C_S : S.C_S + 24].reshape(6, 4)
    return residual, c_q, c_s, p[S.QD : S.QD + 6], p[S.C : S.C + 6]


def test_residual_is_the_printed_one(state):
    np.testing.assert_allclose(filled(state)[0], constraints(STEEP, state[Q], state[SS]), atol=1e-15)


def test_jacobians_are_derivatives_of_the_printed_constraints(state):
    _, c_q, c_s, _, _ = filled(state)
    for j in range(7):
        step = np.eye(7)[j]
        exact = taylor(lambda e, d=step: constraints(STEEP, state[Q] + e * d[:3], state[SS] + e * d[3:]), 1)
        np.testing.assert_allclose(np.hstack([c_q, c_s])[:, j], exact, atol=1e-14)


def test_rates_and_acceleration_terms_are_time_derivatives(state):
    """Along any curve: d2C/dt2 = C_q q'' + C_s s'' - Q_d."""
    _, c_q, c_s, q_d, rate = filled(state)
    rng = np.random.default_rng(7)
    q_ddot, s_ddot = rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.3, 0.3, 4)

    def curve(t):
        q = state[Q] + t * state[Q_DOT] + t**2 / 2 * q_ddot
        s = state[SS] + t * state[SS_DOT] + t**2 / 2 * s_ddot
        return constraints(STEEP, q, s)

    np.testing.assert_allclose(rate, taylor(curve, 1), atol=1e-14)
    np.testing.assert_allclose(c_q @ q_ddot + c_s @ s_ddot - q_d, taylor(curve, 2), atol=1e-13)


def test_projection_returns_to_the_constraints_and_leaves_the_independent_state():
    consistent = full_state(STEEP, start(STEEP, y=4e-3, yaw=1e-3, y_dot=0.2, yaw_dot=0.1))
    rng = np.random.default_rng(3)
    moved = consistent.copy()
    dependent = [X.Z, X.ROLL, X.S11, X.S21, X.S12, X.S32]
    moved[dependent] += rng.uniform(-1e-4, 1e-4, 6)
    moved[[i + X.Y_DOT for i in dependent]] += rng.uniform(-1e-3, 1e-3, 6)
    p = STEEP.flat()
    assert project(moved, p)
    # the system's condition number is some 40
    np.testing.assert_allclose(moved, consistent, rtol=0, atol=2e-14)
    for i in (X.Y, X.YAW, X.Y_DOT, X.YAW_DOT, X.SPIN):
        assert moved[i] == consistent[i]
    write_residual(moved, p)
    assert largest(p) < 5e-16
    write_jacobians(moved, p)
    write_rates(moved, p)
    assert largest(p) < 5e-16


@pytest.mark.parametrize(
    ("coordinate", "named"),
    [(X.S11, "position constraint 'left y'"), (X.S32, "position constraint 'right orientation'"),
     (X.S11_DOT, "velocity constraint 'left y'")],
)  # fmt: skip
def test_inconsistent_start_is_refused_by_the_name_of_its_equation(coordinate, named):
    x = full_state(STEEP, start(STEEP, y=2e-3, y_dot=0.1))
    check_consistent(STEEP, x)
    x[coordinate] += 1e-7
    with pytest.raises(InputError, match=named):
        check_consistent(STEEP, x)
