"""How long a user waits: the first run of all, with an empty cache, and later ones.

Each is a process of its own, from the command line to its end, around one simulated second. On a busy machine the
time of the clock says little; the processor time stands next to it. Python may keep the byte code of its modules,
as it does for everything that is installed, also where the environment of the bench forbids it.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from time import perf_counter

from klingel.bench.row import Row

COMMAND = ("run", "hbbills311", "--speed", "20", "--duration", "1", "--kick", "front_wheelset.y=3mm")
LATER = 3  # starts, of which the shortest counts


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as cache:
        wall, cpu = _start(cache)
        told = f"{cpu:.0f} s of processor time in two processes"
        yield Row("first run of all, nothing compiled", wall, "", None, 40.0, "s", told)
        wall, cpu = min(_start(cache) for _ in range(LATER))
        yield Row("later run", wall, "", None, 1.5, "s", f"{cpu:.1f} s of processor time")


def _start(cache: str) -> tuple[float, float]:
    """Time by the clock and processor time of a run and the processes it starts [s]."""
    before, started = _used(), perf_counter()
    subprocess.run(
        [sys.executable, "-m", "klingel", *COMMAND],
        env={**os.environ, "KLINGEL_CACHE_DIR": cache, "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True, check=True,
    )  # fmt: skip
    return perf_counter() - started, _used() - before


def _used() -> float:
    used = os.times()
    return used.children_user + used.children_system
