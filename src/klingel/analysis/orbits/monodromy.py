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

ROUNDS = 60
GAP = 3.0  # of moduli, between blocks
SETTLED = 1e-13  # angle by which leading spaces turn within one round
ZERO_BELOW = 1e-13  # of the size of a factor: a diagonal this small is one of a factor without full rank


class Multipliers(NamedTuple):
    values: np.ndarray  # complex, the largest first; those too small for a float are 0
    logs: np.ndarray  # of their moduli; -inf for zero


def multipliers(factors: list[np.ndarray], least: float = 0.0) -> Multipliers:
    """Eigenvalues of factors[-1] @ ... @ factors[0]; those below `least` of the largest are not told apart."""
    n = factors[0].shape[0]
    if n == 0:
        return Multipliers(np.zeros(0, complex), np.zeros(0))
    q = _start(factors)
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
        if _turned(begin, q, new, least) < SETTLED:
            break
    turn = begin.T @ q  # the product in the basis `begin` is turn @ R_m ... R_1
    return _read(turn, triangles, _cuts(logs, least))


def _start(factors: list[np.ndarray]) -> np.ndarray:
    """Leading spaces of the product as far as rounding lets them be seen, the largest modulus first."""
    product = factors[0]
    for factor in factors[1:]:
        product = factor @ product
        size = float(np.abs(product).max())
        product = product / size if size > 0.0 else product
    values, vectors = np.linalg.eig(product)
    order = np.argsort(-np.abs(values), kind="stable")
    columns = [np.imag(vectors[:, k]) if np.imag(values[k]) < 0.0 else np.real(vectors[:, k]) for k in order]
    return np.linalg.qr(np.column_stack(columns))[0]


def _cuts(logs: np.ndarray, least: float) -> list[int]:
    """Where blocks of about equal modulus begin, and the end."""
    finite = np.where(np.isfinite(logs), logs, -1e9)
    last = finite[0] + np.log(least) if least > 0.0 else -np.inf
    gaps = [k for k in range(1, logs.size) if finite[k - 1] - finite[k] > np.log(GAP) and finite[k - 1] > last]
    return [0, *gaps, logs.size]


def _turned(begin: np.ndarray, end: np.ndarray, logs: np.ndarray, least: float) -> float:
    """How far the leading spaces, at the gaps, have turned within one round."""
    worst = 0.0
    for k in _cuts(logs, least)[1:-1]:
        worst = max(worst, float(np.linalg.norm(begin[:, k:].T @ end[:, :k])))
    return worst


def _read(turn: np.ndarray, triangles: list[np.ndarray], cuts: list[int]) -> Multipliers:
    values, sizes = [], []
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
    bases = [_across(d) for d in directions]
    return [
        across.T @ (np.eye(d.size) - np.outer(d, d) / (d @ d)) @ factor @ basis
        for factor, basis, across, d in zip(factors, bases[:-1], bases[1:], directions[1:], strict=True)
    ]


def _across(d: np.ndarray) -> np.ndarray:
    """Orthonormal columns across a direction: those of the reflection that turns it into the first axis."""
    v = d / np.linalg.norm(d)
    v[0] += np.copysign(1.0, v[0])
    return (np.eye(d.size) - np.outer(v, v) * (2.0 / (v @ v)))[:, 1:]
