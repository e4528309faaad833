"""A state after an action, made consistent, and the first stage there.

Velocities move along f_z on the constraints, positions on the invariants if these are projected; then the
multipliers follow from the derivative of the constraints.
"""

from klingel._jit import kernel
from klingel.numerics.dae.half_explicit.attempt import begin_step, treat_invariants
from klingel.numerics.dae.half_explicit.scheme import Closure
from klingel.numerics.dae.half_explicit.stages import copy_algebraic, keep_algebraic, run_stage
from klingel.numerics.dae.half_explicit.step import NO_NEWTON, OK, remember, solve_all
from klingel.numerics.dae.half_explicit.work import Row
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.ode.workspace import Real, Status


@kernel(inner=True)
def renew(rhs, constraints, s, p):
    """Scale and matrices of the present point; returns a Status."""
    s.count[DaeCount.STALE] = 1
    s.count[DaeCount.SLOW] = 1
    outcome = begin_step(s, rhs, constraints, p)
    if outcome != OK:
        return Status.SINGULAR if outcome == NO_NEWTON else Status.REFUSED
    return Status.RUNNING


@kernel(inner=True)
def first_stage(rhs, constraints, s, rates, p):
    """First stage of the present state and all `rates` (those of index 2 count as 0); returns a Status."""
    for i in range(s.v.shape[1]):
        s.v[Row.STAGE, i] = s.v[Row.X, i]
        s.v[Row.FLOW, i] = 0.0
    s.count[DaeCount.HISTORY] = 0
    s.count[DaeCount.PAST_KEPT] = 0
    remember(s.real[Real.T], s.v[Row.X], s)
    s.real[DaeReal.RATE] = 1.0
    if run_stage(rhs, constraints, s.real[Real.T], s.real[Real.H_LAST], s, Closure.DERIVATIVE, 0, p) != OK:
        return Status.NO_NEWTON
    for i in range(rates.size):
        j = s.order[i]
        rates[j] = s.k[0, j] if i < s.sizes[0] else s.v[Row.FLOW, j]
    keep_algebraic(s, 0)
    s.count[DaeCount.FIRST_VALID] = s.setting[0] == Closure.DERIVATIVE
    return Status.RUNNING


@kernel(inner=True)
def settle(rhs, constraints, invariants, s, inv, starting, rates, p):
    """Make the present state consistent, or only find its first stage; returns a Status."""
    t, x = s.real[Real.T], s.v[Row.X]
    status = renew(rhs, constraints, s, p)
    if status == Status.RUNNING and not starting:
        if solve_all(constraints, t, x, s, p, s.zeta) != OK:
            return Status.NO_NEWTON
        if treat_invariants(invariants, constraints, t, x, s, inv, p) != OK:
            return Status.NO_PROJECTION
        s.real[Real.OLD_ERROR] = 1.0
    if status == Status.RUNNING:
        status = first_stage(rhs, constraints, s, rates, p)
    if status == Status.RUNNING and not starting:
        copy_algebraic(s, Row.STAGE, Row.X)
    return status
