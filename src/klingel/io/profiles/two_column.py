"""Two columns of text: y and z, blank, comma, semicolon or tab between; `#`, `!`, `%` begin a comment.

Millimetres unless told otherwise, or unless the file says so: comment lines `unit: mm`, `body: wheel` and
`name: ...` are understood, and written. GENSYS files have y towards the track centre: `Facing.GAUGE`.
"""

from collections.abc import Iterator
from pathlib import Path

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body, Profile
from klingel.io.atomic import write_text
from klingel.io.profiles.points import RawPoints, collect, numbers, points_of, read_lines
from klingel.io.units import UNITS

COMMENTS = "#!%"
MILLIMETRE = 1e-3


def read(path: Path, unit: float | None = None) -> RawPoints:
    lines = read_lines(path)
    said = _remarks(lines)
    where, points = collect(_rows(path, lines))
    scale = unit if unit is not None else _unit(path, said)
    return RawPoints(path, where, scale * points, _body(path, said), said.get("name", (0, path.stem))[1])


def _rows(path: Path, lines: list[str]) -> Iterator[tuple[int, list[float]]]:
    """Rows of numbers; titles of columns above the first one are passed over."""
    begun = False
    for line, text in enumerate(lines, 1):
        for mark in COMMENTS:
            text = text.split(mark, 1)[0]
        begun = begun or any(character.isdigit() for character in text)
        if begun and text.strip():
            yield line, numbers(path, line, text, 2)


def _remarks(lines: list[str]) -> dict[str, tuple[int, str]]:
    """`key: value` in comment lines, with the line number."""
    said = {}
    for line, text in enumerate(lines, 1):
        key, colon, value = text.strip().lstrip(COMMENTS).partition(":")
        if text.strip()[:1] in tuple(COMMENTS) and colon and key.strip().lower() in ("unit", "body", "name"):
            said[key.strip().lower()] = (line, value.strip())
    return said


def _unit(path: Path, said: dict[str, tuple[int, str]]) -> float:
    if "unit" not in said:
        return MILLIMETRE
    line, name = said["unit"]
    if name not in ("m", "cm", "mm", "um", "µm"):
        raise InputError(f"{path.name} line {line}", name, "unit must be m, cm, mm or um")
    return UNITS[name]


def _body(path: Path, said: dict[str, tuple[int, str]]) -> Body | None:
    if "body" not in said:
        return None
    line, name = said["body"]
    if name.upper() not in Body.__members__:
        raise InputError(f"{path.name} line {line}", name, "body must be wheel or rail")
    return Body[name.upper()]


def write(path: Path, profile: Profile, spacing: float | None = None) -> None:
    head = [
        f"# name: {profile.name}",
        f"# body: {profile.body.name.lower()}",
        "# unit: mm",
        "# y to the field side, z down",
    ]
    rows = [f"{y:.12f} {z:.12f}" for y, z in points_of(profile, spacing) / MILLIMETRE]
    write_text(path, "\n".join([*head, *rows, ""]))
