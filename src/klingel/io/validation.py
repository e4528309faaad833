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

from klingel._errors import InputError, visible
from klingel.io.plain_files import check_regular
from klingel.io.toml_tables import FileError, problem_line, read_text, shown

TRACK_SECTIONS = {"stage", "irregularity"}
TRACK_KEYS = {*TRACK_SECTIONS, "rail", "gauge", "inclination", "cant_reference", "frame"}

VEHICLE_KEYS = {"name", "template", "bodies", "parts"}  # a bogie has a frame too


@dataclass(frozen=True)
class Verdict:
    file: str
    kind: str
    problems: tuple[InputError, ...]
    warnings: tuple[InputError, ...] = ()  # possible, but unlike any railway vehicle

    @property
    def ok(self) -> bool:
        return not self.problems

    def lines(self) -> list[str]:
        """Readers of profiles name the file themselves."""
        return [problem_line(p, "" if p.field.startswith(self.file) else f"{self.file}: ") for p in self.problems]

    def warning_lines(self) -> list[str]:
        return [problem_line(warning, f"{self.file}: warning: ") for warning in self.warnings]

    def as_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "kind": self.kind,
            "problems": [_plain(problem) for problem in self.problems],
            "warnings": [_plain(warning) for warning in self.warnings],
        }


def _plain(problem: InputError) -> dict[str, Any]:
    given = None if problem.given is None else shown(problem.given)
    return {"where": visible(problem.field), "given": given, "allowed": visible(problem.allowed)}


def validate(path: Path) -> Verdict:
    """Read the file as what it is; a file that cannot be opened raises InputError."""
    if path.suffix.lower() == ".toml":
        text = read_text(path)
        kind = toml_kind(text)
    else:
        text, kind = "", "profile"
        check_regular(path)
    try:
        warnings = _READERS[kind](text, path)
    except FileError as error:
        return Verdict(path.name, kind, tuple(error.problems))
    except InputError as error:
        return Verdict(path.name, kind, (error,))
    return Verdict(path.name, kind, (), tuple(warnings))


# words of the contact geometry -> of a vehicle file
_WHEEL_WORDS = {"wheel": "profile", "flange_back": "back_to_back", "residual": "profile_residual"}


def toml_kind(text: str) -> str:
    """Track or vehicle."""
    try:
        keys = set(tomllib.loads(text))
        of_track = TRACK_SECTIONS & keys or (TRACK_KEYS & keys and not VEHICLE_KEYS & keys)
        return "track" if of_track else "vehicle"
    except (ValueError, RecursionError):  # the reader will say what is wrong
        return "track" if "[[stage" in text else "vehicle"


def _vehicle(text: str, path: Path) -> list[InputError]:
    from klingel.contact.geometry.placement import WheelPair
    from klingel.contact.profiles.profile import Body
    from klingel.io.profiles.library import find_profile
    from klingel.io.vehicle.files import parse_vehicle
    from klingel.io.vehicle.plausibility import unlikely_values

    vehicle = parse_vehicle(text, path.name, folder=path.parent)
    known: set[tuple[str, str, float, float, float]] = set()
    problems: list[InputError] = []
    for wheels in vehicle.wheelsets:  # their profiles too, which a run reads when it needs them
        kind = (wheels.profile, wheels.profile_right, wheels.profile_residual, wheels.radius, wheels.back_to_back)
        if kind in known:
            continue
        known.add(kind)
        try:
            left, right = (
                find_profile(name, Body.WHEEL, wheels.profile_residual) if name else None
                for name in (wheels.profile, wheels.profile_right)
            )
            assert left is not None
            WheelPair(left, right, flange_back=wheels.back_to_back, radius=wheels.radius).placed()
        except InputError as error:
            field = _WHEEL_WORDS.get(error.field, error.field)
            problems.append(InputError(f"{wheels.body}.{field}", error.given, error.allowed))
    if problems:
        raise FileError(path.name, problems)
    return list(unlikely_values(vehicle))


def _track(text: str, path: Path) -> list[InputError]:
    from klingel.contact.geometry.placement import RailPair
    from klingel.contact.profiles.profile import Body
    from klingel.io.profiles.library import find_profile
    from klingel.io.track.files import parse_track

    track = parse_track(text, path.name, path.parent)
    # the rails too, which a run reads when it needs them
    RailPair(find_profile(track.rail, Body.RAIL), inclination=track.inclination, gauge=track.gauge).placed()
    return []


def _profile(text: str, path: Path) -> list[InputError]:
    from klingel.io.profiles import read_profile

    read_profile(path)
    return []


_READERS = {"vehicle": _vehicle, "track": _track, "profile": _profile}
