"""An append-only file of binary records that survives a kill at any moment and a full disk.

A record is its length, a digest and its content: a line of JSON and bytes. Reading ends at the first record that
does not match its digest, which can only be the torn last one of a killed writer: every record is on the disk
before the next one is begun. The file is put in its place together with its first record.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from errno import EACCES, EWOULDBLOCK
from io import RawIOBase
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io.atomic import write_bytes

try:
    import fcntl
except ImportError:  # not on POSIX: two writers at once are then not noticed
    fcntl = None

MARK = b"klingel blocks 1\n"
DIGEST, LENGTH = 16, 8  # bytes


def packed(head: dict[str, Any], content: Iterable[bytes] = ()) -> bytes:
    body = b"".join((json.dumps(head, separators=(",", ":")).encode(), b"\n", *content))
    return len(body).to_bytes(LENGTH, "little") + hashlib.sha256(body).digest()[:DIGEST] + body


def _records(content: bytes) -> Iterator[tuple[dict[str, Any], memoryview, int]]:
    """Head, bytes, and where the record ends."""
    place, view = len(MARK), memoryview(content)
    if content[:place] != MARK:
        return
    while place + LENGTH + DIGEST <= len(content):
        start = place + LENGTH + DIGEST
        end = start + int.from_bytes(content[place : place + LENGTH], "little")
        if end > len(content) or hashlib.sha256(view[start:end]).digest()[:DIGEST] != view[start - DIGEST : start]:
            return
        line = content.index(b"\n", start)
        yield json.loads(content[start:line]), view[line + 1 : end], end
        place = end


def read(path: Path) -> list[tuple[dict[str, Any], memoryview]]:
    """All whole records; one clear line if there is none."""
    try:
        found = [(head, body) for head, body, _ in _records(path.read_bytes())]
    except OSError as error:
        raise InputError("file", str(path), f"must be readable ({error.strerror})") from None
    if not found:
        raise InputError("file", str(path), "must be the journal of a run; its first record is damaged")
    return found


class Writer:
    """Appends records to a file made with its first one; held against a second writer."""

    def __init__(self, path: Path, first: bytes):
        self.path = path
        refuse_in_use(path)
        write_bytes(path, MARK + first)
        self._file = path.open("r+b", buffering=0)
        _hold(self._file, path)
        self._end = self._file.seek(0, os.SEEK_END)

    def add(self, record: bytes) -> None:
        """On the disk when it returns; after an OSError the file has the records before it, and nothing else."""
        try:
            self._file.seek(self._end)
            rest = memoryview(record)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # what stays of the record does not match its digest
                self._file.truncate(self._end)
            raise
        self._end += len(record)

    def content(self) -> bytes:
        """All records, for another place."""
        return self.path.read_bytes()[: self._end]

    def close(self) -> None:
        self._file.close()


def refuse_in_use(path: Path) -> None:
    """A file that another process appends to is left alone."""
    with suppress(FileNotFoundError), path.open("rb", buffering=0) as file:
        _hold(file, path)


def _hold(file: RawIOBase, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (EWOULDBLOCK, EACCES):
            raise InputError("file", str(path), "must not be in use by another process") from None
        # a file system without locks: two writers at once are then not noticed
