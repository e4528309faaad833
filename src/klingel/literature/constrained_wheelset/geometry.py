"""Cones on circles: where the wheelset stands, in closed form.

The left cone touches the left rail where the distance of its generatrix from the centre of the rail's circle is R,
likewise on the right (Y: rail offset, b: wheel offset, K = b sin delta + r_0 cos delta + R, h = r_0 + z + R):

    -sin(delta + phi) (y - Y) + cos(delta + phi) h = K
     sin(delta - phi) (y + Y) + cos(delta - phi) h = K

These are linear in y and h, so the roll angle parametrises everything:

    y(phi) = (Y sin 2phi - 2 K sin delta sin phi) / sin 2delta
    h(phi) = (K cos phi - Y (sin^2 delta - sin^2 phi) / sin delta) / cos delta

Only phi(y) needs Newton's iteration, in one unknown. The contact angles are s21 = phi + delta and
s32 = phi - delta. These equations are B.9 with the profile parameters eliminated; the augmented form
does not use them.
"""

from math import cos, sin, tan
from typing import NamedTuple

from klingel._jit import kernel
from klingel.literature.constrained_wheelset.parameters import P

NEWTON_MOST = 20
ROLL_TOLERANCE = 1e-16  # last Newton update of the roll angle [rad]
LEFT, RIGHT = 1.0, -1.0  # side of a wheel, the sign of its y


class Stand(NamedTuple):
    """Dependent coordinates over y and their first and second derivatives."""

    roll: float  # phi [rad]
    roll_1: float  # d phi/dy [1/m]
    roll_2: float  # [1/m2]
    z: float  # [m]
    z_1: float  # dz/dy [-]
    z_2: float  # [1/m]
    found: bool  # whether Newton's iteration converged


@kernel
def stand(y, p):
    """z(y), phi(y)."""
    delta, offset = p[P.DELTA], p[P.Y_RAIL]
    sd, cd = sin(delta), cos(delta)
    s2d = 2.0 * sd * cd
    k = p[P.Y_WHEEL] * sd + p[P.R0] * cd + p[P.R_RAIL]
    roll = y * s2d / (2.0 * (offset - k * sd))
    found = False
    for _ in range(NEWTON_MOST):
        value = (offset * sin(2.0 * roll) - 2.0 * k * sd * sin(roll)) / s2d
        slope = 2.0 * (offset * cos(2.0 * roll) - k * sd * cos(roll)) / s2d
        step = (y - value) / slope
        roll += step
        if abs(step) <= ROLL_TOLERANCE + 4e-16 * abs(roll):
            found = True
            break
    s, c = sin(roll), cos(roll)
    y_1 = 2.0 * (offset * cos(2.0 * roll) - k * sd * c) / s2d
    y_2 = (-4.0 * offset * sin(2.0 * roll) + 2.0 * k * sd * s) / s2d
    h = (k * c - offset * (sd * sd - s * s) / sd) / cd
    h_1 = (-k * s + offset * sin(2.0 * roll) / sd) / cd
    h_2 = (-k * c + 2.0 * offset * cos(2.0 * roll) / sd) / cd
    roll_1 = 1.0 / y_1
    roll_2 = -y_2 * roll_1**3
    return Stand(
        roll,
        roll_1,
        roll_2,
        h - p[P.R0] - p[P.R_RAIL],
        h_1 * roll_1,
        h_2 * roll_1 * roll_1 + h_1 * roll_2,
        found,
    )


@kernel
def wheel_parameter(side, y, z, roll, p):
    """s11 (left) or s12 (right): how far the contact lies outside the section of radius r_0, along y [m]."""
    angle = roll + side * p[P.DELTA]
    across = side * p[P.Y_RAIL] - p[P.R_RAIL] * sin(angle) - y
    up = p[P.R_RAIL] * (cos(angle) - 1.0) - p[P.R0] - z
    return cos(roll) * across + sin(roll) * up - side * p[P.Y_WHEEL]


@kernel
def wheel_point(side, s, p):
    """Contact point in the axes of the wheelset, from its centre: lateral and vertical [m]."""
    return side * p[P.Y_WHEEL] + s, -p[P.R0] + side * s * tan(p[P.DELTA])
