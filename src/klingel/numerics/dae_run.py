"""What a DAE run returns, and what goes wrong in words."""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np


class Status(IntEnum):
    """How a call of a compiled loop ended; RUNNING and MORE_ROOM go on."""

    RUNNING = 0
    MORE_ROOM = 1
    DONE = 2
    STOPPED = 3
    STEP_UNDERFLOW = 4
    SINGULAR = 5
    REFUSED = 6
    MAX_STEPS = 7
    NO_PROJECTION = 8


class DaeError(RuntimeError):
    """A run that could not be finished; the message names the equation or component."""


@dataclass(frozen=True)
class DaeStats:
    """Work of a run; `rhs` counts every full right-hand side, for Jacobians and inner iterations as well."""

    accepted: int
    rejected: int
    rhs: int
    rhs_jacobian: int  # of these, for difference Jacobians
    jacobians: int
    factorisations: int
    newton: int  # iterations
    events: int
    constraints: int = 0  # evaluations of the constraint rows alone
    invariants: int = 0  # evaluations of the invariants

    @property
    def steps(self) -> int:
        return self.accepted + self.rejected


@dataclass(frozen=True)
class DaeEvent:
    time: float
    guard: str


@dataclass(frozen=True)
class DaeRun:
    """Solution at the output times, statistics, events, largest violation of each invariant, how it ended."""

    t: np.ndarray
    x: np.ndarray  # [time, component]
    state_names: tuple[str, ...]
    stats: DaeStats
    ended: str
    drift: dict[str, float] = field(default_factory=dict)
    events: tuple[DaeEvent, ...] = ()
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    mode: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))

    def __getitem__(self, name: str) -> np.ndarray:
        return self.x[:, self.state_names.index(name)]

    @property
    def end(self) -> np.ndarray:
        return self.x[-1]
