"""The stages of a half-explicit step, one after the other, with the multipliers of each."""

from klingel._jit import kernel
from klingel.numerics.dae.half_explicit.scheme import Closure
from klingel.numerics.dae.half_explicit.step import (
    NO_NEWTON,
    OK,
    SLOW_RATE,
    effect,
    evaluate,
    predict,
    remember,
    solve_all,
    solve_derivative,
    solve_first,
)  # fmt: skip
from klingel.numerics.dae.half_explicit.work import Row
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.ode.workspace import Real

MAX_REPEATS = 12
RATE_FLOOR = 0.02  # a leftover rate is never trusted to be smaller
RATE_GROWTH = 1.02  # per stage without a measurement


@kernel(inner=True)
def combine(s, row, stages, h, target):
    """v[target] = x + h sum a[row, j] k_j on the differential components."""
    a = s.a
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
def close_stage(constraints, t, h, s, closure, stage, p):
    """Correction of z at a stage whose f is known; leaves the corrected f, and dz in `zeta`."""
    a, c, zeta = s.a, s.c, s.zeta
    if closure == Closure.DERIVATIVE:
        return solve_derivative(constraints, t + c[stage] * h, s.v[Row.STAGE], h, s, p, stage, zeta)
    combine(s, stage + 1, stage + 1, h, Row.X_NEW)
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
def run_stage(rhs, constraints, t, h, s, closure, stage, p):
    """f and z of one stage at the point Row.STAGE; f is evaluated again while z still moves visibly."""
    nd, n1, n2, zeta = s.sizes[0], s.sizes[1], s.sizes[2], s.zeta
    time = t + s.c[stage] * h
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
        outcome = close_stage(constraints, t, h, s, closure, stage, p)
        if outcome != OK or n2 == 0:
            return outcome
        for k in range(n2):
            s.v[Row.STAGE, s.order[nd + n1 + k]] += zeta[k]
        size = effect(s, h, zeta)
        if repeat > 0:
            s.count[DaeCount.REPEATS] += 1
            s.real[DaeReal.RATE] = max(RATE_FLOOR, size / before)
            if s.real[DaeReal.RATE] > SLOW_RATE:
                s.count[DaeCount.STALE] = 1
        else:
            s.real[DaeReal.RATE] = min(1.0, RATE_GROWTH * s.real[DaeReal.RATE])
        if s.real[DaeReal.RATE] * size <= s.real[DaeReal.LINEAR_TOLERANCE]:
            remember(time, s.v[Row.STAGE], s)
            return OK
        before = size
    return NO_NEWTON


@kernel(inner=True)
def keep_algebraic(s, stage):
    """Values of the algebraic components at a stage, for the interpolant."""
    for i in range(s.sizes[0], s.v.shape[1]):
        s.k[stage, s.order[i]] = s.v[Row.STAGE, s.order[i]]


@kernel(inner=True)
def run_stages(rhs, constraints, h, s, p):
    """All stages the error estimate needs, and the end point Row.X_NEW."""
    t, stages, closure = s.real[Real.T], s.a.shape[1], s.setting[0]
    for i in range(s.v.shape[1]):
        s.v[Row.STAGE, i] = s.v[Row.X, i]
        s.v[Row.X_NEW, i] = s.v[Row.X, i]
    for stage in range(stages + 1 if s.error[stages] != 0.0 else stages):
        if stage == 0 and s.count[DaeCount.FIRST_VALID]:
            continue
        if stage > 0 and closure == Closure.DERIVATIVE:
            combine(s, stage, stage, h, Row.STAGE)
            ahead = (s.c[stage] - s.c[stage - 1]) * h
            for i in range(s.sizes[0], s.sizes[0] + s.sizes[1]):
                s.v[Row.STAGE, s.order[i]] += ahead * s.v[Row.FLOW, s.order[i]]
            if solve_first(constraints, t + s.c[stage] * h, s.v[Row.STAGE], s, p) != OK:
                return NO_NEWTON
        elif stage > 0:
            for i in range(s.v.shape[1]):
                s.v[Row.STAGE, i] = s.v[Row.X_NEW, i]
        if run_stage(rhs, constraints, t, h, s, closure, stage, p) != OK:
            return NO_NEWTON
        keep_algebraic(s, stage)
    if closure == Closure.DERIVATIVE:
        combine(s, stages, stages, h, Row.X_NEW)
        copy_algebraic(s, Row.STAGE, Row.X_NEW)
    else:
        for k in range(s.sizes[2]):
            j = s.order[s.sizes[0] + s.sizes[1] + k]
            s.v[Row.X_NEW, j] = s.v[Row.STAGE, j]
    return OK
