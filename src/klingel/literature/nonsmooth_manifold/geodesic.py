"""Shortest path between two points of a crease, found without any equation of motion.

A chain of points q_i on the surface is shortest and evenly spaced where the second differences have no part in
the tangent plane:

    (q_(i+1) - 2 q_i + q_(i-1)) . dq_i/dx = 0,      (q_(i+1) - 2 q_i + q_(i-1)) . dq_i/dy = 0.

Its error is O(1/n^2). Lemma 1 of Frischmuth (1995) says that motion without forces runs along it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import root

from klingel._jit import kernel
from klingel.literature.nonsmooth_manifold.crease import surface
from klingel.numerics.trajectory import Trajectory

BAND = 3  # unknowns x_0, y_0, x_1, y_1, ...: an equation reaches three to each side


@kernel
def _imbalance(p, mode, chain, lifted, out):
    """Tangential parts of the second differences at the inner points of `chain`, shape (n, 2)."""
    for i in range(chain.shape[0]):
        lifted[i, 0], lifted[i, 1], lifted[i, 2], _ = surface(p, mode, chain[i, 0], chain[i, 1], 0.0, 0.0)
    for i in range(1, chain.shape[0] - 1):
        dx = chain[i + 1, 0] - 2.0 * chain[i, 0] + chain[i - 1, 0]
        dy = chain[i + 1, 1] - 2.0 * chain[i, 1] + chain[i - 1, 1]
        dz = lifted[i + 1, 0] - 2.0 * lifted[i, 0] + lifted[i - 1, 0]
        out[2 * i - 2] = dx + dz * lifted[i, 1]
        out[2 * i - 1] = dy + dz * lifted[i, 2]


def shortest_path(parameters: NDArray, mode: int, begin: ArrayLike, end: ArrayLike, pieces: int) -> NDArray:
    """Points (x, y) of the chain with `pieces` links between two points (x, y), shape (pieces + 1, 2)."""
    chain = np.linspace(np.asarray(begin, float), np.asarray(end, float), pieces + 1)
    lifted, out = np.empty((pieces + 1, 3)), np.empty(2 * (pieces - 1))

    def imbalance(inner: NDArray) -> NDArray:
        chain[1:-1] = inner.reshape(-1, 2)
        _imbalance(parameters, mode, chain, lifted, out)
        return out.copy() * pieces**2

    found = root(imbalance, chain[1:-1].ravel(), method="hybr", options={"band": (BAND, BAND), "xtol": 1e-12})
    chain[1:-1] = found.x.reshape(-1, 2)
    return chain


def distance(run: Trajectory, chain: NDArray) -> float:
    """Largest distance [m] in y of a chain from the path of a run along which x grows."""
    x, rows = np.unique(run["x"], return_index=True)
    path = CubicHermiteSpline(x, run["y"][rows], (run["y_dot"] / run["x_dot"])[rows])
    return float(np.abs(path(chain[:, 0]) - chain[:, 1]).max())
