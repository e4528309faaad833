"""`continue_orbit`: follow the periodic motions of a vehicle over its speed, or another of its values."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from klingel._arguments import check_kind, check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import Settings
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import HOPF
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.description import Vehicle
from klingel.simulation.integration import Start
from klingel.simulation.linear_critical_speed import linear_critical_speed
from klingel.simulation.orbits.orbit_starts import FirstOrbit, orbit_at_hopf, orbit_of_settled
from klingel.simulation.orbits.result import SpecialPoint, VehicleBranch, from_records, record, special_point
from klingel.simulation.orbits.vehicle_family import ON_TABLES, SPEED, VehicleFamily, vehicle_family
from klingel.simulation.run import Run, load_run
from klingel.track.track import Track

PIECES = 2  # of a half orbit, at least
TABLE_RTOL = 1e-8  # of meshes of wheels on tables, which are not smooth enough for less
POINTS = 400
HALF_STEPS = 2  # spacing of speeds at which eigenvalues are looked at [m/s]


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
    start: Run | str | Path | None = None,
    points: int = POINTS,
    on_point: Callable[[Orbit], bool | None] | None = None,
) -> VehicleBranch:
    """Periodic motions, stable and unstable, with their multipliers and special points.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    first, last : float
        Values of the parameter between which motions are followed, SI units. Of the speed: where rest loses its
        stability between them, the branch begins there; otherwise with what a kick settles to at `first`.
    parameter : str
        speed, or any number of the vehicle by its dotted name, like carbody.mass.
    speed : float, optional
        Where something else changes [m/s].
    start : Run or path, optional
        A run whose last state settles, at `first`, to the motion to begin with.
    points : int
        At most.
    on_point : callable, optional
        Called with every orbit; a true return value ends the branch.

    Returns
    -------
    VehicleBranch

    Raises
    ------
    InputError
        Bad argument, or nothing to follow: a start that comes to rest or is irregular.
    """
    asked = _checked(vehicle, first, last, parameter, speed, points)
    track = track or Track.straight()
    check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
    of = vehicle_family(vehicle, track, parameter, first, first if speed is None else speed)
    tables = of.family.tangent == ON_TABLES
    rtol = TABLE_RTOL if tables else Settings.rtol
    settings = Settings(parameter_scale=asked.high - asked.low, pieces=PIECES, rtol=rtol)
    begin, special = _begin(of, asked, start, settings)
    records: list[dict[str, Any]] = []

    def keep(orbit: Orbit) -> bool | None:
        records.append(record(orbit, of.layout))
        return on_point(orbit) if on_point is not None else None

    within = Range(asked.low, asked.high, asked.points, over_corners=tables)
    rising = last > first
    branch = follow(begin.orbit, within, settings, begin.along, rising, keep)
    special += [special_point(s, _before(branch.parameter, s.parameter), of.layout) for s in branch.special]
    told = {
        "parameter": parameter, "first": first, "last": last, "speed": speed,
        "vehicle": vehicle_text(vehicle), "track": track_text(track), "name": vehicle.name,
    }  # fmt: skip
    return from_records(records, special, branch.ended, told)


def _before(parameter: np.ndarray, value: float) -> int:
    """Number of the point next to a special one."""
    return int(np.argmin(np.abs(parameter - value)))


def _checked(vehicle, first, last, parameter, speed, points) -> _Asked:
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
    return _Asked(float(first), float(last), int(points))


def _begin(
    of: VehicleFamily, asked: _Asked, start: Run | str | Path | None, settings: Settings
) -> tuple[FirstOrbit, list[SpecialPoint]]:
    if start is not None:
        run = start if isinstance(start, Run) else load_run(start)
        return orbit_of_settled(of, asked.first, _state(of, run), settings), []
    if of.parameter == SPEED:
        hopf = _hopf(of, asked)
        begin = _at_hopf(of, hopf, settings) if hopf is not None else None
        if hopf is not None and begin is not None:
            zeros = dict.fromkeys((s.name for s in of.layout.state_info if s.moves == "position"), 0.0)
            return begin, [SpecialPoint(HOPF, hopf.speed, 0, zeros, 1.0 / hopf.frequency)]
    return orbit_of_settled(of, asked.first, None, settings), []


def _at_hopf(of: VehicleFamily, hopf: Any, settings: Settings) -> FirstOrbit | None:
    """The oscillation that is born; None for a vehicle with memory whose small motions are not resolved there."""
    try:
        return orbit_at_hopf(of, hopf, settings)
    except InputError:
        if not of.compiled.memory_size:
            raise
        return None


def _hopf(of: VehicleFamily, asked: _Asked) -> Any:
    """Where an oscillation is born between the speeds, if rest is stable at the lower one."""
    try:
        found = linear_critical_speed(of.vehicle, of.track, asked.low, asked.high)
    except InputError:  # not stable at the lower speed
        return None
    return found if found is not None and found.frequency > 0.0 else None


def _state(of: VehicleFamily, run: Run) -> Start:
    if run.vehicle.name != of.vehicle.name:
        raise InputError("start", f"a run of {run.vehicle.name}", f"must be a run of {of.vehicle.name}")
    end = run.end_state()
    if len(end.x) != len(of.layout.states) or len(end.mode) != len(of.layout.modes):
        raise InputError("start", "a run", "must be a run of a vehicle with the same bodies and elements")
    return Start(np.array(end.x), np.array(end.memory), np.array(end.mode, np.int8))
