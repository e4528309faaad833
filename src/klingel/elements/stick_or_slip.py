"""Faces of dry friction that hold together, as one problem of the whole system: which stick, with what forces.

Row i has the relative acceleration free_i + (A f)_i with the forces f that act on it, A = J M^-1 J^T. A face is
one row, or two neighbouring ones in a plane (`width` 1 or 2, 0 for the second of two).

`hold` gives the forces that keep chosen rows at rest. Where rows depend on each other (two faces that hold the
same motion) infinitely many do; taken is the one with the least sum of f_i^2 / size_i. With the limits as sizes,
faces in parallel share in proportion to their limits and give way together.

`decide` says who sticks and who slides. At equal limits that is a convex problem: f minimises f A f / 2 + free f
with every face inside its disc (or pushing only, for a resting contact), found by sweeps over the faces. A face on
the edge of its disc that would move slides, with the kinetic limit, and the problem is solved again; limits only
fall, so this ends. Then nobody who sticks may need more than the static limit: who is farthest beyond gives way.
"""

from math import inf, sqrt

from klingel._jit import kernel
from klingel.elements.impact import MAX_REFINEMENTS, correct, factorise

REGULARISATION = 1e-6  # relative to the mean of the diagonal; shares of dependent rows are known to 1e-10
GIVES = 1e-8  # part beyond its limit at which a stuck face is seen to give way; `decide` is stricter
EDGE = 1e-9  # part of a limit within which a force counts as being there
MOVES = 1e-10  # part of the accelerations of a row that is not rounding
SWEEPS = 20000
SETTLED = 1e-15  # of the largest force, change in a sweep
UNLIMITED = 100.0  # size of a row without limit, against the largest
LEAST = 1e-3  # a row counts in the sharing as if it had at least this part of the largest size

OUT, FACE, PUSH = 0.0, 1.0, 2.0  # what a row is in `decide`; PUSH: f >= 0


@kernel
def work_size(n):
    """Length of the scratch of `hold` for n rows; that of `decide` has three vectors more."""
    return n * n + 5 * n


@kernel
def hold(a, chosen, size, free, force, work):
    """Forces that keep the chosen rows at rest, zero in the others; a negative size: without limit.

    Rows that nothing moves (a_ii = 0) hold themselves.
    """
    n = free.size
    k = 0
    largest = 0.0
    for i in range(n):
        force[i] = 0.0
        if chosen[i] > 0.5 and a[i, i] > 0.0:
            k += 1
            largest = max(largest, a[i, i] * max(size[i], 0.0))
    if k == 0:
        return True
    largest = largest if largest > 0.0 else 1.0
    m = work[: k * k].reshape(k, k)
    rows = work[k * k : k * k + 5 * k].reshape(5, k)
    scale = rows[4]
    p = 0
    for i in range(n):
        if chosen[i] > 0.5 and a[i, i] > 0.0:
            own = a[i, i] * size[i] if size[i] >= 0.0 else UNLIMITED * largest
            scale[p] = sqrt(max(own, LEAST * largest) / a[i, i])
            q = 0
            for j in range(n):
                if chosen[j] > 0.5 and a[j, j] > 0.0:
                    m[p, q] = a[i, j]
                    q += 1
            rows[1, p] = -free[i] * scale[p]
            rows[2, p] = 0.0
            p += 1
    trace = 0.0
    for p in range(k):
        for q in range(k):
            m[p, q] *= scale[p] * scale[q]
        rows[0, p] = m[p, p]
        trace += m[p, p]
    if not factorise(m, k, REGULARISATION * trace / k):
        return False
    before = inf
    for _ in range(MAX_REFINEMENTS):
        left = correct(m, rows[0], rows[1], rows[2], rows[3], k)
        if left == 0.0 or left > 0.5 * before:  # rounding is reached
            break
        before = left
    p = 0
    for i in range(n):
        if chosen[i] > 0.5 and a[i, i] > 0.0:
            force[i] = rows[2, p] * scale[p]
            p += 1
    return True


@kernel
def acceleration(a, free, force, i):
    """Of row i, with all forces."""
    value = free[i]
    for j in range(free.size):
        value += a[i, j] * force[j]
    return value


@kernel
def _steepest(a, i):
    """Largest eigenvalue of the two rows of a face in a plane."""
    half, difference = 0.5 * (a[i, i] + a[i + 1, i + 1]), 0.5 * (a[i, i] - a[i + 1, i + 1])
    return half + sqrt(difference * difference + a[i, i + 1] * a[i, i + 1])


@kernel
def _improve(a, play, width, radius, free, force, i):
    """The force of the face at row i that is best for it; returns by how much it changed."""
    old, new = force[i], 0.0
    if width[i] < 1.5:
        if a[i, i] > 0.0:
            new = old - acceleration(a, free, force, i) / a[i, i]
            new = max(new, 0.0) if play[i] == PUSH else min(max(new, -radius[i]), radius[i])
        force[i] = new
        return abs(new - old)
    steepest, second = _steepest(a, i), force[i + 1]
    if steepest <= 0.0:
        return 0.0
    new = old - acceleration(a, free, force, i) / steepest
    other = second - acceleration(a, free, force, i + 1) / steepest
    length = sqrt(new * new + other * other)
    if length > radius[i]:
        new, other = new * radius[i] / length, other * radius[i] / length
    force[i], force[i + 1] = new, other
    return abs(new - old) + abs(other - second)


@kernel
def sweep(a, play, width, radius, free, force):
    """Forces of all rows in play that minimise f A f / 2 + free f, inside their discs."""
    for _ in range(SWEEPS):
        changed, largest = 0.0, 0.0
        for i in range(free.size):
            if play[i] != OUT and width[i] > 0.5:
                changed = max(changed, _improve(a, play, width, radius, free, force, i))
                largest = max(largest, abs(force[i]))
        if changed <= SETTLED * largest:
            return


@kernel
def length(values, width, i):
    """Of the part of a vector over the rows that belongs to the face at row i."""
    return abs(values[i]) if width[i] < 1.5 else sqrt(values[i] * values[i] + values[i + 1] * values[i + 1])


@kernel
def _moves(a, width, free, force, i):
    """Whether the face at row i is accelerated by more than rounding."""
    first = acceleration(a, free, force, i)
    terms = abs(free[i])
    for j in range(free.size):
        terms = max(terms, abs(a[i, j] * force[j]))
    if width[i] > 1.5:
        second = acceleration(a, free, force, i + 1)
        terms = max(terms, abs(free[i + 1]))
        for j in range(free.size):
            terms = max(terms, abs(a[i + 1, j] * force[j]))
        first = sqrt(first * first + second * second)
    return abs(first) > MOVES * terms


@kernel
def _give_way(a, play, width, static, kinetic, free, force, slips, held, chosen, other, work):
    """Faces that stick but would need more than their static limit slide, the most overloaded first."""
    n = free.size
    for _ in range(n):
        for i in range(n):
            sticks = play[i] == FACE and slips[i] == 0.0
            chosen[i] = 1.0 if sticks or (play[i] == PUSH and force[i] > 0.0) else 0.0
            other[i] = free[i]
            for j in range(n):
                if slips[j] > 0.5:
                    other[i] += a[i, j] * force[j]
        hold(a, chosen, static, other, held, work)
        worst, most = -1, 1.0 + EDGE
        for i in range(n):
            if play[i] == FACE and slips[i] == 0.0 and width[i] > 0.5:
                needed = length(held, width, i)
                if needed > most * static[i] and needed > 0.0:
                    worst, most = i, needed / max(static[i], 1e-300)
        if worst < 0:
            return
        needed = length(held, width, worst)
        for i in range(worst, worst + int(width[worst])):
            slips[i] = 1.0
            force[i] = held[i] * kinetic[worst] / needed


@kernel
def decide(a, play, width, static, kinetic, pushed, free, force, slips, work):
    """Which of the faces in play slide: `slips` and their forces, to be used by sign and direction.

    `free` are the accelerations without any of these forces. `pushed` is 1 for a face known to have reached its
    limit. `static` and `kinetic` stand at the first row of a face, sizes of the other rows do not matter.
    """
    n = free.size
    held, chosen, radius = work[:n], work[n : 2 * n], work[2 * n : 3 * n]
    rest = work[3 * n :]
    for i in range(n):
        slips[i] = 0.0
        force[i] = 0.0
        radius[i] = kinetic[i] if pushed[i] > 0.5 else static[i]
    falls = True
    while falls:
        sweep(a, play, width, radius, free, force)
        falls = False
        for i in range(n):
            if play[i] != FACE or width[i] < 0.5:
                continue
            at_limit = length(force, width, i) >= radius[i] * (1.0 - EDGE)
            gives = at_limit and (pushed[i] > 0.5 or _moves(a, width, free, force, i))
            for j in range(i, i + int(width[i])):
                slips[j] = 1.0 if gives else 0.0
            if gives and radius[i] > kinetic[i]:
                radius[i] = kinetic[i]
                falls = True
    _give_way(a, play, width, static, kinetic, free, force, slips, held, chosen, radius, rest)
