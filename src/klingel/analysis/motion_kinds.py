"""What kind of motion a stretch of time shows, with the numbers that led to it.

Which coordinates decide, which of them lead and what counts as still is said from outside (`Coordinates`).

================  =================================================================================================
kind              when, in this order
================  =================================================================================================
rest              no deciding coordinate moves by more than `still` to either side, and what is left does not grow
off-centre rest   the same, and the middle of a leading coordinate is more than `centre` away from zero
unsettled         fewer than LEAST_CYCLES cycles; or the swings of successive cycles, or their middles, go one way
                  (rank correlation with time at least ONE_WAY) and change by more than DRIFT of the swing
periodic          all deciding coordinates return after every cycle
period-n          after n cycles, n = 2 ... 8, and after no fewer
irregular         anything else: several frequencies, or chaos
================  =================================================================================================

How well the coordinates return that do not decide is among the evidence (`return_of_all`).

A cycle begins where the leading coordinate, the one of those named that moves most, rises through the middle
between its extremes (small ripples there do not count). At these instants all positions are taken, a section
through the motion, and between them the period and the peak of the leading coordinate. Coordinates return after n
cycles when, of every n-th section, all positions, periods and peaks lie within RETURN to either side of a common
middle, through the whole stretch, which must hold more than n (and at least three) comparisons of sections n
cycles apart. Positions are measured in half their peak-to-peak width, but at least a tenth of the widest
coordinate of their unit, so that the rounding of a coordinate at rest does not decide.

A test of finite rows, not a proof: a modulation weaker than RETURN passes as periodic, a beat longer than the
stretch as unsettled, and chaos that would die out later as irregular.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from klingel.analysis.extrema import Found, maxima, minima, upward_crossings, values_at

REST, OFF_CENTRE, UNSETTLED, PERIODIC, IRREGULAR = "rest", "off-centre rest", "unsettled", "periodic", "irregular"
LONGEST_CYCLE = 8  # n of period-n
AT_REST = (REST, OFF_CENTRE)

GROWTH = 2.0  # of the width between the halves of a stretch at rest
LEAST_CYCLES = 4
ONE_WAY = 0.9  # rank correlation
DRIFT = 0.05  # of the swing
RETURN = 0.02  # of the half width, and of the period
LEAST_SCALE = 0.1  # of the widest coordinate of the same unit
RIPPLE = 0.1  # of the half width, on both sides of the middle


def period_n(n: int) -> str:
    return PERIODIC if n == 1 else f"period-{n}"


@dataclass(frozen=True)
class Coordinates:
    """What the columns of a stretch are, and what is small for them."""

    names: tuple[str, ...]
    units: tuple[str, ...]  # of each; coordinates of one unit are measured against the widest of them
    decide: tuple[str, ...]  # those that tell the kind; of all of them if none is named
    lead: tuple[str, ...]  # the widest of these counts the cycles; any that decides if none of them moves
    still: float  # half of peak to peak below which a coordinate does not move
    noise: float  # half of peak to peak below which growth says nothing
    centre: float  # distance of a leading coordinate from zero beyond which a rest is off centre

    @cached_property
    def deciding(self) -> np.ndarray:
        named = np.isin(self.names, self.decide)
        return named if named.any() else ~named


@dataclass(frozen=True)
class Stretch:
    """Rows of all positions and their rates."""

    t: np.ndarray  # [s]
    x: np.ndarray  # [row][coordinate]
    v: np.ndarray  # [row][coordinate]
    of: Coordinates

    @property
    def names(self) -> tuple[str, ...]:
        return self.of.names

    @cached_property
    def maxima(self) -> Found:
        return maxima(self.t, self.x, self.v)

    @cached_property
    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest value of each coordinate, rows and extrema between them."""
        low, high = self.x.min(axis=0), self.x.max(axis=0)
        lowest = minima(self.t, self.x, self.v)
        np.minimum.at(low, lowest.column, lowest.value)
        np.maximum.at(high, self.maxima.column, self.maxima.value)
        return low, high

    @cached_property
    def cycles(self) -> Found:
        """Instants at which cycles of the coordinates begin; none of one that is still."""
        low, high = self.extremes
        half = 0.5 * (high - low)
        band = np.where(half < self.of.still, np.inf, RIPPLE * half)
        return upward_crossings(self.t, self.x, self.v, 0.5 * (low + high), band)

    def maxima_of(self, name: str) -> np.ndarray:
        """Values of all local maxima of a coordinate, in their order."""
        return self.maxima.of(self.names.index(name))[1]

    def leading_cycles(self) -> int | None:
        """Whole cycles of the widest of the coordinates that lead; None when none of them moves."""
        low, high = self.extremes
        at = [self.names.index(name) for name in self.of.lead]
        widest = max(at, key=lambda k: high[k] - low[k], default=None)
        if widest is None or 0.5 * (high[widest] - low[widest]) < self.of.still:
            return None
        return max(self.cycles.of(widest)[0].size - 1, 0)


@dataclass(frozen=True)
class Motion:
    """Verdict on a stretch; all by name of the coordinate where there is one number for each."""

    kind: str
    evidence: dict[str, Any]
    minimum: dict[str, float] = field(default_factory=dict)
    maximum: dict[str, float] = field(default_factory=dict)
    frequency: dict[str, float | None] = field(default_factory=dict)  # of cycles [Hz]; None below three

    @property
    def amplitude(self) -> dict[str, float]:
        """Half of peak to peak."""
        return {name: 0.5 * (self.maximum[name] - low) for name, low in self.minimum.items()}

    @property
    def middle(self) -> dict[str, float]:
        return {name: 0.5 * (self.maximum[name] + low) for name, low in self.minimum.items()}


def judge(stretch: Stretch) -> Motion:
    """Kind of motion, extremes and frequencies of a stretch."""
    if stretch.t.size < 2:
        return Motion(UNSETTLED, {"rows": int(stretch.t.size)})
    lowest, highest = stretch.extremes
    low, high = (dict(zip(stretch.names, ends.tolist(), strict=True)) for ends in (lowest, highest))
    times = {name: stretch.cycles.of(k)[0] for k, name in enumerate(stretch.names)}
    frequency = {name: _frequency(found) for name, found in times.items()}
    width = 0.5 * (highest - lowest)
    evidence: dict[str, Any] = {"widest": float(width[stretch.of.deciding].max()), "still": stretch.of.still}
    kind = _rest(stretch, low, high, evidence)
    if kind is None:
        leader = _leader(stretch, width)
        evidence["leader"] = leader
        kind = _moving(stretch, leader, times[leader], width, evidence)
    return Motion(kind, evidence, low, high, frequency)


def _rest(stretch: Stretch, low, high, evidence: dict[str, Any]) -> str | None:
    if evidence["widest"] >= stretch.of.still:
        return None
    half = stretch.t.size // 2
    x = stretch.x[:, stretch.of.deciding]
    first, second = (float(0.5 * np.ptp(part, axis=0).max()) for part in (x[:half], x[half:]))
    evidence["halves"] = [first, second]
    if second > stretch.of.noise and second > GROWTH * first:
        return UNSETTLED
    off = max((abs(0.5 * (low[n] + high[n])) for n in stretch.of.lead), default=0.0)
    evidence["off_centre"] = off
    return OFF_CENTRE if off > stretch.of.centre else REST


def _leader(stretch: Stretch, width: np.ndarray) -> str:
    """The widest of the coordinates that lead, or of those that decide where none of them moves."""
    by_name = dict(zip(stretch.names, width, strict=True))
    first = max(stretch.of.lead, key=lambda n: by_name[n], default=None)
    if first is not None and by_name[first] >= stretch.of.still:
        return first
    return stretch.names[int(np.where(stretch.of.deciding, width, -1.0).argmax())]


def _frequency(times: np.ndarray) -> float | None:
    return float((times.size - 1) / (times[-1] - times[0])) if times.size > 2 else None


def _moving(stretch: Stretch, leader: str, times: np.ndarray, width: np.ndarray, evidence: dict[str, Any]) -> str:
    count = max(times.size - 1, 0)
    evidence["cycles"] = count
    if count < LEAST_CYCLES:
        return UNSETTLED
    change, rank = _drift(stretch.t, stretch.x[:, stretch.names.index(leader)], times)
    evidence |= {"drift": change, "one_way": rank}
    if abs(rank) >= ONE_WAY and change > DRIFT:
        return UNSETTLED
    distances, of_all = _returns(stretch, leader, times, width)
    best = next((n for n, distance in enumerate(distances) if distance < RETURN), None)
    shown = int(np.argmin(distances)) if best is None else best
    evidence |= {"return": distances, "limit": RETURN, "return_of_all": of_all[shown]}
    return IRREGULAR if best is None else period_n(best + 1)


def _drift(t: np.ndarray, y: np.ndarray, times: np.ndarray) -> tuple[float, float]:
    """Change of the swing from cycle to cycle, or of its middle, whichever goes more one way; rank correlation."""
    edges = np.searchsorted(t, times)
    parts = [slice(a, max(b, a + 1)) for a, b in pairwise(edges)]
    top, bottom = (np.array([f(y[part]) for part in parts]) for f in (np.max, np.min))
    swing = top - bottom
    found = []
    for series in (swing, 0.5 * (top + bottom)):
        found.append((float(np.ptp(series) / swing.max()), _rank_correlation(series)))
    return max(found, key=lambda pair: (abs(pair[1]) >= ONE_WAY) * pair[0] + 1e-9 * pair[0])


def _rank_correlation(series: np.ndarray) -> float:
    """Spearman's, with time."""
    rank = np.argsort(np.argsort(series, kind="stable"), kind="stable").astype(float)
    return float(np.corrcoef(rank, np.arange(series.size))[0, 1])


def _returns(
    stretch: Stretch, leader: str, times: np.ndarray, width: np.ndarray
) -> tuple[list[float], list[float]]:
    """Largest distance of sections n cycles apart from their middle, n = 1, 2, ... as far as the stretch allows.

    Of the coordinates that decide, the period and the peak of the leader, and of all coordinates.
    """
    scale = width.copy()
    for unit in set(stretch.of.units):
        same = np.array([unit == other for other in stretch.of.units])
        scale[same] = np.maximum(width[same], LEAST_SCALE * width[same].max())
    scale[scale < stretch.of.still] = np.inf
    section = values_at(stretch.t, stretch.x, stretch.v, times) / scale
    period = np.diff(times) / np.diff(times).mean()
    peak = _peaks(stretch, leader, times) / width[stretch.names.index(leader)]
    cycles = np.column_stack([period, peak])
    decides = stretch.of.deciding
    distances, of_all = [], []
    for n in range(1, LONGEST_CYCLE + 1):
        if section.shape[0] - n < max(3, n + 1):
            break
        moved = np.max([np.ptp(section[k::n], axis=0) for k in range(n)], axis=0)
        between = max(np.ptp(cycles[k::n], axis=0).max() for k in range(n))
        distances.append(0.5 * float(max(moved[decides].max(), between)))
        of_all.append(0.5 * float(moved.max()))
    return distances, of_all


def _peaks(stretch: Stretch, leader: str, times: np.ndarray) -> np.ndarray:
    """Highest maximum of each cycle."""
    k = stretch.names.index(leader)
    t, y = stretch.t, stretch.x[:, k]
    at, top = stretch.maxima.of(k)
    cycles = list(pairwise(times))
    rows, found = ([np.searchsorted(where, pair) for pair in cycles] for where in (t, at))
    return np.array(
        [top[c:d].max(initial=y[a : max(b, a + 1)].max()) for (a, b), (c, d) in zip(rows, found, strict=True)]
    )
