"""One contact of a wheel on a rail: normal force by Hertz with damping, creep forces by Shen, Hedrick and Elkins.

The geometry comes as a row of the contact table at the present lateral shift (`wheel_table.Row`); in an
overlap of two sections each has a contact with its share `weight` of the load. With the motion of the wheelset
(lateral y, height z of its centre, roll, yaw, their rates, spin) and b the vector from wheel point to rail point
in the wheelset's frame,

    q = -b_y sin(delta) + b_z cos(delta)                              penetration
    q' = (y' - roll' w_z) sin(delta) - (z' + roll' w_y) cos(delta)    w: the wheel point
    N = weight (HERTZ q^1.5 + d q'),   clamped at zero                lift-off stays inside this law
    xi, eta, phi                                                      equations 2.21 to 2.23
    T = Shen-Hedrick-Elkins(xi, eta, phi, q, mu N)

Products of roll with y and z are kept in q: dropping them costs tens of micrometres when the flange climbs.

The law has no branches, only choices between computed values: several wheels then go through it at once, one per
lane of a vector register.

Source: Hoffmann (2006), sections 2.2.1, 2.2.2 and 2.2.4.
"""

from math import sqrt
from typing import NamedTuple

from klingel._jit import kernel

SMALLEST = 1e-300  # keeps the quotient of creep force and friction limit a number when both vanish


class WheelMotion(NamedTuple):
    """What a contact sees of its wheelset, relative to the rails."""

    speed: float  # V [m/s]
    y: float  # lateral [m]
    z: float  # height of the centre above the rail tops [m]
    roll: float
    yaw: float
    y_rate: float
    z_rate: float
    roll_rate: float
    yaw_rate: float
    spin: float  # full, V/r0 included [rad/s]


class ContactRow(NamedTuple):
    """The columns of the table this law needs, in the order of `contact.table.wheel_table.Row`."""

    sine: float  # of the contact angle
    cosine: float
    wheel_y: float  # contact point on the wheel, its frame [m]
    wheel_z: float
    rail_y: float  # contact point on the rail, track frame [m]
    rail_z: float
    hertz: float  # [N/m^1.5]
    g11: float  # [N/m]
    g22: float  # [N/m]
    g23: float  # [N/m^0.5]


class WheelForce(NamedTuple):
    """In the wheelset's frame: force of the rail on the wheel, its normal part, its creep part, penetration."""

    x: float
    y: float
    z: float
    normal: float
    creep_x: float
    creep_y: float
    penetration: float


class Creepage(NamedTuple):
    longitudinal: float
    lateral: float
    spin: float  # [1/m]


@kernel(inlined=True)
def penetration(row, m):
    """Depth of the wheel point below the rail surface, along the contact normal [m]."""
    sine, cosine = m.roll, 1.0 - 0.5 * m.roll * m.roll
    away_y, away_z = row.rail_y - m.y, row.rail_z - m.z
    b_y = cosine * away_y + sine * away_z - row.wheel_y
    b_z = cosine * away_z - sine * away_y - row.wheel_z
    return b_z * row.cosine - b_y * row.sine


@kernel(inlined=True)
def penetration_rate(row, m):
    up = m.z_rate + m.roll_rate * row.wheel_y
    aside = m.y_rate - m.roll_rate * row.wheel_z
    return aside * row.sine - up * row.cosine


@kernel(inlined=True)
def creepage(row, m):
    per_speed = 1.0 / m.speed
    xi = 1.0 + (m.spin * row.wheel_z - m.yaw_rate * row.wheel_y) * per_speed
    eta = ((m.y_rate - m.roll_rate * row.wheel_z) * per_speed - m.yaw) / row.cosine
    phi = (m.yaw_rate * row.cosine - m.spin * row.sine) * per_speed
    return Creepage(xi, eta, phi)


@kernel(inlined=True)
def contact_force(row, m, weight, friction, damping):
    """Force of the rail on the wheel, in the wheelset's frame."""
    depth = penetration(row, m)
    q = max(depth, 0.0)
    root = sqrt(q)
    normal = weight * (row.hertz * q * root + damping * penetration_rate(row, m))
    normal = normal if (q > 0.0) & (normal > 0.0) else 0.0
    xi, eta, phi = creepage(row, m)
    share = weight * q
    tx = row.g11 * share * xi
    ty = row.g22 * share * eta + row.g23 * share * (root * sqrt(weight)) * phi
    # `saturation.factor`, with divisions that do not wait for the root
    limit, square = friction * normal, max(tx * tx + ty * ty, SMALLEST)
    size = sqrt(square)
    tau = size * (1.0 / max(limit, SMALLEST))
    scale = 1.0 + tau * (tau * (1.0 / 27.0) - 1.0 / 3.0) if tau < 3.0 else limit * size * (1.0 / square)
    scale = -scale if normal > 0.0 else 0.0
    tx *= scale
    ty *= scale
    y = ty * row.cosine - normal * row.sine
    z = ty * row.sine + normal * row.cosine
    return WheelForce(tx, y, z, normal, tx, ty, depth)
