"""Pages that are made from something else: reference, gallery, changelog, and the list of decisions."""

import re
from pathlib import Path
from typing import Any

from commands import commands_page  # beside this file
from functions import functions_page
from gallery import gallery_page
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]


LISTED = {"how-to": "How-to", "decisions": "Decisions"}  # folders whose new pages need no line in mkdocs.yml


def on_config(config: Any, **_: Any) -> None:
    for folder, section in LISTED.items():
        entries = next(entry[section] for entry in config["nav"] if section in entry)
        known = {page for entry in entries for page in (entry.values() if isinstance(entry, dict) else [entry])}
        for path in sorted((ROOT / "docs" / folder).glob("*.md")):
            page = f"{folder}/{path.name}"
            if page not in known:
                entries.append({title(path): page})


def title(page: Path) -> str:
    """Heading of a page; of a decision with the number of its file."""
    heading = re.search(r"^# (?:\d+\. )?(.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert heading, page
    number = re.match(r"\d+", page.name)
    return f"{int(number[0])}. {heading[1]}" if number else heading[1]


def on_files(files: Any, config: Any, **_: Any) -> None:
    texts = {
        "reference/commands.md": commands_page(),
        "reference/python.md": functions_page(),
        "changelog.md": from_root("CHANGELOG.md"),
        "contributing.md": from_root("CONTRIBUTING.md"),
        "decisions/index.md": decisions_page(),
    }
    page, pictures = gallery_page()
    texts["gallery/index.md"] = page
    for name, text in texts.items():
        files.append(File.generated(config, name, content=text))
    for name, path in pictures.items():
        files.append(File.generated(config, f"gallery/{name}", abs_src_path=str(path)))


def from_root(name: str) -> str:
    """A page of the repository itself, with its links as seen from the site."""
    return (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")


def decisions_page() -> str:
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    lines = [f"- [{title(page)}]({page.name})" for page in pages]
    head = "# Decisions\n\nQuestions of weight, half a page each: what was decided, why, and at what price."
    return "\n".join([head, "", *lines, ""])
