"""Memory that no event of an orbit changes: a slider that sticks all the time keeps its anchor.

Any value of it belongs to an orbit, a family of them; it is nothing to solve for, and a multiplier of exactly 1
that follows from structure. An orbit carries the coordinates alone that its own events change; the others are
bookkeeping of its segments. A large system has dozens of them.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.segment import Segment, act, split

RTOL = 1e-6  # of the flow to where an event acts


class Sequence(NamedTuple):
    """Segments with the coordinates at their start, how long they last, and when the first begins."""

    segments: tuple[Segment, ...]
    starts: list[np.ndarray]
    durations: Iterable[float]
    t0: float


def without_held(
    family: Family, value: float, of: Sequence, scale: np.ndarray, half: bool
) -> tuple[Family, Sequence, np.ndarray]:
    """Family, sequence and scale over states and the memory coordinates that some event changes."""
    flow = family.flow(value, scale, RTOL)
    n, t, moves = flow.n, of.t0, np.zeros(flow.size - flow.n, bool)
    for segment, z, duration in zip(of.segments, of.starts, of.durations, strict=True):
        if segment.guard >= 0:
            x, memory = split(flow, segment, z)
            mesh = flow.mesh(t, duration, x, memory, segment.mode)
            end = np.concatenate([flow.end(t, duration, x, memory, segment.mode, mesh), z[n:]])
            moves |= act(flow, segment, t + duration, end)[n:] != z[n:]
        t += duration
    keep = np.asarray(of.starts[0], float)[n:]
    if half:  # what moves on one side in this half moves on the other one in the next; what is held is symmetric
        mirror = family.mirror(flow.size)[n:, n:]
        moves |= np.any(mirror[:, moves] != 0.0, axis=1)
        keep = 0.5 * (keep + mirror @ keep)
    if moves.all():
        return family, of, scale
    still, kept = flow.coordinates[~moves], np.concatenate([np.ones(n, bool), moves])
    segments = []
    for segment in of.segments:
        memory = segment.memory.copy()
        memory[still] = keep[~moves]
        segments.append(replace(segment, memory=memory))
    held = set(family.freed.at(value).memory_coordinates.tolist()) - set(flow.coordinates[moves].tolist())
    starts = [np.asarray(z, float)[kept] for z in of.starts]
    return family.holding(held), of._replace(segments=tuple(segments), starts=starts), scale[kept]
