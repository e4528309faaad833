"""Contact data of one wheel over the lateral shift, cut into smooth sections where its contact point jumps.

Within a section the nodes are equally spaced. Neighbouring sections meet in an *overlap*, centred on the
jump: both contact points exist there, their geometry continued beyond the last node of each section, and the
load is handed over linearly. The states of a wheel are numbered along the shift: 2k is section k alone,
2k + 1 the overlap of the sections k and k + 1.

    state   0: section 0 | 1: 0 and 1 | 2: section 1 | 3: 1 and 2 | ...

An overlap never reaches beyond the middle of a section; a section shorter than its overlaps is left with a
single-contact state of no width, and a state must be found by searching the bounds, never by counting.

Source: Hoffmann (2006), sections 2.2.3 and 2.2.4.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError

OVERLAP = 2e-4  # width of an overlap unless told otherwise [m]


@dataclass(frozen=True, eq=False)
class Section:
    start: float  # lateral shift of the first node [m]
    step: float  # spacing of the nodes [m]
    values: NDArray  # [node][column]

    @property
    def shift(self) -> NDArray:
        """Lateral shift of the nodes [m]."""
        return self.start + self.step * np.arange(len(self.values))


@dataclass(frozen=True, eq=False)
class Sections:
    """All sections of one wheel, in order of growing shift."""

    parts: tuple[Section, ...]
    jumps: NDArray  # lateral shift of each jump [m], one less than there are parts
    overlaps: NDArray  # width of the overlap at each jump [m]
    low: float  # range of the table [m]
    high: float

    def __post_init__(self):
        if len(self.jumps) != len(self.parts) - 1 or len(self.overlaps) != len(self.jumps):
            raise InputError("sections", len(self.parts), f"must be {len(self.jumps) + 1}, one more than jumps")
        if np.any(np.diff(self.edges) <= 0.0):
            raise InputError("jumps", list(self.jumps), f"must grow between {self.low:.6g} and {self.high:.6g} m")
        if np.any(self.overlaps < 0.0):
            raise InputError("overlaps", list(self.overlaps), "must not be negative")

    @property
    def edges(self) -> NDArray:
        """Ends of the sections: range of the table and jumps [m]."""
        return np.array([self.low, *self.jumps, self.high])

    @property
    def reach(self) -> NDArray:
        """Half width of each overlap after shortening to half of the neighbouring sections [m]."""
        half = 0.5 * np.diff(self.edges)
        return np.minimum(0.5 * self.overlaps, np.minimum(half[:-1], half[1:]))

    @property
    def bounds(self) -> NDArray:
        """Bounds of the states, 2 n numbers for the 2 n - 1 states of n sections [m]."""
        inner = np.column_stack([self.jumps - self.reach, self.jumps + self.reach]).ravel()
        return np.array([self.low, *inner, self.high])


def overlap_widths(jumps: Sized, overlap: float | Sequence[float]) -> NDArray:
    """One width per jump, from one number for all or one each [m]."""
    widths = np.asarray(overlap, dtype=float)
    if widths.ndim == 0:
        return np.full(len(jumps), float(widths))
    if len(widths) != len(jumps):
        raise InputError("overlap", list(widths), f"must be one width or one for each of the {len(jumps)} jumps")
    return widths


def cut(shift: NDArray, values: NDArray, jumps: Sequence[float], overlap: float | Sequence[float]) -> Sections:
    """Sections of a table on one equally spaced grid; jumps lie between its nodes."""
    steps = np.diff(shift)
    if len(shift) < 2 or steps.min() <= 0.0 or np.ptp(steps) > 1e-6 * steps.mean():
        raise InputError("lateral shift", f"{len(shift)} rows", "must be at least two, growing by equal steps")
    step = float((shift[-1] - shift[0]) / (len(shift) - 1))
    where = np.searchsorted(shift, jumps)
    ends = [0, *where, len(shift)]
    if np.any(np.diff(ends) < 1):
        raise InputError("jumps", list(jumps), "must leave at least one row of the table between two of them")
    parts = tuple(Section(float(shift[i]), step, np.ascontiguousarray(values[i:j])) for i, j in pairwise(ends))
    widths = overlap_widths(jumps, overlap)
    return Sections(parts, np.array(jumps, dtype=float), widths, float(shift[0]), float(shift[-1]))


def find_jumps(shift: NDArray, position: NDArray, smallest: float = 1e-3) -> list[float]:
    """Jumps of a tabulated contact position, taken to lie in the middle of their interval.

    A step is a jump where it exceeds `smallest` [m] and three times the larger of its neighbours: a contact
    point that runs fast, but smoothly, through a nearly fitting part of the profiles has large neighbours.
    For a table of unknown origin; where the profiles are known, jumps are located, not guessed.
    """
    move = np.abs(np.diff(position))
    found = []
    for i in np.flatnonzero(move > smallest):
        near = [move[j] for j in (i - 1, i + 1) if 0 <= j < len(move)]
        if move[i] > 3.0 * max(near, default=0.0):
            found.append(0.5 * float(shift[i] + shift[i + 1]))
    return found
