"""Rows of branches of periodic motions next to AUTO-07p: Cooperrider's bogie from its Hopf point over the fold.

Both follow the same branch to 72 m/s: ours stops at every corner of the piecewise flange, AUTO, on 300 intervals,
goes over them. Processor time, ours warm, AUTO compiled before; where it is not installed the row says so.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from klingel.bench import auto07p
from klingel.bench.cooperrider_fortran import FAST, case
from klingel.bench.row import Row, best_time
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.orbits.continue_orbit import continue_orbit
from klingel.simulation.orbits.result import VehicleBranch

CASES = (("piecewise flange", "cooperrider", False, 2.0), ("smooth flange", "cooperrider_smooth", True, None))
SLOW = 50.0  # lower end of the range [m/s]
REPEATS = 3


def ours(name: str) -> VehicleBranch:
    return continue_orbit(load_vehicle(name), first=FAST, last=SLOW)


def theirs(smooth: bool) -> tuple[float, float]:
    """Processor time of AUTO along the branch [s], and the period it ends with [s]."""
    import resource  # not on Windows, where AUTO-07p is not either

    with TemporaryDirectory() as place:
        folder, asked = Path(place), case(smooth)
        asked.write(folder)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        auto07p.call(folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent, asked.read(folder)[-1].period


def rows() -> Iterator[Row]:
    for what, name, smooth, aim in CASES:
        found = ours(name)  # compiles
        cpu = best_time(lambda name=name: ours(name), REPEATS, process_time)
        fold = found.of_type("fold")[0].parameter
        note = f"fold at {fold:.6f} m/s, {found.parameter.size} orbits"
        value = None
        if auto07p.INSTALLED and sys.platform != "win32":
            value, period = theirs(smooth)
            note += f"; period of AUTO at {FAST:g} m/s {period:.8f} s"
        else:
            note += f"; {auto07p.MISSING}"
        label = f"branch of Cooperrider's bogie, {what}, Hopf over the fold to {FAST:g} m/s"
        yield Row(label, cpu, "AUTO-07p", value, aim, "s", note)
