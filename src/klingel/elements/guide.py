"""Rigid stops on both sides of a clearance: Newton impact, resting contact; the mechanics are in `impact`."""

from dataclasses import dataclass
from math import isfinite

from klingel._errors import InputError


@dataclass(frozen=True)
class Guide:
    clearance: float  # each side [m]
    restitution: float  # [-]
    resting_speed: float = 1e-3  # impacts slower than this do not rebound [m/s]

    def __post_init__(self) -> None:
        if not (isfinite(self.clearance) and self.clearance > 0.0):
            raise InputError("clearance", self.clearance, "must be finite and positive")
        if not (isfinite(self.resting_speed) and self.resting_speed >= 0.0):
            raise InputError("resting_speed", self.resting_speed, "must be finite and not negative")
        if not 0.0 <= self.restitution <= 1.0:
            raise InputError("restitution", self.restitution, "must lie in [0, 1]")
