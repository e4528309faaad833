"""Augmented Lagrangian form (B.15): accelerations and multipliers of the full state from one linear system.

    | M    0    C_q^T | | q''    |   | Q   |
    | 0    0    C_s^T | | s''    | = | 0   |        q = (y, z, phi),  s = (s11, s21, s12, s32)
    | C_q  C_s  0     | | lambda |   | Q_d |

Yaw and spin follow from their own equations. Q depends on lambda through the creep forces, linearly in these: the
system is solved once per evaluation with five right-hand sides (no creep force, and each of the four), and
`balance` finds the forces. The force of the left rail on its wheel is -(lambda_1, lambda_2), so
N_l = -(lambda_1, lambda_2) . n; lambda_5 and lambda_6, of the orientation constraints, vanish.

Differentiating C = 0 twice leaves C and C' free to drift. Drift is treated as an event: two guards stay positive
while |C| and |C'| are below `drift_limit`, and their action projects the dependent coordinates and rates back at
fixed y, y' (so that no projection touches the flange's dead band). The residuals of every accepted step are
bounded by construction, without an artificial spring and damper; between steps the interpolant's error adds.
Should a projection fail, the run stops there.
"""

from math import cos, sin

from klingel._jit import kernel
from klingel.literature.constrained_wheelset import balance, switches
from klingel.literature.constrained_wheelset.balance import Affine
from klingel.literature.constrained_wheelset.constraints import (
    RATES,
    ROWS,
    STATES,
    X,
    project,
    squared,
    write_accelerations,
    write_jacobians,
    write_rates,
    write_residual,
)
from klingel.literature.constrained_wheelset.elimination import eliminate
from klingel.literature.constrained_wheelset.forces import applied_wrench, creepage, lateral_wrench
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset, P, S
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

N = 13  # unknowns: 3 accelerations of q, 4 of s, 6 multipliers
COLUMNS = 5  # right-hand sides: without creep forces, T_x left, T_y left, T_x right, T_y right
WIDTH = N + COLUMNS
LAMBDA = 7  # first multiplier among the unknowns
REFUSED = 1

GUARD_NAMES = (*switches.GUARD_NAMES, "position drift", "velocity drift")
POSITION_DRIFT = switches.N_GUARDS
VELOCITY_DRIFT = POSITION_DRIFT + 1
DRIFT_TOLERANCE = 1e-9  # of 1 - (residual/limit)^2


@kernel
def _write_matrix(x, p):
    write_jacobians(x, p)
    write_accelerations(x, p)
    for i in range(S.SYSTEM, S.SYSTEM + N * WIDTH):
        p[i] = 0.0
    for j in range(3):
        p[S.SYSTEM + WIDTH * j + j] = p[P.MASS] if j < 2 else p[P.I_XX]
    for i in range(ROWS):
        row = S.SYSTEM + WIDTH * (LAMBDA + i)
        for j in range(3):
            p[row + j] = p[S.C_Q + 3 * i + j]
            p[S.SYSTEM + WIDTH * j + LAMBDA + i] = p[S.C_Q + 3 * i + j]
        for j in range(4):
            p[row + 3 + j] = p[S.C_S + 4 * i + j]
            p[S.SYSTEM + WIDTH * (3 + j) + LAMBDA + i] = p[S.C_S + 4 * i + j]
        p[row + N] = p[S.QD + i]


@kernel
def _write_column(wrench, column, p):
    first = S.SYSTEM + N + column
    p[first] = wrench.y
    p[first + WIDTH] = wrench.z
    p[first + 2 * WIDTH] = wrench.roll


@kernel
def _unknown(i, p):
    """Unknown i of the augmented system as a linear function of the creep forces."""
    k = S.SYSTEM + WIDTH * i + N
    return Affine(p[k], p[k + 1], p[k + 2], p[k + 3], p[k + 4])


@kernel
def _normal_force(first, angle, p):
    """-(lambda_first, lambda_first+1) . n with the normal of a wheel at this angle."""
    a, b = _unknown(first, p), _unknown(first + 1, p)
    s, c = sin(angle), -cos(angle)
    return Affine(
        s * a.base + c * b.base,
        s * a.x_left + c * b.x_left,
        s * a.y_left + c * b.y_left,
        s * a.x_right + c * b.x_right,
        s * a.y_right + c * b.y_right,
    )


@kernel
def motion(x, mode, p, unknowns):
    """Fills q'', s'', lambda (13); returns the normal and creep forces, and whether all was found."""
    roll, yaw, yaw_dot = x[X.ROLL], x[X.YAW], x[X.YAW_DOT]
    l1, l2 = wheel_point(LEFT, x[X.S11], p)
    r1, r2 = wheel_point(RIGHT, x[X.S12], p)
    xi_left = creepage(LEFT, l1, l2, yaw, x[X.Y_DOT], x[X.ROLL_DOT], yaw_dot, x[X.SPIN], p)
    xi_right = creepage(RIGHT, r1, r2, yaw, x[X.Y_DOT], x[X.ROLL_DOT], yaw_dot, x[X.SPIN], p)
    _write_matrix(x, p)
    _write_column(applied_wrench(mode[0], x[X.Y], roll, yaw, yaw_dot, l2, r2, p), 0, p)
    p[S.SYSTEM + N + 1] = sin(yaw)  # T_x acts on y alone
    p[S.SYSTEM + N + 3] = sin(yaw)
    _write_column(lateral_wrench(LEFT, l1, l2, roll, yaw, p), 2, p)
    _write_column(lateral_wrench(RIGHT, r1, r2, roll, yaw, p), 4, p)
    regular = eliminate(p, S.SYSTEM, N, COLUMNS)
    n_left = _normal_force(LAMBDA, roll + p[P.DELTA], p)
    n_right = _normal_force(LAMBDA + 2, roll - p[P.DELTA], p)
    f = balance.solve(n_left, n_right, xi_left, xi_right, mode[1], mode[2], p)
    for i in range(N):
        unknowns[i] = balance.value(_unknown(i, p), f.tx_left, f.ty_left, f.tx_right, f.ty_right)
    return f, regular and f.found


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    f, found = motion(x, mode, p, dx)
    l1, l2 = wheel_point(LEFT, x[X.S11], p)
    r1, r2 = wheel_point(RIGHT, x[X.S12], p)
    # the accelerations of s before those of q: both move up from where `motion` left them
    for j in range(3, -1, -1):
        dx[X.S11_DOT + j] = dx[3 + j]
    for j in range(2, -1, -1):
        dx[X.Y_DOT + j] = dx[j]
    moment = -l1 * f.tx_left - r1 * f.tx_right
    dx[X.YAW_DOT] = (moment - p[P.I_YY] * x[X.ROLL_DOT] * p[P.V] / p[P.R0]) / p[P.I_ZZ]
    dx[X.SPIN] = (l2 * f.tx_left + r2 * f.tx_right) / p[P.I_YY]
    for j in range(RATES):
        dx[j] = x[j + RATES]
    return 0 if found else REFUSED


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    f, _ = motion(x, mode, p, p[S.UNKNOWNS : S.END])
    switches.write_guards(x[X.Y], f.n_left, f.n_right, mode, p, g)
    limit = p[P.DRIFT] * p[P.DRIFT]
    write_rates(x, p)
    g[VELOCITY_DRIFT] = 1.0 - squared(p) / limit
    write_residual(x, p)
    g[POSITION_DRIFT] = 1.0 - squared(p) / limit


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    switches.act(mode, fired)
    if fired[POSITION_DRIFT] or fired[VELOCITY_DRIFT]:
        return 0 if project(x, p) else 1
    return 0


def augmented_problem(wheelset: ConstrainedWheelset) -> HybridProblem:
    """The wheelset in all coordinates and profile parameters; see `start.full_start` for consistent values."""
    return HybridProblem(
        rhs,
        wheelset.flat(),
        STATES,
        guards=guards,
        act=act,
        guard_names=GUARD_NAMES,
        guard_owner=(*switches.GUARD_OWNER, -1, -1),
        guard_tolerance=(*switches.GUARD_TOLERANCE, DRIFT_TOLERANCE, DRIFT_TOLERANCE),
        mode_names=switches.MODE_NAMES,
        mode_types=switches.MODE_TYPES,
        mode=switches.start_modes(),
    )
