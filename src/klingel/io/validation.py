"""Any file a user writes: which kind it is, and everything that is wrong with it.

======  =====================================================================
kind    told by
======  =====================================================================
track   .toml with a stage or an irregularity; with rail, gauge, inclination or frame, and no name as vehicles have
vehicle any other .toml
profile any other ending
======  =====================================================================
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io.toml_tables import FileError, problem_line, read_text, shown

TRACK_SECTIONS = {"stage", "irregularity"}
TRACK_KEYS = {*TRACK_SECTIONS, "rail", "gauge", "inclination", "cant_reference", "frame"}

VEHICLE_KEYS = {"name", "template", "bodies", "parts"}  # a bogie has a frame too


@dataclass(frozen=True)
class Verdict:
    file: str
    kind: str
    problems: tuple[InputError, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def lines(self) -> list[str]:
        return [f"{self.file}: {problem_line(problem)}" for problem in self.problems]

    def as_dict(self) -> dict[str, Any]:
        problems = [
            {"where": p.field, "given": None if p.given is None else shown(p.given), "allowed": p.allowed}
            for p in self.problems
        ]
        return {"ok": self.ok, "kind": self.kind, "problems": problems}


def validate(path: Path) -> Verdict:
    """Read the file as what it is; a file that cannot be opened raises InputError."""
    if path.suffix.lower() == ".toml":
        text = read_text(path)
        kind = _toml_kind(text)
    else:
        text, kind = "", "profile"
        if not path.is_file():
            raise InputError("file", str(path), "must exist")
    try:
        _READERS[kind](text, path)
    except FileError as error:
        return Verdict(path.name, kind, tuple(error.problems))
    except InputError as error:
        return Verdict(path.name, kind, (error,))
    return Verdict(path.name, kind, ())


# words of the contact geometry -> of a vehicle file
_WHEEL_WORDS = {"wheel": "profile", "flange_back": "back_to_back", "residual": "profile_residual"}


def _toml_kind(text: str) -> str:
    try:
        keys = set(tomllib.loads(text))
        of_track = TRACK_SECTIONS & keys or (TRACK_KEYS & keys and not VEHICLE_KEYS & keys)
        return "track" if of_track else "vehicle"
    except (ValueError, RecursionError):  # the reader will say what is wrong
        return "track" if "[[stage" in text else "vehicle"


def _vehicle(text: str, path: Path) -> None:
    from klingel.io.contact.cache import wheelset_on_track
    from klingel.io.vehicle.files import parse_vehicle

    vehicle = parse_vehicle(text, path.name, folder=path.parent)
    known: set[tuple[str, str, float, float, float]] = set()
    problems: list[InputError] = []
    for wheels in vehicle.wheelsets:  # their profiles too, which a run reads when it needs them
        kind = (wheels.profile, wheels.profile_right, wheels.profile_residual, wheels.radius, wheels.back_to_back)
        if kind in known:
            continue
        known.add(kind)
        try:
            wheelset_on_track(
                wheels.profile, radius=wheels.radius, flange_back=wheels.back_to_back,
                residual=wheels.profile_residual, wheel_right=wheels.profile_right,
            )  # fmt: skip
        except InputError as error:
            field = _WHEEL_WORDS.get(error.field, error.field)
            problems.append(InputError(f"{wheels.body}.{field}", error.given, error.allowed))
    if problems:
        raise FileError(path.name, problems)


def _track(text: str, path: Path) -> None:
    from klingel.io.track.files import parse_track

    parse_track(text, path.name, path.parent)


def _profile(text: str, path: Path) -> None:
    from klingel.io.profiles import read_profile

    read_profile(path)


_READERS = {"vehicle": _vehicle, "track": _track, "profile": _profile}
