"""The compiled loop around the Radau step: step control, invariants, events, output.

Step control after Hairer and Wanner (1996), IV.8: the predictive controller of Gustafsson, the Jacobian
kept while Newton contracts fast, the factors kept while the step would change little.
"""

from klingel._jit import kernel
from klingel.numerics.dae_problem import Treatment
from klingel.numerics.dae_run import Status
from klingel.numerics.projection import ROUNDING, project, record_drift
from klingel.numerics.radau_events import crossed, fire, has_room, locate, write_step
from klingel.numerics.radau_step import (
    OK,
    estimate_error,
    finish_trial,
    newton,
    predict_stages,
    set_scale,
    slope_from_stages,
)  # fmt: skip
from klingel.numerics.radau_system import evaluate, factorise, update_jacobian
from klingel.numerics.radau_work import NEXT, NOW, Count, Real, Row

SHRINK_MOST = 5.0  # largest quotient of old and new step
GROW_MOST = 0.125
KEEP_BELOW = 1.2  # growth not worth a new factorisation
SINGULAR_TRIES = 5


@kernel(inner=True)
def next_step(h, error, iterations, s):
    """Step proposed after an attempt with this error."""
    safety = s.real[Real.SAFETY]
    most = s.count[Count.MAX_NEWTON]
    damp = min(safety, safety * (1 + 2 * most) / (iterations + 2 * most))
    quotient = max(GROW_MOST, min(SHRINK_MOST, error**0.25 / damp))
    if error < 1.0:
        if s.real[Real.H_ACCEPTED] > 0.0:
            trend = s.real[Real.H_ACCEPTED] / h * (error * error / s.real[Real.ERROR_ACCEPTED]) ** 0.25 / safety
            quotient = max(quotient, max(GROW_MOST, min(SHRINK_MOST, trend)))
        s.real[Real.H_ACCEPTED] = h
        s.real[Real.ERROR_ACCEPTED] = max(1e-2, error)
    return h / quotient


@kernel(inner=True)
def prepare(rhs, jacobian, invariants, h, s, inv, p):
    """Slope, Jacobian and factors for a step h; a Status, RUNNING when all is well."""
    if not s.count[Count.SLOPE_VALID]:
        if evaluate(rhs, invariants, s.real[Real.T], s.v[Row.X], s, inv, p, s.v[Row.SLOPE]) != 0:
            return Status.REFUSED
        s.count[Count.SLOPE_VALID] = 1
    if not s.count[Count.JACOBIAN_VALID]:
        if update_jacobian(rhs, jacobian, invariants, s, inv, p) != 0:
            return Status.REFUSED
        s.count[Count.JACOBIAN_VALID] = 1
        s.count[Count.JACOBIAN_FRESH] = 1
        s.count[Count.FACTORS_VALID] = 0
    if not s.count[Count.FACTORS_VALID] or h != s.real[Real.H_FACTORISED]:
        column = factorise(h, s)
        if column >= 0:
            s.count[Count.CULPRIT] = column
            return Status.SINGULAR
        s.count[Count.FACTORS_VALID] = 1
    return Status.RUNNING


@kernel(inner=True)
def reject(h_new, stale, s):
    """Try again with another step; a `stale` Jacobian is made anew."""
    s.count[Count.REJECTED] += 1
    s.count[Count.REJECTED_LAST] = 1
    s.real[Real.H] = h_new
    if stale and not s.count[Count.JACOBIAN_FRESH]:
        s.count[Count.JACOBIAN_VALID] = 0


@kernel(inner=True)
def commit(h, h_new, s):
    """Make the tried step the last one and decide what to keep."""
    slope_from_stages(h, s)
    for i in range(s.v.shape[1]):
        s.v[Row.X_OLD, i] = s.v[Row.X, i]
        s.v[Row.X, i] = s.v[Row.X_NEW, i]
        for k in range(3):
            s.v[Row.SHAPE + k, i] = s.v[Row.TRIAL + k, i]
    s.count[Count.ACCEPTED] += 1
    s.count[Count.HAS_SHAPE] = 1
    s.real[Real.T_OLD] = s.real[Real.T]
    s.real[Real.H_SHAPE] = h
    if s.count[Count.REJECTED_LAST]:
        h_new = min(h_new, h)
    keep = s.real[Real.NEWTON_RATE] <= s.real[Real.REUSE_RATE]
    s.count[Count.JACOBIAN_FRESH] = 0
    s.count[Count.JACOBIAN_VALID] = 1 if keep else 0
    if keep and h <= h_new <= KEEP_BELOW * h:
        h_new = h
    s.real[Real.H] = min(h_new, s.real[Real.H_MAX])
    s.count[Count.FIRST] = 0
    s.count[Count.REJECTED_LAST] = 0


@kernel(inner=True)
def attempt(rhs, jacobian, invariants, h, s, inv, p):
    """Try the step h; returns a status and the step to take next, negative when this one was rejected."""
    status = prepare(rhs, jacobian, invariants, h, s, inv, p)
    if status == Status.SINGULAR and s.count[Count.SINGULAR_TRIES] < SINGULAR_TRIES:
        s.count[Count.SINGULAR_TRIES] += 1
        reject(0.5 * h, True, s)
        return Status.RUNNING, -h
    if status != Status.RUNNING:
        return status, -h
    s.count[Count.SINGULAR_TRIES] = 0
    set_scale(h, s)
    predict_stages(h, s)
    outcome, cut, iterations = newton(rhs, invariants, h, s, inv, p)
    if outcome != OK:
        s.count[Count.NEWTON_FAILURES] += 1
        reject(cut * h, True, s)
        return status, -h
    error = estimate_error(rhs, invariants, h, s, inv, p)
    h_new = next_step(h, error, iterations, s)
    if not error < 1.0:
        first = s.count[Count.FIRST]
        reject(0.1 * h if first else h_new, s.real[Real.NEWTON_RATE] > s.real[Real.REUSE_RATE], s)
        return status, -h
    finish_trial(s)
    return status, h_new


@kernel(inner=True)
def treat_invariants(invariants, s, inv, p):
    """Project if asked to, record the drift; nonzero when the projection fails."""
    if inv.gradient.shape[0] == 0:
        return 0
    t, x = s.real[Real.T], s.v[Row.X]
    if s.count[Count.TREATMENT] == Treatment.PROJECT:
        spent = project(invariants, t, x, s.memory, s.mode, inv, p)
        if spent < 0:
            return 1
        s.count[Count.INVARIANTS] += spent
    record_drift(invariants, t, x, s.memory, s.mode, inv, p)
    s.count[Count.INVARIANTS] += 1
    return 0


def advance(rhs, jacobian, invariants, guards, act, s, inv, watch, out, p):
    """Run until the end, a stop, a failure, or full buffers; compiled by `radau` per parameter type."""
    n = inv.gradient.shape[1]
    while True:
        t, end, h = s.real[Real.T], s.real[Real.T_END], s.real[Real.H]
        if t >= end:
            return Status.DONE
        last = t + 1.0001 * h >= end
        if last:
            h = end - t
        if not has_room(h, s, watch, out):
            return Status.MORE_ROOM
        if s.count[Count.ACCEPTED] + s.count[Count.REJECTED] >= s.count[Count.MAX_STEPS]:
            return Status.MAX_STEPS
        if not h > 10.0 * ROUNDING * max(abs(t), 1e-30):
            return Status.STEP_UNDERFLOW
        status, h_new = attempt(rhs, jacobian, invariants, h, s, inv, p)
        if status != Status.RUNNING:
            return status
        if h_new < 0.0:
            continue
        event = crossed(guards, t + h, s, watch, p, n)
        fraction = locate(guards, h, s, watch, p, n) if event else 1.0
        commit(h, h_new, s)
        s.real[Real.T] = end if last and fraction == 1.0 else t + fraction * h
        if treat_invariants(invariants, s, inv, p) != 0:
            return Status.NO_PROJECTION
        write_step(s, out)
        if event:
            if fire(guards, act, s, watch, out, p, n) != 0:
                return Status.STOPPED
        else:
            for k in range(watch.fired.size):
                watch.g[NOW, k] = watch.g[NEXT, k]
