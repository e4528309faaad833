"""One explicit Runge-Kutta step, any tableau.

The derivative at the new point is always evaluated, as stage number s: methods whose last stage it is get
it for free, the others need it as first stage of the next step, and the interpolant and the guards' rates
use it. Stage 0 must hold the derivative at the old point.
"""

from klingel._jit import kernel
from klingel.numerics.workspace import Family

EXPLICIT = Family.EXPLICIT.value
STEP_OK = 0
STEP_REFUSED = 1
NEWTON_FAILED = 2


@kernel(inner=True)
def add_stages(x, h, weights, family, row, count, k, result):
    """result = x + h sum_j weights[family, row, j] k[j]."""
    for i in range(x.size):
        result[i] = x[i]
    for j in range(count):
        w = h * weights[family, row, j]
        if w != 0.0:
            for i in range(x.size):
                result[i] += w * k[j, i]


@kernel(inner=True)
def add_weighted(h, weights, family, count, k, result):
    """result += h sum_j weights[family, j] k[j]."""
    for j in range(count):
        w = h * weights[family, j]
        if w != 0.0:
            for i in range(result.size):
                result[i] += w * k[j, i]


@kernel(inner=True)
def explicit_step(rhs, t, h, t_new, x, memory, mode, p, scheme, trial):
    """Fill stages, new state and error; returns STEP_OK or STEP_REFUSED."""
    k, stage, x_new = trial.k, trial.stage, trial.x_new
    stages = scheme.sizes[EXPLICIT, 0]
    for s in range(1, stages):
        add_stages(x, h, scheme.a, EXPLICIT, s, s, k, stage)
        if rhs(t + scheme.c[EXPLICIT, s] * h, stage, memory, mode, p, k[s]) != 0:
            return STEP_REFUSED
    for i in range(x.size):
        x_new[i] = x[i]
        trial.error[i] = 0.0
    add_weighted(h, scheme.b, EXPLICIT, stages, k, x_new)
    if rhs(t_new, x_new, memory, mode, p, k[stages]) != 0:
        return STEP_REFUSED
    add_weighted(h, scheme.d, EXPLICIT, stages + 1, k, trial.error)
    return STEP_OK


@kernel(inner=True)
def stiffness(scheme, trial, h):
    """|h lambda| from the two evaluations at the end of the step, where the last stage has c = 1.

    The quotient of derivative and state differences there is a lower bound of the dominant eigenvalue.
    Reference: Hairer and Wanner, Solving ODEs II, section IV.2.
    """
    last = scheme.sizes[EXPLICIT, 0] - 1
    rise = 0.0
    run = 0.0
    for i in range(trial.x_new.size):
        rise += (trial.k[last + 1, i] - trial.k[last, i]) ** 2
        run += (trial.x_new[i] - trial.stage[i]) ** 2
    return h * (rise / run) ** 0.5 if run > 0.0 else 0.0
