"""DaeProblem: M x' = f(t, x) with a constant, possibly singular matrix M, index up to 3.

Rows of M that are zero make f_i = 0 a constraint; columns that are zero make x_j an algebraic variable.
Row i and component i belong together: a constraint stands in the row of the variable it determines in
the end (a position constraint in the row of its multiplier). State-dependent inertia is solved for inside
`rhs`. The functions are those of a hybrid system (docs/reference/hybrid-systems.md), and two more:

`constraints(t, x, memory, mode, p, f) -> int64`
    fills only the rows of `f` whose mass is zero, without the work of the others; half-explicit methods and
    projections call it many times. Left out, `rhs` is called instead.
`invariants(t, x, memory, mode, p, r) -> int64`
    residuals that are zero along every solution but are not among the equations: the position constraint
    of an index-2 formulation, an energy. Their drift is reported; see `Treatment`.

The index of a component says how often the constraints must be differentiated to find it: 1 for
differential and directly solvable variables, 2 and 3 for Lagrange multipliers of velocity and position
constraints (then 2 for the velocities). It scales error control: the error of a component of index k counts
h^(k-1).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from klingel._errors import InputError

HIGHEST_INDEX = 3


class Treatment(IntEnum):
    """What is done about the invariants."""

    REPORT = 0  # their drift only
    PROJECT = 1  # coordinate projection after every step
    STABILISE = 2  # extra multipliers, Gear-Gupta-Leimkuhler


@dataclass(frozen=True)
class DaeProblem:
    """Functions, parameters, names, mass matrix and index of a differential-algebraic system."""

    rhs: Callable[..., Any]
    parameters: Any
    state_names: tuple[str, ...]
    mass: np.ndarray  # M, or its diagonal
    index: tuple[int, ...] | None = None  # of each component; None: found numerically at the start
    constraints: Callable[..., Any] | None = None
    invariants: Callable[..., Any] | None = None
    invariant_names: tuple[str, ...] = ()
    jacobian: Callable[..., Any] | None = None  # d f_i / d x_j, all of it
    guards: Callable[..., Any] | None = None
    act: Callable[..., Any] | None = None
    guard_names: tuple[str, ...] = ()
    guard_owner: tuple[int, ...] = ()  # index into `mode` each guard belongs to; -1 for none
    guard_tolerance: tuple[float, ...] = ()  # in the unit of each guard; empty means GUARD_TOLERANCE
    mode_names: tuple[str, ...] = ()
    mode_types: tuple[type[IntEnum], ...] = ()
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    mode: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    time_events: tuple[float, ...] = ()  # instants known in advance, hit exactly [s]
    time_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.state_names)
        shape = np.shape(self.mass)
        if shape not in ((n,), (n, n)):
            raise InputError("mass", shape, f"must have the shape ({n},) or ({n}, {n}), one row per state name")
        if self.index is None:
            return
        if len(self.index) != n:
            raise InputError("index", len(self.index), f"must have {n} entries, one per state name")
        for name, value in zip(self.state_names, self.index, strict=True):
            if value not in range(1, HIGHEST_INDEX + 1):
                raise InputError(f"index of {name}", value, f"must be 1 to {HIGHEST_INDEX}")

    @property
    def size(self) -> int:
        return len(self.state_names)

    @property
    def mass_matrix(self) -> np.ndarray:
        mass = np.asarray(self.mass, float)
        return np.diag(mass) if mass.ndim == 1 else mass

    @property
    def constraint_rows(self) -> np.ndarray:
        """True for the equations without a derivative."""
        return ~np.any(self.mass_matrix != 0.0, axis=1)

    @property
    def algebraic(self) -> np.ndarray:
        """True for the variables without a derivative."""
        return ~np.any(self.mass_matrix != 0.0, axis=0)

    def with_index(self, index: tuple[int, ...]) -> "DaeProblem":
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return DaeProblem(**{**values, "index": index})
