"""A run on disk while it goes on: beside its file, `<file>.journal`, by the records of `io.blocks`.

The first record says what the run is made from and which columns it has. Every further one has the chunks that
were finished since, the rows of the unfinished ones, and the state of the solver: all records up to any one of
them are a run that can be read and gone on with.
"""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from klingel.io import blocks
from klingel.io.chunks import ROWS, Column, Growing, decode
from klingel.io.netcdf4 import Variable
from klingel.io.seals import is_sound

FORMAT = "klingel run journal 1"
GROWING = ("time", "event")  # dimensions
Attributes = dict[str, Any]


def journal_of(path: Path) -> Path:
    """Where an unfinished run, or sweep, of this file is kept."""
    return path.parent / f"{path.name}.journal"


def is_run_journal(path: Path) -> bool:
    """Sweeps have journals of another kind under the same name."""
    try:
        with path.open("rb") as file:
            return file.read(len(blocks.MARK)) == blocks.MARK
    except OSError:
        return False


def growing_columns(variables: Mapping[str, Variable]) -> list[Growing]:
    """Columns over time and over events for variables like these, without rows."""
    return [
        Growing(
            {
                name: Column(dims, values.dtype, 1 if values.ndim == 1 else values.shape[1], words)
                for name, (dims, values, words) in variables.items()
                if dims[0] == dim
            }
        )
        for dim in GROWING
    ]


def fixed_variables(variables: Mapping[str, Variable]) -> dict[str, Variable]:
    return {name: variable for name, variable in variables.items() if variable[0][0] not in GROWING}


class RunJournal:
    """Columns of a run, in memory as chunks, and on the disk as far as they were written."""

    def __init__(self, variables: Mapping[str, Variable], attributes: Attributes):
        self.identity = uuid.uuid4().hex
        self.growing = growing_columns(variables)
        self.fixed: dict[str, Variable] = {}
        self.attributes = attributes
        self._first = blocks.packed(
            {
                "format": FORMAT,
                "identity": self.identity,
                "columns": [{name: _told(c) for name, c in columns.columns.items()} for columns in self.growing],
                "attributes": attributes,
            }
        )
        self._writer: blocks.Writer | None = None
        self._kept = [(0, 0)] * len(self.growing)  # chunks and rows on the disk

    @property
    def path(self) -> Path | None:
        return self._writer.path if self._writer is not None else None

    def create(self, path: Path) -> None:
        """Here, with all there is so far, in one move; an OSError leaves it where it was."""
        before, kept = self._writer, self._kept
        self._kept = [(0, 0)] * len(self.growing)
        try:
            self._writer = blocks.Writer(path, self._first + (self._pending() if self.fixed else b""))
        except OSError:
            self._kept = kept
            raise
        self._note_kept()
        if before is not None:
            before.close()

    def append(self, variables: Mapping[str, Variable], attributes: Attributes) -> None:
        """More rows, and everything else as it is now; in memory."""
        for columns in self.growing:
            values = {name: variables[name][1] for name in columns.columns}
            columns.append(values, next(iter(values.values())).shape[0])
        self.fixed |= fixed_variables(variables)
        self.attributes = attributes

    def write(self) -> None:
        """What is not on the disk yet; an OSError leaves there what was."""
        assert self._writer is not None
        self._writer.add(self._pending())
        self._note_kept()

    def _note_kept(self) -> None:
        self._kept = [(len(columns.chunks), columns.rows) for columns in self.growing]

    def _pending(self) -> bytes:
        """One record with all that is not on the disk."""
        parts, content = [], []
        for columns, (chunks, rows) in zip(self.growing, self._kept, strict=True):
            new = columns.chunks[chunks:]
            start = len(columns.chunks) * ROWS
            raw = columns.rows - max(rows, start)
            parts.append({"chunks": [[len(chunk) for chunk in row] for row in new], "raw": raw})
            content += [chunk for row in new for chunk in row]
            content += [part[:, part.shape[1] - raw :].tobytes() for part in columns.tail.values()]
        told = {name: [list(d), v.dtype.str, list(v.shape), _plain(w)] for name, (d, v, w) in self.fixed.items()}
        content += [values.tobytes() for _, values, _ in self.fixed.values()]
        head = {"growing": parts, "fixed": told, "attributes": self.attributes}
        return blocks.packed(head, content)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _told(column: Column) -> list[Any]:
    return [list(column.dims), column.dtype.str, column.width, _plain(column.attributes)]


def _plain(words: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as JSON; arrays with their type."""
    return {
        key: {"dtype": value.dtype.str, "values": value.tolist()} if isinstance(value, np.ndarray) else value
        for key, value in words.items()
    }


def _words(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: np.array(value["values"], value["dtype"]) if isinstance(value, dict) else value
        for key, value in told.items()
    }


def read_journal(path: Path) -> tuple[dict[str, Variable], Attributes, str]:
    """Variables and attributes of an unfinished run, and the identity of its journal."""
    records = blocks.read(path)
    first, later = records[0][0], records[1:]
    growing = [
        Growing({name: Column(tuple(d), np.dtype(t), w, _words(a)) for name, (d, t, w, a) in columns.items()})
        for columns in first["columns"]
    ]
    done: list[list[list[np.ndarray]]] = [[] for _ in growing]  # per dimension and chunk of rows: columns
    raw: list[list[dict[np.dtype, np.ndarray]]] = [[] for _ in growing]  # rows after them
    fixed: dict[str, Variable] = {}
    for head, body in later:
        place = 0

        def take(length: int, body: memoryview = body) -> memoryview:
            nonlocal place
            place += length
            return body[place - length : place]

        for k, (columns, part) in enumerate(zip(growing, head["growing"], strict=True)):
            kinds = [columns.columns[name].dtype for name, _ in columns.order()]
            for lengths in part["chunks"]:
                done[k].append([decode(take(n), kind) for n, kind in zip(lengths, kinds, strict=True)])
            if part["chunks"]:
                raw[k] = []
            rows = part["raw"]
            raw[k].append(
                {
                    kind: np.frombuffer(take(tail.shape[0] * rows * kind.itemsize), kind).reshape(
                        tail.shape[0], rows
                    )
                    for kind, tail in columns.tail.items()
                }
            )
        fixed = {
            name: (tuple(d), np.frombuffer(take(_size(t, s)), t).reshape(s).copy(), _words(w))
            for name, (d, t, s, w) in head["fixed"].items()
        }
    variables: dict[str, Variable] = {}
    for columns, chunks, rows in zip(growing, done, raw, strict=True):
        variables |= _joined(columns, chunks, rows)
    attributes = {**first["attributes"], **(later[-1][0]["attributes"] if later else {})}
    return variables | fixed, attributes, first["identity"]


def _size(kind: str, shape: list[int]) -> int:
    return int(np.prod(shape)) * np.dtype(kind).itemsize


def _joined(
    columns: Growing, chunks: list[list[np.ndarray]], raw: list[dict[np.dtype, np.ndarray]]
) -> dict[str, Variable]:
    """Columns by name, from finished chunks and the rows after them."""
    gathered: dict[str, list[np.ndarray]] = {name: [] for name in columns.columns}
    seen: dict[np.dtype, int] = {}
    for k, (name, _) in enumerate(columns.order()):
        kind = columns.columns[name].dtype
        line = seen[kind] = seen.get(kind, -1) + 1
        parts = [*(row[k] for row in chunks), *(piece[kind][line] for piece in raw)]
        gathered[name].append(np.concatenate(parts) if parts else np.empty(0, kind))
    found: dict[str, Variable] = {}
    for name, lines in gathered.items():
        column = columns.columns[name]
        values = lines[0] if len(column.dims) == 1 else np.column_stack(lines)
        found[name] = (column.dims, values, column.attributes)
    return found


def remove(path: Path | None) -> None:
    if path is not None:
        path.unlink(missing_ok=True)


def identity_of(path: Path) -> str:
    """Which journal a file was made from, if any; empty for a file that cannot be read."""
    import h5netcdf

    try:
        if not is_sound(path):
            return ""
        with h5netcdf.File(path, "r") as file:
            return str(file.attrs.get("journal", ""))
    except Exception:  # HDF5 lets anything out on damaged content, and older files are none of its own
        return ""
