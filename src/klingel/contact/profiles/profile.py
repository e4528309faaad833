"""Wheel and rail profiles: plane curves with value, slope and curvature.

Convention of every profile, wheel or rail, left or right: `y` lateral, positive to the *field* side; `z`
positive *down*; metres. A wheel has its origin on the nominal running circle and its flange at y < 0, z > 0,
so that the radius at `y` is r0 + z; a rail has its origin on top of its crown, gauge side at y < 0. The curve
runs from the gauge side to the field side.

Curvature is positive where the *body* is convex: a rail crown of 300 mm radius has +1/0.3, the hollow root of
a wheel flange is negative.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.curve import curvature, parameter_at, piece_at, sample
from klingel.contact.profiles.pieces import Pieces


class Body(IntEnum):
    WHEEL, RAIL = range(2)


@dataclass(frozen=True)
class Residual:
    """What smoothing took away: distance of the given points from the curve [m]."""

    rms: float
    largest: float


@dataclass(frozen=True, eq=False)
class Profile:
    name: str
    body: Body
    pieces: Pieces
    source: str = ""
    residual: Residual = Residual(0.0, 0.0)

    @property
    def joints(self) -> NDArray:
        """Ends of the pieces, shape (n + 1, 2) [m]."""
        return make.ends(self.pieces)

    @property
    def width(self) -> float:
        return float(np.ptp(self.joints[:, 0]))

    def sample(self, t: ArrayLike) -> NDArray:
        """Columns y, z, dy, dz, ddy, ddz at curve parameters from 0 to the number of pieces."""
        t = np.ascontiguousarray(np.atleast_1d(t), dtype=float)
        out = np.empty((t.size, 6))
        sample(self.pieces, t, out)
        return out

    def at(self, y: ArrayLike) -> tuple[NDArray, NDArray, NDArray]:
        """Value z [m], slope dz/dy and curvature [1/m] at lateral positions `y` [m]."""
        rows = self.sample(self.parameter(y))
        bend = curvature(rows[:, 2], rows[:, 3], rows[:, 4], rows[:, 5])
        return rows[:, 1], rows[:, 3] / rows[:, 2], bend if self.body == Body.RAIL else -bend

    def parameter(self, y: ArrayLike) -> NDArray:
        """Curve parameter at lateral positions `y`; refuses where the profile is not single valued."""
        y = np.atleast_1d(np.asarray(y, dtype=float))
        breaks = self.joints[:, 0]
        if np.any(np.diff(breaks) <= 0.0):
            raise InputError(self.name, "an overhanging profile", "must be single valued to be asked by y")
        if y.min() < breaks[0] or y.max() > breaks[-1]:
            allowed = f"must lie on the profile, {breaks[0]:.6g} to {breaks[-1]:.6g} m"
            raise InputError(f"{self.name} y", float(y[np.argmax(abs(y))]), allowed)
        return np.array([_parameter(self.pieces, breaks, value) for value in y])

    def resampled(self, spacing: float) -> NDArray:
        """Points at equal arc length, no further apart than `spacing` [m], shape (n, 2)."""
        fine = self.sample(np.linspace(0.0, len(self.pieces), 40 * len(self.pieces) + 1))
        speed = np.hypot(np.diff(fine[:, 0]), np.diff(fine[:, 1]))
        length = np.concatenate([[0.0], np.cumsum(speed)])
        count = max(int(np.ceil(length[-1] / spacing)), 1) + 1
        t = np.interp(np.linspace(0.0, length[-1], count), length, np.linspace(0.0, len(self.pieces), length.size))
        return self.sample(t)[:, :2]

    def mirrored(self) -> "Profile":
        """y changes sign: a profile digitised from the other side."""
        return replace(self, pieces=make.mirrored(self.pieces), name=f"{self.name} mirrored")

    def inclined(self, inclination: float) -> "Profile":
        """Turned by atan(inclination) towards the track centre, as a rail on its sleeper."""
        return replace(self, pieces=make.turned(self.pieces, -float(np.arctan(inclination))))

    def moved(self, dy: float, dz: float) -> "Profile":
        return replace(self, pieces=make.moved(self.pieces, dy, dz))

    def scaled(self, factor: float) -> "Profile":
        return replace(self, pieces=make.scaled(self.pieces, factor))


def _parameter(pieces: Pieces, breaks: NDArray, y: float) -> float:
    i = piece_at(breaks, y)
    return i + min(max(parameter_at(pieces, i, y), 0.0), 1.0)
