"""A branch of periodic motions of a vehicle, as a dataset and in words.

===========================================  ===================================================================
name                                         what, over the dimension `point`
===========================================  ===================================================================
`parameter`, `period`                        value of the parameter; of the motion [s]
`part`                                       0 for the first branch, then those that leave it, see `settings`
`stable`                                     1 where all multipliers lie inside the unit circle
`time_shift`                                 distance of the time-shift multiplier from 1: accuracy of the rest
`multiplier_real`, `multiplier_imaginary`    over `multiplier`, the largest first, without those of structure
`<body>.<coordinate>.minimum`, `.maximum`    extremes over a period [m, rad]
`.amplitude`                                 half their distance
`state`, `memory`, `mode`                    where the motion starts, over their entries
===========================================  ===================================================================
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.analysis.orbits.extremes import extremes
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import Special
from klingel.io.profile_files import with_moved_files
from klingel.io.runs import BRANCH, read_dataset, write_dataset
from klingel.model.description import unit_of
from klingel.model.layout import Layout, Moves

DONE, INTERRUPTED = "done", "interrupted"  # a branch, or what there is of one


@dataclass(frozen=True)
class SpecialPoint:
    type: str
    parameter: float
    after: int  # number of the point before it
    amplitude: dict[str, float]
    period: float
    detail: str = ""
    part: int = 0  # of the branch

    def as_dict(self) -> dict[str, Any]:
        return {
            "type": self.type, "parameter": self.parameter, "after": self.after, "period": self.period,
            "amplitude": self.amplitude, "detail": self.detail, "part": self.part,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class VehicleBranch:
    """Points in the order in which they were followed."""

    data: xr.Dataset
    special: list[SpecialPoint]
    ended: str  # a sentence
    settings: dict[str, Any]
    status: str = DONE

    def __repr__(self) -> str:
        told = ", ".join(f"{s.type} {s.parameter:.6g}" for s in self.special)
        return f"Branch over {self.settings['parameter']}, {self.parameter.size} points: {told}; {self.ended}"

    def __getitem__(self, name: str) -> xr.DataArray:
        if name not in self.data:
            raise InputError("quantity", name, f"must be one of {', '.join(str(n) for n in self.data)}")
        return self.data[name]

    @property
    def parameter(self) -> np.ndarray:
        return self.data["parameter"].to_numpy()

    @property
    def stable(self) -> np.ndarray:
        return self.data["stable"].to_numpy().astype(bool)

    @property
    def part(self) -> np.ndarray:
        """Number of the part of each point; files of earlier versions have one part."""
        return self.data["part"].to_numpy() if "part" in self.data else np.zeros(self.parameter.size, int)

    @property
    def coordinates(self) -> list[str]:
        return [str(name).removesuffix(".amplitude") for name in self.data if str(name).endswith(".amplitude")]

    def multipliers(self, point: int) -> np.ndarray:
        real, imaginary = (self.data[f"multiplier_{part}"][point].to_numpy() for part in ("real", "imaginary"))
        return (real + 1j * imaginary)[~np.isnan(real)]

    def of_type(self, type_: str) -> list[SpecialPoint]:
        return [special for special in self.special if special.type == type_]

    def save(self, path: str | Path) -> Path:
        """Write the branch as a netCDF file; it appears only when it is complete."""
        words = {"special": [s.as_dict() for s in self.special], "settings": self.settings}
        attributes = {
            "ended": self.ended,
            "status": self.status,
            **{key: json.dumps(value) for key, value in words.items()},
        }
        return write_dataset(self.data, attributes, Path(path), BRANCH)


def load_branch(path: str | Path) -> VehicleBranch:
    """A branch from its file."""
    place = Path(check_path("path", path))
    data, attributes = read_dataset(place, BRANCH)
    try:
        special = [SpecialPoint(**told) for told in json.loads(attributes["special"])]
        settings = with_moved_files(json.loads(attributes["settings"]), place.parent)
        return VehicleBranch(data, special, attributes["ended"], settings, attributes.get("status", DONE))
    except (KeyError, ValueError, TypeError):
        raise InputError("file", str(place), "must be a branch stored by klingel") from None


def amplitudes(orbit: Orbit, layout: Layout) -> dict[str, tuple[float, float]]:
    """Extremes of every position over a period, by its name."""
    low, high = extremes(orbit)
    positions = [(k, s.name) for k, s in enumerate(layout.state_info) if s.moves == Moves.POSITION]
    return {name: (float(low[k]), float(high[k])) for k, name in positions}


def special_point(special: Special, after: int, layout: Layout, part: int = 0) -> SpecialPoint:
    sizes = {name: 0.5 * (high - low) for name, (low, high) in amplitudes(special.orbit, layout).items()}
    return SpecialPoint(special.kind, special.parameter, after, sizes, special.orbit.period, special.detail, part)


def record(orbit: Orbit, layout: Layout) -> dict[str, Any]:
    """One point, in plain words."""
    values = orbit.multipliers
    first, n = orbit.segments[0], len(layout.states)
    memory = first.memory.copy()
    memory[orbit.family.at(orbit.parameter).memory_coordinates] = orbit.start[n:]
    return {
        "parameter": orbit.parameter,
        "period": orbit.period,
        "stable": orbit.stable,
        "time_shift": orbit.time_shift - 1.0,
        "multipliers": [[float(v.real), float(v.imag)] for v in values],
        "extremes": amplitudes(orbit, layout),
        "state": orbit.start[:n].tolist(),
        "memory": memory.tolist(),
        "mode": first.mode.tolist(),
        "events": len([s for s in orbit.segments if s.guard >= 0]) * (2 if orbit.half else 1),
        "half": orbit.half,
    }


def from_records(
    records: list[dict[str, Any]],
    special,
    ended: str,
    settings: dict[str, Any],
    parts: list[int],
    status: str = DONE,
) -> VehicleBranch:
    """`parts`: number of the part of each record."""
    count = max((len(r["multipliers"]) for r in records), default=0)
    table = np.full((len(records), count, 2), np.nan)
    for row, r in zip(table, records, strict=True):
        row[: len(r["multipliers"])] = np.reshape(r["multipliers"], (-1, 2))
    data: dict[str, Any] = {
        "parameter": ("point", _column(records, "parameter"), {"long_name": settings["parameter"]}),
        "period": ("point", _column(records, "period"), {"units": "s"}),
        "part": ("point", np.array(parts, np.int32)),
        "stable": ("point", np.array([r["stable"] for r in records], np.int8)),
        "half": ("point", np.array([r["half"] for r in records], np.int8)),
        "time_shift": ("point", _column(records, "time_shift")),
        "events": ("point", np.array([r["events"] for r in records], np.int32)),
        "multiplier_real": (("point", "multiplier"), table[..., 0]),
        "multiplier_imaginary": (("point", "multiplier"), table[..., 1]),
        "state": (("point", "state_entry"), np.array([r["state"] for r in records])),
        "memory": (("point", "memory_entry"), _rows(records, "memory", float, np.nan)),
        "mode": (("point", "mode_entry"), _rows(records, "mode", np.int8, -1)),
    }
    for name in records[0]["extremes"] if records else ():
        ends = np.array([r["extremes"][name] for r in records])
        unit = {"units": unit_of(name.rpartition(".")[2])}
        data[f"{name}.minimum"] = ("point", ends[:, 0], unit)
        data[f"{name}.maximum"] = ("point", ends[:, 1], unit)
        data[f"{name}.amplitude"] = ("point", 0.5 * (ends[:, 1] - ends[:, 0]), unit)
    return VehicleBranch(xr.Dataset(data), list(special), ended, settings, status)


def _rows(records: list[dict[str, Any]], key: str, kind: type, missing: float) -> np.ndarray:
    """At least one column: netCDF reads an axis of no length as one that has no end."""
    size = max([1, *(len(r[key]) for r in records)])
    found = np.full((len(records), size), missing, kind)
    for row, record in zip(found, records, strict=True):
        row[: len(record[key])] = record[key]
    return found


def _column(records: list[dict[str, Any]], key: str) -> np.ndarray:
    return np.array([r[key] for r in records], float)
