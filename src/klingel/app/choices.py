"""Options that several commands share: the request they make, numbers with units, places for results."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from klingel._errors import InputError
from klingel.app.console import note
from klingel.io.units import BadQuantity, coordinate_dimension, read_quantity

if TYPE_CHECKING:
    from klingel.model.description import Vehicle
    from klingel.simulation.request.parts import TrackChoice, VehicleChoice
    from klingel.simulation.request.request import RunRequest
    from klingel.track.track import Track

MOST_WARNINGS = 3
_SPECIAL = ("vehicle", "track", "start", "initial", "sliders")  # not one option each


def option(text: str, dimension: str, name: str) -> float:
    """SI value of an option; a unit of another dimension is refused."""
    try:
        return read_quantity(text, dimension)
    except BadQuantity as bad:
        raise InputError(name, text, str(bad)) from None


def offsets(given: list[str], asked: str = "--kick") -> dict[str, float]:
    """Offsets by name from `--kick name=value`: lengths or angles, or their rates."""
    found: dict[str, float] = {}
    for words in given:
        name, sign, text = words.partition("=")
        if not sign:
            raise InputError(asked, words, "must be name=value, like front_wheelset.y=5mm")
        found[name.strip()] = option(text, coordinate_dimension(name.strip()), f"{asked} {name}")
    return found


def requested(given: Mapping[str, Any], **otherwise: Any) -> "RunRequest":
    """The request made by the options of a command, by their names; None is not given.

    `--request FILE` has what is not given; without it that is `otherwise`, and the defaults of a request.
    """
    from klingel.simulation.request.request import OPTIONS, RunRequest

    said = {name: value for name, value in given.items() if value not in (None, [], ())}
    file: RunRequest | None = RunRequest.load(said["request"]) if "request" in said else None
    changes = {
        name: option(value, dimension, _written(name)) if dimension and isinstance(value, str) else value
        for name, dimension in OPTIONS.items()
        if name not in _SPECIAL and (value := said.get(name)) is not None
    }
    changes |= _start(said)
    if (vehicle := _vehicle(said, file)) is not None:
        changes["vehicle"] = vehicle
    if (track := _track(said, file)) is not None:
        changes["track"] = track
    if file is not None:
        return file.changed(**changes)
    changes = {**otherwise, **changes}
    if "vehicle" not in changes:
        raise InputError("VEHICLE", None, "must be given, or --request FILE")
    if "speed" not in changes:
        raise InputError("--speed", None, "must be given, like 45 or 160km/h")
    return RunRequest.of(**changes)


def _written(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _vehicle(said: Mapping[str, Any], file: "RunRequest | None") -> "VehicleChoice | None":
    """The vehicle named, or that of the file with other options."""
    from klingel.simulation.request.parts import VehicleChoice
    from klingel.vehicles.registry import keywords

    options = {name: said[name] for name in keywords() if name in said}
    changes = dict(_setting(words) for words in said.get("set_", ()))
    if "vehicle" in said:
        return VehicleChoice(said["vehicle"], options, changes)
    if file is None or not (options or changes):
        return None
    before = file.vehicle
    assert isinstance(before, VehicleChoice)  # as every vehicle of a file
    return replace(before, options={**before.options, **options}, changes={**before.changes, **changes})


def _setting(words: str) -> tuple[str, str]:
    name, sign, text = words.partition("=")
    if not sign:
        raise InputError("--set", words, "must be name=value, like carbody.mass=16t")
    return name, text


def _track(said: Mapping[str, Any], file: "RunRequest | None") -> "Track | TrackChoice | None":
    """The track of a file, or straight track, or that of the request with other rails."""
    from klingel.simulation.request.parts import TrackChoice
    from klingel.track.track import Track

    inclination = said.get("inclination")
    if "track" in said:
        if inclination is not None:
            raise InputError("--inclination", inclination, "must not be given with --track: it is in the file")
        return TrackChoice(str(said["track"]))
    if inclination is None:
        return None
    tilt = option(inclination, "number", "--inclination")
    if file is None:
        return Track.straight(inclination=tilt)
    if isinstance(file.track, TrackChoice):
        raise InputError("--inclination", inclination, "must not be given with a track file: it is in the file")
    return replace(file.track, inclination=tilt)


def _start(said: Mapping[str, Any]) -> dict[str, Any]:
    """Kicks, or the file of a run; displaced sliders."""
    found: dict[str, Any] = {}
    if "kick" in said:
        if "start" in said:
            raise InputError("--kick", said["kick"][0], "must not be given together with --start")
        found["initial"] = offsets(said["kick"])
    if "start" in said:
        found["initial"] = str(said["start"])
    if "slider" in said:
        found["sliders"] = offsets(said["slider"], "--slider")
    return found


def warn_of_unlikely(vehicle: "Vehicle") -> None:
    """Values unlike those of any railway vehicle, a line each; they are used as they are."""
    from klingel._errors import message
    from klingel.io.vehicle.plausibility import unlikely_values

    odd = list(unlikely_values(vehicle))
    for one in odd[:MOST_WARNINGS]:
        note(f"warning: {message(one.field, one.allowed, str(one.given))}")
    if len(odd) > MOST_WARNINGS:
        note(f"warning: {len(odd) - MOST_WARNINGS} more values are unusual; klingel validate names them all")


def speed_told(speed: float, typed: str = "") -> str:
    """In the unit that was typed, and in the other one."""
    units = [f"{speed:.4g} m/s", f"{3.6 * speed:.4g} km/h"]
    first, second = reversed(units) if "km/h" in typed else units
    return f"{first} ({second})"


def check_places(out: Path | None, report: Path | None = None) -> None:
    """Before the work, not after it."""
    if out is not None:
        if not out.absolute().parent.is_dir():
            raise InputError("--out", str(out), "must be in a folder that exists")
        if out.is_dir():
            raise InputError("--out", str(out), "must be a file, not a folder")
        if not os.access(out.absolute().parent, os.W_OK):
            raise InputError("--out", str(out), "must be in a folder that may be written to")
    if report is not None:
        if report.exists() and not report.is_dir():
            raise InputError("--report", str(report), "must be a folder, or a name for a new one")
        there = next(place for place in (report.absolute(), *report.absolute().parents) if place.exists())
        if not (there.is_dir() and os.access(there, os.W_OK)):
            raise InputError("--report", str(report), "must be a folder that may be written to")
