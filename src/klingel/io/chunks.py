"""Columns of numbers as HDF5 stores them: chunks of rows, bytes shuffled, deflated.

They are made here instead of by HDF5, so that a run compresses each number once, while it goes on, and its file is
put together from finished chunks. Of a number that changes from row to row the low bytes of the mantissa are
noise: they are stored as they are, which halves the time and costs two per cent of the size.
"""

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

ROWS = 8192  # per chunk
LEVEL = 1  # of zlib: more costs time and gains three per cent
SAMPLE, NOISE = 256, 100  # bytes looked at, and how many different ones make noise of them; random ones have 162
STORED = 65535  # longest stored block of a deflate stream
HEAD = b"\x78\x01"  # of a zlib stream


def encode(values: np.ndarray) -> list[bytes]:
    """One chunk for each column of `values` (columns, rows)."""
    rows = values.shape[1]
    size = values.itemsize
    plain = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    words = plain.view(f"u{size}")  # bits: a missing value is equal to itself
    changing = (words != words[:, :1]).any(axis=1)
    shuffled = np.ascontiguousarray(plain[changing].view(np.uint8).reshape(-1, rows, size).swapaxes(1, 2))
    streams = iter(shuffled)
    return [
        _stream(next(streams)) if moves else _constant(plain[k, 0].tobytes(), rows)
        for k, moves in enumerate(changing)
    ]


@lru_cache(maxsize=1024)
def _constant(number: bytes, rows: int) -> bytes:
    return zlib.compress(b"".join(bytes([byte]) * rows for byte in number), LEVEL)


def _stream(planes: np.ndarray) -> bytes:
    """Planes of bytes, lowest first, as one zlib stream."""
    noisy = 0
    while noisy < planes.shape[0] - 2 and len(set(planes[noisy, :SAMPLE].tobytes())) > NOISE:
        noisy += 1
    if not noisy:
        return zlib.compress(planes.data, LEVEL)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(planes[noisy:].data) + packer.flush()
    check = zlib.adler32(planes.data).to_bytes(4, "big")
    return b"".join((HEAD, *_stored(planes[:noisy].tobytes()), packed, check))


def _stored(content: bytes) -> list[bytes]:
    """Blocks of a deflate stream that are not compressed, none of them the last."""
    found = []
    for start in range(0, len(content), STORED):
        part = content[start : start + STORED]
        length = len(part)
        found += [b"\x00", length.to_bytes(2, "little"), (length ^ 0xFFFF).to_bytes(2, "little"), part]
    return found


def decode(chunk: bytes | memoryview, dtype: np.dtype) -> np.ndarray:
    """The column of a chunk."""
    planes = np.frombuffer(zlib.decompress(chunk), np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype.newbyteorder("<")).astype(dtype, copy=False)


@dataclass(frozen=True)
class Column:
    """What stands above a column of a file."""

    dims: tuple[str, ...]  # the first one grows
    dtype: np.dtype
    width: int  # numbers per row
    attributes: dict[str, Any]


@dataclass
class Growing:
    """Columns along one dimension that grow together: finished chunks, and rows of the next one."""

    columns: dict[str, Column]
    rows: int = 0
    chunks: list[list[bytes]] = field(default_factory=list)  # per ROWS rows: one for each number of a row

    def __post_init__(self) -> None:
        self._groups: dict[np.dtype, list[str]] = {}
        for name, column in self.columns.items():
            self._groups.setdefault(column.dtype, []).append(name)
        widths = {kind: sum(self.columns[name].width for name in names) for kind, names in self._groups.items()}
        self.tail = {kind: np.empty((width, 0), kind) for kind, width in widths.items()}
        self._digests = {name: hashlib.sha256() for name in self.columns}

    @property
    def dim(self) -> str:
        return next(iter(self.columns.values())).dims[0]

    def order(self) -> list[tuple[str, int]]:
        """Name, and which number of its row, of the chunks of one list."""
        return [
            (name, k) for names in self._groups.values() for name in names for k in range(self.columns[name].width)
        ]

    def append(self, values: Mapping[str, np.ndarray], rows: int) -> None:
        """More rows; chunks that are full are encoded."""
        for name, column in self.columns.items():
            self._digests[name].update(np.ascontiguousarray(values[name], column.dtype.newbyteorder("<")).data)
        more = {
            kind: np.concatenate(
                [self.tail[kind], np.concatenate([_across(values[name], kind) for name in names])], axis=1
            )
            for kind, names in self._groups.items()
        }
        held = self.rows % ROWS + rows
        full = held // ROWS
        for k in range(full):
            self.chunks.append(
                self._encoded({kind: part[:, k * ROWS : (k + 1) * ROWS] for kind, part in more.items()})
            )
        self.tail = {kind: part[:, full * ROWS :].copy() for kind, part in more.items()}
        self.rows += rows

    def _encoded(self, parts: Mapping[np.dtype, np.ndarray]) -> list[bytes]:
        return [chunk for part in parts.values() for chunk in encode(part)]

    def whole(self) -> list[list[bytes]]:
        """All chunks, the unfinished one filled up."""
        held = self.rows % ROWS
        if not held:
            return self.chunks
        filled = {kind: np.pad(part, ((0, 0), (0, ROWS - held))) for kind, part in self.tail.items()}
        return [*self.chunks, self._encoded(filled)]

    def digests(self) -> dict[str, str]:
        return {name: digest.hexdigest() for name, digest in self._digests.items()}


def _across(values: np.ndarray, kind: np.dtype) -> np.ndarray:
    values = np.asarray(values, kind)
    return values.reshape(1, -1) if values.ndim == 1 else values.T
