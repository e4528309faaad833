"""`integrate`: run a hybrid system from a start state to an end time."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from klingel.numerics.checkpoint import Checkpoint, restore, save
from klingel.numerics.ode.hybrid import compiled_loop
from klingel.numerics.ode.setup import Work, new_work
from klingel.numerics.ode.workspace import Count, Output, Real, Status
from klingel.numerics.options import Options, check_options, check_problem, check_start
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import EventLog, IntegrationError, Stats, Trajectory

CHUNK_STEPS = 20_000  # trial steps between two looks at the clock; some ten milliseconds
ROWS = 4096  # first length of the step and event records; they double

SENTENCES = {
    Status.DONE: "reached the end time {t:.9g} s",
    Status.STOPPED: "stopped by an action at t = {t:.9g} s (guard {guard})",
    Status.STEP_UNDERFLOW: "step size underflow at t = {t:.9g} s: the error of {state} cannot be kept below its "
    "tolerance; the last guard to fire was {last}",
    Status.NOT_FINITE: "derivative not finite at t = {t:.9g} s in {state}",
    Status.REFUSED: "the right-hand side refused the state at t = {t:.9g} s, however small the step",
    Status.NO_NEWTON: "Newton's iteration does not converge at t = {t:.9g} s, worst component {state}",
    Status.CHATTER: "event chatter at t = {t:.9g} s: guard {guard} fired {limit} times within {window:.3g} s",
    Status.INCONSISTENT: "modes contradict each other at t = {t:.9g} s: guard {guard}{element} still violated "
    "after {cascade} rounds of actions",
    Status.MAX_STEPS: "step limit of {steps} reached at t = {t:.9g} s; the largest error was that of {state}, the "
    "last guard to fire was {last}",
    Status.GUARD_NOT_A_NUMBER: "guard {guard} is not a number in the step after t = {t:.9g} s",
    Status.RUNNING: "interrupted at t = {t:.9g} s",
}


@dataclass
class Progress:
    """Passed to `on_chunk` while a run goes on."""

    t: float
    t_end: float
    accepted: int
    events: int


def integrate(
    problem: HybridProblem,
    x0: ArrayLike,
    t_end: float,
    *,
    t_start: float = 0.0,
    method: str = "dopri54",
    implicit_times: tuple[float, float] | None = None,
    rtol: float = 1e-6,
    atol: ArrayLike = 1e-9,
    output_step: float | None = None,
    first_step: float | None = None,
    max_step: float = inf,
    redo_events: bool = False,
    locate: bool = True,
    max_steps: int = 100_000_000,
    chatter_limit: int = 200,
    chatter_window: float | None = None,
    chunk_steps: int = CHUNK_STEPS,
    on_chunk: Callable[[Progress], bool | None] | None = None,
    resume: Checkpoint | None = None,
) -> Trajectory:
    """Integrate a hybrid system, its events located unless `locate` says otherwise.

    Parameters
    ----------
    problem : HybridProblem
        Compiled functions, parameters and names; see docs/reference/hybrid-systems.md.
    x0 : array of float
        State at `t_start`, one number per state name.
    t_end : float
        End time [s].
    method : str
        esdirk34, erkf34, bs32, rkf23, cashkarp54, dopri54, verner65, chain33, chain34, chain35, ros34pw2,
        rosw43; or two, like dopri54+ros34pw2: starts explicit and turns implicit when steps sit at the stability
        limit, and back. auto is dopri54+esdirk34. Of two explicit ones, dopri54/chain34, or an explicit and a
        W-method, chain34/ros34pw2, the one goes on that gets farther per right-hand side, measured while running.
    implicit_times : (float, float), optional
        From when to when a pair of methods uses its implicit one, where that is known [s].
    rtol, atol : float
        Tolerances of one step: every component's error stays below atol + rtol |x|. `atol` may be an array.
    output_step : float, optional
        Spacing of the output grid [s]. Without it a row is kept for every accepted step, and two at an event:
        before and after.
    first_step, max_step : float
        [s]; a constant step results from first_step = max_step and huge tolerances.
    redo_events : bool
        Repeat the step to a located event with the method itself, so that its full order survives the event.
    locate : bool
        Whether steps end at events. If not, events are ignored while a step is made: at its end the guards that
        are violated act, an impact after penetration; what is crossed and crossed back within a step is not seen.
    max_steps : int
        Trial steps after which the run is broken off.
    chatter_limit, chatter_window : int, float
        A guard that fires `chatter_limit` times within `chatter_window` seconds (by default 1e-6 of the run,
        at most 1 ms)
        ends the run.
    chunk_steps : int
        Trial steps between two returns from compiled code. Does not change the result by a bit.
    on_chunk : callable, optional
        Called with a Progress between chunks; a true return value interrupts the run.
    resume : Checkpoint, optional
        `Trajectory.checkpoint` of an interrupted run of the same problem and options: the run goes on from there,
        `t_start` stays that of its beginning, and only new rows are returned. `problem.memory` and `.mode` should
        be those of the checkpoint, `x0` is not used.

    Returns
    -------
    Trajectory
        Also after an interruption (Ctrl-C included), with `complete` false.

    Raises
    ------
    InputError
        Bad argument, named.
    IntegrationError
        The run could not go on; its `trajectory` holds the part computed.
    """
    options = Options(
        t_start, t_end, method, implicit_times, rtol, atol, output_step, first_step, max_step, redo_events, locate,
        max_steps, chatter_limit, chatter_window, chunk_steps,
    )  # fmt: skip
    check_problem(problem)
    check_options(options)
    x = check_start(problem, x0)
    work = new_work(problem, x, options, ROWS)
    if resume is not None:
        work = restore(work, resume)
    loop, pointers = compiled_loop(problem, *work)
    started = perf_counter()
    status, pieces = _run(loop, pointers, problem, work, options, on_chunk)
    return _finish(problem, work, pieces, Status(status), options, perf_counter() - started)


def _run(loop, pointers, problem, work: Work, options: Options, on_chunk):
    """Call the compiled loop until it ends; outgrown records are put aside in `pieces`."""
    pieces: list[Output] = []
    count, real = work.solver.count, work.solver.real
    while True:
        try:
            status = loop(*pointers, problem.parameters, *work, options.chunk_steps)
            if status == Status.MORE_ROOM:
                pieces.append(cut(work.output, count, options.output_step is None))
                continue
            if status != Status.RUNNING:
                return status, pieces
            report = Progress(
                float(real[Real.T]), options.t_end, int(count[Count.ACCEPTED]), int(count[Count.EVENTS])
            )
            if on_chunk is not None and on_chunk(report):
                return Status.RUNNING, pieces
        except KeyboardInterrupt:
            return Status.RUNNING, pieces


def cut(output: Output, count: np.ndarray, rows_too: bool) -> Output:
    """Copy what is recorded and start the records anew; the grid, sized in advance, keeps its rows."""
    rows = int(count[Count.OUT_ROWS]) if rows_too else 0
    events = int(count[Count.EVENT_ROWS])
    piece = Output(*(a[:rows].copy() for a in output[:4]), *(a[:events].copy() for a in output[4:]))
    count[Count.EVENT_ROWS] = 0
    if rows_too:
        count[Count.OUT_ROWS] = 0
    return piece


def _finish(problem, work: Work, pieces, status: Status, options: Options, wall_time: float) -> Trajectory:
    count, real = work.solver.count, work.solver.real
    last = cut(work.output, count, True)
    joined = Output(*map(np.concatenate, zip(*pieces, last, strict=True))) if pieces else last
    log = EventLog(
        joined.event_time, joined.event_guard, joined.event_owner, joined.event_old, joined.event_new, problem
    )
    stats = Stats(
        accepted=int(count[Count.ACCEPTED]),
        rejected=int(count[Count.REJECTED]),
        refused=int(count[Count.REFUSALS]),
        rhs=int(count[Count.RHS]),
        jacobians=int(count[Count.JACOBIANS]),
        factorisations=int(count[Count.FACTORISATIONS]),
        newton_iterations=int(count[Count.NEWTON]),
        events=int(count[Count.EVENTS]),
        stops=int(count[Count.STOPS]),
        guard_evaluations=int(count[Count.GUARDS]),
        family_changes=int(count[Count.FAMILY_CHANGES]),
        wall_time=wall_time,
        simulated_time=float(real[Real.T]) - options.t_start,
    )
    ended = _sentence(problem, work, status, options, log)
    trajectory = Trajectory(
        joined.t, joined.x, joined.memory, joined.mode, log, stats, status, ended, problem, save(work)
    )  # fmt: skip
    if status in (Status.DONE, Status.STOPPED, Status.RUNNING):
        return trajectory
    raise IntegrationError(ended, trajectory)


def _sentence(problem, work: Work, status: Status, options: Options, log: EventLog) -> str:
    count, real = work.solver.count, work.solver.real
    if status in (Status.DONE, Status.RUNNING):
        return SENTENCES[status].format(t=real[Real.T])
    culprit = int(count[Count.CULPRIT])
    names = problem.guard_names
    fired = log.fired
    last = fired.describe(len(fired) - 1).guard if len(fired) else "none"
    about_guard = status in (Status.CHATTER, Status.INCONSISTENT, Status.GUARD_NOT_A_NUMBER)
    owner = problem.guard_owner[culprit] if about_guard and problem.guard_owner else -1
    element = ""
    if owner >= 0:
        element = f" of {log.element_name(owner)} in mode {log.mode_name(owner, int(work.solver.mode[owner]))}"
    return SENTENCES[status].format(
        t=real[Real.T],
        state=problem.state_names[culprit] if culprit < len(problem.state_names) else culprit,
        guard=names[culprit] if about_guard else last,
        element=element,
        last=last,
        limit=options.chatter_limit,
        window=real[Real.CHATTER_WINDOW],
        cascade=count[Count.MAX_CASCADE],
        steps=options.max_steps,
    )
