"""What a run returns: Trajectory, EventLog, Stats."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.numerics.ode.workspace import Status
from klingel.numerics.problem import HybridProblem


class Event(NamedTuple):
    """One guard that fired, or one mode that changed with it, in words."""

    time: float
    guard: str
    element: str
    old: str
    new: str


@dataclass(frozen=True)
class EventLog:
    """All events of a run: columns, and rows in words by iteration."""

    time: np.ndarray
    guard: np.ndarray  # index; known instants follow the guards; -1 for a mode changed by another's event
    owner: np.ndarray  # index of the mode concerned, -1 for none
    old: np.ndarray  # mode of the guard's owner before
    new: np.ndarray  # and after
    problem: HybridProblem

    def __len__(self) -> int:
        return self.time.size

    def __iter__(self) -> Iterator[Event]:
        for i in range(self.time.size):
            yield self.describe(i)

    def describe(self, i: int) -> Event:
        guard, owner = int(self.guard[i]), int(self.owner[i])
        name = self._names[guard] if guard >= 0 else ""
        if owner < 0:
            return Event(float(self.time[i]), name, "", "", "")
        words = [self.mode_name(owner, int(value)) for value in (self.old[i], self.new[i])]
        return Event(float(self.time[i]), name, self.element_name(owner), *words)

    @property
    def fired(self) -> "EventLog":
        """The rows of guards that fired, without the modes that changed along with them."""
        rows = self.guard >= 0
        columns = (self.time[rows], self.guard[rows], self.owner[rows], self.old[rows], self.new[rows])
        return EventLog(*columns, self.problem)

    def of(self, guard_name: str) -> np.ndarray:
        """Times at which the named guard, or known instant, fired."""
        if guard_name not in self._names:
            raise InputError("guard", guard_name, f"must be one of {', '.join(self._names)}")
        return self.time[self.guard == self._names.index(guard_name)]

    @property
    def _names(self) -> tuple[str, ...]:
        """Guards, then known instants: the order of the indices in `guard`."""
        instants = tuple(f"time {k}" for k in range(len(self.problem.time_events)))
        return (*self.problem.guard_names, *(self.problem.time_names or instants))

    def element_name(self, owner: int) -> str:
        return self.problem.mode_names[owner] if self.problem.mode_names else f"mode {owner}"

    def mode_name(self, owner: int, value: int) -> str:
        kinds = self.problem.mode_types
        return kinds[owner](value).name if kinds else str(value)


@dataclass(frozen=True)
class Stats:
    """Work done by a run."""

    accepted: int
    rejected: int
    refused: int
    rhs: int
    jacobians: int
    factorisations: int
    newton_iterations: int
    events: int
    stops: int
    guard_evaluations: int
    family_changes: int
    wall_time: float  # [s]
    simulated_time: float  # [s]


@dataclass(frozen=True)
class Trajectory:
    """Rows of time, state, memory and mode; events; statistics; how it ended."""

    t: np.ndarray
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    events: EventLog
    stats: Stats
    status: Status
    ended: str  # a sentence
    problem: HybridProblem
    checkpoint: dict[str, np.ndarray] | None = None  # where `integrate(..., resume=...)` goes on

    def __getitem__(self, name: str) -> np.ndarray:
        names = self.problem.state_names
        if name not in names:
            raise InputError("state", name, f"must be one of {', '.join(names)}")
        return self.x[:, names.index(name)]

    @property
    def complete(self) -> bool:
        """Whether the run reached its end or was stopped by an action, as opposed to broken off."""
        return self.status in (Status.DONE, Status.STOPPED)


class IntegrationError(RuntimeError):
    """A run that could not go on; `trajectory` holds what was computed until then."""

    def __init__(self, message: str, trajectory: Trajectory):
        super().__init__(message)
        self.trajectory = trajectory
