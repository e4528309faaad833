"""Linear complementarity problems by Dantzig's pivoting.

    y = A x + b,     x >= 0,  y >= 0,  x_i y_i = 0

Indices are taken in one at a time. While x_d grows, those in C keep y = 0 and those in NC keep x = 0;
whoever would change sign first changes sets, and d itself joins C when y_d reaches zero. For a positive
semidefinite A (contacts without friction: A = W^T M^-1 W) this ends with a solution whenever one exists.

Two things go beyond the printed pseudocode. Where y_d does not answer to x_d (dependent contacts) it stops
without a step; here x slides along that direction until a member of C reaches zero, which is progress, and
only when nothing blocks is there no solution. And "negative" means by more than rounding: relative to the
sum of the absolute terms of that row, so that scaling of A, b or single contacts does not matter.

Source: Hoffmann (2006), appendix D, after Baraff (SIGGRAPH 1994).
"""

from enum import IntEnum

import numpy as np

from klingel._arguments import check_array
from klingel._errors import InputError
from klingel._jit import kernel

ROUNDING = 1e-12  # part of a row's sum of absolute terms that counts as zero
NEGLIGIBLE = 1e-10  # the same for a y that should have vanished together with those it depends on
MAX_PIVOTS = 50  # per index; an index needs a handful, cycling needs all of them

_OUT, _CLAMPED, _FREE = 0.0, 1.0, 2.0  # never looked at; C: y = 0; NC: x = 0


class Status(IntEnum):
    SOLVED = 0
    NO_SOLUTION = 1  # a ray without end: no x satisfies the inequalities (certain for semidefinite A)
    CYCLING = 2  # too many pivots
    NOT_FINITE = 3  # NaN or inf in A or b


@kernel
def work_size(n):
    """Length of the scratch array `solve` needs."""
    return n * n + 5 * n


@kernel
def _solve_dense(m, r, k):
    """Gauss elimination with row pivoting on the leading k x k block of m; r becomes the solution."""
    for i in range(k):
        p = i
        for j in range(i + 1, k):
            if abs(m[j, i]) > abs(m[p, i]):
                p = j
        if m[p, i] == 0.0:
            return False
        if p != i:
            for j in range(i, k):
                m[i, j], m[p, j] = m[p, j], m[i, j]
            r[i], r[p] = r[p], r[i]
        for j in range(i + 1, k):
            factor = m[j, i] / m[i, i]
            for l in range(i + 1, k):
                m[j, l] -= factor * m[i, l]
            r[j] -= factor * r[i]
    for i in range(k - 1, -1, -1):
        for j in range(i + 1, k):
            r[i] -= m[i, j] * r[j]
        r[i] /= m[i, i]
    return True


@kernel
def _solve_clamped(a, column, state, m, r, out):
    """A_CC z = -column_C, scattered into `out` (zero outside C)."""
    n = a.shape[0]
    k = 0
    for i in range(n):
        out[i] = 0.0
        if state[i] == _CLAMPED:
            l = 0
            for j in range(n):
                if state[j] == _CLAMPED:
                    m[k, l] = a[i, j]
                    l += 1
            r[k] = -column[i]
            k += 1
    if not _solve_dense(m, r, k):
        return False
    k = 0
    for i in range(n):
        if state[i] == _CLAMPED:
            out[i] = r[k]
            k += 1
    return True


@kernel
def _apply(a, x, out, size):
    """out = A x and, for each row, the sum of its absolute terms."""
    for i in range(a.shape[0]):
        out[i] = 0.0
        size[i] = 0.0
        for j in range(a.shape[0]):
            term = a[i, j] * x[j]
            out[i] += term
            size[i] += abs(term)


@kernel
def _most_negative(b, y, size):
    """The index whose y is negative by the largest part of its row's terms, or -1."""
    worst, d = -ROUNDING, -1
    for i in range(b.shape[0]):
        scale = size[i] + abs(b[i])
        if scale > 0.0 and y[i] < worst * scale:
            worst, d = y[i] / scale, i
    return d


@kernel
def _longest_step(d, x, y, dx, dy, size, state):
    """(step, who blocks): the printed `maxstep`, with who blocks = -1 for a ray."""
    step, who = np.inf, -1
    if dy[d] > ROUNDING * size[d]:
        step, who = -y[d] / dy[d], d
    largest = 0.0
    for i in range(x.shape[0]):
        largest = max(largest, abs(dx[i]))
    first = step * (1.0 - ROUNDING)  # in a tie d itself wins: then the sets need not change
    for i in range(x.shape[0]):
        if state[i] == _CLAMPED and dx[i] < -ROUNDING * largest and -x[i] / dx[i] < first:
            first, who = -x[i] / dx[i], i
        elif state[i] == _FREE and dy[i] < -ROUNDING * size[i] and -y[i] / dy[i] < first:
            first, who = -y[i] / dy[i], i
    return (step if who == d else first), who


@kernel
def _step_back(d, x, dx, state):
    """y_d vanished with the others and does not answer to x_d: give x_d back to those it depends on."""
    step, who = x[d], d
    for i in range(x.shape[0]):
        if state[i] == _CLAMPED and dx[i] > 0.0 and x[i] / dx[i] < step:
            step, who = x[i] / dx[i], i
    for i in range(x.shape[0]):
        x[i] -= step * dx[i]
    state[d] = _CLAMPED
    state[who] = _FREE
    x[who] = 0.0


@kernel
def _drive_in(a, d, x, y, dx, dy, size, state, m):
    """Let x_d grow until y_d = 0, others changing sets on the way."""
    n = a.shape[0]
    for _ in range(MAX_PIVOTS * n):
        scale = 0.0
        for i in range(n):
            scale += abs(a[d, i] * x[i])
            size[i] = a[i, d]
        if not _solve_clamped(a, size, state, m, dy, dx):
            return Status.NO_SOLUTION
        dx[d] = 1.0
        _apply(a, dx, dy, size)
        step, who = _longest_step(d, x, y, dx, dy, size, state)
        if who < 0:
            if y[d] < -NEGLIGIBLE * (scale + abs(y[d])):
                return Status.NO_SOLUTION
            _step_back(d, x, dx, state)
            y[d] = 0.0
            return Status.SOLVED
        for i in range(n):
            x[i] += step * dx[i]
            y[i] += step * dy[i]
            if state[i] == _CLAMPED:
                y[i] = 0.0
        if who == d:
            y[d] = 0.0
            state[d] = _CLAMPED
            return Status.SOLVED
        if state[who] == _CLAMPED:
            x[who] = 0.0
            state[who] = _FREE
        else:
            y[who] = 0.0
            state[who] = _CLAMPED
    return Status.CYCLING


@kernel
def _polish(a, b, x, y, z, dy, size, state, m):
    """Solve the final set of equations afresh: removes the rounding of the steps."""
    if not _solve_clamped(a, b, state, m, dy, z):
        return
    largest = 0.0
    for i in range(x.shape[0]):
        largest = max(largest, abs(z[i]))
    for i in range(x.shape[0]):
        if not z[i] >= -1e-9 * largest:  # an ill-conditioned set: the steps were better
            return
    for i in range(x.shape[0]):
        x[i] = max(z[i], 0.0)
    _apply(a, x, y, size)
    for i in range(x.shape[0]):
        y[i] = 0.0 if state[i] == _CLAMPED else max(y[i] + b[i], 0.0)


@kernel
def solve(a, b, x, y, work):
    """Solve the problem into `x` and `y`; returns a `Status`.

    `a` (n, n) and `b` (n) are not changed; `work` has `work_size(n)` numbers. Nothing is allocated.
    """
    n = b.shape[0]
    m = work[: n * n].reshape(n, n)
    dx = work[n * n : n * n + n]
    dy = work[n * n + n : n * n + 2 * n]
    size = work[n * n + 2 * n : n * n + 3 * n]
    state = work[n * n + 3 * n : n * n + 4 * n]
    rest = work[n * n + 4 * n : n * n + 5 * n]
    for i in range(n):
        x[i] = 0.0
        y[i] = b[i]
        state[i] = _OUT
        finite = np.isfinite(b[i])
        for j in range(n):
            finite = finite and np.isfinite(a[i, j])
        if not finite:
            return Status.NOT_FINITE
    for _ in range(n + 1):
        _apply(a, x, rest, size)
        d = _most_negative(b, y, size)
        if d < 0:
            _polish(a, b, x, y, dx, dy, size, state, m)
            return Status.SOLVED
        status = _drive_in(a, d, x, y, dx, dy, size, state, m)
        if status != Status.SOLVED:
            return status
    return Status.CYCLING


@kernel
def error_measure(a, b, x):
    """How far x is from a solution, 0 for an exact one: max |min(s x_i, y_i)| / scale.

    s is the largest entry of A, which gives x the unit of y; the scale is the largest row sum of absolute
    terms.
    """
    largest, scale, error = 0.0, 0.0, 0.0
    for i in range(b.shape[0]):
        for j in range(b.shape[0]):
            largest = max(largest, abs(a[i, j]))
    for i in range(b.shape[0]):
        y, terms = b[i], abs(b[i])
        for j in range(b.shape[0]):
            y += a[i, j] * x[j]
            terms += abs(a[i, j] * x[j])
        scale = max(scale, terms)
        error = max(error, abs(min(largest * x[i], y)))
    return error / scale if scale > 0.0 else error


def solve_lcp(a, b) -> tuple[np.ndarray, np.ndarray]:
    """Solution (x, y) of y = A x + b, 0 <= x, 0 <= y, x^T y = 0.

    Raises `InputError` for wrong shapes or numbers that are not finite, `ArithmeticError` when there is no
    solution or the pivoting does not end.
    """
    a = np.ascontiguousarray(check_array("a", a, "a square matrix of numbers"))
    b = check_array("b", b, "a vector of numbers")
    if b.ndim != 1:
        raise InputError("b", b.shape, "must be a vector")
    if a.shape != (b.size, b.size):
        raise InputError("a", a.shape, f"must be a square matrix of size {b.size}")
    x, y = np.zeros_like(b), np.zeros_like(b)
    status = Status(solve(a, b, x, y, np.zeros(work_size(b.size))))
    if status == Status.NOT_FINITE:
        raise InputError("a" if np.isfinite(b).all() else "b", "nan or inf", "must be finite")
    if status != Status.SOLVED:
        raise ArithmeticError(f"complementarity problem: {status.name.lower().replace('_', ' ')}")
    return x, y
