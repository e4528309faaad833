"""Scratch of the wheels, four side by side, and what each contact keeps of its table."""

from enum import IntEnum
from math import inf

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
    CUBIC = 28  # POWERS of COLUMNS
    SIZE = 68


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
def keep_interval(p, section, shift, held):
    """Note the interval of `shift` in f[held ...]; false if the shift is too far outside the section.

    The cubics themselves are copied by `keep_cubics`.
    """
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
    f[held + LANES * Lane.SOURCE] = i[Head.SPLINE] + POWERS * TABLE_ROW * (i[at] + j)
    return True


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
