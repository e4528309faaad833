"""Events at which the right-hand side is continuous: found inside a step, which is not cut there.

At such an event only a slope or curvature of the right-hand side changes. The step was made with the modes before
it; the action is taken on the interpolant, at the instant found there. From then on the right-hand side differs
from that of the step by something that grows from zero like a power n of the time, up to the difference d of both
at the end of the step: n = 1 where a boundary of the state is passed (a slider begins to slip), n = 2 where a rate
changes its sign (it sticks again). So the state at the end lacks

    d (t_end - t_event) / (n + 1)

and is corrected by it; where several happen at once the smallest n is taken. Where that is more than the tolerance
of a step, where the new modes contradict the state at the end, or where something else happens in the same step,
the step is cut at the event as ever.
"""

from klingel._jit import kernel
from klingel.numerics.events.following import pass_crossings
from klingel.numerics.events.switching import act_at
from klingel.numerics.ode.interpolation import shorten
from klingel.numerics.ode.output_rows import next_output, write_grid, write_row
from klingel.numerics.ode.workspace import Count, Family, Real, Status

LARGEST = 1.0  # correction, in units of the tolerance of a step
NEAR_END = 0.999  # of the step; an event later than this may as well end it


@kernel(inner=True)
def may_pass(s, solver, watch):
    """Whether all that happens in the step is continuous and happens at the fraction s of it."""
    count = solver.count
    if count[Count.PASSES] == 0 or count[Count.FAMILY] == Family.IMPLICIT or s > NEAR_END:
        return False
    for j in range(count[Count.NEAR]):
        i = watch.near[j]
        if not (watch.fired[i] and watch.continuous[i] > 0):
            return False
    return True


@kernel(inner=True)
def power(watch, near):
    """With which power of time the right-hand side departs from that before the events that fired."""
    least = 2
    for j in range(near):
        least = min(least, watch.continuous[watch.near[j]])
    return least


@kernel(inner=True)
def record_part(follow, t, h, begin, end, x_begin, x_end, p, solver, trial, watch, output):
    """Rows and followed modes from `begin` to `end`, a part of the step of length h from t."""
    asked = solver.real[Real.OUT_STEP] > 0.0 and next_output(solver.real, solver.count) <= end
    if solver.count[Count.HAS_FOLLOW] == 1:
        crossed = follow(begin, end - begin, x_begin, x_end, solver.memory, solver.mode, p, watch.crossings)
        if crossed > 0:
            pass_crossings(t, h, crossed, asked, solver, trial, watch, output)
    if asked:
        write_grid(t, h, end, solver, trial, output)


@kernel(inner=True)
def correct_end(rhs, t_event, t_new, n, p, solver, trial, f_row):
    """Bring the end of the step to the new modes; false where that takes too much."""
    x_new, rate = trial.x_new, trial.x_probe
    solver.count[Count.RHS] += 2
    if rhs(t_new, x_new, solver.memory, solver.mode, p, rate) != 0:
        return False
    rest, rtol = (t_new - t_event) / (n + 1), solver.real[Real.RTOL]
    too_large = 0
    for i in range(x_new.size):
        change = rest * (rate[i] - trial.k[f_row, i])
        x_new[i] += change
        too_large += 0 if abs(change) <= LARGEST * (solver.atol[i] + rtol * abs(x_new[i])) else 1
    return too_large == 0 and rhs(t_new, x_new, solver.memory, solver.mode, p, trial.k[f_row]) == 0


@kernel(inner=True)
def modes_hold(guards, t, x, p, solver, watch):
    """Whether no guard is violated at x; then each has the slack it needs there."""
    guards(t, x, solver.memory, solver.mode, p, watch.g)
    solver.count[Count.GUARDS] += 1
    violated = 0
    for i in range(watch.g.size):
        violated += 0 if watch.g[i] >= -watch.tolerance[i] else 1
    if violated > 0:
        return False
    for i in range(watch.g.size):
        watch.slack[i] = min(0.0, watch.g[i])
    solver.count[Count.GUARDS_STALE] = 1
    return True


@kernel(inner=True)
def pass_event(rhs, guards, act, follow, t, h, t_event, t_new, p, solver, trial, watch, output, f_row):
    """Act at t_event, in `trial.stage`, and take the step to its end all the same.

    Returns RUNNING then. Else the step has been cut at the event, whose action is done: MORE_ROOM where the modes
    are still to be made consistent there, or what ends the run.
    """
    real, count = solver.real, solver.count
    x_event = trial.stage
    every = real[Real.OUT_STEP] == 0.0
    record_part(follow, t, h, t, t_event, solver.x, x_event, p, solver, trial, watch, output)
    if every:
        write_row(t_event, x_event, solver.memory, solver.mode, output, count)
    n = power(watch, count[Count.NEAR])
    status = act_at(act, t_event, x_event, p, solver, watch, output)
    if status == Status.RUNNING:
        if correct_end(rhs, t_event, t_new, n, p, solver, trial, f_row) and modes_hold(
            guards, t_new, trial.x_new, p, solver, watch
        ):
            if every:
                write_row(t_event, x_event, solver.memory, solver.mode, output, count)
            record_part(follow, t, h, t_event, t_new, x_event, trial.x_new, p, solver, trial, watch, output)
            return Status.RUNNING
        status = Status.MORE_ROOM
    for i in range(x_event.size):
        trial.x_new[i] = x_event[i]
    shorten(trial.shape, (t_event - t) / h)
    return status
