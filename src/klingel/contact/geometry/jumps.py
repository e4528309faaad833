"""Where the contact point jumps: located by bisection of the lateral shift, not by the grid.

Two neighbouring shifts are split as long as a contact point moves between them by more than `smallest`. If
the interval shrinks below `TOLERANCE` and the point still moves, it jumps. A large step on the grid
alone is no jump: where wheel and rail nearly fit each other the point moves fast, but smoothly. Where
they fit exactly (the 13 mm root of the S1002 flange on the 13 mm corner of the UIC60) the point sweeps the
fillet at one single shift, and that is a jump like any other.
"""

from math import hypot

import numpy as np

from klingel._jit import kernel
from klingel.contact.geometry.attitude import COLUMNS, Column, contact_at, solve_roll
from klingel.contact.geometry.search import MOST_POINTS, Status

TOLERANCE = 1e-9  # width of the interval that holds a jump [m]
MOST_JUMPS = 64
DEPTH = 64  # of the stack of intervals: one more than the halvings from a metre to the tolerance


@kernel
def _state(left, right, y, yaw, solve, start, pose, counts, points, found):
    """Roll and the touching point of both wheels at shift `y`."""
    roll, status = start, Status.FOUND
    if solve:
        roll, status = solve_roll(left, right, y, yaw, start, found)
    if status == Status.FOUND:
        status = contact_at(left, right, y, yaw, roll, 0.0, pose, counts, points[0], points[1], found)
    return roll, status


@kernel
def _moved(a, b, side):
    """How far the contact point of a side moved, on the wheel or on the rail, whichever is more."""
    on_wheel = hypot(
        b[side, 0, Column.WHEEL_Y] - a[side, 0, Column.WHEEL_Y],
        b[side, 0, Column.WHEEL_Z] - a[side, 0, Column.WHEEL_Z],
    )
    on_rail = hypot(
        b[side, 0, Column.RAIL_Y] - a[side, 0, Column.RAIL_Y],
        b[side, 0, Column.RAIL_Z] - a[side, 0, Column.RAIL_Z],
    )
    return max(on_wheel, on_rail)


@kernel(allocates=True)
def find_jumps(left, right, shifts, rolls, yaw, solve, smallest, where, points):
    """Fill `where` rows (low, high, side, roll) and `points` (n, before/after, columns).

    Returns the number of jumps, negative if the contact could not be found somewhere.
    """
    found = np.empty((MOST_POINTS, 3))
    pose, counts = np.empty(3), np.empty(2, np.int64)
    stack_y, stack_roll = np.empty(DEPTH), np.empty(DEPTH)
    stack = np.empty((DEPTH, 2, MOST_POINTS, COLUMNS))
    here = np.empty((2, MOST_POINTS, COLUMNS))
    n = 0
    y = shifts[0]
    roll, status = _state(left, right, y, yaw, solve, rolls[0], pose, counts, here, found)
    for k in range(1, shifts.size):
        # the stack holds the right ends of the intervals still to be looked at, nearest last
        top = 0
        stack_y[0] = shifts[k]
        stack_roll[0], status = _state(left, right, shifts[k], yaw, solve, rolls[k], pose, counts, stack[0], found)
        while top >= 0:
            if status != Status.FOUND:
                return -1
            width = stack_y[top] - y
            jump_left = _moved(here, stack[top], 0) > smallest
            jump_right = _moved(here, stack[top], 1) > smallest
            if (jump_left or jump_right) and width > TOLERANCE and top < DEPTH - 1:
                middle = 0.5 * (y + stack_y[top])
                top += 1
                stack_y[top] = middle
                guess = 0.5 * (roll + stack_roll[top - 1])
                stack_roll[top], status = _state(
                    left, right, middle, yaw, solve, guess, pose, counts, stack[top], found
                )
                continue
            for side in range(2):
                if (jump_right if side == 1 else jump_left) and n < where.shape[0]:
                    where[n, 0], where[n, 1], where[n, 2], where[n, 3] = y, stack_y[top], side, roll
                    for c in range(COLUMNS):
                        points[n, 0, c], points[n, 1, c] = here[side, 0, c], stack[top, side, 0, c]
                    n += 1
            y, roll = stack_y[top], stack_roll[top]
            for side in range(2):
                for c in range(COLUMNS):
                    here[side, 0, c] = stack[top, side, 0, c]
            top -= 1
    return n
