"""A state after an action, made consistent: the right-hand limit of one very short collocation step.

The stages of Radau IIA satisfy all constraints whatever the start was. The parabola through the three stages of a
step of length e, taken back to 0, is therefore consistent up to O(e^3): algebraic components have their values,
and differential components tied by constraints are moved back along the directions in which their multipliers act
(impulses for velocities). The slope of the parabola gives the rates of all components, multipliers included.

How long may e be? These directions turn while the step goes on: along the constraints a move d comes out wrong by
O(e d), which nothing repairs later. Across them, rounding leaves ROUNDING/e in velocities of index 2, which the
next round repairs. So the first round is as short as it can be, and each following one, with less to move, is
longer; the last one gives the multipliers. Where positions are tied they go first, for what they move spoils
velocities like 1/e.
"""

from klingel._jit import kernel
from klingel.numerics.dae.problem import HIGHEST_INDEX
from klingel.numerics.dae.radau.attempt import forget, treat_invariants
from klingel.numerics.dae.radau.factors import factorise
from klingel.numerics.dae.radau.step import (
    add_increment,
    evaluate_stages,
    newton_increment,
    predict_stages,
    set_scale,
)
from klingel.numerics.dae.radau.system import update_jacobian
from klingel.numerics.dae.radau.tableau import LIMIT, LIMIT_RATE
from klingel.numerics.dae.radau.work import Row, Tie
from klingel.numerics.dae.work import DaeCount
from klingel.numerics.ode.workspace import Count, Real, Status

SHORT = (1e-2, 1e-1)  # of the last step: multipliers up to index 2, and of index 3 (rounding divided by e^2)
PARTS = (1e-8, 1e-8, 1e-5, 1e-2)  # of the last step: positions, then three times velocities
FINE = 1e-6  # last correction, in units of the tolerance
ITERATIONS = 12
MOVED = 1e-2  # in units of the tolerance: a tied component that moves less was consistent


@kernel(inner=True)
def limit(rhs, invariants, h, s, inv, rates, p):
    """The limit in Row.BASE, without touching the state, and all `rates`, with the Jacobian at hand; a Status."""
    s.count[Count.FACTORS_VALID] = 0
    column = factorise(h, s)
    if column >= 0:
        s.count[Count.CULPRIT] = column
        return Status.SINGULAR
    set_scale(h, s)
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
def largest_move(s):
    """Of all tied components, in units of the tolerance."""
    v, largest = s.v, 0.0
    for i in range(v.shape[1]):
        if s.tie[i] == Tie.TIED:
            largest = max(largest, abs(v[Row.BASE, i] - v[Row.X, i]) / v[Row.SCALE, i])
    return largest


@kernel(inner=True)
def accept_limit(s, tie, highest):
    """Move the components of this kind up to the index `highest`."""
    for i in range(s.v.shape[1]):
        if s.tie[i] == tie and s.index[i] <= highest:
            s.v[Row.X, i] = s.v[Row.BASE, i]


@kernel(inner=True)
def move_tied(rhs, invariants, s, inv, rates, p):
    """Bring positions and then velocities on their constraints; returns a Status."""
    highest = 0
    for i in range(s.index.size):
        if s.tie[i] == Tie.TIED:
            highest = max(highest, s.index[i])
    for k in range(0 if highest > 1 else 1, len(PARTS)):
        status = limit(rhs, invariants, PARTS[k] * s.real[Real.H_LAST], s, inv, rates, p)
        if status != Status.RUNNING:
            return status
        accept_limit(s, Tie.TIED, 1 if k == 0 else highest)
        accept_limit(s, Tie.ALGEBRAIC, 1)
        if treat_invariants(invariants, s.real[Real.T], s.v[Row.X], s, inv, p) != 0:
            return Status.NO_PROJECTION
    return Status.RUNNING


@kernel(inner=True)
def settle(rhs, jacobian, invariants, s, inv, starting, rates, p):
    """Make the present state consistent with the present modes, or only find the rates; returns a Status."""
    forget(s)
    if starting and not s.count[DaeCount.DENSE]:
        return Status.RUNNING
    # also the gradients along which the invariants are projected, which are those of an earlier point
    if update_jacobian(rhs, jacobian, invariants, s, inv, p) != 0:
        return Status.RUNNING if starting else Status.REFUSED
    s.count[Count.JACOBIAN_VALID] = 1
    s.count[Count.JACOBIAN_FRESH] = 1
    if not starting and treat_invariants(invariants, s.real[Real.T], s.v[Row.X], s, inv, p) != 0:
        return Status.NO_PROJECTION
    highest = 1
    for i in range(s.index.size):
        highest = max(highest, s.index[i])
    short = (SHORT[0] if highest < 3 else SHORT[1]) * s.real[Real.H_LAST]
    for again in range(2):
        status = limit(rhs, invariants, short, s, inv, rates, p)
        if starting and status != Status.RUNNING:
            # a rough start may have no limit; the first step will tell
            forget(s)
            return Status.RUNNING
        if starting:
            return status
        if status == Status.RUNNING and largest_move(s) <= (1.0 if again else MOVED):
            accept_limit(s, Tie.ALGEBRAIC, HIGHEST_INDEX)
            return status
        if again:
            return Status.NO_PROJECTION if status == Status.RUNNING else status
        status = move_tied(rhs, invariants, s, inv, rates, p)
        if status != Status.RUNNING:
            return status
    return status
