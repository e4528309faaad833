"""Flow of a hybrid problem within one mode, on a mesh of its own, and its tangents.

Modes and memory are held, no guard is asked: the flow is a smooth function of the start, the duration and the
parameters, also where the true motion would long have switched. A mesh, once chosen by error control, is kept as
fractions of the duration, so that the discrete flow is smooth as well: Newton's method and differences see no
noise of step control.

Memory coordinates are constant within a mode, but the right-hand side depends on them: a tangent has a part for
each. What a problem keeps in its parameters (sums over elements) is brought up to date by its action with
nothing fired.
"""

from typing import Any

import numpy as np

from klingel.analysis.orbits.entry_points import code_of
from klingel.analysis.orbits.flow_kernels import (
    INSIDE,
    INSIDE_TABLES,
    REFUSED,
    STAGES,
    TABLEAU,
    TANGENT,
    TOO_MANY,
    Scratch,
    along_mesh,
    carry,
    choose_mesh,
    events_at,
    guards_along,
    rates_along,
)
from klingel.numerics.problem import HybridProblem

MOST_STEPS = 20_000  # of one piece
RHS = ("rhs",)  # all that most kernels call


class FlowError(RuntimeError):
    """The flow leaves what the right-hand side is defined for, or needs too many steps."""


class Flow:
    """Flow and tangents of one problem within any of its modes."""

    def __init__(self, problem: HybridProblem, scale: np.ndarray, rtol: float, tangent: float = TANGENT):
        """`scale`: typical size of each state and memory coordinate; absolute tolerances are rtol of it.

        `tangent`: see `Family`.
        """
        self.problem = problem
        self.coordinates = problem.memory_coordinates.astype(np.int64)
        n, all_ = len(problem.state_names), len(problem.state_names) + self.coordinates.size
        self.n, self.size, self.scale, self.rtol = n, all_, np.ascontiguousarray(scale, float), rtol
        self._code, self.tangent = code_of(problem), tangent
        self.rhs, self.guards, self.act = self._code.rhs, self._code.guards, self._code.act
        self._scratch = Scratch(
            np.zeros((STAGES + 1, n)), np.zeros((STAGES, all_ + 1, n)),
            np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(all_),
            problem.memory.copy(), problem.mode.copy(),
            np.zeros(len(problem.guard_names) + len(problem.time_events), np.bool_),
            np.zeros(len(problem.guard_names)),
        )  # fmt: skip
        self._none = np.zeros((0, n))

    def enter(self, t: float, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
        """Make what the problem keeps in its parameters agree with modes and memory."""
        fired = np.zeros_like(self._scratch.fired)
        self.act(t, x.copy(), memory.copy(), mode.copy(), self.problem.parameters, fired)

    def mesh(self, t: float, duration: float, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
        """Fractions of the duration, from 0 to 1, by error control."""
        if duration <= 0.0:
            return np.array([0.0, 1.0])
        self.enter(t, x, memory, mode)
        fractions = np.zeros(MOST_STEPS + 1)
        atol = self.rtol * self.scale[: self.n]
        first = 0.05
        args = (
            t, duration, x.copy(), memory, mode, self.problem.parameters, TABLEAU, atol, self.rtol,
            self.scale[: self.n].copy(), self.tangent, first, fractions, self._scratch,
        )  # fmt: skip
        count = self._call(choose_mesh, RHS, args)
        return fractions[: count + 1].copy()

    def nodes(self, t, duration, x, memory, mode, fractions) -> np.ndarray:
        """States at the nodes of a mesh."""
        self.enter(t, x, memory, mode)
        found = np.zeros((fractions.size, self.n))
        p = self.problem.parameters
        args = (t, duration, x.copy(), memory, mode, p, TABLEAU, fractions, found, self._scratch)
        self._call(along_mesh, RHS, args)
        return found

    def end(self, t, duration, x, memory, mode, fractions) -> np.ndarray:
        """State at the end of a mesh."""
        self.enter(t, x, memory, mode)
        moved, p = x.copy(), self.problem.parameters
        args = (t, duration, moved, memory, mode, p, TABLEAU, fractions, self._none, self._scratch)
        self._call(along_mesh, RHS, args)
        if not np.isfinite(moved).all():
            raise FlowError("the motion grows beyond all bounds")
        return moved

    def tangents(self, t, duration, x, memory, mode, fractions, y) -> tuple[np.ndarray, np.ndarray]:
        """State at the end, and tangents there: columns of `y`, states and memory coordinates."""
        self.enter(t, x, memory, mode)
        moved, rows = x.copy(), np.ascontiguousarray(y.T)
        scratch = self._scratch
        if scratch.ky.shape[1] < rows.shape[0]:
            scratch = scratch._replace(ky=np.zeros((STAGES, rows.shape[0], self.n)))
        args = (
            t, duration, moved, rows, memory, mode, self.problem.parameters, TABLEAU, fractions, self.coordinates,
            self.scale, INSIDE if self.tangent < 1.0 else INSIDE_TABLES, scratch,
        )  # fmt: skip
        self._call(carry, ("rhs", "act"), args)
        if not np.isfinite(rows).all():
            raise FlowError("neighbours of the orbit grow beyond all bounds")
        return moved, rows.T

    def rate(self, t, x, memory, mode) -> np.ndarray:
        """Derivative of the state; what is kept in the parameters must agree, see `enter`."""
        dx = np.zeros(self.n)
        if self.rhs(t, x, memory, mode, self.problem.parameters, dx) != 0:
            raise FlowError("the right-hand side refused a state of the orbit")
        return dx

    def margins(self, t, x, memory, mode) -> np.ndarray:
        """Values of all guards."""
        g = np.zeros(len(self.problem.guard_names))
        self.guards(t, x, memory, mode, self.problem.parameters, g)
        return g

    def rates(self, t: np.ndarray, x: np.ndarray, memory, mode) -> np.ndarray:
        """Derivatives of the states at rows; what is kept in the parameters must agree."""
        found = np.zeros((t.size, self.n))
        self._call(rates_along, RHS, (t, x, memory, mode, self.problem.parameters, found, self._scratch))
        return found

    def guards_along(
        self, t: np.ndarray, x: np.ndarray, memory, mode, step: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Values of all guards at rows, and their rates; what is kept in the parameters must agree."""
        values, rates = np.zeros((2, t.size, len(self.problem.guard_names)))
        args = (t, x, memory, mode, self.problem.parameters, step, values, rates, self._scratch)
        self._call(guards_along, ("rhs", "guards"), args)
        return values, rates

    def events(self, t: float, z: np.ndarray, memory, mode, rounds) -> tuple[np.ndarray, np.ndarray]:
        """For rows of states and memory coordinates: all guards, and what guards that fire make of each row."""
        fired = np.zeros((len(rounds), self._scratch.fired.size), np.bool_)
        for row, together in zip(fired, rounds, strict=True):
            row[list(together)] = True
        values, after = np.zeros((z.shape[0], len(self.problem.guard_names))), np.zeros_like(z)
        args = (
            t, z, memory, mode, self.problem.parameters, self.coordinates, fired, values, after, self._scratch
        )  # fmt: skip
        self._call(events_at, ("guards", "act"), args)
        return values, after

    def _call(self, function: Any, called: tuple[str, ...], args: tuple[Any, ...]) -> int:
        count = self._code.run(function, called, args)
        if count == REFUSED:
            raise FlowError("the right-hand side refused a state of the orbit")
        if count == TOO_MANY:
            raise FlowError(f"more than {MOST_STEPS} steps in one piece of the orbit")
        return int(count)
