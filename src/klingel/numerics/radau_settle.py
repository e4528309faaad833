"""A state after an action, made consistent: the right-hand limit of one very short collocation step.

The stages of Radau IIA satisfy all constraints whatever the start was. The parabola through the three stages of a
step of length e, taken back to 0, is therefore consistent up to O(e^3): algebraic components have their values,
and differential components tied by constraints are moved back along the directions in which their multipliers act
(impulses for velocities). If those of a low index had to move, higher ones were spoilt by it, like 1/e: they wait
for the next round. While something moves, e is so short that the way it goes meanwhile does not count; the last
round is longer, for multipliers without rounding noise. The slope of the parabola gives the rates of all
components, multipliers included.
"""

from klingel._jit import kernel
from klingel.numerics.dae_work import DaeCount
from klingel.numerics.radau_attempt import forget, treat_invariants
from klingel.numerics.radau_step import add_increment, evaluate_stages, newton_increment, predict_stages, set_scale
from klingel.numerics.radau_system import factorise, update_jacobian
from klingel.numerics.radau_tableau import LIMIT, LIMIT_RATE
from klingel.numerics.radau_work import Row, Tie
from klingel.numerics.workspace import Count, Real, Status

SHORT = 1e-2  # of the last step
SHORTEST = (1e-4, 1e-2)  # up to index 2, and where rounding is divided by its square, to find what must move
FINE = 1e-6  # last correction, in units of the tolerance
ITERATIONS = 12
MOVED = 1e-2  # in units of the tolerance: a tied component that moves less was consistent
ROUNDS = 8
HIGHEST = 4  # above every index


@kernel(inner=True)
def limit(rhs, jacobian, invariants, h, s, inv, rates, p):
    """The limit in Row.BASE, without touching the state, and all `rates`; returns a Status."""
    if not s.count[Count.JACOBIAN_VALID]:
        if update_jacobian(rhs, jacobian, invariants, s, inv, p) != 0:
            return Status.REFUSED
        s.count[Count.JACOBIAN_VALID] = 1
        s.count[Count.JACOBIAN_FRESH] = 1
    s.count[Count.FACTORS_VALID] = 0
    column = factorise(h, s)
    if column >= 0:
        s.count[Count.CULPRIT] = column
        return Status.SINGULAR
    set_scale(s.real[Real.H_LAST], s)
    s.count[DaeCount.HAS_SHAPE] = 0
    predict_stages(h, s)
    size = before = 1e300
    for _ in range(ITERATIONS):
        if evaluate_stages(rhs, invariants, h, s, inv, p) != 0:
            return Status.REFUSED
        s.count[Count.NEWTON] += 1
        size = newton_increment(h, s)
        add_increment(s)
        if size <= FINE or size > 0.5 * before or not size < 1e100:
            break
        before = size
    if not size < 1.0:
        return Status.NO_NEWTON
    for i in range(s.v.shape[1]):
        a, b, c = s.v[Row.Z, i], s.v[Row.Z + 1, i], s.v[Row.Z + 2, i]
        s.v[Row.BASE, i] = s.v[Row.X, i] + LIMIT[0] * a + LIMIT[1] * b + LIMIT[2] * c
        if i < rates.size:
            rates[i] = (LIMIT_RATE[0] * a + LIMIT_RATE[1] * b + LIMIT_RATE[2] * c) / h
    return Status.RUNNING


@kernel(inner=True)
def accept_limit(s):
    """Move components whose index is not above that of the lowest tied one that moved; returns that index."""
    v, lowest = s.v, HIGHEST
    for i in range(v.shape[1]):
        if s.tie[i] == Tie.TIED and abs(v[Row.BASE, i] - v[Row.X, i]) > MOVED * v[Row.SCALE, i]:
            lowest = min(lowest, s.index[i])
    for i in range(v.shape[1]):
        tied = s.tie[i] == Tie.TIED and lowest < HIGHEST
        if s.index[i] <= lowest and (tied or s.tie[i] == Tie.ALGEBRAIC):
            v[Row.X, i] = v[Row.BASE, i]
    return lowest


@kernel(inner=True)
def settle(rhs, jacobian, invariants, s, inv, starting, rates, p):
    """Make the present state consistent with the present modes, or only find the rates; returns a Status."""
    forget(s)
    if starting and not s.count[DaeCount.DENSE]:
        return Status.RUNNING
    highest = 1
    for i in range(s.index.size):
        highest = max(highest, s.index[i])
    fine = not starting
    for _ in range(ROUNDS):
        if not starting and treat_invariants(invariants, s.real[Real.T], s.v[Row.X], s, inv, p) != 0:
            return Status.NO_PROJECTION
        part = SHORT
        if fine:
            part = SHORTEST[0] if highest < 3 else SHORTEST[1]
        status = limit(rhs, jacobian, invariants, part * s.real[Real.H_LAST], s, inv, rates, p)
        if starting and status != Status.RUNNING:
            # a rough start may have no limit; the first step will tell
            forget(s)
            return Status.RUNNING
        if starting or status != Status.RUNNING:
            return status
        moved = accept_limit(s) < HIGHEST
        if not moved and not fine:
            return status
        fine = moved
    return Status.NO_PROJECTION
