"""A half-explicit step of given length, tried and judged: stages, error, projection, next length, interpolant."""

from math import sqrt

from klingel._jit import kernel
from klingel.numerics.dae.half_explicit.scheme import Closure
from klingel.numerics.dae.half_explicit.stages import copy_algebraic, keep_algebraic, run_stage, run_stages
from klingel.numerics.dae.half_explicit.step import (
    NO_NEWTON,
    OK,
    REFUSED,
    evaluate,
    solve_all,
    start_past,
    update_constraints,
    update_f_z,
)  # fmt: skip
from klingel.numerics.dae.half_explicit.work import Row
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.projection import project, record_drift, update_gradient
from klingel.numerics.dae.radau.attempt import REJECTED
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.ode.workspace import Count, Real, Status

SHRINK_MOST = 0.2
GROW_MOST = 5.0
OLD_ERROR_FLOOR = 1e-4
REJECTED_EXPONENT = 0.4


@kernel(inner=True)
def scaled_error(h, s):
    error = s.error
    total = 0.0
    for i in range(s.sizes[0]):
        j = s.order[i]
        value = 0.0
        for k in range(error.size):
            value += error[k] * s.k[k, j]
        s.v[Row.ERROR, j] = h * value
        total += (h * value / s.v[Row.SCALE, j]) ** 2
    return sqrt(total / s.sizes[0])


@kernel(inner=True)
def treat_invariants(invariants, constraints, t, x, s, inv, p):
    """Project on the invariants if asked to, then on the constraints again; record the drift."""
    m, n = inv.gradient.shape
    if m == 0:
        return OK
    if s.count[DaeCount.TREATMENT] == Treatment.PROJECT:
        update_gradient(invariants, t, x, s.memory, s.mode, inv, p)
        for k in range(m):
            for i in range(s.sizes[0]):
                inv.direction[k, s.order[i]] = inv.gradient[k, s.order[i]]
        spent = project(invariants, t, x, s.memory, s.mode, inv, p)
        s.count[DaeCount.INVARIANTS] += n + 1 + spent
        if spent < 0 or solve_all(constraints, t, x, s, p, s.zeta) != OK:
            return NO_NEWTON
    record_drift(invariants, t, x, s.memory, s.mode, inv, p)
    s.count[DaeCount.INVARIANTS] += 1
    return OK


@kernel(inner=True)
def begin_step(s, rhs, constraints, p):
    """Scale, and new matrices where the old ones are used up."""
    for i in range(s.v.shape[1]):
        s.v[Row.SCALE, i] = s.v[Row.ATOL, i] + s.real[Real.RTOL] * abs(s.v[Row.X, i])
    t, x = s.real[Real.T], s.v[Row.X]
    if s.count[DaeCount.STALE] and s.sizes[2] > 0:
        s.count[DaeCount.STALE] = 0
        s.count[DaeCount.FRESH] = 1
        if update_f_z(rhs, t, x, s, p) != 0:
            return REFUSED
    if s.small.shape[1] > 0 and s.count[DaeCount.SLOW]:
        s.count[DaeCount.SLOW] = 0
        return update_constraints(constraints, t, x, s, p)
    return OK


@kernel(inner=True)
def finish_step(rhs, constraints, invariants, t_new, h, s, inv, p):
    """Bring the end point on the manifolds and find the derivative there."""
    x, stages, closure = s.v[Row.X_NEW], s.a.shape[1], s.setting[0]
    if closure == Closure.DERIVATIVE and solve_all(constraints, t_new, x, s, p, s.zeta) != OK:
        return NO_NEWTON
    if treat_invariants(invariants, constraints, t_new, x, s, inv, p) != OK:
        return NO_NEWTON
    if closure == Closure.NEXT_STAGE:
        if s.count[DaeCount.DENSE] and evaluate(rhs, t_new, x, s, p, stages) != 0:
            return NO_NEWTON
    elif s.error[stages] == 0.0:
        for i in range(x.size):
            s.v[Row.STAGE, i] = x[i]
        if run_stage(rhs, constraints, t_new - h, h, s, closure, stages, p) != OK:
            return NO_NEWTON
        copy_algebraic(s, Row.STAGE, Row.X_NEW)
        keep_algebraic(s, stages)
    return OK


@kernel(inner=True)
def fill_shape(h, s):
    """Interpolant: that of the scheme, and parabolas through start, middle and end of algebraic components."""
    x, x_new, shape, dense = s.v[Row.X], s.v[Row.X_NEW], s.shape, s.dense
    for m in range(shape.shape[0]):
        for i in range(x.size):
            shape[m, i] = 0.0
    for i in range(s.sizes[0]):
        j = s.order[i]
        left = x_new[j] - x[j]
        for m in range(shape.shape[0]):
            total = 0.0
            for k in range(s.k.shape[0]):
                total += dense[k, m] * s.k[k, j]
            shape[m, j] = h * total
            left -= h * total
        shape[0, j] += left  # what the projection has moved
    middle = s.setting[2]
    c = s.c[middle]
    for i in range(s.sizes[0], x.size):
        j = s.order[i]
        rise = x_new[j] - x[j]
        shape[1, j] = (s.k[middle, j] - x[j] - c * rise) / (c * c - c)
        shape[0, j] = rise - shape[1, j]


@kernel(inner=True)
def next_step(h, error, s):
    """Proportional-integral control with the exponent 1/(error order + 1).

    Steps are rejected where the motion suddenly becomes steep; there the error does not have its asymptotic order
    yet. A rejected step is therefore cut as if that were low, which saves the second rejection.
    """
    safety, control, exponent = s.real[DaeReal.SAFETY], s.control, 1.0 / (s.setting[1] + 1)
    if not error < 1.0:
        return h * max(SHRINK_MOST, safety * error ** (-max(REJECTED_EXPONENT, exponent)))
    factor = (
        safety * max(error, 1e-10) ** (-control[0] * exponent) * s.real[Real.OLD_ERROR] ** (control[1] * exponent)
    )
    factor = min(GROW_MOST, max(SHRINK_MOST, factor))
    if s.count[Count.REJECTED_LAST]:
        factor = min(1.0, factor)
    s.real[Real.OLD_ERROR] = max(error, OLD_ERROR_FLOOR)
    return h * factor


@kernel(inner=True)
def reject(h_new, s):
    """Try again from the same point with another step."""
    s.count[Count.REJECTED] += 1
    s.count[Count.REJECTED_LAST] = 1
    s.real[Real.H] = h_new


@kernel(inner=True)
def retry(h, s):
    """After Newton on the constraints has failed: new matrices, or half the step if they were new already."""
    reject(0.5 * h if s.count[DaeCount.FRESH] else h, s)
    s.count[DaeCount.STALE] = 1
    s.count[DaeCount.SLOW] = 1
    s.count[DaeCount.FIRST_VALID] = 0


@kernel(inner=True)
def commit(s):
    """Keep what the next step starts from; returns its length."""
    for i in range(s.v.shape[1]):
        s.v[Row.X, i] = s.v[Row.X_NEW, i]
    s.count[DaeCount.FIRST_VALID] = 0
    if s.setting[0] == Closure.DERIVATIVE:
        s.count[DaeCount.FIRST_VALID] = 1
        for i in range(s.v.shape[1]):
            s.k[0, i] = s.k[s.a.shape[1], i]
    s.count[DaeCount.FRESH] = 0
    s.count[DaeCount.PAST_KEPT] = 0
    return s.real[DaeReal.H_NEXT]


@kernel(inner=True)
def attempt(rhs, constraints, invariants, h, s, inv, p):
    """Try the step h: RUNNING with the end point and the interpolant, REJECTED, or the Status of a failure."""
    outcome = begin_step(s, rhs, constraints, p)
    if outcome != OK:
        return Status.SINGULAR if outcome == NO_NEWTON else Status.REFUSED
    start_past(s)
    if run_stages(rhs, constraints, h, s, p) != OK:
        retry(h, s)
        return REJECTED
    error = scaled_error(h, s)
    h_new = next_step(h, error, s)
    if not error < 1.0:
        reject(h_new, s)
        return REJECTED
    if finish_step(rhs, constraints, invariants, s.real[Real.T] + h, h, s, inv, p) != OK:
        retry(h, s)
        return REJECTED
    s.real[DaeReal.H_NEXT] = h_new
    if s.count[DaeCount.DENSE]:
        fill_shape(h, s)
    return Status.RUNNING
