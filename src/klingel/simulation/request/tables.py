"""A request as plain tables, and as TOML and JSON.

    vehicle = "hbbills311"            # or a table: name, options, changes; or description, a whole vehicle file
    speed = "160 km/h"
    duration = 20.0
    [track]                           # as in a track file; or track = "curve.toml"
    inclination = "1/40"
    [start]
    initial = {"front_wheelset.y" = "5 mm"}    # or run = "before.nc", or state, the numbers themselves
    [solving]
    rtol = 1e-6
    [outputs]
    output_step = "10 ms"             # or "every step"
    quantities = ["usual", "*.creepage_x"]    # names and patterns; or all
    precision = "single"              # or double

What is not given has its default; there is no null.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import tomli_w

from klingel._errors import InputError
from klingel.io.profile_files import beside, with_names
from klingel.io.toml_tables import FileError, unknown_key
from klingel.io.toml_tables import read_text as read_text
from klingel.io.toml_tables import read_toml as read_toml
from klingel.io.track.files import parse_track
from klingel.io.track.toml import to_toml as track_text
from klingel.io.units import BadQuantity, coordinate_dimension, read_quantity
from klingel.io.vehicle.files import library
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.simulation.request.parts import StoredState, TrackChoice, VehicleChoice
from klingel.simulation.request.solving import DIMENSION
from klingel.track.track import Track

if TYPE_CHECKING:
    from klingel.simulation.request.request import RunRequest

EVERY_STEP = "every step"  # of `output_step`: None inside
DESCRIPTION, STATE, RUN = "description", "state", "run"
Result = TypeVar("Result")


def to_toml(table: dict[str, Any]) -> str:
    return tomli_w.dumps(table)


def to_json(table: dict[str, Any]) -> str:
    return json.dumps(_finite(table), allow_nan=False)


def read_json(text: str) -> dict[str, Any]:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError("request", None, f"is not valid JSON: {error}") from None


def named(file: str, read: Callable[[], Result]) -> Result:
    """Problems with the name of the file before them."""
    try:
        return read()
    except FileError:
        raise
    except InputError as error:
        raise FileError(file, [error]) from None


def _finite(value: Any) -> Any:
    """JSON has no infinity: it is a word there, as people type it."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def written(request: "RunRequest", inline: bool) -> dict[str, Any]:
    """Plain tables of a request; without `inline` a vehicle or track that is no name is left out."""
    found: dict[str, Any] = {}
    for f in fields(request):
        value = getattr(request, f.name)
        if f.name == "vehicle":
            if inline or (isinstance(value, VehicleChoice) and value.name):
                found[f.name] = _vehicle_table(value)
        elif f.name == "track":
            if inline or (isinstance(value, TrackChoice) and value.file):
                found[f.name] = _track_table(value)
        elif f.name == "start":
            more = {"sliders": value.sliders, "leaves": value.leaves, "placing": value.placing}
            found[f.name] = {**_initial_table(value.initial), **more}
        elif f.name == "outputs":
            step = EVERY_STEP if value.output_step is None else value.output_step
            found[f.name] = {**asdict(value), "output_step": step}
        elif hasattr(value, "__dataclass_fields__"):
            found[f.name] = _plain(asdict(value))
        elif value is not None:
            found[f.name] = value
    return _plain(found)


def _plain(value: Any) -> Any:
    """Lists for tuples, dictionaries for mappings; nothing for None."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _vehicle_table(vehicle: Vehicle | VehicleChoice) -> dict[str, Any]:
    if isinstance(vehicle, Vehicle):
        return {DESCRIPTION: read_toml(vehicle_text(vehicle), "vehicle")}
    own = {DESCRIPTION: read_toml(vehicle.text, "vehicle")} if vehicle.text else {"name": vehicle.name}
    more = {"options": vehicle.options, "changes": vehicle.changes}
    return own | {key: table for key, table in more.items() if table}


def _track_table(track: Track | TrackChoice) -> dict[str, Any] | str:
    if isinstance(track, TrackChoice):
        return track.file or read_toml(track.text, "track")
    return read_toml(track_text(track), "track")


def _initial_table(initial: Any) -> dict[str, Any]:
    if isinstance(initial, StoredState):
        return {STATE: asdict(initial)}
    return {RUN: initial} if isinstance(initial, str) else {"initial": initial}


def arguments(
    request: type["RunRequest"], parts: Mapping[str, type], content: Mapping[str, Any], folder: Path | None
) -> dict[str, Any]:
    """Arguments of a request from its tables."""
    if not isinstance(content, Mapping):
        raise InputError("request", content, "must be a table")
    _refuse_unknown(content, [f.name for f in fields(request)], "")
    found = {
        f.name: _read(content[f.name], f.metadata.get(DIMENSION), f.name)
        for f in fields(request)
        if f.name in content
    }
    for name, wanted in (("vehicle", ""), ("speed", ', like 45.0 or "160 km/h"'), ("duration", ', like "20 s"')):
        if name not in found:
            raise InputError(name, None, f"must be given{wanted}")
    found["vehicle"] = _vehicle(found["vehicle"], folder)
    if "track" in found:
        found["track"] = _track(found["track"], folder)
    for name, part in parts.items():
        if name in found:
            found[name] = part(**_part(name, part, found[name], folder))
    return found


def _part(name: str, part: Any, table: Any, folder: Path | None) -> dict[str, Any]:
    if not isinstance(table, Mapping):
        raise InputError(name, table, "must be a table")
    table = _start(table, folder) if name == "start" else dict(table)
    if table.get("output_step") == EVERY_STEP:
        table["output_step"] = None
    _refuse_unknown(table, [f.name for f in fields(part)], f"{name}.")
    found = {
        f.name: _read(table[f.name], f.metadata.get(DIMENSION), f"{name}.{f.name}")
        for f in fields(part)
        if f.name in table
    }
    return found


def _start(table: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    found = dict(table)
    if "sliders" in found:
        found["sliders"] = _offsets("sliders", found["sliders"], lambda _: "length")
    given = [key for key in ("initial", RUN, STATE) if key in found]
    if len(given) > 1:
        raise InputError(f"start.{given[1]}", None, f"must not be given together with start.{given[0]}")
    if "initial" in found:
        found["initial"] = _offsets("initial", found["initial"], coordinate_dimension)
    if RUN in found:
        if not isinstance(found[RUN], str) or not found[RUN]:
            raise InputError(f"start.{RUN}", found[RUN], "must be the file of a run")
        found["initial"] = _beside(found.pop(RUN), folder)
    if STATE in found:
        state = found.pop(STATE)
        if not isinstance(state, Mapping):
            raise InputError(f"start.{STATE}", state, "must be a table")
        known = [f.name for f in fields(StoredState)]
        _refuse_unknown(state, known, f"start.{STATE}.")
        for name in known:
            if name not in state and name not in ("distance", "vehicle"):
                raise InputError(f"start.{STATE}.{name}", None, "must be given")
        found["initial"] = StoredState(**{"distance": None, **state})
    return found


def _offsets(where: str, table: Any, dimension: Callable[[str], str]) -> Any:
    if not isinstance(table, Mapping):
        raise InputError(where, table, "must be a table of values by name")
    return {name: _read(value, dimension(name), f"{where}.{name}") for name, value in table.items()}


def _read(value: Any, dimension: str | None, where: str) -> Any:
    """A quantity with a unit as a number; everything else as it is, the request checks it."""
    if dimension is None or not isinstance(value, str):
        return value
    try:
        return read_quantity(value, dimension)
    except BadQuantity as bad:
        raise InputError(where, value, str(bad)) from None


def _vehicle(given: Any, folder: Path | None) -> Vehicle | VehicleChoice:
    if isinstance(given, Vehicle | VehicleChoice):
        return given
    table: Any = {"name": given} if isinstance(given, str) else given
    if not isinstance(table, Mapping):
        raise InputError("vehicle", given, "must be the name of a vehicle, or a table")
    _refuse_unknown(table, ["name", "options", "changes", DESCRIPTION], "vehicle.")
    if ("name" in table) == (DESCRIPTION in table):
        raise InputError("vehicle", None, f"must have a name, or a {DESCRIPTION}: one of the two")
    more: dict[str, Any] = {key: _with_files(table[key], folder) for key in ("options", "changes") if key in table}
    if DESCRIPTION in table:
        described = table[DESCRIPTION]
        if isinstance(described, str) and folder is not None:
            described = read_toml(described, "vehicle")
        if isinstance(described, Mapping):
            described = tomli_w.dumps(_with_files(described, folder))
        if not isinstance(described, str):
            raise InputError(f"vehicle.{DESCRIPTION}", described, "must be a table, or the text of a vehicle file")
        return VehicleChoice(text=described, **more)
    name = table["name"]
    if isinstance(name, str) and name not in library():
        name = _beside(name, folder)
    return VehicleChoice(name, **more)


def _track(given: Any, folder: Path | None) -> Track | TrackChoice:
    if isinstance(given, Track | TrackChoice):
        return given
    if isinstance(given, str):
        return TrackChoice(_beside(given, folder))
    if not isinstance(given, Mapping):
        raise InputError("track", given, "must be a track file, or a table as in one")
    try:
        return parse_track(tomli_w.dumps(given), "track", folder or Path())
    except FileError as error:
        first = error.problems[0]
        raise InputError(f"track.{first.field}", first.given, first.allowed) from None


def _with_files(table: Any, folder: Path | None) -> Any:
    """Profiles in the folder of the request by their full path."""
    return table if folder is None else with_names(table, beside(folder))


def _beside(name: str, folder: Path | None) -> str:
    return name if folder is None else beside(folder)(name)


def _refuse_unknown(table: Mapping[str, Any], known: list[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise unknown_key(f"{where}{key}", str(key), known)
