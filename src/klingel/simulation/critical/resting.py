"""How far dry friction holds the bodies of a vehicle beside the middle of the track."""

from dataclasses import dataclass

import numpy as np

from klingel._errors import InputError
from klingel.model.layout import Moves
from klingel.simulation.critical.ride import Ride
from klingel.simulation.resting.rest_set import rest_set


@dataclass(frozen=True)
class Resting:
    extent: tuple[float, float] | None  # [m]
    reason: str = ""  # why there is none, or what it is not


def lateral_positions(ride: Ride) -> list[str]:
    """Of vehicles with friction; others rest in one point."""
    if not ride.layout.remembered:
        return []
    return [s.name for s in ride.layout.state_info if s.moves == Moves.POSITION and s.coordinate == "y"]


def rest_of_body(ride: Ride, name: str) -> Resting:
    try:
        found = rest_set(ride.vehicle, ride.track, ride.asked.settings.slowest, [name])
    except InputError as error:
        return Resting(None, str(error))
    low, high = found[name]
    if not np.isfinite([low, high]).all():
        return Resting(None, f"nothing but friction holds {name}")
    if all(found.final[name]):
        return Resting((low, high))
    return Resting((low, high), f"{name} may rest farther: the search stopped at a corner of the forces")
