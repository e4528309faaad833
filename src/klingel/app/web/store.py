"""Runs of the workbench on disk: one folder each, which can be zipped, sent and opened elsewhere.

klingel-runs/20261116-114503-hbbills311-4f2a/
    request.toml    what was asked for
    status.json     how far it is, or how it ended
    run.nc          the result (while it goes on, run.nc.journal); of a sweep sweep.nc, of a branch branch.nc,
                    of a set of rest rest.json, of a critical speed critical.json, of claims claims.json
    log.txt         what went wrong, if something did
    worn.prw        uploaded profiles that it needs, under their own names
"""

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io.atomic import write_text

QUEUED, RUNNING, PAUSED = "queued", "running", "paused"
DONE, DERAILED, STOPPED, FAILED = "done", "derailed", "stopped", "failed"
ALIVE = (QUEUED, RUNNING, PAUSED)
RUN, SWEEP, BRANCH, REST = "run", "sweep", "branch", "rest"  # kinds of work
CRITICAL, CLAIMS = "critical", "claims"
RESULTS = {
    RUN: "run.nc", SWEEP: "sweep.nc", CLAIMS: "claims.json", CRITICAL: "critical.json", BRANCH: "branch.nc",
    REST: "rest.json",
}  # fmt: skip
REQUEST, STATUS, LOG = "request.toml", "status.json", "log.txt"
OPTIONS = "options.json"  # of a sweep, or of claims
OWN = {REQUEST, STATUS, LOG, OPTIONS, *RESULTS.values()}  # names that no uploaded file may have
LOST = "the server ended while it ran; what was computed is kept"

_ID = re.compile(r"[0-9a-z][0-9a-z-]{0,79}")


class Missing(InputError):
    """Something that is not, or no longer, in the run folder."""


@dataclass
class Status:
    """Of one piece of work; `status.json` is this."""

    id: str
    kind: str
    title: str
    state: str = QUEUED
    created: float = 0.0  # seconds since 1970
    started: float | None = None
    ended: float | None = None
    fraction: float = 0.0  # done
    simulated: float = 0.0  # [s]; of a sweep, points
    whole: float = 0.0  # simulated time, or points, at the end
    events: int = 0
    steps: int = 0
    wall: float = 0.0  # computing [s]
    compiled: float = 0.0  # compiling before, the first time on a machine [s]
    message: str = ""  # one sentence for people

    @property
    def alive(self) -> bool:
        return self.state in ALIVE


class Store:
    """All folders below one; nothing outside it is written."""

    def __init__(self, folder: Path):
        self.folder = folder.absolute()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError("--folder", str(folder), f"must be a place to write to ({error.strerror})") from None

    def place(self, id: str) -> Path:
        """Folder of one; names that are none are refused before any file is looked for."""
        if not _ID.fullmatch(id) or not (self.folder / id).is_dir():
            raise Missing("run", id, "is not in the run folder")
        return self.folder / id

    def result(self, id: str, kind: str = RUN) -> Path:
        return self.place(id) / RESULTS[kind]

    def create(self, kind: str, title: str, request: str, files: Iterable[str] = ()) -> Status:
        """A new folder with what was asked for, and copies of the files that names."""
        now = time.time()
        word = re.sub(r"[^0-9a-z]+", "-", title.lower()).strip("-")[:30].strip("-")
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
        id = "-".join(part for part in (stamp, word, secrets.token_hex(2)) if part)
        (self.folder / id).mkdir()
        for file in files:
            shutil.copyfile(file, self.folder / id / Path(file).name)
        write_text(self.folder / id / REQUEST, request)
        status = Status(id, kind, title, created=now)
        self.write(status)
        return status

    def write(self, status: Status) -> None:
        write_text(self.place(status.id) / STATUS, json.dumps(asdict(status), indent=1))

    def request(self, id: str) -> str:
        return (self.place(id) / REQUEST).read_text(encoding="utf-8")

    def profiles(self, id: str) -> list[Path]:
        """Uploaded profiles that a piece of work has of its own."""
        found = sorted(path for path in self.place(id).iterdir() if path.is_file() and path.name not in OWN)
        return [path for path in found if not path.name.endswith((".journal", ".tmp")) and path.name[0] != "."]

    def log(self, id: str) -> str:
        path = self.place(id) / LOG
        return path.read_text(encoding="utf-8", errors="replace")[-20_000:] if path.is_file() else ""

    def read_all(self) -> dict[str, Status]:
        """What is there, newest first; work that a former server left is told to be stopped."""
        found = []
        for path in self.folder.iterdir():
            status = _read(path) if _ID.fullmatch(path.name) else None
            if status is None:
                continue
            if status.alive:
                status.state, status.message, status.ended = STOPPED, LOST, time.time()
                self.write(status)
            found.append(status)
        return {status.id: status for status in sorted(found, key=lambda s: s.created, reverse=True)}

    def remove(self, id: str) -> None:
        shutil.rmtree(self.place(id))


def _read(folder: Path) -> Status | None:
    """A folder that is none of ours, or damaged, is passed over."""
    try:
        content: dict[str, Any] = json.loads((folder / STATUS).read_text(encoding="utf-8"))
        known = {f.name for f in fields(Status)}
        status = Status(**{key: value for key, value in content.items() if key in known})
        good = status.kind in RESULTS and isinstance(status.title, str) and isinstance(status.created, float | int)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    status.id = folder.name
    return status if good else None
