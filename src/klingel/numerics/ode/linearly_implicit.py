"""One step of a W-method: one system of linear equations per stage, no iteration.

The matrix may belong to an earlier state or step size; that costs accuracy, not order. It is made anew after
OLDEST_MATRIX steps, after events and when a step was rejected.
"""

from klingel._jit import kernel
from klingel.numerics.linear.block_lu import solve
from klingel.numerics.ode.erk import STEP_OK, STEP_REFUSED, add_more, add_stages
from klingel.numerics.ode.esdirk import prepare_matrix
from klingel.numerics.ode.workspace import Count, Family, Real

IMPLICIT = Family.IMPLICIT.value
OLDEST_MATRIX = 20  # steps


@kernel(inner=True)
def linear_stage(rhs, t, h, memory, mode, p, scheme, x, s, trial, implicit):
    """Stage s into trial.k[s]; the first one uses the derivative at the old point."""
    k = trial.k
    f = k[0]
    if s > 1:
        add_stages(x, h, scheme.a[IMPLICIT, s], s, k, trial.stage)
        f = implicit.vector
        if rhs(t + scheme.c[IMPLICIT, s] * h, trial.stage, memory, mode, p, f) != 0:
            return STEP_REFUSED
    gamma = scheme.scalars[IMPLICIT, 0]
    for i in range(x.size):
        k[s, i] = gamma * f[i]
    for j in range(1, s):
        c = gamma * scheme.coupling[IMPLICIT, s, j]
        for i in range(x.size):
            k[s, i] += c * k[j, i]
    solve(implicit.lu, implicit.pivots, implicit.order, implicit.starts, k[s], implicit.work)
    return STEP_OK


@kernel(inner=True)
def linearly_implicit_step(rhs, jacobian, t, h, t_new, memory, mode, p, scheme, solver, trial, implicit):
    """Fill stages, new state and error; returns STEP_OK, STEP_REFUSED or NEWTON_FAILED (a singular matrix)."""
    x, k, count = solver.x, trial.k, solver.count
    old = count[Count.JACOBIAN_AGE] >= OLDEST_MATRIX or count[Count.REJECTED_LAST] > 0
    if old and count[Count.JACOBIAN_FRESH] == 0:
        count[Count.JACOBIAN_VALID] = 0
    status = prepare_matrix(rhs, jacobian, t, h, memory, mode, p, scheme, solver, trial, implicit)
    if status != STEP_OK:
        return status
    solver.real[Real.NEWTON_RATE] = 0.0
    stages = scheme.sizes[IMPLICIT, 0]
    for s in range(1, stages):
        if linear_stage(rhs, t, h, memory, mode, p, scheme, x, s, trial, implicit) != STEP_OK:
            return STEP_REFUSED
    for i in range(x.size):
        trial.x_new[i] = x[i]
        trial.error[i] = 0.0
    add_more(h, scheme.b[IMPLICIT], 0, stages, k, trial.x_new)
    add_more(h, scheme.d[IMPLICIT], 0, stages, k, trial.error)
    count[Count.RHS] += stages - 1
    return STEP_OK if rhs(t_new, trial.x_new, memory, mode, p, k[stages]) == 0 else STEP_REFUSED
