"""Stability of rolling along the track centre: the linearised reduced form.

The right-hand side is smooth there as long as the flange is free, so central differences with one Richardson
extrapolation (order 4) give the Jacobian to about ten digits.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import root_scalar

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, stand, wheel_parameter, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset
from klingel.literature.constrained_wheelset.reduced import rhs
from klingel.literature.constrained_wheelset.start import rest
from klingel.literature.constrained_wheelset.switches import start_modes

SMALL = 1e-6  # creepage by which rest is disturbed; that of the spin in the linear force is some 1e-4


def _steps(w: ConstrainedWheelset) -> np.ndarray:
    """Disturbances of y, yaw, their rates and spin that make creepages of about SMALL."""
    shift = SMALL * w.nominal_radius / np.tan(w.conicity)
    return np.array(
        [shift, SMALL, SMALL * w.speed, SMALL * w.speed / w.wheel_offset, SMALL * w.speed / w.nominal_radius]
    )


def jacobian(wheelset: ConstrainedWheelset) -> np.ndarray:
    """d rhs/dx of the reduced form at rest in the track centre."""
    p, mode, memory = wheelset.flat(), start_modes(), np.zeros(0)
    centre = rest(wheelset)
    result = np.empty((centre.size, centre.size))

    def derivative(x: np.ndarray) -> np.ndarray:
        dx = np.empty_like(x)
        rhs(0.0, x, memory, mode, p, dx)
        return dx

    for j, h in enumerate(_steps(wheelset)):
        move = np.zeros(centre.size)
        move[j] = h
        wide = (derivative(centre + move) - derivative(centre - move)) / (2 * h)
        narrow = (derivative(centre + move / 2) - derivative(centre - move / 2)) / h
        result[:, j] = (4 * narrow - wide) / 3
    return result


def hunting_mode(wheelset: ConstrainedWheelset) -> complex:
    """The eigenvalue with the largest real part; its imaginary part is not negative [1/s]."""
    values = np.linalg.eigvals(jacobian(wheelset))
    most = values[np.argmax(values.real)]
    return complex(most.real, abs(most.imag))


def critical_speed(wheelset: ConstrainedWheelset, slow: float, fast: float) -> float:
    """Speed between `slow` and `fast` at which the growth rate vanishes [m/s]."""

    def growth(speed: float) -> float:
        return hunting_mode(replace(wheelset, speed=speed)).real

    ends = growth(slow), growth(fast)
    if ends[0] * ends[1] > 0.0:
        raise InputError(
            "speeds", [slow, fast], f"must enclose a change of stability; growth rates are {ends} 1/s"
        )
    return float(root_scalar(growth, bracket=(slow, fast), xtol=1e-9).root)


def kinematic_frequency(wheelset: ConstrainedWheelset) -> float:
    """Angular frequency of pure rolling (Klingel's motion) with the roll angle that goes with y [rad/s].

        omega^2 = V^2 lambda / (e r (1 + r dphi/dy)),     lambda = d(r_left - r_right)/(2 dy)

    e, r: lateral distance and radius of the contact points. Pure rolling sideways is y' - phi' u2 = V psi.
    """
    p = wheelset.flat()
    h = 1e-4
    radii = [_contact_points(y, p) for y in (-h, 0.0, h)]
    (_, left_before, right_before), (e, r, _), (_, left, right) = radii
    conicity = ((left - left_before) - (right - right_before)) / (4 * h)
    roll_slope = stand(0.0, p).roll_1
    return wheelset.speed * float(np.sqrt(conicity / (e * r * (1.0 + r * roll_slope))))


def _contact_points(y: float, p: np.ndarray) -> tuple[float, float, float]:
    """Lateral distance of the left contact and the radii of both."""
    at = stand(y, p)
    e, u2 = wheel_point(LEFT, wheel_parameter(LEFT, y, at.z, at.roll, p), p)
    _, v2 = wheel_point(RIGHT, wheel_parameter(RIGHT, y, at.z, at.roll, p), p)
    return e, -u2, -v2
