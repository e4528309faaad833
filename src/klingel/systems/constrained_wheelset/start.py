"""Start values and rest: from the five independent states to all others.

Rest in the track centre: both wheels roll on the radius |u2| of their contact points, not on r_0, so the spin
perturbation is beta = V/|u2| - V/r_0. A start with beta = 0 brakes or drives first.
"""

from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.systems.constrained_wheelset.constraints import X, project
from klingel.systems.constrained_wheelset.geometry import LEFT, stand, wheel_parameter, wheel_point
from klingel.systems.constrained_wheelset.parameters import ConstrainedWheelset
from klingel.systems.constrained_wheelset.reduced import R


def rest(wheelset: ConstrainedWheelset) -> np.ndarray:
    """Reduced state of rolling along the track centre."""
    p = wheelset.flat()
    centre = stand(0.0, p)
    _, u2 = wheel_point(LEFT, wheel_parameter(LEFT, 0.0, centre.z, centre.roll, p), p)
    x = np.zeros(len(R))
    x[R.SPIN] = -wheelset.speed / u2 - wheelset.speed / wheelset.nominal_radius
    return x


def start(
    wheelset: ConstrainedWheelset, y: float = 0.0, yaw: float = 0.0, y_dot: float = 0.0, yaw_dot: float = 0.0
) -> np.ndarray:
    """Reduced state: rest, disturbed."""
    given = {"y": y, "yaw": yaw, "y_dot": y_dot, "yaw_dot": yaw_dot}
    for name, value in given.items():
        if not -inf < value < inf:
            raise InputError(name, value, "must be finite")
    x = rest(wheelset)
    x[: R.SPIN] = y, yaw, y_dot, yaw_dot
    return x


def full_state(wheelset: ConstrainedWheelset, reduced: np.ndarray) -> np.ndarray:
    """All coordinates, profile parameters and rates that belong to a reduced state, by Newton's iteration on B.11
    from the values the thesis names (wheelset centred and level), and by solving B.12."""
    p = wheelset.flat()
    delta = wheelset.conicity
    outside = wheelset.rail_offset - wheelset.wheel_offset - wheelset.rail_radius * np.sin(delta)
    x = np.zeros(len(X))
    x[[X.Y, X.YAW, X.Y_DOT, X.YAW_DOT, X.SPIN]] = reduced
    x[[X.S11, X.S21, X.S12, X.S32]] = outside, delta, -outside, -delta
    if not project(x, p):
        raise InputError(
            "y", float(reduced[R.Y]), "must be a lateral shift at which both wheels stand on the rails"
        )
    return x
