"""Gaussian elimination with row pivoting of a small system that lies inside a flat array.

Row i of the n x (n + m) array [matrix | right-hand sides] begins at `first + (n + m) i`. The right-hand sides are
overwritten by the solutions. All right-hand sides are known when a wheelset's system is set up, so
neither factors nor pivots need to be kept.
"""

from klingel._jit import kernel


@kernel
def eliminate(a, first, n, m):
    """Solve in place; false if a pivot vanishes."""
    width = n + m
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[first + width * i + k]) > abs(a[first + width * best + k]):
                best = i
        here = first + width * k
        there = first + width * best
        if not abs(a[there + k]) > 0.0:
            return False
        if best != k:
            for j in range(k, width):
                a[here + j], a[there + j] = a[there + j], a[here + j]
        inverse = 1.0 / a[here + k]
        for i in range(k + 1, n):
            row = first + width * i
            factor = a[row + k] * inverse
            if factor != 0.0:
                for j in range(k + 1, width):
                    a[row + j] -= factor * a[here + j]
    for k in range(n - 1, -1, -1):
        here = first + width * k
        for j in range(n, width):
            total = a[here + j]
            for i in range(k + 1, n):
                total -= a[here + i] * a[first + width * i + j]
            a[here + j] = total / a[here + k]
    return True
