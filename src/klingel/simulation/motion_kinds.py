"""What kind of motion a stretch of time shows, with the numbers that led to it.

================  ===================================================================================================
kind              when, in this order
================  ===================================================================================================
rest              no coordinate moves by more than STILL to either side, and what is left does not grow
off-centre rest   the same, and the middle of a wheelset is more than CENTRE away from that of the track
unsettled         fewer than LEAST_CYCLES cycles; or the swings of successive cycles, or their middles, go one way
                  (rank correlation with time at least ONE_WAY) and change by more than DRIFT of the swing
periodic          all coordinates return after every cycle
period-n          after n cycles, n = 2 ... 8, and after no fewer
irregular         anything else: several frequencies, or chaos
================  ===================================================================================================

A cycle begins where the leading coordinate, the lateral motion of the wheelset that moves most, rises through the
middle between its extremes (small ripples there do not count). At these instants all positions are taken, and the
times between them: a section through the motion. Coordinates return after n cycles when position and period differ
by no more than RETURN from those n cycles before, through the whole stretch, which must hold at least n (and three)
such comparisons. Positions are measured in half their peak-to-peak width, but at least a tenth of the widest
coordinate of their unit, so that the rounding of a coordinate at rest does not decide.

A test of finite rows, not a proof: a modulation weaker than RETURN passes as periodic, a beat longer than the stretch
as unsettled, and chaos that would die out later as irregular.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from klingel.simulation.extrema import extremes, maxima, upward_crossings, values_at

REST, OFF_CENTRE, UNSETTLED, PERIODIC, IRREGULAR = "rest", "off-centre rest", "unsettled", "periodic", "irregular"
LONGEST_CYCLE = 8  # n of period-n
AT_REST = (REST, OFF_CENTRE)

STILL = 1e-6  # half of peak to peak [m, rad]
GROWTH = 2.0  # of the width between the halves of a stretch at rest
NOISE = 1e-8  # half width below which growth says nothing [m, rad]
CENTRE = 1e-5  # [m]
LEAST_CYCLES = 4
ONE_WAY = 0.9  # rank correlation
DRIFT = 0.05  # of the swing
RETURN = 0.01  # of the half width, and of the period
LEAST_SCALE = 0.1  # of the widest coordinate of the same unit
RIPPLE = 0.1  # of the half width, on both sides of the middle
ANGLES = ("roll", "pitch", "yaw")


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

    def column(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        k = self.names.index(name)
        return self.t, self.x[:, k], self.v[:, k]


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
    ends = {name: extremes(*stretch.column(name)) for name in stretch.names}
    low, high = {n: e[0] for n, e in ends.items()}, {n: e[1] for n, e in ends.items()}
    cycles = {name: _cycles(stretch, name, *ends[name]) for name in stretch.names}
    frequency = {name: _frequency(times) for name, times in cycles.items()}
    width = np.array([0.5 * (high[n] - low[n]) for n in stretch.names])
    evidence: dict[str, Any] = {"widest": float(width.max(initial=0.0)), "still": STILL}
    kind = _rest(stretch, width, low, high, evidence)
    if kind is None:
        leader = _leader(stretch, width)
        evidence["leader"] = leader
        kind = _moving(stretch, leader, cycles[leader], width, evidence)
    return Motion(kind, evidence, low, high, frequency)


def _rest(stretch: Stretch, width: np.ndarray, low, high, evidence: dict[str, Any]) -> str | None:
    if evidence["widest"] >= STILL:
        return None
    half = stretch.t.size // 2
    first, second = (float(0.5 * np.ptp(part, axis=0).max()) for part in (stretch.x[:half], stretch.x[half:]))
    evidence["halves"] = [first, second]
    if second > NOISE and second > GROWTH * first:
        return UNSETTLED
    off = max((abs(0.5 * (low[n] + high[n])) for n in stretch.lateral), default=0.0)
    evidence["off_centre"] = off
    return OFF_CENTRE if off > CENTRE else REST


def _leader(stretch: Stretch, width: np.ndarray) -> str:
    """The lateral motion that is widest, or the widest of all where no wheelset moves laterally."""
    by_name = dict(zip(stretch.names, width, strict=True))
    lateral = max(stretch.lateral, key=lambda n: by_name[n], default=None)
    return lateral if lateral is not None and by_name[lateral] >= STILL else stretch.names[int(width.argmax())]


def _cycles(stretch: Stretch, name: str, low: float, high: float) -> np.ndarray:
    """Instants at which cycles of a coordinate begin."""
    half = 0.5 * (high - low)
    if half < STILL:
        return np.zeros(0)
    return upward_crossings(*stretch.column(name), 0.5 * (low + high), RIPPLE * half)


def _frequency(times: np.ndarray) -> float | None:
    return float((times.size - 1) / (times[-1] - times[0])) if times.size > 2 else None


def _moving(stretch: Stretch, leader: str, times: np.ndarray, width: np.ndarray, evidence: dict[str, Any]) -> str:
    count = max(times.size - 1, 0)
    evidence["cycles"] = count
    if count < LEAST_CYCLES:
        return UNSETTLED
    change, rank = _drift(*stretch.column(leader), times)
    evidence |= {"drift": change, "one_way": rank}
    if abs(rank) >= ONE_WAY and change > DRIFT:
        return UNSETTLED
    distances = _returns(stretch, times, width)
    evidence |= {"return": distances, "limit": RETURN}
    for n, distance in enumerate(distances, 1):
        if distance < RETURN:
            return period_n(n)
    return IRREGULAR


def _drift(t: np.ndarray, y: np.ndarray, v: np.ndarray, times: np.ndarray) -> tuple[float, float]:
    """Change of the swing from cycle to cycle, or of its middle, whichever goes more one way; rank correlation."""
    edges = np.searchsorted(t, times)
    parts = [slice(a, max(b, a + 1)) for a, b in zip(edges[:-1], edges[1:], strict=True)]
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


def _returns(stretch: Stretch, times: np.ndarray, width: np.ndarray) -> list[float]:
    """Largest distance between sections n cycles apart, n = 1, 2, ... as far as the stretch allows."""
    angle = np.array([name.rpartition(".")[2] in ANGLES for name in stretch.names])
    scale = width.copy()
    for unit in (angle, ~angle):
        scale[unit] = np.maximum(width[unit], LEAST_SCALE * width[unit].max(initial=0.0))
    scale[scale < STILL] = np.inf
    section = values_at(stretch.t, stretch.x, stretch.v, times) / scale
    period = np.diff(times) / np.diff(times).mean()
    distances = []
    for n in range(1, LONGEST_CYCLE + 1):
        if section.shape[0] - n < max(3, n + 1):
            break
        moved = np.abs(section[n:] - section[:-n]).max()
        distances.append(float(max(moved, np.abs(period[n:] - period[:-n]).max())))
    return distances


def located_maxima(stretch: Stretch, name: str) -> np.ndarray:
    """Values of all local maxima of a coordinate, in their order."""
    return maxima(*stretch.column(name))[1]
