"""Half-explicit Runge-Kutta methods for semi-explicit systems of index 1 and 2: `solve(problem, x0, t_end)`.

The differential part is advanced explicitly; only the constraints are solved, stage by stage, never a
system of the size of the whole problem. Suited where the motion is not stiff. Mass must be 0 or 1 on the
diagonal. Output is every step; events are left to the implicit method.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np
from numba import typeof, types

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics import dae_checks, dae_setup, half_explicit_loop
from klingel.numerics.dae_problem import DaeProblem, Treatment
from klingel.numerics.dae_run import DaeError, DaeRun, DaeStats, Status
from klingel.numerics.half_explicit_scheme import DORMAND_PRINCE_5, Scheme
from klingel.numerics.half_explicit_work import PAST, Count, Half, Real, Row, Tableau
from klingel.numerics.projection import DRIFT, Invariants, new_invariants
from klingel.numerics.radau_work import Output, new_output
from klingel.numerics.signatures import rhs_signature


@dataclass(frozen=True)
class Options:
    linear_tolerance: float = (
        0.5  # what linearisation in the multipliers may leave behind, in units of the tolerance
    )
    constraint_tolerance: float = 0.01  # last correction on the constraints, in the same unit
    safety: float = 0.9
    max_steps: int = 1_000_000


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
    scheme: Scheme = DORMAND_PRINCE_5,
    treatment: Treatment = Treatment.REPORT,
    options: Options = Options(),  # noqa: B008 - frozen
    check: bool = True,
) -> DaeRun:
    """Integrate from t0 to t_end; `treatment` of the invariants is REPORT or PROJECT."""
    dae_setup.check_arguments(problem, x0, t_end - t0, rtol, atol, treatment)
    if treatment == Treatment.STABILISE:
        raise InputError("treatment", treatment.name, "must be REPORT or PROJECT for half-explicit methods")
    if check or problem.index is None:
        problem = dae_checks.checked(problem, t0, np.asarray(x0, float), rtol, atol)
    half = _start(problem, scheme)
    half.v[Row.X] = x0
    half.v[Row.ATOL] = atol
    step = h0 or dae_setup.first_step(problem, t0, x0, atol, rtol)
    settings = {
        Real.T: t0, Real.T_END: t_end, Real.H: min(step, h_max, t_end - t0), Real.H_MAX: h_max,
        Real.RTOL: rtol, Real.OLD_ERROR: 1.0, Real.RATE: 1.0, Real.LINEAR_TOLERANCE: options.linear_tolerance,
        Real.CONSTRAINT_TOLERANCE: options.constraint_tolerance, Real.SAFETY: options.safety,
    }  # fmt: skip
    half.real[list(settings)] = list(settings.values())
    half.count[[Count.MAX_STEPS, Count.TREATMENT]] = options.max_steps, treatment
    return _run(problem, half, scheme)


def _start(problem: DaeProblem, scheme: Scheme) -> Half:
    """Work arrays, with the components sorted by kind."""
    mass, index = problem.mass_matrix, np.array(problem.index)
    if not np.array_equal(mass, np.diag(np.where(problem.algebraic, 0.0, 1.0))):
        raise InputError("mass", "other values", "must be 1 for differential and 0 for algebraic components")
    for name, kind, algebraic in zip(problem.state_names, index, problem.algebraic, strict=True):
        if kind > (2 if algebraic else 1):
            raise InputError(f"index of {name}", int(kind), "must be at most 2 for a half-explicit method")
    kinds = [np.flatnonzero(~problem.algebraic)]
    kinds += [np.flatnonzero(problem.algebraic & (index == k)) for k in (1, 2)]
    n, (n1, n2) = problem.size, (kinds[1].size, kinds[2].size)
    half = Half(
        real=np.zeros(Real.SIZE), count=np.zeros(Count.SIZE, np.int64), v=np.zeros((Row.SIZE, n)),
        k=np.zeros((scheme.error.size, n)), memory=problem.memory.astype(float),
        mode=problem.mode.astype(np.int8), order=np.concatenate(kinds).astype(np.int64),
        sizes=np.array([k.size for k in kinds], np.int64),
        f_z=np.zeros((n2, n)), c_x=np.zeros((n1 + n2, n)), all=np.zeros((n1 + n2, n1 + n2)),
        first=np.zeros((n1, n1)), pivots=np.zeros((2, n1 + n2), np.int64), small=np.zeros((2, n1 + n2)),
        past=np.zeros((2 * PAST, 1 + n2)),
    )  # fmt: skip
    half.count[[Count.STALE, Count.SLOW, Count.SEPARATE]] = 1, 1, problem.constraints is not None
    return half


def _tableau(scheme: Scheme, multipliers: int) -> Tableau:
    setting = np.array([scheme.closure, scheme.fsal, scheme.error_order], np.int64)
    return Tableau(scheme.a, scheme.c, scheme.error, setting, np.array(scheme.control), np.zeros(multipliers))


@cache
def _loop(parameters: Any) -> Callable[..., Any]:
    """The loop compiled for one type of parameters."""
    pointer = types.FunctionType(rhs_signature(parameters))
    v, m, i = types.float64[::1], types.float64[:, ::1], types.int64[::1]
    half = types.NamedTuple([v, i, m, m, v, types.int8[::1], i, i, m, m, m, m, types.int64[:, ::1], m, m], Half)
    tableau = types.NamedTuple([m, v, v, i, v, v], Tableau)
    arguments = [half, typeof(new_invariants(1, 0)), tableau, typeof(new_output(1, 1, 1)), parameters]
    return kernel(half_explicit_loop.advance, signature=types.int64(pointer, pointer, pointer, *arguments))


def _run(problem: DaeProblem, half: Half, scheme: Scheme) -> DaeRun:
    n = problem.size
    functions = dae_setup.pointers(problem, "rhs", "constraints", "invariants")
    loop, tableau = _loop(typeof(problem.parameters)), _tableau(scheme, half.f_z.shape[0])
    inv = new_invariants(n, len(problem.invariant_names))
    _remember_start(half)
    times, states = [half.real[Real.T : Real.T + 1].copy()], [half.v[Row.X : Row.X + 1].copy()]
    status = Status.MORE_ROOM
    while status == Status.MORE_ROOM:
        out: Output = new_output(dae_setup.CHUNK, 1, n)
        half.count[Count.OUT_ROWS] = 0
        status = Status(loop(*functions, half, inv, tableau, out, problem.parameters))
        rows = half.count[Count.OUT_ROWS]
        times.append(out.t[:rows])
        states.append(out.x[:rows])
    if status != Status.DONE:
        raise _failure(problem, status, half)
    return _result(problem, half, inv, np.concatenate(times), np.concatenate(states))


def _remember_start(half: Half) -> None:
    """z at the start is the first point it is extrapolated from."""
    half.past[0, 0] = half.real[Real.T]
    half.past[0, 1:] = half.v[Row.X, half.order[half.sizes[0] + half.sizes[1] :]]
    half.count[Count.HISTORY] = 1


def _failure(problem: DaeProblem, status: Status, half: Half) -> DaeError:
    return dae_checks.failure(
        problem, status, float(half.real[Real.T]), half.v[Row.X], half.v[Row.ERROR], half.v[Row.SCALE],
        int(half.count[Count.CULPRIT]), int(half.count[Count.MAX_STEPS]),
    )  # fmt: skip


def _result(problem: DaeProblem, half: Half, inv: Invariants, t: np.ndarray, x: np.ndarray) -> DaeRun:
    c = half.count
    stats = DaeStats(
        accepted=int(c[Count.ACCEPTED]), rejected=int(c[Count.REJECTED]), rhs=int(c[Count.RHS]),
        rhs_jacobian=int(c[Count.RHS_JACOBIAN]), jacobians=int(c[Count.JACOBIANS]),
        factorisations=int(c[Count.FACTORISATIONS]), newton=int(c[Count.NEWTON]), events=0,
        constraints=int(c[Count.CONSTRAINTS]), invariants=int(c[Count.INVARIANTS]),
    )  # fmt: skip
    drift = dict(zip(problem.invariant_names, inv.rows[DRIFT].tolist(), strict=True))
    return DaeRun(t, x, problem.state_names, stats, "reached the end", drift, (), half.memory, half.mode)
