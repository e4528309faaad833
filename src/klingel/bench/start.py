"""How long a user waits for the first run ever, compilation and contact tables included, and for later ones.

Each is a process of its own with a cache folder that is empty at first. CPU time of the process: on a shared
machine waiting for others does not count.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from klingel.bench.row import Row

COMMAND = (sys.executable, "-m", "klingel", "run", "hbbills311", "--speed", "45", "--duration", "1", "--json")
FIRST, LATER = 60.0, 2.0  # aims [s]


def _cpu_of_process(cache: str) -> float:
    """CPU time of one short run with this cache folder [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(COMMAND, env={**os.environ, "KLINGEL_CACHE_DIR": cache}, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows() -> Iterator[Row]:
    name = "`klingel run` for one second, a new process"
    with TemporaryDirectory() as cache:
        yield Row(f"{name}, nothing compiled yet", _cpu_of_process(cache), "", None, FIRST, "s")
        yield Row(
            f"{name}, kernels from the cache", min(_cpu_of_process(cache) for _ in range(3)), "", None, LATER, "s"
        )
