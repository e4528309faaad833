"""All the state of a server in one place: runs, their readers, the warm processes."""

import asyncio
import os
import re
import secrets
import threading
from itertools import count
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.app.web.helper import Helper
from klingel.app.web.jobs import Registry
from klingel.app.web.series import Reader, Stored
from klingel.app.web.store import OWN, Store
from klingel.io.plain_files import is_file
from klingel.io.profile_files import with_names

UPLOADS, SECRET, SESSIONS = ".uploads", ".secret", ".sessions"
LARGEST_TEXT = 1024 * 1024  # of a TOML file or profile [bytes]
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,79}")


class Workbench:
    def __init__(self, folder: Path, workers: int | None = None):
        self.store = Store(folder)
        self.registry = Registry(self.store, workers or max(1, (os.cpu_count() or 2) - 1))
        self.reader = Reader()
        self.previews = Helper("klingel.app.web.answers.previews")
        self.pictures = Helper("klingel.app.web.answers.pictures", niceness=5)

    def start(self) -> None:
        for ahead in (self.registry.prepare, self.reader.prepare):
            threading.Thread(target=ahead, daemon=True).start()
        self.previews.start()

    def close(self) -> None:
        self.registry.close()
        self.previews.close()
        self.pictures.close()

    @property
    def uploads(self) -> str:
        place = self.store.folder / UPLOADS
        place.mkdir(exist_ok=True)
        return str(place)

    @property
    def sessions(self) -> Path:
        """Where drafts of browsers are kept."""
        return self.store.folder / SESSIONS

    def secret(self) -> str:
        """Of the cookies; random, once for each folder."""
        path = self.store.folder / SECRET
        if not path.is_file():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(32))
        return path.read_text().strip()

    def keep_upload(self, name: str, content: bytes) -> Path:
        """An uploaded profile under its own name; no name leads out of the folder."""
        if not _NAME.fullmatch(name):
            raise InputError("file", name, "must have a plain name of letters, digits, dots and dashes")
        if len(content) > LARGEST_TEXT:
            raise InputError("file", name, f"must have at most {LARGEST_TEXT // 1024**2} MB")
        if name.lower() in OWN or name.lower().endswith(".journal"):
            raise InputError("file", name, "must have a name that no file of a run has")
        path = Path(self.uploads) / name
        path.write_bytes(content)
        return path

    def located(self, name: str) -> str:
        """A profile by its name: where it is, if it was uploaded."""
        path = Path(self.uploads) / name
        return str(path) if is_file(path) else name

    def bring_back(self, id: str, tables: Any) -> Any:
        """Tables of a stored request; profiles that it has of its own can be used again.

        One that was uploaded under the same name with other content since stays, and this one gets another name.
        """
        names = {path.name: self._upload_again(path) for path in self.store.profiles(id)}
        return with_names(tables, lambda name: names.get(name, name))

    def _upload_again(self, path: Path) -> str:
        content, name = path.read_bytes(), path.name
        for number in count(2):
            there = Path(self.uploads) / name
            if not there.exists():
                there.write_bytes(content)
            if there.read_bytes() == content:
                break
            name = f"{path.stem}-{number}{path.suffix}"
        return name

    async def read(self, id: str) -> Stored:
        """A stored run, without holding up other pages."""
        path = self.store.result(id)
        return await asyncio.to_thread(self.reader.read, path)
