"""VAMPIRE .whe (wheels) and .rai (rails): left and right profile side by side.

Line 1 `WHEELPROFILE` or `RAILPROFILE`; line 2 a title; line 3 `TREADDATUM` (`EUROPEAN`: 70 mm from the
flange back, or `CUSTOM` and a number) or `GAUGEPOINT` (`EUROPEAN`: 14 mm below the top, `US`: 5/8 inch, or
`CUSTOM` and a number); line 4 `FLANGEBACK` or `GAUGE` and a distance; then rows of left y, left z, right y,
right z. Millimetres.

Whether y is counted from the track centre or from the profile's own datum is found from its size: wheels
counted from the track centre are moved to their running circle, rails to their highest point. The side of
the field follows from the sign of y in the first case and from the flange in the second.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.geometry.wheelset_on_track import Hand
from klingel.contact.profiles.profile import Body
from klingel.io.profiles.points import Facing, RawPoints, numbers, oriented, read_lines

ENDINGS = (".whe", ".rai")
MILLIMETRE = 1e-3
FAR = 0.3  # mean |y| beyond which it is counted from the track centre [m]
DATUM = {"EUROPEAN": 70.0, "US1": None, "US2": None, "CUSTOM": None}  # mm from the flange back


def read(path: Path, hand: Hand, unit: float | None = None) -> RawPoints:
    lines = [(number, text) for number, text in enumerate(read_lines(path), 1) if text.strip()]
    if len(lines) < 4:
        raise InputError(path.name, f"{len(lines)} lines", "must have four lines of header")
    body = Body.WHEEL if path.suffix.lower() == ".whe" else Body.RAIL
    _keyword(path, *lines[0], "WHEELPROFILE" if body == Body.WHEEL else "RAILPROFILE")
    title = lines[1][1].strip()
    third = _keyword(path, *lines[2], "TREADDATUM" if body == Body.WHEEL else "GAUGEPOINT")
    fourth = _keyword(path, *lines[3], "FLANGEBACK" if body == Body.WHEEL else "GAUGE")
    distance = numbers(path, lines[3][0], fourth, 1)[0]
    rows = [numbers(path, number, text, 4) for number, text in lines[4:]]
    where = np.array([number for number, _ in lines[4:]], dtype=np.int64)
    points = np.array([row[2 * hand : 2 * hand + 2] for row in rows], dtype=float).reshape(-1, 2)
    scale = unit or MILLIMETRE
    points = scale * points
    if len(points) and abs(np.nanmean(points[:, 0])) > FAR and np.nanmax(abs(points)) < 10.0:
        datum = _datum(path, *lines[2], third) if body == Body.WHEEL else 0.0
        points = _own_origin(points, body, scale * (0.5 * distance + datum))
    return RawPoints(path, where, points, body, title or path.stem)


def _keyword(path: Path, line: int, text: str, expected: str) -> str:
    """The rest of the line behind its keyword."""
    word, _, rest = text.strip().partition(" ")
    if word.upper() != expected:
        raise InputError(f"{path.name} line {line}", word, f"must be the keyword {expected}")
    return rest.strip()


def _datum(path: Path, line: int, _: str, text: str) -> float:
    words = text.upper().split()
    if not words or words[0] not in DATUM:
        raise InputError(f"{path.name} line {line}", text, f"TREADDATUM must be one of {', '.join(DATUM)}")
    known = DATUM[words[0]]
    if known is not None:
        return known
    if len(words) < 2:
        raise InputError(
            f"{path.name} line {line}", text, "must give its distance from the flange back as a number"
        )
    return numbers(path, line, words[1], 1)[0]


def _own_origin(points: NDArray, body: Body, distance: float) -> NDArray:
    """From the track centre to the profile's own datum, y outwards."""
    y = abs(points[:, 0])
    if body == Body.WHEEL:
        return np.column_stack([y - distance, points[:, 1]])
    level = oriented(np.column_stack([y, points[:, 1]]), body, Facing.FIELD)
    top = int(np.argmin(level[:, 1]))
    return np.column_stack([y - y[top], level[:, 1] - level[top, 1]])
