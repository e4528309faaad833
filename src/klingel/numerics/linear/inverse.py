"""Inverses of small matrices, real and complex, in place and without allocation, and products with them.

For a handful of unknowns a product with the inverse is several times as fast as two triangular solutions: its sums
need not wait for each other. Rows are handled four numbers at a time and hold whole fours, zeros behind the last
column (`padded`): loops as short as these, left to the compiler, end before their vector part begins. Entries of
the pivot column are written last, one by one: a row read as a whole right after one of its numbers was written
would wait until that number has left the core.

A matrix may be handed over by columns just as well: its inverse is then found by columns too, which is what the
products want. A complex matrix is a pair of real arrays, as in `lu`.
"""

from klingel._jit import kernel

LANES = 4  # numbers handled at a time


def padded(n: int) -> int:
    """Columns that n unknowns take."""
    return -(-n // LANES) * LANES


@kernel(inner=True)
def _exchange_rows(a, k, other, n):
    row, target = a[k], a[other]
    for j in range(n):
        row[j], target[j] = target[j], row[j]


@kernel(inner=True)
def _exchange_columns(a, k, other, n):
    for i in range(n):
        a[i, k], a[i, other] = a[i, other], a[i, k]


@kernel(inner=True)
def invert(a, n, pivots):
    """Overwrite the first n rows and columns of `a` by their inverse; the row without a pivot or -1."""
    for k in range(n):
        best, largest = k, abs(a[k, k])
        for i in range(k + 1, n):
            here = abs(a[i, k])
            if here > largest:
                best, largest = i, here
        pivots[k] = best
        if not largest > 0.0:
            return k
        if best != k:
            _exchange_rows(a, k, best, n)
        inverse = 1.0 / a[k, k]
        row = a[k]
        for j in range(0, n, LANES):
            r = row[j:]
            r[0], r[1], r[2], r[3] = r[0] * inverse, r[1] * inverse, r[2] * inverse, r[3] * inverse
        for i in range(n):
            if i == k:
                continue
            target = a[i]
            factor = target[k]
            for j in range(0, n, LANES):
                r, t = row[j:], target[j:]
                b, c = t[0] - factor * r[0], t[1] - factor * r[1]
                d, e = t[2] - factor * r[2], t[3] - factor * r[3]
                t[0], t[1], t[2], t[3] = b, c, d, e
            target[k] = -factor * inverse
        row[k] = inverse
    # rows exchanged before are columns of the inverse exchanged after
    for k in range(n - 1, -1, -1):
        if pivots[k] != k:
            _exchange_columns(a, k, pivots[k], n)
    return -1


@kernel(inner=True)
def _turn(re, im, f_re, f_im, n):
    """(re, im) *= f."""
    for j in range(0, n, LANES):
        x, y = re[j:], im[j:]
        x0, x1, x2, x3, y0, y1, y2, y3 = x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]
        a, b, c, d = x0 * f_re - y0 * f_im, x1 * f_re - y1 * f_im, x2 * f_re - y2 * f_im, x3 * f_re - y3 * f_im
        x[0], x[1], x[2], x[3] = a, b, c, d
        a, b, c, d = x0 * f_im + y0 * f_re, x1 * f_im + y1 * f_re, x2 * f_im + y2 * f_re, x3 * f_im + y3 * f_re
        y[0], y[1], y[2], y[3] = a, b, c, d


@kernel(inner=True)
def _subtract_turned(re, im, row_re, row_im, f_re, f_im, n):
    """(re, im) -= f row."""
    for j in range(0, n, LANES):
        x, y, t, u = row_re[j:], row_im[j:], re[j:], im[j:]
        x0, x1, x2, x3, y0, y1, y2, y3 = x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]
        a, b = t[0] - f_re * x0 + f_im * y0, t[1] - f_re * x1 + f_im * y1
        c, d = t[2] - f_re * x2 + f_im * y2, t[3] - f_re * x3 + f_im * y3
        t[0], t[1], t[2], t[3] = a, b, c, d
        a, b = u[0] - f_im * x0 - f_re * y0, u[1] - f_im * x1 - f_re * y1
        c, d = u[2] - f_im * x2 - f_re * y2, u[3] - f_im * x3 - f_re * y3
        u[0], u[1], u[2], u[3] = a, b, c, d


@kernel(inner=True)
def invert_complex(re, im, n, pivots):
    """As `invert`, for the matrix re + i im."""
    for k in range(n):
        best, largest = k, abs(re[k, k]) + abs(im[k, k])
        for i in range(k + 1, n):
            here = abs(re[i, k]) + abs(im[i, k])
            if here > largest:
                best, largest = i, here
        pivots[k] = best
        if not largest > 0.0:
            return k
        if best != k:
            _exchange_rows(re, k, best, n)
            _exchange_rows(im, k, best, n)
        x, y = re[k, k], im[k, k]
        square = 1.0 / (x * x + y * y)
        inv_re, inv_im = x * square, -y * square
        row_re, row_im = re[k], im[k]
        _turn(row_re, row_im, inv_re, inv_im, n)
        for i in range(n):
            if i == k:
                continue
            f_re, f_im = re[i, k], im[i, k]
            _subtract_turned(re[i], im[i], row_re, row_im, f_re, f_im, n)
            re[i, k] = f_im * inv_im - f_re * inv_re
            im[i, k] = -f_re * inv_im - f_im * inv_re
        row_re[k], row_im[k] = inv_re, inv_im
    for k in range(n - 1, -1, -1):
        if pivots[k] != k:
            _exchange_columns(re, k, pivots[k], n)
            _exchange_columns(im, k, pivots[k], n)
    return -1


@kernel(inner=True)
def multiply(columns, n, b, product):
    """product = A b for the first n unknowns of A, given by columns, in whole fours."""
    for i in range(0, n, LANES):
        p = q = r = s = 0.0
        for j in range(n):
            column, value = columns[j, i:], b[j]
            p, q = p + value * column[0], q + value * column[1]
            r, s = r + value * column[2], s + value * column[3]
        rows = product[i:]
        rows[0], rows[1], rows[2], rows[3] = p, q, r, s


@kernel(inner=True)
def multiply_complex(re, im, n, b_re, b_im, p_re, p_im):
    """As `multiply`, complex."""
    for i in range(0, n, LANES):
        a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = 0.0
        c0 = c1 = c2 = c3 = d0 = d1 = d2 = d3 = 0.0
        for j in range(n):
            x, y, u, v = re[j, i:], im[j, i:], b_re[j], b_im[j]
            a0, a1, a2, a3 = a0 + u * x[0], a1 + u * x[1], a2 + u * x[2], a3 + u * x[3]
            b0, b1, b2, b3 = b0 + v * y[0], b1 + v * y[1], b2 + v * y[2], b3 + v * y[3]
            c0, c1, c2, c3 = c0 + v * x[0], c1 + v * x[1], c2 + v * x[2], c3 + v * x[3]
            d0, d1, d2, d3 = d0 + u * y[0], d1 + u * y[1], d2 + u * y[2], d3 + u * y[3]
        rows = p_re[i:]
        rows[0], rows[1], rows[2], rows[3] = a0 - b0, a1 - b1, a2 - b2, a3 - b3
        rows = p_im[i:]
        rows[0], rows[1], rows[2], rows[3] = c0 + d0, c1 + d1, c2 + d2, c3 + d3
