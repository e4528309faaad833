"""Small dense LU factorisation with row pivoting, real and complex, in place and without allocation.

A complex matrix is a pair of real arrays (real part, imaginary part): the inner loops then run over
contiguous rows of plain floats, which the compiler turns into vector instructions.

`factorise` returns -1, or the column whose pivot is exactly zero or not a number. A threshold above zero
would be wrong here: the pivots of an index-3 system shrink like the square of the step. Near-singular
systems are named by `dae_checks`, which compares steps of different size.
"""

from klingel._jit import kernel


@kernel
def factorise(a, pivots):
    """Overwrite `a` with its LU factors. Returns the singular column or -1."""
    n = a.shape[0]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        pivots[k] = best
        if not abs(a[best, k]) > 0.0:
            return k
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                factor = a[i, k] * inverse
                a[i, k] = factor
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
    return -1


@kernel
def solve(a, pivots, b):
    """Overwrite `b` with the solution; column by column, so that no sum has to wait for its last term."""
    n = a.shape[0]
    for k in range(n):
        swap = pivots[k]
        if swap != k:
            b[k], b[swap] = b[swap], b[k]
    for j in range(n - 1):
        value = b[j]
        for i in range(j + 1, n):
            b[i] -= a[i, j] * value
    for j in range(n - 1, -1, -1):
        value = b[j] / a[j, j]
        b[j] = value
        for i in range(j):
            b[i] -= a[i, j] * value


@kernel
def factorise_complex(re, im, pivots):
    """As `factorise`, for the matrix re + i im."""
    n = re.shape[0]
    for k in range(n):
        best = k
        largest = abs(re[k, k]) + abs(im[k, k])
        for i in range(k + 1, n):
            here = abs(re[i, k]) + abs(im[i, k])
            if here > largest:
                best, largest = i, here
        pivots[k] = best
        if not largest > 0.0:
            return k
        if best != k:
            for j in range(n):
                re[k, j], re[best, j] = re[best, j], re[k, j]
                im[k, j], im[best, j] = im[best, j], im[k, j]
        square = re[k, k] * re[k, k] + im[k, k] * im[k, k]
        inv_re, inv_im = re[k, k] / square, -im[k, k] / square
        for i in range(k + 1, n):
            x, y = re[i, k], im[i, k]
            if x != 0.0 or y != 0.0:
                f_re = x * inv_re - y * inv_im
                f_im = x * inv_im + y * inv_re
                re[i, k] = f_re
                im[i, k] = f_im
                for j in range(k + 1, n):
                    re[i, j] -= f_re * re[k, j] - f_im * im[k, j]
                    im[i, j] -= f_re * im[k, j] + f_im * re[k, j]
    return -1


@kernel
def solve_complex(re, im, pivots, b_re, b_im):
    """Overwrite b_re + i b_im with the solution."""
    n = re.shape[0]
    for k in range(n):
        swap = pivots[k]
        if swap != k:
            b_re[k], b_re[swap] = b_re[swap], b_re[k]
            b_im[k], b_im[swap] = b_im[swap], b_im[k]
    for j in range(n - 1):
        x, y = b_re[j], b_im[j]
        for i in range(j + 1, n):
            b_re[i] -= re[i, j] * x - im[i, j] * y
            b_im[i] -= re[i, j] * y + im[i, j] * x
    for j in range(n - 1, -1, -1):
        square = re[j, j] * re[j, j] + im[j, j] * im[j, j]
        x = (b_re[j] * re[j, j] + b_im[j] * im[j, j]) / square
        y = (b_im[j] * re[j, j] - b_re[j] * im[j, j]) / square
        b_re[j], b_im[j] = x, y
        for i in range(j):
            b_re[i] -= re[i, j] * x - im[i, j] * y
            b_im[i] -= re[i, j] * y + im[i, j] * x
