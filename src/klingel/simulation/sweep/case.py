"""What stays the same through a sweep, and what one point of it is.

The parameter of a sweep is the speed, the inclination or the gauge of the track, an option of the wagon (`links`,
`load`, see `klingel.io.vehicle.options`) or any value of the vehicle by its dotted name (`carbody.mass`). Words,
unlike numbers, have no order: there is no way up or down, and every point starts anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import klingel
from klingel._errors import InputError
from klingel.analysis.transients import Rule
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.options import with_property
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.simulation.integration import Solving
from klingel.track.track import Track

SPEED = "speed"
TRACK_VALUES = ("inclination", "gauge")
DOWN, UP, BOTH, FRESH = "down", "up", "both", "fresh"
Value = float | str


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

    def at(self, value: Value) -> tuple[Vehicle, Track, float]:
        """Vehicle, track and speed at a value of the parameter."""
        of_track = self.parameter in (SPEED, *TRACK_VALUES)
        if of_track and isinstance(value, str):
            raise InputError(self.parameter, value, "must be a number in SI units")
        if self.parameter == SPEED:
            return self.vehicle, self.track, float(value)
        if self.speed is None:
            raise InputError("speed", None, f"must be given when {self.parameter} is what changes")
        if of_track:
            return self.vehicle, replace(self.track, **{self.parameter: value}), self.speed
        return with_property(self.vehicle, self.parameter, value), self.track, self.speed

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
    value: Value  # of the parameter
    direction: str  # down, up or fresh
    start: int  # index of the start its chain began with


def in_words(values: Sequence[Value]) -> bool:
    return any(isinstance(value, str) for value in values)


def plan(values: Sequence[Value], direction: str, fresh: bool, starts: int) -> list[list[Point]]:
    """Chains of points; each begins with a start, and each point with the last state of the one before."""
    words = in_words(values)
    fresh = fresh or words
    down = list(dict.fromkeys(values)) if words else sorted(set(values), reverse=True)
    orders = {DOWN: down, UP: down[::-1]}
    ways = [DOWN, UP] if direction == BOTH else [DOWN if words else direction]
    chains: list[list[Point]] = []
    index = 0
    for way in ways[:1] if fresh else ways:
        for start in range(starts):
            chain = [Point(index + k, v, FRESH if fresh else way, start) for k, v in enumerate(orders[way])]
            chains += [[point] for point in chain] if fresh else [chain]
            index += len(chain)
    return chains
