"""One self-contained HTML page of figures, numbers and checks: pictures are inside the file."""

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

KINDS = {".png": "image/png", ".svg": "image/svg+xml"}

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
img { max-width: 100%; margin: 0.5rem 0; }
table { border-collapse: collapse; margin: 0.5rem 0; }
td, th { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; font-weight: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
th { border-bottom: 1px solid #999; }
code { background: #f2f2f2; padding: 0.1rem 0.3rem; }
"""


@dataclass(frozen=True)
class Section:
    title: str
    text: str
    command: str = ""  # how to make it again
    quantities: Mapping[str, float] = field(default_factory=dict)
    checks: Sequence[tuple[str, float, float, bool]] = ()  # what, expected, computed, ok
    pictures: Sequence[Path] = ()


def write_gallery(path: Path, title: str, text: str, sections: Sequence[Section]) -> Path:
    """Write the page; it appears under its name only when it is complete."""
    body = "\n".join(_section(section) for section in sections)
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n{body}\n</body></html>\n"
    )
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(page, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>", f"<p>{escape(section.text)}</p>"]
    if section.command:
        parts.append(f"<p><code>{escape(section.command)}</code></p>")
    parts += [_picture(path) for path in section.pictures if path.suffix in KINDS]
    if section.checks:
        rows = [
            f'<tr><td>{escape(what)}</td><td class="number">{expected:.8g}</td>'
            f'<td class="number">{computed:.8g}</td><td>{"ok" if ok else "differs"}</td></tr>'
            for what, expected, computed, ok in section.checks
        ]
        head = "<tr><th>check</th><th>expected</th><th>computed</th><th></th></tr>"
        parts.append(f"<table>{head}{''.join(rows)}</table>")
    if section.quantities:
        rows = [
            f'<tr><td>{escape(name.replace("_", " "))}</td><td class="number">{value:.6g}</td></tr>'
            for name, value in section.quantities.items()
        ]
        parts.append(f"<details><summary>numbers</summary><table>{''.join(rows)}</table></details>")
    return "\n".join(parts)


def _picture(path: Path) -> str:
    data = b64encode(path.read_bytes()).decode("ascii")
    return f'<img alt="{escape(path.stem)}" src="data:{KINDS[path.suffix]};base64,{data}">'
