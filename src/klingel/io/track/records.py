"""Measured irregularities as text: equally spaced distances and one to three channels.

    # anything after a hash is a remark
    distance [m], lateral [mm], vertical [mm], cross_level [mm]
    0.00, 0.1, -0.3, 0.0
    0.25, 0.2, -0.2, 0.1

Columns may come in any order, with lengths in any unit; channels may be missing.
"""

import re
from math import isfinite
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.io.toml_tables import read_text
from klingel.io.units import DIMENSIONS
from klingel.track.irregularity import Samples

COLUMNS = ("distance", "lateral", "vertical", "cross_level")
UNEVEN = 0.02  # part of the spacing by which a distance may be off its place, for records with rounded distances
_TITLE = re.compile(r"^\s*(\w+)\s*\[([^\]]+)\]\s*$")


def load_record(path: str | Path) -> Samples:
    """Irregularity from a record."""
    path = Path(path)
    stripped = (line.split("#", 1)[0].strip() for line in read_text(path).splitlines())
    lines = [(number, line) for number, line in enumerate(stripped, 1) if line]
    if len(lines) < 4:
        raise InputError(
            path.name, f"{len(lines)} lines", "must have a line of titles and three of numbers at least"
        )
    names, scales = _titles(path, *lines[0])
    table = np.array([_numbers(path, number, line, len(names)) for number, line in lines[1:]]) * scales
    distance = table[:, names.index("distance")]
    channels = {name: tuple(table[:, names.index(name)].tolist()) for name in COLUMNS[1:] if name in names}
    return Samples(_spacing(path, distance, lines), float(distance[0]), **channels)


def _titles(path: Path, number: int, line: str) -> tuple[list[str], np.ndarray]:
    names, scales = [], []
    units = DIMENSIONS["length"]
    for title in line.split(","):
        match = _TITLE.match(title)
        if match is None or match[1] not in COLUMNS or match[2].strip() not in units or match[1] in names:
            allowed = f"titles must be out of {', '.join(COLUMNS)}, each once, with a unit like [mm]"
            raise InputError(f"{path.name}, line {number}", title.strip(), allowed)
        names.append(match[1])
        scales.append(units[match[2].strip()])
    if "distance" not in names or len(names) < 2:
        raise InputError(f"{path.name}, line {number}", line, "titles must be distance and one channel or more")
    return names, np.array(scales)


def _numbers(path: Path, number: int, line: str, width: int) -> list[float]:
    try:
        values = [float(cell) for cell in line.split(",")]
    except ValueError:
        values = []
    if len(values) != width or not all(isfinite(value) for value in values):
        raise InputError(f"{path.name}, line {number}", line, f"must be {width} numbers separated by commas")
    return values


def _spacing(path: Path, distance: np.ndarray, lines: list[tuple[int, str]]) -> float:
    steps = np.diff(distance)
    spacing = float(np.mean(steps))
    even = distance[0] + spacing * np.arange(len(distance))
    if np.all(steps > 0.0) and np.all(np.abs(distance - even) <= UNEVEN * spacing):
        return spacing
    # the step unlike the others says more than the first distance off its place
    usual = float(np.median(steps[steps > 0.0])) if np.any(steps > 0.0) else 0.0
    odd = np.flatnonzero((steps <= 0.0) | (np.abs(steps - usual) > 2 * UNEVEN * usual))
    row = int(odd[0]) + 1 if len(odd) else int(np.argmax(np.abs(distance - even)))
    where = f"{path.name}, line {lines[row + 1][0]}"
    raise InputError(where, float(distance[row]), "distance must rise in equal steps")
