"""How a run is solved, a part of a request."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from klingel._arguments import check_whole
from klingel._errors import InputError
from klingel.elements.smooth_widths import LENGTH, SPEED, Widths
from klingel.model.layout import State
from klingel.simulation.setup import check_number, tolerances

DIMENSION = "dimension"
LARGEST_RTOL = 0.01  # 1 mm and 10 mm/s in one step, see `setup`
SMALLEST_RTOL = 1e-15  # of rounding

# A run that needs more steps than this has a vehicle with absurd numbers. Vehicles of the library take 1200 to
# 5100 per second at 1e-6; at 1e-9 and 60 m/s 153 000 with the method of lowest order, where a million are allowed.
STEPS_PER_SECOND, AT_RTOL, LOWEST_ORDER = 100_000, 1e-6, 3
STEPS_TO_START, MOST_STEPS = 200_000, 2**62

LOCATE = ("auto", "all", "needed", "ignore", "smooth")
SMOOTH = LOCATE[-1]


def quantity(dimension: str) -> dict[str, str]:
    return {DIMENSION: dimension}


@dataclass(frozen=True)
class Solving:
    """How runs are integrated, see `simulate`."""

    method: str = "auto"
    rtol: float = field(default=1e-6, metadata=quantity("number"))
    atol: tuple[float, ...] | float | None = None  # per state; None for the usual ones
    max_steps: int | None = None  # None: as many per second as no sensible vehicle needs
    locate: str = "auto"  # events: all, needed (contact states follow the shift), auto by rtol; ignore: none
    smooth_length: float | None = field(default=None, metadata=quantity("length"))  # locate = smooth: of corners
    smooth_speed: float | None = field(default=None, metadata=quantity("speed"))  # and of the jump of friction

    def __post_init__(self) -> None:
        if not isinstance(self.method, str):
            raise InputError("method", self.method, "must be the name of a method")
        if self.locate not in LOCATE:
            raise InputError("locate", self.locate, f"must be one of {', '.join(LOCATE)}")
        for name in (LENGTH, SPEED):
            width = getattr(self, name)
            if width is None:
                continue
            check_number(name, width, "m" if name == LENGTH else "m/s")
            if self.locate != SMOOTH:
                raise InputError(name, width, f"must be left out: locate is {self.locate}, not {SMOOTH}")
            object.__setattr__(self, name, float(width))
        Widths(self.smooth_length, self.smooth_speed)
        if self.locate == SMOOTH and self.smooth_length is None and self.smooth_speed is None:
            raise InputError(LENGTH, None, f"must be given where locate is {SMOOTH}, or {SPEED}, or both")
        check_number("rtol", self.rtol, "parts of the state")
        if self.rtol > LARGEST_RTOL:
            allowed = f"must be at most {LARGEST_RTOL:g}: steps so coarse throw wheels off their rails"
            raise InputError("rtol", self.rtol, allowed)
        if not self.rtol >= SMALLEST_RTOL:
            raise InputError("rtol", self.rtol, f"must be at least {SMALLEST_RTOL:g}, the size of rounding")
        object.__setattr__(self, "rtol", float(self.rtol))
        if self.max_steps is not None:
            object.__setattr__(self, "max_steps", check_whole("max_steps", self.max_steps, 1))
        if self.atol is not None:
            try:
                sizes = np.asarray(self.atol, float)
            except (TypeError, ValueError):
                raise InputError("atol", self.atol, "must be a positive number, or one per state") from None
            object.__setattr__(self, "atol", tuple(sizes.tolist()) if sizes.ndim == 1 else sizes.tolist())

    def step_budget(self, duration: float) -> int:
        """Trial steps after which a run of this duration is broken off."""
        if self.max_steps is not None:
            return self.max_steps
        finer = max(AT_RTOL / self.rtol, 1.0) ** (1.0 / LOWEST_ORDER)
        return int(min(STEPS_TO_START + STEPS_PER_SECOND * finer * duration, MOST_STEPS))

    def tolerance(self, states: Sequence[State]) -> np.ndarray:
        return tolerances(states, self.rtol) if self.atol is None else np.asarray(self.atol, float)
