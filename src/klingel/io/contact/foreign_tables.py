"""Contact tables made elsewhere: one wheel, rows of numbers over equally spaced lateral shifts.

The columns are named, in their order in the file; `HOFFMANN` are those of his table 2.2, with its units.
Words:

    shift angle wheel_y rail_y wheel_z rail_z penetration normal_force ab a_over_b c11 c22 c23 c33
    a, b (instead of ab and a_over_b), radius (instead of wheel_z), skip

What is missing is completed where that needs no profiles: rail_y = wheel_y + shift (no roll), rail_z = 0,
creep coefficients from a/b and Poisson's ratio. Lines beginning with # and one line of column titles are
passed over.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.patch.kalker import kalker
from klingel.contact.table.contact_table import COLUMNS, Column, Conditions, ContactTable, mirrored
from klingel.contact.table.sections import OVERLAP, cut, find_jumps
from klingel.io.contact.tables import NAMES
from klingel.io.plain_files import LARGEST_TEXT, read_plain

HOFFMANN = NAMES
HOFFMANN_UNITS = {"shift": 1e-3, "penetration": 1e-6, "ab": 1e-6}  # of table 2.2, others are SI
OTHERS = ("a", "b", "radius", "skip")
NEEDED = ("shift", "angle", "wheel_y", "penetration", "normal_force")


def import_table(
    path: str | Path,
    columns: Sequence[str] = HOFFMANN,
    units: dict[str, float] | None = None,
    jumps: Sequence[float] | None = None,
    overlap: float | Sequence[float] = OVERLAP,
    conditions: Conditions | None = None,
) -> ContactTable:
    """Contact table of a symmetric wheelset from the left wheel's rows in a text file.

    Parameters
    ----------
    columns : words of the module docstring, one per column of the file.
    units : factor to SI by column; HOFFMANN_UNITS for his columns if left out.
    jumps : lateral shifts at which the contact point jumps [m]; guessed from `wheel_y` if left out.
    overlap : width of the overlaps, one or one per jump [m].
    conditions : what the table was made for; the load is taken from the file.
    """
    source = Path(path)
    for word in columns:
        if word not in (*NAMES, *OTHERS):
            raise InputError("columns", word, f"must be one of {' '.join((*NAMES, *OTHERS))}")
    missing = [word for word in NEEDED if word not in columns]
    if missing:
        raise InputError("columns", list(columns), f"must include {' '.join(missing)}")
    if units is None:
        units = HOFFMANN_UNITS if tuple(columns) == HOFFMANN else {}
    rows = _read(source, len(columns))
    given = {word: rows[:, i] * units.get(word, 1.0) for i, word in enumerate(columns) if word != "skip"}
    conditions = conditions or Conditions()
    values = _complete(given, conditions, source.name)
    if np.any(values[:, Column.PENETRATION :] <= 0.0):
        bad = int(np.flatnonzero(np.any(values[:, Column.PENETRATION :] <= 0.0, axis=1))[0])
        raise InputError(f"{source.name} row {bad + 1}", rows[bad].tolist(), "must be positive from q0 on")
    shift = values[:, Column.SHIFT]
    if jumps is None:
        jumps = find_jumps(shift, values[:, Column.WHEEL_Y])
    left = cut(shift, values, jumps, overlap)
    load = float(np.median(values[:, Column.NORMAL_FORCE]))
    named = replace(conditions, load=load, wheel=conditions.wheel or source.name)
    return ContactTable(left, mirrored(left), named)


def _read(path: Path, count: int) -> NDArray:
    lines = read_plain(path, LARGEST_TEXT, "contact table").decode("utf-8-sig", errors="replace").splitlines()
    rows: list[list[float]] = []
    titles = 0
    for number, line in enumerate(lines, 1):
        words = line.split("#", 1)[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        try:
            row = [float(word) for word in words]
        except ValueError:
            titles += 1
            if titles > 1 or rows:
                raise InputError(f"{path.name} line {number}", line[:60], "must hold numbers") from None
            continue
        if len(row) != count or not np.isfinite(row).all():
            raise InputError(f"{path.name} line {number}", line[:60], f"must hold {count} finite numbers")
        rows.append(row)
    if len(rows) < 2:
        raise InputError(path.name, f"{len(rows)} rows", "must hold at least two rows")
    return np.array(rows)


def _complete(given: dict[str, NDArray], conditions: Conditions, name: str) -> NDArray:
    values = np.zeros((len(given["shift"]), COLUMNS))
    if "a" in given and "b" in given:
        given |= {"ab": given["a"] * given["b"], "a_over_b": given["a"] / given["b"]}
    if "ab" not in given or "a_over_b" not in given:
        raise InputError(name, sorted(given), "must have the columns ab and a_over_b, or a and b")
    if "wheel_z" not in given:
        if "radius" not in given:
            raise InputError(name, sorted(given), "must have the column wheel_z or radius")
        given["wheel_z"] = -given["radius"]
    given.setdefault("rail_y", given["wheel_y"] + given["shift"])
    given.setdefault("rail_z", np.zeros(len(values)))
    from_ratio = np.array([kalker(float(r), conditions.poisson) for r in given["a_over_b"]])
    for i, word in enumerate(("c11", "c22", "c23", "c33")):
        given.setdefault(word, from_ratio[:, i])
    for column, word in zip(Column, NAMES, strict=True):
        values[:, column] = given[word]
    return values
