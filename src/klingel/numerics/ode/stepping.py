"""One trial step: how long it may be, which family takes it, what follows from success and failure."""

from math import isfinite

from klingel._jit import kernel
from klingel.numerics.ode.controller import accepted_factor, rejected_factor, scaled_norm
from klingel.numerics.ode.erk import NEWTON_FAILED, STEP_OK, STEP_REFUSED, explicit_step, stiffness
from klingel.numerics.ode.esdirk import OLDEST_JACOBIAN, SLOW_CONTRACTION, implicit_step, spectral_radius
from klingel.numerics.ode.linearly_implicit import linearly_implicit_step
from klingel.numerics.ode.race import begin_window, other_method, races, rival_goes_on
from klingel.numerics.ode.workspace import Count, Family, Real, Status, Switching

REFUSED_FACTOR = 0.25  # a refused step or a Newton failure is retried this much smaller
NEAR_LIMIT = 0.85  # of the stability limit: a step counts as stiff
FAR_FROM_LIMIT = 0.7  # of the stability limit: an implicit step an explicit method could take as well
STIFF_AFTER = 15  # steps at the stability limit before `auto` turns implicit
CALM_AFTER = 25  # steps an explicit method could have taken before it turns back
NEAR_END = 1e-10  # a rest of the interval shorter than this fraction of the step is taken along
KEEP_STEP = 1.2  # an implicit step is not lengthened by less: the factorisation stays valid


@kernel(inner=True)
def first_step(rhs, t, p, solver, scheme, trial):
    """Step with which an Euler step and its change of slope stay small.

    Reference: Hairer, Norsett and Wanner, Solving ODEs I, section II.4.
    """
    real, x, atol, rtol = solver.real, solver.x, solver.atol, solver.real[Real.RTOL]
    f = trial.k[0]
    d0 = scaled_norm(x, x, atol, rtol)
    d1 = scaled_norm(f, x, atol, rtol)
    span = real[Real.T_END] - t
    h = 1e-6 * span if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, 0.1 * span, real[Real.H_MAX])
    for i in range(x.size):
        trial.stage[i] = x[i] + h * f[i]
    if rhs(t + h, trial.stage, solver.memory, solver.mode, p, trial.error) != 0:
        return h
    for i in range(x.size):
        trial.error[i] -= f[i]
    steepest = max(d1, scaled_norm(trial.error, x, atol, rtol) / h)
    h1 = (
        (0.01 / steepest) ** scheme.scalars[solver.count[Count.FAMILY], 1]
        if steepest > 1e-15
        else max(1e-6 * span, 1e-3 * h)
    )
    return min(100.0 * h, h1, 0.1 * span, real[Real.H_MAX])


@kernel(inner=True)
def next_target(solver, watch):
    """End of the run or next known instant, whichever comes first."""
    k = solver.count[Count.TIME_INDEX]
    if k < watch.times.size and watch.times[k] <= solver.real[Real.T_END]:
        return watch.times[k]
    return solver.real[Real.T_END]


@kernel(inner=True)
def choose_step(solver, watch):
    """Length and end of the next step: a target within reach is hit exactly, a near one in two equal steps."""
    t, h = solver.real[Real.T], solver.real[Real.H]
    target = next_target(solver, watch)
    if t + h * (1.0 + NEAR_END) >= target:
        return target - t, target, target
    if t + 2.0 * h > target:
        h = 0.5 * (target - t)
    return h, t + h, target


@kernel(inner=True)
def try_step(rhs, jacobian, t, h, t_new, p, solver, scheme, trial, implicit):
    family = solver.count[Count.FAMILY]
    if family == Family.IMPLICIT:
        if scheme.sizes[Family.IMPLICIT, 2] == 1:
            return linearly_implicit_step(
                rhs, jacobian, t, h, t_new, solver.memory, solver.mode, p, scheme, solver, trial, implicit
            )
        return implicit_step(rhs, jacobian, t, h, solver.memory, solver.mode, p, scheme, solver, trial, implicit)
    solver.count[Count.RHS] += scheme.sizes[family, 0]
    return explicit_step(rhs, t, h, t_new, solver.x, solver.memory, solver.mode, p, family, scheme, trial)


@kernel(inner=True)
def retry(solver, status, error, scheme):
    """Shorten the step after a failed trial; a stale Jacobian is renewed first."""
    real, count = solver.real, solver.count
    count[Count.REJECTED] += 1
    if status == STEP_OK and isfinite(error):
        return rejected_factor(error, scheme.scalars[solver.count[Count.FAMILY], 1])
    if status == STEP_REFUSED:
        count[Count.REFUSALS] += 1
    if status == NEWTON_FAILED and count[Count.JACOBIAN_FRESH] == 0:
        count[Count.JACOBIAN_VALID] = 0
        return 1.0 if count[Count.REJECTED_LAST] == 0 else REFUSED_FACTOR
    count[Count.FACTORS_VALID] = 0
    real[Real.OLD_ERROR] = 1.0
    return REFUSED_FACTOR


@kernel(inner=True)
def accept_size(solver, error, scheme, h, h_wish):
    """Step size after success; `h_wish` is what was wanted before the end of an interval cut it."""
    real, count = solver.real, solver.count
    factor = accepted_factor(error, real[Real.OLD_ERROR], scheme.scalars[solver.count[Count.FAMILY], 1])
    if count[Count.REJECTED_LAST] > 0:
        factor = min(factor, 1.0)
    if count[Count.FAMILY] == Family.IMPLICIT and 1.0 <= factor < KEEP_STEP:
        factor = 1.0
    real[Real.OLD_ERROR] = max(error, 1e-4)
    real[Real.H] = min(real[Real.H_MAX], max(h * factor, h_wish if factor >= 1.0 else 0.0))
    real[Real.H_LAST] = h
    count[Count.ACCEPTED] += 1
    count[Count.REJECTED_LAST] = 0
    count[Count.JACOBIAN_AGE] += 1
    if real[Real.NEWTON_RATE] > SLOW_CONTRACTION or count[Count.JACOBIAN_AGE] > OLDEST_JACOBIAN:
        count[Count.JACOBIAN_VALID] = 0


@kernel(inner=True)
def judge_stiffness(solver, scheme, trial, implicit, h):
    """Whether `auto` should change family: after many steps at the stability limit, or many well inside it."""
    count = solver.count
    limit = solver.real[Real.STABILITY_LIMIT]
    if count[Count.FAMILY] == Family.EXPLICIT:
        if stiffness(scheme, trial, h) > NEAR_LIMIT * limit:
            count[Count.STIFF_STEPS] += 1
            count[Count.CALM_STEPS] = 0
        elif count[Count.STIFF_STEPS] > 0:
            count[Count.CALM_STEPS] += 1
            if count[Count.CALM_STEPS] >= 6:
                count[Count.STIFF_STEPS] = 0
        return count[Count.STIFF_STEPS] >= STIFF_AFTER
    if h * spectral_radius(implicit, 6) < FAR_FROM_LIMIT * limit:
        count[Count.CALM_STEPS] += 1
    else:
        count[Count.CALM_STEPS] = 0
    return count[Count.CALM_STEPS] >= CALM_AFTER


@kernel(inner=True)
def wants_other_family(solver, scheme, trial, implicit, h, t_new):
    """Whether the run turns implicit after this step, or explicit again."""
    real, count = solver.real, solver.count
    if count[Count.SWITCHING] == Switching.NEVER:
        return False
    if count[Count.SWITCHING] == Switching.BY_STIFFNESS:
        return judge_stiffness(solver, scheme, trial, implicit, h)
    inside = real[Real.IMPLICIT_FROM] <= t_new < real[Real.IMPLICIT_TO]
    return inside != (count[Count.FAMILY] == Family.IMPLICIT)


@kernel(inner=True)
def go_on_with(solver, scheme, change):
    """Choose the method of the next step; `change`: between explicit and implicit."""
    count = solver.count
    family = count[Count.FAMILY]
    if change:
        change_family(solver, Family.EXPLICIT if family == Family.IMPLICIT else Family.IMPLICIT)
        count[Count.RACE_TRIED] = 0
        begin_window(solver.real[Real.T], solver)
    elif races(count) and rival_goes_on(solver, scheme):
        change_family(solver, other_method(count))
        solver.real[Real.OLD_ERROR] = 1.0


@kernel(inner=True)
def change_family(solver, family):
    """Go on with another method."""
    count = solver.count
    count[Count.FAMILY] = family
    count[Count.JACOBIAN_VALID] = 0
    count[Count.STIFF_STEPS] = 0
    count[Count.CALM_STEPS] = 0
    count[Count.FAMILY_CHANGES] += 1


@kernel(inner=True)
def fail(solver, status, trial):
    """Name the component behind a step that cannot be taken."""
    count = solver.count
    count[Count.CULPRIT] = count[Count.WORST]
    if status == STEP_REFUSED:
        return Status.REFUSED
    for i in range(solver.x.size):
        if not isfinite(trial.error[i]) or not isfinite(trial.x_new[i]):
            count[Count.CULPRIT] = i
            return Status.NOT_FINITE
    if status == NEWTON_FAILED:
        return Status.NO_NEWTON
    return Status.STEP_UNDERFLOW
