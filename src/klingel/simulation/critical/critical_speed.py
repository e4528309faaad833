"""`critical_speed`: how fast may this vehicle run?

Starts of several sizes at many speeds show where there are motions (`scan`); each family found is followed down
to its lowest speed, in several ways of computing and from several seeds (`chain`); where the ways disagree there
is no verdict (`verdict`). Beside it stand linear critical speeds and the procedures of the field.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf, isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import klingel
from klingel._arguments import check_callable, check_whole
from klingel._errors import InputError
from klingel.analysis.descents.motion_sizes import Rank
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import is_plain
from klingel.simulation.critical import protocols, work
from klingel.simulation.critical.chain import Chain
from klingel.simulation.critical.flanges import family
from klingel.simulation.critical.linear import SLIPPING, STUCK, Linear
from klingel.simulation.critical.protocols import PROTOCOLS, Protocol
from klingel.simulation.critical.resting import Resting, lateral_positions
from klingel.simulation.critical.result import CriticalSpeed
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.scan import STARTS, Hit, speeds_of
from klingel.simulation.critical.settings import WAYS, Asked, Settings
from klingel.simulation.critical.verdict import REFUSED, verdict_of
from klingel.simulation.critical.work import DESCENT, LINEAR, REST, SCAN, Crew, Task
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import DONE, INTERRUPTED
from klingel.simulation.storing import refuse_existing
from klingel.simulation.sweep.sweep import MOST_WORKERS, NO_WORKERS, cores
from klingel.simulation.sweep.workers import leave_if_starting, process_pool
from klingel.track.track import Track

RTOL = 1e-5  # if not given: ends of motions do not move with it, see docs/how-to/critical-speed.md
USUAL = Settings()


def critical_speed(
    vehicle: Vehicle | RunRequest,
    track: Track | None = None,
    *,
    threshold: float = USUAL.threshold,
    slowest: float = USUAL.slowest,
    fastest: float = USUAL.fastest,
    hold: float = USUAL.hold,
    seeds: int = USUAL.seeds,
    seed: int = USUAL.seed,
    method: str | None = None,
    rtol: float | None = None,
    other_method: str = USUAL.other_method,
    workers: int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    on_point: Callable[[int, int], None] | None = None,
) -> CriticalSpeed:
    """Lowest speeds of a vehicle's motions, with their uncertainty, or a refusal.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40. Instead of both a
        `RunRequest`, whose start, speed and duration are not used.
    threshold : float
        Half of peak to peak of a wheelset's lateral motion from which on it counts [m].
    slowest, fastest : float
        Speeds looked at [m/s].
    hold : float
        Least time at each speed of a descent [s].
    seeds, seed : int
        How many, and the first.
    method, rtol : optional
        See `simulate`; 1e-5 if not given.
    other_method : str
        The second method.
    workers : int, optional
        Processes; one per core if not given.
    out : path, optional
        JSON file for the result.
    overwrite : bool
        Whether `out` may replace a file.
    on_point : callable, optional
        Called with the number of pieces of work done and known so far.

    Returns
    -------
    CriticalSpeed
        After Ctrl-C what there is, with the status `interrupted` and no verdict.
    """
    leave_if_starting()
    check_callable("on_point", on_point)
    if workers is not None:
        check_whole("workers", workers, 1, MOST_WORKERS)
    settings = Settings(threshold, slowest, fastest, hold, seeds, seed, other_method)
    asked = Asked(_request(vehicle, track, method, rtol, fastest), settings)
    if not is_plain(asked.request.read_track()):
        named = asked.request.read_track().title or None
        raise InputError("track", named, "must be straight, level and smooth: motions settle on no other")
    if out is not None and not overwrite:
        refuse_existing(Path(out))
    began, used = perf_counter(), work.processor_time()
    ride = Ride(asked)
    ride.sizes  # noqa: B018, refuses a threshold that leaves no room
    work.warm(ride)
    search = _Search(ride, on_point)
    status = DONE
    try:
        with _crew(ride, workers) as crew:
            search.run(crew)
    except KeyboardInterrupt:
        status = INTERRUPTED
    result = search.result(status, perf_counter() - began, work.processor_time() - used)
    if out is not None:
        result.save(out)
    return result


def _request(
    vehicle: Vehicle | RunRequest, track: Track | None, method: str | None, rtol: float | None, speed: float
) -> RunRequest:
    said = {"track": track, "method": method, "rtol": rtol}
    given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    whole = {"speed": float(speed), "duration": 1.0, "acceleration": 0.0, "initial": {}, "sliders": {}}
    if isinstance(vehicle, RunRequest):
        return vehicle.changed(**{**whole, **given})
    if not isinstance(vehicle, Vehicle):
        raise InputError("vehicle", vehicle, "must be a vehicle, as kg.load_vehicle gives it, or a request")
    return RunRequest.of(vehicle, **{"rtol": RTOL, **whole, **given})


@contextmanager
def _crew(ride: Ride, workers: int | None) -> Iterator[Crew]:
    count = workers or cores()
    if count == 1:
        yield Crew(ride, None, 1)
        return
    work.share(ride)
    try:
        with process_pool(count) as pool:
            yield Crew(ride, pool, count)
    except BrokenExecutor:
        raise InputError("workers", count, NO_WORKERS.replace("kg.sweep", "kg.critical_speed")) from None


@dataclass
class _Search:
    """What is known so far."""

    ride: Ride
    on_point: Callable[[int, int], None] | None
    hits: list[Hit] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    linear: dict[str, Linear] = field(default_factory=dict)
    protocols: dict[str, Protocol] = field(default_factory=dict)
    rest: dict[str, Resting] = field(default_factory=dict)
    scanned: list[float] = field(default_factory=list)
    off: list[Hit] = field(default_factory=list)  # starts that left the rails or broke off
    enough: float = inf  # slowest speed above which no new families are [m/s]
    done: int = 0
    known: int = 0
    descents: int = 0  # to be done

    def run(self, crew: Crew) -> None:
        speeds = speeds_of(self.ride.asked.settings)
        first = [Task(name, ()) for name in (protocols.FALLING, protocols.STEPS, protocols.DISTURBANCE)]
        first += [Task(LINEAR, (STUCK,)), Task(LINEAR, (SLIPPING,))]
        first += [Task(REST, (name,)) for name in lateral_positions(self.ride)]
        first += [Task(SCAN, (speed,)) for speed in speeds]
        self._go(crew, first)
        self._leave_out()
        second = list(self._descents())
        self.descents = len(second)
        self._go(crew, second)

    def _leave_out(self) -> None:
        """What was begun too early, beyond what one process would look at; the order in which pieces came."""
        self.hits = sorted(
            (hit for hit in self.hits if hit.start in PROTOCOLS or hit.held.value <= self.enough),
            key=lambda hit: (hit.held.value, hit.start, hit.held.width),
        )
        self.off = [hit for hit in self.off if hit.held.value <= self.enough]
        self.scanned = sorted(speed for speed in self.scanned if speed <= self.enough)

    def _go(self, crew: Crew, tasks: list[Task]) -> None:
        self.known = self.done + len(tasks)
        self._tell()
        crew.run(tasks, self._receive)

    def _tell(self) -> None:
        if self.on_point is not None:
            self.on_point(self.done, self.known)

    def _receive(self, task: Task, found: Any) -> bool:
        enough = False
        if task.name == SCAN:
            (speed,) = task.arguments
            self.hits += [hit for hit in found if hit.held.rank != Rank.OFF]
            self.off += [hit for hit in found if hit.held.rank == Rank.OFF]
            self.scanned.append(speed)
            enough = len(found) == len(STARTS) and all(hit.held.rank == self._highest for hit in found)
            self.enough = min(self.enough, speed) if enough else self.enough
        elif task.name == DESCENT:
            self.chains.append(found)
        elif task.name == LINEAR:
            self.linear[task.arguments[0]] = found
        elif task.name == REST:
            self.rest[task.arguments[0]] = found
        else:
            self.protocols[task.name] = found
            self.hits += found.hits
        self.done += 1
        self._tell()
        return enough

    @property
    def _highest(self) -> Rank:
        """Above the speed at which every start ends in this there are no new families."""
        edges = self.ride.sizes.edges
        return Rank.EDGES if len(edges) > 1 and self.ride.sizes.has_edges else Rank.EDGE

    def _descents(self) -> Iterator[Task]:
        for rank in Rank:
            hits = [hit for hit in self.hits if hit.held.rank == rank]
            if rank < Rank.SMALL or not hits:
                continue
            for seed in range(self.ride.asked.settings.seeds):
                for way in WAYS:
                    yield Task(DESCENT, (rank, way, seed, hits))

    def result(self, status: str, wall: float, processor: float) -> CriticalSpeed:
        ride, asked = self.ride, self.ride.asked
        self.chains.sort(key=lambda c: (c.rank, WAYS.index(c.way), c.seed))
        off = [hit.held.value for hit in self.off]
        verdict, reason, motions = verdict_of(self.chains, len(ride.layout.rolling), asked, off)
        if status == INTERRUPTED:
            verdict = REFUSED
            reason = (
                f"interrupted after {len(self.chains)} descents and {len(self.scanned)} speeds: run it to its end"
            )
        linear = {name: self.linear[name].as_dict() if name in self.linear else None for name in (STUCK, SLIPPING)}
        found = {name: self.protocols[name].speed if name in self.protocols else None for name in PROTOCOLS}
        rest = {name: list(one.extent) for name, one in self.rest.items() if one.extent is not None}
        points = [(hit.held.value, hit.held.width, hit.start) for hit in self.hits]
        points += [(speed, width, "descent") for c in self.chains for speed, width in c.passed]
        return CriticalSpeed(
            ride.vehicle.name, verdict, reason, linear, tuple(motions), found, rest,
            tuple(self._evidence(wall, processor)), status, tuple(points), self._settings(), self._sources(),
        )  # fmt: skip

    def _settings(self) -> dict[str, Any]:
        asked, sizes = self.ride.asked, self.ride.sizes
        solving = {"rtol": asked.request.solving.rtol, "method": asked.request.solving.method}
        flanges = [edge if isfinite(edge) else None for edge in sizes.edges]
        return {**asked.settings.as_dict(), **solving, "flange": flanges, "medium": sizes.medium}

    def _sources(self) -> dict[str, str]:
        given = self.ride.asked.request.given_vehicle()
        texts = {"vehicle": vehicle_text(given), "track": track_text(self.ride.track)}
        return {**texts, "klingel": klingel.__version__}

    def _evidence(self, wall: float, processor: float) -> Iterator[dict[str, Any]]:
        asked, sizes = self.ride.asked, self.ride.sizes
        yield {"what": "computed with", "value": asked.ways_told()}
        yield {"what": "a motion counts from, half of peak to peak [m]", "value": sizes.counts}
        yield {"what": "a motion is medium from [m]", "value": sizes.medium}
        if sizes.has_edges:
            yield {"what": "shift to the flange [m]", "value": min(sizes.edges)}
        top = max(self.scanned, default=0.0)
        told = f"{len(self.scanned)}, {min(self.scanned, default=0.0):.4g} to {top:.4g} m/s"
        yield {"what": f"speeds looked at, {len(STARTS)} starts each", "value": told}
        yield {"what": "motions met", "value": len(self.hits)}
        if self.off:
            slowest = min(hit.held.value for hit in self.off)
            told = f"{len(self.off)}, the slowest at {slowest:.4g} m/s"
            yield {"what": "starts that left the rails or broke off", "value": told}
        for rank in sorted({c.rank for c in self.chains}):
            if all(c.speed is None for c in self.chains if c.rank == rank):
                name = family(rank, len(self.ride.layout.rolling))
                yield {"what": f"{name}: met, but kept by no descent", "value": "decays slowly, or is thrown off"}
        for name, found in self.linear.items():
            if found.reason:
                yield {"what": f"no linear critical speed, {name}", "value": found.reason}
        for name, done in self.protocols.items():
            if done.reason:
                yield {"what": name, "value": done.reason}
        for why in dict.fromkeys(found.reason for found in self.rest.values() if found.reason):
            yield {"what": "rest set", "value": why}
        yield {"what": "descents", "value": f"{len(self.chains)} of {self.descents}"}
        yield {"what": "simulated in descents [s]", "value": round(sum(c.simulated for c in self.chains), 1)}
        yield {"what": "computing [s]", "value": round(wall, 1)}
        yield {"what": "processor time, all processes [s]", "value": round(processor, 1)}
