"""Shifts at which both wheels of a wheelset roll on the same radius: where one with unlike wheels comes to rest.

Wheels that are worn unlike have different radii in the middle of the track. Such a wheelset steers aside until
its radii are equal, up to what its springs allow; a search for rest that starts in the middle may not get there.
Where the radii pass each other in a jump of the contact point, rest lies in the overlap of the two contacts, which
then share the load.
"""

import numpy as np

from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.kinds.wheels.wheel_lanes import WHEEL_INTS
from klingel.model.system import Head

EQUAL = 1e-9  # radii of like wheels, in the middle [m]
STEP = 5e-5  # of the search [m]


def rolling_lines(compiled: Compiled, wheelset: int) -> list[float]:
    """Shifts of equal radii of this wheelset of the layout, nearest to the middle first; zero for like wheels."""
    if abs(difference(compiled, wheelset, 0.0)) < EQUAL:
        return [0.0]
    low, high = shifts(compiled, wheelset)
    at = np.arange(low + STEP, high - STEP, STEP)
    apart = np.array([difference(compiled, wheelset, y) for y in at])
    passed = np.flatnonzero(apart[:-1] * apart[1:] <= 0.0)
    return sorted({_between(compiled, wheelset, at[k], at[k + 1]) for k in passed}, key=abs)


def difference(compiled: Compiled, wheelset: int, shift: float) -> float:
    """Rolling radius left less right [m]."""
    left, right = (assembly.rolling_radius(compiled.system, 2 * wheelset + k, shift) for k in (0, 1))
    return left - right


def shifts(compiled: Compiled, wheelset: int) -> tuple[float, float]:
    """Range of the contact tables of both wheels [m]."""
    bounds = [_bounds(compiled, 2 * wheelset + k) for k in (0, 1)]
    return max(float(b[0]) for b in bounds), min(float(b[-1]) for b in bounds)


def _bounds(compiled: Compiled, wheel: int) -> np.ndarray:
    f, i = compiled.system
    at = int(i[Head.WHEEL_AT]) + WHEEL_INTS * wheel
    first = int(i[at + 3])
    return f[first : first + int(i[at + 4]) + 1]


def _between(compiled: Compiled, wheelset: int, low: float, high: float) -> float:
    """The middle of an overlap one of the wheels is in, or else of the interval."""
    for wheel in (2 * wheelset, 2 * wheelset + 1):
        bounds = _bounds(compiled, wheel)
        for y in (low, high):
            state = int(assembly.state_of_wheel(compiled.system, wheel, y))
            if state % 2 == 1:
                return float(0.5 * (bounds[state] + bounds[state + 1]))
    return float(0.5 * (low + high))
