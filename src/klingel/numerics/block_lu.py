"""Dense LU factorisation of a matrix that is block diagonal after a symmetric permutation.

`order` lists the indices block after block, `starts` where each block begins (and, last, the size). One
block of everything is the ordinary case; a partial Jacobian that keeps only some couplings falls apart
into small blocks, and then factorisation and solution cost the sum over the blocks.
"""

from klingel._jit import kernel


@kernel
def factorise(matrix, order, starts, lu, pivots):
    """LU of each block with row pivoting; returns the failing pivot's index or -1."""
    for block in range(starts.size - 1):
        first, last = starts[block], starts[block + 1]
        for i in range(first, last):
            for j in range(first, last):
                lu[i, j] = matrix[order[i], order[j]]
        for k in range(first, last):
            best = k
            for i in range(k + 1, last):
                if abs(lu[i, k]) > abs(lu[best, k]):
                    best = i
            pivots[k] = best
            if not abs(lu[best, k]) > 0.0:
                return order[k]
            if best != k:
                for j in range(first, last):
                    lu[k, j], lu[best, j] = lu[best, j], lu[k, j]
            inverse = 1.0 / lu[k, k]
            for i in range(k + 1, last):
                lu[i, k] *= inverse
                factor = lu[i, k]
                if factor != 0.0:
                    for j in range(k + 1, last):
                        lu[i, j] -= factor * lu[k, j]
    return -1


@kernel
def solve(lu, pivots, order, starts, b, work):
    """Overwrite `b` with the solution."""
    for i in range(b.size):
        work[i] = b[order[i]]
    for block in range(starts.size - 1):
        first, last = starts[block], starts[block + 1]
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
    for i in range(b.size):
        b[order[i]] = work[i]
