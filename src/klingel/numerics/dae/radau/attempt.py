"""A Radau step of given length, tried and judged: factors, Newton, error, invariants, next length.

Step control after Hairer and Wanner (1996), IV.8: the predictive controller of Gustafsson, the Jacobian
kept while Newton contracts fast, the factors kept while the step would change little.
"""

from klingel._jit import kernel
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.projection import project, record_drift
from klingel.numerics.dae.radau.factors import factorise
from klingel.numerics.dae.radau.step import (
    OK,
    estimate_error,
    finish_trial,
    newton,
    predict_stages,
    set_scale,
    slope_from_stages,
)  # fmt: skip
from klingel.numerics.dae.radau.system import evaluate, update_jacobian
from klingel.numerics.dae.radau.work import Row
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.ode.workspace import Count, Real, Status

REJECTED = -1  # no Status: the step is to be tried again, shorter
SHRINK_MOST = 5.0  # largest quotient of old and new step
GROW_MOST = 0.125
KEEP_BELOW = 1.2  # growth not worth a new factorisation
SINGULAR_TRIES = 5


@kernel(inner=True)
def next_step(h, error, iterations, s):
    """Step proposed after an attempt with this error."""
    safety = s.real[DaeReal.SAFETY]
    most = s.count[DaeCount.MAX_NEWTON]
    damp = min(safety, safety * (1 + 2 * most) / (iterations + 2 * most))
    quotient = max(GROW_MOST, min(SHRINK_MOST, error**0.25 / damp))
    if error < 1.0:
        if s.real[DaeReal.H_ACCEPTED] > 0.0:
            trend = (
                s.real[DaeReal.H_ACCEPTED] / h * (error * error / s.real[DaeReal.ERROR_ACCEPTED]) ** 0.25 / safety
            )
            quotient = max(quotient, max(GROW_MOST, min(SHRINK_MOST, trend)))
        s.real[DaeReal.H_ACCEPTED] = h
        s.real[DaeReal.ERROR_ACCEPTED] = max(1e-2, error)
    return h / quotient


@kernel(inner=True)
def prepare(rhs, jacobian, invariants, h, s, inv, p):
    """Slope, Jacobian and factors for a step h; a Status, RUNNING when all is well."""
    if not s.count[DaeCount.SLOPE_VALID]:
        if evaluate(rhs, invariants, s.real[Real.T], s.v[Row.X], s, inv, p, s.v[Row.SLOPE]) != 0:
            return Status.REFUSED
        s.count[DaeCount.SLOPE_VALID] = 1
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
def commit(h, s):
    """Keep the tried step as the predictor of the next one; returns the next length."""
    slope_from_stages(h, s)
    for i in range(s.v.shape[1]):
        s.v[Row.X, i] = s.v[Row.X_NEW, i]
        for k in range(3):
            s.v[Row.SHAPE + k, i] = s.v[Row.TRIAL + k, i]
    s.count[DaeCount.HAS_SHAPE] = 1
    s.real[DaeReal.H_SHAPE] = h
    h_new = s.real[DaeReal.H_NEXT]
    if s.count[Count.REJECTED_LAST]:
        h_new = min(h_new, h)
    keep = s.real[Real.NEWTON_RATE] <= s.real[DaeReal.REUSE_RATE]
    s.count[Count.JACOBIAN_FRESH] = 0
    s.count[Count.JACOBIAN_VALID] = 1 if keep else 0
    s.count[DaeCount.FIRST] = 0
    return h if keep and h <= h_new <= KEEP_BELOW * h else h_new


@kernel(inner=True)
def forget(s):
    """After an event nothing of the past is used."""
    s.count[Count.JACOBIAN_VALID] = 0
    s.count[Count.FACTORS_VALID] = 0
    s.count[DaeCount.HAS_SHAPE] = 0
    s.count[DaeCount.SLOPE_VALID] = 0
    s.count[DaeCount.FIRST] = 1
    s.real[DaeReal.H_ACCEPTED] = 0.0


@kernel(inner=True)
def treat_invariants(invariants, t, x, s, inv, p):
    """Project x if asked to, record the drift; nonzero when the projection fails."""
    if inv.gradient.shape[0] == 0:
        return 0
    if s.count[DaeCount.TREATMENT] == Treatment.PROJECT:
        spent = project(invariants, t, x, s.memory, s.mode, inv, p)
        if spent < 0:
            return 1
        s.count[DaeCount.INVARIANTS] += spent
    record_drift(invariants, t, x, s.memory, s.mode, inv, p)
    s.count[DaeCount.INVARIANTS] += 1
    return 0


@kernel(inner=True)
def attempt(rhs, jacobian, invariants, h, s, inv, p):
    """Try the step h: RUNNING with the end point and the interpolant, REJECTED, or the Status of a failure."""
    status = prepare(rhs, jacobian, invariants, h, s, inv, p)
    if status == Status.SINGULAR and s.count[DaeCount.SINGULAR_TRIES] < SINGULAR_TRIES:
        s.count[DaeCount.SINGULAR_TRIES] += 1
        reject(0.5 * h, True, s)
        return REJECTED
    if status != Status.RUNNING:
        return status
    s.count[DaeCount.SINGULAR_TRIES] = 0
    set_scale(h, s)
    predict_stages(h, s)
    outcome, cut, iterations = newton(rhs, invariants, h, s, inv, p)
    if outcome != OK:
        reject(cut * h, True, s)
        return REJECTED
    error = estimate_error(rhs, invariants, h, s, inv, p)
    h_new = next_step(h, error, iterations, s)
    if not error < 1.0:
        first = s.count[DaeCount.FIRST]
        reject(0.1 * h if first else h_new, s.real[Real.NEWTON_RATE] > s.real[DaeReal.REUSE_RATE], s)
        return REJECTED
    finish_trial(s)
    s.real[DaeReal.H_NEXT] = h_new
    if treat_invariants(invariants, s.real[Real.T] + h, s.v[Row.X_NEW], s, inv, p) != 0:
        return Status.NO_PROJECTION
    return Status.RUNNING
