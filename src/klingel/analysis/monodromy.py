"""Multipliers of a periodic orbit from the matrices of its pieces, never from their product alone.

The derivative of the return map is a product A_m ... A_1 of tangents of the flow and saltation matrices.
Multiplied out, its small eigenvalues drown in the rounding of the large ones (van der Pol at mu = 10:
exp(-312)). Orthogonal iteration keeps the product apart: each factor is turned into triangular form, A_i Q_i =
Q_(i+1) R_i, round after round, until the leading spaces no longer turn. Logarithms of the moduli are then sums
over the diagonals of the R_i; multipliers of about equal modulus form a block, whose product is small enough to
be multiplied out.

Multipliers that follow from structure are taken out by structure: the time shift of an autonomous orbit (the
direction of the flow is divided out before), memory that nothing changes (1), memory and rates that an action
overwrites (0, exactly zero rows or columns of the product).
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space

ROUNDS = 60
GAP = 3.0  # of moduli, between blocks
SETTLED = 1e-13  # angle by which leading spaces turn within one round
ZERO_BELOW = 1e-13  # of the size of a factor: a diagonal this small is one of a factor without full rank


class Multipliers(NamedTuple):
    values: np.ndarray  # complex, the largest first; those too small for a float are 0
    logs: np.ndarray  # of their moduli; -inf for zero


def multipliers(factors: list[np.ndarray]) -> Multipliers:
    """Eigenvalues of factors[-1] @ ... @ factors[0]."""
    n = factors[0].shape[0]
    if n == 0:
        return Multipliers(np.zeros(0, complex), np.zeros(0))
    q = np.linalg.qr(_start(n))[0]
    logs = np.zeros(n)
    triangles: list[np.ndarray] = []
    for _ in range(ROUNDS):
        begin = q
        triangles = []
        for factor in factors:
            q, r = np.linalg.qr(factor @ q)
            triangles.append(r)
        diagonal = np.abs(np.array([np.diag(r) for r in triangles]))
        sizes = np.array([max(float(np.abs(r).max()), 1e-300) for r in triangles])
        with np.errstate(divide="ignore"):
            new = np.log(np.where(diagonal > ZERO_BELOW * sizes[:, None], diagonal, 0.0)).sum(axis=0)
        logs = new
        if _turned(begin, q, new) < SETTLED:
            break
    turn = begin.T @ q  # the product in the basis `begin` is turn @ R_m ... R_1
    return _read(turn, triangles, logs)


def _start(n: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((n, n))


def _cuts(logs: np.ndarray) -> list[int]:
    """Where blocks of about equal modulus begin, and the end."""
    finite = np.where(np.isfinite(logs), logs, -1e9)
    return [0, *(k for k in range(1, logs.size) if finite[k - 1] - finite[k] > np.log(GAP)), logs.size]


def _turned(begin: np.ndarray, end: np.ndarray, logs: np.ndarray) -> float:
    """How far the leading spaces, at the gaps, have turned within one round."""
    worst = 0.0
    for k in _cuts(logs)[1:-1]:
        worst = max(worst, float(np.linalg.norm(begin[:, k:].T @ end[:, :k])))
    return worst


def _read(turn: np.ndarray, triangles: list[np.ndarray], logs: np.ndarray) -> Multipliers:
    values, sizes = [], []
    cuts = _cuts(logs)
    for a, b in pairwise(cuts):
        product, log = np.eye(b - a), 0.0
        for r in triangles:
            product = r[a:b, a:b] @ product
            size = float(np.abs(product).max())
            if size <= ZERO_BELOW * max(float(np.abs(r).max()), 1e-300) or not np.isfinite(size):
                product, log = np.zeros_like(product), -np.inf
                break
            product, log = product / size, log + np.log(size)
        found = np.linalg.eigvals(turn[a:b, a:b] @ product) if np.isfinite(log) else np.zeros(b - a)
        with np.errstate(divide="ignore", under="ignore"):
            sizes.extend(np.log(np.abs(found)) + log)
            values.extend(found * np.exp(max(log, -700.0)) if log > -700.0 else 0.0 * found)
    order = np.argsort(-np.array(sizes), kind="stable")
    return Multipliers(np.array(values, complex)[order], np.array(sizes)[order])


def without_direction(factors: list[np.ndarray], directions: list[np.ndarray]) -> list[np.ndarray]:
    """Factors on the space across a direction they carry along; directions[i] before factor i, the last after.

    The direction of the flow is carried into itself with multiplier 1: on the quotient it is gone.
    """
    bases = [null_space(d[None, :] / np.linalg.norm(d)) for d in directions]
    return [
        across.T @ (np.eye(d.size) - np.outer(d, d) / (d @ d)) @ factor @ basis
        for factor, basis, across, d in zip(factors, bases[:-1], bases[1:], directions[1:], strict=True)
    ]
