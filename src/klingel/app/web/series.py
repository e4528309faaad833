"""Columns of stored runs for charts: read, thinned so that no peak is lost, packed as binary.

4 bytes length of the head, the head as JSON padded with spaces to a multiple of 8,
then per column `points` numbers: the abscissa as float64, the others as float32.
"""

import json
import struct
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from klingel._errors import InputError
from klingel.app.web.thinning import thinned
from klingel.io.run_journal import journal_of
from klingel.io.runs import read_run
from klingel.plots.quantity import DEGREES, SHOWN, WORDS, owner

if TYPE_CHECKING:
    import xarray as xr

KEPT = 3  # runs in memory
MOST_POINTS = 100_000
PLAIN = {"time": ("time", "s"), "distance": ("distance", "m")}


@dataclass(frozen=True)
class Stored:
    """A run as far as charts need it."""

    data: "xr.Dataset"
    names: dict[str, Any]
    attributes: dict[str, Any]

    def column(self, name: str) -> np.ndarray:
        if name not in self.data.variables or self.data[name].dims != ("time",):
            raise InputError("quantity", name, "is not in this run, or not a quantity over time")
        return self.data[name].to_numpy()

    def quantities(self) -> list[str]:
        return [str(n) for n, part in self.data.variables.items() if part.dims == ("time",)]

    def unit(self, name: str) -> str:
        return str(self.data[name].attrs.get("units", ""))


class Reader:
    """Runs read from disk; the last ones stay in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, tuple[Any, Stored]] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Import what reading needs: a second, for which the first chart would wait."""
        import h5py  # noqa: F401
        import xarray  # noqa: F401

    def read(self, path: Path) -> Stored:
        stamp = [_stamp(file) for file in (path, journal_of(path))]
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept[0] == stamp:
                self._kept.move_to_end(path)
                return kept[1]
            data, attributes = read_run(path)
            found = Stored(data, json.loads(attributes.get("names", "{}")), attributes)
            self._kept[path] = (stamp, found)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return found


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def described(name: str, unit: str) -> tuple[float, dict[str, str]]:
    """Factor from SI, and name, words and unit of a quantity for an axis."""
    if name in PLAIN:
        word, shown = PLAIN[name]
        return 1.0, {"name": name, "word": word, "unit": shown, "owner": ""}
    last = name.rpartition(".")[2]
    factor, shown = SHOWN.get(unit, (1.0, unit or "–"))
    if last in DEGREES:
        factor, shown = float(np.degrees(1.0)), "deg"
    word = WORDS.get(last, last.replace("_dot", " rate").replace("_", " "))
    return factor, {"name": name, "word": word, "unit": shown, "owner": owner(name)}


def series(
    columns: Mapping[str, np.ndarray], units: Mapping[str, str], x: str, names: Sequence[str], points: int,
    window: tuple[float, float] | None = None, more: Mapping[str, Any] | None = None,
) -> bytes:  # fmt: skip
    """Quantities over another, within a window of it, as one message."""
    points = max(16, min(points, MOST_POINTS))
    abscissa = columns[x]
    ordered = x in PLAIN
    inside = slice(None)
    if window is not None:
        over = abscissa if ordered else columns["time"]
        low, high = np.searchsorted(over, window)
        inside = slice(max(low - 1, 0), high + 1)
    values = [columns[name][inside] for name in names]
    xs, ys = thinned(abscissa[inside], values, points, ordered)
    scale, told = described(x, units.get(x, ""))
    parts, heads = [], []
    for name, y in zip(names, ys, strict=True):
        factor, head = described(name, units.get(name, ""))
        heads.append(head)
        parts.append(factor * y)
    whole = columns["time"]
    head = {
        "points": int(xs.size), "rows": int(abscissa.size), "x": told, "series": heads,
        "span": [float(whole[0]), float(whole[-1])] if whole.size else None, **(more or {}),
    }  # fmt: skip
    return packed(head, scale * xs, parts)


def packed(head: Mapping[str, Any], first: np.ndarray, others: Sequence[np.ndarray]) -> bytes:
    text = json.dumps(head).encode()
    text += b" " * (-(len(text) + 4) % 8)
    content = [np.ascontiguousarray(first, "<f8").tobytes()]
    content += [np.ascontiguousarray(part, "<f4").tobytes() for part in others]
    return struct.pack("<I", len(text)) + text + b"".join(content)


def unpacked(content: bytes) -> tuple[dict[str, Any], np.ndarray, list[np.ndarray]]:
    """The reverse of `packed`, for tests and scripts."""
    (length,) = struct.unpack_from("<I", content)
    head = json.loads(content[4 : 4 + length])
    n, place = head["points"], 4 + length
    first = np.frombuffer(content, "<f8", n, place)
    place += 8 * n
    others = [np.frombuffer(content, "<f4", n, place + 4 * n * k) for k in range(len(head["series"]))]
    return head, first, others
