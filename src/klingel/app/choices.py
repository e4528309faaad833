"""Options that several commands share: offsets at the start, the track."""

from pathlib import Path
from typing import TYPE_CHECKING

from klingel._errors import InputError
from klingel.io.quantities import parse_quantity

if TYPE_CHECKING:
    from klingel.track.track import Track


def offsets(given: list[str], option: str = "--kick") -> dict[str, float]:
    """Offsets by name from `--kick name=value`."""
    found: dict[str, float] = {}
    for words in given:
        name, sign, text = words.partition("=")
        if not sign:
            raise InputError(option, words, "must be name=value, like front_wheelset.y=5mm")
        found[name.strip()] = parse_quantity(text, f"{option} {name}")
    return found


def chosen_track(path: Path | None, inclination: str | None) -> "Track":
    """The track of a file, or straight track."""
    from klingel.io.track_files import load_track
    from klingel.track.track import Track

    if path is not None:
        if inclination is not None:
            raise InputError(
                "--inclination", inclination, "must not be given together with --track, which has its own"
            )
        return load_track(path)
    return Track.straight(inclination=parse_quantity(inclination or "1/40", "--inclination"))
