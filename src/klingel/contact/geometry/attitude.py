"""The wheelset in its attitude: roll and height at which both wheels touch, and the contact points there.

The middle of the axle is at (y, z), z above the rail tops. With roll fixed, each wheel asks for its own lift
of the axle; the roll is solved so that both ask for the same. The derivative of a lift with respect to roll
is minus the arm y_c + slope z_c of the contact point, so Newton's iteration needs no differences.

The right side is the left side of the mirrored track: y, roll and yaw change sign.
"""

from enum import IntEnum
from math import atan, atan2, cos, sin

import numpy as np

from klingel._jit import kernel
from klingel.contact.geometry.search import Status, outline, touch, worse
from klingel.contact.profiles.curve import curvature, evaluate, evaluate_piece, parameter_at, piece_at

LARGEST_ROLL = 0.1  # beyond it a wheelset has left the track [rad]
SCAN_STEPS = 40  # per side, when Newton's iteration fails
ENOUGH = 4e-16  # difference of the two lifts that rounding leaves [m]


class Column(IntEnum):
    """What is stored of a contact point; signs and lateral positions as on the left side."""

    GAP = 0  # distance to touching, vertical [m]
    WHEEL_T = 1  # curve parameter on the placed wheel
    WHEEL_X = 2  # on the wheel, body frame: longitudinal [m]
    WHEEL_Y = 3  # lateral
    WHEEL_Z = 4  # vertical
    RAIL_X = 5  # on the rail, track frame: longitudinal from the middle of the axle [m]
    RAIL_Y = 6  # lateral
    RAIL_Z = 7  # vertical
    ANGLE = 8  # of the contact plane in the track frame [rad]
    WHEEL_ANGLE = 9  # in the body frame: atan of the wheel slope [rad]
    RADIUS = 10  # rolling radius [m]
    WHEEL_CURVATURE = 11  # of the wheel profile, positive convex [1/m]
    RAIL_CURVATURE = 12  # of the rail profile, positive convex [1/m]


COLUMNS = len(Column)


@kernel
def lift_difference(left, right, y, roll, yaw, found):
    """Left lift minus right lift, its derivative with respect to roll, the worse status."""
    _, status = touch(left, y, roll, yaw, 0.0, found)
    lift, arm = found[0, 0], found[0, 2]
    _, other = touch(right, -y, -roll, -yaw, 0.0, found)
    return lift - found[0, 0], -arm - found[0, 2], worse(status, other)


@kernel
def solve_roll(left, right, y, yaw, start, found):
    """Roll at which both wheels ask for the same lift, and a `Status`."""
    roll, best, miss = start, start, np.inf
    for _ in range(25):
        f, slope, status = lift_difference(left, right, y, roll, yaw, found)
        if status != Status.FOUND:
            break
        if abs(f) < miss:
            best, miss = roll, abs(f)
        elif miss < 1e-13:
            return best, Status.FOUND
        if abs(f) <= ENOUGH:
            return roll, Status.FOUND
        step = -f / slope
        # a jump of the contact point changes the slope sixfold; do not trust it beyond a milliradian
        roll += min(max(step, -1e-3), 1e-3)
        if abs(roll) > LARGEST_ROLL:
            break
    if miss < 1e-13:
        return best, Status.FOUND
    return _bracketed_roll(left, right, y, yaw, start, found)


@kernel
def _bracketed_roll(left, right, y, yaw, start, found):
    """Scan outwards from `start` for a change of sign, then bisect."""
    f_start, _, status = lift_difference(left, right, y, start, yaw, found)
    if status != Status.FOUND:
        f_start = np.nan
    worst = status
    for way in (1.0, -1.0):
        low, f_low = start, f_start
        for k in range(1, SCAN_STEPS + 1):
            high = start + way * LARGEST_ROLL * (k / SCAN_STEPS) ** 2
            f_high, _, status = lift_difference(left, right, y, high, yaw, found)
            worst = worse(worst, status)
            if status == Status.FOUND and f_low * f_high <= 0.0:
                for _ in range(80):
                    middle = 0.5 * (low + high)
                    f, _, status = lift_difference(left, right, y, middle, yaw, found)
                    if f * f_low > 0.0:
                        low, f_low = middle, f
                    else:
                        high = middle
                return 0.5 * (low + high), status
            low, f_low = high, f_high if status == Status.FOUND else np.nan
    return start, Status.NO_ROLL if worst == Status.FOUND else worst


@kernel
def describe(side, t, gap, y, z, roll, yaw, out):
    """Fill `out` with the columns of the contact at wheel parameter `t`."""
    eta, radius, d_eta, d_radius, dd_eta, dd_radius = evaluate(side.wheel, t)
    x, yw, _, ty, tz = outline(eta, radius, d_eta, d_radius, roll, yaw)
    at = y + yw
    i = piece_at(side.breaks, at)
    _, zr, dy, dz, ddy, ddz = evaluate_piece(side.rail, i, parameter_at(side.rail, i, at))
    # position round the wheel: x = -eta sin(yaw) cos(roll) + R u_x, u from the axle point
    ux = (x + eta * sin(yaw) * cos(roll)) / radius
    uy = (yw - eta * cos(yaw) * cos(roll)) / radius
    forward = ux * cos(yaw) + uy * sin(yaw)
    out[Column.GAP] = gap
    out[Column.WHEEL_T] = t
    out[Column.WHEEL_X] = radius * forward
    out[Column.WHEEL_Y] = eta
    out[Column.WHEEL_Z] = -radius * np.sqrt(max(1.0 - forward * forward, 0.0))
    out[Column.RAIL_X] = x
    out[Column.RAIL_Y] = at
    out[Column.RAIL_Z] = zr
    out[Column.ANGLE] = atan2(tz, ty)
    out[Column.WHEEL_ANGLE] = atan(-d_radius / d_eta)
    out[Column.RADIUS] = radius
    out[Column.WHEEL_CURVATURE] = -curvature(d_eta, d_radius, dd_eta, dd_radius)
    out[Column.RAIL_CURVATURE] = -curvature(dy, dz, ddy, ddz)


@kernel
def contact_at(left, right, y, yaw, roll, window, pose, counts, left_out, right_out, found):
    """Both sides at a given roll; pose = (roll, left lift, right lift). Returns a `Status`."""
    counts[0], status = touch(left, y, roll, yaw, window, found)
    pose[0], pose[1] = roll, found[0, 0]
    for k in range(counts[0]):
        describe(left, found[k, 1], found[0, 0] - found[k, 0], y, found[0, 0], roll, yaw, left_out[k])
    counts[1], other = touch(right, -y, -roll, -yaw, window, found)
    pose[2] = found[0, 0]
    for k in range(counts[1]):
        describe(right, found[k, 1], found[0, 0] - found[k, 0], -y, found[0, 0], -roll, -yaw, right_out[k])
    return worse(status, other)


@kernel
def sweep(left, right, shifts, yaw, solve, window, poses, counts, left_out, right_out, found):
    """Contact at every lateral shift; returns how many were found and the status of the next."""
    roll = 0.0
    for k in range(shifts.size):
        if solve:
            roll, status = solve_roll(left, right, shifts[k], yaw, roll, found)
            if status != Status.FOUND:
                return k, status
        status = contact_at(
            left, right, shifts[k], yaw, roll, window, poses[k], counts[k], left_out[k], right_out[k], found
        )
        if status != Status.FOUND:
            return k, status
    return shifts.size, Status.FOUND
