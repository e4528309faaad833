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
from klingel.analysis.orbits.segment import Segment, events, split

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


def crossing(flow: Flow, segment: Segment, t: float, z: np.ndarray, time_step: float = 0.0) -> Crossing:
    """Event at coordinates z before it; `time_step` of differences in time, zero for autonomous systems [s]."""
    size, step = flow.size, np.diag(DIFFERENCE * flow.scale)
    ahead, behind = z + step, z - step
    width = np.diag(ahead) - np.diag(behind)
    values, rows = events(flow, segment, t, np.vstack([z, ahead, behind]))
    guard_z = (values[1 : size + 1] - values[size + 1 :]) / width
    after_z = ((rows[1 : size + 1] - rows[size + 1 :]) / width[:, None]).T
    guard_t, after_t = 0.0, np.zeros(size)
    if time_step > 0.0:
        late, early = t + time_step, t - time_step
        (g_late, z_late), (g_early, z_early) = (events(flow, segment, at, z[None, :]) for at in (late, early))
        guard_t = float(g_late[0] - g_early[0]) / (late - early)
        after_t = (z_late[0] - z_early[0]) / (late - early)
    return Crossing(float(values[0]), guard_z, guard_t, rows[0], after_z, after_t, rate(flow, segment, t, z))


def rate(flow: Flow, segment: Segment, t: float, z: np.ndarray) -> np.ndarray:
    """Of all coordinates; those of memory are zero."""
    x, memory = split(flow, segment, z)
    flow.enter(t, x, memory, segment.mode)
    return np.concatenate([flow.rate(t, x, memory, segment.mode), np.zeros(flow.size - flow.n)])
