"""One contact of a wheel on a rail: normal force by Hertz with damping, creep forces by Shen, Hedrick and Elkins.

The geometry comes as a row of the contact table at the present lateral shift (`contact.wheel_table.Row`); in an
overlap of two sections each has a contact with its share `weight` of the load. With the motion of the wheelset
(lateral y, height z of its centre, roll, yaw, their rates, spin) and b the vector from wheel point to rail point
in the wheelset's frame,

    q = -b_y sin(delta) + b_z cos(delta)                              penetration
    q' = (y' - roll' w_z) sin(delta) - (z' + roll' w_y) cos(delta)    w: the wheel point
    N = weight (HERTZ q^1.5 + d q'),   clamped at zero                lift-off stays inside this law
    xi, eta, phi                                                      equations 2.21 to 2.23
    T = Shen-Hedrick-Elkins(xi, eta, phi, q, mu N)

Products of roll with y and z are kept in q: dropping them costs tens of micrometres when the flange climbs.

Source: Hoffmann (2006), sections 2.2.1, 2.2.2 and 2.2.4.
"""

from math import sqrt
from typing import NamedTuple

from klingel._jit import kernel
from klingel.contact.saturation import factor
from klingel.contact.wheel_table import Row


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


class WheelForce(NamedTuple):
    """In the wheelset's frame: force, its normal part, creep part, penetration."""

    x: float
    y: float
    z: float
    normal: float
    creep_x: float
    creep_y: float
    penetration: float


@kernel(inner=True)
def penetration(row, m):
    """Depth of the wheel point below the rail surface, along the contact normal [m]."""
    sine, cosine = m.roll, 1.0 - 0.5 * m.roll * m.roll
    away_y, away_z = row[Row.RAIL_Y] - m.y, row[Row.RAIL_Z] - m.z
    b_y = cosine * away_y + sine * away_z - row[Row.WHEEL_Y]
    b_z = cosine * away_z - sine * away_y - row[Row.WHEEL_Z]
    return b_z * row[Row.COS] - b_y * row[Row.SIN]


@kernel(inner=True)
def penetration_rate(row, m):
    up = m.z_rate + m.roll_rate * row[Row.WHEEL_Y]
    aside = m.y_rate - m.roll_rate * row[Row.WHEEL_Z]
    return aside * row[Row.SIN] - up * row[Row.COS]


@kernel(inner=True)
def contact_force(row, m, weight, friction, damping):
    """Force of the rail on the wheel, in the wheelset's frame."""
    q = penetration(row, m)
    if q <= 0.0:
        return WheelForce(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, q)
    root = sqrt(q)
    normal = weight * (row[Row.HERTZ] * q * root + damping * penetration_rate(row, m))
    if normal <= 0.0:
        return WheelForce(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, q)
    xi = 1.0 + (m.spin * row[Row.WHEEL_Z] - m.yaw_rate * row[Row.WHEEL_Y]) / m.speed
    eta = (m.y_rate - m.speed * m.yaw - m.roll_rate * row[Row.WHEEL_Z]) / (m.speed * row[Row.COS])
    phi = (m.yaw_rate * row[Row.COS] - m.spin * row[Row.SIN]) / m.speed
    share = weight * q
    tx = row[Row.G11] * share * xi
    ty = row[Row.G22] * share * eta + row[Row.G23] * share * sqrt(share) * phi
    scale = -factor(sqrt(tx * tx + ty * ty) / (friction * normal))
    tx *= scale
    ty *= scale
    y = ty * row[Row.COS] - normal * row[Row.SIN]
    z = ty * row[Row.SIN] + normal * row[Row.COS]
    return WheelForce(tx, y, z, normal, tx, ty, q)
