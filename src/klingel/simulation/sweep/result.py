"""Sweep: points of a brute-force bifurcation diagram, as a dataset and in words.

========================================  ======================================================================
name                                      what, over the dimension `point`
========================================  ======================================================================
`parameter`                               value of the parameter; of words their place in `flag_meanings`
`direction`, `kind`                       whole numbers; `flag_meanings` says what they stand for
`start`                                   which of the starts the chain began with
`<body>.<coordinate>.maxima`              values of the local maxima, over `maximum`, NaN where there are no more
`.minimum`, `.maximum`, `.amplitude`      extremes and half their distance
`.middle`, `.frequency`                   half their sum; of cycles, NaN where there is none [Hz]
`transient`, `window`, `simulated`        thrown away, measured, simulated altogether [s]
`state`, `rest`, `memory`, `mode`         at the end of the point, NaN (mode -1) after derailment and where the
                                          vehicle of a point has fewer entries than that of another
========================================  ======================================================================
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.analysis.motion_kinds import IRREGULAR, LONGEST_CYCLE, OFF_CENTRE, REST, UNSETTLED, period_n
from klingel.io import journal
from klingel.io.plain_files import is_file
from klingel.io.profile_files import with_moved_files
from klingel.io.runs import SWEEP, read_dataset, write_dataset
from klingel.model.description import unit_of
from klingel.simulation.run import DERAILED, DONE, FAILED, INTERRUPTED
from klingel.simulation.sweep.case import DOWN, FRESH, UP
from klingel.simulation.sweep.point import Record

KINDS = (
    REST, OFF_CENTRE, *(period_n(n) for n in range(1, LONGEST_CYCLE + 1)), IRREGULAR, UNSETTLED, DERAILED, FAILED
)  # fmt: skip
DIRECTIONS = (DOWN, UP, FRESH)
SETTINGS = ("parameter", "states", "modes", "memory_size", "vehicle", "track", "values")  # of a journal


@dataclass(frozen=True, repr=False)
class Sweep:
    """Points in the order of their chains: all of the first, then the next."""

    data: xr.Dataset
    status: str  # done or interrupted
    settings: dict[str, Any]  # of the sweep, vehicle and track as TOML among them
    names: dict[str, list[str]]  # of coordinates and states
    evidence: list[dict[str, Any]]  # per point, the numbers behind its kind

    def __repr__(self) -> str:
        values = self.parameter
        ends = f"{values[0]} to {values[-1]}" if values.size else "no points"
        kinds = {kind: self.kinds.count(kind) for kind in dict.fromkeys(self.kinds)}
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        return f"Sweep over {self.settings['parameter']}, {values.size} points, {ends}, {self.status}: {told}"

    def __getitem__(self, name: str) -> xr.DataArray:
        if name not in self.data:
            raise InputError("quantity", name, f"must be one of {', '.join(str(n) for n in self.data)}")
        return self.data[name]

    @property
    def parameter(self) -> np.ndarray:
        """Values of the parameter, numbers or words."""
        return np.array(self.words)[self.place.astype(int)] if self.words else self.place

    @property
    def place(self) -> np.ndarray:
        """Where the points stand on an axis: the values, or of words their number from 0."""
        return self.data["parameter"].to_numpy()

    @property
    def words(self) -> list[str]:
        """Different values of a parameter that is not a number, in their order."""
        return _words(self.settings)

    @property
    def kinds(self) -> list[str]:
        return [KINDS[k] for k in self.data["kind"].to_numpy()]

    @property
    def directions(self) -> list[str]:
        return [DIRECTIONS[k] for k in self.data["direction"].to_numpy()]

    @property
    def coordinates(self) -> list[str]:
        return self.names["coordinates"]

    def maxima(self, coordinate: str) -> list[np.ndarray]:
        """Local maxima of a coordinate, one array per point."""
        rows = self[f"{coordinate}.maxima"].to_numpy()
        return [row[~np.isnan(row)] for row in rows]

    def save(self, path: str | Path) -> Path:
        """Write the sweep as a netCDF file; it appears only when it is complete."""
        words = {"settings": self.settings, "names": self.names, "evidence": self.evidence}
        attributes = {"status": self.status, **{key: json.dumps(value) for key, value in words.items()}}
        return write_dataset(self.data, attributes, Path(path), SWEEP)


def journal_of(path: str | Path) -> Path:
    """Where the points of an unfinished sweep are kept."""
    path = Path(path)
    return path.with_name(f"{path.name}.journal")


def read_journal(kept: Path) -> tuple[dict[str, Any], list[Record]]:
    """Settings and points of an unfinished sweep; a point that stands there twice counts once."""
    settings, lines = journal.read(kept)
    if not isinstance(settings, dict) or not set(SETTINGS) <= settings.keys():
        raise InputError("file", str(kept), "must begin with the settings of its sweep; its first line is lost")
    records = {}
    try:
        for record in lines:
            if record != settings:  # two beginnings of the same sweep are one
                records[int(record["index"])] = _checked(record, settings)
        from_records(settings, list(records.values()))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError("file", str(kept), "must hold points of one sweep after its first line") from None
    return with_moved_files(settings, kept.parent), list(records.values())


def _checked(record: Record, settings: dict[str, Any]) -> Record:
    """A point that the next one of its chain can begin with."""
    end = record["end"]
    if end is not None:
        sizes = {"x": len(settings["states"]), "rest": len(settings["states"]), "mode": len(settings["modes"])}
        if not _words(settings) and any(len(end[key]) != size for key, size in sizes.items()):
            raise ValueError
        np.array([*end["x"], *end["rest"], *end["memory"]], float)
    return record


def load_sweep(path: str | Path) -> Sweep:
    """A sweep from its file; of one that is unfinished or was killed, the points it has so far."""
    path = check_path("path", path)
    kept = journal_of(path)
    if is_file(kept):
        settings, records = read_journal(kept)
        return from_records(settings, records, INTERRUPTED)
    data, attributes = read_dataset(Path(path), SWEEP)
    try:
        settings, *words = (json.loads(attributes[key]) for key in ("settings", "names", "evidence"))
        return Sweep(data, attributes["status"], with_moved_files(settings, path.parent), *words)
    except (KeyError, ValueError, TypeError):
        raise InputError("file", str(path), "must be a sweep stored by klingel") from None


def from_records(settings: dict[str, Any], records: list[Record], status: str = DONE) -> Sweep:
    """A sweep from what was stored of its points, in any order."""
    records = sorted(records, key=lambda record: record["index"])
    names = {"coordinates": _names(records, "minimum"), "states": settings["states"], "modes": settings["modes"]}
    data: dict[str, Any] = {
        "parameter": ("point", *_parameter(records, settings)),
        "direction": ("point", _flags(records, "direction", DIRECTIONS), _meanings(DIRECTIONS)),
        "kind": ("point", _flags(records, "kind", KINDS), _meanings(KINDS)),
        "start": ("point", np.array([record["start"] for record in records], np.int32)),
        "simulated": ("point", _column(records, "simulated"), {"units": "s"}),
    }
    for key in ("transient", "window"):
        found = [record["evidence"].get(key, np.nan) for record in records]
        data[key] = ("point", np.array(found, float), {"units": "s"})
    for name in names["coordinates"]:
        data |= _coordinate(records, name)
    data |= _ends(records, settings)
    return Sweep(xr.Dataset(data), status, settings, names, [record["evidence"] for record in records])


def _words(settings: dict[str, Any]) -> list[str]:
    return [word for word in dict.fromkeys(settings.get("values", ())) if isinstance(word, str)]


def _parameter(records: list[Record], settings: dict[str, Any]) -> tuple[np.ndarray, dict[str, Any]]:
    told: dict[str, Any] = {"long_name": settings["parameter"]}
    words = _words(settings)
    if not words:
        return _column(records, "value"), told
    places = np.array([words.index(record["value"]) for record in records], float)
    return places, told | _meanings(tuple(words))


def _names(records: list[Record], key: str) -> list[str]:
    return next((list(record[key]) for record in records if key in record), [])


def _column(records: list[Record], key: str) -> np.ndarray:
    return np.array([record[key] for record in records], float)


def _flags(records: list[Record], key: str, words: tuple[str, ...]) -> np.ndarray:
    return np.array([words.index(record[key]) for record in records], np.int8)


def _meanings(words: tuple[str, ...]) -> dict[str, Any]:
    plain = [word.replace(" ", "_") for word in words]
    return {"flag_values": np.arange(len(words), dtype=np.int8), "flag_meanings": " ".join(plain)}


def _coordinate(records: list[Record], name: str) -> dict[str, Any]:
    unit = {"units": unit_of(name.rpartition(".")[2])}

    def values(key: str) -> np.ndarray:
        found = [record.get(key, {}).get(name) for record in records]
        return np.array([np.nan if value is None else value for value in found], float)

    low, high = values("minimum"), values("maximum")
    lists = [record.get("maxima", {}).get(name, []) for record in records]
    longest = max((len(record) for r in records for record in r.get("maxima", {}).values()), default=0)
    maxima = np.full((len(records), max(longest, 1)), np.nan)
    for row, found in zip(maxima, lists, strict=True):
        row[: len(found)] = found
    return {
        f"{name}.maxima": (("point", "maximum"), maxima, unit),
        f"{name}.minimum": ("point", low, unit),
        f"{name}.maximum": ("point", high, unit),
        f"{name}.amplitude": ("point", 0.5 * (high - low), unit),
        f"{name}.middle": ("point", 0.5 * (high + low), unit),
        f"{name}.frequency": ("point", values("frequency"), {"units": "Hz"}),
    }


def _ends(records: list[Record], settings: dict[str, Any]) -> dict[str, Any]:
    def rows(key: str, size: int, missing: float) -> np.ndarray:
        ends = [record["end"][key] if record["end"] else [] for record in records]
        # at least one column: netCDF reads an axis of no length as one that has no end
        table = np.full((len(records), max([1, size, *map(len, ends)])), missing)
        for row, end in zip(table, ends, strict=True):
            row[: len(end)] = end
        return table

    n, memory = len(settings["states"]), settings["memory_size"]
    return {
        "state": (("point", "state_entry"), rows("x", n, np.nan)),
        "rest": (("point", "state_entry"), rows("rest", n, np.nan)),
        "memory": (("point", "memory_entry"), rows("memory", memory, np.nan)),
        "mode": (("point", "mode_entry"), rows("mode", len(settings["modes"]), -1).astype(np.int8)),
    }
