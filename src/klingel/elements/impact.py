"""Newton impact between rigid bodies at system level, and contacts that stay closed. No friction.

A contact has a gap g >= 0 with rate g' = w^T v; the columns w form W (coordinates x contacts). With several
gaps closed at one instant the impulses P follow from a complementarity problem, A = W^T M^-1 W:

    A P + (1 + eps) g'_before >= 0,   P >= 0,   complementary;      v_after = v_before + M^-1 W P

========  ====================  =======================================================================
mode      condition             exits
========  ====================  =======================================================================
FREE      g >= 0                g = 0 closing (GAP): impact; stays FREE, or RESTING when it no longer rebounds
RESTING   g'' = 0, force >= 0   contact force falls to 0 (FORCE) -> FREE
========  ====================  =======================================================================

Resting: a contact that closes slower than `resting_speed` [m/s] does not rebound (its restitution counts as
0). What is then at rest is decided on accelerations, g'' = A F + g''_free with 0 <= g'', 0 <= F,
complementary (`press`): a contact that carries force becomes a constraint row. While the set holds, `hold`
gives its forces; a force that changes sign leaves the set. Without the threshold an endless sequence of
ever smaller impacts would end the run.

Only contacts that close or rest take part. The kinetic energy then changes by the sum of (1 - eps) P
g'_before / 2 over them, which is never positive, whatever the restitutions. A touching contact that was
opening and is turned into the wall by the others is struck in a second round; were it part of the first,
energy could grow. A body caught between closed contacts bounces back and forth without end in no time;
after MAX_ROUNDS one more round without rebound, over all closed contacts, ends that.

After an impact every element must check its mode (`settle` in each of them): rates have jumped.

Source: Hoffmann (2006), section 2.3.4 and B.3 (equations B.5-B.7); Pfeiffer and Glocker (1996).

Longer than other files: impact, resting set and its forces are one problem with one scratch.
"""

from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.numerics.linear import lcp

MAX_REFINEMENTS = 40  # of `hold`: three are usual, nearly dependent contacts need more
MAX_ROUNDS = 100  # of `strike`; two or three are usual
ROUNDING = 1e-12  # part of the absolute terms of a gap rate that counts as zero
REGULARISATION = 1e-8  # relative to the mean of the diagonal: dependent contacts share the load evenly


class Mode(IntEnum):
    FREE, RESTING = range(2)


class Guard(IntEnum):
    GAP, FORCE = range(2)


EXITS = {
    Guard.GAP.name: "gap closes: impact; RESTING if it does not rebound and is pressed",
    Guard.FORCE.name: "contact force falls to 0",
}

TRANSITIONS = (
    (Mode.FREE, Guard.GAP.name, Mode.FREE),
    (Mode.FREE, Guard.GAP.name, Mode.RESTING),
    (Mode.RESTING, Guard.FORCE.name, Mode.FREE),
)


@kernel
def work_size(n):
    """Length of the scratch array for n contacts."""
    return lcp.work_size(n) + n * n + 7 * n


@kernel
def rebound(gap_rate, restitution, resting_speed):
    """Gap rate after the impact of a single contact; `gap_rate` < 0 is closing."""
    return -effective_restitution(gap_rate, restitution, resting_speed) * gap_rate


@kernel
def effective_restitution(gap_rate, restitution, resting_speed):
    """Restitution, or 0 for a contact that closes slower than `resting_speed`."""
    return restitution if -gap_rate > resting_speed else 0.0


@kernel
def gap_rate(w, velocity, i):
    rate = 0.0
    for r in range(w.shape[0]):
        rate += w[r, i] * velocity[r]
    return rate


@kernel
def coupling(w, inverse_mass, i, j):
    """Entry of A: acceleration of gap i per force in contact j."""
    value = 0.0
    for r in range(w.shape[0]):
        for s in range(w.shape[0]):
            value += w[r, i] * inverse_mass[r, s] * w[s, j]
    return value


@kernel
def add_forces(w, inverse_mass, force, change):
    """change += M^-1 W force: accelerations from forces, velocity jumps from impulses."""
    for r in range(w.shape[0]):
        for s in range(w.shape[0]):
            for i in range(w.shape[1]):
                change[r] += inverse_mass[r, s] * w[s, i] * force[i]


@kernel
def _solve_chosen(w, inverse_mass, chosen, b, sizes, result, slack, work):
    """Complementarity problem of the chosen contacts; the others get result 0 and keep slack b.

    `sizes` measure the rounding of b: with dependent contacts it can leave no solution, and is then granted.
    """
    n = w.shape[1]
    k = 0
    for i in range(n):
        result[i] = 0.0
        slack[i] = b[i]
        k += 1 if chosen[i] > 0.5 else 0
    start = lcp.work_size(k)
    a = work[start : start + k * k].reshape(k, k)
    rows = work[start + k * k : start + k * k + 3 * k].reshape(3, k)
    p = 0
    for i in range(n):
        if chosen[i] > 0.5:
            rows[0, p] = b[i]
            q = 0
            for j in range(n):
                if chosen[j] > 0.5:
                    a[p, q] = coupling(w, inverse_mass, i, j)
                    q += 1
            p += 1
    status = lcp.solve(a, rows[0], rows[1], rows[2], work[:start])
    p = 0
    if status == lcp.Status.NO_SOLUTION:
        for i in range(n):
            if chosen[i] > 0.5:
                rows[0, p] += ROUNDING * sizes[i]
                p += 1
        status = lcp.solve(a, rows[0], rows[1], rows[2], work[:start])
        p = 0
    for i in range(n):
        if chosen[i] > 0.5:
            result[i] = rows[1, p]
            slack[i] = rows[2, p]
            p += 1
    return status


@kernel
def _gap_rates(w, velocity, rates, sizes):
    """Gap rates and the largest sums of their absolute terms so far, which measure their rounding."""
    for i in range(w.shape[1]):
        rates[i] = gap_rate(w, velocity, i)
        terms = 0.0
        for r in range(w.shape[0]):
            terms += abs(w[r, i] * velocity[r])
        sizes[i] = max(sizes[i], terms)


@kernel
def strike(w, inverse_mass, closed, restitution, resting_speed, velocity, impulse, after, work):
    """Impact of the closed contacts: changes `velocity`, fills `impulse` and the gap rates `after`.

    `w` (coordinates, contacts), `closed` (contacts, true or 1 where the gap is <= 0, resting ones
    included), `restitution` and `resting_speed` (contacts); `work` has `work_size(contacts)` numbers.
    Returns an `lcp.Status`.
    """
    n = w.shape[1]
    end = work.shape[0]
    b, round_impulse, sizes = work[end - n :], work[end - 2 * n : end - n], work[end - 3 * n : end - 2 * n]
    part = work[end - 4 * n : end - 3 * n]
    impulse[:] = 0.0
    sizes[:] = 0.0
    _gap_rates(w, velocity, after, sizes)
    for count in range(MAX_ROUNDS + 1):
        last = count == MAX_ROUNDS
        closing = False
        for i in range(n):
            touches = closed[i] != 0
            part[i] = 1.0 if touches and (last or after[i] <= ROUNDING * sizes[i]) else 0.0
            closing = closing or (touches and after[i] < -ROUNDING * sizes[i])
            least = np.inf if last else resting_speed[i]
            b[i] = (1.0 + effective_restitution(after[i], restitution[i], least)) * after[i]
        if not closing:
            return lcp.Status.SOLVED
        status = _solve_chosen(w, inverse_mass, part, b, sizes, round_impulse, after, work[: end - 4 * n])
        if status != lcp.Status.SOLVED:
            return status
        add_forces(w, inverse_mass, round_impulse, velocity)
        for i in range(n):
            impulse[i] += round_impulse[i]
        _gap_rates(w, velocity, after, sizes)
    return lcp.Status.SOLVED


@kernel
def press(w, inverse_mass, touching, free_acceleration, force, acceleration, work):
    """Forces and gap accelerations of contacts that touch at zero gap rate: who rests, who opens.

    `free_acceleration` is that of each gap without contact forces. A contact rests when its acceleration is
    0 (it carries force, or those that do hold it); it opens when the acceleration is positive. Returns an
    `lcp.Status`.
    """
    n, end = w.shape[1], work.shape[0]
    part, sizes = work[end - n :], work[end - 2 * n : end - n]
    largest = 0.0
    for i in range(n):
        part[i] = 1.0 if touching[i] != 0 else 0.0
        largest = max(largest, part[i] * abs(free_acceleration[i]))
    sizes[:] = largest
    rest = work[: end - 2 * n]
    return _solve_chosen(w, inverse_mass, part, free_acceleration, sizes, force, acceleration, rest)


@kernel
def factorise(a, n, shift):
    """Cholesky factor of a + shift I into the lower triangle of `a`; False if not positive definite.

    The upper triangle stays, the diagonal is lost: the caller keeps it.
    """
    for j in range(n):
        pivot = a[j, j] + shift
        for k in range(j):
            pivot -= a[j, k] * a[j, k]
        if not pivot > 0.0:
            return False
        a[j, j] = pivot**0.5
        for i in range(j + 1, n):
            value = a[j, i]
            for k in range(j):
                value -= a[i, k] * a[j, k]
            a[i, j] = value / a[j, j]
    return True


@kernel
def correct(a, diagonal, target, force, residual, n):
    """force += (A + shift I)^-1 (target - A force); returns the residual it began with."""
    largest = 0.0
    for i in range(n):
        residual[i] = target[i] - diagonal[i] * force[i]
        for j in range(n):
            if j != i:
                residual[i] -= a[min(i, j), max(i, j)] * force[j]
        largest = max(largest, abs(residual[i]))
    for i in range(n):
        for j in range(i):
            residual[i] -= a[i, j] * residual[j]
        residual[i] /= a[i, i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            residual[i] -= a[j, i] * residual[j]
        residual[i] /= a[i, i]
        force[i] += residual[i]
    return largest


@kernel
def hold(w, inverse_mass, resting, free_acceleration, force, work):
    """Forces that keep the gap accelerations of the resting contacts at zero, whatever their sign.

    For the right-hand side and the guard FORCE while a set of contacts rests; dependent contacts share the
    load evenly. Returns False when a resting contact cannot be held (no coordinate moves it).
    """
    n = w.shape[1]
    k = 0
    for i in range(n):
        force[i] = 0.0
        k += 1 if resting[i] != 0 else 0
    if k == 0:
        return True
    a = work[: k * k].reshape(k, k)
    rows = work[k * k : k * k + 4 * k].reshape(4, k)
    p = 0
    trace = 0.0
    for i in range(n):
        if resting[i] != 0:
            q = 0
            for j in range(n):
                if resting[j] != 0:
                    a[p, q] = coupling(w, inverse_mass, i, j)
                    q += 1
            rows[0, p] = a[p, p]
            rows[1, p] = -free_acceleration[i]
            rows[2, p] = 0.0
            trace += a[p, p]
            p += 1
    if not factorise(a, k, REGULARISATION * trace / k):
        return False
    before = np.inf
    for _ in range(MAX_REFINEMENTS):
        left = correct(a, rows[0], rows[1], rows[2], rows[3], k)
        if left == 0.0 or left > 0.5 * before:  # rounding is reached
            break
        before = left
    p = 0
    for i in range(n):
        if resting[i] != 0:
            force[i] = rows[2, p]
            p += 1
    return True
