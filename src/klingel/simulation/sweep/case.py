"""What stays the same through a sweep, and what one point of it is.

The parameter of a sweep is the speed, the inclination or the gauge of the track, an option of the wagon (`links`,
`load`, see `klingel.io.vehicle.options`) or any value of the vehicle by its dotted name (`carbody.mass`). Words,
unlike numbers, have no order: there is no way up or down, and every point starts anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import klingel
from klingel._errors import InputError
from klingel.analysis.transients import Rule
from klingel.elements.smooth_widths import LENGTH
from klingel.elements.smooth_widths import SPEED as SPEED_WIDTH
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.options import with_property
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.simulation.request.request import RunRequest

SPEED = "speed"
TRACK_VALUES = ("inclination", "gauge")
DOWN, UP, BOTH, FRESH = "down", "up", "both", "fresh"
WAY = ("locate", LENGTH, SPEED_WIDTH)  # how events are treated; a width where laws are smoothed
Value = float | str


def way_in(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of stored settings of a sweep or a branch, those that say how events were treated."""
    return {name: settings[name] for name in WAY if name in settings}


@dataclass(frozen=True)
class Case:
    """Everything but the points."""

    request: RunRequest  # of a point; its start, duration and, where that is the parameter, speed are not used
    parameter: str
    starts: tuple[dict[str, float], ...]  # offsets from rest
    rule: Rule
    nudge: float  # lateral offset that wakes wheelsets found at rest [m]

    def at(self, value: Value) -> RunRequest:
        """The request at a value of the parameter."""
        of_track = self.parameter in (SPEED, *TRACK_VALUES)
        if of_track and isinstance(value, str):
            raise InputError(self.parameter, value, "must be a number in SI units")
        if self.parameter == SPEED:
            return self.request.changed(speed=value)
        if of_track:
            return self.request.changed(track=replace(self.request.read_track(), **{self.parameter: value}))
        return self.request.changed(vehicle=with_property(self.request.given_vehicle(), self.parameter, value))

    def settings(self) -> dict[str, Any]:
        """All of it in plain words, to be stored and compared."""
        request = self.request
        solving = request.as_dict(inline=False)["solving"]
        return {
            "vehicle": vehicle_text(request.given_vehicle()),
            "track": track_text(request.read_track()),
            "parameter": self.parameter,
            "speed": None if self.parameter == SPEED else request.speed,
            "starts": [dict(start) for start in self.starts],
            "transient": self.rule.as_dict(),
            "method": solving["method"],
            "rtol": solving["rtol"],
            "atol": solving.get("atol"),
            **way_in(solving),
            "output_step": request.outputs.output_step,
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
