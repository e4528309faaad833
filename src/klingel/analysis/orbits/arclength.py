"""Pseudo-arclength continuation: curves of solutions of F(u) = 0, one equation fewer than unknowns.

From a point a step is taken along the tangent; the corrector returns to the curve within the plane across it, so
that turning points of the parameter are passed like any other. Unknowns are measured in their typical sizes
(`weights`). The corrector iterates with one matrix as long as that converges well and renews it otherwise: one
costs as much as a dozen residuals. What the corrections tell about the matrix is added to it (Broyden's update of
rank one per correction, kept as the list of corrections: Kelley, Iterative Methods for Linear and Nonlinear
Equations, section 7.3).

What F is about is not known here.
"""

from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.linalg import LinAlgError, lu_factor, lu_solve

MOST_ITERATIONS = 14
GOOD_RATE = 0.4  # of convergence, below which the matrix is kept
WORST_RATE = 2.0
MOST_USES = 9  # of one matrix
LEAST_SHARE = 0.1  # a correction that an update makes longer by more than its inverse is left as it is


class Curve(Protocol):
    """Equations and typical sizes of their unknowns."""

    @property
    def weights(self) -> Any: ...

    def residual(self, u: np.ndarray) -> np.ndarray: ...

    def jacobian(self, u: np.ndarray) -> np.ndarray: ...


class NoConvergence(RuntimeError):
    """The corrector found no point of the curve near its guess."""


class Corrected(NamedTuple):
    u: np.ndarray
    change: float  # last one of the unknowns, in their sizes
    iterations: int
    matrices: int  # made on the way


def tangent(matrix: np.ndarray, weights: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
    """Unit vector along the curve in units of the weights; on the side of `before`."""
    scaled = matrix * weights[None, :]
    size = np.abs(scaled).max(axis=1)
    scaled = scaled / np.where(size > 0.0, size, 1.0)[:, None]
    if before is not None:
        found = _bordered(scaled, before)
        if found is not None:
            return found
    found = np.linalg.qr(scaled.T, mode="complete")[0][
        :, -1
    ]  # across all rows; a tenth of the work of singular values
    return found if before is None or found @ before >= 0.0 else -found


def _bordered(scaled: np.ndarray, before: np.ndarray) -> np.ndarray | None:
    """Null vector by one solution with the old tangent as last row."""
    right = np.zeros(before.size)
    right[-1] = 1.0
    try:
        found = np.linalg.solve(np.vstack([scaled, before]), right)
    except np.linalg.LinAlgError:
        return None
    size = float(np.linalg.norm(found))
    return found / size if np.isfinite(size) and size < 1e8 else None


def correct(
    curve: Curve,
    guess: np.ndarray,
    across: np.ndarray,
    tolerance: float,
    matrix: np.ndarray | None = None,
    largest: float = np.inf,
) -> Corrected:
    """Point of the curve in the plane through `guess` across the given direction (in units of the weights).

    `matrix` is a Jacobian of a point nearby to begin with. Changes beyond `largest`, in units of the weights, are
    no convergence.
    """
    weights, u = curve.weights, guess.copy()
    factors = None if matrix is None else _factors(matrix, weights, across)
    borrowed = factors is not None  # a matrix of another point led here: where it leads astray begin anew
    matrices, last, used = 0, np.inf, 0
    steps: list[np.ndarray] = []  # made with the matrix
    for iteration in range(MOST_ITERATIONS):
        if factors is None:
            factors, matrices, used = _factors(curve.jacobian(u), weights, across), matrices + 1, 0
        plane = float(across @ ((u - guess) / weights))
        step = _updated(-factors.solve(np.append(curve.residual(u), plane)), steps)
        with np.errstate(over="ignore"):
            change, used = float(np.linalg.norm(step)), used + 1
        if not change <= min(largest, WORST_RATE * last):
            if steps and not borrowed:  # updates may lead astray where a matrix made here does not
                factors, last, steps = None, np.inf, []
                continue
            if not borrowed:
                raise NoConvergence("the corrections grow")
            factors, u, last, borrowed, steps = None, guess.copy(), np.inf, False, []
            continue
        u = u + weights * step
        if change <= tolerance:
            return Corrected(u, change, iteration + 1, matrices)
        steps.append(step)
        if change > GOOD_RATE * last or used >= MOST_USES:
            factors, steps = None, []
        last = change
    raise NoConvergence(f"no convergence in {MOST_ITERATIONS} iterations")


def _updated(step: np.ndarray, steps: list[np.ndarray]) -> np.ndarray:
    """The correction that a matrix with the updates of earlier corrections gives, from that of the bare matrix."""
    for one, after in pairwise(steps):
        step = step + after * float(one @ step) / float(one @ one)
    if not steps:
        return step
    share = 1.0 - float(steps[-1] @ step) / float(steps[-1] @ steps[-1])
    return step / share if abs(share) > LEAST_SHARE else step


class _Factors(NamedTuple):
    lu: tuple[np.ndarray, np.ndarray]
    rows: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        return lu_solve(self.lu, right / self.rows, check_finite=False)


def _factors(matrix: np.ndarray, weights: np.ndarray, across: np.ndarray) -> _Factors:
    full = np.vstack([matrix * weights[None, :], across])
    if not np.all(np.isfinite(full)):
        raise NoConvergence("a derivative is not finite")
    rows = np.abs(full).max(axis=1)
    rows[rows == 0.0] = 1.0
    try:
        return _Factors(lu_factor(full / rows[:, None], check_finite=False), rows)
    except (LinAlgError, ValueError) as error:
        raise NoConvergence("the equations are singular") from error
