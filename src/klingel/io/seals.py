"""A digest behind the content of an HDF5 file, looked at before HDF5 reads it: damage can make HDF5 crash.

HDF5 knows where its content ends and takes no notice of what follows. A file without a seal, older or changed by
another program, is read by a process of its own first.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

MARK = b"\nklingel blake2b "
SIZE = 32  # of the digest [bytes]
PIECE = 1 << 20  # read at once [bytes]
PROBE = """
import sys, h5py
with h5py.File(sys.argv[1], "r") as store:
    for place in store.values():
        place[...], list(place.attrs.items()), [list(dim.values()) for dim in place.dims]
    list(store.attrs.items())
"""
CODES = range(256)  # of a program that ended by itself; a crash has another one


def sealed(content: bytes) -> bytes:
    return content + MARK + hashlib.blake2b(content, digest_size=SIZE).digest()


def is_sound(path: Path) -> bool:
    """Whether HDF5 may read the file: its seal fits, or HDF5 survives it."""
    length = path.stat().st_size - len(MARK) - SIZE
    with path.open("rb") as file:
        file.seek(max(length, 0))
        mark, told = file.read(len(MARK)), file.read()
        if mark != MARK:
            return _survives(path)
        file.seek(0)
        digest = hashlib.blake2b(digest_size=SIZE)
        while length > 0 and (piece := file.read(min(PIECE, length))):
            digest.update(piece)
            length -= len(piece)
    return digest.digest() == told


def _survives(path: Path) -> bool:
    if not sys.executable:  # within another program
        return True
    command = [sys.executable, "-c", PROBE, str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode in CODES
