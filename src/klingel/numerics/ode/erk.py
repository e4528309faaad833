"""One explicit Runge-Kutta step, any tableau.

The derivative at the new point is always evaluated, as stage number s: methods whose last stage it is get
it for free, the others need it as first stage of the next step, and the interpolant and the guards' rates
use it. Stage 0 must hold the derivative at the old point.
"""

from klingel._jit import kernel
from klingel.numerics.ode.workspace import Family

EXPLICIT = Family.EXPLICIT.value  # the one whose stiffness is judged
STEP_OK = 0
STEP_REFUSED = 1
NEWTON_FAILED = 2


@kernel(inner=True)
def add_more(h, weights, first, count, k, result):
    """result += h sum_j weights[j] k[j], j from `first`."""
    for j in range(first, count):
        w = h * weights[j]
        if w != 0.0:
            for i in range(result.size):
                result[i] += w * k[j, i]


@kernel(inner=True)
def add_stages(x, h, weights, count, k, result):
    """result = x + h sum_j weights[j] k[j]; what is not zero is touched once."""
    first = 0
    while first < count - 1 and weights[first] == 0.0:
        first += 1
    w = h * weights[first]
    for i in range(x.size):
        result[i] = x[i] + w * k[first, i]
    add_more(h, weights, first + 1, count, k, result)


@kernel(inner=True)
def explicit_step(rhs, t, h, t_new, x, memory, mode, p, family, scheme, trial):
    """Fill stages, new state and error; returns STEP_OK or STEP_REFUSED."""
    k, stage, x_new = trial.k, trial.stage, trial.x_new
    stages = scheme.sizes[family, 0]
    for s in range(1, stages):
        add_stages(x, h, scheme.a[family, s], s, k, stage)
        if rhs(t + scheme.c[family, s] * h, stage, memory, mode, p, k[s]) != 0:
            return STEP_REFUSED
    add_stages(x, h, scheme.b[family], stages, k, x_new)
    if rhs(t_new, x_new, memory, mode, p, k[stages]) != 0:
        return STEP_REFUSED
    w = h * scheme.d[family, 0]
    for i in range(x.size):
        trial.error[i] = w * k[0, i]
    add_more(h, scheme.d[family], 1, stages + 1, k, trial.error)
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
