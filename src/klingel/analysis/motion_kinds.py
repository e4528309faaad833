"""What kind of lateral motion a stretch of time shows, with the numbers that led to it.

================  =================================================================================================
kind              when, in this order
================  =================================================================================================
rest              no lateral coordinate moves by more than STILL to either side, and what is left does not grow
off-centre rest   the same, and the middle of a wheelset is more than CENTRE away from that of the track
unsettled         fewer than LEAST_CYCLES cycles; or the swings of successive cycles, or their middles, go one way
                  (rank correlation with time at least ONE_WAY) and change by more than DRIFT of the swing
periodic          all lateral coordinates return after every cycle
period-n          after n cycles, n = 2 ... 8, and after no fewer
irregular         anything else: several frequencies, or chaos
================  =================================================================================================

Lateral coordinates are y, roll and yaw of all bodies. The others are not asked: a carbody may bounce for
minutes on leaf springs that hardly damp small motions, and wheelsets rattle in their longitudinal clearance,
while the lateral motion repeats to a thousandth. How well all coordinates return is among the evidence
(`return_of_all`).

A cycle begins where the leading coordinate, the lateral motion of the wheelset that moves most, rises through
the middle between its extremes (small ripples there do not count). At these instants all positions are taken, a
section through the motion, and between them the period and the peak of the leading coordinate. Coordinates
return after n cycles when, of every n-th section, all positions, periods and peaks lie within RETURN to either
side of a common middle, through the whole stretch, which must hold more than n (and at least three) comparisons
of sections n cycles apart. Positions are measured in half their peak-to-peak width, but at least a tenth of the
widest coordinate of their unit, so that the rounding of a coordinate at rest does not decide.

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

STILL = 1e-5  # half of peak to peak [m, rad]
GROWTH = 2.0  # of the width between the halves of a stretch at rest
NOISE = 1e-6  # half width below which growth says nothing [m, rad]
CENTRE = 1e-4  # [m]
LEAST_CYCLES = 4
ONE_WAY = 0.9  # rank correlation
DRIFT = 0.05  # of the swing
RETURN = 0.02  # of the half width, and of the period
LEAST_SCALE = 0.1  # of the widest coordinate of the same unit
RIPPLE = 0.1  # of the half width, on both sides of the middle
ANGLES = ("roll", "pitch", "yaw")
LATERAL = ("y", "roll", "yaw")  # coordinates that decide


def period_n(n: int) -> str:
    return PERIODIC if n == 1 else f"period-{n}"


@dataclass(frozen=True)
class Stretch:
    """Rows of all positions and their rates."""

    t: np.ndarray  # [s]
    names: tuple[str, ...]
    x: np.ndarray  # [row][name] [m, rad]
    v: np.ndarray  # [row][name]
    lateral: tuple[str, ...]  # lateral motions of the wheelsets, of `names`

    @property
    def deciding(self) -> np.ndarray:
        """Which coordinates decide: the lateral ones, or all of a motion that has none."""
        lateral = np.array([name.rpartition(".")[2] in LATERAL for name in self.names])
        return lateral if lateral.any() else ~lateral

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
        band = np.where(half < STILL, np.inf, RIPPLE * half)
        return upward_crossings(self.t, self.x, self.v, 0.5 * (low + high), band)

    def maxima_of(self, name: str) -> np.ndarray:
        """Values of all local maxima of a coordinate, in their order."""
        return self.maxima.of(self.names.index(name))[1]

    def lateral_cycles(self) -> int | None:
        """Whole cycles of the widest lateral motion of a wheelset; None when no wheelset moves."""
        low, high = self.extremes
        at = [self.names.index(name) for name in self.lateral]
        widest = max(at, key=lambda k: high[k] - low[k], default=None)
        if widest is None or 0.5 * (high[widest] - low[widest]) < STILL:
            return None
        return max(self.cycles.of(widest)[0].size - 1, 0)


@dataclass(frozen=True)
class Motion:
    """Verdict on a stretch; all by name of the coordinate where there is one number for each."""

    kind: str
    evidence: dict[str, Any]
    minimum: dict[str, float] = field(default_factory=dict)  # [m, rad]
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
    decides = stretch.deciding
    evidence: dict[str, Any] = {"widest": float(width[decides].max()), "still": STILL}
    kind = _rest(stretch, low, high, evidence)
    if kind is None:
        leader = _leader(stretch, width)
        evidence["leader"] = leader
        kind = _moving(stretch, leader, times[leader], width, evidence)
    return Motion(kind, evidence, low, high, frequency)


def _rest(stretch: Stretch, low, high, evidence: dict[str, Any]) -> str | None:
    if evidence["widest"] >= STILL:
        return None
    half = stretch.t.size // 2
    x = stretch.x[:, stretch.deciding]
    first, second = (float(0.5 * np.ptp(part, axis=0).max()) for part in (x[:half], x[half:]))
    evidence["halves"] = [first, second]
    if second > NOISE and second > GROWTH * first:
        return UNSETTLED
    off = max((abs(0.5 * (low[n] + high[n])) for n in stretch.lateral), default=0.0)
    evidence["off_centre"] = off
    return OFF_CENTRE if off > CENTRE else REST


def _leader(stretch: Stretch, width: np.ndarray) -> str:
    """The wheelset's motion that is widest, or the widest of those that decide where no wheelset moves."""
    by_name = dict(zip(stretch.names, width, strict=True))
    lateral = max(stretch.lateral, key=lambda n: by_name[n], default=None)
    if lateral is not None and by_name[lateral] >= STILL:
        return lateral
    return stretch.names[int(np.where(stretch.deciding, width, -1.0).argmax())]


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
    angle = np.array([name.rpartition(".")[2] in ANGLES for name in stretch.names])
    scale = width.copy()
    for unit in (angle, ~angle):
        scale[unit] = np.maximum(width[unit], LEAST_SCALE * width[unit].max(initial=0.0))
    scale[scale < STILL] = np.inf
    section = values_at(stretch.t, stretch.x, stretch.v, times) / scale
    period = np.diff(times) / np.diff(times).mean()
    peak = _peaks(stretch, leader, times) / width[stretch.names.index(leader)]
    cycles = np.column_stack([period, peak])
    decides = stretch.deciding
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
