"""How large a motion is: a rank by the width of its leading coordinates, and by edges reached on both sides."""

from dataclasses import dataclass
from enum import IntEnum
from math import isfinite

import numpy as np

from klingel._errors import InputError


class Rank(IntEnum):
    OFF = -1  # the system could not go on
    STILL = 0  # less than what counts
    SMALL = 1
    MEDIUM = 2
    EDGE = 3  # one leading coordinate reaches its edge on both sides
    EDGES = 4  # more than one


@dataclass(frozen=True)
class Sizes:
    """Bounds between the ranks."""

    counts: float  # half of peak to peak from which on a motion counts
    medium: float  # from which on it is no longer small
    edges: tuple[float, ...]  # of each leading coordinate, to either side of zero; inf where there is none

    def __post_init__(self) -> None:
        if not 0.0 < self.counts < self.medium:
            raise InputError("threshold", self.counts, f"must be positive and below {self.medium:.3g}")

    @property
    def has_edges(self) -> bool:
        return any(isfinite(edge) for edge in self.edges)

    def rank(self, x: np.ndarray) -> Rank:
        """Of rows of the leading coordinates, [row][coordinate]."""
        reached = int(np.sum((x.max(axis=0) >= self.edges) & (x.min(axis=0) <= -np.array(self.edges))))
        wide = width(x)
        if wide < self.counts:
            return Rank.STILL
        if reached:
            return Rank.EDGES if reached > 1 else Rank.EDGE
        return Rank.MEDIUM if wide >= self.medium else Rank.SMALL


def width(x: np.ndarray) -> float:
    """Half of peak to peak of the widest column."""
    return 0.5 * float(np.ptp(x, axis=0).max())
