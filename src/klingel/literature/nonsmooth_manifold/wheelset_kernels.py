"""Compiled functions of the wheelset on sharp or smoothed ridges: right-hand side, guards, action.

=================  ==================================================================================
mode of a wheel    ways out
=================  ==================================================================================
one section        another section lifts as much: jump law, then that section; or, if the approach is slower
                   than the resting speed, both (double contact)
two sections       the force of one falls to 0: the other one alone
smoothed: one      another section comes within nu: blend of both
smoothed: two      they differ by more than nu: the higher one
=================  ==================================================================================

memory[0] is the sine of the roll at the last step, from which the roll is sought. A run stops when the force on a
wheel falls to zero: contact is permanent (postulate 4 of Frischmuth 1995). A third section that would touch while
two are in contact is not looked at; on the S1002 the ridges lie millimetres apart.
"""

from enum import IntEnum
from math import asin, cos, inf, isnan, sin, sqrt

from klingel._jit import kernel
from klingel.contact.profiles.curve import COLUMNS
from klingel.literature.nonsmooth_manifold.jump_laws import jump, rest
from klingel.literature.nonsmooth_manifold.lift import Attitude, Pair
from klingel.literature.nonsmooth_manifold.wheelset_contact import (
    FIRST,
    LEFT,
    POINT_WIDTH,
    RIGHT,
    ROW_WIDTH,
    SECOND,
    SINGLE,
    Point,
    Row,
    bend_rows,
    constraints_of,
    normal_of,
    pair_mode,
    settle,
    slaved_speeds,
    touch,
)
from klingel.literature.nonsmooth_manifold.wheelset_forces import (
    P,
    acceleration,
    forces,
    kinetic_energy,
    mobility_beside,
)
from klingel.numerics.signatures import ACT, AFTER_STEP, GUARDS, RHS

REFUSED = 1
STOP = 1
FORCE_SCALE = 1e-3  # guards on forces are in units of the axle load times this: comparable to lifts in metres
SECTION_COUNT = 4


class Work(IntEnum):
    """Places in the scratch region, behind P.WORK."""

    V, FORCE, APPLIED, RIGHT, BEFORE, AFTER = 0, 4, 8, 12, 16, 20
    OTHER = 24  # a contact point
    GRAM, MOBILITY = 40, 56
    END = 72


@kernel(inner=True, allocates=True)
def _pair(p):
    wheels, rails = int(p[P.WHEEL_ROWS]), int(p[P.RAIL_ROWS])
    a = P.TABLES + wheels * COLUMNS
    b = a + rails * COLUMNS
    return Pair(p[P.TABLES : a].reshape(wheels, COLUMNS), p[a:b].reshape(rails, COLUMNS), p[b : b + rails + 1])


@kernel(inner=True, allocates=True)
def _scratch(p):
    """Sections, contact points, constraint rows, work."""
    return (
        p[P.SECTIONS : P.SECTIONS + 2 * SECTION_COUNT].reshape(SECTION_COUNT, 2),
        p[P.POINTS : P.POINTS + 4 * POINT_WIDTH].reshape(4, POINT_WIDTH),
        p[P.ROWS : P.ROWS + 4 * ROW_WIDTH].reshape(4, ROW_WIDTH),
        p[P.WORK : P.WORK + Work.END],
    )


@kernel(inner=True)
def _second(mode, nu):
    """First constraint of the right wheel."""
    return 2 if mode[0] >= SINGLE and nu == 0.0 else 1


@kernel(inner=True, allocates=True)
def _pose(p, x, memory, mode, pair, sections, points, rows, work):
    """Contact, constraints and velocities: the attitude, the number of constraints (0: no contact), the height."""
    cy, sy = cos(x[1]), sin(x[1])
    sine, height = settle(pair, sections, mode, p[P.NU], x[0], cy, sy, memory[0], points)
    if isnan(sine):
        return Attitude(x[0], 1.0, 0.0, cy, sy), 0, height
    q = Attitude(x[0], sqrt(1.0 - sine * sine), sine, cy, sy)
    count = constraints_of(mode, p[P.NU], q, points, work[Work.BEFORE : Work.BEFORE + 4], rows)
    z_dot, roll_dot = slaved_speeds(rows, _second(mode, p[P.NU]), x[2], x[3])
    v = work[Work.V : Work.V + 4]
    v[0], v[1], v[2], v[3] = x[2], z_dot, roll_dot, x[3]
    return q, count, height


@kernel(inner=True, allocates=True)
def _load(p, x, mode, q, count, pair, points, rows, work):
    """Forces and multipliers; false if their iteration has not ended."""
    v = work[Work.V : Work.V + 4]
    bend_rows(pair, mode, p[P.NU], q, points, v[0], v[2], v[3], rows)
    return forces(
        p, q, x[1], v, mode, points, rows, count,
        work[Work.FORCE : Work.FORCE + 4], work[Work.APPLIED : Work.APPLIED + 4],
        work[Work.GRAM : Work.GRAM + 16].reshape(4, 4), work[Work.RIGHT : Work.RIGHT + 4],
    )  # fmt: skip


@kernel(signature=RHS, allocates=True)
def rhs(t, x, memory, mode, p, dx):
    pair = _pair(p)
    sections, points, rows, work = _scratch(p)
    q, count, _ = _pose(p, x, memory, mode, pair, sections, points, rows, work)
    if count == 0 or not _load(p, x, mode, q, count, pair, points, rows, work):
        return REFUSED
    applied = work[Work.APPLIED : Work.APPLIED + 4]
    dx[0], dx[1] = x[2], x[3]
    dx[2] = acceleration(p, rows, count, applied, 0)
    dx[3] = acceleration(p, rows, count, applied, 3)
    return 0


@kernel(inner=True)
def _rival(pair, sections, own, side, q, row):
    """The highest section other than `own`; its contact point is left in `row`."""
    best, highest = -1, -inf
    for k in range(SECTION_COUNT):
        if k != own:
            touch(pair, sections, k, side, q, row, False)
            if row[Point.LIFT] > highest:
                best, highest = k, row[Point.LIFT]
    touch(pair, sections, best, side, q, row, False)
    return best


@kernel(signature=GUARDS, allocates=True)
def guards(t, x, memory, mode, p, g):
    pair = _pair(p)
    sections, points, rows, work = _scratch(p)
    g[:] = inf
    q, count, _ = _pose(p, x, memory, mode, pair, sections, points, rows, work)
    if count == 0:
        return
    _load(p, x, mode, q, count, pair, points, rows, work)
    scale = FORCE_SCALE / p[P.LOAD]
    other = work[Work.OTHER : Work.OTHER + POINT_WIDTH]
    for wheel in range(2):
        row = 0 if wheel == 0 else _second(mode, p[P.NU])
        here = points[2 * wheel, Point.LIFT]
        if mode[wheel] < SINGLE:
            _rival(pair, sections, mode[wheel], LEFT if wheel == 0 else RIGHT, q, other)
            g[2 * wheel] = here - other[Point.LIFT] - p[P.NU]
        elif p[P.NU] > 0.0:
            lead = points[2 * wheel + 1, Point.LIFT] - here
            g[2 * wheel], g[2 * wheel + 1] = p[P.NU] + lead, p[P.NU] - lead
        else:
            g[2 * wheel], g[2 * wheel + 1] = scale * rows[row, Row.FORCE], scale * rows[row + 1, Row.FORCE]
        # inside a blend the forces of both wheels stand for impulses, which may have either sign
        if mode[0] < SINGLE and mode[1] < SINGLE:
            g[4 + wheel] = scale * rows[row, Row.FORCE]


@kernel(inner=True, allocates=True)
def _cross(p, wheel, mode, q, rows, count, points, other, work):
    """Jump law of one wheel; `other`: its new contact point. Returns whether both sections stay in contact."""
    before, after = work[Work.BEFORE : Work.BEFORE + 4], work[Work.AFTER : Work.AFTER + 4]
    v, mobility = work[Work.V : Work.V + 4], work[Work.MOBILITY : Work.MOBILITY + 16].reshape(4, 4)
    normal_of(points[2 * wheel], q, before)
    normal_of(other, q, after)
    first = 0 if wheel == 0 else _second(mode, 0.0)
    mobility_beside(p, rows, count, first, first + 1, work[Work.GRAM : Work.GRAM + 16].reshape(4, 4), mobility)
    approach = -(after[0] * v[0] + after[1] * v[1] + after[2] * v[2] + after[3] * v[3])
    if approach >= p[P.RESTING]:
        jump(int(p[P.LAW]), p[P.NUMBER], sqrt(2.0 * kinetic_energy(p, v)), mobility, before, after, v)
        if before[0] * v[0] + before[1] * v[1] + before[2] * v[2] + before[3] * v[3] >= 0.0:
            return False
    rest(mobility, before, after, v)
    return True


@kernel(inner=True, allocates=True)
def _act_on(p, wheel, fired, x, memory, mode, pair, sections, points, rows, work):
    """Change of mode of one wheel, and of the velocities if a ridge is crossed."""
    old = mode[wheel]
    if old >= SINGLE:
        # smoothed: the first guard says that the first section has won; sharp: that it has lost its force
        first = fired[2 * wheel] == (p[P.NU] > 0.0)
        mode[wheel] = FIRST[old] if first else SECOND[old]
        return
    q, count, _ = _pose(p, x, memory, mode, pair, sections, points, rows, work)
    other = work[Work.OTHER : Work.OTHER + POINT_WIDTH]
    new = _rival(pair, sections, old, LEFT if wheel == 0 else RIGHT, q, other)
    if p[P.NU] > 0.0:
        mode[wheel] = pair_mode(old, new)
        return
    both = _cross(p, wheel, mode, q, rows, count, points, other, work)
    mode[wheel] = pair_mode(old, new) if both else new
    x[2], x[3] = work[Work.V], work[Work.V + 3]


@kernel(signature=ACT, allocates=True)
def act(t, x, memory, mode, p, fired):
    pair = _pair(p)
    sections, points, rows, work = _scratch(p)
    for wheel in range(2):
        if fired[2 * wheel] or fired[2 * wheel + 1]:
            _act_on(p, wheel, fired, x, memory, mode, pair, sections, points, rows, work)
    return STOP if fired[4] or fired[5] else 0


@kernel(signature=AFTER_STEP, allocates=True)
def after_step(t, h, x, shape, x_new, memory, mode, p):
    """Keep the roll as a start value. Nothing depends on it but the choice of a solution: no new derivative."""
    pair = _pair(p)
    sections, points, rows, work = _scratch(p)
    q, count, _ = _pose(p, x_new, memory, mode, pair, sections, points, rows, work)
    if count > 0:
        memory[0] = q.sr
    return 0


class Column(IntEnum):
    """What `describe` tells of a state."""

    ROLL = 0  # [rad]
    HEIGHT = 1  # [m]
    ROLL_DOT = 2  # [rad/s]
    HEIGHT_DOT = 3  # [m/s]
    LEFT_FORCE = 4  # lambda of the left wheel [N], both sections
    RIGHT_FORCE = 5
    ENERGY = 6  # kinetic, of y, z, roll, yaw [J]
    LEFT_SLOPE = 7  # of the contact plane of the (first) contact point
    RIGHT_SLOPE = 8


@kernel(allocates=True)
def describe_state(p, x, memory, mode, out):
    pair = _pair(p)
    sections, points, rows, work = _scratch(p)
    q, count, height = _pose(p, x, memory, mode, pair, sections, points, rows, work)
    _load(p, x, mode, q, count, pair, points, rows, work)
    v = work[Work.V : Work.V + 4]
    second = _second(mode, p[P.NU])
    out[:] = 0.0
    for i in range(count):
        out[Column.LEFT_FORCE if i < second else Column.RIGHT_FORCE] += rows[i, Row.FORCE]
    out[Column.ROLL], out[Column.HEIGHT] = asin(q.sr), height
    out[Column.ROLL_DOT], out[Column.HEIGHT_DOT] = v[2], v[1]
    out[Column.ENERGY] = kinetic_energy(p, v)
    out[Column.LEFT_SLOPE], out[Column.RIGHT_SLOPE] = points[0, Point.SLOPE], points[2, Point.SLOPE]
