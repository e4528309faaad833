"""What stays the same through a sweep, and what one point of it is.

The parameter of a sweep is the speed, the inclination or the gauge of the track, or any value of the vehicle by
its dotted name (`carbody.mass`).
"""

from dataclasses import dataclass, replace
from typing import Any

import klingel
from klingel._errors import InputError
from klingel.io.track_toml import to_toml as track_text
from klingel.io.vehicle_toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.simulation.bare import Solving
from klingel.simulation.transients import Rule
from klingel.track.track import Track
from klingel.vehicles.values import with_value

SPEED = "speed"
TRACK_VALUES = ("inclination", "gauge")
DOWN, UP, BOTH, FRESH = "down", "up", "both", "fresh"


@dataclass(frozen=True)
class Case:
    """Everything but the points."""

    vehicle: Vehicle
    track: Track
    parameter: str
    speed: float | None  # when it is not the parameter [m/s]
    starts: tuple[dict[str, float], ...]  # offsets from rest
    rule: Rule
    solving: Solving
    output_step: float  # of measured rows [s]
    nudge: float  # lateral offset that wakes wheelsets found at rest [m]

    def at(self, value: float) -> tuple[Vehicle, Track, float]:
        """Vehicle, track and speed at a value of the parameter."""
        if self.parameter == SPEED:
            return self.vehicle, self.track, value
        if self.speed is None:
            raise InputError("speed", None, f"must be given when {self.parameter} is what changes")
        if self.parameter in TRACK_VALUES:
            return self.vehicle, replace(self.track, **{self.parameter: value}), self.speed
        return with_value(self.vehicle, self.parameter, value), self.track, self.speed

    def settings(self) -> dict[str, Any]:
        """All of it in plain words, to be stored and compared."""
        return {
            "vehicle": vehicle_text(self.vehicle),
            "track": track_text(self.track),
            "parameter": self.parameter,
            "speed": self.speed,
            "starts": [dict(start) for start in self.starts],
            "transient": self.rule.as_dict(),
            "method": self.solving.method,
            "rtol": self.solving.rtol,
            "atol": self.solving.atol,
            "output_step": self.output_step,
            "nudge": self.nudge,
            "klingel": klingel.__version__,
        }


@dataclass(frozen=True)
class Point:
    index: int  # in the whole sweep
    value: float  # of the parameter
    direction: str  # down, up or fresh
    start: int  # index of the start its chain began with


def plan(values: list[float], direction: str, fresh: bool, starts: int) -> list[list[Point]]:
    """Chains of points; each begins with a start, and each point with the last state of the one before."""
    down = sorted(set(values), reverse=True)
    orders = {DOWN: down, UP: down[::-1]}
    ways = [DOWN, UP] if direction == BOTH else [direction]
    chains: list[list[Point]] = []
    index = 0
    for way in ways[:1] if fresh else ways:
        for start in range(starts):
            chain = [Point(index + k, v, FRESH if fresh else way, start) for k, v in enumerate(orders[way])]
            chains += [[point] for point in chain] if fresh else [chain]
            index += len(chain)
    return chains
