"""Answers kept on disk, so that a list that was interrupted goes on where it stopped.

The name of a file is a digest of all that decides its content: engine, the sources of the literature the study is
made of, the study and its case. Kept only when asked for (`--resume`); a page can be made without.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

from klingel._jit import cache_base
from klingel.io.atomic import write_text
from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Outcome, Study
from klingel.literature.reproduce.engine import PACKAGE, deciding_files
from klingel.literature.reproduce.run import Answer, execute

IMPORT = re.compile(r"from klingel\.literature\.(\S+) import")


@cache
def _engine() -> bytes:
    digest = hashlib.sha256()
    for path in deciding_files():
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] != "literature":
            digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def _sources(module: str, found: dict[str, bytes]) -> None:
    """Those of a module of the literature and of all it imports from there."""
    path = (PACKAGE / "literature" / module.replace(".", "/")).with_suffix(".py")
    if module in found or not path.is_file():
        return
    found[module] = path.read_bytes()
    for name in IMPORT.findall(found[module].decode("utf-8")):
        _sources(name, found)


@cache
def _digest(study: Study) -> bytes:
    """Of the sources as they were when they were first asked for."""
    function = study.run.func if isinstance(study.run, partial) else study.run
    found: dict[str, bytes] = {}
    _sources(function.__module__.removeprefix("klingel.literature."), found)
    digest = hashlib.sha256(_engine())
    for module in sorted(found):
        if module != "reproduce.claim":  # judges, and decides no value
            digest.update(found[module])
    return digest.digest()


def remember(studies: Sequence[Study]) -> None:
    """Sources as they are now belong to what will be computed, whatever is edited meanwhile."""
    for study in studies:
        _digest(study)


def _path(study: Study, case: Case) -> Path:
    digest = hashlib.sha256(_digest(study))
    digest.update(json.dumps([study.name, asdict(case)]).encode())
    return cache_base() / "reproduce" / f"{study.name}-{digest.hexdigest()[:24]}.json"


def resumed(study: Study, case: Case) -> Answer:
    """The answer of an earlier run of these sources, or a new one, which is kept."""
    path = _path(study, case)
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(path.read_text("utf-8"))
        return Answer({name: _outcome(row) for name, row in kept["results"].items()}, "", kept["time"])
    answer = execute(study, case)
    if answer.results is not None:
        rows = {
            name: asdict(result if isinstance(result, Outcome) else Outcome(float(result)))
            for name, result in answer.results.items()
        }
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps({"results": rows, "time": answer.time}, default=float))
    return answer


def _outcome(row: dict) -> Outcome:
    return Outcome(row["value"], row["note"], tuple(row["seeds"]))
