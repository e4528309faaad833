"""Requests that the tests of the workbench share, and waiting for what a process will do."""

import time
from collections.abc import Callable

SHORT = {
    "vehicle": {"name": "hbbills311", "options": {"links": "SPP"}},
    "speed": "18 m/s",
    "duration": "1 s",
    "start": {"initial": {"front_wheelset.y": "5 mm"}},
}
LONG = {**SHORT, "duration": "4000 s", "outputs": {"output_step": "20 ms"}}  # some ten seconds of computing


def wait_until(done: Callable[[], bool], seconds: float = 600.0) -> None:
    """Patience is long: machines that run tests are busy, and the first run may compile."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def toml(tables: dict) -> str:
    from klingel.simulation.request import RunRequest

    return RunRequest.from_dict(tables).to_toml()
