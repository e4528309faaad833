"""Profiles of one piece: the conical wheel and the circular rail of the textbooks."""

from math import asin, pi

from klingel._errors import InputError
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.profile import Body, Profile


def cone(conicity: float, gauge_side: float = 0.038, field_side: float = 0.060) -> Profile:
    """Wheel z = -conicity y without a flange, with reach `gauge_side` and `field_side` [m]."""
    if not 0.0 <= conicity < 1.0:
        raise InputError("conicity", conicity, "must lie between 0 and 1")
    tread = make.line((-gauge_side, conicity * gauge_side), (field_side, -conicity * field_side))
    return Profile(f"cone {conicity:g}", Body.WHEEL, tread, "closed form")


def arc_wheel(radius: float, slope: float = 0.0, reach: float = 0.04) -> Profile:
    """Hollow wheel tread: an arc of `radius` [m], centre below, that falls with `slope` at the origin."""
    return _arc(f"hollow wheel R{radius:g}", Body.WHEEL, radius, slope, reach)


def arc_rail(radius: float, reach: float = 0.036) -> Profile:
    """Rail head of one arc of `radius` [m], `reach` to each side of the crown [m]."""
    return _arc(f"arc rail R{radius:g}", Body.RAIL, radius, 0.0, reach)


def _arc(name: str, body: Body, radius: float, slope: float, reach: float) -> Profile:
    if not radius > reach > 0.0:
        raise InputError("radius", radius, f"must exceed the reach of {reach:g} m")
    length = (1.0 + slope**2) ** 0.5
    # circle through the origin with slope -`slope` there, centre below
    centre = (radius * slope / length, radius / length)
    start = -pi / 2 + asin((-reach - centre[0]) / radius)
    end = -pi / 2 + asin((reach - centre[0]) / radius)
    return Profile(name, body, make.arc(centre, radius, start, end), "closed form")
