"""The event loop: one compiled function that advances a hybrid system by a chunk of steps.

    choose step -> try it (explicit or implicit) -> error control -> guards -> first event
                -> output -> action and consistency -> after-step update -> next

It returns between steps, with everything it needs to go on inside its arguments, so progress, pausing and
saving happen in Python while a chunked run stays bit-identical to an unchunked one. It is compiled once per
parameter type: the system's functions arrive as typed pointers.
"""

from functools import cache
from math import inf, isfinite

import numba
from numba import types

from klingel._jit import kernel
from klingel.numerics import signatures
from klingel.numerics.controller import accepted_factor, rejected_factor, scaled_norm, worst_component
from klingel.numerics.erk import NEWTON_FAILED, STEP_OK, STEP_REFUSED, explicit_step, stiffness
from klingel.numerics.esdirk import SLOW_CONTRACTION, implicit_step, spectral_radius
from klingel.numerics.interpolation import fill_shape, interpolate, shorten
from klingel.numerics.location import RATE_STEP, guard_rates, locate, mark_fired, may_dip, upper_end
from klingel.numerics.switching import mark_violated, switch, watch_from_here
from klingel.numerics.workspace import Count, Family, Real, Status

REFUSED_FACTOR = 0.25  # a refused step or a Newton failure is retried this much smaller
NEAR_LIMIT = 0.85  # of the stability limit: a step counts as stiff
FAR_FROM_LIMIT = 0.7  # of the stability limit: an implicit step an explicit method could take as well
STIFF_AFTER = 15  # steps at the stability limit before `auto` turns implicit
CALM_AFTER = 25  # steps an explicit method could have taken before it turns back
NEAR_END = 1e-10  # a rest of the interval shorter than this fraction of the step is taken along
KEEP_STEP = 1.2  # an implicit step is not lengthened by less: the factorisation stays valid
REDO_MOST = 6
SMALLEST_STEP = 1e-15  # relative to the time; below this t + h is t


@kernel(inner=True)
def write_row(t, x, memory, mode, output, count):
    row = count[Count.OUT_ROWS]
    output.t[row] = t
    for i in range(x.size):
        output.x[row, i] = x[i]
    for i in range(memory.size):
        output.memory[row, i] = memory[i]
    for i in range(mode.size):
        output.mode[row, i] = mode[i]
    count[Count.OUT_ROWS] = row + 1


@kernel(inner=True)
def next_output(real, count):
    return real[Real.T_OUT] + count[Count.OUT_INDEX] * real[Real.OUT_STEP]


@kernel(inner=True)
def write_grid(t, t_new, solver, trial, output):
    """All points of the output grid in (t, t_new], from the interpolant."""
    h = t_new - t
    real, count = solver.real, solver.count
    while count[Count.OUT_ROWS] < output.t.size:
        t_out = next_output(real, count)
        if t_out > t_new:
            return
        interpolate(solver.x, trial.shape, min(1.0, (t_out - t) / h), trial.x_probe)
        write_row(t_out, trial.x_probe, solver.memory, solver.mode, output, count)
        count[Count.OUT_INDEX] += 1


@kernel(inner=True)
def try_step(rhs, jacobian, t, h, t_new, p, solver, scheme, trial, implicit):
    if solver.count[Count.FAMILY] == Family.IMPLICIT:
        return implicit_step(rhs, jacobian, t, h, solver.memory, solver.mode, p, scheme, solver, trial, implicit)
    solver.count[Count.RHS] += scheme.sizes[Family.EXPLICIT, 0]
    return explicit_step(rhs, t, h, t_new, solver.x, solver.memory, solver.mode, p, scheme, trial)


@kernel(inner=True)
def redo(rhs, guards, jacobian, t, h, s, pivot, p, solver, scheme, trial, watch, implicit):
    """Real steps to the event by a secant iteration on their length, so the method's full order survives.

    The interpolant, of lower order than the method, only starts the iteration. Ends on the far side
    of the boundary or, within its tolerance, on it. Returns the fraction of the step, or -1.
    """
    h_a, g_a = 0.0, watch.g[pivot] - watch.slack[pivot]
    h_b = s * h
    for _ in range(REDO_MOST):
        if try_step(rhs, jacobian, t, h_b, t + h_b, p, solver, scheme, trial, implicit) != STEP_OK:
            return -1.0
        guards(t + h_b, trial.x_new, solver.memory, solver.mode, p, watch.probe)
        solver.count[Count.GUARDS] += 1
        g_b = watch.probe[pivot] - watch.slack[pivot]
        if g_b <= 0.0 and g_b >= -watch.tolerance[pivot]:
            break
        h_c = h_b - g_b * (h_b - h_a) / (g_b - g_a) if g_b != g_a else h_b
        h_c += 1e-15 * h  # a hair beyond, towards the far side
        if not 0.0 < h_c <= 1.5 * h or abs(h_c - h_b) <= 1e-14 * h:
            break
        h_a, g_a, h_b = h_b, g_b, h_c
    return h_b / h


@kernel(inner=True)
def find_event(rhs, guards, jacobian, t, h, t_new, target, p, solver, scheme, trial, watch, implicit):
    """First event of the step: moves the trial to it and returns its time, or +inf if there is none."""
    count = solver.count
    x, memory, mode = solver.x, solver.memory, solver.mode
    guards(t_new, trial.x_new, memory, mode, p, watch.g_new)
    family = count[Count.FAMILY]
    f_new = trial.k[scheme.sizes[family, 0]]
    guard_rates(
        guards,
        t_new,
        RATE_STEP * h,
        trial.x_new,
        f_new,
        memory,
        mode,
        p,
        watch.g_new,
        trial.x_probe,
        watch.rate_new,
    )
    count[Count.GUARDS] += 2
    crossed = False
    for i in range(watch.g.size):
        if watch.g_new[i] < watch.slack[i]:
            crossed = True
    if not crossed and not may_dip(watch, h):
        return inf
    count[Count.RHS] += fill_shape(rhs, t, h, x, memory, mode, p, family, scheme, trial)
    top = upper_end(guards, t, h, x, memory, mode, p, trial, watch, count)
    if top > 1.0:
        return inf
    s, pivot = locate(guards, t, h, x, memory, mode, p, trial, watch, top, count)
    mark_fired(guards, t, h, s, x, memory, mode, p, trial, watch, count)
    interpolate(x, trial.shape, s, trial.x_probe)
    if count[Count.REDO] == 1:
        full = redo(rhs, guards, jacobian, t, h, s, pivot, p, solver, scheme, trial, watch, implicit)
        if full > 0.0 and t + full * h <= target:
            watch.fired[pivot] = True
            watch.slack[pivot] = min(watch.slack[pivot], watch.probe[pivot])
            count[Count.RHS] += fill_shape(rhs, t, full * h, x, memory, mode, p, family, scheme, trial)
            return t + full * h
    for i in range(x.size):
        trial.x_new[i] = trial.x_probe[i]
    shorten(trial.shape, s)
    return min(t + s * h, t_new)


@kernel(inner=True)
def advance(solver, trial, watch, t_new, f_row):
    """The accepted trial becomes the present state."""
    solver.real[Real.T] = t_new
    for i in range(solver.x.size):
        solver.x[i] = trial.x_new[i]
        trial.k[0, i] = trial.k[f_row, i]
    for i in range(watch.g.size):
        watch.g[i] = watch.g_new[i]
        watch.rate[i] = watch.rate_new[i]
        if watch.g[i] > 0.0:
            watch.slack[i] = 0.0
    solver.count[Count.JACOBIAN_FRESH] = 0


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
def change_family(count):
    """Exchange explicit and implicit method."""
    explicit = count[Count.FAMILY] == Family.EXPLICIT
    count[Count.FAMILY] = Family.IMPLICIT if explicit else Family.EXPLICIT
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
    if real[Real.NEWTON_RATE] > SLOW_CONTRACTION:
        count[Count.JACOBIAN_VALID] = 0


@kernel(inner=True)
def next_target(solver, watch):
    """End of the run or next known instant, whichever comes first."""
    k = solver.count[Count.TIME_INDEX]
    if k < watch.times.size and watch.times[k] <= solver.real[Real.T_END]:
        return watch.times[k]
    return solver.real[Real.T_END]


@kernel(inner=True)
def mark_times(t, solver, watch):
    """Known instants reached at t; clears the guards' marks. Returns how many."""
    count = solver.count
    n = watch.g.size
    for i in range(watch.fired.size):
        watch.fired[i] = False
    reached = 0
    while count[Count.TIME_INDEX] < watch.times.size and watch.times[count[Count.TIME_INDEX]] <= t:
        watch.fired[n + count[Count.TIME_INDEX]] = True
        count[Count.TIME_INDEX] += 1
        reached += 1
    return reached


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
def begin(rhs, guards, act, p, solver, scheme, trial, watch, output):
    """First derivative, consistency of the start modes, first output row; returns a Status."""
    real, count = solver.real, solver.count
    t = real[Real.T]
    if rhs(t, solver.x, solver.memory, solver.mode, p, trial.k[0]) != 0:
        return Status.REFUSED
    count[Count.RHS] += 1
    for i in range(solver.x.size):
        if not isfinite(trial.k[0, i]):
            count[Count.CULPRIT] = i
            return Status.NOT_FINITE
    if real[Real.H] <= 0.0:
        real[Real.H] = first_step(rhs, t, p, solver, scheme, trial)
        count[Count.RHS] += 1
    real[Real.H_LAST] = real[Real.H]
    watch_from_here(guards, t, real[Real.H_LAST], solver, trial.k[0], p, trial, watch)
    if mark_violated(watch, real[Real.H_LAST]) > 0:
        status = switch(rhs, guards, act, p, solver, trial, watch, output)
        if status != Status.RUNNING:
            return status
    write_row(t, solver.x, solver.memory, solver.mode, output, count)
    count[Count.OUT_INDEX] = 1
    return Status.RUNNING


@kernel(inner=True)
def has_room(solver, watch, output):
    """Whether the next step's rows fit: three per step, one event row per guard and cascade round."""
    count = solver.count
    events = watch.fired.size * (count[Count.MAX_CASCADE] + 1)
    if count[Count.EVENT_ROWS] + events > output.event_time.size:
        return False
    return solver.real[Real.OUT_STEP] > 0.0 or count[Count.OUT_ROWS] + 3 <= output.t.size


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
def after_accepted(rhs, guards, act, changed, happened, p, solver, trial, watch, output):
    """Actions of events and known instants; consistency after a soft update. Returns a Status."""
    real, count = solver.real, solver.count
    t = real[Real.T]
    if not happened and count[Count.TIME_INDEX] < watch.times.size:
        happened = mark_times(t, solver, watch) > 0
    if not happened and changed != 0:
        rhs(t, solver.x, solver.memory, solver.mode, p, trial.k[0])
        count[Count.RHS] += 1
        watch_from_here(guards, t, real[Real.H_LAST], solver, trial.k[0], p, trial, watch)
        happened = mark_violated(watch, real[Real.H_LAST]) > 0
    if not happened:
        return Status.RUNNING
    status = switch(rhs, guards, act, p, solver, trial, watch, output)
    count[Count.JACOBIAN_VALID] = 0
    real[Real.OLD_ERROR] = 1.0
    if real[Real.OUT_STEP] == 0.0:
        write_row(t, solver.x, solver.memory, solver.mode, output, count)
    return status


def run_chunk(
    rhs, guards, act, after_step, jacobian, p,
    solver, scheme, trial, watch, implicit, output, steps,
):  # fmt: skip
    """Advance by at most `steps` trial steps; returns a Status."""
    real, count = solver.real, solver.count
    if count[Count.STARTED] == 0:
        count[Count.STARTED] = 1
        status = begin(rhs, guards, act, p, solver, scheme, trial, watch, output)
        if status != Status.RUNNING:
            return status
    for _ in range(steps):
        t = real[Real.T]
        if t >= real[Real.T_END]:
            return Status.DONE
        if not has_room(solver, watch, output):
            return Status.MORE_ROOM
        if count[Count.ACCEPTED] + count[Count.REJECTED] >= count[Count.MAX_STEPS]:
            return Status.MAX_STEPS
        family = count[Count.FAMILY]
        h, t_new, target = choose_step(solver, watch)
        h_wish = real[Real.H]
        if h_wish <= SMALLEST_STEP * max(abs(t), abs(real[Real.T_END])) and t_new < target:
            return fail(solver, count[Count.REJECTED_LAST] - 1, trial)

        # try it
        status = try_step(rhs, jacobian, t, h, t_new, p, solver, scheme, trial, implicit)
        error = 0.0
        if status == STEP_OK:
            error, count[Count.WORST] = worst_component(
                trial.error, solver.x, trial.x_new, solver.atol, real[Real.RTOL]
            )
        if status != STEP_OK or not error <= 1.0:
            real[Real.H] = h * retry(solver, status, error, scheme)
            count[Count.REJECTED_LAST] = 1 + status
            continue
        accept_size(solver, error, scheme, h, h_wish)
        change = count[Count.SWITCHING] == 1 and judge_stiffness(solver, scheme, trial, implicit, h)

        # first event of the step
        t_event = inf
        if watch.g.size > 0:
            t_event = find_event(
                rhs, guards, jacobian, t, h, t_new, target, p, solver, scheme, trial, watch, implicit
            )
        happened = t_event < inf
        if happened:
            t_new = t_event

        # output, and the soft update, on the interpolant
        asked = real[Real.OUT_STEP] > 0.0 and next_output(real, count) <= t_new
        if (asked or count[Count.HAS_AFTER_STEP] == 1) and not happened:
            count[Count.RHS] += fill_shape(
                rhs, t, h, solver.x, solver.memory, solver.mode, p, family, scheme, trial
            )
        if asked:
            write_grid(t, t_new, solver, trial, output)
        changed = 0
        if count[Count.HAS_AFTER_STEP] == 1:
            changed = after_step(t, t_new - t, solver.x, trial.shape, trial.x_new, solver.memory, solver.mode, p)

        advance(solver, trial, watch, t_new, scheme.sizes[family, 0])
        if real[Real.OUT_STEP] == 0.0:
            write_row(t_new, solver.x, solver.memory, solver.mode, output, count)
        status = after_accepted(rhs, guards, act, changed, happened, p, solver, trial, watch, output)
        if status != Status.RUNNING:
            return status
        if change:
            change_family(count)
    return Status.DONE if real[Real.T] >= real[Real.T_END] else Status.RUNNING


@cache
def _compiled(parameter_type, groups):
    pointers = [
        types.FunctionType(make(parameter_type))
        for make in (
            signatures.rhs_signature,
            signatures.guards_signature,
            signatures.act_signature,
            signatures.after_step_signature,
            signatures.jacobian_signature,
        )
    ]
    signature = types.int64(*pointers, parameter_type, *groups, types.int64)
    return kernel(run_chunk, signature=signature)


def compiled_loop(parameters, *groups):
    """`run_chunk` compiled for this parameter type, from the disk cache where possible."""
    return _compiled(numba.typeof(parameters), tuple(numba.typeof(group) for group in groups))
