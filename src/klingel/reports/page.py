"""One self-contained HTML page of text, tables and pictures: nothing is loaded from elsewhere.

It reads on a phone, prints without cutting pictures in two, and appears only when it is complete.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from klingel.io.atomic import write_text

KINDS = {".png": "image/png", ".svg": "image/svg+xml"}
CONTENTS_FROM = 5  # sections; shorter pages need no table of contents

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  color: #111; background: #fff; overflow-wrap: break-word; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
nav ul { columns: 14rem; padding-left: 1.2rem; }
a { color: #00558a; }
figure { margin: 1rem 0 1.5rem; }
figcaption { color: #444; font-size: 0.95em; }
img { max-width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: left; font-weight: normal; vertical-align: top; }
th { border-bottom: 1px solid #999; }
tbody tr:nth-child(even) { background: #f6f6f6; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: #f2f2f2; padding: 0.6rem 0.8rem; white-space: pre-wrap; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
@media (max-width: 40rem) {
  body { font-size: 15px; }
  h1 { font-size: 1.5rem; }
  td, th { padding-right: 0.6rem; }
  td:first-child { min-width: 9rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  figure, tr, pre { break-inside: avoid; }
  h2, h2 + p, caption { break-after: avoid; }
  .wide { overflow: visible; }
  img { max-height: 23cm; width: auto; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""


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
    body = "\n".join(_section(number, section) for number, section in enumerate(sections, 1))
    write_text(
        path,
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<h1>{escape(title)}</h1>\n{_paragraphs(text)}\n{_contents(sections)}\n{body}\n</body>\n</html>\n",
    )
    return path


def _contents(sections: Sequence[Section]) -> str:
    if len(sections) < CONTENTS_FROM:
        return ""
    lines = [f'<li><a href="#s{k}">{escape(s.title)}</a></li>' for k, s in enumerate(sections, 1)]
    return f'<nav aria-label="Contents"><ul>{"".join(lines)}</ul></nav>'


def _paragraphs(text: str) -> str:
    return "\n".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n") if part)


def _section(number: int, section: Section) -> str:
    parts = [f'<section id="s{number}">', f"<h2>{escape(section.title)}</h2>", _paragraphs(section.text)]
    if section.command:
        parts.append(f"<pre><code>{escape(section.command)}</code></pre>")
    parts += [_picture(item) for item in section.pictures if isinstance(item, Picture) or item.suffix in KINDS]
    parts += [_table(table) for table in section.tables]
    if section.checks:
        rows = [
            (what, expected, computed, "ok" if ok else "differs")
            for what, expected, computed, ok in section.checks
        ]
        parts.append(_table(Table(("check", "expected", "computed", "verdict"), rows, digits=8)))
    if section.quantities:
        rows = [(name.replace("_", " "), value) for name, value in section.quantities.items()]
        inside = _table(Table(("quantity", "value"), rows, digits=6))
        parts.append(f"<details><summary>numbers</summary>{inside}</details>")
    return "\n".join([*parts, "</section>"])


def _table(table: Table) -> str:
    numeric = [any(isinstance(cell, int | float) for cell in column) for column in zip(*table.rows, strict=True)]
    numeric = numeric or [False] * len(table.head)
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(
        f'<th scope="col"{_right(right)}>{escape(word)}</th>'
        for word, right in zip(table.head, numeric, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{_right(right)}>{_cell(cell, table.digits)}</td>"
            for cell, right in zip(row, numeric, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
    )


def _right(number: bool) -> str:
    return ' class="number"' if number else ""


def _cell(cell: str | float | None, digits: int) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return escape(cell)
    return f"{cell:.{digits}g}" if isinstance(cell, float) else f"{cell:,}"


def _picture(item: Path | Picture) -> str:
    picture = item if isinstance(item, Picture) else Picture(item.stem, item.read_bytes(), "", KINDS[item.suffix])
    data = b64encode(picture.data).decode("ascii")
    caption = f"<figcaption>{escape(picture.caption)}</figcaption>" if picture.caption else ""
    return (
        f'<figure><img alt="{escape(picture.caption or picture.name)}" src="data:{picture.kind};base64,{data}">'
        f"{caption}</figure>"
    )
