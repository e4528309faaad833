"""All forces on the wheelset and its accelerations: de Pater (4-20) to (4-36), (5-6), (6-14), (7-4).

Signs as in the paper: T and N are the forces of the wheel on the rail, along and across the direction of travel
and along the normal into the rail; the force on the wheelset is -Gamma_j (T_x, T_y, N). Wrenches have the
components y, z, roll; T_x acts on u, chi and psi alone.

The normal forces of the treads are linear in the lateral creep forces, (4-35): N = N_0 - H (T_y1, T_y2), and
these depend on N through the ellipse and the friction limit. Both ways of (7-4) are here, see `layout.Forces`.
In his, repeated substitution, the error shrinks by about mu times the slope of the tread per round. In ours, as
T_yj depends on N_j alone, two rounds give the derivative of each law and a Newton step of two equations with a
diagonal secant.

Second contact (section 9): a massless rail, moved by delta against a spring and a damper, passes the lateral
force

    N_3 sin(gamma_3) + T_y3 cos(gamma_3) = k delta + d V delta'

which is known from the motion; N_3 and T_3 follow, and enter (4-35) as impressed forces.
"""

from math import cos, pi, sin, tan
from typing import NamedTuple

from klingel._jit import kernel
from klingel.literature.de_pater.creep_table import lookup
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.layout import Forces, Inertia, Mem, P, Second, X

ROUNDS_MOST = 60
PRECISION = 1e-14  # last change of a normal force over the load
NOTHING = 1e-9  # normal force below which a contact carries no creep force [N]


class Wrench(NamedTuple):
    y: float  # [N]
    z: float  # [N]
    roll: float  # [N m]


class Contact(NamedTuple):
    """Normal and tangential force of one point."""

    n: float
    tx: float
    ty: float


class Normals(NamedTuple):
    """N_j = base_j - h_j1 T_y1 - h_j2 T_y2."""

    base_1: float
    base_2: float
    h_11: float
    h_12: float
    h_21: float
    h_22: float


class Motion(NamedTuple):
    u: float  # second derivatives with respect to the distance
    chi: float
    v: float
    psi: float
    one: Contact  # right tread
    two: Contact  # left tread
    right: Contact  # second contacts
    left: Contact
    found: bool


@kernel
def push_force(s, p):
    """Lateral force on the axle at the place s."""
    x = s - p[P.PUSH_START]
    ramp, hold = p[P.PUSH_RAMP], p[P.PUSH_HOLD]
    if x > ramp + hold:
        x = 2.0 * ramp + hold - x
    if x <= 0.0:
        return 0.0
    return p[P.PUSH] * (1.0 if x >= ramp else 0.5 * (1.0 - cos(pi * x / ramp)))


@kernel
def tangential(load, along, across, spin, first, table, p):
    """T_x, T_y of a contact; `first`: place of its creep factors, `table`: of its creep law."""
    if load < NOTHING:
        return 0.0, 0.0
    size = load ** (-1.0 / 3.0)
    fx, fy = lookup(p, table, p[first] * size * along, p[first + 1] * size * across, p[first + 2] * spin)
    limit = p[P.MU] * load
    return limit * fx, limit * fy


@kernel
def tread_forces(side, load, x, at, p):
    r, b = p[P.R], p[P.B]
    angle = at.angle_1 if side == RIGHT else at.angle_2
    radius = at.radius_1 if side == RIGHT else at.radius_2
    arms = 2.0 * b - r * (tan(at.angle_1) + tan(at.angle_2))
    along = -radius / r + x[X.U_1] + r * x[X.CHI_1] - side * b * x[X.PSI_1]
    across = (2.0 * b / arms * x[X.V_1] - x[X.PSI]) / cos(angle)
    return tangential(load, along, across, -side * sin(angle) / r, P.T_X, P.TABLE, p)


@kernel
def rail_force(second, x, p):
    """Lateral force a moved rail takes [N]."""
    return p[P.K_RAIL] * second.overlap + p[P.D_RAIL] * p[P.V] * second.overlap_v * x[X.V_1]


@kernel
def second_contact(side, mode, x, at, p):
    """Forces of the flange of one side."""
    if mode == Second.FREE:
        return Contact(0.0, 0.0, 0.0), True
    r = p[P.R]
    second = flange(side, x[X.V], at, p)
    sine, cosine = sin(second.angle), cos(second.angle)
    lateral = rail_force(second, x, p)
    along = -second.radius / r + x[X.U_1] + r * x[X.CHI_1] - side * p[P.B] * x[X.PSI_1]
    across = ((1.0 - r * at.roll_v - side * second.overlap_v) * x[X.V_1] - x[X.PSI]) / cosine
    n, tx, ty = lateral / sine, 0.0, 0.0
    for _ in range(ROUNDS_MOST):
        tx, ty = tangential(n, along, across, -side * sine / r, P.FLANGE_T_X, P.FLANGE_TABLE, p)
        new = (lateral - side * ty * cosine) / sine
        change = abs(new - n)
        n = new
        if change <= PRECISION * p[P.G]:
            return Contact(n, tx, ty), True
    return Contact(n, tx, ty), False


@kernel
def contact_wrench(side, angle, n, ty, p):
    """What a contact does to y, z and roll of the wheelset."""
    s, c = sin(angle), cos(angle)
    r, b = p[P.R], p[P.B]
    return Wrench(
        -side * s * n - c * ty,
        -c * n + side * s * ty,
        -side * (b * c - r * s) * n + (b * s + r * c) * ty,
    )


@kernel
def applied_wrench(s, x, at, right, left, p):
    """Springs, load, gyroscopic moment, push and second contacts."""
    a = contact_wrench(RIGHT, flange(RIGHT, x[X.V], at, p).angle, right.n, right.ty, p)
    b = contact_wrench(LEFT, flange(LEFT, x[X.V], at, p).angle, left.n, left.ty, p)
    speed = p[P.V]
    return Wrench(
        push_force(s, p) - p[P.C_Y] * x[X.V] + a.y + b.y,
        p[P.G] - p[P.C_Z] * at.height + a.z + b.z,
        -p[P.C_Z] * p[P.L1] ** 2 * at.roll - p[P.I_Y] * speed * speed / p[P.R] * x[X.PSI_1] + a.roll + b.roll,
    )


@kernel
def normal_forces(wrench, at, p):
    """Solve (4-35) for N_0 and H; `wrench` holds all impressed forces but the creep forces of the treads."""
    m, inertia = p[P.MASS], p[P.I]
    n1 = contact_wrench(RIGHT, at.angle_1, -1.0, 0.0, p)  # columns of D_n
    n2 = contact_wrench(LEFT, at.angle_2, -1.0, 0.0, p)
    t1 = contact_wrench(RIGHT, at.angle_1, 0.0, -1.0, p)  # columns of D_t
    t2 = contact_wrench(LEFT, at.angle_2, 0.0, -1.0, p)
    a11 = _product(n1, n1, m, inertia)
    a12 = _product(n1, n2, m, inertia)
    a22 = _product(n2, n2, m, inertia)
    det = a11 * a22 - a12 * a12
    b1, b2 = _product(n1, wrench, m, inertia), _product(n2, wrench, m, inertia)
    c11, c21 = _product(n1, t1, m, inertia), _product(n2, t1, m, inertia)
    c12, c22 = _product(n1, t2, m, inertia), _product(n2, t2, m, inertia)
    return Normals(
        (a22 * b1 - a12 * b2) / det,
        (a11 * b2 - a12 * b1) / det,
        (a22 * c11 - a12 * c21) / det,
        (a22 * c12 - a12 * c22) / det,
        (a11 * c21 - a12 * c11) / det,
        (a11 * c22 - a12 * c12) / det,
    )


@kernel
def _product(a, b, mass, inertia):
    return (a.y * b.y + a.z * b.z) / mass + a.roll * b.roll / inertia


@kernel
def _secant(law, x, at, p):
    """Our solution of (7-4): returns both contacts, and whether they were found."""
    n1, n2 = law.base_1, law.base_2
    last_1 = last_2 = last_t1 = last_t2 = slope_1 = slope_2 = 0.0
    tx1 = ty1 = tx2 = ty2 = 0.0
    for count in range(ROUNDS_MOST):
        tx1, ty1 = tread_forces(RIGHT, n1, x, at, p)
        tx2, ty2 = tread_forces(LEFT, n2, x, at, p)
        p[P.ROUNDS] += 1.0
        miss_1 = n1 - law.base_1 + law.h_11 * ty1 + law.h_12 * ty2
        miss_2 = n2 - law.base_2 + law.h_21 * ty1 + law.h_22 * ty2
        if abs(miss_1) + abs(miss_2) <= PRECISION * p[P.G]:
            return Contact(n1, tx1, ty1), Contact(n2, tx2, ty2), True
        # dT_y/dN: at first that of a saturated contact, then the secant
        if count == 0:
            slope_1, slope_2 = ty1 / n1 if n1 > NOTHING else 0.0, ty2 / n2 if n2 > NOTHING else 0.0
        else:
            if n1 != last_1:
                slope_1 = (ty1 - last_t1) / (n1 - last_1)
            if n2 != last_2:
                slope_2 = (ty2 - last_t2) / (n2 - last_2)
        last_1, last_2, last_t1, last_t2 = n1, n2, ty1, ty2
        j11, j12 = 1.0 + law.h_11 * slope_1, law.h_12 * slope_2
        j21, j22 = law.h_21 * slope_1, 1.0 + law.h_22 * slope_2
        det = j11 * j22 - j12 * j21
        n1 -= (j22 * miss_1 - j12 * miss_2) / det
        n2 -= (j11 * miss_2 - j21 * miss_1) / det
    return Contact(n1, tx1, ty1), Contact(n2, tx2, ty2), False


@kernel
def _substitution(law, x, at, memory, p):
    """His solution of (7-4): starts from the tangential forces of the previous step."""
    tx1 = tx2 = 0.0
    ty1, ty2 = memory[Mem.T_Y1], memory[Mem.T_Y2]
    n1 = n2 = 0.0
    for _ in range(ROUNDS_MOST):
        new_1 = law.base_1 - law.h_11 * ty1 - law.h_12 * ty2
        new_2 = law.base_2 - law.h_21 * ty1 - law.h_22 * ty2
        change = abs(new_1 - n1) + abs(new_2 - n2)
        n1, n2 = new_1, new_2
        if change <= PRECISION * p[P.G]:
            return Contact(n1, tx1, ty1), Contact(n2, tx2, ty2), True
        tx1, ty1 = tread_forces(RIGHT, n1, x, at, p)
        tx2, ty2 = tread_forces(LEFT, n2, x, at, p)
        p[P.ROUNDS] += 1.0
    return Contact(n1, tx1, ty1), Contact(n2, tx2, ty2), False


@kernel
def motion(s, x, memory, mode, p):
    """Accelerations and all forces of a state."""
    at = tread(x[X.V], p)
    right, found_right = second_contact(RIGHT, mode[0], x, at, p)
    left, found_left = second_contact(LEFT, mode[1], x, at, p)
    wrench = applied_wrench(s, x, at, right, left, p)
    speed2, square = p[P.V] ** 2, x[X.V_1] ** 2
    if int(p[P.INERTIA]) == Inertia.COMPLETE:
        bend = speed2 * square
        wrench = Wrench(
            wrench.y,
            wrench.z - p[P.MASS] * at.height_vv * bend,
            wrench.roll - p[P.I] * at.roll_vv * bend,
        )
    law = normal_forces(wrench, at, p)
    p[P.CALLS] += 1.0
    if int(p[P.FORCES]) == Forces.PREVIOUS_STEP:
        one, two, found = _substitution(law, x, at, memory, p)
    else:
        one, two, found = _secant(law, x, at, p)
    # (4-20): the normal forces of the treads do no work
    t1 = contact_wrench(RIGHT, at.angle_1, 0.0, one.ty, p)
    t2 = contact_wrench(LEFT, at.angle_2, 0.0, two.ty, p)
    generalised = (
        wrench.y + t1.y + t2.y
        + at.height_v * (wrench.z + t1.z + t2.z)
        + at.roll_v * (wrench.roll + t1.roll + t2.roll)
    )  # fmt: skip
    inertia = p[P.MASS] * (1.0 + at.height_v**2) + p[P.I] * at.roll_v**2
    pull = one.tx + two.tx + right.tx + left.tx
    twist = p[P.B] * (one.tx - two.tx + right.tx - left.tx) - p[P.C_X] * p[P.L1] ** 2 * x[X.PSI]
    gyro = p[P.I_Y] * speed2 / p[P.R] * at.roll_v * x[X.V_1]
    return Motion(
        -(p[P.C_X] * x[X.U] + pull) / (p[P.MASS] * speed2),
        -p[P.R] * pull / (p[P.I_Y] * speed2),
        generalised / (inertia * speed2),
        (twist + gyro) / (p[P.I] * speed2),
        one,
        two,
        right,
        left,
        at.found and found and found_right and found_left,
    )
