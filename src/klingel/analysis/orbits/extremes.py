"""Least and greatest value of every coordinate along an orbit."""

from itertools import pairwise

import numpy as np

from klingel.analysis.extrema import maxima, minima
from klingel.analysis.orbits.orbit import Orbit

FINER = 4  # rows per step of the mesh


def extremes(orbit: Orbit) -> tuple[np.ndarray, np.ndarray]:
    """Over the whole orbit; of a symmetric one over both halves."""
    t, z, f = orbit.nodes(FINER)
    low, high = z.min(axis=0), z.max(axis=0)
    ends = [0, *(np.flatnonzero(np.diff(t) <= 0.0) + 1).tolist(), t.size]
    for a, b in pairwise(ends):
        if b - a < 2:
            continue
        top, bottom = maxima(t[a:b], z[a:b], f[a:b]), minima(t[a:b], z[a:b], f[a:b])
        np.maximum.at(high, top.column, top.value)
        np.minimum.at(low, bottom.column, bottom.value)
    if orbit.half:
        mirror = orbit.equations.mirror
        sides = np.stack([mirror * low[None, :], mirror * high[None, :]])
        low = np.minimum(low, sides.min(axis=0).sum(axis=1))
        high = np.maximum(high, sides.max(axis=0).sum(axis=1))
    return low, high
