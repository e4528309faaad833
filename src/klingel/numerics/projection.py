"""Coordinate projection on invariants I(x) = 0.

The point moves along D = M I_x^T (the differential components only) until I vanishes,

    x <- x - D (I_x D)^-1 I(x),

simplified Newton with the gradient of the last Jacobian. D and I_x are the same matrices that stabilise an
index-2 formulation in the manner of Gear, Gupta and Leimkuhler, M x' = f + D mu, 0 = I(x); see `radau_system`.

Reference: Hairer and Wanner (1996), section VII.2.
"""

from klingel._jit import kernel
from klingel.numerics import lu
from klingel.numerics.radau_work import VALUE, Count

MAX_ITERATIONS = 10
ROUNDING = 1e-15  # relative correction that only moves the last digit
LARGE = 1e-3  # relative correction that means the run has lost the manifold


@kernel
def project(invariants, t, x, s, inv, p):
    """Move x on the manifold; nonzero when the gradient has lost rank or the iteration fails."""
    m, n = inv.gradient.shape
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += inv.gradient[i, k] * inv.direction[j, k]
            inv.normal[i, j] = total
    if lu.factorise(inv.normal, inv.pivots) >= 0:
        return 1
    before = 1e300
    for _ in range(MAX_ITERATIONS):
        if invariants(t, x[:n], s.memory, s.mode, p, inv.rows[VALUE]) != 0:
            return 1
        s.count[Count.INVARIANTS] += 1
        lu.solve(inv.normal, inv.pivots, inv.rows[VALUE])
        size = 0.0
        for i in range(n):
            move = 0.0
            for k in range(m):
                move += inv.direction[k, i] * inv.rows[VALUE, k]
            x[i] -= move
            size = max(size, abs(move) / (abs(x[i]) + 1.0))
        if not size < LARGE:
            return 1
        if size <= ROUNDING or size > 0.5 * before:
            return 0
        before = size
    return 1
