"""The event loop of systems with constraints: steps by Radau IIA or a half-explicit method, events as in `hybrid`.

    choose step -> try it -> guards -> first event -> real steps to it -> output -> action, consistency -> next

Location, switching, chatter watch, known instants, records and the event log are the kernels of the hybrid loop.
Two things are different here. An event step is always redone with the method itself: an interpolated state would
lie beside the constraints. And after an action the state is made consistent before the guards are looked at again.

The loop is compiled for each method: the arrays of the other one are None, and its branches vanish.
"""

from math import inf

from klingel._jit import kernel
from klingel.numerics.dae.half_explicit import attempt as half_explicit_attempt
from klingel.numerics.dae.half_explicit import settle as half_explicit_settle
from klingel.numerics.dae.projection import ROUNDING
from klingel.numerics.dae.radau import attempt as radau_attempt
from klingel.numerics.dae.radau import settle as radau_settle
from klingel.numerics.dae.radau.attempt import REJECTED
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.events.boundary_step import HIT, ON, Aim, correct
from klingel.numerics.events.location import (
    CROSSED,
    LOCATED,
    NOTHING,
    RATE_STEP,
    guard_rates,
    locate,
    look,
    mark_fired,
    upper_end,
)
from klingel.numerics.events.switching import act_together, contradiction, mark_violated, watch_from_here
from klingel.numerics.ode.hybrid import NOT_A_NUMBER, mark_times
from klingel.numerics.ode.hybrid import advance as move_on
from klingel.numerics.ode.interpolation import interpolate, shorten
from klingel.numerics.ode.output_rows import has_room, next_output, write_grid, write_row
from klingel.numerics.ode.stepping import choose_step
from klingel.numerics.ode.workspace import Count, Real, Status

WHOLE, AIMED, AGAIN = range(3)  # a step is tried in full, then at the lengths aimed at, then in full to be cut


@kernel(inner=True)
def try_step(rhs, jacobian, constraints, invariants, h, radau, half, inv, p):
    """RUNNING, REJECTED or the Status of a failure."""
    if radau is not None:
        return radau_attempt.attempt(rhs, jacobian, invariants, h, radau, inv, p)
    if half is not None:
        return half_explicit_attempt.attempt(rhs, constraints, invariants, h, half, inv, p)
    return REJECTED


@kernel(inner=True)
def settle(rhs, jacobian, constraints, invariants, radau, half, inv, starting, rates, p):
    """Make the state consistent, which a start is already, and find all `rates`; returns a Status."""
    if radau is not None:
        return radau_settle.settle(rhs, jacobian, invariants, radau, inv, starting, rates, p)
    if half is not None:
        return half_explicit_settle.settle(rhs, constraints, invariants, half, inv, starting, rates, p)
    return REJECTED


@kernel(inner=True)
def commit(h, h_wish, solver, radau, half):
    """Accept the tried step of length h; `h_wish` is what was wanted before the end of an interval cut it."""
    real, count = solver.real, solver.count
    h_next = h
    if radau is not None:
        h_next = radau_attempt.commit(h, radau)
    if half is not None:
        h_next = half_explicit_attempt.commit(half)
    if h_next >= h:
        h_next = max(h_next, h_wish)
    real[Real.H] = min(h_next, real[Real.H_MAX])
    count[Count.ACCEPTED] += 1
    count[Count.REJECTED_LAST] = 0


@kernel(inner=True)
def end_rates(h, trial, rates):
    """Slope of the interpolant at the end of the step."""
    for i in range(rates.size):
        value = 0.0
        for m in range(trial.shape.shape[0]):
            value += (m + 1) * trial.shape[m, i]
        rates[i] = value / h


@kernel(inner=True)
def find_crossing(guards, t, h, t_new, p, solver, trial, watch):
    """Where the first event of the tried step is, on the interpolant, and the guard behind it.

    Marks what fires. The fraction is +inf where there is no event, NOT_A_NUMBER where a guard is none.
    """
    count = solver.count
    x, memory, mode = solver.x, solver.memory, solver.mode
    guards(t_new, trial.x_new, memory, mode, p, watch.g_new)
    end_rates(h, trial, trial.k[1])
    guard_rates(
        guards, t_new, RATE_STEP * h, trial.x_new, trial.k[1], memory, mode, p, watch.g_new, trial.x_probe,
        watch.rate_new,
    )  # fmt: skip
    count[Count.GUARDS] += 2
    looked = look(watch, h, count)
    if looked != CROSSED:
        return inf if looked == NOTHING else NOT_A_NUMBER, -1
    top = upper_end(guards, t, h, x, memory, mode, p, trial, watch, count)
    if top > 1.0:
        return inf, -1
    s, pivot = locate(guards, t, h, x, memory, mode, p, trial, watch, top, LOCATED, count)
    mark_fired(guards, t, h, s, x, memory, mode, p, trial, watch, count)
    watch.fired[pivot] = True
    return s, pivot


@kernel(inner=True)
def step_to_event(
    rhs, jacobian, constraints, invariants, guards, t, h, t_new, target, p, solver, trial, watch, radau, half, inv
):
    """Try the step h; where it has an event, real steps to that.

    If these do not settle the whole step is taken again and cut. Returns a Status or REJECTED, and the fraction
    of the step taken to the event, +inf where there is none.
    """
    x = solver.x
    state, length, s, pivot, h_next = WHOLE, h, inf, -1, h
    aim = Aim(0.0, 0.0, h, 0)
    while True:
        status = try_step(rhs, jacobian, constraints, invariants, length, radau, half, inv, p)
        if state == AIMED and status != Status.RUNNING:
            state, length = AGAIN, h
            continue
        if status != Status.RUNNING:
            return status, inf
        if state == WHOLE:
            if watch.g.size == 0:
                return status, inf
            s, pivot = find_crossing(guards, t, h, t_new, p, solver, trial, watch)
            if s == NOT_A_NUMBER:
                return Status.GUARD_NOT_A_NUMBER, inf
            if s == inf:
                return status, inf
            h_next = solver.real[DaeReal.H_NEXT]
            aim = Aim(0.0, watch.g[pivot] - watch.slack[pivot], s * h, 0)
            state, length = AIMED, aim.target
        elif state == AIMED:
            guards(t + length, trial.x_new, solver.memory, solver.mode, p, watch.probe)
            solver.count[Count.GUARDS] += 1
            found, aim = correct(aim, watch.probe[pivot] - watch.slack[pivot], h, watch.tolerance[pivot])
            if found == HIT and t + length <= target:
                watch.slack[pivot] = min(watch.slack[pivot], watch.probe[pivot])
                solver.real[DaeReal.H_NEXT] = h_next
                return status, length / h
            length = aim.target
            if found != ON:
                state, length = AGAIN, h
        else:
            interpolate(x, trial.shape, s, trial.x_probe)
            for i in range(x.size):
                trial.x_new[i] = trial.x_probe[i]
            shorten(trial.shape, s)
            return status, s


@kernel(inner=True)
def switch(
    rhs,
    jacobian,
    constraints,
    invariants,
    guards,
    act,
    starting,
    p,
    solver,
    trial,
    watch,
    output,
    radau,
    half,
    inv,
):
    """Act on `watch.fired` until modes, constraints and state agree; at the start look first. Returns a Status."""
    count = solver.count
    t, h = solver.real[Real.T], solver.real[Real.H_LAST]
    for _ in range(count[Count.MAX_CASCADE] + 1):
        if not starting:
            status = act_together(act, p, solver, watch, output)
            if status != Status.RUNNING:
                return status
        status = settle(rhs, jacobian, constraints, invariants, radau, half, inv, starting, trial.k[0], p)
        if status != Status.RUNNING:
            return status
        if not watch_from_here(guards, t, h, solver, trial.k[0], p, trial, watch):
            return Status.GUARD_NOT_A_NUMBER
        violated = mark_violated(watch, h, False) > 0
        if starting:
            violated = mark_times(t, violated, solver, watch)
            count[Count.STOPS] += violated
            starting = False
        if not violated:
            return Status.RUNNING
    return contradiction(watch, count)


def advance(
    rhs, jacobian, constraints, invariants, guards, act, p,
    solver, trial, watch, output, radau, half, inv, steps,
):  # fmt: skip
    """Advance by at most `steps` trial steps; returns a Status. Compiled by `dae_setup` per parameter type."""
    real, count = solver.real, solver.count
    status = Status.RUNNING
    for _ in range(steps):
        # what happened at the present time, and the rows after it
        t = real[Real.T]
        starting = count[Count.STARTED] == 0
        if starting or count[DaeCount.PENDING] == 1:
            count[Count.STARTED] = 1
            count[Count.STOPS] += count[DaeCount.PENDING]
            count[DaeCount.PENDING] = 0
            if starting:
                real[Real.H_LAST] = real[Real.H]
            status = switch(
                rhs, jacobian, constraints, invariants, guards, act, starting, p, solver, trial, watch, output,
                radau, half, inv,
            )  # fmt: skip
            if real[Real.OUT_STEP] == 0.0 or starting:
                write_row(t, solver.x, solver.memory, solver.mode, output, count)
                count[Count.OUT_INDEX] = max(1, count[Count.OUT_INDEX])
            if status != Status.RUNNING:
                return status

        # a step, or the part of it up to the first event
        if t >= real[Real.T_END]:
            return Status.DONE
        if not has_room(solver, watch, output):
            return Status.MORE_ROOM
        if count[Count.ACCEPTED] + count[Count.REJECTED] >= count[Count.MAX_STEPS]:
            return Status.MAX_STEPS
        h_wish = real[Real.H]
        h, t_new, target = choose_step(solver, watch)
        if not h_wish > 10.0 * ROUNDING * max(abs(t), 1e-30) and t_new < target:
            return Status.STEP_UNDERFLOW
        status, part = step_to_event(
            rhs, jacobian, constraints, invariants, guards, t, h, t_new, target, p, solver, trial, watch,
            radau, half, inv,
        )  # fmt: skip
        if status == REJECTED:
            status = Status.RUNNING
            continue
        if status != Status.RUNNING:
            return status
        if part < inf:
            count[DaeCount.PENDING] = 1
            t_new = t + part * h

        # output, and on
        real[Real.H_LAST] = h
        if real[Real.OUT_STEP] > 0.0 and next_output(real, count) <= t_new:
            write_grid(t, t_new - t, t_new, solver, trial, output)
        commit(h, h_wish, solver, radau, half)
        move_on(solver, trial, watch, t_new, 1)
        if real[Real.OUT_STEP] == 0.0:
            write_row(t_new, solver.x, solver.memory, solver.mode, output, count)
        if count[Count.TIME_INDEX] < watch.times.size:
            count[DaeCount.PENDING] = mark_times(t_new, part < inf, solver, watch)
    return status
