"""All rows, in order, with a calibration loop first."""

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from llvmlite import binding

from klingel.bench import bogies, contact, dae, integrator, orbits, starts, vehicle, writing
from klingel.bench.row import Row, best_time

CALIBRATION_ADDITIONS = 2_000_000


def _calibrate() -> None:
    total = 0.0
    for i in range(CALIBRATION_ADDITIONS):
        total += i * 0.5


def processor() -> str:
    """Name of the processor, and the one kernels are compiled for."""
    named = ""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    target = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return f"{named or platform.processor() or platform.machine()}, kernels for {target}"


def rows(report: Callable[[str], None]) -> Iterator[Row]:
    name = "calibration: Python loop of 2e6 multiply-adds"
    yield Row(name, best_time(_calibrate, 3), "", None, None, "s", f"on {processor()}")
    report("starts")
    yield from starts.rows()
    report("contact")
    for measure in contact.ALL:
        yield from measure()
    yield from integrator.rows(report)
    report("vehicle")
    yield from vehicle.rows()
    report("writing")
    yield from writing.rows()
    report("bogies")
    yield from bogies.rows()
    report("orbits")
    yield from orbits.rows()
    yield from dae.rows(report)
