"""A system that can be followed from any of its states: what sections, survival times and edges ask for."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numba
import numpy as np

from klingel.numerics.integrate import integrate
from klingel.numerics.options import check_problem
from klingel.numerics.pointers import problem_pointers
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory


class State(NamedTuple):
    """Everything a motion goes on from."""

    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    t: float = 0.0  # [s]


# state, duration [s], spacing of rows [s] or None for every step; raises IntegrationError
Follow = Callable[[State, float, float | None], Trajectory]


def end_of(run: Trajectory) -> State:
    return State(run.x[-1].copy(), run.memory[-1].copy(), run.mode[-1].copy(), float(run.t[-1]))


def following(problem: HybridProblem, method: str = "dopri54", rtol: float = 1e-8, atol: float = 1e-10) -> Follow:
    """Of any hybrid problem. Functions are compiled once."""
    check_problem(problem)
    (act,) = problem_pointers(problem, numba.typeof(problem.parameters), ("act",))
    nothing = np.zeros(len(problem.guard_names) + len(problem.time_events), np.bool_)

    def follow(state: State, duration: float, rows: float | None) -> Trajectory:
        x, memory, mode = state.x.copy(), state.memory.copy(), state.mode.astype(problem.mode.dtype)
        # what a problem keeps in its parameters still belongs to the modes of another start
        act(state.t, x.copy(), memory.copy(), mode.copy(), problem.parameters, nothing.copy())
        return integrate(
            replace(problem, memory=memory, mode=mode), x, state.t + duration, t_start=state.t, method=method,
            rtol=rtol, atol=atol, output_step=rows,
        )  # fmt: skip

    return follow


def state_of(problem: HybridProblem, x0, t: float = 0.0) -> State:
    """A start with the memory and modes the problem says."""
    return State(np.array(x0, float), problem.memory.copy(), problem.mode.copy(), t)
