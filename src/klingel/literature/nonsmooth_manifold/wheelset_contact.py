"""Contact of a rigid wheelset with two rigid rails: roll and height from shift and yaw, section by section.

q = (y, z, roll, yaw). Each wheel gives the constraint g = z - h(y, roll, yaw) = 0 with the normal
n = (-h_y, 1, -h_roll, -h_yaw); the roll is that at which both wheels ask for the same height. The right wheel is
the left wheel of the mirrored track: y, roll and yaw change sign.

A wheel touches with one section, or with two. Two are either two constraints (double contact, sharp ridge) or
one, blended of both (smoothed manifold):

    h = soft_maximum(h_a, h_b, nu),    n = (1 - w) n_a + w n_b,
    D^2 h = (1 - w) D^2 h_a + w D^2 h_b + A''/2 (D h_b - D h_a)^2.
"""

from enum import IntEnum
from math import isfinite, nan

from klingel._jit import kernel
from klingel.literature.nonsmooth_manifold.lift import Attitude, Top, bending, gradient, summit, top
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend, soft_maximum_inside

ROUNDS = 40  # of Newton's iteration for the roll, which needs four
LEFT, RIGHT = 1.0, -1.0


class WheelMode(IntEnum):
    """Sections that touch; the first four as `wheel.Section`."""

    FLANGE, ROOT, INNER_TREAD, OUTER_TREAD = range(4)
    FLANGE_ROOT, FLANGE_INNER, FLANGE_OUTER, ROOT_INNER, ROOT_OUTER, INNER_OUTER = range(4, 10)


SINGLE = 4  # modes below it are single sections
FIRST = (0, 1, 2, 3, 0, 0, 0, 1, 1, 2)
SECOND = (-1, -1, -1, -1, 1, 2, 3, 2, 3, 3)


class Point(IntEnum):
    """Columns of a contact point; the first nine are a `Top` seen from the left side."""

    T, LIFT, X, Y, Z, SLOPE, CA, SA, INSIDE = range(9)
    SIDE = 9  # LEFT or RIGHT
    WEIGHT = 10  # share of its constraint
    CONSTRAINT = 11  # index
    FORCE = 12  # normal force [N]


POINT_WIDTH = 13


class Row(IntEnum):
    """Columns of a constraint."""

    NORMAL = 0  # four of them
    BEND = 4  # second derivative of h along the motion [m/s2]
    FORCE = 5  # lambda [N]


ROW_WIDTH = 6


@kernel
def pair_mode(a, b):
    """The mode of two sections."""
    low, high = min(a, b), max(a, b)
    for mode in range(SINGLE, len(FIRST)):
        if FIRST[mode] == low and SECOND[mode] == high:
            return mode
    return -1


@kernel
def seen(side, q):
    """The attitude as the wheel on `side` sees it."""
    return Attitude(side * q.y, q.cr, side * q.sr, q.cy, side * q.sy)


@kernel
def point_of(row):
    return Top(
        row[Point.T], row[Point.LIFT], row[Point.X], row[Point.Y], row[Point.Z],
        row[Point.SLOPE], row[Point.CA], row[Point.SA], row[Point.INSIDE] > 0.5,
    )  # fmt: skip


@kernel
def touch(pair, sections, k, side, q, row, known):
    """Top of section `k` of the wheel on `side` into `row`; starts from the parameter there if it is `known`."""
    own = seen(side, q)
    low, high = sections[k, 0], sections[k, 1]
    start = row[Point.T] if known else summit(pair, low, high, own)
    found = top(pair, low, high, start, own)
    row[Point.T], row[Point.LIFT], row[Point.X], row[Point.Y], row[Point.Z] = found[:5]
    row[Point.SLOPE], row[Point.CA], row[Point.SA] = found[5:8]
    row[Point.INSIDE] = 1.0 if found.inside else 0.0
    row[Point.SIDE] = side


@kernel
def normal_of(row, q, out):
    """n = (-h_y, 1, -h_roll, -h_yaw) of a contact point."""
    side = row[Point.SIDE]
    by_y, by_roll, by_yaw = gradient(point_of(row), seen(side, q))
    out[0], out[1], out[2], out[3] = -side * by_y, 1.0, -side * by_roll, -side * by_yaw


@kernel
def wheel_lift(pair, sections, mode, nu, side, q, points, known):
    """Height the wheel asks for and its derivative with respect to roll; fills one or two rows of `points`."""
    touch(pair, sections, FIRST[mode], side, q, points[0], known)
    own = seen(side, q)
    points[0, Point.WEIGHT] = 1.0
    lift, by_roll = points[0, Point.LIFT], side * gradient(point_of(points[0]), own)[1]
    if mode < SINGLE:
        return lift, by_roll
    touch(pair, sections, SECOND[mode], side, q, points[1], known)
    points[1, Point.WEIGHT] = 1.0
    if nu > 0.0:
        other = side * gradient(point_of(points[1]), own)[1]
        lift, weight, _ = soft_maximum_inside(Blend.SPLINE, lift, points[1, Point.LIFT], nu)
        points[0, Point.WEIGHT], points[1, Point.WEIGHT] = 1.0 - weight, weight
        by_roll += weight * (other - by_roll)
    return lift, by_roll


@kernel
def settle(pair, sections, mode, nu, y, cy, sy, start, points):
    """Sine of the roll and height at which both wheels touch, nan if there are none.

    `start`: a sine nearby. It matters: on a steep flange the lift grows with roll on both sides, and there are
    two solutions. `points`: two rows for the left wheel, two for the right one.
    """
    sine, last = start, 0.0
    for count in range(ROUNDS):
        q = Attitude(y, (1.0 - sine * sine) ** 0.5, sine, cy, sy)
        known = count > 0
        left, left_rate = wheel_lift(pair, sections, mode[0], nu, LEFT, q, points[:2], known)
        right, right_rate = wheel_lift(pair, sections, mode[1], nu, RIGHT, q, points[2:], known)
        step = -(left - right) / (left_rate - right_rate) * q.cr
        if not isfinite(step):
            break
        if abs(step) <= 1e-16 or (count > 3 and abs(step) >= 0.5 * abs(last) and abs(step) < 1e-14):
            return sine, left
        sine += min(max(step, -0.01), 0.01)
        last = step
    return nan, nan


@kernel
def constraints_of(mode, nu, q, points, scratch, rows):
    """Normals of all constraints into `rows`; returns their number. The first of each wheel comes first."""
    count = 0
    for wheel in range(2):
        two = mode[wheel] >= SINGLE
        point, other = points[2 * wheel], points[2 * wheel + 1]
        normal_of(point, q, rows[count, : Row.BEND])
        point[Point.CONSTRAINT] = count
        if two and nu > 0.0:
            normal_of(other, q, scratch)
            other[Point.CONSTRAINT] = count
            for i in range(4):
                rows[count, i] += other[Point.WEIGHT] * (scratch[i] - rows[count, i])
        count += 1
        if two and nu == 0.0:
            normal_of(other, q, rows[count, : Row.BEND])
            other[Point.CONSTRAINT] = count
            count += 1
    return count


@kernel
def slaved_speeds(rows, second, y_dot, yaw_dot):
    """Height and roll speeds that keep both wheels on their rails; `second`: first row of the right wheel."""
    roll_dot = -((rows[0, 0] - rows[second, 0]) * y_dot + (rows[0, 3] - rows[second, 3]) * yaw_dot) / (
        rows[0, 2] - rows[second, 2]
    )
    return -(rows[0, 0] * y_dot + rows[0, 2] * roll_dot + rows[0, 3] * yaw_dot), roll_dot


@kernel
def bend_rows(pair, mode, nu, q, points, y_dot, roll_dot, yaw_dot, rows):
    """Second derivatives of h along the motion, for every constraint."""
    for wheel in range(2):
        for k in range(2 if mode[wheel] >= SINGLE else 1):
            point = points[2 * wheel + k]
            side = point[Point.SIDE]
            w = side * y_dot, side * roll_dot, side * yaw_dot
            bend = bending(pair, point_of(point), seen(side, q), w[0], w[1], w[2])
            row = int(point[Point.CONSTRAINT])
            if k == 0 or nu == 0.0:
                rows[row, Row.BEND] = bend
                continue
            first = points[2 * wheel]
            a, b = gradient(point_of(first), seen(side, q)), gradient(point_of(point), seen(side, q))
            rate = (b[0] - a[0]) * w[0] + (b[1] - a[1]) * w[1] + (b[2] - a[2]) * w[2]
            _, weight, sharp = soft_maximum_inside(Blend.SPLINE, first[Point.LIFT], point[Point.LIFT], nu)
            rows[row, Row.BEND] += weight * (bend - rows[row, Row.BEND]) + sharp * rate * rate
