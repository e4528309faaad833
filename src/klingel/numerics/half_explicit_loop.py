"""The compiled loop of half-explicit Runge-Kutta methods: stages, error, step control, projection."""

from math import sqrt

from klingel._jit import kernel
from klingel.numerics.dae_problem import Treatment
from klingel.numerics.dae_run import Status
from klingel.numerics.half_explicit_scheme import Closure
from klingel.numerics.half_explicit_step import (
    NO_NEWTON,
    OK,
    REFUSED,
    SLOW_RATE,
    effect,
    evaluate,
    predict,
    remember,
    solve_all,
    solve_derivative,
    solve_first,
    swap_past,
    update_constraints,
    update_f_z,
)  # fmt: skip
from klingel.numerics.half_explicit_work import Count, Real, Row
from klingel.numerics.projection import ROUNDING, project, record_drift, update_gradient

MAX_REPEATS = 12
RATE_FLOOR = 0.02  # a leftover rate is never trusted to be smaller
RATE_GROWTH = 1.02  # per stage without a measurement
SHRINK_MOST = 0.2
GROW_MOST = 5.0
OLD_ERROR_FLOOR = 1e-4
REJECTED_EXPONENT = 0.4


@kernel(inner=True)
def combine(s, a, row, stages, h, target):
    """v[target] = x + h sum a[row, j] k_j on the differential components."""
    for i in range(s.sizes[0]):
        component = s.order[i]
        total = 0.0
        for j in range(stages):
            total += a[row, j] * s.k[j, component]
        s.v[target, component] = s.v[Row.X, component] + h * total


@kernel(inner=True)
def copy_algebraic(s, source, target):
    for i in range(s.sizes[0], s.v.shape[1]):
        s.v[target, s.order[i]] = s.v[source, s.order[i]]


@kernel(inner=True)
def close_stage(constraints, t, h, s, a, c, closure, stage, zeta, p):
    """Correction of z at a stage whose f is known; leaves the corrected f, and dz in `zeta`."""
    if closure == Closure.DERIVATIVE:
        return solve_derivative(constraints, t + c[stage] * h, s.v[Row.STAGE], h, s, p, stage, zeta)
    combine(s, a, stage + 1, stage + 1, h, Row.X_NEW)
    outcome = solve_all(constraints, t + c[stage + 1] * h, s.v[Row.X_NEW], s, p, zeta)
    weight = 1.0 / (h * a[stage + 1, stage])
    for k in range(zeta.size):
        zeta[k] *= weight
        for i in range(s.sizes[0]):
            s.k[stage, s.order[i]] += s.f_z[k, s.order[i]] * zeta[k]
    return outcome


@kernel(inner=True)
def learn(s, stage, zeta):
    """Broyden's update: f_z reproduces what the last change of z did to f."""
    square = 0.0
    for k in range(zeta.size):
        square += zeta[k] * zeta[k]
    for k in range(zeta.size if square > 0.0 else 0):
        share = zeta[k] / square
        for i in range(s.sizes[0]):
            j = s.order[i]
            s.f_z[k, j] += share * (s.k[stage, j] - s.v[Row.LINEAR, j])


@kernel(inner=True)
def run_stage(rhs, constraints, t, h, s, a, c, closure, stage, zeta, p):
    """f and z of one stage at the point Row.STAGE; f is evaluated again while z still moves visibly."""
    nd, n1, n2 = s.sizes[0], s.sizes[1], s.sizes[2]
    time = t + c[stage] * h
    if n2 > 0:
        predict(time, s.v[Row.STAGE], s)
    before = 1.0
    for repeat in range(MAX_REPEATS):
        for i in range(nd):
            s.v[Row.LINEAR, s.order[i]] = s.k[stage, s.order[i]]
        if evaluate(rhs, time, s.v[Row.STAGE], s, p, stage) != 0:
            return NO_NEWTON
        if repeat > 0:
            learn(s, stage, zeta)
        if n2 == 0 and closure == Closure.DERIVATIVE:
            return OK
        outcome = close_stage(constraints, t, h, s, a, c, closure, stage, zeta, p)
        if outcome != OK or n2 == 0:
            return outcome
        for k in range(n2):
            s.v[Row.STAGE, s.order[nd + n1 + k]] += zeta[k]
        size = effect(s, h, zeta)
        if repeat > 0:
            s.count[Count.REPEATS] += 1
            s.real[Real.RATE] = max(RATE_FLOOR, size / before)
            if s.real[Real.RATE] > SLOW_RATE:
                s.count[Count.STALE] = 1
        else:
            s.real[Real.RATE] = min(1.0, RATE_GROWTH * s.real[Real.RATE])
        if s.real[Real.RATE] * size <= s.real[Real.LINEAR_TOLERANCE]:
            remember(time, s.v[Row.STAGE], s)
            return OK
        before = size
    return NO_NEWTON


@kernel(inner=True)
def run_stages(rhs, constraints, h, s, a, c, closure, zeta, p):
    """All stages and the end point Row.X_NEW."""
    t, stages = s.real[Real.T], a.shape[1]
    for i in range(s.v.shape[1]):
        s.v[Row.STAGE, i] = s.v[Row.X, i]
        s.v[Row.X_NEW, i] = s.v[Row.X, i]
    for stage in range(stages):
        if stage == 0 and s.count[Count.FIRST_VALID]:
            continue
        if stage > 0 and closure == Closure.DERIVATIVE:
            combine(s, a, stage, stage, h, Row.STAGE)
            ahead = (c[stage] - c[stage - 1]) * h
            for i in range(s.sizes[0], s.sizes[0] + s.sizes[1]):
                s.v[Row.STAGE, s.order[i]] += ahead * s.v[Row.FLOW, s.order[i]]
            if solve_first(constraints, t + c[stage] * h, s.v[Row.STAGE], s, p) != OK:
                return NO_NEWTON
        elif stage > 0:
            for i in range(s.v.shape[1]):
                s.v[Row.STAGE, i] = s.v[Row.X_NEW, i]
        if run_stage(rhs, constraints, t, h, s, a, c, closure, stage, zeta, p) != OK:
            return NO_NEWTON
    if closure == Closure.DERIVATIVE:
        combine(s, a, stages, stages, h, Row.X_NEW)
        copy_algebraic(s, Row.STAGE, Row.X_NEW)
    else:
        for k in range(s.sizes[2]):
            j = s.order[s.sizes[0] + s.sizes[1] + k]
            s.v[Row.X_NEW, j] = s.v[Row.STAGE, j]
    return OK


@kernel(inner=True)
def scaled_error(h, s, error):
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
def treat_invariants(invariants, constraints, t, x, s, inv, zeta, p):
    """Project on the invariants if asked to, then on the constraints again; record the drift."""
    m, n = inv.gradient.shape
    if m == 0:
        return OK
    if s.count[Count.TREATMENT] == Treatment.PROJECT:
        update_gradient(invariants, t, x, s.memory, s.mode, inv, p)
        for k in range(m):
            for i in range(s.sizes[0]):
                inv.direction[k, s.order[i]] = inv.gradient[k, s.order[i]]
        spent = project(invariants, t, x, s.memory, s.mode, inv, p)
        s.count[Count.INVARIANTS] += n + 1 + spent
        if spent < 0 or solve_all(constraints, t, x, s, p, zeta) != OK:
            return NO_NEWTON
    record_drift(invariants, t, x, s.memory, s.mode, inv, p)
    s.count[Count.INVARIANTS] += 1
    return OK


@kernel(inner=True)
def begin_step(s, rhs, constraints, p):
    """Scale, and new matrices where the old ones are used up."""
    for i in range(s.v.shape[1]):
        s.v[Row.SCALE, i] = s.v[Row.ATOL, i] + s.real[Real.RTOL] * abs(s.v[Row.X, i])
    t, x = s.real[Real.T], s.v[Row.X]
    if s.count[Count.STALE] and s.sizes[2] > 0:
        s.count[Count.STALE] = 0
        s.count[Count.FRESH] = 1
        if update_f_z(rhs, t, x, s, p) != 0:
            return REFUSED
    if s.small.shape[1] > 0 and s.count[Count.SLOW]:
        s.count[Count.SLOW] = 0
        return update_constraints(constraints, t, x, s, p)
    return OK


@kernel(inner=True)
def finish_step(rhs, constraints, invariants, t_new, h, s, inv, tableau, p):
    """Bring the end point on the manifolds and find its first stage."""
    x, zeta, a, closure = s.v[Row.X_NEW], tableau.zeta, tableau.a, tableau.setting[0]
    if closure == Closure.DERIVATIVE and solve_all(constraints, t_new, x, s, p, zeta) != OK:
        return NO_NEWTON
    if treat_invariants(invariants, constraints, t_new, x, s, inv, zeta, p) != OK:
        return NO_NEWTON
    s.count[Count.FIRST_VALID] = 0
    if closure == Closure.DERIVATIVE:
        s.count[Count.FIRST_VALID] = 1
        if tableau.setting[1]:
            for i in range(x.size):
                s.k[0, i] = s.k[a.shape[1] - 1, i]
        else:
            for i in range(x.size):
                s.v[Row.STAGE, i] = x[i]
            if run_stage(rhs, constraints, t_new, h, s, a, tableau.c, closure, 0, zeta, p) != OK:
                return NO_NEWTON
            copy_algebraic(s, Row.STAGE, Row.X_NEW)
    return OK


@kernel(inner=True)
def next_step(h, error, exponent, control, s):
    """Proportional-integral control; `exponent` is 1/(error order + 1).

    Steps are rejected where the motion suddenly becomes steep; there the error does not have its asymptotic order
    yet. A rejected step is therefore cut as if that were low, which saves the second rejection.
    """
    safety = s.real[Real.SAFETY]
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
    swap_past(s, False)


@kernel(inner=True)
def retry(h, s):
    """After Newton on the constraints has failed: new matrices, or half the step if they were new already."""
    reject(0.5 * h if s.count[Count.FRESH] else h, s)
    s.count[Count.STALE] = 1
    s.count[Count.SLOW] = 1
    s.count[Count.FIRST_VALID] = 0


@kernel(inner=True)
def commit(t_new, h_new, s, out):
    """Make the end point the present one."""
    for i in range(s.v.shape[1]):
        s.v[Row.X, i] = s.v[Row.X_NEW, i]
    s.count[Count.ACCEPTED] += 1
    s.count[Count.FRESH] = 0
    s.count[Count.REJECTED_LAST] = 0
    s.real[Real.T] = t_new
    s.real[Real.H] = min(h_new, s.real[Real.H_MAX])
    row = s.count[Count.OUT_ROWS]
    out.t[row] = t_new
    for i in range(out.x.shape[1]):
        out.x[row, i] = s.v[Row.X, i]
    s.count[Count.OUT_ROWS] = row + 1


def advance(rhs, constraints, invariants, s, inv, tableau, out, p):
    """Run until the end, a failure, or a full buffer; compiled by `half_explicit` per parameter type."""
    a, c, closure = tableau.a, tableau.c, tableau.setting[0]
    exponent = 1.0 / (tableau.setting[2] + 1)
    while True:
        t, end, h = s.real[Real.T], s.real[Real.T_END], s.real[Real.H]
        if t >= end:
            return Status.DONE
        last = t + 1.0001 * h >= end
        if last:
            h = end - t
        if s.count[Count.OUT_ROWS] >= out.t.size:
            return Status.MORE_ROOM
        if s.count[Count.ACCEPTED] + s.count[Count.REJECTED] >= s.count[Count.MAX_STEPS]:
            return Status.MAX_STEPS
        if not h > 10.0 * ROUNDING * max(abs(t), 1e-30):
            return Status.STEP_UNDERFLOW
        outcome = begin_step(s, rhs, constraints, p)
        if outcome != OK:
            return Status.SINGULAR if outcome == NO_NEWTON else Status.REFUSED
        swap_past(s, True)
        if run_stages(rhs, constraints, h, s, a, c, closure, tableau.zeta, p) != OK:
            retry(h, s)
            continue
        error = scaled_error(h, s, tableau.error)
        h_new = next_step(h, error, exponent, tableau.control, s)
        if not error < 1.0:
            reject(h_new, s)
            continue
        t_new = end if last else t + h
        if finish_step(rhs, constraints, invariants, t_new, h, s, inv, tableau, p) != OK:
            retry(h, s)
            continue
        commit(t_new, h_new, s, out)
