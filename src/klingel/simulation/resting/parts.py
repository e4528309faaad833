"""Parts of the set of rest states that do not hang together with static equilibrium.

A wheelset that rolls on equal radii beside the middle, on worn or unlike wheels, may rest there too. With all
wheelsets shifted alike or alternately, by several amounts, a rest is looked for; each is followed to its extremes,
through all contact sections, and where these do not meet those of another part it is a part of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from klingel.analysis.rest_extent import Place, extreme, near_rest
from klingel.simulation.resting.standing_vehicle import StandingVehicle

SHIFTS = np.array([0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 5.8]) * 1e-3  # that are looked at [m]
SAME = 2e-5  # of extents that are the same part [m]


@dataclass(frozen=True)
class Part:
    extent: dict[str, tuple[float, float]]  # lateral positions of the wheelsets [m]

    def as_dict(self) -> dict[str, Any]:
        return {name: written(ends) for name, ends in self.extent.items()}


def written(ends: tuple[float, float]) -> list[float | None]:
    """Both ends as JSON knows them: null where nothing holds the coordinate."""
    return [float(end) if np.isfinite(end) else None for end in ends]


def read(ends: Sequence[float | None]) -> tuple[float, float]:
    low, high = ends
    return -np.inf if low is None else float(low), np.inf if high is None else float(high)


def other_parts(of: StandingVehicle) -> Iterator[Part]:
    """Each part once."""
    names = [f"{body}.y" for body in of.compiled.layout.rolling if f"{body}.y" in of.positions]
    if not names:
        return
    places = [of.place_of(name) for name in names]
    known: list[Part] = [_part(of, names, places, None)]
    for shifts in _patterns(len(names)):
        q = of.start.copy()
        q[places] += shifts
        found = near_rest(of, q)
        if found is None or any(_inside(part, names, found.q[places]) for part in known):
            continue
        part = _part(of, names, places, found)
        if any(_meet(part, other) for other in known):
            continue
        known.append(part)
        yield part


def _patterns(count: int) -> Iterator[np.ndarray]:
    for size in SHIFTS:
        for sign in (1.0, -1.0):
            yield np.full(count, sign * size)
            if count > 1:
                yield sign * size * np.where(np.arange(count) % 2, -1.0, 1.0)


def _part(of: StandingVehicle, names: list[str], places: list[int], at: Place | None) -> Part:
    ends = [[extreme(of, of.start, place, sign, at).value for sign in (-1.0, 1.0)] for place in places]
    return Part({name: (low, high) for name, (low, high) in zip(names, ends, strict=True)})


def _inside(part: Part, names: list[str], shifts: np.ndarray) -> bool:
    ends = [part.extent[name] for name in names]
    return all(low - SAME <= shift <= high + SAME for (low, high), shift in zip(ends, shifts, strict=True))


def _meet(one: Part, two: Part) -> bool:
    pairs = [(one.extent[name], two.extent[name]) for name in one.extent]
    return all(a[0] <= b[1] + SAME and b[0] <= a[1] + SAME for a, b in pairs)
