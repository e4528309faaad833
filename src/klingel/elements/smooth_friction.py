"""Dry friction with its jump rounded: F = T tanh(|v| / w) v / |v|, in one direction or in a plane; no modes.

The usual stand-in for true stick (`rigid_friction`), and no stick at all: under a force P below T it creeps at
w artanh(P / T) for ever. T is constant. Heats by F v, stores nothing. The limit of small widths is kinetic
friction; a static limit above it has no smooth form.
"""

from dataclasses import dataclass
from math import isfinite, sqrt, tanh

from klingel._errors import InputError
from klingel._jit import kernel

SMALL = 1e-8  # |v| / w below which tanh(s) / s is 1 to rounding


@dataclass(frozen=True)
class SmoothFriction:
    limit: float  # T [N]
    rounding_speed: float  # w, over which the jump is rounded [m/s]

    def __post_init__(self) -> None:
        if not (isfinite(self.limit) and self.limit >= 0.0):
            raise InputError("limit", self.limit, "must be finite and not negative")
        if not (isfinite(self.rounding_speed) and self.rounding_speed > 0.0):
            allowed = "must be finite and positive; without rounding: rigid_friction"
            raise InputError("rounding_speed", self.rounding_speed, allowed)


@kernel
def per_speed(v, w, limit, width):
    """Force over slip velocity, whose components are v and w [N s/m]."""
    s = sqrt(v * v + w * w) / width
    return limit / width * (tanh(s) / s if s > SMALL else 1.0)
