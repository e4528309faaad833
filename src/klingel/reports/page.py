"""One self-contained HTML page of text, tables and pictures: nothing is loaded from elsewhere.

It reads on a phone, prints without cutting pictures in two, and appears only when it is complete. How it looks
is said in `templates/`; here is what goes into them.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from klingel.io.atomic import write_text

KINDS = {".png": "image/png", ".svg": "image/svg+xml"}
CONTENTS_FROM = 5  # sections; shorter pages need no table of contents


@dataclass(frozen=True)
class Table:
    """Rows of cells; numbers stand to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]
    caption: str = ""
    digits: int = 4  # of numbers that are not whole


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture."""

    name: str
    data: bytes
    caption: str = ""
    kind: str = KINDS[".png"]

    @property
    def source(self) -> str:
        return f"data:{self.kind};base64,{b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True)
class Section:
    title: str
    text: str
    command: str = ""  # how to make it again; several on lines of their own
    quantities: Mapping[str, float] = field(default_factory=dict)
    checks: Sequence[tuple[str, float, float, bool]] = ()  # what, expected, computed, ok
    pictures: Sequence[Path | Picture] = ()
    tables: Sequence[Table] = ()


def write_gallery(path: Path, title: str, text: str, sections: Sequence[Section]) -> Path:
    """Write the page; it appears under its name only when it is complete."""
    page = _environment().get_template("page.html")
    shown = [_section(section) for section in sections]
    contents = len(sections) >= CONTENTS_FROM
    write_text(path, page.render(title=title, text=text, sections=shown, contents=contents))
    return path


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("klingel.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )


def _section(section: Section) -> dict[str, Any]:
    tables = [_table(table) for table in section.tables]
    if section.checks:
        rows = [
            (what, expected, computed, "ok" if ok else "differs")
            for what, expected, computed, ok in section.checks
        ]
        tables.append(_table(Table(("check", "expected", "computed", "verdict"), rows, digits=8)))
    numbers = [(name.replace("_", " "), value) for name, value in section.quantities.items()]
    return {
        "title": section.title,
        "text": section.text,
        "command": section.command,
        "pictures": [
            _picture(item) for item in section.pictures if isinstance(item, Picture) or item.suffix in KINDS
        ],
        "tables": tables,
        "numbers": _table(Table(("quantity", "value"), numbers, digits=6)) if numbers else None,
    }


def _table(table: Table) -> dict[str, Any]:
    """Words of all cells, each with whether it stands to the right."""
    numeric = [any(isinstance(cell, int | float) for cell in column) for column in zip(*table.rows, strict=True)]
    numeric = numeric or [False] * len(table.head)
    rows = [[_cell(cell, table.digits) for cell in row] for row in table.rows]
    return {
        "caption": table.caption,
        "head": list(zip(table.head, numeric, strict=True)),
        "rows": [list(zip(row, numeric, strict=True)) for row in rows],
    }


def _cell(cell: str | float | None, digits: int) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:.{digits}g}" if isinstance(cell, float) else f"{cell:,}"


def _picture(item: Path | Picture) -> Picture:
    return item if isinstance(item, Picture) else Picture(item.stem, item.read_bytes(), "", KINDS[item.suffix])
