"""What a critical speed is asked with: speeds, the motion that counts, ways to compute, seeds, times."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from klingel._arguments import check_number, check_text, check_whole
from klingel._errors import InputError
from klingel.simulation.request.parts import Solving
from klingel.simulation.request.request import RunRequest

FINER = 0.1  # of the tolerance, for the second one
SLOWER = 2.0  # times as long at each speed, for the second rate of descent
LONG = 4.0  # holds that the lowest speed must be kept for
DISTANCE = 100.0  # least way of a hold: some wavelengths of hunting [m]
FIRST_STEP, FINEST_STEP = 0.5, 0.125  # of a descent [m/s]
FASTEST_OF_ALL = 200.0  # [m/s]
MOST_SEEDS = 1000
AS_ASKED, FINER_RTOL, OTHER_METHOD, SLOWER_DESCENT = "as asked", "rtol/10", "other method", "slower descent"
WAYS = (AS_ASKED, FINER_RTOL, OTHER_METHOD, SLOWER_DESCENT)


@dataclass(frozen=True)
class Settings:
    threshold: float = 5e-4  # half of peak to peak of a wheelset from which on a motion counts [m]
    slowest: float = 3.0  # [m/s]
    fastest: float = 70.0  # [m/s]
    hold: float = 5.0  # least time at each speed of a descent [s]
    seeds: int = 5
    seed: int = 0  # of the first
    other_method: str = "bs32"

    def __post_init__(self) -> None:
        for name, unit in (("threshold", "m"), ("slowest", "m/s"), ("fastest", "m/s"), ("hold", "s")):
            value = check_number(name, getattr(self, name), unit)
            if not value > 0.0:
                raise InputError(name, value, f"must be positive, in {unit}")
            object.__setattr__(self, name, float(value))
        if not self.slowest + FIRST_STEP <= self.fastest <= FASTEST_OF_ALL:
            allowed = f"must lie between slowest + {FIRST_STEP:g} = {self.slowest + FIRST_STEP:g} and "
            raise InputError("fastest", self.fastest, f"{allowed}{FASTEST_OF_ALL:g} m/s")
        check_whole("seeds", self.seeds, 1, MOST_SEEDS)
        check_whole("seed", self.seed, 0)
        check_text("other_method", self.other_method, "the name of a method")

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def hold_at(self, speed: float) -> float:
        """Time at a speed [s]."""
        return max(self.hold, DISTANCE / speed)


@dataclass(frozen=True)
class Asked:
    """A vehicle, its track and the settings; what worker processes get."""

    request: RunRequest
    settings: Settings

    def __post_init__(self) -> None:
        self.request.changed(method=self.settings.other_method)  # refuses a name that is none

    def solving(self, way: str) -> Solving:
        given = self.request.solving
        if way == FINER_RTOL:
            return replace(given, rtol=FINER * given.rtol)
        return replace(given, method=self.settings.other_method) if way == OTHER_METHOD else given

    def patience(self, way: str) -> float:
        """Factor on the time at each speed."""
        return SLOWER if way == SLOWER_DESCENT else 1.0

    def ways_told(self) -> str:
        rtol, s = self.request.solving.rtol, self.settings
        return (
            f"rtol {rtol:g} and {FINER * rtol:g}, methods {self.request.solving.method} and {s.other_method}, "
            f"{s.seeds} seeds from {s.seed}, {FIRST_STEP:g} m/s per {s.hold:g} s and per {SLOWER * s.hold:g} s"
        )
