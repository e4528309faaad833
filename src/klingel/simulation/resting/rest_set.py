"""`rest_set`: where dry friction can hold a vehicle at rest, coordinate by coordinate.

Sliders, friction faces and leaf springs are taken exactly: each carries any force within its limits, which may
follow a load or a deformation (`holders`). Wheels, creep forces, springs and gaps are those of the engine, contact
section by contact section. The set is followed from static equilibrium through all kinks; parts that do not hang
together with it are looked for on request (`parts`). On straight track the set does not depend on the speed;
whether the vehicle stays in it does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from klingel._arguments import check_kind, check_path
from klingel._errors import InputError
from klingel.analysis.rest_extent import Extreme, extreme
from klingel.io.atomic import write_text
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import is_plain
from klingel.simulation.integration import Start
from klingel.simulation.resting.parts import Part, other_parts, read, written
from klingel.simulation.resting.standing_vehicle import StandingVehicle
from klingel.simulation.setup import check_speed, put_on_track
from klingel.track.track import Track

SPEED = 10.0  # at which the vehicle stands, if not given: any will do [m/s]
STORED = "klingel rest set"


@dataclass(frozen=True, kw_only=True)
class StoredRestSet:
    """Extent of the set, as a file has it."""

    vehicle: str
    extent: dict[str, tuple[float, float]]  # [m, rad]; infinite where nothing holds the coordinate
    final: dict[str, tuple[bool, bool]]  # False: the search stopped, a bound from inside
    left: float  # largest acceleration left in an extreme state, of that of the weight
    parts: tuple[Part, ...] = ()  # others, that do not hang together with this one

    def __getitem__(self, coordinate: str) -> tuple[float, float]:
        return self.extent[coordinate]

    def as_dict(self, files: Sequence[str] = ()) -> dict[str, Any]:
        """What `klingel rest --json` prints; null where nothing but friction holds a coordinate."""
        return {
            "vehicle": self.vehicle,
            "rest_set": {name: written(ends) for name, ends in self.extent.items()},
            "final": {name: list(ends) for name, ends in self.final.items()},
            "left": self.left,
            "parts": [part.as_dict() for part in self.parts],
            "files": list(files),
        }

    def save(self, path: str | Path) -> Path:
        """Extents as a JSON file, for pictures."""
        path = check_path("path", path)
        write_text(path, json.dumps({"kind": STORED, "units": "SI: m, rad", **self.as_dict()}, indent=1) + "\n")
        return path

    def with_(self, other: "StoredRestSet") -> "StoredRestSet":
        """With the coordinates of another set of the same vehicle."""
        return StoredRestSet(
            vehicle=self.vehicle, extent=self.extent | other.extent, final=self.final | other.final,
            left=max(self.left, other.left), parts=self.parts or other.parts,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RestSet(StoredRestSet):
    """The same with states: `low` and `high` have the extreme ones, by coordinate."""

    low: dict[str, Start]
    high: dict[str, Start]
    rest: Start  # static equilibrium, all friction unloaded


def load_rest_set(path: str | Path) -> StoredRestSet:
    """Extents that `RestSet.save` or `klingel rest --out` has written."""
    path = check_path("path", path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["kind"] != STORED:
            raise KeyError
        return StoredRestSet(
            vehicle=str(content["vehicle"]),
            extent={str(name): read(ends) for name, ends in content["rest_set"].items()},
            final={str(name): (bool(low), bool(high)) for name, (low, high) in content["final"].items()},
            left=float(content["left"]),
            parts=tuple(Part({str(name): read(ends) for name, ends in part.items()}) for part in content["parts"]),
        )
    except FileNotFoundError:
        raise InputError("file", str(path), "must be a file that exists") from None
    except (KeyError, TypeError, ValueError, AttributeError, UnicodeDecodeError):
        raise InputError("file", str(path), "must be a rest set stored by klingel") from None


def rest_set(
    vehicle: Vehicle,
    track: Track | None = None,
    speed: float = SPEED,
    coordinates: Sequence[str] | None = None,
    limits: float = 1.0,
    parts: bool = False,
    leaf_friction: bool = True,
) -> RestSet:
    """Least and greatest position at rest of every coordinate, others free.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    speed : float
        At which the vehicle runs [m/s]; the set does not depend on it.
    coordinates : names, optional
        All positions if not given.
    limits : float
        Factor on all limits of friction: a little below 1 the extreme states stay, a little above 1 they slip.
    parts : bool
        Whether parts of the set that do not hang together with static equilibrium are looked for as well.
    leaf_friction : bool
        Whether leaf springs hold anything between their envelopes, or stay on their line. Near an envelope they
        are at rest, but yield to the least motion: such extremes do not last.
    """
    check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
    track = track or Track.straight()
    check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
    check_speed(speed, 0.0, 1.0)
    if not is_plain(track):
        raise InputError("track", track.title or None, "must be straight, level and smooth")
    if not (np.isfinite(limits) and limits >= 0.0):
        raise InputError("limits", limits, "must be a factor, 0 or more")
    standing = StandingVehicle(vehicle, put_on_track(vehicle, track, speed), limits, leaf_friction)
    known = standing.positions
    for name in coordinates or ():
        if name not in known:
            raise InputError("coordinates", name, f"must be among {', '.join(known)}")
    return _extremes(standing, tuple(coordinates or known), parts)


def _extremes(of: StandingVehicle, names: tuple[str, ...], parts: bool) -> RestSet:
    found: dict[str, tuple[Extreme, Extreme]] = {}
    for name in names:
        at = of.place_of(name)
        found[name] = extreme(of, of.start, at, -1.0), extreme(of, of.start, at, 1.0)
    states = [{name: of.state(pair[side]) for name, pair in found.items()} for side in (0, 1)]
    finite = [e for pair in found.values() for e in pair if np.isfinite(e.value)]
    rest = Start(of.rest.x.copy(), of.rest.memory.copy(), of.rest.mode.copy())
    final = {name: (low.final, high.final) for name, (low, high) in found.items()}
    extent = {name: (low.value, high.value) for name, (low, high) in found.items()}
    left = max((e.left for e in finite), default=0.0)
    others = tuple(other_parts(of)) if parts else ()
    return RestSet(
        vehicle=of.vehicle.name, extent=extent, final=final, left=left, parts=others, low=states[0],
        high=states[1], rest=rest,
    )  # fmt: skip
