"""All wheels on their rails: contact states, tables, forces on the wheelsets.

In an overlap of two sections of its table a wheel has two contacts that share the load (`wheel_states`).

Wheels go through the contact law four at a time. A block of four has its own scratch, `Lane`: one number per wheel
side by side, at places that are constants within the block, which lets the compiler put four wheels into one
register. Each contact keeps the cubics of the table interval it is in, and reads the table again only when it
leaves the interval or changes its state. The second contacts of overlaps take a second pass, made only when a
wheel of the block has one. A block that is not full is padded with copies of its first wheel, which load nothing.
"""

from math import inf

import numpy as np

from klingel._jit import kernel
from klingel.elements.wheel_contact import ContactRow, WheelMotion, contact_force
from klingel.model.bodies.motion import LANES, LOAD_ROW, MOMENT, RATES, ROLL, ROW, SPIN, YAW
from klingel.model.kinds.wheels.wheel_following import follows
from klingel.model.kinds.wheels.wheel_lanes import (
    BLOCK,
    COLUMNS,
    CONTACTS,
    PART,
    WHEEL_INTS,
    Lane,
    keep_cubics,
    keep_interval,
    keep_section,
    keep_weight,
)
from klingel.model.kinds.wheels.wheel_states import note_shift, state_at
from klingel.model.on_track.track_at_bodies import SHIFTS
from klingel.model.system import BodyField, Head, LoadField, Run


@kernel(merged=True)
def seen(p, b, speed):
    """Motion of wheelset b as its contacts see it, then its own roll and yaw, which turn forces."""
    f, i = p
    o, body = i[Head.MOTION] + ROW * b, i[Head.BODY] + BodyField.SIZE * b
    y, z, roll, yaw = f[o + 1], f[body + BodyField.Z] + f[o + 2], f[o + ROLL], f[o + YAW]
    y_rate, z_rate, roll_rate, yaw_rate = (
        f[o + RATES + 1],
        f[o + RATES + 2],
        f[o + RATES + ROLL],
        f[o + RATES + YAW],
    )
    spin = speed * f[body + BodyField.PER_RADIUS] + f[o + SPIN]
    if i[Head.HAS_TRACK]:
        c = i[Head.CONTACT_SHIFT] + SHIFTS * b
        y, z, roll, yaw = y + f[c + 1], z + f[c + 2], roll + f[c + 3], yaw + f[c + 4]
        y_rate, z_rate, roll_rate = y_rate + f[c + 5], z_rate + f[c + 6], roll_rate + f[c + 7]
        yaw_rate, spin = yaw_rate + f[c + 8], spin + f[c + 9]
    return WheelMotion(speed, y, z, roll, yaw, y_rate, z_rate, roll_rate, yaw_rate, spin), f[o + ROLL], f[o + YAW]


@kernel(merged=True)
def seen_by(p, t, w):
    """What wheel w sees of its wheelset, see `seen`."""
    f, i = p
    run = i[Head.RUN]
    return seen(p, i[i[Head.WHEEL_AT] + WHEEL_INTS * w], f[run + Run.SPEED] + f[run + Run.ACCELERATION] * t)


@kernel(inner=True)
def read_lane(p, block, k, y, state, part):
    """Find the section at y for contact `part` of one wheel; false if the wheel is too far outside of it."""
    f, i = p
    at = i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k)
    held = np.uint32(i[Head.LANES] + BLOCK * block + PART * part + k)  # see `interval_at`
    if follows(p):
        state = state_at(p, LANES * block + k, y)
    second = part * (state & 1)  # a wheel outside overlaps keeps its only row twice, the second without weight
    if not keep_section(p, i[at + 2] + (state >> 1) + second, y, held):
        f[held + LANES * Lane.FROM] = inf
        return False
    keep_weight(p, i[at + 3], state, part, held)
    f[held + LANES * Lane.STATE] = state
    if follows(p):
        if state > 0:
            f[held + LANES * Lane.FROM] = max(f[held + LANES * Lane.FROM], f[i[at + 3] + state])
        if state < int(i[at + 4]) - 1:
            f[held + LANES * Lane.TO] = min(f[held + LANES * Lane.TO], f[i[at + 3] + state + 1])
    return True


@kernel(inlined=True)
def of_wheelset(a, b, k):
    """The first two lanes belong to the first wheelset of a block, the others to the second."""
    return a if k < 2 else b


@kernel(inner=True)
def read_lanes(p, mode, block, part, y_a, y_b):
    """Give contact `part` of each wheel its interval; false if a wheel left its table."""
    f, i = p
    first = np.uint32(i[Head.LANES] + BLOCK * block + PART * part)
    s = f[first : first + PART]
    on_table, left = True, 0
    for k in range(LANES):
        y = of_wheelset(y_a, y_b, k)
        left += 0 if (s[LANES * Lane.FROM + k] <= y) & (y < s[LANES * Lane.TO + k]) else 1
    if left > 0:
        for k in range(LANES):
            y = of_wheelset(y_a, y_b, k)
            state = mode[i[i[Head.WHEEL_AT] + WHEEL_INTS * (LANES * block + k) + 1]]
            holds = (s[LANES * Lane.FROM + k] <= y) & (y < s[LANES * Lane.TO + k])
            on_table = on_table and (holds or read_lane(p, block, k, y, state, part))
    for k in range(LANES):
        keep_interval(s, k, of_wheelset(y_a, y_b, k))
    if not on_table:
        return False
    keep_cubics(f, first)
    if left > 0 and part == 0 and follows(p):
        overlaps = 0
        for k in range(LANES):
            overlaps += int(s[LANES * Lane.STATE + k]) & 1
        s[LANES * Lane.OVERLAPS] = overlaps
    return True


@kernel(inner=True)
def enter_states(p, mode):
    """After changes of modes: what is kept of the table for another state is not used again."""
    f, i = p
    if follows(p):
        return
    for w in range(LANES * i[Head.BLOCKS]):
        s = i[Head.LANES] + BLOCK * (w // LANES) + w % LANES
        if w % LANES == 0:
            f[s + LANES * Lane.OVERLAPS] = 0.0
        state = mode[i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 1]]
        f[s - w % LANES + LANES * Lane.OVERLAPS] += state & 1
        for part in range(CONTACTS):
            if f[s + PART * part + LANES * Lane.STATE] != state:
                f[s + PART * part + LANES * Lane.LOW] = f[s + PART * part + LANES * Lane.FROM] = inf


@kernel(merged=True)
def outside_interval(s, y_a, y_b):
    """How many contacts left the interval of the table they keep."""
    count = 0
    for k in range(LANES):
        y = of_wheelset(y_a, y_b, k)
        count += 0 if (s[LANES * Lane.LOW + k] <= y) & (y < s[LANES * Lane.HIGH + k]) else 1
    return count


@kernel(inlined=True)
def cubic(s, k, at):
    """Value of one column at the fraction `at` of the interval: k is the place of its constant part."""
    power = LANES * COLUMNS
    return s[k] + at * (s[k + power] + at * (s[k + 2 * power] + at * s[k + 3 * power]))


@kernel(merged=True)
def press_lanes(s, a, b, roll_a, yaw_a, roll_b, yaw_b):
    """The contact law in all lanes: `s` is the scratch of the first or the second contacts of a block.

    Both wheels of a wheelset see the same motion, that of `a` or `b`.
    """
    for k in range(LANES):
        y = of_wheelset(a.y, b.y, k)
        inside = min(max(y, s[LANES * Lane.HOLD_LOW + k]), s[LANES * Lane.HOLD_HIGH + k])
        at = (inside - s[LANES * Lane.START + k]) * s[LANES * Lane.PER_STEP + k]
        rise = (y - s[LANES * Lane.OVERLAP_LOW + k]) * s[LANES * Lane.PER_OVERLAP + k]
        weight = min(max(s[LANES * Lane.WEIGHT + k] + rise, 0.0), s[LANES * Lane.MOST + k])
        c = LANES * Lane.CUBIC + k
        row = ContactRow(
            cubic(s, c, at), cubic(s, c + LANES, at), cubic(s, c + 2 * LANES, at), cubic(s, c + 3 * LANES, at),
            cubic(s, c + 4 * LANES, at), cubic(s, c + 5 * LANES, at), cubic(s, c + 6 * LANES, at),
            cubic(s, c + 7 * LANES, at), cubic(s, c + 8 * LANES, at), cubic(s, c + 9 * LANES, at),
        )  # fmt: skip
        m = WheelMotion(
            a.speed, y, of_wheelset(a.z, b.z, k), of_wheelset(a.roll, b.roll, k), of_wheelset(a.yaw, b.yaw, k),
            of_wheelset(a.y_rate, b.y_rate, k), of_wheelset(a.z_rate, b.z_rate, k),
            of_wheelset(a.roll_rate, b.roll_rate, k), of_wheelset(a.yaw_rate, b.yaw_rate, k),
            of_wheelset(a.spin, b.spin, k),
        )  # fmt: skip
        force = contact_force(row, m, weight, s[LANES * Lane.FRICTION + k], s[LANES * Lane.DAMPING + k])
        roll, yaw = of_wheelset(roll_a, roll_b, k), of_wheelset(yaw_a, yaw_b, k)
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


@kernel(merged=True)
def both(f, o, lane):
    """Sum over the two wheels of a wheelset, the first of which is in the lane at o."""
    return f[o + LANES * lane] + f[o + LANES * lane + 1]


@kernel(inner=True)
def both_parts(f, block, o, lane):
    """Sum over the contacts of the wheel in the lane at o of a block."""
    return f[o + LANES * lane] + (f[o + PART + LANES * lane] if f[block + LANES * Lane.OVERLAPS] > 0.0 else 0.0)


@kernel(merged=True)
def load_wheelsets(p):
    """Forces of all contacts, as they stand in the scratch, on the wheelsets."""
    f, i = p
    for w in range(0, i[Head.WHEELS], 2):
        load = i[Head.LOAD] + LOAD_ROW * i[i[Head.WHEEL_AT] + WHEEL_INTS * w]
        block = i[Head.LANES] + BLOCK * (w // LANES)
        o = block + w % LANES
        x, y, z = both(f, o, Lane.FORCE_X), both(f, o, Lane.FORCE_Y), both(f, o, Lane.FORCE_Z)
        mx, my, mz = both(f, o, Lane.MOMENT_X), both(f, o, Lane.MOMENT_Y), both(f, o, Lane.MOMENT_Z)
        if f[block + LANES * Lane.OVERLAPS] > 0.0:
            o += PART
            x, y, z = x + both(f, o, Lane.FORCE_X), y + both(f, o, Lane.FORCE_Y), z + both(f, o, Lane.FORCE_Z)
            mx, my = mx + both(f, o, Lane.MOMENT_X), my + both(f, o, Lane.MOMENT_Y)
            mz += both(f, o, Lane.MOMENT_Z)
        f[load] += x
        f[load + 1] += y
        f[load + 2] += z
        f[load + MOMENT] += mx
        f[load + MOMENT + 2] += mz
        f[load + LoadField.SPIN_MOMENT] += my  # an axle turns in its boxes: only its contacts drive the spin


@kernel(merged=True)
def press_parts(p, t, mode, block, part, all_of_them):
    """Forces of contact `part`, or of it and all behind it, of the wheels of a block into its scratch.

    False when a wheel left its table. Whether there are second contacts may follow from the first ones.
    """
    f, i = p
    a, roll_a, yaw_a = seen_by(p, t, LANES * block)
    b, roll_b, yaw_b = seen_by(p, t, LANES * block + 2)
    note_shift(p, 2 * block, a.y, a.y_rate)
    note_shift(p, 2 * block + 1, b.y, b.y_rate)
    end = CONTACTS if all_of_them else part + 1
    while part < end:
        first = i[Head.LANES] + BLOCK * block + PART * part
        s = f[first : first + PART]
        if outside_interval(s, a.y, b.y) > 0 and not read_lanes(p, mode, block, part, a.y, b.y):
            return False
        press_lanes(s, a, b, roll_a, yaw_a, roll_b, yaw_b)
        if all_of_them and not f[i[Head.LANES] + BLOCK * block + LANES * Lane.OVERLAPS] > 0.0:
            return True
        part += 1
    return True


@kernel(inner=True)
def press_block(p, t, mode, block, part):
    """Forces of contact `part` of the wheels of a block into its scratch; false when a wheel left its table."""
    return press_parts(p, t, mode, block, part, False)


@kernel(merged=True)
def press_wheels(p, t, mode):
    """Forces of all contacts into their scratch; false when a wheel is too far outside its section."""
    i = p[1]
    on_table = True
    for block in range(i[Head.BLOCKS]):
        on_table = on_table and press_parts(p, t, mode, block, 0, True)
    return on_table
