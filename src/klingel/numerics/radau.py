"""Radau IIA of order 5 for M x' = f(t, x) with index up to 3: `solve(problem, x0, t_end)`.

Observed orders at the end of a step (Hairer, Lubich and Roche 1989; Hairer and Jay 1993): index 1: all 5;
index 2: differential 5, multiplier 3; index 3: position 4 or better, velocity 3, multiplier 2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf, sqrt
from typing import Any

import numpy as np
from numba import typeof, types

from klingel._jit import kernel
from klingel.numerics import dae_checks, dae_setup, radau_loop
from klingel.numerics.dae_problem import DaeProblem, Treatment
from klingel.numerics.dae_run import DaeEvent, DaeRun, DaeStats, Status
from klingel.numerics.projection import DRIFT, Invariants, new_invariants
from klingel.numerics.radau_work import (
    NOW,
    Count,
    Output,
    Real,
    Row,
    Solver,
    Watch,
    new_output,
    new_solver,
    new_watch,
)  # fmt: skip
from klingel.numerics.signatures import act_signature, guards_signature, jacobian_signature, rhs_signature


@dataclass(frozen=True)
class Options:
    """Settings of the method; the defaults are those of Hairer and Wanner where they give one."""

    newton_tolerance: float | None = None  # None: max(1e-15/rtol, min(0.03, sqrt(rtol)))
    reuse_rate: float = 0.2  # keep the Jacobian while Newton contracts faster
    safety: float = 0.9
    max_newton: int = 7
    max_steps: int = 1_000_000


EVENT_CHUNK = 256


@cache
def _loop(parameters: Any) -> Callable[..., Any]:
    """The loop compiled for one type of parameters."""
    solver = new_solver(1, 0, np.eye(1), np.zeros(0), np.zeros(0, np.int8))
    arrays = (solver, new_invariants(1, 0), new_watch(0), new_output(1, 1, 1))
    functions = (
        rhs_signature(parameters), jacobian_signature(parameters), rhs_signature(parameters),
        guards_signature(parameters), act_signature(parameters),
    )  # fmt: skip
    arguments = [types.FunctionType(f) for f in functions] + [typeof(a) for a in arrays] + [parameters]
    return kernel(radau_loop.advance, signature=types.int64(*arguments))


def solve(
    problem: DaeProblem,
    x0: np.ndarray,
    t_end: float,
    *,
    t0: float = 0.0,
    rtol: float = 1e-6,
    atol: float | np.ndarray = 1e-6,
    h0: float | None = None,
    h_max: float = inf,
    output_step: float = 0.0,
    treatment: Treatment = Treatment.REPORT,
    options: Options = Options(),  # noqa: B008 - frozen
    check: bool = True,
) -> DaeRun:
    """Integrate from t0 to t_end, or to an event whose action stops the run.

    `output_step` 0 returns every step. `treatment` says what is done about `problem.invariants`. With
    `check` the start is examined first: an `InputError` names inconsistent equations, singular constraints
    and components whose index is higher than declared or than 3.
    """
    dae_setup.check_arguments(problem, x0, t_end - t0, rtol, atol, treatment)
    if check or problem.index is None:
        problem = dae_checks.checked(problem, t0, np.asarray(x0, float), rtol, atol)
    state = _start(problem, x0, t0, t_end, rtol, atol, h0, h_max, output_step, treatment, options)
    return _run(problem, *state)


def _start(
    problem, x0, t0, t_end, rtol, atol, h0, h_max, output_step, treatment, options
) -> tuple[Solver, Invariants, Watch]:
    """All arrays of the loop, filled for the start."""
    n, m = problem.size, len(problem.invariant_names)
    extra = m if treatment == Treatment.STABILISE else 0
    solver = new_solver(n, extra, problem.mass_matrix, problem.memory, problem.mode)
    solver.v[Row.X, :n] = x0
    solver.v[Row.ATOL] = np.max(atol)
    solver.v[Row.ATOL, :n] = atol
    solver.index[:n] = problem.index
    solver.index[n:] = 2
    newton = options.newton_tolerance or max(1e-15 / rtol, min(0.03, sqrt(rtol)))
    settings = {
        Real.T: t0, Real.T_OLD: t0, Real.T_END: t_end, Real.H_MAX: min(h_max, t_end - t0), Real.RTOL: rtol,
        Real.NEWTON_TOLERANCE: newton, Real.REUSE_RATE: options.reuse_rate, Real.NEWTON_FACTOR: 1.0,
        Real.OUT_STEP: output_step, Real.T_OUT: t0, Real.SAFETY: options.safety,
        Real.H: min(h0 or dae_setup.first_step(problem, t0, x0, atol, rtol), h_max, t_end - t0),
    }  # fmt: skip
    solver.real[list(settings)] = list(settings.values())
    flags = {
        Count.MAX_STEPS: options.max_steps, Count.MAX_NEWTON: options.max_newton, Count.TREATMENT: treatment,
        Count.HAS_JACOBIAN: problem.jacobian is not None, Count.FIRST: 1, Count.OUT_INDEX: 1,
    }  # fmt: skip
    solver.count[list(flags)] = list(flags.values())
    return solver, new_invariants(n, m), new_watch(len(problem.guard_names))


def _run(problem: DaeProblem, solver: Solver, inv: Invariants, watch: Watch) -> DaeRun:
    functions = dae_setup.pointers(problem, "rhs", "jacobian", "invariants", "guards", "act")
    loop = _loop(typeof(problem.parameters))
    n = problem.size
    if problem.guards is not None:
        problem.guards(
            solver.real[Real.T],
            solver.v[Row.X, :n],
            solver.memory,
            solver.mode,
            problem.parameters,
            watch.g[NOW],
        )
    times, states, events = (
        [solver.real[Real.T : Real.T + 1].copy()],
        [solver.v[Row.X : Row.X + 1, :n].copy()],
        [],
    )
    status = Status.MORE_ROOM
    while status == Status.MORE_ROOM:
        out = new_output(
            max(dae_setup.CHUNK, int(solver.count[Count.ROWS_NEEDED])), EVENT_CHUNK + watch.fired.size, n
        )
        solver.count[[Count.OUT_ROWS, Count.EVENT_ROWS]] = 0
        status = Status(loop(*functions, solver, inv, watch, out, problem.parameters))
        _collect(problem, solver, out, times, states, events)
    if status not in (Status.DONE, Status.STOPPED):
        raise dae_checks.failure(
            problem, status, float(solver.real[Real.T]), solver.v[Row.X], solver.v[Row.ERROR],
            solver.v[Row.SCALE], int(solver.count[Count.CULPRIT]), int(solver.count[Count.MAX_STEPS]),
        )  # fmt: skip
    return _result(problem, solver, inv, status, times, states, events)


def _collect(problem, solver: Solver, out: Output, times, states, events) -> None:
    rows = solver.count[Count.OUT_ROWS]
    times.append(out.t[:rows])
    states.append(out.x[:rows])
    for k in range(solver.count[Count.EVENT_ROWS]):
        events.append(DaeEvent(float(out.event_time[k]), problem.guard_names[out.event_guard[k]]))


def _result(problem, solver: Solver, inv, status, times, states, events) -> DaeRun:
    t, x = np.concatenate(times), np.concatenate(states)
    if t[-1] != solver.real[Real.T]:
        t, x = np.append(t, solver.real[Real.T]), np.vstack([x, solver.v[Row.X, : problem.size]])
    c = solver.count
    stats = DaeStats(
        accepted=int(c[Count.ACCEPTED]), rejected=int(c[Count.REJECTED]), rhs=int(c[Count.RHS]),
        rhs_jacobian=int(c[Count.RHS_JACOBIAN]), jacobians=int(c[Count.JACOBIANS]),
        factorisations=int(c[Count.FACTORISATIONS]), newton=int(c[Count.NEWTON]), events=int(c[Count.EVENTS]),
        invariants=int(c[Count.INVARIANTS]),
    )  # fmt: skip
    ended = (
        "reached the end" if status == Status.DONE else f"stopped by {events[-1].guard} at t = {events[-1].time:g}"
    )
    drift = dict(zip(problem.invariant_names, inv.rows[DRIFT].tolist(), strict=True))
    return DaeRun(t, x, problem.state_names, stats, ended, drift, tuple(events), solver.memory, solver.mode)
