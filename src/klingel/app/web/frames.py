"""Poses of all bodies over time for the animation, and forces of the rails on the wheels: one array."""

import numpy as np

from klingel.app.web.series import Stored, packed

COORDINATES = ("x", "y", "z", "roll", "pitch", "yaw")
FORCES = ("Y", "Q", "rail_y")
MOST = 20_000


def packed_frames(stored: Stored, t0: float, t1: float, most: int) -> bytes:
    """Columns `<body>.<coordinate>` and `<wheel>.Y, .Q, .rail_y`, as far as they are there; SI units."""
    time = stored.column("time")
    rows = np.flatnonzero((time >= t0) & (time <= t1))
    rows = rows[:: max(1, -(-rows.size // max(most, 2)))]
    known = set(stored.quantities())
    bodies = dict.fromkeys(name.rpartition(".")[0] for name in stored.names["states"])
    wheels = stored.names.get("wheels", [])
    names = [f"{body}.{word}" for body in bodies for word in COORDINATES]
    names += [f"{wheel}.{word}" for wheel in wheels for word in FORCES]
    kept = [name for name in names if name in known]
    head = {
        "points": int(rows.size), "x": {"name": "time"}, "series": [{"name": name} for name in kept],
        "bodies": list(bodies), "wheels": wheels,
    }  # fmt: skip
    return packed(head, time[rows], [stored.column(name)[rows] for name in kept])
