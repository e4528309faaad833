"""All rows, in order, with a calibration loop first."""

from collections.abc import Callable, Iterator

from klingel.bench import bogies, contact, dae, integrator, starts, vehicle, writing
from klingel.bench.row import Row, best_time

CALIBRATION_ADDITIONS = 2_000_000


def _calibrate() -> None:
    total = 0.0
    for i in range(CALIBRATION_ADDITIONS):
        total += i * 0.5


def rows(report: Callable[[str], None]) -> Iterator[Row]:
    yield Row("calibration: Python loop of 2e6 multiply-adds", best_time(_calibrate, 3), "", None, None, "s")
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
    yield from dae.rows(report)
