"""Modes of elements over time, for the bands below charts: who was in which mode from when to when.

As the event diagram of `klingel plot`: nothing is drawn in the mode of rest, of wheels that is the contact state
in the middle of the track. Bands begin and end at the located instants, not at rows of output.
"""

from typing import Any

import numpy as np

from klingel.app.web.series import Stored

MOST_LINES = 40
MOST_SPANS = 6000  # of all lines


def mode_bands(stored: Stored, t0: float, t1: float) -> dict[str, Any]:
    """Elements that change within a window, each with its spans [start, end, mode]; how many changes there are."""
    rows = stored.column("time")
    t0, t1 = max(t0, float(rows[0])), min(t1, float(rows[-1]))
    time, owner, old, new = (stored.data[f"event_{word}"].to_numpy() for word in ("time", "owner", "old", "new"))
    inside = (owner >= 0) & (time >= t0) & (time <= t1)
    count, who = int(inside.sum()), np.unique(owner[inside])
    lines = []
    if count <= MOST_SPANS:
        for k in _ordered(stored, who)[:MOST_LINES]:
            mine = np.flatnonzero(owner == k)
            lines.append(_line(stored, int(k), time[mine], old[mine], new[mine], (t0, t1)))
    return {"count": count, "lines": lines, "left_out": len(who) - len(lines), "window": [t0, t1]}


def _ordered(stored: Stored, who: np.ndarray) -> list[int]:
    """Suspension first, wheels last."""
    wheels = set(stored.names.get("wheels", ()))
    return sorted((int(k) for k in who), key=lambda k: (stored.names["modes"][k] in wheels, k))


def _line(
    stored: Stored, k: int, time: np.ndarray, old: np.ndarray, new: np.ndarray, window: tuple[float, float]
) -> dict[str, Any]:  # fmt: skip
    name, words = stored.names["modes"][k], stored.names["meanings"][k]
    starts = np.concatenate([[-np.inf], time])
    ends = np.concatenate([time, [np.inf]])
    modes = np.concatenate([old[:1], new])
    base = _rest(stored, name)
    kept = (modes != base) & (ends > window[0]) & (starts < window[1]) & (ends > starts)
    spans = zip(np.maximum(starts[kept], window[0]), np.minimum(ends[kept], window[1]), modes[kept], strict=True)
    same = (old == new) & (time >= window[0]) & (time <= window[1])
    return {
        "name": name, "base": base, "wheel": name in stored.names.get("wheels", ()),
        "words": [word.lower().replace("_", " ") for word in words],
        "spans": [[float(start), float(end), int(mode)] for start, end, mode in spans],
        "instants": time[same].tolist(),
    }  # fmt: skip


def _rest(stored: Stored, name: str) -> int:
    """The mode without a band."""
    if name not in stored.names.get("wheels", ()):
        return 0
    known = set(stored.quantities())
    y, mode = f"{name.rpartition('.')[0]}.y", f"{name}.mode"
    if y not in known or mode not in known:
        return 0
    return int(stored.column(mode)[np.argmin(np.abs(stored.column(y)))])
