"""What both DAE solvers do around the loop: arguments, first step, scalars, missing functions, compilation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import floor
from typing import Any

import numpy as np
from numba import typeof, types

from klingel._errors import InputError
from klingel._jit import direct, kernel, ready
from klingel.numerics.dae import loop as dae_loop
from klingel.numerics.dae.half_explicit.work import Half
from klingel.numerics.dae.half_explicit.work import Row as HalfRow
from klingel.numerics.dae.problem import DaeProblem, Treatment
from klingel.numerics.dae.projection import new_invariants
from klingel.numerics.dae.radau.work import Radau
from klingel.numerics.dae.radau.work import Row as RadauRow
from klingel.numerics.dae.work import DaeCount, DaeReal, DaeWork
from klingel.numerics.integrate import ROWS
from klingel.numerics.ode.setup import CASCADE_ROUNDS, LONGEST_CHATTER
from klingel.numerics.ode.workspace import Count, Real, Solver, Trial, new_output, new_watch
from klingel.numerics.options import check_events
from klingel.numerics.pointers import as_pointer, parameter_type, type_key
from klingel.numerics.problem import GUARD_TOLERANCE
from klingel.numerics.signatures import act_signature, guards_signature, jacobian_signature, rhs_signature


@dataclass(frozen=True)
class Setting:
    """What every run is told, whichever method takes its steps."""

    t0: float
    t_end: float
    rtol: float
    atol: float | np.ndarray
    h0: float | None
    h_max: float
    output_step: float
    treatment: Treatment
    max_steps: int
    chatter_limit: int
    chatter_window: float | None


def check_arguments(problem: DaeProblem, x0: np.ndarray, given: Setting) -> None:
    duration, rtol, atol, treatment = given.t_end - given.t0, given.rtol, given.atol, given.treatment
    if np.shape(x0) != (problem.size,):
        raise InputError("x0", np.shape(x0), f"must have {problem.size} entries, one per state name")
    if not duration > 0.0:
        raise InputError("t_end", duration, "must lie after t0")
    if not 0.0 < rtol < 1.0:
        raise InputError("rtol", rtol, "must lie between 0 and 1")
    if not np.all(np.asarray(atol) > 0.0):
        raise InputError("atol", atol, "must be positive")
    if treatment != Treatment.REPORT and problem.invariants is None:
        raise InputError("treatment", treatment.name, "needs a problem with invariants")
    check_events(problem)  # type: ignore[arg-type]
    pointers(problem, "rhs")


def first_step(problem, t0, x0, atol, rtol) -> float:
    """A hundredth of the time in which the differential part would change by itself [s]."""
    f = np.zeros(problem.size)
    problem.rhs(t0, np.asarray(x0, float), problem.memory, problem.mode, problem.parameters, f)
    f[problem.constraint_rows] = 0.0
    scale = atol + rtol * np.abs(x0)
    distance, speed = np.linalg.norm(x0 / scale), np.linalg.norm(f / scale)
    return 1e-6 if distance < 1e-5 or speed < 1e-5 else 0.01 * float(distance / speed)


def new_scalars(problem: DaeProblem, x0: np.ndarray, given: Setting) -> tuple[np.ndarray, np.ndarray]:
    """`real` and `count` of the loop, with all that does not depend on the method."""
    duration = given.t_end - given.t0
    step = given.h0 or first_step(problem, given.t0, x0, given.atol, given.rtol)
    window = given.chatter_window
    real, count = np.zeros(DaeReal.SIZE), np.zeros(DaeCount.SIZE, np.int64)
    values = {
        Real.T: given.t0, Real.T_END: given.t_end, Real.H: min(step, given.h_max, duration),
        Real.H_MAX: min(given.h_max, duration), Real.RTOL: given.rtol, Real.OLD_ERROR: 1.0,
        Real.CHATTER_WINDOW: min(1e-6 * duration, LONGEST_CHATTER) if window is None else window,
        Real.T_OUT: given.t0, Real.OUT_STEP: given.output_step,
    }  # fmt: skip
    real[list(values)] = list(values.values())
    flags = {
        Count.MAX_STEPS: given.max_steps, Count.CHATTER_LIMIT: given.chatter_limit,
        Count.MAX_CASCADE: CASCADE_ROUNDS, Count.HAS_JACOBIAN: problem.jacobian is not None,
        Count.TIME_INDEX: sum(instant < given.t0 for instant in problem.time_events),
        DaeCount.TREATMENT: given.treatment, DaeCount.FIRST: 1,
        DaeCount.DENSE: bool(problem.guard_names) or given.output_step > 0.0,
        DaeCount.SEPARATE: problem.constraints is not None,
    }  # fmt: skip
    count[list(flags)] = list(flags.values())
    return real, count


def new_work(problem: DaeProblem, given: Setting, method: Radau | Half) -> DaeWork:
    """All arguments of the loop."""
    n, m = problem.size, len(problem.invariant_names)
    rows = ROWS
    if given.output_step > 0.0:
        rows = floor((given.t_end - given.t0) / given.output_step * (1.0 + 1e-12)) + 1
    per_round = len(problem.guard_names) + len(problem.time_events) + problem.mode.size
    tolerance = np.array(problem.guard_tolerance or (GUARD_TOLERANCE,) * len(problem.guard_names), float)
    if isinstance(method, Radau):
        shape = method.v[RadauRow.TRIAL : RadauRow.TRIAL + 3]
        x, x_new = method.v[RadauRow.X, :n], method.v[RadauRow.X_NEW, :n]
    else:
        shape, x, x_new = method.shape, method.v[HalfRow.X], method.v[HalfRow.X_NEW]
    return DaeWork(
        Solver(method.real, method.count, x, method.memory, method.mode, np.zeros(0)),
        Trial(np.zeros((2, n)), np.zeros(0), x_new, np.zeros(0), shape, np.zeros(n)),
        new_watch(problem, tolerance, given.chatter_limit),  # type: ignore[arg-type]
        new_output(rows, ROWS + per_round * (CASCADE_ROUNDS + 1), n, problem.memory.size, problem.mode.size),
        method if isinstance(method, Radau) else None,
        method if isinstance(method, Half) else None,
        new_invariants(n, m),
    )


def _no_jacobian(t, x, memory, mode, p, jac):
    return 1


def _no_rows(t, x, memory, mode, p, r):
    return 0


def _no_guards(t, x, memory, mode, p, g):
    pass


def _stop(t, x, memory, mode, p, fired):
    return 1


FUNCTIONS = ("rhs", "jacobian", "constraints", "invariants", "guards", "act")


# signature of each function of a problem, and what stands in for one it does not have
_KINDS: dict[str, tuple[Callable[[Any], Any], Callable[..., Any] | None]] = {
    "rhs": (rhs_signature, None),
    "constraints": (rhs_signature, None),
    "jacobian": (jacobian_signature, _no_jacobian),
    "invariants": (rhs_signature, _no_rows),
    "guards": (guards_signature, _no_guards),
    "act": (act_signature, _stop),
}


@cache
def _compiled(func: Callable[..., Any], kind: str, parameters: Any) -> Callable[..., Any]:
    return as_pointer(func, _KINDS[kind][0](parameters), kind)


def pointers(problem: DaeProblem, *kinds: str) -> list[Callable[..., Any]]:
    """Functions of a problem as the compiled loops call them; without constraints the right-hand side serves."""
    parameters = parameter_type(problem.parameters)
    found = [getattr(problem, kind) or _KINDS[kind][1] or problem.rhs for kind in kinds]
    return [_compiled(func, kind, parameters) for func, kind in zip(found, kinds, strict=True)]


def _loop(parameters: Any, groups: tuple[Any, ...]) -> Callable[..., Any]:
    functions = [types.FunctionType(_KINDS[kind][0](parameters)) for kind in FUNCTIONS]
    signature = types.int64(*functions, parameters, *groups, types.int64)
    return ready(kernel(dae_loop.advance, signature=signature, rows=True))


_LOOPS: dict[Any, Callable[..., Any]] = {}


def compiled_loop(parameters: Any, work: DaeWork) -> Callable[..., Any]:
    """The loop compiled for this type of parameters, from the disk cache where possible; called as it is."""
    key = type_key(parameters), *(group if group is None else type_key(group) for group in work)
    if key not in _LOOPS:
        _LOOPS[key] = _loop(parameter_type(parameters), tuple(typeof(group) for group in work))
    return direct(_LOOPS[key])
