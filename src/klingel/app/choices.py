"""Options that several commands share: numbers with units, offsets at the start, the track, places for results."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from klingel._errors import InputError
from klingel.io.units import BadQuantity, coordinate_dimension, read_quantity

if TYPE_CHECKING:
    from klingel.track.track import Track

STRAIGHT = "1/40"  # inclination of the rails where no track file is given


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


def chosen_track(path: Path | None, inclination: str | None) -> "Track":
    """The track of a file, or straight track."""
    from klingel.io.track.files import load_track
    from klingel.track.track import Track

    if path is None:
        return Track.straight(inclination=option(inclination or STRAIGHT, "number", "--inclination"))
    if inclination is not None:
        raise InputError("--inclination", inclination, "must not be given with --track: it is in the file")
    return load_track(path)


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
