"""HybridProblem: a right-hand side with modes, guards and actions, ready for the event loop.

What each function must look like is written in docs/reference/hybrid-systems.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any

import numpy as np

from klingel._arguments import check_array
from klingel._errors import InputError

GUARD_TOLERANCE = 1e-12  # a guard this close to zero, in its own unit, counts as lying on the boundary


class Role(StrEnum):
    """What an entry of the memory is to the map from one event to the next."""

    COORDINATE = "coordinate"  # moves with the motion: carried by a return map, has derivatives
    BOOKKEEPING = "bookkeeping"  # counts or names something: a change of it is a switch


@dataclass(frozen=True)
class Remembered:
    """One entry of the memory."""

    name: str
    role: Role = Role.COORDINATE
    unit: str = ""  # of a coordinate


@dataclass(frozen=True, eq=False)
class OwnLoop:
    """An event loop that calls some of the problem's functions directly.

    `run(<the others as pointers>, p, solver, scheme, trial, watch, implicit, output, steps)` is not yet compiled.
    """

    run: Callable[..., Any]
    functions: Mapping[str, Callable[..., Any]]  # called directly, by their names in HybridProblem


def _modes(given: Any) -> np.ndarray:
    """As the kernels have them, a copy."""
    if type(given) is np.ndarray and given.dtype == np.int8:
        return given.copy()
    mode = check_array("mode", given, "whole numbers from -128 to 127")
    if not np.array_equal(mode, mode.astype(np.int8)):
        raise InputError("mode", given, "must be whole numbers from -128 to 127")
    return mode.astype(np.int8)


@dataclass(frozen=True)
class HybridProblem:
    """Functions, parameters, names and start values of `memory` and `mode`."""

    rhs: Callable[..., Any]
    parameters: Any
    state_names: tuple[str, ...]
    guards: Callable[..., Any] | None = None
    act: Callable[..., Any] | None = None
    after_step: Callable[..., Any] | None = None
    jacobian: Callable[..., Any] | None = None
    scan: Callable[..., Any] | None = (
        None  # a quick answer to "has nothing happened?", before the guards are asked
    )
    follow: Callable[..., Any] | None = None  # modes that follow the state across boundaries without a stop
    breaks: Callable[..., Any] | None = None  # where the right-hand side jumps without a mode, see events.breaks
    guard_names: tuple[str, ...] = ()
    guard_owner: tuple[int, ...] = ()  # index into `mode` each guard belongs to; -1 for none
    guard_tolerance: tuple[float, ...] = ()  # in the unit of each guard; empty means GUARD_TOLERANCE
    mode_names: tuple[str, ...] = ()  # one per entry of `mode`: the element
    mode_types: tuple[type[IntEnum], ...] = ()  # one per entry of `mode`: what its values mean
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))  # start values
    remembered: tuple[Remembered, ...] = ()  # one per entry of `memory`; empty means coordinates without names
    mode: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))  # start values
    time_events: tuple[float, ...] = ()  # instants known in advance, hit exactly [s]
    time_names: tuple[str, ...] = ()
    pattern: np.ndarray | None = None  # true where d rhs_i / d x_j may be non-zero; None means everywhere
    implicit: np.ndarray | None = None  # true where implicit methods keep the Jacobian; None means everywhere
    loop: OwnLoop | None = None  # an event loop that calls the functions above directly

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory", check_array("memory", self.memory))
        object.__setattr__(self, "mode", _modes(self.mode))
        if self.remembered and len(self.remembered) != self.memory.size:
            given, wanted = len(self.remembered), self.memory.size
            raise InputError("remembered", given, f"must describe the {wanted} entries of memory, or be empty")

    @property
    def memory_coordinates(self) -> np.ndarray:
        """Indices of the entries of `memory` that a return map carries."""
        if not self.remembered:
            return np.arange(self.memory.size)
        return np.flatnonzero([entry.role == Role.COORDINATE for entry in self.remembered])
