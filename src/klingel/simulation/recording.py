"""A run from its first step to its last, stored as it goes on.

Every few seconds the integrator pauses between two steps, what is new is written, and it goes on from its
checkpoint: bit for bit as without the pause.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from klingel.io.netcdf4 import Variable
from klingel.io.run_journal import GROWING
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.problem import Locate, vehicle_problem
from klingel.numerics.checkpoint import Checkpoint
from klingel.numerics.integrate import Progress, integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.integration import ending
from klingel.simulation.method_choice import choose_locate, choose_method
from klingel.simulation.outputs import variables
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import FAILED, INTERRUPTED, Run, SimulationError, attributes_of
from klingel.simulation.storing import RunFile

PACE = 2.0  # between two writings; lost is at most this, and the time of one chunk of steps [s]
WATCHED = 0.3  # the same when somebody looks at the rows as they come [s]
OnChunk = Callable[[Progress], bool | None]
Variables = Mapping[str, Variable]
OnRows = Callable[[Variables], None]
NOT_BEGUN = "interrupted before its first rows"


@dataclass(frozen=True)
class Made:
    """What a run is made from, and what is kept of it."""

    vehicle: Vehicle
    compiled: Compiled
    request: RunRequest
    names: dict[str, list]
    sources: dict[str, str]
    keep: Callable[[Variables], dict[str, Variable]]  # in memory
    store: Callable[[Variables], dict[str, Variable]]  # in the file
    blank: Callable[[], Variables]  # all columns, without rows
    before: Run | None = None  # the part it goes on with
    rows_before: dict[str, Variable] = field(default_factory=dict)
    on_rows: OnRows | None = None  # hears of all quantities of the rows that are new


def record(made: Made, begin: Callable[[OnChunk], Trajectory], on_chunk: OnChunk | None, out: Path | None) -> Run:
    """Compute with `begin` and onwards; store in `out` if there is one."""
    with stop_signals(out is not None) as stop:
        stored = PACE if out is not None else None
        pace = Pace(on_chunk, stop, WATCHED if made.on_rows is not None else stored)
        file = None if out is None else _file(made, out)
        parts = [made.rows_before] if made.rows_before else []
        wall_time = made.before.stats.wall_time if made.before is not None else 0.0
        failure: IntegrationError | None = None
        pieces = _pieces(made, begin, pace)
        while True:
            try:
                trajectory = next(pieces)
                status, ended = ending(trajectory, made.compiled.layout)
            except StopIteration:
                break
            except IntegrationError as error:
                trajectory, failure, status, ended = error.trajectory, error, FAILED, str(error)
            except BaseException:
                if file is not None and not parts:
                    file.give_up()
                raise
            wall_time += trajectory.stats.wall_time
            stats = replace(trajectory.stats, wall_time=wall_time)
            everything = variables(made.vehicle, made.compiled, trajectory)
            parts.append(made.keep(everything))
            if made.on_rows is not None:
                made.on_rows(everything)
            if file is not None:
                file.add(made.store(everything), attributes_of(status, ended, stats, made.names, made.sources))
        place = file.finish() if file is not None else None
    run = Run(joined(parts), stats, status, ended, made.names, made.sources, place)
    if run.status == FAILED:
        raise SimulationError(ended, trajectory, run) from failure
    return run


def _file(made: Made, out: Path) -> RunFile:
    part = made.before
    if part is None:
        return RunFile(
            out, made.store(made.blank()), attributes_of(INTERRUPTED, NOT_BEGUN, None, made.names, made.sources)
        )
    told = attributes_of(part.status, part.ended, part.stats, made.names, made.sources)
    return RunFile(out, made.rows_before, told, begun=True)


def _pieces(made: Made, begin: Callable[[OnChunk], Trajectory], pace: "Pace") -> Iterator[Trajectory]:
    pace.start()
    trajectory = begin(pace)
    yield trajectory
    while trajectory.status == Status.RUNNING and pace.paused:
        assert trajectory.checkpoint is not None
        pace.start()
        trajectory = resumed(made.compiled, made.request, trajectory.checkpoint, pace)
        yield trajectory


def resumed(compiled: Compiled, request: RunRequest, saved: Checkpoint, on_chunk: OnChunk | None) -> Trajectory:
    """The rest of a run, from between two steps."""
    solving = request.solving
    choice = choose_method(solving.method, request.speed, request.acceleration, solving.rtol)
    locate = choose_locate(solving.locate, solving.rtol)
    problem = vehicle_problem(compiled, saved["solver.memory"], saved["solver.mode"], locate=locate)
    return integrate(
        problem, saved["solver.x"], request.duration, rtol=solving.rtol,
        atol=solving.tolerance(compiled.layout.state_info), method=choice.method,
        implicit_times=choice.implicit_times, output_step=request.outputs.output_step,
        max_steps=solving.step_budget(request.duration), on_chunk=on_chunk, resume=saved,
        locate=locate != Locate.IGNORE,
    )  # fmt: skip


def joined(parts: list[dict[str, Variable]]) -> dict[str, Variable]:
    """Rows over time and over events one behind the other; everything else is that of the last part."""
    found: dict[str, Variable] = {}
    for part in parts:
        found |= part
    for name, (dims, _, words) in found.items():
        if dims[0] in GROWING and len(parts) > 1:
            found[name] = (dims, np.concatenate([part[name][1] for part in parts]), words)
    return found


class Stop:
    """Whether a signal asked the run to end."""

    asked = False

    def ask(self, *_: Any) -> None:
        self.asked = True


class Pace:
    """Called between chunks of steps: pauses the integrator when it is time to write."""

    def __init__(self, on_chunk: OnChunk | None, stop: Stop, interval: float | None):
        self.on_chunk, self.stop, self.interval = on_chunk, stop, interval
        self.start()

    def start(self) -> None:
        self.paused, self.since = False, perf_counter()

    def __call__(self, report: Progress) -> bool:
        if (self.on_chunk is not None and self.on_chunk(report)) or self.stop.asked:
            return True
        self.paused = self.interval is not None and perf_counter() - self.since > self.interval
        return self.paused


@contextmanager
def stop_signals(wanted: bool) -> Iterator[Stop]:
    """Ctrl-C, a polite kill and a closed terminal end the run between two steps, never a writing of its file."""
    stop = Stop()
    before = {}
    if wanted and threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, stop.ask)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
