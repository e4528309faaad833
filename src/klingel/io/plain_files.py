"""Files that people name, read whole: regular ones of a sensible size, or one line saying why not.

Devices and pipes may have no end, and a text of gigabytes is none that a person wrote.
"""

import stat
from pathlib import Path

from klingel._arguments import check_path
from klingel._errors import InputError

LARGEST_TEXT = 64 * 1024 * 1024  # bytes; a record of 500 km, a row every quarter of a metre, has 50 million
LARGEST_PROFILE = 8 * 1024 * 1024
LARGEST_RESULT = 8 * 1024**3  # runs and sweeps are read into memory


def check_regular(path: Path, largest: int = LARGEST_RESULT, field: str = "file") -> Path:
    """The path itself, if a file that can be read whole is there."""
    check_path(field, path)
    try:
        found = path.stat()
    except FileNotFoundError:
        raise InputError(field, str(path), "must exist") from None
    except OSError as error:
        raise InputError(field, str(path), f"must be readable ({error.strerror})") from None
    if stat.S_ISDIR(found.st_mode):
        raise InputError(field, str(path), "must be a file, not a folder")
    if not stat.S_ISREG(found.st_mode):
        raise InputError(field, str(path), "must be a file on a disk, not a device or a pipe")
    if found.st_size > largest:
        allowed = f"must have at most {largest // 1024**2} MB, this one has {found.st_size // 1024**2} MB"
        raise InputError(field, str(path), allowed)
    return path


def read_plain(path: Path, largest: int = LARGEST_TEXT, field: str = "file") -> bytes:
    """Content of a file; never more than `largest` bytes."""
    check_regular(path, largest, field)
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise InputError(field, str(path), f"must be readable ({error.strerror})") from None
    if len(content) > largest:  # a file of the system whose size is not told before
        raise InputError(field, str(path), f"must have at most {largest // 1024**2} MB")
    return content


def read_text(path: Path, largest: int = LARGEST_TEXT) -> str:
    """Text of a file in UTF-8, with or without a byte-order mark."""
    content = read_plain(path, largest)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise InputError("file", str(path), "must be text in UTF-8") from None


def is_file(path: Path) -> bool:
    """Whether there is such a file; names no file can have (a NUL, too long) are none."""
    try:
        return path.is_file()
    except (ValueError, OSError):
        return False
