"""First-order contact geometry of de Pater's section 3 for circular profiles, in closed form but for the roll.

Axes: x forward, y to the right, z down; side j = 1 right (upper signs), j = 2 left. Profiles, with the angle
gamma of the contact plane as parameter and gamma_0 that of the central position:

    rail   eta  = R  (sin gamma  - sin gamma_0),   zeta  = R  (cos gamma_0 - cos gamma)
    wheel  eta* = R* (sin gamma* - sin gamma_0),   zeta* = R* (cos gamma_0 - cos gamma*)

The corrected equations (3-34),

    r phi -+ (eta - eta*) = v,   w +- b phi = zeta - zeta*,   gamma* = gamma +- phi,

leave one for the roll: for given v and phi the first one is a sine equation for gamma on each side, and the
second ones must agree. The rates are the corrected (3-40), for which J*^T D_n = 0 holds exactly; they differ
from the derivatives of the solution by terms of first order.

    phi_v = -(tan g1 + tan g2)/(b1 + b2),   w_v = -b (tan g1 - tan g2)/(b1 + b2),   b_j = b - r tan g_j

Second contact (section 9): flange cone of angle gamma_f against the round gauge corner of a rail that is moved
outwards by delta; the same three equations for the third point give gamma_3 = gamma_f - phi and delta.
"""

from math import asin, atan2, cos, sin, sqrt, tan
from typing import NamedTuple

from klingel._jit import kernel
from klingel.literature.de_pater.layout import P

ROUNDS = 20  # of Newton's iteration for the roll, which needs four
SOLVED = 1e-15  # last change of the roll [rad]
RIGHT, LEFT = 1.0, -1.0


class Side(NamedTuple):
    """One tread contact for given shift and roll."""

    angle: float  # gamma [rad]
    gap: float  # zeta - zeta* [m]
    radius: float  # zeta*, rolling radius less r [m]
    angle_v: float  # derivatives by shift and by roll
    angle_roll: float
    gap_v: float
    gap_roll: float


class Tread(NamedTuple):
    """Both tread contacts at one lateral shift."""

    roll: float  # phi [rad]
    height: float  # w, down [m]
    angle_1: float  # gamma_1, gamma_2 [rad]
    angle_2: float
    radius_1: float  # zeta*_1, zeta*_2 [m]
    radius_2: float
    roll_v: float  # (3-40)
    height_v: float
    roll_vv: float  # derivatives of (3-40) along the shift
    height_vv: float
    angle_1_v: float  # derivative of gamma_1 along the shift [rad/m]
    found: bool


class Flange(NamedTuple):
    """The second contact of one side, on a rail moved so far that it just touches."""

    angle: float  # gamma_3 [rad]
    radius: float  # zeta*_3 [m]
    overlap: float  # delta, outwards; negative: the flange is away from the rail at rest [m]
    overlap_v: float  # rate of delta per rate of v: no relative speed along the normal


@kernel
def side_contact(side, v, roll, p):
    rail, wheel, r = p[P.RAIL], p[P.WHEEL], p[P.R]
    s0, c0 = sin(p[P.GAMMA]), cos(p[P.GAMMA])
    turn = side * roll
    a, b = wheel * cos(turn) - rail, wheel * sin(turn)
    apart = side * (r * roll - v)  # eta - eta*
    sine = ((wheel - rail) * s0 - apart) / sqrt(a * a + b * b)
    angle = asin(sine) - atan2(b, a)
    sg, cg = sin(angle), cos(angle)
    sw, cw = sin(angle + turn), cos(angle + turn)
    slope = a * cg - b * sg
    angle_v = side / slope
    angle_roll = -side * (r + (a + rail) * cg - b * sg) / slope
    return Side(
        angle,
        rail * (c0 - cg) - wheel * (c0 - cw),
        wheel * (c0 - cw),
        angle_v,
        angle_roll,
        (rail * sg - wheel * sw) * angle_v,
        rail * sg * angle_roll - wheel * sw * (angle_roll + side),
    )


@kernel
def tread(v, p):
    """Contact of both treads at the lateral shift v."""
    roll = -v * tan(p[P.GAMMA]) / p[P.B]
    found = False
    one = side_contact(RIGHT, v, roll, p)
    two = side_contact(LEFT, v, roll, p)
    for _ in range(ROUNDS):
        step = (one.gap - two.gap - 2.0 * p[P.B] * roll) / (2.0 * p[P.B] - one.gap_roll + two.gap_roll)
        roll += step
        one = side_contact(RIGHT, v, roll, p)
        two = side_contact(LEFT, v, roll, p)
        if abs(step) <= SOLVED:
            found = True
            break
    true_roll_v = (one.gap_v - two.gap_v) / (2.0 * p[P.B] - one.gap_roll + two.gap_roll)
    t1, t2 = tan(one.angle), tan(two.angle)
    t1_v = (one.angle_v + one.angle_roll * true_roll_v) * (1.0 + t1 * t1)
    t2_v = (two.angle_v + two.angle_roll * true_roll_v) * (1.0 + t2 * t2)
    total, apart = t1 + t2, t1 - t2
    arms = 2.0 * p[P.B] - p[P.R] * total
    return Tread(
        roll,
        0.5 * (one.gap + two.gap),
        one.angle,
        two.angle,
        one.radius,
        two.radius,
        -total / arms,
        -p[P.B] * apart / arms,
        -(t1_v + t2_v) * 2.0 * p[P.B] / (arms * arms),
        -p[P.B] * ((t1_v - t2_v) * arms + p[P.R] * apart * (t1_v + t2_v)) / (arms * arms),
        one.angle_v + one.angle_roll * true_roll_v,
        found,
    )


@kernel
def flange(side, v, at, p):
    """Second contact of one side; `at` is the tread contact there."""
    roll = side * at.roll
    angle = p[P.FLANGE] - roll
    corner = p[P.CORNER]
    radius = p[P.CORNER_Z] - corner * cos(angle) - at.height - p[P.B] * roll
    overlap = side * v - p[P.R] * roll + p[P.OFFSET] + corner * sin(angle) - radius / p[P.TAN_FLANGE]
    slope = tan(angle)
    rate = side * (1.0 - p[P.R] * at.roll_v + p[P.B] * at.roll_v / slope) + at.height_v / slope
    return Flange(angle, radius, overlap, rate)
