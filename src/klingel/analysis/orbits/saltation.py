"""What an event does to neighbouring motions: derivatives of guard and action, saltation matrix.

A neighbour meets the boundary a little earlier or later; until then it follows the old right-hand side f-, from
then on the new one f+. With the action R, its derivative R_z, and the guard g that ends the segment,

    S = R_z + (f+ - R_z f- - R_t) g_z / (g_z f- + g_t)

over states *and* memory coordinates, whose rates are zero. Where the action changes nothing and the force is
continuous, f+ = f-, S is the identity. At a grazing the denominator vanishes and there is no S.

Derivatives are centred differences of the compiled guard and action over DIFFERENCE of the size of each
coordinate.
"""

from typing import NamedTuple

import numpy as np

from klingel.analysis.orbits.flow import Flow
from klingel.analysis.orbits.segment import Segment, act, split

DIFFERENCE = 1e-5


class Crossing(NamedTuple):
    """An event and its derivatives at the end of a segment."""

    value: float  # of the guard
    guard_z: np.ndarray
    guard_t: float
    after: np.ndarray  # coordinates after the action
    after_z: np.ndarray
    after_t: np.ndarray
    before_rate: np.ndarray  # of all coordinates, before the event

    @property
    def guard_rate(self) -> float:
        """Of the guard along the motion: negative where it is crossed, zero at a grazing."""
        return float(self.guard_z @ self.before_rate + self.guard_t)

    def saltation(self, after_rate: np.ndarray) -> np.ndarray:
        """With the rate of all coordinates after the event."""
        jump = after_rate - self.after_z @ self.before_rate - self.after_t
        return self.after_z + np.outer(jump, self.guard_z) / self.guard_rate


def guard_value(flow: Flow, segment: Segment, t: float, z: np.ndarray) -> float:
    x, memory = split(flow, segment, z)
    flow.enter(t, x, memory, segment.mode)
    return float(flow.margins(t, x, memory, segment.mode)[segment.guard])


def crossing(flow: Flow, segment: Segment, t: float, z: np.ndarray, time_step: float = 0.0) -> Crossing:
    """Event at coordinates z before it; `time_step` of differences in time, zero for autonomous systems [s]."""
    size = flow.size
    value, after = guard_value(flow, segment, t, z), act(flow, segment, t, z)
    guard_z, after_z = np.zeros(size), np.zeros((size, size))
    for j in range(size):
        step = DIFFERENCE * flow.scale[j]
        ahead, behind = z.copy(), z.copy()
        ahead[j] += step
        behind[j] -= step
        width = ahead[j] - behind[j]
        guard_z[j] = (guard_value(flow, segment, t, ahead) - guard_value(flow, segment, t, behind)) / width
        after_z[:, j] = (act(flow, segment, t, ahead) - act(flow, segment, t, behind)) / width
    guard_t, after_t = 0.0, np.zeros(size)
    if time_step > 0.0:
        late, early = t + time_step, t - time_step
        guard_t = (guard_value(flow, segment, late, z) - guard_value(flow, segment, early, z)) / (late - early)
        after_t = (act(flow, segment, late, z) - act(flow, segment, early, z)) / (late - early)
    return Crossing(value, guard_z, guard_t, after, after_z, after_t, rate(flow, segment, t, z))


def rate(flow: Flow, segment: Segment, t: float, z: np.ndarray) -> np.ndarray:
    """Of all coordinates; those of memory are zero."""
    x, memory = split(flow, segment, z)
    flow.enter(t, x, memory, segment.mode)
    return np.concatenate([flow.rate(t, x, memory, segment.mode), np.zeros(flow.size - flow.n)])
