"""MiniProf .whl (wheel) and .ban (rail) measurements.

Text: a header of `Keyword=value` lines, a blank line, then rows of numbers. `ColumnDef` names the columns
(X and Y are used, angles and curvatures are not), `XYPoints` counts the rows, `Xoffset` and `Yoffset` are
added. What follows `"`, `!` or `%` is comment, so that a row beginning with `"` is switched off.
Millimetres.

The height axis may point up or down: it is found from the shape. For rails the side of the track is not in
the points: use `Facing.GAUGE` if X grows towards the track centre. `Tilt` is not applied.
"""

import re
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body
from klingel.io.profiles.points import RawPoints, number, numbers, read_lines

ENDINGS = (".whl", ".ban")
COMMENTS = re.compile(r'["!%#].*')
MILLIMETRE = 1e-3


def read(path: Path, unit: float | None = None) -> RawPoints:
    header: dict[str, tuple[int, str]] = {}
    lines, rows = [], []
    for line, text in enumerate(read_lines(path), 1):
        text = COMMENTS.sub("", text).strip()
        if not text:
            continue
        key, equals, value = (part.strip() for part in text.partition("="))
        if equals:
            if rows:
                raise InputError(f"{path.name} line {line}", key, "must be a row of numbers; the header has ended")
            header[key.lower()] = (line, value)
        elif rows or text[0] in "+-.0123456789nN":
            rows.append(_row(path, line, text, header))
            lines.append(line)
    _check_count(path, header, len(rows))
    offset = [_value(path, header, key) for key in ("xoffset", "yoffset")]
    points = np.array(rows, dtype=float).reshape(-1, 2) + offset
    body = Body.WHEEL if path.suffix.lower() == ".whl" else Body.RAIL
    return RawPoints(path, np.array(lines, dtype=np.int64), (unit or MILLIMETRE) * points, body, path.stem)


def _row(path: Path, line: int, text: str, header: dict[str, tuple[int, str]]) -> list[float]:
    where, names = header.get("columndef", (0, "X,Y"))
    columns = [name.strip().upper() for name in names.split(",")]
    if "X" not in columns or "Y" not in columns:
        raise InputError(f"{path.name} line {where}", names, "ColumnDef must name the columns X and Y")
    values = numbers(path, line, text, len(columns))
    return [values[columns.index("X")], values[columns.index("Y")]]


def _check_count(path: Path, header: dict[str, tuple[int, str]], found: int) -> None:
    if "xypoints" not in header:
        return
    line, text = header["xypoints"]
    said = number(path, line, "XYPoints", text)
    # rows may be switched off by hand, so fewer than announced are allowed
    if found > said:
        raise InputError(f"{path.name} line {line}", text, f"XYPoints must not be less than the {found} rows")


def _value(path: Path, header: dict[str, tuple[int, str]], key: str) -> float:
    if key not in header:
        return 0.0
    line, text = header[key]
    return number(path, line, key, text)
