"""Runs the compiled DAE loop to its end and gathers what it leaves behind."""

from typing import Any

import numpy as np

from klingel.numerics.dae import checks as dae_checks
from klingel.numerics.dae import setup as dae_setup
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.dae.projection import DRIFT
from klingel.numerics.dae.run import DaeRun, DaeStats
from klingel.numerics.dae.work import DaeCount, DaeWork
from klingel.numerics.integrate import CHUNK_STEPS, cut
from klingel.numerics.ode.workspace import Count, Output, Real, Status
from klingel.numerics.trajectory import EventLog


def run(problem: DaeProblem, work: DaeWork, error: np.ndarray, scale: np.ndarray) -> DaeRun:
    """`error` and `scale`, rows of the method's arrays, tell which component was the worst of a failure."""
    functions = dae_setup.pointers(problem, *dae_setup.FUNCTIONS)
    loop = dae_setup.compiled_loop(problem.parameters, work)
    count, every_step = work.solver.count, work.solver.real[Real.OUT_STEP] == 0.0
    pieces: list[Output] = []
    status = Status.RUNNING
    while status in (Status.RUNNING, Status.MORE_ROOM):
        status = Status(loop(*functions, problem.parameters, *work, CHUNK_STEPS))
        if status == Status.MORE_ROOM:
            pieces.append(cut(work.output, count, every_step))
    if status not in (Status.DONE, Status.STOPPED):
        raise dae_checks.failure(
            problem, status, float(work.solver.real[Real.T]), work.solver.x, error, scale,
            int(count[Count.CULPRIT]), int(count[Count.MAX_STEPS]), int(count[Count.MAX_CASCADE]),
        )  # fmt: skip
    pieces.append(cut(work.output, count, True))
    return _result(problem, work, status, Output(*(np.concatenate(c) for c in zip(*pieces, strict=True))))


def _stats(c: Any) -> DaeStats:
    return DaeStats(
        accepted=int(c[Count.ACCEPTED]), rejected=int(c[Count.REJECTED]), rhs=int(c[Count.RHS]),
        rhs_jacobian=int(c[DaeCount.RHS_JACOBIAN]), jacobians=int(c[Count.JACOBIANS]),
        factorisations=int(c[Count.FACTORISATIONS]), newton=int(c[Count.NEWTON]), events=int(c[Count.EVENTS]),
        stops=int(c[Count.STOPS]), guard_evaluations=int(c[Count.GUARDS]),
        constraints=int(c[DaeCount.CONSTRAINTS]), invariants=int(c[DaeCount.INVARIANTS]),
    )  # fmt: skip


def _result(problem: DaeProblem, work: DaeWork, status: Status, rows: Output) -> DaeRun:
    t, x, memory, mode = rows[:4]
    solver = work.solver
    if t[-1] != solver.real[Real.T]:
        t, x = np.append(t, solver.real[Real.T]), np.vstack([x, solver.x])
        memory, mode = np.vstack([memory, solver.memory]), np.vstack([mode, solver.mode])
    events = EventLog(*rows[4:], problem)  # type: ignore[arg-type]
    ended = "reached the end"
    if status == Status.STOPPED:
        last = events.fired.describe(len(events.fired) - 1)
        ended = f"stopped by {last.guard} at t = {last.time:g}"
    drift = dict(zip(problem.invariant_names, work.inv.rows[DRIFT].tolist(), strict=True))
    return DaeRun(t, x, problem.state_names, _stats(solver.count), ended, events, memory, mode, drift)
