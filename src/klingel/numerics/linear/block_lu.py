"""Dense LU factorisation of a matrix that is block diagonal after a symmetric permutation.

`order` lists the indices block after block, `starts` where each block begins (and, last, the size). One
block of everything is the ordinary case; a partial Jacobian that keeps only some couplings falls apart
into small blocks, and then factorisation and solution cost the sum over the blocks.

Of a small block the inverse is kept in place of its factors, by columns: a product with it has no chain of
divisions and sums that wait for each other, and takes a fifth of the time of two triangular solutions. Rows are
handled four or twelve numbers at a time, since loops as short as these, left to the compiler, end before their
vector part begins; so `lu` has PADDING columns more than rows. What stands beside a block stays zero.
"""

from klingel._jit import kernel

SMALL = 16  # rows of a block that is inverted
LANES, TWELVE = 4, 12  # numbers handled at a time
PADDING = TWELVE - 1  # columns


@kernel
def factorise(matrix, order, starts, lu, pivots):
    """LU of each block with row pivoting, the inverse of small ones; returns the failing pivot's index or -1."""
    for block in range(starts.size - 1):
        first, last = starts[block], starts[block + 1]
        if last - first <= SMALL:
            culprit = _invert(matrix, order[first:last], lu[first:last, first:], pivots[first:last])
        else:
            culprit = _eliminate(matrix, order, first, last, lu, pivots)
        if culprit >= 0:
            return culprit
    return -1


@kernel(inner=True)
def subtract(factor, row, target, size):
    """target -= factor row, in whole fours; views that start at zero need no test for negative indices."""
    for j in range(0, size, LANES):
        a, b = target[j] - factor * row[j], target[j + 1] - factor * row[j + 1]
        c, d = target[j + 2] - factor * row[j + 2], target[j + 3] - factor * row[j + 3]
        target[j], target[j + 1], target[j + 2], target[j + 3] = a, b, c, d


@kernel(inner=True)
def _largest(lu, k, last):
    """Row from k on with the largest entry in column k."""
    best = k
    for i in range(k + 1, last):
        if abs(lu[i, k]) > abs(lu[best, k]):
            best = i
    return best


@kernel(inner=True)
def _exchange_rows(lu, k, other, first, last):
    if other != k:
        for j in range(first, last):
            lu[k, j], lu[other, j] = lu[other, j], lu[k, j]


@kernel(inner=True)
def _eliminate(matrix, order, first, last, lu, pivots):
    for i in range(first, last):
        for j in range(first, last):
            lu[i, j] = matrix[order[i], order[j]]
    for k in range(first, last):
        pivots[k] = _largest(lu, k, last)
        if not abs(lu[pivots[k], k]) > 0.0:
            return order[k]
        _exchange_rows(lu, k, pivots[k], first, last)
        inverse = 1.0 / lu[k, k]
        for i in range(k + 1, last):
            lu[i, k] *= inverse
            factor = lu[i, k]
            if factor != 0.0:
                for j in range(k + 1, last):
                    lu[i, j] -= factor * lu[k, j]
    return -1


@kernel(inner=True)
def _invert(matrix, order, lu, pivots):
    """Gauss-Jordan elimination in place; lu[j] holds column j of the inverse afterwards."""
    n = order.size
    for i in range(n):
        for j in range(n):
            lu[i, j] = matrix[order[i], order[j]]
    for k in range(n):
        pivots[k] = _largest(lu, k, n)
        if not abs(lu[pivots[k], k]) > 0.0:
            return order[k]
        _exchange_rows(lu, k, pivots[k], 0, n)
        inverse = 1.0 / lu[k, k]
        lu[k, k] = 1.0
        pivot_row = lu[k]
        for j in range(n):
            pivot_row[j] *= inverse
        for i in range(n):
            if i != k:
                factor = lu[i, k]
                lu[i, k] = 0.0
                if factor != 0.0:
                    subtract(factor, pivot_row, lu[i], n)
    for i in range(n):
        for j in range(i):
            lu[i, j], lu[j, i] = lu[j, i], lu[i, j]
    # rows exchanged before are columns of the inverse exchanged after
    for k in range(n - 1, -1, -1):
        _exchange_rows(lu, k, pivots[k], 0, n)
    return -1


@kernel(inner=True)
def _multiply(columns, b, order, product):
    """product = inverse b, twelve rows at a time: three registers of sums that need not wait for each other."""
    for k in range(0, order.size, TWELVE):
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = 0.0
        for j in range(order.size):
            c, v = columns[j, k:], b[order[j]]
            a0, a1, a2, a3 = a0 + v * c[0], a1 + v * c[1], a2 + v * c[2], a3 + v * c[3]
            a4, a5, a6, a7 = a4 + v * c[4], a5 + v * c[5], a6 + v * c[6], a7 + v * c[7]
            a8, a9, a10, a11 = a8 + v * c[8], a9 + v * c[9], a10 + v * c[10], a11 + v * c[11]
        rows = product[k:]
        rows[0], rows[1], rows[2], rows[3] = a0, a1, a2, a3
        rows[4], rows[5], rows[6], rows[7] = a4, a5, a6, a7
        rows[8], rows[9], rows[10], rows[11] = a8, a9, a10, a11


@kernel(inner=True)
def _substitute(lu, pivots, first, last, work):
    for k in range(first, last):
        swap = pivots[k]
        if swap != k:
            work[k], work[swap] = work[swap], work[k]
    for i in range(first + 1, last):
        total = work[i]
        for j in range(first, i):
            total -= lu[i, j] * work[j]
        work[i] = total
    for i in range(last - 1, first - 1, -1):
        total = work[i]
        for j in range(i + 1, last):
            total -= lu[i, j] * work[j]
        work[i] = total / lu[i, i]


@kernel
def solve(lu, pivots, order, starts, b, work):
    """Overwrite `b` with the solution; `work` is PADDING longer."""
    for block in range(starts.size - 1):
        first, last = starts[block], starts[block + 1]
        size = last - first
        if size == 1:
            b[order[first]] *= lu[first, first]
            continue
        if size > SMALL:
            for i in range(first, last):
                work[i] = b[order[i]]
            _substitute(lu, pivots, first, last, work)
        else:
            _multiply(lu[first:last, first:], b, order[first:last], work[first:])
        for i in range(first, last):
            b[order[i]] = work[i]
