"""`continue_orbit`: follow the periodic motions of a vehicle over its speed, or another of its values."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from klingel._arguments import check_flag, check_kind, check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.orbits.branch import Range
from klingel.analysis.orbits.find_orbit import Settings
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import HOPF
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.model.problem import Locate
from klingel.simulation.integration import Start
from klingel.simulation.orbits.hopf import hopf_point
from klingel.simulation.orbits.keeper import Keeper
from klingel.simulation.orbits.orbit_starts import FirstOrbit, orbit_at_hopf, orbit_of_branch, orbit_of_settled
from klingel.simulation.orbits.parts import Follower
from klingel.simulation.orbits.result import (
    DONE,
    INTERRUPTED,
    SpecialPoint,
    VehicleBranch,
    from_records,
    load_branch,
    special_point,
)
from klingel.simulation.orbits.vehicle_family import ON_TABLES, SPEED, VehicleFamily, vehicle_family
from klingel.simulation.request.request import RunRequest
from klingel.simulation.request.solving import SMOOTH
from klingel.simulation.run import Run, load_run
from klingel.track.track import Track

PIECES = 2  # of a half orbit, at least
TABLE_RTOL = 1e-8  # of meshes of wheels on tables, which are not smooth enough for less
POINTS = 400
MOST_SWITCHES = 4


@dataclass(frozen=True)
class _Asked:
    first: float
    last: float
    points: int

    @property
    def low(self) -> float:
        return min(self.first, self.last)

    @property
    def high(self) -> float:
        return max(self.first, self.last)


def continue_orbit(
    vehicle: Vehicle,
    track: Track | None = None,
    *,
    first: float,
    last: float,
    parameter: str = SPEED,
    speed: float | None = None,
    start: Run | VehicleBranch | str | Path | None = None,
    points: int = POINTS,
    switch: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    on_point: Callable[[Orbit], bool | None] | None = None,
    locate: str | None = None,
    smooth_length: float | None = None,
    smooth_speed: float | None = None,
) -> VehicleBranch:
    """Periodic motions, stable and unstable, with their multipliers and special points.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    first, last : float
        Values of the parameter between which motions are followed, SI units. Where rest loses its stability
        between them by an oscillation, the branch begins there; otherwise with what a kick settles to at `first`.
    parameter : str
        speed, or any number of the vehicle by its dotted name, like carbody.mass.
    speed : float, optional
        Where something else changes [m/s].
    start : Run, VehicleBranch or path, optional
        A run whose last state settles, at `first`, to the motion to begin with; or a stored branch, whose point
        nearest to `first` it is, stable or not.
    points : int
        At most, of each part.
    switch : int
        How often branches that leave (at period doubling, loss of symmetry, crossings) are gone over to: 1 those
        of the first branch, 2 also theirs. They are further parts of the result.
    out : path, optional
        netCDF file for the result. While the branch is followed its points are kept beside it, in `<out>.journal`.
    resume : bool
        Go on with what the journal has.
    on_point : callable, optional
        Called with every orbit; a true return value ends the branch.
    locate, smooth_length, smooth_speed
        See `simulate`: "smooth" and "ignore" follow the motions of a vehicle whose laws are rounded, or have no
        corners. What is stored is the vehicle as given, and this.

    Returns
    -------
    VehicleBranch
        After Ctrl-C what there is of it, with `status` "interrupted"; the journal stays.

    Raises
    ------
    InputError
        Bad argument, or nothing to follow: a start that comes to rest or is irregular.
    """
    asked = _checked(vehicle, first, last, parameter, speed, points, switch)
    track = track or Track.straight()
    check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
    check_flag("resume", resume)
    told = {"locate": locate, "smooth_length": smooth_length, "smooth_speed": smooth_speed}
    told = {name: value for name, value in told.items() if value is not None}
    request = RunRequest.of(vehicle, speed=1.0, duration=1.0, **told)
    way, followed = way_of(request), request.read_vehicle()
    of = vehicle_family(followed, track, parameter, first, first if speed is None else speed)
    tables = of.family.tangent == ON_TABLES
    rtol = TABLE_RTOL if tables else Settings.rtol
    settings = Settings(parameter_scale=asked.high - asked.low, pieces=PIECES, rtol=rtol)
    told = {
        "parameter": parameter, "first": asked.first, "last": asked.last, "speed": speed,
        "vehicle": vehicle_text(vehicle), "track": track_text(track), "name": vehicle.name, "switch": switch,
        "points": asked.points, **way,
    }  # fmt: skip
    keeper = Keeper(of.family, of.layout, told, out, resume)
    if keeper.finished is not None:
        return keeper.finished
    within = Range(asked.low, asked.high, asked.points, over_corners=tables)
    follower = Follower(keeper, within, settings, on_point)
    status = DONE
    with keeper:
        try:
            follower.first(lambda: _begin(of, asked, start, settings), rising=last > first)
            follower.leaving(switch)
        except KeyboardInterrupt:
            if not any(part.points for part in keeper.parts):
                keeper.done()
                raise
            status = INTERRUPTED
        except InputError:
            if not any(part.points for part in keeper.parts):  # nothing to follow: nothing to go on with
                keeper.done()
            raise
    found = _result(of, keeper, told, status)
    if out is not None:
        found.save(out)
        if status == DONE:
            keeper.done()
    return found


def way_of(request: RunRequest) -> dict[str, Any]:
    """How a request treats the corners of laws, as arguments: all events are located for orbits otherwise."""
    s = request.solving
    if s.locate not in (Locate.IGNORE, SMOOTH):
        return {}
    told = {"locate": str(s.locate), "smooth_length": s.smooth_length, "smooth_speed": s.smooth_speed}
    return {name: value for name, value in told.items() if value is not None}


def _result(of: VehicleFamily, keeper: Keeper, told: dict[str, Any], status: str) -> VehicleBranch:
    """All parts, one after the other."""
    records, numbers, special, words = [], [], [], []
    for number, part in enumerate(keeper.parts):
        begin, values = len(records), np.array([point["parameter"] for point in part.points])
        special += [SpecialPoint(**known) for known in part.known]
        for s in part.special:
            near = begin + (int(np.argmin(np.abs(values - s.parameter))) if values.size else 0)
            special.append(special_point(s, near, of.layout, number))
        records += part.points
        numbers += [number] * len(part.points)
        words.append({**part.origin, "ended": part.ended or status})
    ended = words[0]["ended"] if status == DONE else f"interrupted after {len(records)} points"
    return from_records(records, special, ended, {**told, "parts": words}, numbers, status)


def _checked(vehicle, first, last, parameter, speed, points, switch) -> _Asked:
    check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
    for name, value in (("first", first), ("last", last)):
        check_number(name, value, "SI units")
    if first == last:
        raise InputError("last", last, "must differ from the first value")
    if parameter != SPEED and speed is None:
        raise InputError("speed", None, f"must be given when {parameter} is what changes")
    if parameter == SPEED and min(first, last) <= 0.0:
        raise InputError("first" if first <= last else "last", min(first, last), "must be a positive speed in m/s")
    check_whole("points", points)
    if points < 2:
        raise InputError("points", points, "must be at least 2")
    check_whole("switch", switch)
    if not 0 <= switch <= MOST_SWITCHES:
        raise InputError("switch", switch, f"must lie between 0 and {MOST_SWITCHES}")
    return _Asked(float(first), float(last), int(points))


def _begin(
    of: VehicleFamily, asked: _Asked, start: Run | VehicleBranch | str | Path | None, settings: Settings
) -> tuple[FirstOrbit, list[dict[str, Any]]]:
    """The first orbit, and special points known without an orbit of their own."""
    if start is not None:
        given = start if isinstance(start, Run | VehicleBranch) else _load(start)
        if isinstance(given, VehicleBranch):
            return orbit_of_branch(of, asked.first, given, settings), []
        return orbit_of_settled(of, asked.first, _state(of, given), settings), []
    hopf = hopf_point(of, asked.first, asked.last)
    begin = _at_hopf(of, hopf, settings) if hopf is not None else None
    if hopf is not None and begin is not None:
        zeros = dict.fromkeys((s.name for s in of.layout.state_info if s.moves == "position"), 0.0)
        return begin, [SpecialPoint(HOPF, hopf.value, 0, zeros, 1.0 / hopf.frequency).as_dict()]
    return orbit_of_settled(of, asked.first, None, settings), []


def _at_hopf(of: VehicleFamily, hopf: Any, settings: Settings) -> FirstOrbit | None:
    """The oscillation that is born; None for a vehicle with memory whose small motions are not resolved there."""
    try:
        return orbit_at_hopf(of, hopf, settings)
    except InputError:
        if not of.compiled.memory_size:
            raise
        return None


def _load(path: str | Path) -> Run | VehicleBranch:
    try:
        return load_branch(path)
    except InputError:
        return load_run(path)


def _state(of: VehicleFamily, run: Run) -> Start:
    if run.vehicle.name != of.vehicle.name:
        raise InputError("start", f"a run of {run.vehicle.name}", f"must be a run of {of.vehicle.name}")
    end = run.end_state()
    if len(end.x) != len(of.layout.states) or len(end.mode) != len(of.layout.modes):
        raise InputError("start", "a run", "must be a run of a vehicle with the same bodies and elements")
    return Start(np.array(end.x), np.array(end.memory), np.array(end.mode, np.int8))
