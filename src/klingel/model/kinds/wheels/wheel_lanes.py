"""Scratch of the wheels, four side by side, and what each contact keeps of its table."""

from enum import IntEnum
from math import floor, inf

import numpy as np

from klingel._jit import kernel
from klingel.contact.table.wheel_table import ROW as TABLE_ROW
from klingel.model.bodies.motion import LANES, write_row
from klingel.model.system import Head, SectionField

WHEEL_INTS = 5  # body, mode, first section, first bound, number of states
POWERS = 4
COLUMNS = 10  # of the table that the contact law needs


class Lane(IntEnum):
    """Scratch of four wheels: LANES numbers each."""

    FRICTION = 0
    DAMPING = 1  # [N s/m]
    FORCE_X = 2  # on the wheelset, track frame
    FORCE_Y = 3
    FORCE_Z = 4
    MOMENT_X = 5  # on the wheelset, its frame
    MOMENT_Y = 6
    MOMENT_Z = 7
    NORMAL = 8
    CREEP_X = 9
    CREEP_Y = 10
    PENETRATION = 11
    ANGLE_SIN = 12
    WHEEL_Y = 13
    RAIL_Y = 14
    STATE = 15  # what is kept of the table: the state for which it was read
    LOW = 16  # from where to where it holds [m]
    HIGH = 17
    HOLD_LOW = 18  # values do not change below and above these [m]
    HOLD_HIGH = 19
    START = 20  # of the interval [m]
    PER_STEP = 21  # [1/m]
    WEIGHT = 22  # share of the load at OVERLAP_LOW
    PER_OVERLAP = 23  # its growth [1/m]
    OVERLAP_LOW = 24  # [m]
    OVERLAPS = 25  # first entry: how many wheels of the block have two contacts
    SOURCE = 26  # where the interval begins in the table
    ONE = 27
    MOST = 28  # largest share of the load: 1, or 0 of a wheel held in the air, see `wheel_touching`
    NOTED = 29  # penetration of the wheel when asked last [m]
    FROM = 30  # what is kept of the section: from where to where it is that of the state [m]
    TO = 31
    FIRST = 32  # start of its first interval [m]
    STEP = 33  # [m]
    LAST = 34  # number of its last interval
    BASE = 35  # where its first interval begins in the table
    CUBIC = 36  # POWERS of COLUMNS
    SIZE = 76


CONTACTS = 2  # at most, per wheel
PART = LANES * Lane.SIZE.value  # scratch of the first or the second contacts of a block
BLOCK = CONTACTS * PART


@kernel(inner=True)
def interval_at(p, section, shift):
    """Interval of a section that holds `shift`, counted within the section.

    Unsigned: every index made of a number that may be negative is asked whether it counts from the end.
    """
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    s = (shift - f[o + SectionField.START]) * f[o + SectionField.PER_STEP]
    last = i[i[Head.SECTION_AT] + 2 * section + 1] - 1
    return np.uint32(min(max(int(s), 0), last))


@kernel(inner=True)
def keep_section(p, section, shift, held):
    """Note a section in f[held ...]; false if the shift is too far outside of it."""
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    low, high = f[o + SectionField.LOW], f[o + SectionField.HIGH]
    if not low <= shift <= high:
        return False
    at = i[Head.SECTION_AT] + 2 * section
    f[held + LANES * Lane.FROM] = low
    f[held + LANES * Lane.TO] = high
    f[held + LANES * Lane.HOLD_LOW] = f[o + SectionField.HOLD_LOW]
    f[held + LANES * Lane.HOLD_HIGH] = f[o + SectionField.HOLD_HIGH]
    f[held + LANES * Lane.FIRST] = f[o + SectionField.START]
    f[held + LANES * Lane.PER_STEP] = f[o + SectionField.PER_STEP]
    f[held + LANES * Lane.STEP] = 1.0 / f[o + SectionField.PER_STEP]
    f[held + LANES * Lane.LAST] = i[at + 1] - 1
    f[held + LANES * Lane.BASE] = i[Head.SPLINE] + POWERS * TABLE_ROW * i[at]
    return True


@kernel(inlined=True)
def keep_interval(s, k, y):
    """Note the interval of the shift y within the section of lane k; its cubics are copied by `keep_cubics`.

    In all lanes at once, in whole rows: a section is seldom left, an interval often.
    """
    number = floor((y - s[LANES * Lane.FIRST + k]) * s[LANES * Lane.PER_STEP + k])
    number = min(max(number, 0.0), s[LANES * Lane.LAST + k])
    step = s[LANES * Lane.STEP + k]
    start = s[LANES * Lane.FIRST + k] + number * step
    # the outer intervals serve as far as the section does
    low = start if number > 0.0 else -inf
    high = start + step if number < s[LANES * Lane.LAST + k] else inf
    s[LANES * Lane.LOW + k] = max(low, s[LANES * Lane.FROM + k])
    s[LANES * Lane.HIGH + k] = min(high, s[LANES * Lane.TO + k])
    s[LANES * Lane.START + k] = start
    s[LANES * Lane.SOURCE + k] = s[LANES * Lane.BASE + k] + POWERS * TABLE_ROW * number


@kernel(inner=True)
def keep_cubics(f, first):
    """Copy the cubics of the intervals noted in f[first ...], of all four lanes.

    Loads of rows written number by number would wait: the product with a row of ones makes the compiler write
    whole rows.
    """
    o = first + LANES * Lane.SOURCE
    a, b, c, d = np.uint32(f[o]), np.uint32(f[o + 1]), np.uint32(f[o + 2]), np.uint32(f[o + 3])
    o = first + LANES * Lane.ONE
    i, j, m, n = f[o], f[o + 1], f[o + 2], f[o + 3]
    o = first + LANES * Lane.CUBIC
    for power in range(POWERS):
        for k in range(COLUMNS):
            at = TABLE_ROW * power + k
            one, two, three, four = f[a + at] * i, f[b + at] * j, f[c + at] * m, f[d + at] * n
            write_row(f, o + LANES * (COLUMNS * power + k), one, two, three, four)


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
