"""What it costs to store a run while it goes on: processor time next to the same run in memory, and room.

Both keep the quantities and the precision a file has by default, so that pausing, compressing and writing are all
that differs. They take turns: a machine that gets slower in between does so for both.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from klingel.bench.row import Row
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.simulate import simulate
from klingel.track.track import Track

DURATION = 2000.0  # [s]
SPEED = 45.0  # [m/s]
KICK = {"front_wheelset.y": 5e-3}
PAIRS = 3
LONGER, LARGEST = 1.05, 60.0  # times, MB
MEGABYTE = 1e6


def rows(duration: float = DURATION, pairs: int = PAIRS) -> Iterator[Row]:
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.nc"
        _used(1.0)
        for _ in range(pairs):
            in_memory = _used(duration)
            ratios.append(_used(duration, out=out, overwrite=True) / in_memory)
        size = out.stat().st_size / MEGABYTE
    told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
    name = f"Hbbills 311, {duration:.0f} s"
    what = "processor time of a stored run over that of one in memory"
    yield Row(f"{name}: {what}", median(ratios), "", None, LONGER, "", f"one after the other: {told}")
    yield Row(f"{name}: file with the usual quantities", size, "", None, LARGEST, "MB")


def _used(duration: float, **place: Any) -> float:
    """Processor time of a run [s]."""
    vehicle, track = load_vehicle("hbbills311"), Track.straight(inclination=1 / 40)
    before = process_time()
    simulate(vehicle, track, SPEED, duration, KICK, quantities="usual", precision="single", **place)
    return process_time() - before
