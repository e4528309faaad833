"""Over what corners and jumps of laws are rounded, where a run asks for smooth laws."""

from dataclasses import dataclass
from math import isfinite

from klingel._errors import InputError

LENGTH, SPEED = "smooth_length", "smooth_speed"  # names of the widths in a request


class NoSmoothForm(Exception):
    """What a law has that cannot be rounded."""


@dataclass(frozen=True)
class Widths:
    """None: not stated, and refused where it is needed."""

    length: float | None = None  # of corners over a deformation [m, rad]
    speed: float | None = None  # of jumps over its rate [m/s, rad/s]

    def __post_init__(self) -> None:
        for name, value in ((LENGTH, self.length), (SPEED, self.speed)):
            if value is not None and not (isfinite(value) and value > 0.0):
                raise InputError(name, value, "must be finite and positive")


def needed(width: float | None, name: str) -> float:
    """A width that a law asks for."""
    if width is None:
        raise InputError(name, None, "must be given: the width over which the law is rounded")
    return width
