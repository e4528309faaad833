"""Rows of the engine: CPU time of a simulated second of the Hbbills 311, of one right-hand side, of whole runs.

Straight track, all events located, tolerances of the error given in the row. Set-up (some milliseconds of Python
per run) is measured by a very short run and taken off.
"""

from collections.abc import Callable, Iterator, Mapping
from time import perf_counter, process_time

import numpy as np

from klingel.analysis.transients import THESIS
from klingel.bench import bias, vehicle_kernels, vehicle_peers
from klingel.bench.many_wagons import many_wagons
from klingel.bench.row import Row, best_time
from klingel.io.vehicle.files import load_vehicle
from klingel.model.builder import Compiled
from klingel.model.problem import vehicle_problem
from klingel.simulation.integration import Solving, Start, bare_run, rest_of, start_from_rest
from klingel.simulation.setup import put_on_track
from klingel.simulation.sweep.sweep import sweep
from klingel.track.track import Track

QUIET = {"front_wheelset.y": 1.5e-3, "carbody.y": 0.5e-3}
FLANGES = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": 5.5e-3, "front_wheelset.yaw": 3e-3}
FRONT = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": -3e-3, "front_wheelset.yaw": 3e-3, "carbody.y": 5e-3}
CALLS = 20_000
REPEATS, LONG = 15, 100.0  # of which the shortest counts; three of runs longer than this [s]

# name, inclination, speed [m/s], deceleration [m/s2], duration [s], kick, rtol (errors of some micrometres after
# 2 s, before chaos sets in), aim [s of CPU per simulated second]
CASES = (
    ("quiet, 1/20, 20 m/s", 1 / 20, 20.0, 0.0, 10.0, QUIET, 1e-4, 1 / 2000),
    ("quiet, 1/20, 45 m/s", 1 / 20, 45.0, 0.0, 10.0, QUIET, 1e-4, 1 / 2000),
    ("quiet, 1/20, 5 m/s", 1 / 20, 5.0, 0.0, 10.0, QUIET, 1e-5, 1 / 3000),
    ("medium motion, 1/40, 45 m/s", 1 / 40, 45.0, 0.0, 5.0, FLANGES, 1e-4, 1e-3),
    ("flange to flange, front wheelset, 1/40, 45 m/s", 1 / 40, 45.0, 0.0, 5.0, FRONT, 1e-4, 1 / 400),
    ("flange to flange, both wheelsets, 1/40, 50 m/s", 1 / 40, 50.0, 0.0, 5.0, FLANGES, 1e-4, 1 / 300),
    ("decelerating from 50 to 3 m/s in 188 s, 1/40", 1 / 40, 50.0, 0.25, 188.0, FLANGES, 1e-4, 0.45 / 188),
    ("quiet, 1/20, 20 m/s, default tolerance", 1 / 20, 20.0, 0.0, 10.0, QUIET, 1e-6, 1 / 800),
    ("flange to flange, front, 1/40, 45 m/s, default tolerance", 1 / 40, 45.0, 0.0, 5.0, FRONT, 1e-6, 1 / 150),
    ("flange to flange, both, 1/40, 50 m/s, default tolerance", 1 / 40, 50.0, 0.0, 5.0, FLANGES, 1e-6, 1 / 150),
)  # fmt: skip
UNBIASED = (  # figures of speed whose statistics are compared with those of fine runs
    ("flange to flange, front wheelset, 1/40, 45 m/s", 1 / 40, 45.0, FRONT, (1e-4, 1e-6)),
    ("flange to flange, both wheelsets, 1/40, 50 m/s", 1 / 40, 50.0, FLANGES, (1e-4, 1e-6)),
)
DIAGRAM_KICK = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}  # [m]
SHORT_RUNS, SHORT, ROUNDS = 1000, 2.0, 10  # how many, how long [s], in how many parts


def cpu_time(action: Callable[[], object], repeats: int = 3) -> float:
    """Shortest of several CPU times [s]."""
    return best_time(action, repeats, process_time)


def placed(inclination: float, speed: float, deceleration: float, kick: Mapping[str, float]):
    """The wagon on its track, and where it starts."""
    track = Track.straight(inclination=inclination)
    compiled = put_on_track(load_vehicle("hbbills311"), track, speed, -deceleration)
    return compiled, start_from_rest(compiled, rest_of(compiled), kick, "bare")


def cpu_of_run(compiled: Compiled, start: Start, duration: float, solving: Solving, repeats: int = 3) -> float:
    """CPU time of the integration alone [s]."""
    set_up = cpu_time(lambda: bare_run(compiled, start, 1e-3, solving, 1e-3), repeats)
    return cpu_time(lambda: bare_run(compiled, start, duration, solving, 0.01), repeats) - set_up


def _run_rows() -> Iterator[Row]:
    for name, inclination, speed, deceleration, duration, kick, rtol, aim in CASES:
        compiled, start = placed(inclination, speed, deceleration, kick)
        solving = Solving("auto", rtol)
        cpu = cpu_of_run(compiled, start, duration, solving, 3 if duration > LONG else REPEATS)
        stats = bare_run(compiled, start, duration, solving, 0.01).stats
        note = (
            f"rtol {rtol:g}, {duration / cpu:.0f} times real time, {stats.events / duration:.0f} events per second"
        )
        yield Row(f"Hbbills 311 {name}: CPU per simulated second", cpu / duration, "", None, aim, "s", note)


def _call_rows() -> Iterator[Row]:
    compiled, start = placed(1 / 20, 20.0, 0.0, QUIET)
    x, memory, mode, p = start.x.copy(), start.memory, start.mode, compiled.system
    vehicle_problem(compiled, memory, mode)
    dx = np.zeros_like(x)
    vehicle_kernels.repeat_rhs(x, memory, mode, p, dx, 1)
    rhs = cpu_time(lambda: vehicle_kernels.repeat_rhs(x, memory, mode, p, dx, CALLS), 5) / CALLS
    yield Row("Hbbills 311: one right-hand side", 1e9 * rhs, "", None, 300.0, "ns")
    rest = rest_of(compiled)
    vehicle_problem(compiled, rest.memory, rest.mode)
    vehicle_kernels.repeat_rhs(rest.x, rest.memory, rest.mode, p, dx, 1)
    busy = vehicle_kernels.repeat_scan(1e-6, rest.x, rest.memory, rest.mode, p, 10)
    scan = cpu_time(lambda: vehicle_kernels.repeat_scan(1e-6, rest.x, rest.memory, rest.mode, p, CALLS), 5) / CALLS
    note = "" if busy == 0 else "not quiet: springs at rest are near their turning point"
    yield Row("Hbbills 311: look for events in a quiet step", 1e9 * scan, "", None, 30.0, "ns", note)


def _train_row(wagons: int = 50) -> Row:
    """Independent wagons keep their own steps and events: each is a run of its own."""
    compiled, _ = placed(1 / 20, 45.0, 0.0, QUIET)
    rest = rest_of(compiled)
    starts = [
        start_from_rest(compiled, rest, {"front_wheelset.y": 1e-3 + 2e-5 * k}, "bare") for k in range(wagons)
    ]
    solving = Solving("auto", 1e-4)

    def run(several: list[Start]) -> None:
        for start in several:
            bare_run(compiled, start, 2.0, solving, 0.01)

    # the first of them as often: the best of a few short runs would be compared with the mean of many
    one, all_of_them = cpu_time(lambda: run(wagons * starts[:1])), cpu_time(lambda: run(starts))
    name = f"train of {wagons} independent wagons: cost over that of one, per wagon"
    return Row(name, all_of_them / one, "", None, 1.2, "")


def _short_runs_row() -> Row:
    """Many short runs, as studies make them, next to long runs of the same motion; set-up included.

    Both in turn, so that a busy neighbour slows down both, the shortest of three times of each part. Nothing is
    kept: a thousand trajectories would be half a gigabyte of new memory, which no study asks for.
    """
    compiled, _ = placed(1 / 40, 45.0, 0.0, FRONT)
    rest = rest_of(compiled)
    begins = [
        start_from_rest(compiled, rest, {name: (0.9 + 2e-4 * k) * value for name, value in FRONT.items()}, "bare")
        for k in range(SHORT_RUNS)
    ]
    solving = Solving("auto", 1e-4)

    def run_all(several: list[Start], duration: float) -> None:
        for begin in several:
            bare_run(compiled, begin, duration, solving, 0.01)

    short = long = 0.0
    for k in range(ROUNDS):
        some = begins[k::ROUNDS]
        long += cpu_time(lambda some=some: run_all(some[:1], len(some) * SHORT))
        short += cpu_time(lambda some=some: run_all(some, SHORT))
    name = f"{SHORT_RUNS} runs of {SHORT:g} s, front wheelset flange to flange: cost over that of a long run"
    return Row(name, short / long, "", None, 1.0 / 0.9, "", f"{1e3 * short / SHORT_RUNS:.2f} ms each")


def _many_axles_rows() -> Iterator[Row]:
    """One right-hand side of several wagons in one system, per wheel and port, against that of one."""
    one = None
    for wagons in (1, 2, 4):
        compiled = put_on_track(many_wagons(load_vehicle("hbbills311"), wagons), Track.straight(), 20.0)
        rest = rest_of(compiled)
        vehicle_problem(compiled, rest.memory, rest.mode)
        x, dx = rest.x.copy(), np.zeros_like(rest.x)
        call = (x, rest.memory, rest.mode, compiled.system, dx)
        vehicle_kernels.repeat_rhs(*call, 1)
        items = len(compiled.layout.wheels) + len(compiled.layout.ports)
        cost = 1e9 * cpu_time(lambda call=call: vehicle_kernels.repeat_rhs(*call, CALLS), 5) / CALLS / items
        one = cost if one is None else one
        note = f"{cost / one:.2f} of that of two axles"
        yield Row(
            f"{2 * wagons} axles: right-hand side per wheel and port", cost, "", None, 1.15 * one, "ns", note
        )


def _bias_rows() -> Iterator[Row]:
    for name, inclination, speed, kick, tolerances in UNBIASED:
        compiled, _ = placed(inclination, speed, 0.0, kick)
        yield from bias.rows(f"Hbbills 311 {name}", compiled, kick, tolerances)


def _diagram_row() -> Row:
    """Bifurcation diagram of the Kbps by the recipe of Hoffmann's thesis, up through the speeds, on two cores."""
    speeds = np.round(np.arange(30.0, 55.05, 0.2), 1)
    wagon, track = load_vehicle("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    started = perf_counter()
    sweep(
        wagon, track, speeds, "both", starts=DIAGRAM_KICK, transient=THESIS, rtol=1e-4, workers=2, placing="bare"
    )
    name = f"bifurcation diagram of the Kbps, {speeds.size} speeds up and down, by the recipe of the thesis"
    return Row(name, perf_counter() - started, "", None, 10.0, "s", "two cores, by the clock")


def rows() -> Iterator[Row]:
    yield from _run_rows()
    yield from _call_rows()
    yield from _many_axles_rows()
    yield _train_row()
    yield _short_runs_row()
    yield from _bias_rows()
    yield _diagram_row()
    compiled, start = placed(1 / 20, 20.0, 0.0, QUIET)
    yield from vehicle_peers.rows(compiled, start, cpu_of_run)
