"""Contact tables as text files: readable, exact to the last bit, SI units.

    # klingel contact table 1
    # conditions {"wheel": "S1002", ...}
    # columns shift angle wheel_y rail_y wheel_z rail_z penetration normal_force ab a_over_b c11 c22 c23 c33
    # side left -0.01 0.01
    # section
    -0.01 0.0223 ...
    # jump 0.000226 0.0002
    # section
    ...
    # side right -0.01 0.01

A `side` line holds the range of the lateral shift, a `jump` line its shift and the width of the overlap [m].
"""

import json
from pathlib import Path

import numpy as np

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.contact.table.contact_table import COLUMNS, Column, Conditions, ContactTable
from klingel.contact.table.sections import Section, Sections
from klingel.io.atomic import write_text
from klingel.io.plain_files import LARGEST_TEXT, read_plain

FIRST_LINE = "# klingel contact table 1"
NAMES = (
    "shift", "angle", "wheel_y", "rail_y", "wheel_z", "rail_z", "penetration", "normal_force",
    "ab", "a_over_b", "c11", "c22", "c23", "c33",
)  # fmt: skip


def table_text(table: ContactTable) -> str:
    """The content of a table file."""
    lines = [
        FIRST_LINE,
        f"# conditions {json.dumps(table.conditions.as_dict())}",
        f"# columns {' '.join(NAMES)}",
    ]
    for name, side in (("left", table.left), ("right", table.right)):
        lines.append(f"# side {name} {side.low!r} {side.high!r}")
        for k, part in enumerate(side.parts):
            if k > 0:
                lines.append(f"# jump {float(side.jumps[k - 1])!r} {float(side.overlaps[k - 1])!r}")
            lines.append("# section")
            lines += [" ".join(repr(float(value)) for value in row) for row in part.values]
    return "\n".join(lines) + "\n"


def save_table(table: ContactTable, path: str | Path) -> Path:
    """Write a table; the file appears only when it is complete."""
    target = Path(path)
    write_text(target, table_text(table))
    return target


def load_table(path: str | Path) -> ContactTable:
    """Read a table written by `save_table`; a broken file is refused with one line."""
    source = check_path("contact table", path)
    try:
        text = read_plain(source, LARGEST_TEXT, "contact table").decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("contact table", str(path), "must be a readable text file") from None
    return parse_table(text, source.name)


def parse_table(text: str, name: str) -> ContactTable:
    """Table from the content of a file; `name` is for messages."""
    lines = text.splitlines()
    if not lines or lines[0] != FIRST_LINE:
        raise InputError(name, lines[0][:60] if lines else "", f"must begin with {FIRST_LINE!r}")
    conditions, sides = None, {}
    side = _Side("")
    for number, line in enumerate(lines[1:], 2):
        try:
            words = line.split()
            if words[:2] == ["#", "conditions"]:
                conditions = Conditions(**json.loads(line.split(maxsplit=2)[2]))
            elif words[:2] == ["#", "side"]:
                side = sides[words[2]] = _Side(words[2], float(words[3]), float(words[4]))
            elif words[:2] == ["#", "columns"]:
                if tuple(words[2:]) != NAMES:
                    raise ValueError
            elif words[:1] == ["#"]:
                side.mark(words[1:])
            else:
                side.add(words)
        except InputError as error:
            raise InputError(f"{name} line {number}, {error.field}", error.given, error.allowed) from None
        except (ValueError, IndexError, TypeError, KeyError):
            raise InputError(f"{name} line {number}", line[:60], "must be a line of a contact table") from None
    if conditions is None or set(sides) != {"left", "right"}:
        raise InputError(name, sorted(sides), "must hold conditions and the sides left and right")
    left, right = (sides[hand].sections(name) for hand in ("left", "right"))
    return ContactTable(left, right, conditions)


class _Side:
    """What has been read of one side."""

    def __init__(self, name: str, low: float = 0.0, high: float = 0.0):
        self.name, self.low, self.high = name, low, high
        self.parts: list[list[list[float]]] = []
        self.jumps: list[tuple[float, float]] = []

    def mark(self, words: list[str]) -> None:
        if words == ["section"]:
            self.parts.append([])
        elif words[0] == "jump":
            self.jumps.append((float(words[1]), float(words[2])))
        else:
            raise ValueError

    def add(self, words: list[str]) -> None:
        row = [float(word) for word in words]
        if len(row) != COLUMNS or not np.isfinite(row).all():
            raise ValueError
        self.parts[-1].append(row)

    def sections(self, file: str) -> Sections:
        if not self.parts or not all(self.parts):
            raise InputError(file, f"side {self.name}", "must have rows in every section")
        parts = tuple(_section(np.array(rows), file, self.name) for rows in self.parts)
        jumps = np.array(self.jumps, dtype=float).reshape(-1, 2)
        return Sections(parts, jumps[:, 0].copy(), jumps[:, 1].copy(), self.low, self.high)


def _section(values: np.ndarray, file: str, side: str) -> Section:
    shift = values[:, Column.SHIFT]
    start, count = float(shift[0]), len(shift)
    step = float((shift[-1] - shift[0]) / (count - 1)) if count > 1 else 1e-4  # a single row is a constant
    if step <= 0.0 or np.abs(shift - start - step * np.arange(count)).max() > 1e-6 * step:
        raise InputError(file, f"side {side} from {start:g} m", "must have rows that grow by equal steps")
    return Section(start, step, values)
