"""Poincaré section of a motion: its states wherever a function of time and state rises through zero.

The function may be anything: a coordinate less a level, a sine of the time (a stroboscope), a combination. Between
two steps of the integrator at which its sign differs the crossing is looked for on the motion itself: the run is
repeated from the earlier step up to the instant asked for, until the function vanishes. Two crossings within one
step are not seen; `max_step` makes steps short. At an event a section function may jump with the state: crossings
*by* an action are none.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from klingel._arguments import check_callable, check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.chaos.following import Follow, State, end_of, following, state_of
from klingel.numerics.options import check_start
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory

Section = Callable[[float, np.ndarray], float]
ITERATIONS = 40
NEAR = 1e-12  # of the function over the step, at which a crossing is found
MOST_POINTS = 1_000_000


class Points(NamedTuple):
    """One row per crossing."""

    t: np.ndarray  # [s]
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray


def poincare_section(
    problem: HybridProblem,
    x0: ArrayLike,
    section: Section,
    duration: float,
    *,
    transient: float = 0.0,
    points: int | None = None,
    method: str = "dopri54",
    rtol: float = 1e-8,
    atol: float = 1e-10,
) -> Points:
    """Crossings of any hybrid problem from x0, over `duration` after `transient` [s], upwards.

    Parameters
    ----------
    problem : HybridProblem
    x0 : array of float
        Start, with the memory and modes of the problem.
    section : callable
        Of time and state; crossings from below zero to above count. Turn its sign for the others.
    duration, transient : float
        [s]
    points : int, optional
        At most so many.
    """
    check_callable("section", section)
    if section is None:
        raise InputError("section", None, "must be a function of time and state")
    start = state_of(problem, check_start(problem, x0))
    return crossings(following(problem, method, rtol, atol), start, section, duration, transient, points)


def crossings(
    follow: Follow,
    start: State,
    section: Section,
    duration: float,
    transient: float = 0.0,
    points: int | None = None,
    piece: float | None = None,
) -> Points:
    """The same of any system that can be followed; in pieces, so that a long motion needs no more memory [s]."""
    if not check_number("duration", duration, "s") > 0.0 or not check_number("transient", transient, "s") >= 0.0:
        allowed = "must be positive, and the transient not negative"
        raise InputError("duration" if duration <= 0.0 else "transient", min(duration, transient), allowed)
    if points is not None:
        check_whole("points", points, 1, MOST_POINTS)
    if transient > 0.0:
        start = end_of(follow(start, transient, None))
    end, piece = start.t + duration, piece or duration
    found: list[State] = []
    while start.t < end * (1.0 - 1e-14):
        run = follow(start, min(piece, end - start.t), None)
        for state in _of_run(follow, run, section):
            found.append(state)
            if points is not None and len(found) >= points:
                return _table(found, start)
        if not run.t[-1] > start.t:
            break
        start = end_of(run)
    return _table(found, start)


def _table(found: list[State], like: State) -> Points:
    if not found:
        return Points(np.zeros(0), *(np.zeros((0, a.size), a.dtype) for a in like[:3]))
    return Points(np.array([s.t for s in found]), *(np.array([s[k] for s in found]) for k in range(3)))


def _of_run(follow: Follow, run: Trajectory, section: Section):
    values = np.array([section(float(t), x) for t, x in zip(run.t, run.x, strict=True)])
    # rows at the same instant are the two sides of an event
    for k in np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0) & (np.diff(run.t) > 0.0)):
        begin = State(run.x[k].copy(), run.memory[k].copy(), run.mode[k].copy(), float(run.t[k]))
        yield _crossing(
            follow, begin, float(run.t[k + 1] - run.t[k]), float(values[k]), float(values[k + 1]), section
        )


def _crossing(follow: Follow, begin: State, span: float, low: float, high: float, section: Section) -> State:
    """Within a step, by the secant method kept within its bracket (Illinois)."""
    a, b, size = 0.0, span, high - low
    at, kept = begin, ""
    for _ in range(ITERATIONS):
        step = min(max(b - high * (b - a) / (high - low), a), b)
        if not step > 0.0:
            return begin
        at = end_of(follow(begin, step, None))
        value = section(at.t, at.x)
        if abs(value) <= NEAR * size or b - a <= 4.0 * np.spacing(abs(at.t) + span):
            break
        if value < 0.0:
            a, low = step, value
            high *= 0.5 if kept == "high" else 1.0  # the end that was kept before as well
            kept = "high"
        else:
            b, high = step, value
            low *= 0.5 if kept == "low" else 1.0
            kept = "low"
    return at
