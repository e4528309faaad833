"""When a motion counts as settled: two rules, each with what it measured.

`UntilSettled` (default). After `least` seconds the motion is cut into windows of whole pieces, each long enough
for `cycles` cycles of the leading coordinate, but not longer than `longest`. Windows are judged by
`motion_kinds`, and the transient is over when

- a window shows rest, or
- two successive windows show the same periodic motion (or period-n), extremes of the leading coordinate within
  RETURN of the half width, or
- three successive windows are irregular, extremes within a quarter of the half width, and the motion does not
  return better and better (the smallest distance of return is no less than 0.7 of what it was two windows before).

The last window is what is reported. After `cap` seconds the last window is reported as it is, with
`settled` false.

`FixedTransient`. A transient of given length is thrown away, then the next `maxima` maxima of every coordinate
that leads are waited for, or rest, or the cap. This is the recipe of Hoffmann (2006), figures 5.29-5.31, with 20 s
and 20 maxima.
"""

from dataclasses import asdict, dataclass
from math import ceil, isfinite
from typing import Any, Protocol

import numpy as np

from klingel._arguments import check_number
from klingel._errors import InputError
from klingel.analysis.motion_kinds import (
    AT_REST,
    IRREGULAR,
    RETURN,
    UNSETTLED,
    Motion,
    Stretch,
    judge,
)

WANDER = 0.25  # of the half width, between windows of an irregular motion
SHRINK = 0.7  # of the distance of return, over three windows
LONGEST = 1e7  # time of one point [s], and number of cycles or maxima
KEPT = 40  # maxima kept of a settled motion


class Follower(Protocol):
    """A system under way."""

    def skip(self, duration: float) -> None:
        """Go on without rows."""

    def piece(self, duration: float) -> Stretch:
        """Go on with rows."""
        ...


@dataclass(frozen=True)
class Measured:
    motion: Motion
    transient: float  # thrown away [s]
    window: float  # measured [s]
    settled: bool | None  # None: the rule does not ask
    maxima: dict[str, list[float]]


@dataclass(frozen=True)
class UntilSettled:
    least: float = 5.0  # [s]
    piece: float = 2.5  # [s]
    cycles: int = 20
    longest: float = 15.0  # window [s]
    cap: float = 90.0  # [s]

    def __post_init__(self) -> None:
        _check_positive(self, "piece", "longest", "cap", "cycles")
        check_number("least", self.least, "s")
        if not 0.0 <= self.least < self.cap:
            raise InputError("least", self.least, f"must lie between 0 and the cap, {self.cap:g} s")

    def as_dict(self) -> dict[str, Any]:
        return {"rule": "until settled", **asdict(self)}

    def measure(self, system: Follower) -> Measured:
        time = self.least
        if time > 0.0:
            system.skip(time)
        seen: list[Motion] = []
        window = self.piece
        while True:
            stretch = self._window(system, window)
            window = float(stretch.t[-1] - stretch.t[0])
            seen.append(judge(stretch))
            settled = agree(seen)
            if settled or time + window >= self.cap - 1e-9:
                return Measured(seen[-1], time, window, settled, _maxima(stretch, slice(-KEPT, None)))
            time += window

    def _window(self, system: Follower, first: float) -> Stretch:
        """As long as the window before, and longer while that is not enough."""
        stretch = system.piece(first)
        while (room := self.longest - float(stretch.t[-1] - stretch.t[0])) > 1e-9:
            count = stretch.leading_cycles()
            if count is None or count >= self.cycles:  # at rest there are no cycles to wait for
                break
            more = missing(stretch, count, self.cycles, self.piece)
            stretch = joined(stretch, system.piece(min(more, room)))
        return stretch


@dataclass(frozen=True)
class FixedTransient:
    transient: float = 20.0  # [s]
    maxima: int = 20
    piece: float = 2.5  # [s]
    cap: float = 60.0  # for the maxima [s]

    def __post_init__(self) -> None:
        _check_positive(self, "maxima", "piece", "cap")
        check_number("transient", self.transient, "s", finite=False)
        if not (isfinite(self.transient) and self.transient >= 0.0):
            raise InputError("transient", self.transient, "must be a time in s, not negative")
        if self.transient > LONGEST:
            raise InputError("transient", self.transient, f"must be at most {LONGEST:g} s")

    def as_dict(self) -> dict[str, Any]:
        return {"rule": "fixed transient", **asdict(self)}

    def measure(self, system: Follower) -> Measured:
        if self.transient > 0.0:
            system.skip(self.transient)
        stretch = system.piece(self.piece)
        while (room := self.cap - float(stretch.t[-1] - stretch.t[0])) > 1e-9:
            count = min((stretch.maxima_of(name).size for name in stretch.of.lead), default=self.maxima)
            if count >= self.maxima or stretch.leading_cycles() is None:
                break
            more = missing(stretch, count, self.maxima, self.piece)
            stretch = joined(stretch, system.piece(min(more, room)))
        found = _maxima(stretch, slice(self.maxima))
        return Measured(judge(stretch), self.transient, float(stretch.t[-1] - stretch.t[0]), None, found)


def missing(stretch: Stretch, count: int, wanted: int, piece: float) -> float:
    """Whole pieces until there should be enough of what happened `count` times so far."""
    length = float(stretch.t[-1] - stretch.t[0])
    more = length * (wanted - count) / count if count else piece
    return piece * max(ceil(more / piece), 1)


def joined(first: Stretch, second: Stretch) -> Stretch:
    """Two stretches of which the second begins with the last row of the first."""
    t = np.concatenate([first.t, first.t[-1] + second.t[1:] - second.t[0]])
    x, v = np.vstack([first.x, second.x[1:]]), np.vstack([first.v, second.v[1:]])
    return Stretch(t, x, v, first.of)


def agree(seen: list[Motion]) -> bool:
    """Whether the last windows show the same settled motion."""
    last = seen[-1]
    if last.kind in AT_REST:
        return True
    if last.kind == UNSETTLED:
        return False
    count, limit = (3, WANDER) if last.kind == IRREGULAR else (2, RETURN)
    if len(seen) < count or any(motion.kind != last.kind for motion in seen[-count:]):
        return False
    if last.kind == IRREGULAR and _return(last) < SHRINK * _return(seen[-count]):
        return False
    return all(_apart(motion, last) < limit for motion in seen[-count:-1])


def _return(motion: Motion) -> float:
    return min(motion.evidence["return"], default=1.0)


def _apart(a: Motion, b: Motion) -> float:
    """Largest distance of extremes, in half widths of the leading coordinate."""
    leader = b.evidence["leader"]
    half = max(b.amplitude[leader], 1e-12)
    low, high = a.minimum[leader] - b.minimum[leader], a.maximum[leader] - b.maximum[leader]
    return max(abs(low), abs(high)) / half


def _maxima(stretch: Stretch, part: slice) -> dict[str, list[float]]:
    return {name: stretch.maxima_of(name)[part].tolist() for name in stretch.names}


def _check_positive(rule: Any, *names: str) -> None:
    for name in names:
        value = check_number(name, getattr(rule, name), finite=False)
        if not (isfinite(value) and value > 0):
            raise InputError(name, value, "must be positive")
        if value > LONGEST:
            raise InputError(name, value, f"must be at most {LONGEST:g}")


Rule = UntilSettled | FixedTransient
THESIS = FixedTransient(20.0, 20)
