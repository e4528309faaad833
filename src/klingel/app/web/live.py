"""Samples of a run that goes on, as its worker sent them: all of it, in few numbers."""

import threading

import numpy as np

from klingel.app.web.thinning import thinned

MOST = 20_000  # rows; then half of them go, peaks stay


class Live:
    def __init__(self) -> None:
        self._parts: dict[str, list[np.ndarray]] = {}
        self._rows = 0
        self._lock = threading.Lock()

    def add(self, columns: dict[str, np.ndarray]) -> None:
        with self._lock:
            if self._parts and set(self._parts) != set(columns):
                self._parts, self._rows = {}, 0
            for name, values in columns.items():
                self._parts.setdefault(name, []).append(values)
            self._rows += columns["time"].size
            if self._rows > MOST:
                whole = {name: np.concatenate(parts) for name, parts in self._parts.items()}
                time = whole.pop("time")
                xs, ys = thinned(time, list(whole.values()), MOST // 2)
                self._parts = {"time": [xs], **{name: [y] for name, y in zip(whole, ys, strict=True)}}
                self._rows = xs.size

    def columns(self) -> dict[str, np.ndarray]:
        with self._lock:
            self._parts = {name: [np.concatenate(parts)] for name, parts in self._parts.items() if parts}
            return {name: parts[0] for name, parts in self._parts.items()}
