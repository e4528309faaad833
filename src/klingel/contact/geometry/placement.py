"""Two wheels on an axle and two rails on a sleeper: profiles put where they belong.

Track frame: x forward, y to the left, z up, origin midway between the rails at the height of their tops.
Every side is computed as if it were the left one, with lateral coordinates outwards: the right side is the
left side of the mirrored track, so that mirrored input gives mirrored output.

A rail is turned by atan(inclination) towards the track centre, its highest point put to z = 0, and shifted
until the smallest distance to the track centre within `gauge_depth` below its top is half the gauge.
"""

from dataclasses import dataclass

import numpy as np

from klingel._errors import InputError
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.curve import evaluate, sample
from klingel.contact.profiles.pieces import Pieces
from klingel.contact.profiles.profile import Body, Profile

STEEPEST = 0.02  # smallest cosine of the slope angle that a wheel can touch from above: 88.9 degrees
SPLINTER = 0.4  # part of the width of a measured profile that must be seen
MANY = 50  # pieces: a profile with more was made from points
PER_PIECE = 64  # samples of a piece when looking for tops and walls


@dataclass(frozen=True)
class WheelPair:
    left: Profile
    right: Profile | None = None  # as left if not given
    flange_back: float = 1.360  # distance of the flange backs [m]
    datum: float = 0.070  # flange back to nominal running circle [m]
    radius: float = 0.460  # nominal rolling radius r0 [m]
    radius_right: float | None = None  # of the right wheel, where it differs [m]

    def __post_init__(self) -> None:
        _check_body("left wheel", self.left, Body.WHEEL)
        _check_body("right wheel", self.right or self.left, Body.WHEEL)
        for field, least, most in (("flange_back", 0.3, 3.0), ("datum", 0.0, 0.2), ("radius", 0.05, 2.0)):
            _check_range(field, getattr(self, field), least, most)

    @property
    def arm(self) -> float:
        """Distance of the running circles from the middle of the axle [m]."""
        return 0.5 * self.flange_back + self.datum

    def placed(self) -> tuple[Pieces, Pieces]:
        """Left and right wheel: axial distance outwards from the middle of the axle, and radius."""
        other = self.radius if self.radius_right is None else self.radius_right
        return _on_axle(self.left, self.arm, self.radius), _on_axle(self.right or self.left, self.arm, other)


@dataclass(frozen=True)
class RailPair:
    left: Profile
    right: Profile | None = None  # as left if not given
    inclination: float = 1 / 40  # towards the track centre
    right_inclination: float | None = None  # as the left one if not given
    gauge: float = 1.435  # [m]
    gauge_depth: float = 0.014  # how far below the rail top the gauge is measured [m]
    axis: float | None = None  # where the profile origins lie beside the track centre [m]; instead of the gauge

    def __post_init__(self) -> None:
        _check_body("left rail", self.left, Body.RAIL)
        _check_body("right rail", self.right or self.left, Body.RAIL)
        _check_range("inclination", self.inclination, -0.2, 0.2)
        _check_range("gauge", self.gauge, 0.3, 3.0)
        _check_range("gauge_depth", self.gauge_depth, 0.0, 0.05)

    def placed(self) -> tuple[Pieces, Pieces]:
        """Left and right rail: lateral distance outwards from the track centre, and height; visible part."""
        other = self.inclination if self.right_inclination is None else self.right_inclination
        left = _on_sleeper(self.left, self.inclination, self)
        return left, _on_sleeper(self.right or self.left, other, self)


def _check_body(field: str, profile: Profile, body: Body) -> None:
    if profile.body != body:
        raise InputError(
            field, f"{profile.name} (a {profile.body.name.lower()})", f"must be a {body.name.lower()}"
        )


def _check_range(field: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise InputError(field, value, f"must lie between {least:g} and {most:g}")


def _on_axle(profile: Profile, arm: float, radius: float) -> Pieces:
    wheel = make.moved(profile.pieces, arm, radius)
    lowest = _extreme(wheel, 1.0)
    return _cut(profile, wheel, lowest)


def _on_sleeper(profile: Profile, inclination: float, pair: RailPair) -> Pieces:
    rail = make.flipped(profile.inclined(inclination).pieces)
    top = _extreme(rail, 1.0)
    rail = make.moved(rail, 0.0, -evaluate(rail, top)[1])
    if pair.axis is None:
        rail = make.moved(rail, 0.5 * pair.gauge - _gauge_face(profile, rail, top, pair.gauge_depth), 0.0)
    else:
        rail = make.moved(rail, pair.axis, 0.0)
    return _cut(profile, rail, top)


def _cut(profile: Profile, placed: Pieces, inside: float) -> Pieces:
    """The part that a body can touch from above or below, around its highest or lowest point.

    Noise makes a curve through all points turn back on itself: what is left then is a splinter.
    """
    seen = make.cut(placed, *_visible(placed, inside))
    width = float(np.ptp(make.ends(seen)[:, 0]))
    if width < SPLINTER * profile.width and len(profile.pieces) > MANY:
        given = f"{1e3 * width:.3g} mm of {1e3 * profile.width:.3g} mm"
        allowed = (
            "must be seen as a whole, but the curve through its points turns back on itself: smooth them, give "
            "their noise as residual (profile_residual, rail_residual in files)"
        )
        raise InputError(f"profile {profile.name}", given, allowed)
    return seen


def _grid(pieces: Pieces) -> np.ndarray:
    return np.linspace(0.0, len(pieces), PER_PIECE * len(pieces) + 1)


def _samples(pieces: Pieces, t: np.ndarray) -> np.ndarray:
    """Rows of (y, z, dy, dz, ddy, ddz) at the parameters."""
    rows = np.empty((t.size, 6))
    sample(pieces, t, rows)
    return rows


def _extreme(pieces: Pieces, sign: float) -> float:
    """Parameter of the point with the largest sign * z."""
    t = _grid(pieces)
    i = int(np.argmax(sign * _samples(pieces, t)[:, 1]))
    low, high = t[max(i - 1, 0)], t[min(i + 1, t.size - 1)]
    slopes = [evaluate(pieces, value)[3] for value in (low, high)]
    if slopes[0] * slopes[1] >= 0.0:
        return float(t[i])
    return _root(lambda value: evaluate(pieces, value)[3], low, high)


def _root(function, low: float, high: float) -> float:
    """By bisection, to the last digit."""
    rises = function(high) > 0.0
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return float(middle)
        if (function(middle) > 0.0) == rises:
            high = middle
        else:
            low = middle


def _steepness(pieces: Pieces, t: float) -> float:
    _, _, dy, dz, _, _ = evaluate(pieces, t)
    return dy / np.hypot(dy, dz) - STEEPEST


def _visible(pieces: Pieces, inside: float) -> tuple[float, float]:
    """Ends of the part around `inside` where y grows along the curve."""
    t = _grid(pieces)
    _, _, dy, dz, _, _ = _samples(pieces, t).T
    seen = dy / np.hypot(dy, dz) > STEEPEST
    centre = int(np.clip(np.round(inside * PER_PIECE), 0, t.size - 1))
    below, above = np.flatnonzero(~seen[:centre]), np.flatnonzero(~seen[centre:])
    low, high = 0.0, float(len(pieces))
    if below.size:
        low = _wall(pieces, float(t[below[-1]]), float(t[below[-1] + 1]))
    if above.size:
        high = _wall(pieces, float(t[centre + above[0] - 1]), float(t[centre + above[0]]))
    return low, high


def _wall(pieces: Pieces, low: float, high: float) -> float:
    """Where the curve becomes too steep; at a joint the steepness may jump."""
    low_end, high_end = _steepness(pieces, low), _steepness(pieces, high)
    if low_end * high_end >= 0.0:
        return low if low_end > 0.0 else high
    return _root(lambda value: _steepness(pieces, value), low, high)


def _gauge_face(profile: Profile, rail: Pieces, top: float, depth: float) -> float:
    """Smallest outward distance of the rail within `depth` below its top."""
    t = np.append(_grid(rail)[_grid(rail) < top], top)[::-1]
    points = _samples(rail, t)[:, :2]
    below = np.flatnonzero(points[:, 1] < -depth)
    if below.size == 0:
        reach = -points[:, 1].min()
        allowed = f"must not be deeper than the gauge side of {profile.name}, {reach:.4g} m, or give the rail axis"
        raise InputError("gauge_depth", depth, allowed)
    last = int(below[0])
    at_depth = _root(lambda value: evaluate(rail, value)[1] + depth, t[last], t[last - 1])
    zone = points[:last, 0]
    nearest = evaluate(rail, at_depth)[0]
    if zone.min() >= nearest:
        return nearest
    # undercut: the closest point is where the face stands upright
    i = int(np.argmin(zone))
    ahead, behind = t[max(i - 1, 0)], t[min(i + 1, t.size - 1)]
    upright = [evaluate(rail, value)[2] for value in (behind, ahead)]
    if upright[0] * upright[1] >= 0.0:
        return float(zone[i])
    return evaluate(rail, _root(lambda value: evaluate(rail, value)[2], behind, ahead))[0]
