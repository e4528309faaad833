"""What both DAE solvers do before their loop starts: arguments, first step, missing functions."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import typeof

from klingel._errors import InputError
from klingel.numerics.dae_problem import DaeProblem, Treatment
from klingel.numerics.pointers import as_pointer
from klingel.numerics.signatures import act_signature, guards_signature, jacobian_signature, rhs_signature

CHUNK = 4096  # output rows per call of a compiled loop


def check_arguments(problem, x0, duration, rtol, atol, treatment) -> None:
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
    pointers(problem, "rhs")


def first_step(problem, t0, x0, atol, rtol) -> float:
    """A hundredth of the time in which the differential part would change by itself [s]."""
    f = np.zeros(problem.size)
    problem.rhs(t0, np.asarray(x0, float), problem.memory, problem.mode, problem.parameters, f)
    f[problem.constraint_rows] = 0.0
    scale = atol + rtol * np.abs(x0)
    distance, speed = np.linalg.norm(x0 / scale), np.linalg.norm(f / scale)
    return 1e-6 if distance < 1e-5 or speed < 1e-5 else 0.01 * float(distance / speed)


def _no_jacobian(t, x, memory, mode, p, jac):
    return 1


def _no_rows(t, x, memory, mode, p, r):
    return 0


def _no_guards(t, x, memory, mode, p, g):
    pass


def _stop(t, x, memory, mode, p, fired):
    return 1


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
    parameters = typeof(problem.parameters)
    given = [getattr(problem, kind) or _KINDS[kind][1] or problem.rhs for kind in kinds]
    return [_compiled(func, kind, parameters) for func, kind in zip(given, kinds, strict=True)]
