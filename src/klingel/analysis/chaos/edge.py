"""The motion on the edge between two attractors, by bisection.

Of two states one goes to the smaller, the other to the larger attractor. The line between them is halved until
its ends, on both sides still, lie within `near`. Both are followed until they are `apart`; then the line between
*them* is halved, and so on. Meanwhile the pair is drawn along the edge to what attracts there: a motion with one
unstable direction, which no run ever settles to. No derivative is asked for, nor that the motion repeats.

A side is told by size alone: a motion belongs to the smaller attractor once its size over a window falls below a
bound, to the larger one once it rises above another. Source of the idea: Skufca, Yorke and Eckhardt, Edge of chaos
in a parallel shear flow (2006), Phys. Rev. Lett. 96, 174101.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from klingel._errors import InputError
from klingel.analysis.chaos.following import Follow, State, end_of
from klingel.numerics.trajectory import Trajectory

MOST_HALVINGS = 60
ROWS = 200  # in a window
MOST_STAGES = 200

Size = Callable[[np.ndarray], float]  # of rows of the states


class NoEdge(RuntimeError):
    """There is no edge to follow where one was looked for."""


class Side(IntEnum):
    SMALL = -1
    UNDECIDED = 0
    LARGE = 1


@dataclass(frozen=True)
class Sides:
    """How the two attractors are told apart."""

    size: Size
    small: float  # a window with less belongs to the smaller attractor
    large: float  # one with more to the larger
    window: float  # at least a period [s]
    longest: float  # time after which a motion must have gone to one of them [s]

    def __post_init__(self) -> None:
        if not 0.0 <= self.small < self.large:
            raise InputError("small", self.small, f"must be below large = {self.large:.4g}, and not negative")
        if not 0.0 < self.window < self.longest:
            raise InputError("window", self.window, f"must be positive and below longest = {self.longest:g} s")

    def of(self, run: Trajectory) -> Side:
        size = self.size(run.x)
        return Side.SMALL if size < self.small else Side.LARGE if size > self.large else Side.UNDECIDED


@dataclass(frozen=True)
class Edge:
    shares: tuple[float, float]  # of the first line, on either side of the edge
    small: State  # the last pair: goes to the smaller attractor,
    large: State  # and to the larger
    t: np.ndarray  # rows of the last half of the time along the edge, smaller side; steps of `apart` between pairs
    x: np.ndarray
    amplitude: np.ndarray  # half of peak to peak of every state in the last window, mean of both sides
    error: np.ndarray  # how much both sides, and the window before, differ from it
    rate: float  # at which the two part [1/s]
    followed: float  # along the edge [s]
    runs: int


def half_width(columns: list[int]) -> Size:
    """Half of peak to peak of the widest of some states."""
    return lambda x: 0.5 * float(np.ptp(x[:, columns], axis=0).max())


def follow_edge(
    follow: Follow,
    small: State,
    large: State,
    sides: Sides,
    duration: float,
    *,
    near: float = 1e-7,
    apart: float = 1e-4,
    carried: np.ndarray | None = None,
) -> Edge:
    """Motion on the edge that the line between two states crosses, followed for `duration` [s].

    `near` and `apart` are parts of the length of that line, every state measured by its own difference. `carried`
    are the entries of the memory that move with the motion (`HybridProblem.memory_coordinates`); all if not given.
    """
    every = np.arange(small.memory.size) if carried is None else carried
    return _Search(follow, sides, small, large, near, apart, every).run(small, large, duration)


class _Search:
    def __init__(
        self,
        follow: Follow,
        sides: Sides,
        small: State,
        large: State,
        near: float,
        apart: float,
        carried: np.ndarray,
    ):
        if not 0.0 < near < apart < 1.0:
            raise InputError("near", near, f"must be positive and below apart = {apart:g}, which is below 1")
        self.follow, self.sides, self.near, self.apart, self.carried = follow, sides, near, apart, carried
        wide = np.abs(large.x - small.x)
        self.scale = np.maximum(wide, 1e-3 * wide.max())  # a state that hardly differs still counts a little
        if not wide.max() > 0.0:
            raise InputError("large", "the same state as small", "must differ from small")
        self.runs, self.rate = 0, 0.0

    def run(self, small: State, large: State, duration: float) -> Edge:
        for state, wanted in ((small, Side.SMALL), (large, Side.LARGE)):
            if self.side(state) != wanted:
                words = "smaller" if wanted == Side.SMALL else "larger"
                raise NoEdge(f"the start on the {words} side does not go to the {words} attractor")
        shares, followed = None, 0.0
        rows: list[Trajectory] = []
        for _ in range(MOST_STAGES):
            small, large, found = self.halved(small, large)
            shares = shares or found
            small, large, windows = self.parted(small, large)
            followed += len(windows) * self.sides.window
            rows += [pair[0] for pair in windows]
            if followed >= duration and len(windows) >= 2:
                return self.edge(shares, small, large, windows, rows[-(len(rows) + 1) // 2 :], followed)
        raise NoEdge(f"after {MOST_STAGES} pairs only {followed:.3g} s of the motion on the edge are known")

    def side(self, state: State) -> Side:
        """Where a motion goes."""
        window, begun = self.sides.window, state.t
        while state.t - begun < self.sides.longest:
            run = self.window(state)
            found = self.sides.of(run)
            if found != Side.UNDECIDED:
                return found
            state = end_of(run)
            if state.t - begun + 0.5 * window > self.sides.longest:
                break
        return Side.UNDECIDED

    def window(self, state: State) -> Trajectory:
        self.runs += 1
        return self.follow(state, self.sides.window, self.sides.window / ROWS)

    def halved(self, small: State, large: State) -> tuple[State, State, tuple[float, float]]:
        """The line made as short as `near`, and which part of it is left."""
        low, high = 0.0, 1.0
        for _ in range(MOST_HALVINGS):
            a, b = (between(small, large, share, self.carried) for share in (low, high))
            if self.distance(a, b) <= self.near:
                return a, b, (low, high)
            middle = 0.5 * (low + high)
            found = self.side(between(small, large, middle, self.carried))
            if found == Side.UNDECIDED:
                told = f"within {self.sides.longest:g} s a motion between both goes to neither"
                raise NoEdge(f"{told}: a third attractor, or too short a time")
            low, high = (middle, high) if found == Side.SMALL else (low, middle)
        raise NoEdge("the line between both cannot be halved further")

    def parted(self, small: State, large: State) -> tuple[State, State, list[tuple[Trajectory, Trajectory]]]:
        """Both followed, window by window, while they are near each other."""
        windows, grown, begun = list[tuple[Trajectory, Trajectory]](), list[float](), small.t
        while True:
            pair = self.window(small), self.window(large)
            ends = end_of(pair[0]), end_of(pair[1])
            away = self.distance(*ends)
            if away > self.apart and windows:
                return small, large, windows
            windows.append(pair)
            small, large = ends
            grown.append(float(np.log(max(away, 1e-300))))
            if len(grown) >= 3:  # the first window turns their difference into the direction that grows
                times = self.sides.window * np.arange(len(grown) - 1)
                self.rate = float(np.polyfit(times, grown[1:], 1)[0])
            if away > self.apart:
                return small, large, windows
            if small.t - begun > self.sides.longest:
                raise NoEdge("both sides stay near each other: the motion between them attracts")

    def distance(self, a: State, b: State) -> float:
        return float(np.abs((b.x - a.x) / self.scale).max())

    def edge(self, shares, small, large, windows, rows: list[Trajectory], followed: float) -> Edge:
        sizes = np.array([[0.5 * peak_to_peak(run.x) for run in pair] for pair in windows[-2:]])
        middle = sizes[-1].mean(axis=0)
        error = np.maximum(np.abs(np.diff(sizes[-1], axis=0))[0], np.abs(sizes[-1] - sizes[-2]).max(axis=0))
        t, x = (np.concatenate([getattr(run, name)[:-1] for run in rows]) for name in ("t", "x"))
        return Edge(shares, small, large, t, x, middle, error, self.rate, followed, self.runs)


def between(small: State, large: State, share: float, carried: np.ndarray) -> State:
    """A state on the line; modes and bookkeeping of the nearer end: guards that are violated act at once."""
    x, nearer = small.x + share * (large.x - small.x), small if share < 0.5 else large
    memory = nearer.memory.copy()
    memory[carried] = (small.memory + share * (large.memory - small.memory))[carried]
    return State(x, memory, nearer.mode.copy(), small.t)


def peak_to_peak(rows: np.ndarray) -> np.ndarray:
    """Of every column, extremes between the rows by parabolas through three of them."""
    return _highest(rows) + _highest(-rows)


def _highest(rows: np.ndarray) -> np.ndarray:
    at, columns = rows.argmax(axis=0), np.arange(rows.shape[1])
    k = np.clip(at, 1, rows.shape[0] - 2)
    before, middle, after = rows[k - 1, columns], rows[k, columns], rows[k + 1, columns]
    bend = before - 2.0 * middle + after
    inside = (at == k) & (bend < 0.0)
    rise = np.where(inside, (after - before) ** 2 / np.where(inside, -8.0 * bend, 1.0), 0.0)
    return rows[at, columns] + rise
