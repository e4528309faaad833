"""Curvature of a profile averaged over a length of arc.

Profiles made of arcs have curvatures that jump where the arcs meet, and with them the contact ellipse would
jump inside a geometrically smooth section. A patch feels the profile over its own width: the mean curvature
between s - w/2 and s + w/2 is the turn of the tangent over that length divided by w. At an end of the
profile the length is cut there. For w = 0 it is the curvature itself.
"""

import numpy as np
from numpy.typing import NDArray

from klingel.contact.profiles.curve import curvature, sample
from klingel.contact.profiles.pieces import Pieces

PER_PIECE = 400  # samples of a piece: a turn of 1.6 rad on a fillet gives an angle error of 1e-6 rad


class MeanCurvature:
    """Mean curvature along one placed profile, positive where the body below the curve is convex."""

    def __init__(self, pieces: Pieces, width: float):
        self.width = width
        self.t = np.linspace(0.0, len(pieces), PER_PIECE * len(pieces) + 1)
        rows = np.empty((self.t.size, 6))
        sample(pieces, self.t, rows)
        y, z, dy, dz, ddy, ddz = rows.T
        self.y = y
        self.s = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(z)))])
        self.turn = np.unwrap(np.arctan2(dz, dy))
        self.local = -curvature(dy, dz, ddy, ddz)

    def at_parameter(self, t: float | NDArray) -> NDArray:
        return self._along(np.asarray(np.interp(t, self.t, self.s)))

    def at_lateral(self, y: float | NDArray) -> NDArray:
        """At lateral positions of a profile whose y grows."""
        return self._along(np.asarray(np.interp(y, self.y, self.s)))

    def _along(self, s: NDArray) -> NDArray:
        if self.width <= 0.0:
            return np.interp(s, self.s, self.local)
        low = np.maximum(s - 0.5 * self.width, self.s[0])
        high = np.minimum(s + 0.5 * self.width, self.s[-1])
        turn = np.interp(high, self.s, self.turn) - np.interp(low, self.s, self.turn)
        return -turn / (high - low)
