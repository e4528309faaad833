"""All wheels on their rails: contact states, tables, forces on the wheelsets.

The mode of a wheel is the state of its table at the present lateral shift: 2k for section k, 2k + 1 for the
overlap with the next, in which two contacts share the load. Detection and action use the same stored bounds.

Wheels go through the contact law four at a time. A block of four has its own scratch, `Lane`: one number per wheel
side by side, at places that are constants within the block, which lets the compiler put four wheels into one
register. Each contact keeps the cubics of the table interval it is in, and reads the table again only when it
leaves the interval or changes its state. The second contacts of overlaps take a second pass, made only when a
wheel of the block has one. A block that is not full is padded with copies of its first wheel, which load nothing.
"""

from enum import IntEnum
from math import inf

from klingel._jit import kernel
from klingel.contact.wheel_table import ROW as TABLE_ROW
from klingel.contact.wheel_table import Row
from klingel.elements.wheel_contact import ContactRow, WheelMotion, contact_force
from klingel.model.motion import RATES, ROW, SPIN
from klingel.model.place import SHIFTS
from klingel.model.system import LOAD_ROW, SPIN_MOMENT, BodyField, Head, Run, SectionField

WHEEL_INTS = 5  # body, mode, first section, first bound, number of states
POWERS = 4
LANES = 4
COLUMNS = 10  # of the table that the contact law needs


class Lane(IntEnum):
    """Scratch of four wheels: LANES numbers each."""

    SPEED = 0  # the WheelMotion of each
    Y = 1
    Z = 2
    ROLL = 3
    YAW = 4
    Y_RATE = 5
    Z_RATE = 6
    ROLL_RATE = 7
    YAW_RATE = 8
    SPIN = 9
    BODY_ROLL = 10  # turns forces into the track frame
    BODY_YAW = 11
    FRICTION = 12
    DAMPING = 13  # [N s/m]
    FORCE_X = 14  # on the wheelset, track frame
    FORCE_Y = 15
    FORCE_Z = 16
    MOMENT_X = 17  # on the wheelset, its frame
    MOMENT_Y = 18
    MOMENT_Z = 19
    NORMAL = 20
    CREEP_X = 21
    CREEP_Y = 22
    PENETRATION = 23
    ANGLE_SIN = 24
    WHEEL_Y = 25
    RAIL_Y = 26
    STATE = 27  # what is kept of the table: the state for which it was read
    LOW = 28  # from where to where it holds [m]
    HIGH = 29
    HOLD_LOW = 30  # values do not change below and above these [m]
    HOLD_HIGH = 31
    START = 32  # of the interval [m]
    PER_STEP = 33  # [1/m]
    WEIGHT = 34  # share of the load at OVERLAP_LOW
    PER_OVERLAP = 35  # its growth [1/m]
    OVERLAP_LOW = 36  # [m]
    CUBIC = 37  # POWERS of COLUMNS
    SIZE = 77


CONTACTS = 2  # at most, per wheel
SEEN = LANES * Lane.FRICTION.value  # the motion: the same for both contacts
PART = LANES * Lane.SIZE.value  # scratch of the first or the second contacts of a block
BLOCK = CONTACTS * PART


@kernel(inner=True)
def interval_at(p, section, shift):
    """Interval of a section that holds `shift`, counted within the section."""
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    s = (shift - f[o + SectionField.START]) * f[o + SectionField.PER_STEP]
    last = i[i[Head.SECTION_AT] + 2 * section + 1] - 1
    return min(max(int(s), 0), last)


@kernel(inner=True)
def keep_interval(p, section, shift, held):
    """Copy the interval of `shift` into f[held ...]; false if the shift is too far outside the section."""
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    low, high = f[o + SectionField.LOW], f[o + SectionField.HIGH]
    if not low <= shift <= high:
        return False
    j = interval_at(p, section, shift)
    at = i[Head.SECTION_AT] + 2 * section
    step = 1.0 / f[o + SectionField.PER_STEP]
    start = f[o + SectionField.START] + j * step
    # the outer intervals serve as far as the section may be evaluated
    f[held + LANES * Lane.LOW] = low if j == 0 else start
    f[held + LANES * Lane.HIGH] = high if j == i[at + 1] - 1 else start + step
    f[held + LANES * Lane.HOLD_LOW] = f[o + SectionField.HOLD_LOW]
    f[held + LANES * Lane.HOLD_HIGH] = f[o + SectionField.HOLD_HIGH]
    f[held + LANES * Lane.START] = start
    f[held + LANES * Lane.PER_STEP] = f[o + SectionField.PER_STEP]
    c = i[Head.SPLINE] + POWERS * TABLE_ROW * (i[at] + j)
    for power in range(POWERS):
        for k in range(COLUMNS):
            f[held + LANES * (Lane.CUBIC + COLUMNS * power + k)] = f[c + TABLE_ROW * power + k]
    return True


@kernel(inner=True)
def keep_weight(p, bound, state, part, held):
    """Share of the load as a straight line over the shift: the whole of it outside overlaps."""
    f = p[0]
    overlaps = state & 1 == 1
    width = f[bound + state + 1] - f[bound + state] if overlaps else inf
    rise = 1.0 / width if width > 0.0 else 0.0
    base = 0.0 if width > 0.0 else 0.5
    f[held + LANES * Lane.OVERLAP_LOW] = f[bound + state] if overlaps else 0.0
    f[held + LANES * Lane.WEIGHT] = base if part == 1 else 1.0 - base
    f[held + LANES * Lane.PER_OVERLAP] = rise if part == 1 else -rise


@kernel(inner=True)
def gather_lanes(p, t, block):
    """What the four wheels of a block see of their wheelsets."""
    f, i = p
    run = i[Head.RUN]
    speed = f[run + Run.SPEED] + f[run + Run.ACCELERATION] * t
    first = i[Head.LANES] + BLOCK * block
    s = f[first : first + BLOCK]
    for k in range(LANES):
        b = i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k)]
        o = i[Head.MOTION] + ROW * b
        body = i[Head.BODY] + BodyField.SIZE * b
        s[LANES * Lane.SPEED + k] = speed
        s[LANES * Lane.Y + k] = f[o + 1]
        s[LANES * Lane.Z + k] = f[body + BodyField.Z] + f[o + 2]
        s[LANES * Lane.ROLL + k] = f[o + 3]
        s[LANES * Lane.YAW + k] = f[o + 5]
        s[LANES * Lane.Y_RATE + k] = f[o + RATES + 1]
        s[LANES * Lane.Z_RATE + k] = f[o + RATES + 2]
        s[LANES * Lane.ROLL_RATE + k] = f[o + RATES + 3]
        s[LANES * Lane.YAW_RATE + k] = f[o + RATES + 5]
        s[LANES * Lane.SPIN + k] = speed * f[body + BodyField.PER_RADIUS] + f[o + SPIN]
        s[LANES * Lane.BODY_ROLL + k] = f[o + 3]
        s[LANES * Lane.BODY_YAW + k] = f[o + 5]
    if i[Head.HAS_TRACK]:
        for k in range(LANES):
            shift = i[Head.CONTACT_SHIFT] + SHIFTS * i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k)]
            for c in range(SHIFTS):
                s[LANES * c + k] += f[shift + c]


@kernel(inner=True)
def lateral_place(p, b):
    """Lateral shift of wheelset b against the rails."""
    f, i = p
    y = f[i[Head.MOTION] + ROW * b + 1]
    if i[Head.HAS_TRACK]:
        y += f[i[Head.CONTACT_SHIFT] + SHIFTS * b + Lane.Y]
    return y


@kernel(inner=True)
def lateral_rate(p, b):
    """Rate of the lateral shift of wheelset b against the rails."""
    f, i = p
    rate = f[i[Head.MOTION] + ROW * b + RATES + 1]
    if i[Head.HAS_TRACK]:
        rate += f[i[Head.CONTACT_SHIFT] + SHIFTS * b + Lane.Y_RATE]
    return rate


@kernel(inner=True)
def read_lane(p, block, k, state, part):
    """Read the table for contact `part` of one wheel; false if it is too far outside its section."""
    f, i = p
    at = i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k)
    first = i[Head.LANES] + BLOCK * block
    held = first + PART * part + k
    second = part * (state & 1)  # a wheel outside overlaps keeps its only row twice, the second without weight
    if not keep_interval(p, i[at + 2] + (state >> 1) + second, f[first + LANES * Lane.Y + k], held):
        f[held + LANES * Lane.LOW] = inf
        return False
    keep_weight(p, i[at + 3], state, part, held)
    f[held + LANES * Lane.STATE] = state
    return True


@kernel(inner=True)
def read_lanes(p, mode, block, part):
    """Make sure that contact `part` of each wheel has its interval; false if a wheel left its table."""
    f, i = p
    first = i[Head.LANES] + BLOCK * block
    s = f[first + PART * part : first + PART * part + PART]
    for k in range(LANES):
        y = s[LANES * Lane.Y + k]
        state = mode[i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k) + 1]]
        holds = (s[LANES * Lane.LOW + k] <= y) & (y <= s[LANES * Lane.HIGH + k])
        if not (holds & (s[LANES * Lane.STATE + k] == state)) and not read_lane(p, block, k, state, part):
            return False
    return True


@kernel(inlined=True)
def cubic(s, k, at):
    """Value of one column at the fraction `at` of the interval: k is the place of its constant part."""
    power = LANES * COLUMNS
    return s[k] + at * (s[k + power] + at * (s[k + 2 * power] + at * s[k + 3 * power]))


@kernel(inner=True)
def press_lanes(s):
    """The contact law in all lanes: `s` is the scratch of the first or the second contacts of a block."""
    for k in range(LANES):
        y = s[LANES * Lane.Y + k]
        inside = min(max(y, s[LANES * Lane.HOLD_LOW + k]), s[LANES * Lane.HOLD_HIGH + k])
        at = (inside - s[LANES * Lane.START + k]) * s[LANES * Lane.PER_STEP + k]
        rise = (y - s[LANES * Lane.OVERLAP_LOW + k]) * s[LANES * Lane.PER_OVERLAP + k]
        weight = min(max(s[LANES * Lane.WEIGHT + k] + rise, 0.0), 1.0)
        c = LANES * Lane.CUBIC + k
        row = ContactRow(
            cubic(s, c, at), cubic(s, c + LANES, at), cubic(s, c + 2 * LANES, at), cubic(s, c + 3 * LANES, at),
            cubic(s, c + 4 * LANES, at), cubic(s, c + 5 * LANES, at), cubic(s, c + 6 * LANES, at),
            cubic(s, c + 7 * LANES, at), cubic(s, c + 8 * LANES, at), cubic(s, c + 9 * LANES, at),
        )  # fmt: skip
        m = WheelMotion(
            s[LANES * Lane.SPEED + k], y, s[LANES * Lane.Z + k], s[LANES * Lane.ROLL + k],
            s[LANES * Lane.YAW + k], s[LANES * Lane.Y_RATE + k], s[LANES * Lane.Z_RATE + k],
            s[LANES * Lane.ROLL_RATE + k], s[LANES * Lane.YAW_RATE + k], s[LANES * Lane.SPIN + k],
        )  # fmt: skip
        force = contact_force(row, m, weight, s[LANES * Lane.FRICTION + k], s[LANES * Lane.DAMPING + k])
        roll, yaw = s[LANES * Lane.BODY_ROLL + k], s[LANES * Lane.BODY_YAW + k]
        s[LANES * Lane.FORCE_X + k] = force.x - yaw * force.y
        s[LANES * Lane.FORCE_Y + k] = force.y + yaw * force.x - roll * force.z
        s[LANES * Lane.FORCE_Z + k] = force.z + roll * force.y
        s[LANES * Lane.MOMENT_X + k] = row.wheel_y * force.z - row.wheel_z * force.y
        s[LANES * Lane.MOMENT_Y + k] = row.wheel_z * force.x
        s[LANES * Lane.MOMENT_Z + k] = -row.wheel_y * force.x
        s[LANES * Lane.NORMAL + k] = force.normal
        s[LANES * Lane.CREEP_X + k] = force.creep_x
        s[LANES * Lane.CREEP_Y + k] = force.creep_y
        s[LANES * Lane.PENETRATION + k] = force.penetration
        s[LANES * Lane.ANGLE_SIN + k] = row.sine
        s[LANES * Lane.WHEEL_Y + k] = row.wheel_y
        s[LANES * Lane.RAIL_Y + k] = row.rail_y


@kernel(inner=True)
def load_wheelsets(p, block, part):
    """Loads of the wheels of a block on their wheelsets; padding lanes are left out."""
    f, i = p
    first = i[Head.LANES] + BLOCK * block + PART * part
    s = f[first : first + PART]
    for k in range(min(LANES, i[Head.WHEELS] - LANES * block)):
        load = i[Head.LOAD] + LOAD_ROW * i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k)]
        for c in range(6):
            # an axle turns in its boxes: only its contacts drive the spin
            f[load + (SPIN_MOMENT if c == 4 else c)] += s[LANES * (Lane.FORCE_X + c) + k]


@kernel(inner=True)
def any_overlap(p, mode, block):
    i = p[1]
    found = 0
    for k in range(LANES):
        found |= mode[i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k) + 1]] & 1
    return found != 0


@kernel(inner=True)
def press_block(p, mode, block, part):
    """Forces of contact `part` of the wheels of a block into its scratch; false when a wheel left its table."""
    f, i = p
    first = i[Head.LANES] + BLOCK * block
    if part == 1:
        for k in range(SEEN):
            f[first + PART + k] = f[first + k]
    if not read_lanes(p, mode, block, part):
        return False
    press_lanes(f[first + PART * part : first + PART * part + PART])
    return True


@kernel(inner=True)
def add_wheel_forces(p, t, mode):
    """Contact forces on all wheelsets; false when a wheel is too far outside its section."""
    i = p[1]
    for block in range(i[Head.BLOCKS]):
        gather_lanes(p, t, block)
        parts = 2 if any_overlap(p, mode, block) else 1
        for part in range(parts):
            if not press_block(p, mode, block, part):
                return False
            load_wheelsets(p, block, part)
    return True


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
