"""All wheels on their rails: contact states, rows of the tables, forces on the wheelsets.

The mode of a wheel is the state of its table at the present lateral shift: 2k for section k, 2k + 1 for the
overlap with the next, in which two contacts share the load. Detection and action use the same stored bounds.
"""

from math import isnan, nan

from klingel._jit import kernel
from klingel.contact.wheel_table import ROW as TABLE_ROW
from klingel.contact.wheel_table import SHORT_ROW
from klingel.elements.wheel_contact import WheelForce, WheelMotion, contact_force
from klingel.model.motion import AXES, ROW
from klingel.model.place import SHIFTS
from klingel.model.system import BodyField, Head, Run, SectionField, WheelField

WHEEL_INTS = 5  # body, mode, first section, first bound, number of states
POWERS = 4


@kernel(inner=True)
def read_row(p, section, shift, columns):
    """Fill the scratch row of the contact table; false if the shift is too far outside the section."""
    f, i = p
    o = i[Head.SECTION] + SectionField.SIZE * section
    if not f[o + SectionField.LOW] <= shift <= f[o + SectionField.HIGH]:
        return False
    shift = min(max(shift, f[o + SectionField.HOLD_LOW]), f[o + SectionField.HOLD_HIGH])
    s = (shift - f[o + SectionField.START]) * f[o + SectionField.PER_STEP]
    at = i[Head.SECTION_AT] + 2 * section
    j = min(max(int(s), 0), i[at + 1] - 1)
    s -= j
    c = i[Head.SPLINE] + POWERS * TABLE_ROW * (i[at] + j)
    out = i[Head.CONTACT]
    for k in range(columns):
        o0, o1, o2, o3 = c + k, c + TABLE_ROW + k, c + 2 * TABLE_ROW + k, c + 3 * TABLE_ROW + k
        f[out + k] = f[o0] + s * (f[o1] + s * (f[o2] + s * f[o3]))
    return True


@kernel(inner=True)
def wheel_motion(p, t, b, radius):
    """Motion of the wheelset b as its contacts see it."""
    f, i = p
    o = i[Head.MOTION] + ROW * b
    run = i[Head.RUN]
    speed = f[run + Run.SPEED] + f[run + Run.ACCELERATION] * t
    height = f[i[Head.BODY] + BodyField.SIZE * b + BodyField.Z]
    m = WheelMotion(
        speed, f[o + 1], height + f[o + 2], f[o + 3], f[o + 5],
        f[o + 7], f[o + 8], f[o + 9], f[o + 11], speed / radius + f[o + 10],
    )  # fmt: skip
    if i[Head.HAS_TRACK]:
        s = i[Head.CONTACT_SHIFT] + SHIFTS * b
        return WheelMotion(
            m.speed + f[s], m.y + f[s + 1], m.z + f[s + 2], m.roll + f[s + 3], m.yaw + f[s + 4],
            m.y_rate + f[s + 5], m.z_rate + f[s + 6], m.roll_rate + f[s + 7], m.yaw_rate + f[s + 8],
            m.spin + f[s + 9],
        )  # fmt: skip
    return m


@kernel(inner=True)
def lateral_place(p, b):
    """Lateral shift of wheelset b against the rails."""
    f, i = p
    y = f[i[Head.MOTION] + ROW * b + 1]
    if i[Head.HAS_TRACK]:
        y += f[i[Head.CONTACT_SHIFT] + SHIFTS * b + 1]
    return y


@kernel(inner=True)
def overlap_weight(p, bound, state, shift):
    """Share of the upper section in an overlap; stays within 0..1 where a trial step leaves it."""
    f = p[0]
    low = f[bound + state]
    width = f[bound + state + 1] - low
    if width <= 0.0:
        return 0.5
    return min(max((shift - low) / width, 0.0), 1.0)


@kernel(inner=True)
def wheel_force(p, t, w, part, mode):
    """Force of contact `part` (0 or 1, the second in overlaps only) of wheel w; refused: penetration is NaN."""
    f, i = p
    at = i[Head.WHEEL_AT] + WHEEL_INTS * w
    o = i[Head.WHEEL] + WheelField.SIZE * w
    b, state = i[at], mode[i[at + 1]]
    m = wheel_motion(p, t, b, f[o + WheelField.RADIUS])
    section = i[at + 2] + state // 2 + part
    weight = 1.0
    if state % 2 == 1:
        upper = overlap_weight(p, i[at + 3], state, m.y)
        weight = upper if part == 1 else 1.0 - upper
    if not read_row(p, section, m.y, SHORT_ROW):
        return WheelForce(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, nan)
    row = f[i[Head.CONTACT] : i[Head.CONTACT] + TABLE_ROW]
    return contact_force(row, m, weight, f[o + WheelField.FRICTION], f[o + WheelField.DAMPING])


@kernel(inner=True)
def add_wheel_forces(p, t, mode):
    """Contact forces on all wheelsets; false when a wheel is too far outside its section."""
    i = p[1]
    for w in range(i[Head.WHEELS]):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        b = i[at]
        parts = 2 if mode[i[at + 1]] % 2 == 1 else 1
        for part in range(parts):
            force = wheel_force(p, t, w, part, mode)
            if isnan(force.penetration):
                return False
            add_contact(p, b, force)
    return True


@kernel(inner=True)
def add_contact(p, b, force):
    """Loads of a contact force given in the wheelset's frame: force in the track frame, moment in the body's."""
    f, i = p
    o = i[Head.MOTION] + ROW * b
    load = i[Head.LOAD] + AXES * b
    row = i[Head.CONTACT]
    roll, yaw = f[o + 3], f[o + 5]
    wy, wz = f[row + 2], f[row + 3]
    f[load] += force.x - yaw * force.y
    f[load + 1] += force.y + yaw * force.x - roll * force.z
    f[load + 2] += force.z + roll * force.y
    f[load + 3] += wy * force.z - wz * force.y
    f[load + 4] += wz * force.x
    f[load + 5] -= wy * force.x


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
