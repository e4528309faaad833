"""`sweep`: where a vehicle ends up over a range of speeds, or of any other value.

Longer than other files: a third of it is what every argument means.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import nullcontext
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from klingel._arguments import (
    check_array,
    check_callable,
    check_flag,
    check_number,
    check_path,
    check_table,
    check_text,
    check_whole,
)
from klingel._errors import InputError
from klingel.analysis.transients import Rule, UntilSettled
from klingel.io import journal
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import is_plain
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.request.parts import Leaves
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import DONE, INTERRUPTED
from klingel.simulation.start import sliders_of, split
from klingel.simulation.storing import refuse_existing
from klingel.simulation.sweep.case import BOTH, DOWN, SPEED, UP, Case, Point, Value, in_words, plan
from klingel.simulation.sweep.point import Record, Stand
from klingel.simulation.sweep.result import Sweep, from_records, journal_of, load_sweep, read_journal
from klingel.simulation.sweep.workers import in_this_process, in_workers, leave_if_starting, process_pool
from klingel.track.track import Track

Starts = Mapping[str, float] | Sequence[Mapping[str, float]] | int
KICK = {"y": 5.5e-3, "yaw": 3e-3}  # of every wheelset, when no start is given [m, rad]
RANDOM = {"y": 6e-3, "yaw": 4e-3}  # largest of a random start, either side [m, rad]
MOMENT = 1e-4  # of the run that compiles [s]
ROWS = 0.005  # spacing of the rows that are judged [s]
MOST_POINTS = 100_000  # of a sweep, values times starts
MOST_WORKERS = 1024
NO_WORKERS = (
    "none of the worker processes came up; a script must call kg.sweep below `if __name__ == '__main__':`, or say "
    "workers=1"
)
NUDGE = 5e-5  # more than what counts as still [m]


def sweep(
    vehicle: Vehicle | RunRequest,
    track: Track | None = None,
    speeds: ArrayLike | None = None,
    direction: str = DOWN,
    executor: Executor | None = None,
    *,
    parameter: str = SPEED,
    values: ArrayLike | Sequence[str] | None = None,
    speed: float | None = None,
    fresh: bool = False,
    starts: Starts | None = None,
    seed: int = 0,
    sliders: bool = False,
    placing: str | None = None,
    transient: Rule | None = None,
    nudge: float = NUDGE,
    method: str | None = None,
    rtol: float | None = None,
    atol: ArrayLike | None = None,
    output_step: float = ROWS,
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_point: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Brute-force bifurcation diagram.

    Parameters
    ----------
    vehicle, track
        See `simulate`; the track must be straight, level and smooth, or nothing would settle. Instead of both a
        `RunRequest`, which also holds speed and tolerances and, if it has offsets or sliders, the start; its
        duration and output step are those of a run, and not used here.
    speeds : array
        To be run through [m/s]; their order does not matter.
    direction : str
        `down`, `up` or `both`: each way is a chain in which every point begins with the last state of the one
        before.
    executor : concurrent.futures.Executor, optional
        Where points are computed; chains run side by side. By default processes of this machine.
    parameter, values, speed
        Instead of speeds: `inclination`, `gauge`, an option of the wagon (`links`, `load`, `leaf`, `leaf_model`,
        `link_friction`) or a value of the vehicle by name (`carbody.mass`); the numbers or words it takes; the
        speed [m/s]. Words have no order: every point is fresh.
    fresh : bool
        Every point anew from every start, no chains.
    starts
        Offsets from rest, one mapping or several, or a number of random ones. By default every wheelset is moved
        by 5.5 mm and turned by 3 mrad. Friction sliders may be named too (`*.link_y`), see `simulate`.
    seed : int
        Of random starts.
    sliders : bool
        Random starts displace the friction sliders, each as far as it holds to one side or the other, instead of
        the wheelsets: where rest is stable they show how wide it is.
    placing : str
        What the offsets of a start mean, see `simulate`.
    transient
        `UntilSettled` or `FixedTransient`, see `klingel.analysis.transients`.
    nudge : float
        Lateral offset of the wheelsets, to one side and the other in turn, given to a chain whose last point was
        at rest: without it a rest that has become unstable would be followed for ever [m].
    method, rtol, atol
        See `simulate`.
    output_step : float
        Spacing of the rows that are judged; maxima are located between them [s].
    workers : int, optional
        Processes, when there is no executor; as many as there are chains and cores by default.
    out : path, optional
        netCDF file for the result. While the sweep goes on its points are kept beside it, in `<out>.journal`.
    resume : bool
        Go on with the sweep that `out` was meant for: finished points are not computed again.
    overwrite : bool
        Whether `out` may replace a file.
    on_point : callable, optional
        Called with the number of points done and of all points, when work begins and after every point.

    Returns
    -------
    Sweep
        After an interruption (Ctrl-C, workers that vanish) the points so far, with the status `interrupted`.
    """
    leave_if_starting()
    _check_arguments(parameter, direction, executor, on_point, workers, seed, nudge, output_step, transient, out)
    for name, flag in (("fresh", fresh), ("sliders", sliders), ("resume", resume)):
        check_flag(name, flag)
    taken = _values(speeds if parameter == SPEED else values, "speeds" if parameter == SPEED else "values")
    rule = transient or UntilSettled()
    said = {
        "track": track, "method": method, "rtol": rtol, "atol": atol, "speed": speed, "placing": placing,
    }  # fmt: skip
    given = {name: value for name, value in said.items() if value is not None}
    request = _request(vehicle, given, parameter, taken)
    request = request.changed(duration=rule.cap, output_step=float(output_step))
    if not is_plain(request.read_track()):
        raise InputError(
            "track",
            request.read_track().title or None,
            "must be straight, level and smooth: motions settle on no other",
        )
    chosen = _starts(request, starts, seed, sliders)
    case = Case(request, parameter, chosen, rule, float(nudge))
    for value in taken:
        case.at(value)
    if len(taken) * len(chosen) > MOST_POINTS:
        allowed = f"must be at most {MOST_POINTS} together with the starts, {len(chosen)}"
        raise InputError("speeds" if parameter == SPEED else "values", len(taken), allowed)
    chains = plan(taken, direction, fresh, len(chosen))
    stand = Stand(case)
    settings = {
        **_settings(stand, chains[0][0]),
        "direction": direction,
        "fresh": fresh or in_words(taken),
        "seed": seed,
        "values": taken,
    }
    keep = _Keeper(settings, sum(len(chain) for chain in chains), out, resume, overwrite, on_point)
    if keep.finished is not None:
        return keep.finished
    status = keep.run(stand, chains, executor, workers)
    return keep.result(status)


def _check_arguments(
    parameter: Any, direction: Any, executor: Any, on_point: Any, workers: Any, seed: Any, nudge: Any,
    output_step: Any, transient: Any, out: Any,
) -> None:  # fmt: skip
    check_text("parameter", parameter, "the name of what changes, like speed")
    if direction not in (DOWN, UP, BOTH):
        raise InputError("direction", direction, f"must be {DOWN}, {UP} or {BOTH}")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError("executor", executor, "must be an executor of concurrent.futures, or None")
    check_callable("on_point", on_point)
    if workers is not None:
        check_whole("workers", workers, 1, MOST_WORKERS)
    check_whole("seed", seed, 0)
    check_number("nudge", nudge, "m", least=0.0)
    check_number("output_step", output_step, "s")
    if transient is not None and not isinstance(transient, Rule):
        raise InputError("transient", transient, "must be UntilSettled() or FixedTransient()")
    if out is not None:
        check_path("out", out)


def _request(
    vehicle: Vehicle | RunRequest, given: dict[str, Any], parameter: str, values: list[Value]
) -> RunRequest:
    """Of the first point."""
    if isinstance(vehicle, RunRequest):
        request = vehicle.changed(**given)
        if request.acceleration != 0.0:
            raise InputError("acceleration", request.acceleration, "must be 0: motions settle at constant speed")
        return request
    if parameter == SPEED:
        given["speed"] = values[0]
    elif "speed" not in given:
        raise InputError("speed", None, f"must be given when {parameter} is what changes")
    if not isinstance(vehicle, Vehicle):
        raise InputError("vehicle", vehicle, "must be a vehicle, as kg.load_vehicle gives it, or a request")
    if "track" not in given:
        raise InputError("track", None, "must be given")
    return RunRequest.of(vehicle, duration=1.0, **given)


class _Keeper:
    """Points so far, in memory and in the journal."""

    def __init__(self, settings: dict[str, Any], total: int, out, resume: bool, overwrite: bool, on_point):
        self.settings, self.total, self.on_point = settings, total, on_point
        self.out = Path(out) if out is not None else None
        self.records: dict[int, Record] = {}
        self.finished: Sweep | None = None
        self._writer: journal.Writer | None = None
        if resume and self.out is None:
            raise InputError("resume", resume, "must come with the file to go on with (out)")
        if self.out is not None:
            self._open(self.out, resume, overwrite)

    def _open(self, out: Path, resume: bool, overwrite: bool) -> None:
        kept = journal_of(out)
        if overwrite and not resume:
            kept.unlink(missing_ok=True)
        if not kept.exists():
            if not (resume or overwrite):
                refuse_existing(out)
            if resume and out.exists():
                done = load_sweep(out)
                _refuse_changes(done.settings, self.settings, out)
                self.finished = done
            else:
                journal.create(kept, self.settings)
            return
        if not resume:
            raise InputError("out", str(out), f"has an unfinished sweep: resume it, or remove {kept.name}")
        settings, records = read_journal(kept)
        _refuse_changes(settings, self.settings, kept)
        self.records = {record["index"]: record for record in records}

    def tell(self) -> None:
        if self.on_point is not None:
            self.on_point(len(self.records), self.total)

    def receive(self, record: Record) -> None:
        if self._writer is not None:
            self._writer.add(record)
        self.records[record["index"]] = record
        self.tell()

    def run(self, stand: Stand, chains: list[list[Point]], executor: Executor | None, workers: int | None) -> str:
        """Compute what is missing; status at the end."""
        open_chains = [chain for chain in chains if any(point.index not in self.records for point in chain)]
        count = min(workers or cores(), len(open_chains))
        kept = journal.appending(journal_of(self.out)) if self.out is not None else nullcontext()
        before = len(self.records)
        with kept as self._writer:
            try:
                if executor is not None:
                    in_workers(executor, stand, open_chains, self.records, self.receive, self.tell)
                elif count > 1:
                    with process_pool(count) as pool:
                        in_workers(pool, stand, open_chains, self.records, self.receive, self.tell)
                else:
                    self.tell()
                    in_this_process(stand, open_chains, self.records, self.receive)
            except (KeyboardInterrupt, CancelledError, BrokenExecutor) as error:
                # Ctrl-C, a cluster or workers that vanish; workers that never came are another matter
                if executor is None and isinstance(error, BrokenExecutor) and len(self.records) == before:
                    raise InputError("workers", count, NO_WORKERS) from None
                return INTERRUPTED
        return DONE

    def result(self, status: str) -> Sweep:
        found = from_records(self.settings, list(self.records.values()), status)
        if self.out is not None:
            found.save(self.out)
            if status == DONE:
                journal_of(self.out).unlink()
        return found


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _settings(stand: Stand, first: Point) -> dict[str, Any]:
    """Of the case, with the names of its states; a moment of the first run compiles what is not compiled yet."""
    case = stand.case
    compiled, rest = stand.ready(first.value)
    vehicle = case.at(first.value).read_vehicle()
    placing = case.request.start.placing
    moments = [start_from_rest(compiled, rest, split(vehicle, start)[0], placing) for start in case.starts]
    bare_run(compiled, moments[0], MOMENT, case.request.solving, MOMENT)
    layout = compiled.layout
    names = {"states": list(layout.states), "modes": list(layout.modes), "memory_size": compiled.memory_size}
    return {**case.settings(), **names}


def _refuse_changes(stored: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    changed = [key for key in wanted if stored.get(key) != wanted[key]]
    if changed:
        raise InputError("resume", str(path), f"was begun with other settings ({', '.join(changed)})")


def _values(given: ArrayLike | Sequence[str] | None, field: str) -> list[Value]:
    if given is None:
        raise InputError(field, None, "must be given")
    words = [given] if isinstance(given, str) else _flat(field, given)
    if in_words(words):
        if field == "speeds" or not all(isinstance(word, str) for word in words):
            raise InputError(field, given, "must be finite numbers" + (", or words" if field == "values" else ""))
        return [str(word) for word in words]
    values: list[Value] = check_array(field, words, "finite numbers").tolist() if words else []
    if not values or not all(isfinite(float(value)) for value in values):
        raise InputError(field, given, "must be finite numbers, at least one")
    return values


def _flat(field: str, given: Any) -> list[Any]:
    try:
        return list(np.atleast_1d(np.asarray(given, object)).ravel())
    except ValueError:
        raise InputError(field, given, "must be numbers in one row") from None


def _starts(request: RunRequest, starts: Starts | None, seed: int, sliders: bool) -> tuple[dict[str, float], ...]:
    vehicle, begin = request.read_vehicle(), request.start
    if sliders and not isinstance(starts, int):
        raise InputError("sliders", sliders, "must come with a number of random starts")
    bodies = [wheelset.body for wheelset in (*vehicle.wheelsets, *vehicle.conical_wheelsets)]
    if begin.leaves != Leaves.REST:
        raise InputError("leaves", begin.leaves, f"must be {Leaves.REST}: a sweep starts from rest and offsets")
    if starts is None and (begin.initial or begin.sliders):
        if not isinstance(begin.initial, Mapping):
            raise InputError("initial", "a run", "must be offsets: a sweep starts from rest and them")
        return ({**begin.initial, **begin.sliders},)
    if starts is None:
        return ({f"{body}.{c}": size for body in bodies for c, size in KICK.items()},)
    if isinstance(starts, Mapping):
        return (_start(starts),)
    if isinstance(starts, int):
        check_whole("starts", starts, 1, MOST_POINTS)
        rng = np.random.default_rng(seed)
        if sliders:  # rest is nearly linear in them: its extremes belong to the corners of their range
            ends = {name: law.limit / law.stiffness for name, law in sliders_of(vehicle).items()}
            return tuple({name: float(rng.choice((-d, d))) for name, d in ends.items()} for _ in range(starts))
        return tuple(
            {f"{b}.{c}": float(rng.uniform(-size, size)) for b in bodies for c, size in RANDOM.items()}
            for _ in range(starts)
        )
    if isinstance(starts, str) or not isinstance(starts, Sequence) or not starts:
        raise InputError("starts", starts, "must be offsets by name, several of them, or a number of random ones")
    return tuple(_start(start) for start in starts)


def _start(given: Any) -> dict[str, float]:
    offsets = check_table("starts", given)
    return {name: check_number(f"starts.{name}", value, "SI units") for name, value in offsets.items()}
