"""Parameters of a UIC link from a measured loop.

Two set-ups (Hoffmann 2006, section 2.3.3):

DRIVEN     a mass m on the link, pushed by a motor; force, acceleration and displacement are recorded. The force
           of the link on the mass is P = m eta - F_motor (2.37).
PENDULUM   a mass swaying freely on the link; an inertial accelerometer rides on it, the displacement z is
           recorded at the distance b below the joint. With phi = arctan(z / b) the normalised restoring
           force is P / (m g) = tan phi + eta / (g cos phi) (2.32).

Steps: (1) the acceleration is moved forward by its delay; (2) the displacement is smoothed, since a reversal
hidden in noise would act on the sliders; (3) the restoring force, positive for a positive displacement and
divided by m g; (4) k, the sliders (k_i, T_0i) and, where the clearance is exceeded, k_sb by
`numerics.fitting.hysteresis_fit`.

The delay is that of a damped 19 Hz accelerometer at 1 Hz, about 2 zeta / omega_0 = 12 ms; it takes
pi A^2 omega^2 sin(omega delay) / g off the area of the loop. In the driven set-up eta is the second derivative
of the displacement, which fixes the delay (`numerics.fitting.delay`). In the pendulum set-up eta is small (zero
for a frictionless pendulum) and no correction is made unless a delay is given.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.signal import savgol_filter

from klingel._errors import InputError
from klingel.elements.link_sets import CLEARANCE, LinkLaw
from klingel.numerics.fitting.delay import Delay, dominant_frequency, second_derivative_delay
from klingel.numerics.fitting.hysteresis_fit import HysteresisFit, fit_hysteresis

Array = NDArray[np.float64]
GRAVITY = 9.81  # [m/s2]
SMOOTHING = 0.05  # length of the local polynomial fit, as a fraction of the dominant period


class SetUp(StrEnum):
    DRIVEN = "driven"
    PENDULUM = "pendulum"


@dataclass(frozen=True)
class LinkMeasurement:
    """One record; all arrays of the same length."""

    time: Array  # [s], rising
    displacement: Array  # of the mass, zero at rest [m]
    acceleration: Array  # of the mass, as the sensor gives it [m/s2]
    force: Array  # of the motor on the mass [N]; zeros in the pendulum set-up
    mass: float  # on the link [kg]
    setup: SetUp = SetUp.DRIVEN
    arm: float = 0.0  # b, from the joint to the displacement sensor, pendulum only [m]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Identification:
    """What was found, and the loops to judge it by."""

    law: LinkLaw
    fit: HysteresisFit
    delay: float  # of the accelerometer, as corrected [s]
    gain: float  # of the accelerometer against the displacement sensor; 1 in the pendulum set-up [-]
    frequency: float  # dominant, of the displacement [Hz]
    time: Array  # [s]
    displacement: Array  # smoothed [m]
    restoring: Array  # restoring force / (m g), delay corrected [-]
    restoring_raw: Array  # the same from the signals as recorded [-]
    acceleration: Array  # delay corrected [m/s2]
    expected: Array  # acceleration that the displacement asks for [m/s2]
    used_from: int  # first sample that counts in the fit


def identify(
    measurement: LinkMeasurement,
    *,
    direction: str = "y",
    sliders: int | None = None,
    delay: float | None = None,
    gap: float = CLEARANCE,
    gravity: float = GRAVITY,
) -> Identification:
    """Fit a `LinkLaw` to the record.

    Laterally (`direction="y"`) the bracket beyond `gap` belongs to the model. `sliders` and `delay` are found
    unless given.
    """
    if direction not in ("x", "y"):
        raise InputError("direction", direction, "must be x or y")
    m = measurement
    frequency = dominant_frequency(m.time, m.displacement)
    late = _delay(m, frequency, delay)
    time, u, force, eta_raw, eta = _aligned(m, late.delay, frequency)
    restoring = restoring_force(m, u, eta, force, gravity)
    extra = (np.maximum(u - gap, 0.0) + np.minimum(u + gap, 0.0))[:, None]
    reached = direction == "y" and bool(np.any(extra))
    skip = int(1 / (frequency * (time[1] - time[0]))) if m.setup is SetUp.DRIVEN else 0
    fit = fit_hysteresis(u, restoring, extra=extra if reached else None, skip=skip, count=sliders)
    bracket = {"bracket_stiffness": fit.extra[0], "bracket_gap": gap} if reached else {}
    return Identification(
        law=LinkLaw(fit.stiffness, fit.sliders, **bracket),
        fit=fit,
        delay=late.delay,
        gain=late.gain,
        frequency=frequency,
        time=time,
        displacement=u,
        restoring=restoring,
        restoring_raw=restoring_force(m, u, eta_raw, force, gravity),
        acceleration=eta,
        expected=_expected(m, time, frequency, gravity),
        used_from=skip,
    )


def restoring_force(m: LinkMeasurement, displacement: Array, eta: Array, force: Array, gravity: float) -> Array:
    """Restoring force over weight by (2.37) or (2.32), positive for a positive displacement."""
    if m.setup is SetUp.PENDULUM:
        sway = np.arctan(displacement / m.arm)
        return np.tan(sway) + eta / (gravity * np.cos(sway))
    return (force - m.mass * eta) / (m.mass * gravity)


def _delay(m: LinkMeasurement, frequency: float, given: float | None) -> Delay:
    if m.setup is SetUp.PENDULUM:
        return Delay(given or 0.0, 1.0, frequency)
    found = second_derivative_delay(m.time, m.displacement, m.acceleration, frequency)
    return found if given is None else Delay(given, found.gain, frequency)


def _expected(m: LinkMeasurement, time: Array, frequency: float, gravity: float) -> Array:
    """What the accelerometer should show, from the second derivative of the displacement; for the eye only."""
    step = time[1] - time[0]
    length = max(7, 2 * int(SMOOTHING / (frequency * step)) + 1)
    z = np.interp(time, m.time, m.displacement)
    second = np.asarray(savgol_filter(z, length, 4, deriv=2, delta=step, mode="interp"), dtype=float)
    if m.setup is SetUp.PENDULUM:
        sway = np.arctan(z / m.arm)
        return -(second * np.cos(sway) + gravity * np.sin(sway))
    return second


def _aligned(m: LinkMeasurement, delay: float, frequency: float) -> tuple[Array, ...]:
    """Even time grid; smoothed displacement, force, acceleration as recorded and moved by its delay."""
    step = float(np.median(np.diff(m.time)))
    time = np.arange(m.time[0] + max(0.0, -delay), m.time[-1] - max(0.0, delay), step)
    length = max(5, 2 * int(0.5 * SMOOTHING / (frequency * step)) + 1)
    if len(time) < 4 * length:
        raise InputError("record", len(m.time), "is too short, too coarse or has no oscillation; samples")
    even = np.interp(time, m.time, m.displacement)
    smooth = np.asarray(savgol_filter(even, length, 4, mode="interp"), dtype=float)
    eta = CubicSpline(m.time, m.acceleration)
    return time, smooth, np.interp(time, m.time, m.force), eta(time), eta(time + delay)
