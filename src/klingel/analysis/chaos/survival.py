"""How long irregular motion survives before it ends: many starts, an exponential law, its rate with an error.

Transient chaos forgets its past: of those that still move, the same share ends in every window of time,

    share left after n windows = (1 - p)^n = exp(-rate n window),     rate = -ln(1 - p) / window

A start is looked at after every window only, and the end of those that outlive the time of watching is unknown
(censored). With d ends seen in N windows in which a start was at risk the likeliest value is p = d/N, with the
standard error sqrt(p (1 - p) / N). The first windows, in which starts still come to the irregular motion, are left
out by `settle`.
"""

from collections.abc import Callable, Iterable
from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np

from klingel._arguments import check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.chaos.following import Follow, State, end_of
from klingel.numerics.trajectory import Trajectory

Ended = Callable[[Trajectory], bool]  # of the rows of a window
ROWS = 200  # in a window
SURE = 3.0  # -ln(0.05): ends that may be expected where none was seen, 95 %


class Survival(NamedTuple):
    windows: np.ndarray  # at the end of which each start had ended, or in which it was watched
    ended: np.ndarray  # False: censored
    window: float  # [s]

    @property
    def times(self) -> np.ndarray:
        """[s]"""
        return self.windows * self.window


class Lifetime(NamedTuple):
    rate: float  # at which motions end [1/s]
    error: float  # standard error of the rate [1/s]; where none ended the 95 % bound of the rate
    mean: float  # 1/rate, infinite where none ended [s]
    mean_error: float  # [s]
    ends: int
    starts: int  # that were still irregular after the settling time


def survival_times(follow: Follow, starts: Iterable[State], ended: Ended, window: float, windows: int) -> Survival:
    """Each start followed until a window shows that its motion has ended, at most for so many windows."""
    if not check_number("window", window, "s") > 0.0:
        raise InputError("window", window, "must be positive, in s")
    check_whole("windows", windows, 1)
    lasted, seen = [], []
    for start in starts:
        state, over, count = start, False, 0
        while count < windows and not over:
            run = follow(state, window, window / ROWS)
            state, over, count = end_of(run), ended(run), count + 1
        lasted.append(count)
        seen.append(over)
    return Survival(np.array(lasted, int), np.array(seen, bool), float(window))


def lifetime(found: Survival, settle: float = 0.0) -> Lifetime:
    """Exponential law through survival times; windows that begin before `settle` [s] do not count."""
    skipped = int(np.ceil(settle / found.window - 1e-9))
    risk = found.windows > skipped
    at_risk = int(np.sum(found.windows[risk] - skipped))
    ends, starts = int(np.sum(found.ended & risk)), int(risk.sum())
    if at_risk == 0:
        allowed = f"must be shorter: all {found.windows.size} starts had ended, or were no longer watched"
        raise InputError("settle", settle, allowed)
    if ends == 0:
        return Lifetime(0.0, SURE / (at_risk * found.window), inf, inf, 0, starts)
    share = ends / at_risk
    if share >= 1.0:
        raise InputError("window", found.window, "must be shorter: every start ended within the first one")
    rate = -log(1.0 - share) / found.window
    error = sqrt(share * (1.0 - share) / at_risk) / ((1.0 - share) * found.window)
    return Lifetime(rate, error, 1.0 / rate, error / rate**2, ends, starts)
