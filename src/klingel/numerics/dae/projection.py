"""Invariants I(x) = 0: gradient, coordinate projection, drift.

The point moves along D, the gradient on the differential components, until I vanishes,

    x <- x - D (I_x D)^-1 I(x),

simplified Newton with the gradient of the start. The same D and I_x stabilise an index-2 formulation in the
manner of Gear, Gupta and Leimkuhler: M x' = f + D mu, 0 = I(x); see `radau_system`.

Reference: Hairer and Wanner (1996), section VII.2.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from klingel._jit import kernel
from klingel.numerics.linear import lu

ROUNDING = 1e-16
MAX_ITERATIONS = 10
FINE = 1e-15  # relative correction that only moves the last digit
LARGE = 1e-3  # relative correction that means the run has lost the manifold
VALUE, PROBE, DRIFT = range(3)  # rows of `Invariants.rows`


class Invariants(NamedTuple):
    rows: np.ndarray  # [value, probe, largest |value| seen; invariant]
    gradient: np.ndarray  # I_x
    direction: np.ndarray  # transpose of D
    normal: np.ndarray  # I_x D, LU
    pivots: np.ndarray


def new_invariants(n: int, m: int) -> Invariants:
    return Invariants(
        np.zeros((3, m)), np.zeros((m, n)), np.zeros((m, n)), np.zeros((m, m)), np.zeros(m, np.int64)
    )


@kernel(inner=True)
def difference_step(value):
    """Increment of a component for difference quotients."""
    return sqrt(ROUNDING * max(1e-5, abs(value)))


@kernel(inner=True)
def update_gradient(invariants, t, x, memory, mode, inv, p):
    """I_x by differences; `direction` is cleared."""
    m, n = inv.gradient.shape
    invariants(t, x[:n], memory, mode, p, inv.rows[VALUE])
    for j in range(n):
        keep = x[j]
        delta = difference_step(keep)
        x[j] = keep + delta
        invariants(t, x[:n], memory, mode, p, inv.rows[PROBE])
        x[j] = keep
        for k in range(m):
            inv.gradient[k, j] = (inv.rows[PROBE, k] - inv.rows[VALUE, k]) / delta
            inv.direction[k, j] = 0.0


@kernel(inner=True)
def project(invariants, t, x, memory, mode, inv, p):
    """Move x on the manifold; evaluations spent, or -1 when the gradient lost rank or Newton fails."""
    m, n = inv.gradient.shape
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += inv.gradient[i, k] * inv.direction[j, k]
            inv.normal[i, j] = total
    if lu.factorise(inv.normal, inv.pivots) >= 0:
        return -1
    before = 1e300
    for iteration in range(MAX_ITERATIONS):
        if invariants(t, x[:n], memory, mode, p, inv.rows[VALUE]) != 0:
            return -1
        lu.solve(inv.normal, inv.pivots, inv.rows[VALUE])
        size = 0.0
        for i in range(n):
            move = 0.0
            for k in range(m):
                move += inv.direction[k, i] * inv.rows[VALUE, k]
            x[i] -= move
            size = max(size, abs(move) / (abs(x[i]) + 1.0))
        if not size < LARGE:
            return -1
        if size <= FINE or size > 0.5 * before:
            return iteration + 1
        before = size
    return -1


@kernel(inner=True)
def record_drift(invariants, t, x, memory, mode, inv, p):
    """Keep the largest violation of each invariant."""
    m, n = inv.gradient.shape
    invariants(t, x[:n], memory, mode, p, inv.rows[VALUE])
    for k in range(m):
        inv.rows[DRIFT, k] = max(inv.rows[DRIFT, k], abs(inv.rows[VALUE, k]))
