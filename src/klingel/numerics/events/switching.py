"""What happens at an event: actions, consistency of all modes afterwards, chatter.

All guards that fired act together. Then every guard is looked at again in the new modes and fires if it is
violated: past its boundary by more than its tolerance, or on it and leaving. This repeats until nothing is
violated; more rounds than allowed mean modes that contradict each other.

A mode entered on its own boundary (slip to stick always is) may lie a rounding error outside, and a located event
lies on the far side by the width of its bracket. Such a guard has `slack`: its boundary is no tighter than where
the state already is, and it fires again only when it really leaves.
"""

from math import isnan

from klingel._jit import kernel
from klingel.numerics.events.location import RATE_STEP, guard_rates
from klingel.numerics.ode.workspace import Count, Location, Real, Status


@kernel(inner=True)
def log_row(t, guard, owner, mode, watch, output, count):
    row = count[Count.EVENT_ROWS]
    output.event_time[row] = t
    output.event_guard[row] = guard
    output.event_owner[row] = owner
    output.event_old[row] = watch.before[owner] if owner >= 0 else 0
    output.event_new[row] = mode[owner] if owner >= 0 else 0
    count[Count.EVENT_ROWS] = row + 1


@kernel(inner=True)
def log_events(t, mode, watch, output, count):
    """One row per guard that fired, and one per mode that changed without a guard of its own firing."""
    for i in range(watch.fired.size):
        if watch.fired[i]:
            owner = watch.owner[i] if i < watch.owner.size else -1
            log_row(t, i, owner, mode, watch, output, count)
            count[Count.EVENTS] += 1
            if owner >= 0:
                watch.logged[owner] = True
    for m in range(mode.size):
        if mode[m] != watch.before[m] and not watch.logged[m]:
            log_row(t, -1, m, mode, watch, output, count)
        watch.logged[m] = False


@kernel(inner=True)
def chattering(t, watch, window, limit):
    """The guard that fired `limit` times within `window` seconds, or -1."""
    for i in range(watch.recent.shape[0]):
        if watch.fired[i]:
            slot = watch.recent_count[i] % limit
            oldest, full = watch.recent[i, slot], watch.recent_count[i] >= limit
            watch.recent[i, slot] = t
            watch.recent_count[i] += 1
            if full and t - oldest < window:
                return i
    return -1


@kernel(inner=True)
def watch_from_here(guards, t, h, solver, f, p, trial, watch):
    """Guards and their rates at the present state; returns whether all are numbers."""
    x, memory, mode = solver.x, solver.memory, solver.mode
    guards(t, x, memory, mode, p, watch.g)
    guard_rates(guards, t, RATE_STEP * h, x, f, memory, mode, p, watch.g, trial.x_probe, watch.rate)
    solver.count[Count.GUARDS] += 2
    solver.count[Count.GUARDS_STALE] = 0
    for i in range(watch.g.size):
        if isnan(watch.g[i]):
            solver.count[Count.CULPRIT] = i
            return False
    return True


@kernel(inner=True)
def mark_violated(watch, h, beyond):
    """Which guards contradict the present modes; returns how many. With none, the slack is set from here.

    `beyond`: whether events are not located and states may lie beyond boundaries.
    """
    violated = 0
    for i in range(watch.g.size):
        g, tolerance = watch.g[i], watch.tolerance[i] - 2.0 * watch.slack[i]
        leaving = g <= tolerance and g + h * watch.rate[i] < -tolerance
        # where events are not located a state may lie well beyond a boundary to which it is on its way back
        watch.fired[i] = (g < -tolerance or leaving) and not (beyond and watch.rate[i] > 0.0)
        if watch.fired[i]:
            violated += 1
    for i in range(watch.g.size, watch.fired.size):
        watch.fired[i] = False
    if violated == 0:
        for i in range(watch.g.size):
            watch.slack[i] = min(0.0, watch.g[i])
    return violated


@kernel(inner=True)
def act_together(act, p, solver, watch, output):
    """One round of actions on `watch.fired`, logged; returns RUNNING, STOPPED or CHATTER."""
    real, count = solver.real, solver.count
    t = real[Real.T]
    culprit = chattering(t, watch, real[Real.CHATTER_WINDOW], count[Count.CHATTER_LIMIT])
    if culprit >= 0:
        count[Count.CULPRIT] = culprit
        return Status.CHATTER
    for i in range(solver.mode.size):
        watch.before[i] = solver.mode[i]
    stop = act(t, solver.x, solver.memory, solver.mode, p, watch.fired)
    log_events(t, solver.mode, watch, output, count)
    return Status.RUNNING if stop == 0 else Status.STOPPED


@kernel(inner=True)
def contradiction(watch, count):
    """Name a guard that is still violated after all rounds."""
    for i in range(watch.g.size):
        if watch.fired[i]:
            count[Count.CULPRIT] = i
    return Status.INCONSISTENT


@kernel(inner=True)
def switch(rhs, guards, act, p, solver, trial, watch, output):
    """Act on `watch.fired` until all modes agree with the state; returns a Status."""
    real, count = solver.real, solver.count
    t, h = real[Real.T], real[Real.H_LAST]
    count[Count.STOPS] += 1
    for _ in range(count[Count.MAX_CASCADE]):
        status = act_together(act, p, solver, watch, output)
        if status == Status.CHATTER:
            return status
        refused = rhs(t, solver.x, solver.memory, solver.mode, p, trial.k[0])
        count[Count.RHS] += 1
        if refused != 0:
            return Status.REFUSED
        if status != Status.RUNNING:
            return status
        if not watch_from_here(guards, t, h, solver, trial.k[0], p, trial, watch):
            return Status.GUARD_NOT_A_NUMBER
        if mark_violated(watch, h, count[Count.LOCATION] == Location.END_OF_STEP) == 0:
            return Status.RUNNING
    return contradiction(watch, count)
