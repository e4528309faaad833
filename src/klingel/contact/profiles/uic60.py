"""UIC60 / 60E1 rail head: arcs of 300, 80 and 13 mm and a 1:20 side, tangent to each other.

Source: EN 13674-1, drawing of the 60E1. What is given there is the radii, the side of slope 1:20 and its
upper end 36 mm beside and 14.3 mm below the crown. Tangency then fixes everything else; the printed chords
of 20.456 mm (R300) and 52.053 mm (R80/R13) come out as 20.45604 and 52.05345.

With e the unit vector into the rail, normal to the side at its upper end (36, 14.3): centre 13 = end + 13 e.
Centre 300 = (0, 300). Centre 80 lies at distance 80 - 13 from centre 13 and at 300 - 80 from centre 300.
"""

from math import atan2, cos, hypot, pi, sin, sqrt

from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.pieces import Pieces
from klingel.contact.profiles.profile import Body, Profile

CROWN, SHOULDER, CORNER = 300.0, 80.0, 13.0  # radii [mm]
SIDE_SLOPE = 0.05  # dy/dz of the side
SIDE_TOP = (36.0, 14.3)  # upper end of the side [mm]
SIDE_DEPTH = 30.0  # how far below the crown the side is kept [mm]; below it the head is undercut


def head(side_top: tuple[float, float] = SIDE_TOP) -> Pieces:
    """The whole head [mm], tangent by construction."""
    length = hypot(1.0, SIDE_SLOPE)
    corner = (side_top[0] - CORNER / length, side_top[1] + CORNER * SIDE_SLOPE / length)
    crown = (0.0, CROWN)
    shoulder = _between(crown, CROWN - SHOULDER, corner, SHOULDER - CORNER)
    # angle of the normal at each joint, from +y towards +z; up is -90 degrees
    first = atan2(shoulder[1] - crown[1], shoulder[0] - crown[0])
    second = atan2(corner[1] - shoulder[1], corner[0] - shoulder[0])
    third = atan2(-SIDE_SLOPE, 1.0)
    foot = (side_top[0] + SIDE_SLOPE * (SIDE_DEPTH - side_top[1]), SIDE_DEPTH)
    start = (corner[0] + CORNER * cos(third), corner[1] + CORNER * sin(third))
    field = make.join(
        make.arc(shoulder, SHOULDER, first, second),
        make.arc(corner, CORNER, second, third),
        make.line(start, foot),
    )
    return make.join(make.mirrored(field), make.arc(crown, CROWN, -pi - first, first), field)


def _between(a: tuple[float, float], from_a: float, b: tuple[float, float], from_b: float) -> tuple[float, float]:
    """The point at two given distances from `a` and `b`, on the side of the rail axis."""
    dy, dz = b[0] - a[0], b[1] - a[1]
    distance = hypot(dy, dz)
    along = (from_a**2 - from_b**2 + distance**2) / (2.0 * distance)
    across = sqrt(from_a**2 - along**2)
    y, z = a[0] + along * dy / distance, a[1] + along * dz / distance
    return y + across * dz / distance, z - across * dy / distance


def uic60() -> Profile:
    """The profile in metres, symmetric, crown at the origin."""
    return Profile("UIC60", Body.RAIL, make.scaled(head(), 1e-3), "EN 13674-1 drawing 60E1, by tangency")
