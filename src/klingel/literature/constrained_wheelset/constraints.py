"""Contact constraints C(q, s) = 0 with profile parameters, their derivatives, and projection onto them (B.9-B.13).

Side k (+ left, - right): wheel point u = (+-b + s, -r_0 +- s tan delta) in body axes, rail point
r = (+-Y - R sin a, R (cos a - 1)), wheel parameter s = s11, s12, rail parameter (angle) a = s21, s32. Then

    C = (x + A u - r   for both sides;   n_r . A t_w   for both sides),      x = (y, r_0 + z)

with tangents t = du/ds, dr/da and normals n = t turned by +90 degrees: six equations in q = (y, z, phi) and
s = (s11, s21, s12, s32). All residuals are lengths: |n_r| = R.

    C_q q'' + C_s s'' = Q_d
    Q_d = A u phi'^2 - 2 A n_w phi' s' + r'' a'^2                          (both sides)
    Q_d = n_r . A t_w (phi' - a')^2                                        (both sides; n_r'' = -n_r)

(The seed's print has phi'^2 with an index where phi' s' is meant, and C_qd instead of C_y on the right of the
velocity equations.) All matrices live in the scratch behind the parameters, rows first.
"""

from enum import IntEnum
from math import cos, sin, tan

from klingel._jit import kernel
from klingel.literature.constrained_wheelset.elimination import eliminate
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, wheel_point
from klingel.literature.constrained_wheelset.parameters import P, S

EQUATIONS = ("left y", "left z", "right y", "right z", "left orientation", "right orientation")
ROWS = len(EQUATIONS)
NEWTON_MOST = 20
NEWTON_TOLERANCE = 1e-11  # last update [m], [rad]; its square, far below rounding, is the error left


class X(IntEnum):
    """Order of the full state: coordinates, profile parameters, their rates, spin perturbation."""

    Y, Z, ROLL, YAW, S11, S21, S12, S32 = range(8)
    Y_DOT, Z_DOT, ROLL_DOT, YAW_DOT, S11_DOT, S21_DOT, S12_DOT, S32_DOT = range(8, 16)
    SPIN = 16


STATES = tuple(name.lower() for name in X.__members__)
RATES = X.Y_DOT  # a rate stands this far behind its coordinate
_SIDES = (LEFT, RIGHT)
_DEPENDENT = (X.Z, X.ROLL, X.S11, X.S21, X.S12, X.S32)


@kernel
def write_residual(x, p):
    """C into the scratch."""
    c, s = cos(x[X.ROLL]), sin(x[X.ROLL])
    slope, radius = tan(p[P.DELTA]), p[P.R_RAIL]
    for k in range(2):
        side = _SIDES[k]
        u1, u2 = wheel_point(side, x[X.S11 + 2 * k], p)
        angle = x[X.S21 + 2 * k]
        p[S.C + 2 * k] = x[X.Y] + c * u1 - s * u2 - side * p[P.Y_RAIL] + radius * sin(angle)
        p[S.C + 2 * k + 1] = p[P.R0] + x[X.Z] + s * u1 + c * u2 - radius * (cos(angle) - 1.0)
        t1, t2 = c - s * side * slope, s + c * side * slope
        p[S.C + 4 + k] = radius * (sin(angle) * t1 - cos(angle) * t2)


@kernel
def write_jacobians(x, p):
    """C_q and C_s into the scratch."""
    c, s = cos(x[X.ROLL]), sin(x[X.ROLL])
    slope, radius = tan(p[P.DELTA]), p[P.R_RAIL]
    for i in range(S.C_Q, S.SYSTEM):
        p[i] = 0.0
    for k in range(2):
        side = _SIDES[k]
        u1, u2 = wheel_point(side, x[X.S11 + 2 * k], p)
        sa, ca = radius * sin(x[X.S21 + 2 * k]), radius * cos(x[X.S21 + 2 * k])
        t1, t2 = c - s * side * slope, s + c * side * slope  # A t_w; A n_w = (-t2, t1)
        across, up, turn = 2 * k, 2 * k + 1, 4 + k
        p[S.C_Q + 3 * across] = 1.0
        p[S.C_Q + 3 * across + 2] = -(s * u1 + c * u2)
        p[S.C_Q + 3 * up + 1] = 1.0
        p[S.C_Q + 3 * up + 2] = c * u1 - s * u2
        p[S.C_Q + 3 * turn + 2] = -sa * t2 - ca * t1
        wheel, rail = 2 * k, 2 * k + 1
        p[S.C_S + 4 * across + wheel] = t1
        p[S.C_S + 4 * across + rail] = ca
        p[S.C_S + 4 * up + wheel] = t2
        p[S.C_S + 4 * up + rail] = sa
        p[S.C_S + 4 * turn + rail] = ca * t1 + sa * t2


@kernel
def write_rates(x, p):
    """The velocity residual C_q q' + C_s s' into the scratch of C; the Jacobians must be there."""
    for i in range(ROWS):
        total = 0.0
        for j in range(3):
            total += p[S.C_Q + 3 * i + j] * x[X.Y_DOT + j]
        for j in range(4):
            total += p[S.C_S + 4 * i + j] * x[X.S11_DOT + j]
        p[S.C + i] = total


@kernel
def write_accelerations(x, p):
    """Q_d into the scratch."""
    c, s = cos(x[X.ROLL]), sin(x[X.ROLL])
    slope, radius = tan(p[P.DELTA]), p[P.R_RAIL]
    w = x[X.ROLL_DOT]
    for k in range(2):
        side = _SIDES[k]
        u1, u2 = wheel_point(side, x[X.S11 + 2 * k], p)
        s_dot, a_dot = x[X.S11_DOT + 2 * k], x[X.S21_DOT + 2 * k]
        sa, ca = radius * sin(x[X.S21 + 2 * k]), radius * cos(x[X.S21 + 2 * k])
        t1, t2 = c - s * side * slope, s + c * side * slope
        p[S.QD + 2 * k] = (c * u1 - s * u2) * w * w + 2.0 * t2 * w * s_dot + sa * a_dot * a_dot
        p[S.QD + 2 * k + 1] = (s * u1 + c * u2) * w * w - 2.0 * t1 * w * s_dot - ca * a_dot * a_dot
        p[S.QD + 4 + k] = (sa * t1 - ca * t2) * (w - a_dot) ** 2


@kernel
def largest(p):
    """Largest residual in the scratch of C."""
    worst = 0.0
    for i in range(ROWS):
        worst = max(worst, abs(p[S.C + i]))
    return worst


@kernel
def squared(p):
    """Sum of the squares in the scratch of C."""
    total = 0.0
    for i in range(ROWS):
        total += p[S.C + i] * p[S.C + i]
    return total


@kernel
def _solve_dependent(p):
    """Solve [C_qd, C_s] d = -C for the six dependent coordinates; d in the scratch of C. False if singular."""
    width = ROWS + 1
    for i in range(ROWS):
        row = S.SYSTEM + width * i
        p[row] = p[S.C_Q + 3 * i + 1]
        p[row + 1] = p[S.C_Q + 3 * i + 2]
        for j in range(4):
            p[row + 2 + j] = p[S.C_S + 4 * i + j]
        p[row + ROWS] = -p[S.C + i]
    regular = eliminate(p, S.SYSTEM, ROWS, 1)
    for i in range(ROWS):
        p[S.C + i] = p[S.SYSTEM + width * i + ROWS]
    return regular


@kernel
def project(x, p):
    """Move the dependent coordinates and rates onto the constraints, y and y' held. False without success."""
    found = False
    for _ in range(NEWTON_MOST):
        write_residual(x, p)
        write_jacobians(x, p)
        if not _solve_dependent(p):
            return False
        for i in range(ROWS):
            x[_DEPENDENT[i]] += p[S.C + i]
        if largest(p) <= NEWTON_TOLERANCE:
            found = True
            break
    write_jacobians(x, p)
    write_rates(x, p)
    regular = _solve_dependent(p)
    for i in range(ROWS):
        x[_DEPENDENT[i] + RATES] += p[S.C + i]
    return found and regular
