"""Segments of an orbit: modes held inside, the guards that end it, and what their action does.

An orbit is a list of segments. A segment is ended by an event: one guard reaches zero, its action (with those of
guards that fire together with it, round after round until all modes agree) changes modes, memory and state. The
sequence is kept while an orbit is corrected; whether it is the true one is checked afterwards, see `validity`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from klingel.analysis.orbits.flow import Flow
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory


@dataclass(frozen=True)
class Segment:
    mode: np.ndarray  # held inside
    memory: np.ndarray  # bookkeeping inside; its coordinates are those of the orbit
    rounds: tuple[tuple[int, ...], ...] = ()  # guards that act at the end, round by round; none: no event there

    @property
    def guard(self) -> int:
        """The one whose zero ends the segment; -1 for none."""
        return self.rounds[0][0] if self.rounds else -1


def split(flow: Flow, segment: Segment, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """State and memory of a segment from the coordinates z of the orbit."""
    memory = segment.memory.copy()
    memory[flow.coordinates] = z[flow.n :]
    return np.ascontiguousarray(z[: flow.n]), memory


def events(flow: Flow, segment: Segment, t: float, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each row of coordinates: the guard that ends the segment, and coordinates after the actions there."""
    values, after = flow.events(t, rows, segment.memory, segment.mode, segment.rounds)
    return values[:, segment.guard], after


def act(flow: Flow, segment: Segment, t: float, z: np.ndarray) -> np.ndarray:
    """Coordinates after the actions at the end of the segment."""
    return events(flow, segment, t, z[None, :])[1][0]


@dataclass(frozen=True)
class Stretch:
    """A segment as a run has shown it."""

    segment: Segment
    start: float
    end: float
    first: np.ndarray  # coordinates at its start
    after: np.ndarray  # and after the event at its end


def stretches(run: Trajectory) -> Iterator[Stretch]:
    """Segments of a run with every step kept; the last one, ended by no event, is left out."""
    problem, fired = run.problem, run.events.fired
    at = problem.memory_coordinates
    start = 0
    for time in np.unique(fired.time):
        rows = np.flatnonzero(run.t == time)
        before, after = int(rows[0]), int(rows[-1])
        if after == 0 or time == run.t[start]:  # of a start whose modes did not agree
            start = after
            continue
        guards = fired.guard[fired.time == time].tolist()
        memory, mode = run.memory[start], run.mode[start]
        rounds = _rounds(run, before, after, guards)
        yield Stretch(
            Segment(mode.copy(), memory.copy(), rounds),
            float(run.t[start]),
            float(time),
            np.concatenate([run.x[start], memory[at]]),
            np.concatenate([run.x[after], run.memory[after][at]]),
        )
        start = after


def _rounds(run: Trajectory, before: int, after: int, guards: list[int]) -> tuple[tuple[int, ...], ...]:
    """The guards of one instant, in the order of the log, cut into rounds that lead to the modes seen after it."""
    if len(guards) == 1:
        return ((guards[0],),)
    found = None
    for cuts in range(2 ** (len(guards) - 1)):
        parts = [0, *(k + 1 for k in range(len(guards) - 1) if cuts >> k & 1), len(guards)]
        rounds = tuple(tuple(guards[a:b]) for a, b in pairwise(parts))
        if all(list(r) == sorted(set(r)) for r in rounds):
            if _leads_to(run.problem, run, before, after, rounds):
                return rounds
            found = found or rounds
    assert found is not None
    return found


def _leads_to(problem: HybridProblem, run: Trajectory, before: int, after: int, rounds) -> bool:
    flow = Flow(problem, np.ones(run.x.shape[1] + problem.memory_coordinates.size), 1e-6)
    x, memory, mode = run.x[before].copy(), run.memory[before].copy(), run.mode[before].copy()
    t = float(run.t[before])
    flow.enter(t, x, memory, mode)
    for together in rounds:
        flow.margins(t, x, memory, mode)
        fired = np.zeros(len(problem.guard_names), np.bool_)
        fired[list(together)] = True
        flow.act(t, x, memory, mode, problem.parameters, fired)
    return np.array_equal(mode, run.mode[after])
