"""Start values and rest: from the five independent states to all others.

Rest in the track centre: both wheels roll on the radius |u2| of their contact points, not on r_0, so the spin
perturbation is beta = V/|u2| - V/r_0. A start with beta = 0 brakes or drives first.
"""

from math import inf, sin

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature.constrained_wheelset.constraints import (
    EQUATIONS,
    ROWS,
    X,
    project,
    write_jacobians,
    write_rates,
    write_residual,
)
from klingel.literature.constrained_wheelset.geometry import LEFT, stand, wheel_parameter, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset, P, S
from klingel.literature.constrained_wheelset.reduced import R


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


@kernel
def complete(reduced, x, p):
    """Fill the full state from a reduced one; false without success.

    Newton's iteration on B.11 begins where the thesis says: wheelset level, contacts as in the track centre.
    """
    delta = p[P.DELTA]
    outside = p[P.Y_RAIL] - p[P.Y_WHEEL] - p[P.R_RAIL] * sin(delta)
    x[:] = 0.0
    x[X.Y] = reduced[R.Y]
    x[X.YAW] = reduced[R.YAW]
    x[X.Y_DOT] = reduced[R.Y_DOT]
    x[X.YAW_DOT] = reduced[R.YAW_DOT]
    x[X.SPIN] = reduced[R.SPIN]
    x[X.S11] = outside
    x[X.S21] = delta
    x[X.S12] = -outside
    x[X.S32] = -delta
    return project(x, p)


def full_state(wheelset: ConstrainedWheelset, reduced: np.ndarray) -> np.ndarray:
    """All coordinates, profile parameters and rates that belong to a reduced state (B.11, B.12)."""
    x = np.empty(len(X))
    if not complete(np.asarray(reduced, float), x, wheelset.flat()):
        raise InputError(
            "y", float(reduced[R.Y]), "must be a lateral shift at which both wheels stand on the rails"
        )
    return x


def check_consistent(wheelset: ConstrainedWheelset, full: np.ndarray) -> None:
    """Refuse a full state off the constraints, naming the worst equation. (The augmented form itself would project
    it at its first instant and log a drift event there.)"""
    p, x = wheelset.flat(), np.asarray(full, float)
    write_residual(x, p)
    position = p[S.C : S.C + ROWS].copy()
    write_jacobians(x, p)
    write_rates(x, p)
    for level, residual in (("position", position), ("velocity", p[S.C : S.C + ROWS])):
        worst = int(np.argmax(np.abs(residual)))
        if not abs(residual[worst]) <= wheelset.drift_limit:
            raise InputError(
                f"{level} constraint '{EQUATIONS[worst]}'",
                float(residual[worst]),
                f"must vanish within {wheelset.drift_limit:.1e}",
            )
