"""One line of the bench table, and how times are taken.

Machines are shared and noisy: only ratios measured in the same run mean anything, and a calibration loop
tells how fast this machine is right now.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any


@dataclass(frozen=True)
class Row:
    name: str
    ours: float  # in `unit`
    peer: str
    peer_value: float | None  # in `unit`; None where the peer is not installed or the aim is absolute
    aim: float | None  # least ratio, or largest absolute value where there is no peer
    unit: str
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.peer_value is None else self.peer_value / self.ours

    @property
    def met(self) -> bool | None:
        if self.aim is None or (self.peer and self.peer_value is None):
            return None
        return self.ours <= self.aim if self.ratio is None else self.ratio >= self.aim

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


def best_time(action: Callable[[], Any], repeats: int = 5, clock: Callable[[], float] = perf_counter) -> float:
    """Shortest of several times [s]: the one least disturbed by neighbours. Wall time unless told otherwise."""
    shortest = float("inf")
    for _ in range(repeats):
        started = clock()
        action()
        shortest = min(shortest, clock() - started)
    return shortest
