"""Collecting tables into the two flat arrays of a System."""

from dataclasses import dataclass

import numpy as np

from klingel.contact.table.wheel_table import WheelTable
from klingel.model.system import Head, System
from klingel.numerics.cache_lines import LINE, aligned

ALIGNED = LINE


class Tables:
    """Blocks are appended; their first entry is noted in the head. Integer blocks come behind the head.

    Float blocks begin at lines of the cache, so that a row of four lies in one.
    """

    def __init__(self) -> None:
        self.head = np.zeros(Head.SIZE, np.uint32)
        self.floats: dict[int, np.ndarray] = {}
        self.ints: dict[int, np.ndarray] = {}
        self._float_size = 0
        self._int_size = int(Head.SIZE)

    def put(self, head: int, block: np.ndarray) -> int:
        """Append a float block; returns its first entry."""
        self.head[head] = self._float_size
        values = np.asarray(block, float).ravel()
        self.floats[head] = np.concatenate([values, np.zeros(-values.size % ALIGNED)])
        self._float_size += self.floats[head].size
        return int(self.head[head])

    def put_int(self, head: int, block: np.ndarray) -> int:
        self.head[head] = self._int_size
        self.ints[head] = np.asarray(block, np.uint32).ravel()
        self._int_size += self.ints[head].size
        return int(self.head[head])

    def system(self) -> System:
        """The blocks in one array each, in the order they were put."""
        return System(
            aligned(np.concatenate(list(self.floats.values()))),
            np.concatenate([self.head, *self.ints.values()]).astype(np.uint32),
        )


@dataclass(frozen=True)
class ContactBlocks:
    section: np.ndarray  # [section][SectionField]
    section_at: np.ndarray  # [section] first interval, number of intervals
    spline: np.ndarray
    bound: np.ndarray
    first_section: list[int]  # per wheel
    first_bound: list[int]
    states: list[int]


def contact_blocks(sides: list[WheelTable]) -> ContactBlocks:
    """Tables of all wheels one behind the other."""
    first_section, first_bound, states = [], [], []
    sections, intervals, bounds, splines = 0, 0, 0, []
    rows, at, bound = [], [], []
    known: dict[int, int] = {}  # wheels that roll on the same table share it
    for wheel, side in enumerate(sides):
        if id(side) in known:
            for column in (first_section, first_bound, states):
                column.append(column[known[id(side)]])
            continue
        known[id(side)] = wheel
        first_section.append(sections)
        first_bound.append(bounds)
        states.append(side.bounds.size - 1)
        rows.append(
            np.column_stack([side.start, side.per_step, side.low, side.high, side.hold_low, side.hold_high])
        )
        at.append(np.column_stack([side.first + intervals, side.count]))
        bound.append(side.bounds)
        splines.append(side.coefficients)
        sections += side.start.size
        intervals += side.coefficients.shape[0]
        bounds += side.bounds.size
    return ContactBlocks(
        np.concatenate(rows), np.concatenate(at), np.concatenate(splines), np.concatenate(bound),
        first_section, first_bound, states,
    )  # fmt: skip
