"""Linear critical speeds of a vehicle with dry friction: sliders stuck, and the sliders taken away.

Neither is a bound of the nonlinear one. Without its sliders a body may be held by nothing; then there is no such
speed, and the reason says which body it is.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import Family, of
from klingel.simulation.critical.ride import Ride
from klingel.simulation.linear_critical_speed import linear_critical_speed, linearised
from klingel.track.track import Track

STUCK, SLIPPING = "stuck", "slipping"
NOT_HELD = 1e-4  # eigenvalues below this neither swing nor decay [1/s]


@dataclass(frozen=True)
class Linear:
    speed: float | None  # [m/s]
    frequency: float | None  # [Hz]
    reason: str = ""  # why there is none

    def as_dict(self) -> dict[str, Any] | None:
        return None if self.speed is None else {"speed": self.speed, "frequency": self.frequency}


def without_friction(vehicle: Vehicle) -> Vehicle:
    """The vehicle with all friction elements taken away, those with a spring in series too."""
    left = tuple(e for e in vehicle.elements if of(e.law).ABOUT.family != Family.FRICTION)
    return replace(vehicle, elements=left)


def linear_of(ride: Ride, which: str) -> Linear:
    vehicle, settings = ride.vehicle, ride.asked.settings
    if which == SLIPPING:
        free = without_friction(vehicle)
        if len(free.elements) == len(vehicle.elements):
            return Linear(None, None, "has no friction sliders: the same as stuck")
        try:
            body = not_held(free, ride.track, settings.slowest)
        except InputError as error:
            return Linear(None, None, f"does not stand without its sliders: {error}")
        if body:
            return Linear(None, None, f"without its sliders {body} is held by nothing")
        vehicle = free
    try:
        found = linear_critical_speed(vehicle, ride.track, settings.slowest, settings.fastest)
    except InputError as error:
        unstable = error.field == "slowest"
        told = f"rest is unstable already at {settings.slowest:g} m/s" if unstable else str(error)
        return Linear(None, None, told)
    if found is None:
        return Linear(None, None, f"rest is stable up to {settings.fastest:g} m/s")
    return Linear(found.speed, found.frequency)


def not_held(vehicle: Vehicle, track: Track, speed: float) -> str:
    """Body and coordinate that a vehicle may keep displaced in, without any force back; empty if there is none.

    Positions along the track and turning of wheels do not count: rolling holds them at a speed only.
    """
    lin = linearised(vehicle, speed, track)
    values, shapes, _ = lin.vibrations()
    for value, shape in zip(values, shapes.T, strict=True):
        if abs(value) > NOT_HELD:
            continue
        sizes = np.abs(shape[: lin.positions])
        name = lin.states[int(np.argmax(sizes))] if sizes.max() > 0.0 else ""
        if name and not name.endswith((".x", ".spin")):
            return name
    return ""
