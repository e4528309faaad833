"""Files that a browser may name: profiles of the library and those it uploaded, no others of this machine.

A request names an uploaded profile without a folder. Each piece of work gets copies of those it needs beside its
request, so that its folder can be sent elsewhere; `RunRequest.load` and `load_run` look there.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io.plain_files import is_file
from klingel.io.profile_files import KEYS, with_names

FILES = ("file", "run", *KEYS)  # keys that may name one
ALLOWED = "must be a name of the library or an uploaded file"


def refuse_files(tables: Any, uploads: str) -> None:
    """Raises what names a file that was not uploaded."""
    if isinstance(tables, list):
        for part in tables:
            refuse_files(part, uploads)
    if not isinstance(tables, dict):
        return
    for key, part in tables.items():
        if str(key).rpartition(".")[2] in FILES and isinstance(part, str):
            names_one = is_file(Path(part)) or "/" in part.replace("1/", "") or "\\" in part
            if names_one and _own(part, uploads) is None:
                raise InputError(key, part, ALLOWED)
        refuse_files(part, uploads)


def packed(tables: dict[str, Any], uploads: str) -> tuple[dict[str, Any], list[str]]:
    """Tables that name uploaded profiles without a folder, and where those are."""
    found: dict[str, Path] = {}

    def put(name: str) -> str:
        path = _own(name, uploads)
        if path is None:
            return name
        known = found.setdefault(path.name, path)
        if known.read_bytes() != path.read_bytes():
            raise InputError("profile", path.name, "must not be the name of two different profiles")
        return path.name

    return with_names(tables, put), [str(path) for path in found.values()]


def _own(name: str, uploads: str) -> Path | None:
    """Path of an uploaded file, or of the copy that a piece of work has."""
    place = Path(uploads).resolve()
    path = place / name
    if not is_file(path):
        return None
    folder = path.resolve().parent
    kept = folder.parent == place.parent and not folder.name.startswith(".")
    return path.resolve() if folder == place or kept else None


def without_folder(uploads: str) -> Callable[[str], str]:
    """Names as people know them."""
    return lambda name: path.name if (path := _own(name, uploads)) is not None else name
