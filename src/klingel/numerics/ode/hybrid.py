"""The event loop: one compiled function that advances a hybrid system by a chunk of steps.

    choose step -> try it (explicit or implicit) -> error control -> guards -> first event
                -> output -> action and consistency -> after-step update -> next

It returns between steps, with everything it needs to go on inside its arguments, so progress, pausing and
saving happen in Python while a chunked run stays bit-identical to an unchunked one. It is compiled once per
parameter type: the system's functions arrive as typed pointers.

Longer than other files: all parts of the one compiled loop, in the order they are called.
"""

from math import inf, isfinite

import numba
from numba import types

from klingel._jit import direct, kernel, ready
from klingel.numerics.events.boundary_step import HIT, ON, Aim, correct
from klingel.numerics.events.breaks import NONE_CROSSED, RELEASE, cut, first_crossed, hold_crossed, may_hold
from klingel.numerics.events.following import pass_crossings
from klingel.numerics.events.location import (
    CROSSED,
    NOTHING,
    RATE_STEP,
    close_enough,
    guard_rates,
    locate,
    look,
    mark_end,
    mark_fired,
    upper_end,
)
from klingel.numerics.events.switching import mark_violated, switch, watch_from_here
from klingel.numerics.ode.controller import scale_error, worst_component
from klingel.numerics.ode.erk import STEP_OK, STEP_REFUSED
from klingel.numerics.ode.interpolation import fill_shape, interpolate, shorten
from klingel.numerics.ode.output_rows import has_room, next_output, write_grid, write_row
from klingel.numerics.ode.stepping import (
    accept_size,
    choose_step,
    fail,
    first_step,
    go_on_with,
    retry,
    try_step,
    wants_other_family,
)
from klingel.numerics.ode.workspace import Count, Location, Real, Status
from klingel.numerics.pointers import SIGNATURES, own_loop, parameter_type, problem_pointers

SMALLEST_STEP = 1e-15  # relative to the time; below this t + h is t
BEFORE = 0.98  # of the way to an event, where the slope of its guard is taken
NOT_A_NUMBER = -inf  # returned as event time when a guard is NaN
NOTHING_HAPPENED, FOLLOWED, ASK_GUARDS, GUARD_IS_NAN = range(4)  # what `quiet` finds


@kernel(inner=True)
def shape_step(rhs, t, h, p, solver, scheme, trial):
    """Fill the interpolant of the present step, unless it is known."""
    count = solver.count
    if count[Count.SHAPED] == 0:
        count[Count.SHAPED] = 1
        count[Count.RHS] += fill_shape(
            rhs, t, h, solver.x, solver.memory, solver.mode, p, count[Count.FAMILY], scheme, trial
        )


@kernel(inner=True)
def attempt(rhs, jacobian, breaks, t, h, t_new, p, solver, scheme, trial, implicit):
    """Try a step, once more with its breaks held off if its error was too large.

    Returns status, error and the fraction of the step at whose end the trial now is.
    """
    real, count = solver.real, solver.count
    count[Count.SHAPED] = 0
    held, first, before = False, 0.0, 0.0
    while True:
        status = try_step(rhs, jacobian, t, h, t_new, p, solver, scheme, trial, implicit)
        error = inf
        if status == STEP_OK:
            error = scale_error(trial.error, solver.x, trial.x_new, solver.atol, real[Real.RTOL])
        if held or error <= 1.0 or not (isfinite(error) and may_hold(count, error)):
            break
        before = hold_crossed(breaks, t, t_new, p, solver, trial)
        if not before > 0.0:
            break
        held, first = True, error
        count[Count.REJECTED] += 1
    if not held:
        return status, error, 1.0
    s = NONE_CROSSED
    if error <= 1.0:
        shape_step(rhs, t, h, p, solver, scheme, trial)
        s = first_crossed(breaks, t, h, before, first, p, solver, trial)
    breaks(RELEASE, t, solver.x, solver.memory, solver.mode, p)
    if s == NONE_CROSSED:
        return status, max(error, first) if status == STEP_OK else error, 1.0
    beyond = cut(rhs, t, h, s, p, solver, trial, scheme.sizes[count[Count.FAMILY], 0])
    return (STEP_OK if beyond else STEP_REFUSED), error, s


@kernel(inner=True)
def redo(rhs, guards, jacobian, t, h, s, pivot, p, solver, scheme, trial, watch, implicit):
    """Real steps to the event, so the method's full order survives; `trial` then holds the last one.

    The first secant has the slope of the interpolant shortly before the event; one from the start of the step
    would be that of another place. Returns the fraction of the step, or -1 where the iteration does not settle.
    """
    memory, mode = solver.memory, solver.mode
    interpolate(solver.x, trial.shape, BEFORE * s, trial.x_probe)
    guards(t + BEFORE * s * h, trial.x_probe, memory, mode, p, watch.probe)
    solver.count[Count.GUARDS] += 1
    interpolate(solver.x, trial.shape, s, trial.x_probe)
    aim = Aim(BEFORE * s * h, watch.probe[pivot] - watch.slack[pivot], s * h, 0)
    state = ON
    while state == ON:
        length = aim.target
        if try_step(rhs, jacobian, t, length, t + length, p, solver, scheme, trial, implicit) != STEP_OK:
            return -1.0
        guards(t + length, trial.x_new, memory, mode, p, watch.probe)
        solver.count[Count.GUARDS] += 1
        state, aim = correct(aim, watch.probe[pivot] - watch.slack[pivot], h, watch.tolerance[pivot])
    return aim.target / h if state == HIT else -1.0


@kernel(inner=True)
def quiet(scan, guards, t, t_new, p, solver, trial, watch):
    """Whether a quick look shows that no guard was crossed: NOTHING_HAPPENED or FOLLOWED; else ASK_GUARDS.

    GUARD_IS_NAN if one is. After quiet steps the guards at the start of this one are not known and asked for here.
    """
    count = solver.count
    if count[Count.HAS_SCAN] == 1:
        seen = scan(t, t_new, solver.x, trial.x_new, solver.memory, solver.mode, p)
        if seen != 1:
            count[Count.GUARDS_STALE] = 1
            return NOTHING_HAPPENED if seen == 0 else FOLLOWED
        if count[Count.GUARDS_STALE] == 1:
            if not watch_from_here(guards, t, t_new - t, solver, trial.k[0], p, trial, watch):
                return GUARD_IS_NAN
            for i in range(watch.g.size):
                if watch.g[i] > 0.0:
                    watch.slack[i] = 0.0
    return ASK_GUARDS


@kernel(inner=True)
def find_event(rhs, guards, jacobian, t, h, t_new, target, p, solver, scheme, trial, watch, implicit):
    """First event of the step: moves the trial to it and returns its time, +inf if there is none, NOT_A_NUMBER."""
    count = solver.count
    x, memory, mode = solver.x, solver.memory, solver.mode
    guards(t_new, trial.x_new, memory, mode, p, watch.g_new)
    family = count[Count.FAMILY]
    f_new = trial.k[scheme.sizes[family, 0]]
    ignored = count[Count.LOCATION] == Location.END_OF_STEP
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
    if ignored:
        marked = mark_end(watch, count)
        if marked == CROSSED:
            shape_step(rhs, t, h, p, solver, scheme, trial)
            return t_new
        return inf if marked == NOTHING else NOT_A_NUMBER
    looked = look(watch, h, count)
    if looked != CROSSED:
        return inf if looked == NOTHING else NOT_A_NUMBER
    shape_step(rhs, t, h, p, solver, scheme, trial)
    top = upper_end(guards, t, h, x, memory, mode, p, trial, watch, count)
    if top > 1.0:
        return inf
    close = close_enough(solver.real[Real.RTOL])
    s, pivot = locate(guards, t, h, x, memory, mode, p, trial, watch, top, close, count)
    mark_fired(guards, t, h, s, x, memory, mode, p, trial, watch, count)
    interpolate(x, trial.shape, s, trial.x_probe)
    if count[Count.LOCATION] == Location.REDONE:
        full = redo(rhs, guards, jacobian, t, h, s, pivot, p, solver, scheme, trial, watch, implicit)
        if full > 0.0 and t + full * h <= target:
            watch.fired[pivot] = True
            watch.slack[pivot] = min(watch.slack[pivot], watch.probe[pivot])
            for i in range(watch.g_new.size):
                watch.g_new[i] = watch.probe[i]
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
    solver.count[Count.JACOBIAN_FRESH] = 0
    if solver.count[Count.GUARDS_STALE] == 1:
        return
    for i in range(watch.g.size):
        watch.g[i] = watch.g_new[i]
        watch.rate[i] = watch.rate_new[i]
        if watch.g[i] > 0.0:
            watch.slack[i] = 0.0


@kernel(inner=True)
def mark_times(t, happened, solver, watch):
    """Known instants reached at t join the guards that fired there; returns whether anything fires.

    An instant left behind would be the target of a step of length zero.
    """
    count = solver.count
    n = watch.g.size
    if not happened:
        for i in range(n):
            watch.fired[i] = False
    while count[Count.TIME_INDEX] < watch.times.size and watch.times[count[Count.TIME_INDEX]] <= t:
        watch.fired[n + count[Count.TIME_INDEX]] = True
        count[Count.TIME_INDEX] += 1
        happened = True
    return happened


@kernel(inner=True)
def settle_start(rhs, guards, act, p, solver, scheme, trial, watch, output):
    """First derivative and step, known instants at the start, consistency of the start modes; returns a Status."""
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
    if not watch_from_here(guards, t, real[Real.H_LAST], solver, trial.k[0], p, trial, watch):
        return Status.GUARD_NOT_A_NUMBER
    beyond = count[Count.LOCATION] == Location.END_OF_STEP
    violated = mark_violated(watch, real[Real.H_LAST], beyond) > 0
    if mark_times(t, violated, solver, watch):
        return switch(rhs, guards, act, p, solver, trial, watch, output)
    return Status.RUNNING


@kernel(inner=True)
def begin(rhs, guards, act, p, solver, scheme, trial, watch, output):
    """Start of the run and its first row, which a run that cannot start has as well; returns a Status."""
    status = settle_start(rhs, guards, act, p, solver, scheme, trial, watch, output)
    write_row(solver.real[Real.T], solver.x, solver.memory, solver.mode, output, solver.count)
    solver.count[Count.OUT_INDEX] = 1
    return status


@kernel(inner=True)
def after_accepted(rhs, guards, act, changed, happened, p, solver, trial, watch, output):
    """Actions of events and known instants; consistency after a soft update. Returns a Status."""
    real, count = solver.real, solver.count
    t = real[Real.T]
    if count[Count.TIME_INDEX] < watch.times.size:
        happened = mark_times(t, happened, solver, watch)
    if not happened and changed != 0:
        count[Count.RHS] += 1
        if rhs(t, solver.x, solver.memory, solver.mode, p, trial.k[0]) != 0:
            return Status.REFUSED
        if not watch_from_here(guards, t, real[Real.H_LAST], solver, trial.k[0], p, trial, watch):
            return Status.GUARD_NOT_A_NUMBER
        beyond = count[Count.LOCATION] == Location.END_OF_STEP
        happened = mark_violated(watch, real[Real.H_LAST], beyond) > 0
    if not happened:
        return Status.RUNNING
    status = switch(rhs, guards, act, p, solver, trial, watch, output)
    count[Count.JACOBIAN_VALID] = 0
    real[Real.OLD_ERROR] = 1.0
    if real[Real.OUT_STEP] == 0.0:
        write_row(t, solver.x, solver.memory, solver.mode, output, count)
    return status


def run_chunk(
    rhs, guards, act, after_step, jacobian, scan, follow, breaks, p,
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
            count[Count.CULPRIT] = worst_component(trial.error)
            return Status.MAX_STEPS
        family = count[Count.FAMILY]
        h, t_new, target = choose_step(solver, watch)
        h_wish = real[Real.H]
        # measured by the present time: a far end must not forbid small steps at the start
        smallest = SMALLEST_STEP * max(abs(t), SMALLEST_STEP * abs(real[Real.T_END]))
        if h_wish <= smallest and t_new < target:
            if count[Count.REJECTED_LAST] == 0:
                count[Count.WORST] = worst_component(trial.error)
            return fail(solver, count[Count.REJECTED_LAST] - 1, trial)

        # try it
        status, error, s = attempt(rhs, jacobian, breaks, t, h, t_new, p, solver, scheme, trial, implicit)
        if status != STEP_OK or not error <= 1.0:
            if status == STEP_OK:
                count[Count.WORST] = worst_component(trial.error)
            real[Real.H] = h * retry(solver, status, error, scheme)
            count[Count.REJECTED_LAST] = 1 + status
            continue
        accept_size(solver, error, scheme, h, h_wish)
        change = False
        if s == 1.0:
            change = wants_other_family(solver, scheme, trial, implicit, h, t_new)
        else:
            h, t_new = s * h, t + s * h

        # first event of the step
        t_event = inf
        calm = ASK_GUARDS
        if watch.g.size > 0:
            calm = quiet(scan, guards, t, t_new, p, solver, trial, watch)
            if calm == ASK_GUARDS:
                t_event = find_event(
                    rhs, guards, jacobian, t, h, t_new, target, p, solver, scheme, trial, watch, implicit
                )
            elif calm == GUARD_IS_NAN:
                t_event = NOT_A_NUMBER
        if t_event == NOT_A_NUMBER:
            return Status.GUARD_NOT_A_NUMBER
        happened = t_event < inf
        if happened:
            t_new = t_event

        # output, and the soft update, on the interpolant
        asked = real[Real.OUT_STEP] > 0.0 and next_output(real, count) <= t_new
        if (asked or count[Count.HAS_AFTER_STEP] == 1) and not happened:
            shape_step(rhs, t, h, p, solver, scheme, trial)
        if count[Count.HAS_FOLLOW] == 1 and calm != NOTHING_HAPPENED:
            crossed = follow(t, t_new - t, solver.x, trial.x_new, solver.memory, solver.mode, p, watch.crossings)
            if crossed > 0:
                pass_crossings(t, t_new - t, crossed, asked, solver, trial, watch, output)
        if asked:
            write_grid(t, t_new - t, t_new, solver, trial, output)
        changed = 0
        if count[Count.HAS_AFTER_STEP] == 1:
            changed = after_step(t, t_new - t, solver.x, trial.shape, trial.x_new, solver.memory, solver.mode, p)

        advance(solver, trial, watch, t_new, scheme.sizes[family, 0])
        if real[Real.OUT_STEP] == 0.0:
            write_row(t_new, solver.x, solver.memory, solver.mode, output, count)
        status = after_accepted(rhs, guards, act, changed, happened, p, solver, trial, watch, output)
        if status != Status.RUNNING:
            return status
        go_on_with(solver, scheme, change)
    return Status.DONE if real[Real.T] >= real[Real.T_END] else Status.RUNNING


def compiled_loop(problem, *groups):
    """The loop compiled for this problem, from the disk cache where possible, and the functions it is handed.

    One of the problem's own calls what it is called with most directly; all else comes as typed pointers.
    """
    own = own_loop(problem)
    handed = tuple(name for name in SIGNATURES if own is None or name not in own.functions)
    kind = parameter_type(problem.parameters)
    known = _LOOPS.get((own, kind))
    if known is None:
        # the arrays of a group have one type each, whatever the problem: Numba need not look at them every time
        pointers = [types.FunctionType(SIGNATURES[name](kind)) for name in handed]
        groups = [numba.typeof(group) for group in groups]
        signature = types.int64(*pointers, kind, *groups, types.int64)
        known = ready(kernel(run_chunk if own is None else own.run, signature=signature, rows=True))
        _LOOPS[own, kind] = known
    return direct(known), problem_pointers(problem, kind, handed)


_LOOPS = {}  # compiled ones by own loop and type of parameters
