"""The wheelset as a differential-algebraic system of index 2: normal forces as multipliers, contacts solved along.

Third form of the same equations, for the DAE solvers. Unknowns: q = (y, z, phi), yaw, their rates, spin (9,
differential); s11, s12 (index 1); N_l, N_r in units of N_0 (index 2). With a = phi +- delta and the wheel point
(u1, u2) the normal of a contact acts on (y, z, phi) as w = (-sin a, cos a, +-u2 sin delta + u1 cos delta), and

    M q'' = Q + sum N w,    w . q' = 0 on both sides,    s = wheel parameter at (y, z, phi).

The position constraint -sin a (y -+ Y) + cos a h = K (`geometry`) is an invariant. Modes, guards and creep forces
are those of the other forms; here the creep force sees the multiplier itself, no balance is iterated.
"""

from enum import IntEnum
from math import cos, sin

import numpy as np

from klingel._jit import kernel
from klingel.literature.constrained_wheelset import reduced, switches
from klingel.literature.constrained_wheelset.forces import (
    Load,
    Wrench,
    applied_wrench,
    creep_force,
    creepage,
    lateral_wrench,
)
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, stand, wheel_parameter, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset, P
from klingel.literature.constrained_wheelset.reduced import R
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS


class U(IntEnum):
    """Order of the unknowns."""

    Y, Z, ROLL, YAW, Y_DOT, Z_DOT, ROLL_DOT, YAW_DOT, SPIN, S11, S12, N_LEFT, N_RIGHT = range(13)


STATES = tuple(name.lower() for name in U.__members__)
MASS = np.array([1.0] * 9 + [0.0] * 4)
INDEX = (1,) * 11 + (2,) * 2
RATES = U.Y_DOT  # a rate stands this far behind its coordinate


@kernel
def _normal(side, u1, u2, roll, p):
    """Generalised force of a unit normal force."""
    delta = side * p[P.DELTA]
    return Wrench(-sin(roll + delta), cos(roll + delta), u1 * cos(delta) + u2 * sin(delta))


@kernel
def _rolling(w, x):
    return w.y * x[U.Y_DOT] + w.z * x[U.Z_DOT] + w.roll * x[U.ROLL_DOT]


@kernel
def _side(side, u1, u2, n, load, x, p):
    """All of one wheel: its wrench with creep and normal force, and T_x."""
    xi = creepage(side, u1, u2, x[U.YAW], x[U.Y_DOT], x[U.ROLL_DOT], x[U.YAW_DOT], x[U.SPIN], p)
    tx, ty = creep_force(xi, n if load == Load.PRESSED else -n, p)
    lateral, normal = lateral_wrench(side, u1, u2, x[U.ROLL], x[U.YAW], p), _normal(side, u1, u2, x[U.ROLL], p)
    wrench = Wrench(
        sin(x[U.YAW]) * tx + ty * lateral.y + n * normal.y,
        ty * lateral.z + n * normal.z,
        ty * lateral.roll + n * normal.roll,
    )
    return wrench, tx


@kernel(signature=RHS)
def constraints(t, x, memory, mode, p, f):
    """The rows without a derivative."""
    l1, l2 = wheel_point(LEFT, x[U.S11], p)
    r1, r2 = wheel_point(RIGHT, x[U.S12], p)
    f[U.S11] = wheel_parameter(LEFT, x[U.Y], x[U.Z], x[U.ROLL], p) - x[U.S11]
    f[U.S12] = wheel_parameter(RIGHT, x[U.Y], x[U.Z], x[U.ROLL], p) - x[U.S12]
    f[U.N_LEFT] = _rolling(_normal(LEFT, l1, l2, x[U.ROLL], p), x)
    f[U.N_RIGHT] = _rolling(_normal(RIGHT, r1, r2, x[U.ROLL], p), x)
    return 0


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, f):
    l1, l2 = wheel_point(LEFT, x[U.S11], p)
    r1, r2 = wheel_point(RIGHT, x[U.S12], p)
    left, tx_left = _side(LEFT, l1, l2, p[P.N0] * x[U.N_LEFT], mode[1], x, p)
    right, tx_right = _side(RIGHT, r1, r2, p[P.N0] * x[U.N_RIGHT], mode[2], x, p)
    applied = applied_wrench(mode[0], x[U.Y], x[U.ROLL], x[U.YAW], x[U.YAW_DOT], l2, r2, p)
    for j in range(RATES):
        f[j] = x[j + RATES]
    f[U.Y_DOT] = (applied.y + left.y + right.y) / p[P.MASS]
    f[U.Z_DOT] = (applied.z + left.z + right.z) / p[P.MASS]
    f[U.ROLL_DOT] = (applied.roll + left.roll + right.roll) / p[P.I_XX]
    moment = -l1 * tx_left - r1 * tx_right
    f[U.YAW_DOT] = (moment - p[P.I_YY] * x[U.ROLL_DOT] * p[P.V] / p[P.R0]) / p[P.I_ZZ]
    f[U.SPIN] = (l2 * tx_left + r2 * tx_right) / p[P.I_YY]
    constraints(t, x, memory, mode, p, f)
    return 0


@kernel(signature=RHS)
def gaps(t, x, memory, mode, p, r):
    """Distance of each cone from its rail [m]."""
    delta, h = p[P.DELTA], p[P.R0] + x[U.Z] + p[P.R_RAIL]
    k = p[P.Y_WHEEL] * sin(delta) + p[P.R0] * cos(delta) + p[P.R_RAIL]
    left, right = x[U.ROLL] + delta, x[U.ROLL] - delta
    r[0] = -sin(left) * (x[U.Y] - p[P.Y_RAIL]) + cos(left) * h - k
    r[1] = -sin(right) * (x[U.Y] + p[P.Y_RAIL]) + cos(right) * h - k
    return 0


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    switches.write_guards(x[U.Y], p[P.N0] * x[U.N_LEFT], p[P.N0] * x[U.N_RIGHT], mode, p, g)


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    switches.act(mode, fired)
    return 0


def index_2_problem(wheelset: ConstrainedWheelset) -> DaeProblem:
    """The wheelset as a DAE; consistent values come from `unknowns`."""
    return DaeProblem(
        rhs,
        wheelset.flat(),
        STATES,
        MASS,
        index=INDEX,
        constraints=constraints,
        invariants=gaps,
        invariant_names=("left gap", "right gap"),
        guards=guards,
        act=act,
        guard_names=switches.GUARD_NAMES,
        guard_owner=switches.GUARD_OWNER,
        guard_tolerance=switches.GUARD_TOLERANCE,
        mode_names=switches.MODE_NAMES,
        mode_types=switches.MODE_TYPES,
        mode=switches.start_modes(),
    )


def unknowns(wheelset: ConstrainedWheelset, small: np.ndarray) -> np.ndarray:
    """All unknowns that belong to a reduced state, flange free and wheels pressed."""
    p = wheelset.flat()
    at, now = stand(small[R.Y], p), reduced.motion(small, switches.start_modes(), p)
    speed = small[R.Y_DOT]
    x = np.zeros(len(U))
    x[[U.Y, U.YAW, U.Y_DOT, U.YAW_DOT, U.SPIN]] = small[[R.Y, R.YAW, R.Y_DOT, R.YAW_DOT, R.SPIN]]
    x[[U.Z, U.ROLL, U.Z_DOT, U.ROLL_DOT]] = at.z, at.roll, at.z_1 * speed, at.roll_1 * speed
    x[U.S11] = wheel_parameter(LEFT, small[R.Y], at.z, at.roll, p)
    x[U.S12] = wheel_parameter(RIGHT, small[R.Y], at.z, at.roll, p)
    x[[U.N_LEFT, U.N_RIGHT]] = now.forces.n_left / p[P.N0], now.forces.n_right / p[P.N0]
    return x
