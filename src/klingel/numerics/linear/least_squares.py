"""Small dense least squares of any rank: the shortest of the solutions with the least error.

Householder reflections with column pivoting, A P = Q [R11 R12; 0 0], then the same from the right, which leaves a
triangle: the complete orthogonal decomposition (Golub and Van Loan, section 5.5). Columns whose remainder is below
`smallest` times the first one count as dependent. Threads of a BLAS library, which for matrices of this size wait
for each other on busy cores longer than they compute, have no part in it.
"""

from math import sqrt

import numpy as np

from klingel._jit import kernel


@kernel
def reflect(a, k, first, scale):
    """Column k below row `first` made a reflection that clears it, applied to the columns after it."""
    m, n = a.shape
    size = 0.0
    for i in range(first, m):
        size += a[i, k] * a[i, k]
    size = sqrt(size)
    if size == 0.0:
        scale[k] = 0.0
        return 0.0
    diagonal = -size if a[first, k] > 0.0 else size
    head = a[first, k] - diagonal
    scale[k] = -head / diagonal
    for i in range(first + 1, m):
        a[i, k] /= head
    for j in range(k + 1, n):
        dot = a[first, j]
        for i in range(first + 1, m):
            dot += a[i, k] * a[i, j]
        dot *= scale[k]
        a[first, j] -= dot
        for i in range(first + 1, m):
            a[i, j] -= dot * a[i, k]
    a[first, k] = diagonal
    return size


@kernel
def reflect_vector(a, k, scale, b):
    """Reflection k of `a` applied to b."""
    m = a.shape[0]
    dot = b[k]
    for i in range(k + 1, m):
        dot += a[i, k] * b[i]
    dot *= scale[k]
    b[k] -= dot
    for i in range(k + 1, m):
        b[i] -= dot * a[i, k]


@kernel
def factorise(a, order, scale, smallest):
    """Overwrite `a` with R and the reflections, `order` with the places of its columns; the rank."""
    m, n = a.shape
    for j in range(n):
        order[j] = j
    largest = 0.0
    for k in range(min(m, n)):
        best, most = k, -1.0
        for j in range(k, n):
            size = 0.0
            for i in range(k, m):
                size += a[i, j] * a[i, j]
            if size > most:
                best, most = j, size
        if k == 0:
            largest = sqrt(most)
        if not sqrt(most) > smallest * largest:
            return k
        if best != k:
            order[k], order[best] = order[best], order[k]
            for i in range(m):
                a[i, k], a[i, best] = a[i, best], a[i, k]
        reflect(a, k, k, scale)
    return min(m, n)


@kernel
def turn(a, rank, t, scale):
    """The trapezium [R11 R12] of rank rows made a triangle from the right: t is its transpose, overwritten."""
    n = a.shape[1]
    for k in range(rank):
        for j in range(n):
            t[j, k] = a[k, j] if j >= k else 0.0
    for k in range(rank):
        reflect(t, k, k, scale)


@kernel
def solve(a, order, scale, rank, t, t_scale, b, x):
    """x from b, which is overwritten."""
    n = a.shape[1]
    for k in range(rank):
        reflect_vector(a, k, scale, b)
    for k in range(rank):  # the triangle of t, transposed
        value = b[k]
        for j in range(k):
            value -= t[j, k] * b[j]
        b[k] = value / t[k, k]
    y = t[:, rank]  # room
    for j in range(n):
        y[j] = b[j] if j < rank else 0.0
    for k in range(rank - 1, -1, -1):
        reflect_vector(t, k, t_scale, y)
    for j in range(n):
        x[order[j]] = y[j]


class LeastSquares:
    """A matrix factorised once, for many right-hand sides."""

    def __init__(self, matrix: np.ndarray, smallest: float):
        self.a = np.array(matrix, float, order="C")
        columns = self.a.shape[1]
        self.order, self.scale = np.zeros(columns, np.int64), np.zeros(columns)
        self.rank = int(factorise(self.a, self.order, self.scale, smallest))
        self.t, self.t_scale = np.zeros((columns, self.rank + 1)), np.zeros(self.rank + 1)
        turn(self.a, self.rank, self.t, self.t_scale)

    def solve(self, b: np.ndarray) -> np.ndarray:
        x = np.zeros(self.a.shape[1])
        solve(self.a, self.order, self.scale, self.rank, self.t, self.t_scale, np.array(b, float), x)
        return x
