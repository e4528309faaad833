"""Wheels whose contact state follows their lateral shift, without a stop where it changes.

At the bounds of its states the force of a wheel is continuous: an overlap begins with no load on the contact that
comes, and ends with none on the one that goes. In a run with Run.FOLLOWS set the right-hand side therefore takes
the state from the shift (`wheel.read_lane`), and steps go across the bounds. What happened is told afterwards: the
shift as a cubic through both ends of the step and their rates, divided where it turns, crosses the bounds one
after the other. Only the ends of the table are left to the guards: there a wheel derails.

Where an overlap has no width and the table jumps (`jumps`), the force does too, and every change is located.
"""

from math import sqrt

import numpy as np

from klingel._jit import kernel
from klingel.contact.table.wheel_table import ROW as TABLE_ROW
from klingel.model.bodies.motion import LANES, RATES, STATE_ROW
from klingel.model.kinds.wheels import wheel_states
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, COLUMNS, POWERS, WHEEL_INTS, Lane
from klingel.model.on_track.track_at_bodies import SHIFTS, follow_track
from klingel.model.system import Head, PortField, Run, SectionField, System
from klingel.numerics.ode.workspace import Crossing

REACH = 0.25  # of h (|v0| + |v1|): how far a cubic may leave the interval between its ends; it needs 4/27
SMALLEST_JUMP = 1e-9  # of a column of the table, relative to its size, that counts as one
NEWTON_STEPS = 40
NEWTON_ENDS = 1e-10  # of a step: the change after which the next one would be rounding


@kernel(merged=True)
def follows(p):
    """Whether contact states follow the lateral shift in this run."""
    return p[0][p[1][Head.RUN] + Run.FOLLOWS] > 0.0


@kernel(inner=True)
def coordinate(p, x, b, k):
    """Number k of the motion of body b, from the state."""
    f, i = p
    return x[i[i[Head.STATE_OF] + STATE_ROW * b + k]] * f[i[Head.FREE] + STATE_ROW * b + k]


@kernel(inner=True)
def shift_at(p, x, b):
    """Lateral shift of wheelset b against the rails and its rate; the track's part is that of the scratch."""
    f, i = p
    y, rate = coordinate(p, x, b, 1), coordinate(p, x, b, RATES + 1)
    if i[Head.HAS_TRACK]:
        shift = i[Head.CONTACT_SHIFT] + SHIFTS * b
        y, rate = y + f[shift + 1], rate + f[shift + 5]
    return y, rate


@kernel(inner=True)
def reaches_end(p, h):
    """Whether a wheel may have reached an end of its table, from the shifts that the scan has."""
    f, i = p
    for w in range(i[Head.WHEELS]):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        o = i[Head.PORT_STATE] + wheel_states.shift_port(p, w // 2)
        y0, y1 = f[o + LANES * PortField.U_OLD], f[o + LANES * PortField.U]
        reach = REACH * h * (abs(f[o + LANES * PortField.V_OLD]) + abs(f[o + LANES * PortField.V]))
        if min(y0, y1) - reach <= f[i[at + 3]] or max(y0, y1) + reach >= f[i[at + 3] + i[at + 4]]:
            return True
    return False


@kernel(inner=True)
def value(y, s):
    """The cubic y[0] + s y[1] + s**2 y[2] + s**3 y[3]."""
    return y[0] + s * (y[1] + s * (y[2] + s * y[3]))


@kernel(inner=True)
def turning_points(y):
    """Where the cubic turns inside (0, 1), in order; 1.0 for each that it does not have."""
    a, b, c = 3.0 * y[3], 2.0 * y[2], y[1]
    square = b * b - 4.0 * a * c
    if not square > 0.0:
        return 1.0, 1.0
    q = -0.5 * (b + (sqrt(square) if b >= 0.0 else -sqrt(square)))
    one = q / a if a != 0.0 else 1.0
    two = c / q if q != 0.0 else 1.0
    one = one if 0.0 < one < 1.0 else 1.0
    two = two if 0.0 < two < 1.0 else 1.0
    return min(one, two), max(one, two)


@kernel(inner=True)
def root_between(y, level, low, high):
    """Where the cubic, monotone between `low` and `high`, passes the level: Newton from the chord, kept inside."""
    below, above = value(y, low), value(y, high)
    rising = above > below
    s = low + (high - low) * (level - below) / (above - below)
    s = s if low < s < high else 0.5 * (low + high)
    for _ in range(NEWTON_STEPS):
        beyond = value(y, s) - level
        if (beyond > 0.0) == rising:
            high = s
        else:
            low = s
        slope = y[1] + s * (2.0 * y[2] + s * 3.0 * y[3])
        better = s - beyond / slope if slope != 0.0 else low
        if slope != 0.0 and abs(better - s) <= NEWTON_ENDS:  # first: s is an end of the bracket now
            return min(max(better, low), high)
        s = better if low < better < high else 0.5 * (low + high)
    return s


@kernel(inner=True)
def note(crossings, found, t, guard, owner, new):
    row = crossings[found]
    row[Crossing.TIME], row[Crossing.GUARD], row[Crossing.OWNER], row[Crossing.NEW] = t, guard, owner, new
    return found + 1


@kernel(inner=True)
def neighbour(f, bound, state, states, up):
    """The next state with a width, or the last one."""
    state += 1 if up else -1
    while 0 < state < states - 1 and f[bound + state] == f[bound + state + 1]:
        state += 1 if up else -1
    return state


@kernel(inner=True)
def cross_bounds(p, w, y, t, h, guard, room, state, crossings, found):
    """Note the bounds the shift of wheel w crosses in a step, beginning in `state`; returns state and rows."""
    f, i = p
    at = i[Head.WHEEL_AT] + WHEEL_INTS * w
    owner, bound, states = i[at + 1], i[at + 3], int(i[at + 4])
    first, second = turning_points(y)
    low = 0.0
    for piece in range(3):
        high = first if piece == 0 else (second if piece == 1 else 1.0)
        there = value(y, high)
        while state < states - 1 and there >= f[bound + state + 1] and found < room:
            level = f[bound + state + 1]
            low = root_between(y, level, low, high) if value(y, low) < level else low
            state = neighbour(f, bound, state, states, True)
            found = note(crossings, found, t + low * h, guard + 1, owner, state)
        while state > 0 and there < f[bound + state] and found < room:
            level = f[bound + state]
            low = root_between(y, level, low, high) if value(y, low) > level else low
            state = neighbour(f, bound, state, states, False)
            found = note(crossings, found, t + low * h, guard, owner, state)
        if high == 1.0:
            break
        low = high
    return state, found


@kernel(inner=True)
def allow_states(p, wheelset, left, right):
    """The interval the scan allows the shift of a wheelset whose wheels are in these states."""
    f, i = p
    port = i[Head.PORT_STATE] + wheel_states.shift_port(p, wheelset)
    at = i[Head.WHEEL_AT] + 2 * WHEEL_INTS * wheelset
    a, b = i[at + 3] + left, i[at + WHEEL_INTS + 3] + right
    f[port + LANES * PortField.U_FROM] = max(f[a], f[b])
    f[port + LANES * PortField.U_TO] = min(f[a + 1], f[b + 1])


@kernel(inner=True)
def note_old_shifts(p, x):
    """Shifts of all wheelsets where the scan has those of the beginning of a step."""
    f, i = p
    for k in range(i[Head.WHEELS] // 2):
        o = i[Head.PORT_STATE] + wheel_states.shift_port(p, k)
        y, rate = shift_at(p, x, i[i[Head.WHEEL_AT] + 2 * WHEEL_INTS * k])
        f[o + LANES * PortField.U_OLD], f[o + LANES * PortField.V_OLD] = y, rate


@kernel(inner=True)
def follow(p, t, h, x, x_new, memory, mode, guard, crossings):
    """Rows of `crossings` for the step from x to x_new; `guard` is the first one of wheels."""
    f, i = p
    found = 0
    left = crossings.shape[0] - int(i[Head.WHEELS])  # one row for each wheel is kept back
    follow_track(p, t, memory)
    note_old_shifts(p, x)
    follow_track(p, t + h, memory)
    for k in range(i[Head.WHEELS] // 2):
        o = i[Head.PORT_STATE] + wheel_states.shift_port(p, k)
        y0, v0 = f[o + LANES * PortField.U_OLD], f[o + LANES * PortField.V_OLD]
        y1, v1 = shift_at(p, x_new, i[i[Head.WHEEL_AT] + 2 * WHEEL_INTS * k])
        rise, m0, m1 = y1 - y0, h * v0, h * v1
        y = (y0, m0, 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise)
        one, found = end_state(p, 2 * k, y, y1, v1, t, h, guard + 4 * k, left, mode, crossings, found)
        other, found = end_state(p, 2 * k + 1, y, y1, v1, t, h, guard + 4 * k + 2, left, mode, crossings, found)
        allow_states(p, k, one, other)
    note_old_shifts(p, x_new)
    return found


@kernel(inner=True)
def end_state(p, w, y, y_new, rate_new, t, h, guard, room, mode, crossings, found):
    """State of wheel w at the end of the step, the bounds before it noted; rounding and lack of room included."""
    f, i = p
    owner, first = i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 1], i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 3]
    bound = first + mode[owner]
    reach = REACH * (abs(y[1]) + h * abs(rate_new))
    if min(y[0], y_new) - reach > f[bound] and max(y[0], y_new) + reach < f[bound + 1]:
        return int(mode[owner]), found
    state, found = cross_bounds(p, w, y, t, h, guard, room, int(mode[owner]), crossings, found)
    if f[first + state] <= y_new < f[first + state + 1]:
        return state, found
    there = wheel_states.state_at(p, w, y_new)
    if there != state:
        side = 1 if there > state else 0
        found = note(crossings, found, t + h, guard + side, owner, there)
    return there, found


def begin(system: System, following: bool) -> None:
    """Whether contact states follow the shift from here on; what contacts keep of their tables is read anew."""
    i, f = system.i, system.f
    f[int(i[Head.RUN]) + Run.FOLLOWS] = float(following)
    first, size = int(i[Head.LANES]), BLOCK * int(i[Head.BLOCKS])
    f[first : first + size].reshape(-1, Lane.SIZE, LANES)[:, [Lane.LOW, Lane.FROM]] = np.inf


def jumps(system: System) -> bool:
    """Whether the force of some wheel jumps where its state changes: overlaps of no width between unequal rows."""
    i, f = system.i, system.f
    first = int(i[Head.WHEEL_AT])
    wheels = i[first : first + WHEEL_INTS * int(i[Head.WHEELS])].reshape(-1, WHEEL_INTS).tolist()
    for _, _, section, bound, states in wheels:
        bounds = f[bound : bound + states + 1]
        for state in np.flatnonzero(bounds[2::2] == bounds[1:-1:2]).tolist():
            one, other = (_row(system, section + state + side, bounds[2 * state + 1]) for side in (0, 1))
            if np.any(np.abs(one - other) > SMALLEST_JUMP * np.maximum(np.abs(one), np.abs(other))):
                return True
    return False


def _row(system: System, section: int, shift: float) -> np.ndarray:
    """What the contact law needs of the table at a shift."""
    i, f = system.i, system.f
    o = int(i[Head.SECTION]) + SectionField.SIZE * section
    start, per_step, _, _, low, high = f[o : o + SectionField.SIZE]
    first, count = i[int(i[Head.SECTION_AT]) + 2 * section :][:2].tolist()
    place = (min(max(shift, low), high) - start) * per_step
    interval = min(max(int(place), 0), count - 1)
    cubic = f[int(i[Head.SPLINE]) + POWERS * TABLE_ROW * (first + interval) :][: POWERS * TABLE_ROW]
    return (place - interval) ** np.arange(POWERS) @ cubic.reshape(POWERS, TABLE_ROW)[:, :COLUMNS]
