"""An append-only file of records that survives a kill at any moment.

One record per line: a digest, a space, the record as JSON. The first record says what the file belongs to; the
file is put in its place together with it, so it is never met without. Every further record is flushed to the
disk before anything goes on. A line that does not match its digest, such as the torn last one of a killed
writer, is passed over.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from klingel._errors import InputError
from klingel.io.atomic import write_bytes
from klingel.io.plain_files import LARGEST_RESULT, read_plain

try:
    import fcntl
except ImportError:  # not on POSIX: two writers at once are then not noticed
    fcntl = None

MARK = 16  # hexadecimal digits of a digest


def _line(record: Any) -> bytes:
    text = json.dumps(record, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest()[:MARK].encode() + b" " + text + b"\n"


def _record(line: bytes) -> Any | None:
    """The record of a line, None for a damaged one."""
    mark, _, text = line.rstrip(b"\n").partition(b" ")
    if hashlib.sha256(text).hexdigest()[:MARK].encode() != mark:
        return None
    return json.loads(text)


def create(path: Path, header: Any) -> None:
    """A new journal with nothing but its header; an old one is replaced."""
    try:
        write_bytes(path, _line(header))
    except OSError as error:
        raise InputError("file", str(path), f"must be a place to write to ({error.strerror})") from None


def read(path: Path) -> tuple[Any, list[Any]]:
    """Header and whole records."""
    lines = read_plain(path, LARGEST_RESULT).splitlines(keepends=True)
    header = _record(lines[0]) if lines else None
    if header is None:
        raise InputError("file", str(path), "must be a journal; its first line is damaged")
    return header, [record for line in lines[1:] if (record := _record(line)) is not None]


class Writer:
    """Appends records; made by `appending`."""

    def __init__(self, file: BinaryIO):
        self._file = file

    def add(self, record: Any) -> None:
        self._file.write(_line(record))
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def appending(path: Path) -> Iterator[Writer]:
    """Open for one writer at a time; a torn last line is closed first."""
    with path.open("r+b") as file:
        _lock(file, path)
        file.seek(0, os.SEEK_END)
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            torn = file.read(1) != b"\n"
            if torn:
                file.write(b"\n")
        yield Writer(file)


def _lock(file: BinaryIO, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.lockf(
            file, fcntl.LOCK_EX | fcntl.LOCK_NB
        )  # of this process: children that outlive it do not hold it
    except OSError:
        raise InputError("file", str(path), "must not be in use by another process") from None
