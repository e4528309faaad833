"""Where rest loses its stability between two values of a parameter and an oscillation is born: a Hopf point.

Over the speed this is the linear critical speed. Over any other value rest may be stable on either side: the range
is looked at in STEPS, and of all crossings the one nearest to the first value is taken.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.model.linearise import Linearisation, linearise
from klingel.simulation.linear_critical_speed import least_damped_of, linear_critical_speed
from klingel.simulation.orbits.vehicle_family import SPEED, VehicleFamily

STEPS = 24  # values looked at; an unstable range narrower than their distance may be missed
LOCATED: Any = 1e-12  # relative, and of the unit
SLOWEST = 1e-3  # of a vibration that counts as one [Hz]


@dataclass(frozen=True)
class HopfPoint:
    value: float  # of the parameter
    frequency: float  # [Hz]
    mode: dict[str, complex]  # shape by name of state, the largest position 1


def hopf_point(of: VehicleFamily, first: float, last: float) -> HopfPoint | None:
    """None where rest does not lose its stability by an oscillation between the values."""
    if of.parameter == SPEED:
        try:
            found = linear_critical_speed(of.vehicle, of.track, min(first, last), max(first, last))
        except InputError:  # not stable at the lower speed
            return None
        if found is None or found.frequency <= SLOWEST:
            return None
        return HopfPoint(found.speed, found.frequency, found.mode)
    values = np.linspace(first, last, STEPS)
    growth = [_growth(of, value) for value in values]
    for k in range(STEPS - 1):
        if (growth[k] < 0.0) != (growth[k + 1] < 0.0):
            value = brentq(lambda v: _growth(of, v), values[k], values[k + 1], xtol=LOCATED, rtol=LOCATED)
            return _at(of, float(value), values[k + 1] if growth[k + 1] >= 0.0 else values[k])  # type: ignore[arg-type]
    return None


def _linearised(of: VehicleFamily, value: float) -> Linearisation:
    return linearise(*of.at(value))


def _growth(of: VehicleFamily, value: float) -> float:
    return least_damped_of(_linearised(of, value).vibrations())[1]


def _at(of: VehicleFamily, value: float, unstable: float) -> HopfPoint | None:
    """The mode is told apart from undamped ones a little inside the unstable side."""
    grown, _ = least_damped_of(_linearised(of, value + 1e-4 * (unstable - value)).vibrations())
    lin = _linearised(of, value)
    values, shapes, _ = lin.vibrations()
    which = int(np.argmin(np.abs(values - grown)))
    frequency = float(np.imag(values[which])) / (2.0 * np.pi)
    if frequency <= SLOWEST:
        return None
    shape = shapes[:, which]
    shape = shape / shape[max(range(lin.positions), key=lambda k: abs(shape[k]))]
    return HopfPoint(value, frequency, dict(zip(lin.states, shape.tolist(), strict=True)))
