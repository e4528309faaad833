"""Half-explicit Runge-Kutta methods for semi-explicit systems of index 1 and 2: `solve(problem, x0, t_end)`.

The differential part is advanced explicitly; only the constraints are solved, stage by stage, never a
system of the size of the whole problem. Suited where the motion is not stiff. Mass must be 0 or 1 on the
diagonal.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.numerics.dae import checks as dae_checks
from klingel.numerics.dae import setup as dae_setup
from klingel.numerics.dae import solve as dae_solve
from klingel.numerics.dae.half_explicit.scheme import DORMAND_PRINCE_5, Scheme
from klingel.numerics.dae.half_explicit.work import Half, Row, new_half
from klingel.numerics.dae.problem import DaeProblem, Treatment
from klingel.numerics.dae.run import DaeRun
from klingel.numerics.dae.setup import Setting
from klingel.numerics.dae.work import DaeReal


@dataclass(frozen=True)
class Options:
    linear_tolerance: float = 0.5  # what linearisation in the multipliers may leave, in units of the tolerance
    constraint_tolerance: float = 0.01  # last correction on the constraints, in the same unit
    safety: float = 0.9
    max_steps: int = 1_000_000
    chatter_limit: int = 200  # events of one guard ...
    chatter_window: float | None = None  # ... within this time [s] end the run; None: 1e-6 of it, at most 1 ms


DEFAULT = Options()


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
    scheme: Scheme = DORMAND_PRINCE_5,
    treatment: Treatment = Treatment.REPORT,
    options: Options = DEFAULT,
    check: bool = True,
) -> DaeRun:
    """Integrate from t0 to t_end, or to an event whose action stops the run.

    `output_step` 0 returns every step. `treatment` of the invariants is REPORT or PROJECT.
    """
    given = Setting(
        t0, t_end, rtol, atol, h0, h_max, output_step, treatment, options.max_steps,
        options.chatter_limit, options.chatter_window,
    )  # fmt: skip
    dae_setup.check_arguments(problem, x0, given)
    if treatment == Treatment.STABILISE:
        raise InputError("treatment", treatment.name, "must be REPORT or PROJECT for half-explicit methods")
    x0 = np.asarray(x0, float)
    if check or problem.index is None:
        problem = dae_checks.checked(problem, t0, x0, rtol, atol)
    half = _start(problem, x0, scheme, given, options)
    work = dae_setup.new_work(problem, given, half)
    return dae_solve.run(problem, work, half.v[Row.ERROR], half.v[Row.SCALE])


def _start(problem: DaeProblem, x0: np.ndarray, scheme: Scheme, given: Setting, options: Options) -> Half:
    """The arrays of the method, filled for the start, with the components sorted by kind."""
    mass, index = problem.mass_matrix, np.array(problem.index)
    if not np.array_equal(mass, np.diag(np.where(problem.algebraic, 0.0, 1.0))):
        raise InputError("mass", "other values", "must be 1 for differential and 0 for algebraic components")
    for name, kind, algebraic in zip(problem.state_names, index, problem.algebraic, strict=True):
        if kind > (2 if algebraic else 1):
            raise InputError(f"index of {name}", int(kind), "must be at most 2 for a half-explicit method")
    kinds = [np.flatnonzero(~problem.algebraic)]
    kinds += [np.flatnonzero(problem.algebraic & (index == k)) for k in (1, 2)]
    real, count = dae_setup.new_scalars(problem, x0, given)
    memory, mode = np.array(problem.memory, float), np.array(problem.mode, np.int8)
    half = new_half(real, count, memory, mode, kinds, scheme)
    half.v[Row.X] = x0
    half.v[Row.ATOL] = given.atol
    real[[DaeReal.LINEAR_TOLERANCE, DaeReal.CONSTRAINT_TOLERANCE, DaeReal.SAFETY]] = (
        options.linear_tolerance, options.constraint_tolerance, options.safety,
    )  # fmt: skip
    return half
