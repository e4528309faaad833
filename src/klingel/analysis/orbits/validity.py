"""Whether an orbit is a motion of its system: no guard violated inside a segment, every event a true crossing.

A guard that is zero where a segment begins must be left: a mass that turns and is driven back at once sticks.

Equations of an orbit with a given sequence of events have solutions that are none: a mass inside its stop, a
flange that pulls. Along every segment all guards of its modes are looked at: at the nodes of its mesh and,
between them, at the minima of the cubic through values and rates, refined on the flow itself where they come
near zero.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from klingel.analysis.orbits.flow import Flow
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.segment import Segment, split
from klingel.numerics.problem import GUARD_TOLERANCE

RATE_STEP = 1e-5  # of the period, over which guards are differenced
NEGATIVE_LENGTH, FROM_OUTSIDE = "a segment has a negative length", "a guard is crossed from outside"
NEAR = 0.2  # of the range of a guard along the segment: minima nearer to zero are refined
AT_ONCE = "a guard is crossed again where a segment begins"
ON = 1e-8  # of the range of a guard: this near to zero a segment begins on its boundary
TURNS_BACK = 1e-6  # rate of such a guard into what it forbids, of its range in a period: it is crossed at once
ROUNDING = 1e-9  # of the range of a guard: this far outside is on the boundary


@dataclass(frozen=True)
class Dip:
    """Least value of a guard between the ends of a segment."""

    segment: int
    guard: int
    value: float
    time: float
    size: float  # range of the guard along the segment


@dataclass(frozen=True)
class Entry:
    """A guard that is zero where a segment begins: its rate there, of its range in a period."""

    segment: int
    guard: int
    rate: float


@dataclass(frozen=True)
class Verdict:
    dips: tuple[Dip, ...]
    reason: str  # empty: valid
    entries: tuple[Entry, ...] = ()

    @property
    def valid(self) -> bool:
        return not self.reason


def check(orbit: Orbit) -> Verdict:
    """Least interior values of all guards, and the first reason why this is no motion of the system."""
    e = orbit.equations
    starts, durations, t0, value = e.unpack(orbit.unknowns)
    flow = e.flow(value)
    names = flow.problem.guard_names
    reasons, dips, entries = [], [], []
    if np.any(durations < -ROUNDING * e.time_scale):
        reasons.append(NEGATIVE_LENGTH)
    if np.any(orbit.crossing_rates > 0.0):
        reasons.append(FROM_OUTSIDE)
    if not names:
        return Verdict((), reasons[0] if reasons else "")
    begin, spans = e.times(durations, t0)
    for k, i in enumerate(e.owner):
        if spans[k] <= 0.0:
            continue
        x, memory = split(flow, e.segments[i], starts[k])
        piece = _Piece(flow, e.segments[i], begin[k], spans[k], x, memory, e.meshes[k], RATE_STEP * e.time_scale)
        found = piece.dips(i)
        dips.extend(found)
        if k == 0 or e.owner[k - 1] != i:
            entries.extend(piece.entries(i, e.time_scale))
        tolerance = np.array(flow.problem.guard_tolerance or [GUARD_TOLERANCE] * len(names))
        low = np.maximum(ROUNDING * piece.size, tolerance)
        ends = np.minimum(piece.g[0], piece.g[-1])
        if e.last_of_segment(k) and e.segments[i].rounds:
            fired = sorted({g for together in e.segments[i].rounds for g in together})
            ends[fired] = piece.g[0][fired]
        inside = piece.g[1:-1].min(axis=0, initial=np.inf)
        reasons += [f"guard {names[g]} is violated inside a segment" for g in np.flatnonzero(inside < -low)]
        outside = np.flatnonzero(ends < -np.maximum(low, 1e-7 * piece.size))
        reasons += [f"guard {names[g]} is violated at the end of a segment" for g in outside]
        reasons += [
            f"guard {names[d.guard]} is violated inside a segment" for d in found if d.value < -low[d.guard]
        ]
    if any(entry.rate < -TURNS_BACK for entry in entries):
        reasons.append(AT_ONCE)
    return Verdict(tuple(dips), reasons[0] if reasons else "", tuple(entries))


class _Piece:
    """Guards along one piece."""

    def __init__(self, flow: Flow, segment: Segment, t, span, x, memory, mesh, step):
        self.flow, self.segment, self.memory, self.step = flow, segment, memory, step
        self.t, self.x = t + span * mesh, flow.nodes(t, span, x, memory, segment.mode, mesh)
        flow.enter(t, x, memory, segment.mode)
        self.g, self.rate = flow.guards_along(self.t, self.x, memory, segment.mode, step)
        armed = np.all(np.isfinite(self.g), axis=0)
        self.g, self.rate = np.where(armed, self.g, np.inf), np.where(armed, self.rate, 0.0)
        self.size = np.where(armed, np.ptp(np.where(armed, self.g, 0.0), axis=0), 1.0)
        self.size = np.where(self.size > 0.0, self.size, 1.0)

    def _guards(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values and rates along the flow."""
        g, rate = self.flow.guards_along(np.array([t]), x[None, :], self.memory, self.segment.mode, self.step)
        return g[0], rate[0]

    def entries(self, segment: int, time_scale: float) -> list[Entry]:
        """Guards that are zero at the start."""
        rates = self.rate[0] * time_scale / self.size
        on = np.flatnonzero(np.abs(self.g[0]) < ON * self.size)
        return [Entry(segment, int(guard), float(rates[guard])) for guard in on]

    def dips(self, segment: int) -> list[Dip]:
        """Interior minima, the lowest of each guard."""
        h = np.diff(self.t)[:, None]
        falls, rises = self.rate[:-1] < 0.0, self.rate[1:] >= 0.0
        found: dict[int, Dip] = {}
        for n, guard in zip(*np.nonzero(falls & rises), strict=True):
            (g0, g1), (m0, m1) = self.g[n : n + 2, guard], self.rate[n : n + 2, guard] * h[n, 0]
            value, time = _cubic_minimum(float(g0), float(g1), float(m0), float(m1))
            time = self.t[n] + time * h[n, 0]
            if value < NEAR * self.size[guard]:
                value, time = self._refined(int(n), int(guard))
            if guard not in found or value < found[guard].value:
                found[guard] = Dip(segment, int(guard), float(value), float(time), float(self.size[guard]))
        return list(found.values())

    def _refined(self, n: int, guard: int) -> tuple[float, float]:
        """Minimum of a guard within step n, on the flow."""
        mesh, h = np.array([0.0, 0.5, 1.0]), self.t[n + 1] - self.t[n]

        def at(s: float) -> tuple[float, float]:
            x = self.flow.end(self.t[n], s, self.x[n], self.memory, self.segment.mode, mesh)
            g, rate = self._guards(self.t[n] + s, x)
            return float(g[guard]), float(rate[guard])

        if at(0.0)[1] >= 0.0 or at(h)[1] <= 0.0:
            return min((self.g[n, guard], self.t[n]), (self.g[n + 1, guard], self.t[n + 1]))
        s = float(brentq(lambda s: at(s)[1], 0.0, h, xtol=1e-14 * h, rtol=1e-13))  # type: ignore[arg-type]
        return at(s)[0], self.t[n] + s


def _cubic_minimum(g0: float, g1: float, m0: float, m1: float) -> tuple[float, float]:
    """Least value and where, of the cubic with these end values and slopes, m0 < 0 <= m1."""
    b, c = 3.0 * (g1 - g0) - 2.0 * m0 - m1, m0 + m1 - 2.0 * (g1 - g0)
    root = np.sqrt(max(b * b - 3.0 * c * m0, 0.0))
    s = (root - b) / (3.0 * c) if b < 0.0 and c != 0.0 else -m0 / (b + root) if b + root > 0.0 else 1.0
    s = min(max(s, 0.0), 1.0)
    return g0 + s * (m0 + s * (b + s * c)), s
