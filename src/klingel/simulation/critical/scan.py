"""Where motions are: starts of several sizes at many speeds, each held until it shows whether it lasts."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.analysis.descents.descent import Held
from klingel.analysis.descents.motion_sizes import Rank
from klingel.simulation.critical.ride import Carried, Ride
from klingel.simulation.critical.settings import AS_ASKED, Settings

LEAST_APART, RELATIVELY = 1.0, 0.08  # speeds that are looked at [m/s], [of the speed]
SETTLE = 2.0  # holds before the one that is compared
TRIES = 4  # with half the shift of bodies above the wheelsets, in a start that leaves the rails
LASTING = 0.7  # of the width one hold before: less is decay


class Size(NamedTuple):
    """Largest offsets of a start."""

    lateral: float  # of the wheelsets [m]
    yaw: float  # [rad]
    above: float = 0.0  # lateral, of the bodies above them [m]
    together: bool = False  # all wheelsets to the same side


STARTS = (
    Size(1e-3, 5e-4),
    Size(3e-3, 2e-3),
    Size(5.5e-3, 3e-3),
    Size(5.5e-3, 3e-3, together=True),
    Size(5.5e-3, 3e-3, 20e-3, together=True),
)


@dataclass(frozen=True)
class Hit:
    """What a start has come to at a speed, or a motion that was carried there."""

    held: Held
    start: str


def speeds_of(settings: Settings) -> list[float]:
    """From the slowest to the fastest, wider apart where it is fast."""
    speeds = [settings.slowest]
    while speeds[-1] < settings.fastest:
        speeds.append(min(speeds[-1] + max(LEAST_APART, RELATIVELY * speeds[-1]), settings.fastest))
    return speeds


def offsets(ride: Ride, size: Size, rng: np.random.Generator) -> dict[str, float]:
    """A start; each wheelset nearly as far as allowed, to one side or the other."""
    wheelsets = ride.layout.rolling
    sides = (
        np.full(len(wheelsets), rng.choice((-1.0, 1.0)))
        if size.together
        else rng.choice((-1.0, 1.0), len(wheelsets))
    )
    found = {}
    for body, side in zip(wheelsets, sides, strict=True):
        found[f"{body}.y"] = float(side * size.lateral * rng.uniform(0.9, 1.0))
        turned = side if size.together else rng.uniform(-1.0, 1.0)
        found[f"{body}.yaw"] = float(turned * size.yaw)
    if size.above:
        above = [body.name for body in ride.vehicle.bodies if body.name not in wheelsets]
        found |= {f"{name}.y": float(size.above * rng.uniform(-1.0, 1.0)) for name in above}
    return {name: value for name, value in found.items() if name in ride.layout.states}


def scan_at(ride: Ride, speed: float) -> list[Hit]:
    """Of every start what it has come to at a speed, those that decay left out; Rank.OFF where it broke off."""
    found = []
    for number, size in enumerate(STARTS):
        try:
            held = _from_start(ride, speed, number, size)
        except InputError:  # such a start is beyond the contact tables
            continue
        if held is not None:
            found.append(Hit(held, f"start of {1e3 * size.lateral:g} mm"))
    return found


def _from_start(ride: Ride, speed: float, number: int, size: Size) -> Held | None:
    """What a start has come to; frames beside wheelsets that hold them stiffly may push these over their rails."""
    for _ in range(TRIES):
        rng = np.random.default_rng((ride.asked.settings.seed, number, round(1e6 * speed)))
        held = lasting(ride, speed, ride.start(speed, offsets(ride, size, rng)))
        if held is None or held.rank != Rank.OFF or not size.above:
            break
        size = size._replace(above=0.5 * size.above)
    return held


def lasting(ride: Ride, speed: float, state: Carried) -> Held | None:
    """What a start has come to; None where it comes to rest, or still decays; Rank.OFF where it broke off."""
    time, solving = ride.asked.settings.hold_at(speed), ride.asked.solving(AS_ASKED)
    before, _ = ride.hold(speed, state, SETTLE * time, solving)
    if before.rank < Rank.SMALL:
        return before if before.rank == Rank.OFF else None
    held, _ = ride.hold(speed, before.state, time, solving)
    lasts = held.rank >= Rank.SMALL and held.width >= LASTING * before.width
    return held if lasts or held.rank == Rank.OFF else None
