"""Radau IIA of order 5 for M x' = f(t, x) with index up to 3: `solve(problem, x0, t_end)`.

Observed orders at the end of a step (Hairer, Lubich and Roche 1989; Hairer and Jay 1993): index 1: all 5;
index 2: differential 5, multiplier 3; index 3: position 4 or better, velocity 3, multiplier 2.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from klingel.numerics.dae import checks as dae_checks
from klingel.numerics.dae import setup as dae_setup
from klingel.numerics.dae import solve as dae_solve
from klingel.numerics.dae.problem import DaeProblem, Treatment
from klingel.numerics.dae.radau.work import Radau, Row, Tie, new_radau
from klingel.numerics.dae.run import DaeRun
from klingel.numerics.dae.setup import Setting
from klingel.numerics.dae.work import DaeCount, DaeReal


@dataclass(frozen=True)
class Options:
    """Settings of the method; the defaults are those of Hairer and Wanner where they give one."""

    newton_tolerance: float | None = None  # None: max(1e-15/rtol, min(0.03, sqrt(rtol)))
    reuse_rate: float = 0.2  # keep the Jacobian while Newton contracts faster
    safety: float = 0.9
    max_newton: int = 7
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
    treatment: Treatment = Treatment.REPORT,
    options: Options = DEFAULT,
    check: bool = True,
) -> DaeRun:
    """Integrate from t0 to t_end, or to an event whose action stops the run.

    `output_step` 0 returns every step. `treatment` says what is done about `problem.invariants`. With
    `check` the start is examined first: an `InputError` names inconsistent equations, singular constraints
    and components whose index is higher than declared or than 3.
    """
    given = Setting(
        t0, t_end, rtol, atol, h0, h_max, output_step, treatment, options.max_steps,
        options.chatter_limit, options.chatter_window,
    )  # fmt: skip
    dae_setup.check_arguments(problem, x0, given)
    x0 = np.asarray(x0, float)
    if check or problem.index is None:
        problem = dae_checks.checked(problem, t0, x0, rtol, atol)
    radau = _start(problem, x0, given, options)
    work = dae_setup.new_work(problem, given, radau)
    return dae_solve.run(problem, work, radau.v[Row.ERROR], radau.v[Row.SCALE])


def _start(problem: DaeProblem, x0: np.ndarray, given: Setting, options: Options) -> Radau:
    """The arrays of the method, filled for the start."""
    n, m = problem.size, len(problem.invariant_names)
    real, count = dae_setup.new_scalars(problem, x0, given)
    extra = m if given.treatment == Treatment.STABILISE else 0
    memory, mode = np.array(problem.memory, float), np.array(problem.mode, np.int8)
    radau = new_radau(real, count, memory, mode, problem.mass_matrix, np.array(problem.index), extra)
    radau.v[Row.X, :n] = x0
    radau.v[Row.ATOL] = np.max(given.atol)
    radau.v[Row.ATOL, :n] = given.atol
    if problem.guard_names or problem.time_events:
        tied = dae_checks.ties(problem, given.t0, x0)
        radau.tie[:n] = np.where(problem.algebraic, Tie.ALGEBRAIC, np.where(tied, Tie.TIED, Tie.FREE))
    newton = options.newton_tolerance or max(1e-15 / given.rtol, min(0.03, sqrt(given.rtol)))
    real[[DaeReal.NEWTON_TOLERANCE, DaeReal.REUSE_RATE, DaeReal.SAFETY]] = (
        newton,
        options.reuse_rate,
        options.safety,
    )
    real[DaeReal.NEWTON_FACTOR] = 1.0
    count[DaeCount.MAX_NEWTON] = options.max_newton
    return radau
