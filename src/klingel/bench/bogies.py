"""Rows of wagons on two bogies: a right-hand side of that with 66 equations, runs with and without hunting.

The freight wagon on Y25 bogies has 14 friction faces whose limits follow their load; while one slides, guards are
asked in every step.

A wagon with more axles costs more; what must not grow is the time per wheel and port (a direction of a connection
that an element acts in), next to the two-axle wagon in the same process.
"""

from collections.abc import Iterator

import numpy as np

from klingel.bench import vehicle_kernels
from klingel.bench.row import Row
from klingel.bench.vehicle import CALLS, QUIET, cpu_of_run, cpu_time
from klingel.io.vehicle.files import load_vehicle
from klingel.model.description import Vehicle
from klingel.model.problem import vehicle_problem
from klingel.simulation.integration import Solving, Start, bare_run, rest_of, start_from_rest
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

KICK = {"leading_front_wheelset.y": 1e-3}
# name, speed [m/s], times real time at least
CASES = (("no hunting", 40.0, 500.0), ("hunting", 120.0, 60.0))
DURATION, RTOL = 20.0, 1e-4
# load, what, speed [m/s] of the freight wagon; there is no aim
FREIGHT = (("empty", "settling", 15.0), ("empty", "hunting", 30.0), ("loaded", "hunting", 30.0))
FREIGHT_KICK = {"leading_front_wheelset.y": 4e-3, "trailing_front_wheelset.y": 4e-3}


def parts(vehicle: Vehicle) -> int:
    """Wheels and ports."""
    return 2 * len(vehicle.wheelsets) + len({port for element in vehicle.elements for port in element.ports})


def right_hand_side(vehicle: Vehicle, speed: float, kick: dict[str, float]) -> float:
    """CPU time of one call [s]."""
    compiled = put_on_track(vehicle, Track.straight(), speed)
    start = start_from_rest(compiled, rest_of(compiled), kick, "bare")
    x, memory, mode, p = start.x.copy(), start.memory, start.mode, compiled.system
    vehicle_problem(compiled, memory, mode)
    dx = np.zeros_like(x)
    vehicle_kernels.repeat_rhs(x, memory, mode, p, dx, 1)
    return cpu_time(lambda: vehicle_kernels.repeat_rhs(x, memory, mode, p, dx, CALLS), 7) / CALLS


def rows() -> Iterator[Row]:
    car, wagon = load_vehicle("bigoni"), load_vehicle("hbbills311")
    ours, other = right_hand_side(car, 40.0, KICK), right_hand_side(wagon, 20.0, QUIET)
    yield Row(
        "wagon on two bogies: one right-hand side",
        1e9 * ours,
        "",
        None,
        None,
        "ns",
        f"{parts(car)} wheels and ports",
    )
    share, theirs = 1e9 * ours / parts(car), 1e9 * other / parts(wagon)
    note = f"{parts(car)} against {parts(wagon)} wheels and ports"
    name = "wagon on two bogies: right-hand side per wheel and port"
    yield Row(name, share, "Hbbills 311", theirs, 1.0 / 1.15, "ns", note)
    for what, speed, aim in CASES:
        yield _run(f"wagon on two bogies, {what}", car, speed, KICK, 1.0 / aim)
    for load, what, speed in FREIGHT:
        freight = load_vehicle("y25_wagon", load=load)
        yield _run(f"freight wagon on two Y25 bogies, {load}, {what}", freight, speed, FREIGHT_KICK, None)


def _run(name: str, vehicle: Vehicle, speed: float, kick: dict[str, float], aim: float | None) -> Row:
    compiled = put_on_track(vehicle, Track.straight(), speed)
    start: Start = start_from_rest(compiled, rest_of(compiled), kick)
    solving = Solving("auto", RTOL)
    cpu = cpu_of_run(compiled, start, DURATION, solving, 5)
    stats = bare_run(compiled, start, DURATION, solving, 0.01).stats
    note = f"{DURATION / cpu:.0f} times real time, {stats.events / DURATION:.0f} events per second"
    return Row(f"{name}, {speed:g} m/s: CPU per simulated second", cpu / DURATION, "", None, aim, "s", note)
