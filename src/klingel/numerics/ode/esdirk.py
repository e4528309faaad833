"""One step of an ESDIRK method: explicit first stage, then stages solved by a simplified Newton iteration.

Stage i is solved for its argument Y in Y = base + h gamma f(Y); the stage derivative is (Y - base)/(h gamma),
which stays bounded for stiff components where f(Y) would magnify the iteration error. One factorisation of
I - h gamma J serves all stages, and later steps as long as the iteration contracts well and the step size
stays within a band.

The raw error estimate h sum d_j k_j grows like |h lambda| for stiff components of this pair, so it is
filtered by (I - h gamma J)**-1, which leaves the non-stiff ones alone.
"""

from klingel._jit import kernel
from klingel.numerics.linear.block_lu import factorise, solve
from klingel.numerics.ode.erk import NEWTON_FAILED, STEP_OK, STEP_REFUSED, add_more, add_stages
from klingel.numerics.ode.workspace import Count, Family, Real

IMPLICIT = Family.IMPLICIT.value
NEWTON_MOST = 8  # iterations per stage
NEWTON_ACCURACY = 3e-3  # iteration error allowed, as a fraction of the step's tolerance
SLOW_CONTRACTION = 0.3  # above this rate the Jacobian is renewed before the next step
OLDEST_JACOBIAN = 50  # steps; however well the iteration contracts, `auto` must see a change of stiffness
BAND = 0.2  # the factorisation is kept while |h/h_factorised - 1| stays below this
DIFFERENCE = 1.5e-8  # relative perturbation of the difference quotient, square root of rounding


@kernel(inner=True)
def difference_jacobian(rhs, t, x, memory, mode, p, atol, implicit, stage, shifted, count):
    """Forward differences, one right-hand side per colour; entries outside `keep` are zero.

    From the right-hand side at x, not from the stage derivative that starts the step: that one is off by the
    iteration error over h gamma, which the small divisor would turn into a Jacobian of noise.
    """
    n = x.size
    f = implicit.vector
    if rhs(t, x, memory, mode, p, f) != 0:
        return STEP_REFUSED
    count[Count.RHS] += 1
    jac, keep, colours = implicit.jac, implicit.keep, implicit.colours
    n_colours = 0
    for j in range(n):
        n_colours = max(n_colours, colours[j] + 1)
    for colour in range(n_colours):
        for j in range(n):
            stage[j] = x[j]
            if colours[j] == colour:
                stage[j] += DIFFERENCE * max(abs(x[j]), 1e3 * atol[j])
        if rhs(t, stage, memory, mode, p, shifted) != 0:
            return STEP_REFUSED
        count[Count.RHS] += 1
        for j in range(n):
            if colours[j] == colour:
                step = stage[j] - x[j]
                for i in range(n):
                    jac[i, j] = (shifted[i] - f[i]) / step if keep[i, j] else 0.0
    return STEP_OK


@kernel(inner=True)
def fill_matrix(hg, implicit):
    """I - h gamma J where a block has entries."""
    order, starts = implicit.order, implicit.starts
    for block in range(starts.size - 1):
        for i in range(starts[block], starts[block + 1]):
            row = order[i]
            for j in range(starts[block], starts[block + 1]):
                implicit.matrix[row, order[j]] = -hg * implicit.jac[row, order[j]]
            implicit.matrix[row, row] += 1.0


@kernel(inner=True)
def prepare_matrix(rhs, jacobian, t, h, memory, mode, p, scheme, solver, trial, implicit):
    """Renew Jacobian and factorisation where needed."""
    real, count, x = solver.real, solver.count, solver.x
    n = x.size
    if count[Count.JACOBIAN_VALID] == 0:
        if count[Count.HAS_JACOBIAN] == 1:
            for i in range(n):
                for j in range(n):
                    implicit.jac[i, j] = 0.0
            jacobian(t, x, memory, mode, p, implicit.jac)
        elif (
            difference_jacobian(rhs, t, x, memory, mode, p, solver.atol, implicit, trial.stage, trial.x_new, count)
            != STEP_OK
        ):
            return STEP_REFUSED
        count[Count.JACOBIANS] += 1
        count[Count.JACOBIAN_VALID] = 1
        count[Count.JACOBIAN_FRESH] = 1
        count[Count.JACOBIAN_AGE] = 0
        count[Count.FACTORS_VALID] = 0
    if count[Count.FACTORS_VALID] == 0 or abs(h / real[Real.H_FACTORISED] - 1.0) > BAND:
        fill_matrix(h * scheme.scalars[IMPLICIT, 0], implicit)
        culprit = factorise(implicit.matrix, implicit.order, implicit.starts, implicit.lu, implicit.pivots)
        count[Count.FACTORISATIONS] += 1
        if culprit >= 0:
            count[Count.WORST] = culprit
            return NEWTON_FAILED
        count[Count.FACTORS_VALID] = 1
        real[Real.H_FACTORISED] = h
    return STEP_OK


@kernel(inner=True)
def solve_stage(rhs, t, hg, memory, mode, p, solver, trial, implicit, guess):
    """Newton iteration for one stage; `trial.stage` holds its argument afterwards."""
    real, count = solver.real, solver.count
    base, delta, stage = implicit.base, implicit.delta, trial.stage
    n = base.size
    for i in range(n):
        stage[i] = base[i] + hg * guess[i]
    last = 0.0
    rate = 0.0
    for iteration in range(NEWTON_MOST):
        if rhs(t, stage, memory, mode, p, implicit.vector) != 0:
            return STEP_REFUSED
        count[Count.RHS] += 1
        count[Count.NEWTON] += 1
        for i in range(n):
            delta[i] = base[i] + hg * implicit.vector[i] - stage[i]
        solve(implicit.lu, implicit.pivots, implicit.order, implicit.starts, delta, implicit.work)
        size = 0.0
        for i in range(n):
            scaled = abs(delta[i]) / (solver.atol[i] + real[Real.RTOL] * abs(solver.x[i]))
            if not scaled <= size:
                size = scaled
                count[Count.WORST] = i
                if not scaled < 1e200:  # a later component must not hide it: nothing compares with NaN
                    break
        if not size < 1e200:
            return NEWTON_FAILED
        for i in range(n):
            stage[i] += delta[i]
        # the quotient of two updates that are rounding says nothing about contraction
        if iteration > 0 and size <= 1e-3 * NEWTON_ACCURACY:
            return STEP_OK
        if iteration > 0:
            rate = size / last if last > 0.0 else 0.0
            if rate >= 1.0:
                return NEWTON_FAILED
            real[Real.NEWTON_RATE] = max(real[Real.NEWTON_RATE], rate)
        # one small update proves nothing: a Jacobian that is too stiff (differenced across a corner, or out of
        # date) makes tiny ones that only look converged; the second shows the contraction
        if size == 0.0 or (iteration > 0 and size * rate / (1.0 - rate) <= NEWTON_ACCURACY):
            return STEP_OK
        last = size
    return NEWTON_FAILED


@kernel(inner=True)
def implicit_step(rhs, jacobian, t, h, memory, mode, p, scheme, solver, trial, implicit):
    """Fill stages, new state and filtered error; returns STEP_OK, STEP_REFUSED or NEWTON_FAILED."""
    x, k = solver.x, trial.k
    n = x.size
    status = prepare_matrix(rhs, jacobian, t, h, memory, mode, p, scheme, solver, trial, implicit)
    if status != STEP_OK:
        return status
    stages = scheme.sizes[IMPLICIT, 0]
    hg = h * scheme.scalars[IMPLICIT, 0]
    solver.real[Real.NEWTON_RATE] = 0.0
    for s in range(1, stages):
        add_stages(x, h, scheme.a[IMPLICIT, s], s, k, implicit.base)
        for i in range(n):
            trial.error[i] = 0.0
            for j in range(s):
                trial.error[i] += scheme.predict[IMPLICIT, s, j] * k[j, i]
        status = solve_stage(
            rhs, t + scheme.c[IMPLICIT, s] * h, hg, memory, mode, p, solver, trial, implicit, trial.error
        )
        if status != STEP_OK:
            return status
        for i in range(n):
            k[s, i] = (trial.stage[i] - implicit.base[i]) / hg
    # stiffly accurate: the last stage is the new state, its derivative starts the next step
    for i in range(n):
        trial.x_new[i] = trial.stage[i]
        k[stages, i] = k[stages - 1, i]
        trial.error[i] = 0.0
    add_more(h, scheme.d[IMPLICIT], 0, stages + 1, k, trial.error)
    solve(implicit.lu, implicit.pivots, implicit.order, implicit.starts, trial.error, implicit.work)
    return STEP_OK


@kernel(inner=True)
def spectral_radius(implicit, rounds):
    """Estimate of the largest |eigenvalue| of the kept Jacobian by a few power iterations."""
    n = implicit.base.size
    v, w = implicit.work, implicit.delta
    for i in range(n):
        v[i] = 1.0 + 0.1 * (i % 7)
    radius = 0.0
    for _ in range(rounds):
        norm = 0.0
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += implicit.jac[i, j] * v[j]
            w[i] = total
            norm += total * total
        norm = norm**0.5
        if norm == 0.0:
            return 0.0
        length = 0.0
        for i in range(n):
            length += v[i] * v[i]
        radius = norm / length**0.5
        for i in range(n):
            v[i] = w[i] / norm
    return radius
