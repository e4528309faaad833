"""What a DAE run returns, and what goes wrong in words."""

from dataclasses import dataclass, field

import numpy as np

from klingel.numerics.trajectory import EventLog


class DaeError(RuntimeError):
    """A run that could not be finished; the message names the equation or component."""


@dataclass(frozen=True)
class DaeStats:
    """Work of a run; `rhs` counts every full right-hand side: Jacobians, inner iterations, events included."""

    accepted: int
    rejected: int
    rhs: int
    rhs_jacobian: int  # of these, for difference Jacobians
    jacobians: int
    factorisations: int
    newton: int  # iterations
    events: int  # guards fired
    stops: int  # instants at which something fired
    guard_evaluations: int
    constraints: int  # evaluations of the constraint rows alone
    invariants: int  # evaluations of the invariants

    @property
    def steps(self) -> int:
        return self.accepted + self.rejected


@dataclass(frozen=True)
class DaeRun:
    """Solution at the output times, statistics, events, largest violation of each invariant, how it ended."""

    t: np.ndarray
    x: np.ndarray  # [time, component]
    state_names: tuple[str, ...]
    stats: DaeStats
    ended: str
    events: EventLog
    memory: np.ndarray  # [time, number]
    mode: np.ndarray  # [time, element]
    drift: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.x[:, self.state_names.index(name)]

    @property
    def end(self) -> np.ndarray:
        return self.x[-1]
