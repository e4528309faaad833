"""A hybrid problem with one parameter set free: what a branch of orbits is followed in."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numba
import numpy as np

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.analysis.orbits.flow import Flow
from klingel.analysis.orbits.flow_kernels import TANGENT
from klingel.numerics.pointers import problem_pointers, type_key
from klingel.numerics.problem import HybridProblem, Remembered, Role

KEPT = 8  # problems remembered


@dataclass(frozen=True)
class Family:
    """Problems by the value of a parameter; period of what drives them; a symmetry of theirs.

    `symmetry` maps states, then memory coordinates: with every motion x(t) of the system, symmetry @ x(t) is one
    too (of a driven system half a period later). It must be its own inverse.
    """

    problem: Callable[[float], HybridProblem]
    drive: Callable[[float], float] | None = None  # period by the value of the parameter; None: autonomous [s]
    symmetry: np.ndarray | None = None
    parameter: str = "parameter"
    tangent: float = TANGENT  # error of the rate carried over a step, of its size: a mesh is made as fine as that
    whole: "Family | None" = field(default=None, compare=False, repr=False)  # without `holding`: see there
    _held: dict[tuple[int, ...], "Family"] = field(default_factory=dict, compare=False, repr=False)
    _known: dict[float, HybridProblem] = field(default_factory=dict, compare=False, repr=False)
    _compiled: dict[Any, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of_one(cls, problem: HybridProblem, drive: float | None = None, symmetry=None) -> "Family":
        """A problem without a free parameter."""
        return cls(lambda value: problem, None if drive is None else lambda value: drive, symmetry)

    @property
    def driven(self) -> bool:
        return self.drive is not None

    def at(self, value: float) -> HybridProblem:
        """The problem at a value of the parameter."""
        if value not in self._known:
            made = self.problem(value)
            check_kind("problem", made, HybridProblem, "a HybridProblem")
            refuse(made)
            made = self._with_compiled(made)
            while len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[value] = made
        return self._known[value]

    def _with_compiled(self, problem: HybridProblem) -> HybridProblem:
        """Plain functions are compiled once for all values of the parameter."""
        functions = {name: getattr(problem, name) for name in ("rhs", "guards", "act")}
        key = (tuple(functions.values()), type_key(problem.parameters))
        if key not in self._compiled:
            pointers = problem_pointers(problem, numba.typeof(problem.parameters), tuple(functions))
            self._compiled[key] = {
                name: pointer for (name, given), pointer in zip(functions.items(), pointers, strict=True) if given
            }
        return replace(problem, **self._compiled[key])

    @property
    def freed(self) -> "Family":
        """The family with all of its memory coordinates."""
        return self.whole or self

    def holding(self, entries: Iterable[int]) -> "Family":
        """The same problems with these entries of the memory as bookkeeping: no coordinates of an orbit.

        A slider that sticks all the time keeps its anchor, whatever it is; it is nothing to solve for.
        """
        key, whole = tuple(sorted(int(k) for k in entries)), self.freed
        if not key:
            return whole
        if key not in whole._held:
            symmetry = whole.symmetry
            if symmetry is not None:
                matrix = np.asarray(symmetry, float)
                matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
                problem = next(iter(whole._known.values()))
                n, coordinates = len(problem.state_names), problem.memory_coordinates
                kept = [*range(n), *(n + k for k, entry in enumerate(coordinates) if int(entry) not in key)]
                symmetry = matrix[np.ix_(kept, kept)]
            whole._held[key] = replace(
                whole, problem=lambda value: _with_bookkeeping(whole.at(value), key), symmetry=symmetry,
                whole=whole, _held={}, _known={}, _compiled={},
            )  # fmt: skip
        return whole._held[key]

    def flow(self, value: float, scale: np.ndarray, rtol: float) -> Flow:
        return Flow(self.at(value), scale, rtol, self.tangent)

    def mirror(self, size: int) -> np.ndarray:
        """The symmetry as a matrix over states and memory coordinates."""
        if self.symmetry is None:
            raise InputError("symmetry", None, "must be given to close an orbit after half of its period")
        matrix = np.asarray(self.symmetry, float)
        if matrix.ndim == 1:
            matrix = np.diag(matrix)
        if matrix.shape != (size, size) or not np.allclose(matrix @ matrix, np.eye(size)):
            raise InputError("symmetry", matrix.shape, f"must be its own inverse, of {size} rows and columns")
        return matrix


def _with_bookkeeping(problem: HybridProblem, entries: tuple[int, ...]) -> HybridProblem:
    told = list(problem.remembered) or [Remembered(f"memory {k}") for k in range(problem.memory.size)]
    for k in entries:
        told[k] = replace(told[k], role=Role.BOOKKEEPING)
    return replace(problem, remembered=tuple(told))


def refuse(problem: HybridProblem) -> None:
    """What an orbit cannot be carried through."""
    if problem.after_step is not None:
        raise InputError("problem", "an update after every step", "must change memory at events only")
    if problem.follow is not None:
        raise InputError("problem", "modes that follow the state", "must locate every event: locate = 'all'")
    if problem.time_events:
        allowed = "must have guards that know the time instead: known instants do not repeat"
        raise InputError("time_events", problem.time_events, allowed)
