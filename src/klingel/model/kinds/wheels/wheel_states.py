"""Contact states of the wheels: which section of its table a wheel is in, and when it leaves it.

The mode of a wheel is the state of its table at the present lateral shift: 2k for section k, 2k + 1 for the
overlap with the next. Detection and action use the same stored bounds.
"""

from klingel._jit import kernel
from klingel.contact.table.wheel_table import ROW as TABLE_ROW
from klingel.contact.table.wheel_table import Row
from klingel.model.bodies.motion import LANES, PORT_ROW, RATES, ROW
from klingel.model.kinds.wheels.wheel_lanes import POWERS, WHEEL_INTS, interval_at
from klingel.model.on_track.track_at_bodies import SHIFTS
from klingel.model.port_pieces import intersect
from klingel.model.system import Head, PortField, Run, SectionField

GUARDS = 2  # per wheel: the lower and the upper bound of its state
# A wheel that leaves its state together with another one may lie on the bound to rounding, on either side of it.
BEYOND = 2e-12  # [m]; above the tolerance of guards


@kernel(inner=True)
def lateral_place(p, b):
    """Lateral shift of wheelset b against the rails."""
    f, i = p
    y = f[i[Head.MOTION] + ROW * b + 1]
    if i[Head.HAS_TRACK]:
        y += f[i[Head.CONTACT_SHIFT] + SHIFTS * b + 1]
    return y


@kernel(inner=True)
def lateral_rate(p, b):
    """Rate of the lateral shift of wheelset b against the rails."""
    f, i = p
    rate = f[i[Head.MOTION] + ROW * b + RATES + 1]
    if i[Head.HAS_TRACK]:
        rate += f[i[Head.CONTACT_SHIFT] + SHIFTS * b + 5]
    return rate


@kernel(merged=True)
def shift_port(p, wheelset):
    """Where the lateral shift of a wheelset stands among the ports."""
    return PORT_ROW * (p[1][Head.LINKS] + wheelset // LANES) + wheelset % LANES


@kernel(merged=True)
def note_shift(p, wheelset, y, rate):
    """Lateral shift of a wheelset and its rate, for the scan."""
    f, i = p
    port = i[Head.PORT_STATE] + shift_port(p, wheelset)
    f[port + LANES * PortField.U] = y
    f[port + LANES * PortField.V] = rate


@kernel(inner=True)
def table_value(p, section, shift, column):
    """One column of a section at a lateral shift, read from the table itself."""
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    shift = min(max(shift, f[o + SectionField.HOLD_LOW]), f[o + SectionField.HOLD_HIGH])
    j = interval_at(p, section, shift)
    s = (shift - f[o + SectionField.START]) * f[o + SectionField.PER_STEP] - j
    c = i[Head.SPLINE] + POWERS * TABLE_ROW * (i[i[Head.SECTION_AT] + 2 * section] + j) + column
    return f[c] + s * (f[c + TABLE_ROW] + s * (f[c + 2 * TABLE_ROW] + s * f[c + 3 * TABLE_ROW]))


@kernel(inner=True)
def inside_section(p, w, part, state, shift):
    """The shift, not beyond the jump in the middle of an overlap, where a section of wheel w has no nodes left.

    Its shape must be read there: the cubic of its last interval soon makes a ratio of semi-axes negative.
    """
    f, i = p
    if state & 1 == 0:
        return shift
    bound = i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 3] + state
    jump = 0.5 * (f[bound] + f[bound + 1])
    return min(shift, jump) if part == 0 else max(shift, jump)


@kernel(inner=True)
def rolling_radius(p, w, shift):
    """Radius at the contact point of wheel w at a lateral shift [m]."""
    i = p[1]
    section = i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 2] + state_at(p, w, shift) // 2
    return -table_value(p, section, shift, Row.WHEEL_Z)


@kernel(inner=True)
def state_at(p, w, shift):
    """Contact state of wheel w that holds `shift`, found by search, never by a step of one."""
    f, i = p
    at = i[Head.WHEEL_AT] + WHEEL_INTS * w
    bound = i[at + 3]
    low, high = 0, i[at + 4]
    while high - low > 1:
        middle = (low + high) // 2
        if shift < f[bound + middle]:
            high = middle
        else:
            low = middle
    return low


@kernel(inner=True)
def guards(p, memory, mode, g, at):
    """Distances of each wheel from the bounds of its state; returns the next free entry."""
    f, i = p
    for w in range(i[Head.WHEELS]):
        wheel = i[Head.WHEEL_AT] + WHEEL_INTS * w
        bound, low = i[wheel + 3], int(mode[i[wheel + 1]])
        high = low + 1
        if f[i[Head.RUN] + Run.FOLLOWS] > 0.0:  # then only the ends of the table are watched
            low, high = 0, int(i[wheel + 4])
        y = lateral_place(p, i[wheel])
        g[at] = y - f[bound + low]
        g[at + 1] = f[bound + high] - y
        at += GUARDS
    return at


@kernel(inner=True)
def act(p, memory, mode, fired, at):
    """Wheels search their state; 1 when one has left its contact table, which is derailment."""
    f, i = p
    left = 0
    for w in range(i[Head.WHEELS]):
        if fired[at] or fired[at + 1]:
            wheel = i[Head.WHEEL_AT] + WHEEL_INTS * w
            y = lateral_place(p, i[wheel]) + (-BEYOND if fired[at] else BEYOND)
            bound = i[wheel + 3]
            if y < f[bound] or y > f[bound + i[wheel + 4]]:
                left = 1
            else:
                mode[i[wheel + 1]] = state_at(p, w, y)
        at += GUARDS
    return left


@kernel(inner=True)
def narrow(p, memory, mode):
    f, i = p
    for w in range(i[Head.WHEELS]):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        bound = i[at + 3] + mode[i[at + 1]]
        intersect(p, PortField.U_FROM, PortField.U_TO, shift_port(p, w // 2), f[bound], f[bound + 1])
