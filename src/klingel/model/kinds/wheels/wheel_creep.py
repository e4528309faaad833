"""Wheels with another creep law than the usual one, or with terms that are usually left out.

The pass over all wheels (`wheel`) has the law of Shen, Hedrick and Elkins built in. Where a wheelset asks for
something else its tangential forces are computed anew here, wheel by wheel, from the same penetration and normal
force, and put in the place of the usual ones. Vehicles without such wheelsets never come here.

=============  ==================================================================================================
field          what it does
=============  ==================================================================================================
LAW            number of the law in `contact.creep.catalogue`, -1 for a wheelset as usual
ALONG          1: the speed of the wheelset along the track, dx/dt, is in the longitudinal creepage
MOMENT         1: spin moment about the contact normal. Laws without one get Kalker's linear moment
               G c^3 C23 eta - G c^4 C33 phi, reduced as the force is against its linear value
EQUIVALENT     1: the two contacts of an overlap creep as one patch, see `contact.patch.equivalent_patch`; its
               tangential force acts at its point, Kalker's coefficients are weighted by the loads
APART          scratch: what the wheel turns faster than the mean of its wheelset, see `wheel_turning` [rad/s]
=============  ==================================================================================================
"""

from enum import IntEnum
from math import exp, log, sqrt

from klingel._jit import kernel
from klingel.contact.creep import catalogue, fastsim_table, linear
from klingel.contact.creep.creepage import Creepage, CreepForce, Patch, Settings
from klingel.contact.table.wheel_table import Row
from klingel.elements.wheel_contact import ContactRow, creepage
from klingel.model.bodies.motion import LANES, RATES, ROW
from klingel.model.kinds.wheels import wheel_states
from klingel.model.kinds.wheels.wheel import seen_by
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, PART, WHEEL_INTS, Lane
from klingel.model.kinds.wheels.wheel_states import table_value
from klingel.model.system import Head

AS_USUAL = -1.0
SHAPES, SIZES, SIDES = fastsim_table.SHAPES, fastsim_table.SIZES, fastsim_table.SIDES
STRIPS, CELLS = 20, 20  # grid of FASTSIM


class Creep(IntEnum):
    """Of one wheel."""

    LAW, ALONG, MOMENT, EQUIVALENT, APART = range(5)
    SIZE = 5


@kernel(inner=True)
def section_of(p, w, part):
    """Section of the contact table that a contact is in, and whether the wheel has two contacts."""
    f, i = p
    first = i[Head.LANES] + BLOCK * (w // LANES) + w % LANES
    state = int(f[first + LANES * Lane.STATE])
    return i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 2] + (state >> 1) + part * (state & 1), state & 1 == 1


@kernel(inner=True)
def ellipse(p, w, part, y):
    """Patch of one contact under its load, from what the usual pass has left."""
    f, i = p
    s = i[Head.LANES] + BLOCK * (w // LANES) + PART * part + w % LANES
    section, _ = section_of(p, w, part)
    rise = (y - f[s + LANES * Lane.OVERLAP_LOW]) * f[s + LANES * Lane.PER_OVERLAP]
    weight = min(max(f[s + LANES * Lane.WEIGHT] + rise, 0.0), f[s + LANES * Lane.MOST])
    inside = wheel_states.inside_section(p, w, part, int(f[s - PART * part + LANES * Lane.STATE]), y)
    ratio, c33 = table_value(p, section, inside, Row.RATIO), table_value(p, section, inside, Row.C33)
    shear = table_value(p, section, inside, Row.G11) / (
        table_value(p, section, inside, Row.AREA) * table_value(p, section, inside, Row.C11)
    )
    per_depth = table_value(p, section, y, Row.AREA)
    product = per_depth * weight * max(f[s + LANES * Lane.PENETRATION], 0.0)
    a = sqrt(product * ratio)
    # linear forces are those of the usual pass, whose columns go on beyond a jump by themselves
    c11 = table_value(p, section, y, Row.G11) / (shear * per_depth)
    c22 = table_value(p, section, y, Row.G22) / (shear * per_depth)
    c23 = table_value(p, section, y, Row.G23) / (shear * per_depth * sqrt(per_depth))
    b = product / a if a > 0.0 else 0.0
    load, friction = f[s + LANES * Lane.NORMAL], f[s + LANES * Lane.FRICTION]
    return Patch(a, b, load, friction, shear, c11, c22, c23, c33)


@kernel(inner=True)
def geometry(p, w, part, y):
    """Sine and cosine of the contact angle, wheel point of one contact."""
    section, _ = section_of(p, w, part)
    return (
        table_value(p, section, y, Row.SIN),
        table_value(p, section, y, Row.COS),
        table_value(p, section, y, Row.WHEEL_Y),
        table_value(p, section, y, Row.WHEEL_Z),
    )


@kernel(inner=True)
def joined(one, two):
    """One patch for two: area and shape as in `equivalent_patch`, coefficients weighted by the loads."""
    total = one.load + two.load
    share = two.load / total
    if not share > 0.0:
        return one
    if not share < 1.0:
        return two
    product = one.a * one.b + two.a * two.b
    ratio = exp((1.0 - share) * log(one.a / one.b) + share * log(two.a / two.b))
    return Patch(
        sqrt(product * ratio), sqrt(product / ratio), total, one.friction, one.shear_modulus,
        one.c11 + share * (two.c11 - one.c11), one.c22 + share * (two.c22 - one.c22),
        one.c23 + share * (two.c23 - one.c23), one.c33 + share * (two.c33 - one.c33),
    )  # fmt: skip


@kernel(inner=True)
def tangential(p, w, patch, slip):
    """Creep force and spin moment of one patch by the law of its wheel."""
    f, i = p
    o = i[Head.CREEP] + Creep.SIZE * w
    law = int(f[o + Creep.LAW])
    first = i[Head.CREEP_TABLE]
    shapes = SHAPES if law == catalogue.Law.FASTSIM_TABLE else 0  # without its table there are none
    size = 6 * shapes * SIZES * SIDES * SIDES * 3
    table = f[first : first + size].reshape((6, shapes, SIZES, SIDES, SIDES, 3))
    found = catalogue.force(law, slip, patch, Settings(STRIPS, CELLS, 1.0, 1.0, 1.0, 0.0, 0.0, table))
    if f[o + Creep.MOMENT] == 0.0:
        return CreepForce(found.fx, found.fy, 0.0)
    if law == catalogue.Law.LINEAR or law == catalogue.Law.FASTSIM or law == catalogue.Law.FASTSIM_TABLE:
        return found
    full = linear.force(slip, patch, 0)
    square = full.fx * full.fx + full.fy * full.fy
    left = sqrt((found.fx * found.fx + found.fy * found.fy) / square) if square > 0.0 else 1.0
    return CreepForce(found.fx, found.fy, left * full.mz)


@kernel(inner=True)
def slip_at(p, t, w, sine, cosine, wheel_y, wheel_z):
    f, i = p
    m, _, _ = seen_by(p, t, w)
    found = creepage(ContactRow(sine, cosine, wheel_y, wheel_z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), m)
    apart = f[i[Head.CREEP] + Creep.SIZE * w + Creep.APART] / m.speed
    body = i[i[Head.WHEEL_AT] + WHEEL_INTS * w]
    along = f[i[Head.CREEP] + Creep.SIZE * w + Creep.ALONG] * f[i[Head.MOTION] + ROW * body + RATES] / m.speed
    return Creepage(found.longitudinal + along + apart * wheel_z, found.lateral, found.spin - apart * sine)


@kernel(inner=True)
def put(p, t, w, part, tx, ty, mz, at_sine, at_cosine, at_y, at_z):
    """Force and moment of one contact on its wheelset: its own normal force, a creep force at the given point."""
    f, i = p
    s = i[Head.LANES] + BLOCK * (w // LANES) + PART * part + w % LANES
    m, roll, yaw = seen_by(p, t, w)
    sine, cosine, wheel_y, wheel_z = geometry(p, w, part, m.y)
    normal = f[s + LANES * Lane.NORMAL]
    ny, nz = -normal * sine, normal * cosine
    cy, cz = ty * at_cosine, ty * at_sine
    x, y, z = tx, ny + cy, nz + cz
    f[s + LANES * Lane.FORCE_X] = x - yaw * y
    f[s + LANES * Lane.FORCE_Y] = y + yaw * x - roll * z
    f[s + LANES * Lane.FORCE_Z] = z + roll * y
    f[s + LANES * Lane.MOMENT_X] = (wheel_y * nz - wheel_z * ny) + (at_y * cz - at_z * cy)
    f[s + LANES * Lane.MOMENT_Y] = at_z * tx - mz * at_sine
    f[s + LANES * Lane.MOMENT_Z] = -at_y * tx + mz * at_cosine
    f[s + LANES * Lane.CREEP_X] = tx
    f[s + LANES * Lane.CREEP_Y] = ty


@kernel(inner=True)
def renew(p, t, w, part):
    """Tangential force of one contact by the law of its wheel, in the place of the usual one."""
    f, i = p
    o = i[Head.CREEP] + Creep.SIZE * w
    if i[Head.CREEP_WHEELS] == 0 or f[o + Creep.LAW] == AS_USUAL:
        return
    m, _, _ = seen_by(p, t, w)
    _, two = section_of(p, w, part)
    patch = ellipse(p, w, part, m.y)
    sine, cosine, y, z = geometry(p, w, part, m.y)
    if two and f[o + Creep.EQUIVALENT] > 0.0:
        other = ellipse(p, w, 1 - part, m.y)
        if part == 1:
            if other.load > 0.0:
                put(p, t, w, part, 0.0, 0.0, 0.0, sine, cosine, y, z)
                return
        elif patch.load > 0.0 and other.load > 0.0:
            sine2, cosine2, y2, z2 = geometry(p, w, 1, m.y)
            across, up = patch.load * sine + other.load * sine2, patch.load * cosine + other.load * cosine2
            moment = patch.load * (y * cosine + z * sine) + other.load * (y2 * cosine2 + z2 * sine2)
            share = other.load / (patch.load + other.load)
            y, z = y + share * (y2 - y), z + share * (z2 - z)
            force = sqrt(across * across + up * up)
            way = (moment - (y * up + z * across)) / force
            sine, cosine = across / force, up / force
            y, z = y + way * cosine, z + way * sine
            patch = joined(patch, other)
    if not patch.load > 0.0 or not patch.a * patch.b > 0.0:
        put(p, t, w, part, 0.0, 0.0, 0.0, sine, cosine, y, z)
        return
    found = tangential(p, w, patch, slip_at(p, t, w, sine, cosine, y, z))
    put(p, t, w, part, found.fx, found.fy, found.mz, sine, cosine, y, z)


@kernel(inner=True)
def renew_all(p, t):
    """All wheels that ask for it, both contacts where there are two."""
    i = p[1]
    for w in range(i[Head.CREEP_WHEELS]):
        _, two = section_of(p, w, 0)
        renew(p, t, w, 0)
        if two:
            renew(p, t, w, 1)
