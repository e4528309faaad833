"""What both DAE solvers do before their loop starts: arguments, first step, missing functions."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.dae_problem import Treatment
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


def first_step(problem, t0, x0, atol, rtol) -> float:
    """A hundredth of the time in which the differential part would change by itself [s]."""
    f = np.zeros(problem.size)
    problem.rhs(t0, np.asarray(x0, float), problem.memory, problem.mode, problem.parameters, f)
    f[problem.constraint_rows] = 0.0
    scale = atol + rtol * np.abs(x0)
    distance, speed = np.linalg.norm(x0 / scale), np.linalg.norm(f / scale)
    return 1e-6 if distance < 1e-5 or speed < 1e-5 else 0.01 * float(distance / speed)


@cache
def absent(kind: str, parameters: Any) -> Callable[..., Any]:
    """Stand-ins for functions a problem does not have."""
    return {
        "jacobian": lambda: kernel(_no_jacobian, signature=jacobian_signature(parameters)),
        "invariants": lambda: kernel(_no_rows, signature=rhs_signature(parameters)),
        "guards": lambda: kernel(_no_guards, signature=guards_signature(parameters)),
        "act": lambda: kernel(_stop, signature=act_signature(parameters)),
    }[kind]()


def _no_jacobian(t, x, memory, mode, p, jac):
    return 1


def _no_rows(t, x, memory, mode, p, r):
    return 0


def _no_guards(t, x, memory, mode, p, g):
    pass


def _stop(t, x, memory, mode, p, fired):
    return 1
