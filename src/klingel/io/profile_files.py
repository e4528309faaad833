"""Profiles that descriptions name by file: found beside what names them, also after that was moved.

A vehicle names wheel profiles, a track its rail, a request both, perhaps as changed values under dotted names.
"""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import tomli_w

from klingel.io.plain_files import is_file
from klingel.io.toml_tables import read_toml

KEYS = ("profile", "profile_right", "rail")  # that may name a file
SOURCES = "sources"  # where values come from, by their names: words, no files

_A_PATH = re.compile(r'(?:profile|profile_right|rail)"? = "[^"\n]*[/\\]')


def with_names(tables: Any, change: Callable[[str], str]) -> Any:
    """A copy in which every name that may be a file is what `change` makes of it."""
    if isinstance(tables, list | tuple):
        return [with_names(part, change) for part in tables]
    if not isinstance(tables, dict):
        return tables
    found = {}
    for key, part in tables.items():
        if str(key).rpartition(".")[2] in KEYS and isinstance(part, str):
            found[key] = change(part)
        else:
            found[key] = part if key == SOURCES else with_names(part, change)
    return found


def beside(folder: Path) -> Callable[[str], str]:
    """Names of files in a folder get their full path; others stay."""
    return lambda name: str((folder / name).resolve()) if name and is_file(folder / name) else name


def found_again(text: str, folder: Path) -> str:
    """Text of a stored vehicle or track; a file that is no longer at its place is looked for in `folder`.

    So the folder of a result can be sent elsewhere together with the profiles that lie in it.
    """
    if not _A_PATH.search(text):
        return text

    def look(name: str) -> str:
        here = folder / last_name(name)
        lost = last_name(name) != name and not is_file(Path(name))
        return str(here.resolve()) if lost and is_file(here) else name

    tables = read_toml(text, "stored description")
    moved = with_names(tables, look)
    return text if moved == tables else tomli_w.dumps(moved)


def with_moved_files(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Settings of a stored result whose vehicle and track are texts, as `found_again` has them."""
    texts = {key: settings[key] for key in ("vehicle", "track") if isinstance(settings.get(key), str)}
    return {**settings, **{key: found_again(text, folder) for key, text in texts.items()}}


def last_name(path: str) -> str:
    """Without folders, whichever system wrote it."""
    return PurePosixPath(PureWindowsPath(path).as_posix()).name
