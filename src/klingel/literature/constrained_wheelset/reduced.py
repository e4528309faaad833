"""Reduced form: five states, the constraints solved.

With q(y) = (y, z(y), phi(y)), J = dq/dy = (1, z', phi'), M = diag(m, m, I_xx) and the generalised force Q without
normal forces,

    J^T M J y'' = J^T (Q - M J' y'^2)
    N_l w_l + N_r w_r = M (J y'' + J' y'^2) - Q,        w = gradient of a wheel's gap = (-sin a, cos a, arm)

with a = phi + delta (left), phi - delta (right) and the arm of the normal force u1 cos delta + u2 sin delta about
the centre of mass on the left, u1 cos delta - u2 sin delta on the right. The rows of z and phi give N_l and N_r.

State: y, psi, their rates, and the spin perturbation beta.
"""

from enum import IntEnum
from math import cos, sin
from typing import NamedTuple

from klingel._jit import kernel
from klingel.literature.constrained_wheelset import balance, switches
from klingel.literature.constrained_wheelset.balance import Affine, Balance
from klingel.literature.constrained_wheelset.forces import Wrench, applied_wrench, creepage, lateral_wrench
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, stand, wheel_parameter, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset, P
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

STATES = ("y", "yaw", "y_dot", "yaw_dot", "spin")
REFUSED = 1  # the wheelset left the rails, or the normal forces were not found


class R(IntEnum):
    """Order of the state."""

    Y, YAW, Y_DOT, YAW_DOT, SPIN = range(5)


class Motion(NamedTuple):
    y_ddot: float
    yaw_ddot: float
    spin_dot: float
    forces: Balance
    found: bool


class _Geometry(NamedTuple):
    """What projects a wrench onto y'' and onto the normal forces."""

    z_1: float
    roll_1: float
    inertia: float  # J^T M J [kg]
    left_z: float  # w_l, rows z and roll
    left_roll: float
    right_z: float
    right_roll: float


@kernel
def _acceleration(wrench, g):
    return (wrench.y + g.z_1 * wrench.z + g.roll_1 * wrench.roll) / g.inertia


@kernel
def _normal_forces(wrench, y_ddot, g, p):
    """Normal forces that go with a wrench and the acceleration it causes."""
    z = p[P.MASS] * g.z_1 * y_ddot - wrench.z
    roll = p[P.I_XX] * g.roll_1 * y_ddot - wrench.roll
    det = g.left_z * g.right_roll - g.right_z * g.left_roll
    return (z * g.right_roll - g.right_z * roll) / det, (g.left_z * roll - g.left_roll * z) / det


@kernel
def _linear_in_creep(free, yaw, lateral_l, lateral_r, g, p):
    """y'' and both normal forces as functions of the creep forces; `free` is the wrench without these."""
    along = Wrench(sin(yaw), 0.0, 0.0)
    a0, ax = _acceleration(free, g), _acceleration(along, g)
    al, ar = _acceleration(lateral_l, g), _acceleration(lateral_r, g)
    bl, br = _normal_forces(free, a0, g, p)
    xl, xr = _normal_forces(along, ax, g, p)
    ll, lr = _normal_forces(lateral_l, al, g, p)
    rl, rr = _normal_forces(lateral_r, ar, g, p)
    return Affine(a0, ax, al, ax, ar), Affine(bl, xl, ll, xl, rl), Affine(br, xr, lr, xr, rr)


@kernel
def motion(x, mode, p):
    """Accelerations, normal and creep forces of a state."""
    y, yaw, y_dot, yaw_dot, beta = x[R.Y], x[R.YAW], x[R.Y_DOT], x[R.YAW_DOT], x[R.SPIN]
    at = stand(y, p)
    roll, roll_dot = at.roll, at.roll_1 * y_dot
    delta = p[P.DELTA]

    # contact points, creepages
    l1, l2 = wheel_point(LEFT, wheel_parameter(LEFT, y, at.z, roll, p), p)
    r1, r2 = wheel_point(RIGHT, wheel_parameter(RIGHT, y, at.z, roll, p), p)
    xi_left = creepage(LEFT, l1, l2, yaw, y_dot, roll_dot, yaw_dot, beta, p)
    xi_right = creepage(RIGHT, r1, r2, yaw, y_dot, roll_dot, yaw_dot, beta, p)
    g = _Geometry(
        at.z_1,
        at.roll_1,
        p[P.MASS] * (1.0 + at.z_1**2) + p[P.I_XX] * at.roll_1**2,
        cos(roll + delta),
        l1 * cos(delta) + l2 * sin(delta),
        cos(roll - delta),
        r1 * cos(delta) - r2 * sin(delta),
    )

    # the wrench without creep forces and normal forces, then all forces
    applied = applied_wrench(mode[0], y, roll, yaw, yaw_dot, l2, r2, p)
    square = y_dot * y_dot
    free = Wrench(
        applied.y, applied.z - p[P.MASS] * at.z_2 * square, applied.roll - p[P.I_XX] * at.roll_2 * square
    )
    lateral_l = lateral_wrench(LEFT, l1, l2, roll, yaw, p)
    lateral_r = lateral_wrench(RIGHT, r1, r2, roll, yaw, p)
    acceleration, n_left, n_right = _linear_in_creep(free, yaw, lateral_l, lateral_r, g, p)
    f = balance.solve(n_left, n_right, xi_left, xi_right, mode[1], mode[2], p)
    y_ddot = balance.value(acceleration, f.tx_left, f.ty_left, f.tx_right, f.ty_right)
    yaw_moment = -l1 * f.tx_left - r1 * f.tx_right
    return Motion(
        y_ddot,
        (yaw_moment - p[P.I_YY] * roll_dot * p[P.V] / p[P.R0]) / p[P.I_ZZ],
        (l2 * f.tx_left + r2 * f.tx_right) / p[P.I_YY],
        f,
        at.found and f.found,
    )


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    now = motion(x, mode, p)
    dx[R.Y] = x[R.Y_DOT]
    dx[R.YAW] = x[R.YAW_DOT]
    dx[R.Y_DOT] = now.y_ddot
    dx[R.YAW_DOT] = now.yaw_ddot
    dx[R.SPIN] = now.spin_dot
    return 0 if now.found else REFUSED


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    now = motion(x, mode, p)
    switches.write_guards(x[R.Y], now.forces.n_left, now.forces.n_right, mode, p, g)


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    switches.act(mode, fired)
    return 0


def reduced_problem(wheelset: ConstrainedWheelset) -> HybridProblem:
    """The wheelset in its five independent states; start modes are those of the track centre."""
    return HybridProblem(
        rhs,
        wheelset.flat(),
        STATES,
        guards=guards,
        act=act,
        guard_names=switches.GUARD_NAMES,
        guard_owner=switches.GUARD_OWNER,
        guard_tolerance=switches.GUARD_TOLERANCE,
        mode_names=switches.MODE_NAMES,
        mode_types=switches.MODE_TYPES,
        mode=switches.start_modes(),
    )
