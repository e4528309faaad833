"""`simulate`: one vehicle, one track, one speed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from enum import Enum
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

import klingel
from klingel._arguments import check_callable
from klingel._errors import InputError
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import enter_stages
from klingel.model.problem import vehicle_problem
from klingel.numerics.integrate import Progress
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.integration import ON_THE_RAIL, Start, bare_run, rest_of, start_from_rest
from klingel.simulation.outputs import blank
from klingel.simulation.recording import Made, OnChunk, OnRows, record
from klingel.simulation.request.parts import Initial, Starting, StoredState
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import REQUEST, Run, load_run, stored
from klingel.simulation.selection import in_file, in_memory, kept
from klingel.simulation.settled import wheel_names
from klingel.simulation.setup import put_on_track
from klingel.simulation.start import displace_sliders, load_leaves
from klingel.simulation.storing import check_place, place_of
from klingel.track.track import Track


class Unset(Enum):
    """Of an argument for which None has a meaning."""

    UNSET = 0


UNSET = Unset.UNSET


def simulate(
    vehicle: Vehicle | RunRequest,
    track: Track | None = None,
    speed: float | None = None,
    duration: float | None = None,
    initial: "Mapping[str, float] | Run | None" = None,
    acceleration: float | None = None,
    method: str | None = None,
    rtol: float | None = None,
    atol: ArrayLike | None = None,
    output_step: float | Unset | None = UNSET,
    distance: float | None = None,
    on_chunk: Callable[[Progress], bool | None] | None = None,
    max_steps: int | None = None,
    locate: str | None = None,
    smooth_length: float | None = None,
    smooth_speed: float | None = None,
    sliders: Mapping[str, float] | None = None,
    leaves: str | None = None,
    placing: str | None = None,
    quantities: str | Sequence[str] | None = None,
    precision: str | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    on_rows: OnRows | None = None,
) -> Run:
    """Simulate a vehicle on a track, or what a request asks for.

    Parameters
    ----------
    vehicle, track
        From `load_vehicle`, and `Track.straight`, `Track.curve` or `load_track`. Instead of both, and of all that
        follows, a `RunRequest`; what is given besides goes before it.
    speed : float
        At the start, positive [m/s].
    duration : float
        [s].
    initial
        Offsets from static equilibrium by name, `{"front_wheelset.y": 0.005}` (SI; see `placing`), or a run
        whose last row is the start.
    acceleration : float
        Prescribed, of the whole vehicle; the speed must stay positive; 0 if not given [m/s2].
    method, rtol
        See `integrate`; 1e-6 and `auto` if not given, which chooses by speed and tolerance here: below 10 m/s
        ros34pw2 from 5e-6 on and chain35 from 5e-7 on; above 10 m/s the better of dopri54 and chain34 from 5e-7
        on; dopri54 otherwise.
    atol : float or array, optional
        Per state; by default 1e-7 m and rad, 1e-6 m/s and rad/s, 1e-5 rad/s for spins.
    output_step : float, optional
        Spacing of the rows of the result, 0.01 if not given [s]; None keeps a row for every step, and two at an
        event: before and after.
    distance : float, optional
        Where the middle of the vehicle starts on the track; 0, or the last distance of the run that is the
        start, if not given [m]. In a curve the start is the quasi-static position there, if there is one.
    on_chunk : callable, optional
        Called with a Progress some ten times per second; a true return value interrupts the run.
    max_steps : int, optional
        Trial steps after which the run is broken off. If not given 200 000, and 100 000 per simulated second (more
        below rtol = 1e-6, as its cube root): twenty times what the vehicles of the library need.
    locate : str
        Events at which steps end: all, or needed: contact states then follow the shift of their wheels, and
        are logged with the instant at which the interpolant crosses; auto if not given: needed from 1e-8 on.
        ignore: none, steps go across corners, and what jumps or strikes does so at the end of a step; smooth: laws
        are rounded, see `smoothed`.
    smooth_length, smooth_speed : float, optional
        Widths over which `locate="smooth"` rounds corners [m, rad] and the jump of dry friction [m/s, rad/s].
    sliders : mapping, optional
        Friction sliders displaced at the start, by name or pattern: `{"front_left.link_y": 0.002}` [m].
    leaves : str
        Branch on which leaf springs start: rest (if not given), or loading or unloading with the force they have
        without friction at their compression.
    placing : str
        What offsets mean: rails (if not given) puts kicked wheelsets on their rails, with sliders unloaded;
        dragged drags the sliders along; bare displaces the named coordinates alone, sliders stuck where they were.
    quantities : names or patterns, optional
        What is kept: `("front_wheelset.y", "*.Q")`, `"all"` or `"usual"`. Not given: all in the run returned, the
        usual ones in the file, see `klingel.simulation.selection`.
    precision : str, optional
        Of what is kept, single or double. Not given: double in the run returned, single in the file. What a run
        needs to go on, or to be started from, is always double.
    out : path, optional
        netCDF file, written as the run goes on: at most some seconds are lost, whatever happens to the process.
        `load_run` reads it meanwhile, and `continue_run` goes on after a kill.
    overwrite : bool
        Whether `out` may replace a file.
    on_rows : callable, optional
        Called every 0.3 s with all quantities of the new rows, as variables by name: (dimensions, values, words).

    Returns
    -------
    Run
        Also after an interruption (Ctrl-C included) and after derailment; `run.ended` says which.

    Raises
    ------
    InputError
        Bad argument, named.
    SimulationError
        The integrator could not go on; its `run` holds the part computed.
    """
    given = {
        "track": track, "speed": speed, "duration": duration, "initial": initial, "acceleration": acceleration,
        "method": method, "rtol": rtol, "atol": atol, "distance": distance, "max_steps": max_steps,
        "locate": locate, "smooth_length": smooth_length, "smooth_speed": smooth_speed, "sliders": sliders,
        "leaves": leaves, "placing": placing, "quantities": quantities,
        "precision": precision,
    }  # fmt: skip
    check_callable("on_chunk", on_chunk)
    check_callable("on_rows", on_rows)
    options = {name: value for name, value in given.items() if value is not None}
    if not isinstance(output_step, Unset):
        options["output_step"] = output_step
    place = place_of(out)
    if isinstance(vehicle, RunRequest):
        return _simulate(vehicle.changed(**options), on_chunk, place, overwrite, on_rows)
    if not isinstance(vehicle, Vehicle):
        raise InputError("vehicle", vehicle, "must be a vehicle, as kg.load_vehicle gives it, or a request")
    if not isinstance(track, Track):
        raise InputError("track", track, "must be a track, like kg.Track.straight() or that of kg.load_track")
    for name in ("speed", "duration"):
        if name not in options:
            raise InputError(name, None, "must be given")
    return _simulate(RunRequest.of(vehicle, **options), on_chunk, place, overwrite, on_rows)


def with_files_read(request: RunRequest) -> RunRequest:
    """The request with its start itself instead of a file; bad files are refused before any work."""
    request.read_vehicle()
    request.read_track()
    initial = request.start.initial
    return request.changed(initial=load_run(initial)) if isinstance(initial, str) else request


def _simulate(
    request: RunRequest, on_chunk: OnChunk | None, out: Path | None, overwrite: bool, on_rows: OnRows | None
) -> Run:
    if out is not None:
        check_place(out, overwrite)
    request = with_files_read(request)
    vehicle, track = request.read_vehicle(), request.read_track()
    compiled = put_on_track(vehicle, track, request.speed, request.acceleration, request.place())
    start = _start(vehicle, compiled, request.start)
    start = displace_sliders(vehicle, compiled, start, request.start.sliders)
    start = load_leaves(compiled, start, request.start.leaves)
    columns = blank(vehicle, compiled, start)
    kept(columns, in_file(request.outputs))  # refuses names that are none, before any work

    def begin(between: OnChunk) -> Trajectory:
        step = request.outputs.output_step
        try:
            return bare_run(compiled, start, request.duration, request.solving, step, between)
        except IntegrationError as error:
            _refuse_start(request.start.initial, error.trajectory)
            raise

    made = Made(
        vehicle, compiled, request,
        names=_names(compiled, vehicle_problem(compiled, start.memory, start.mode).time_names),
        sources={
            "vehicle": vehicle_text(request.given_vehicle()), "track": track_text(track), REQUEST: stored(request),
            "klingel": klingel.__version__,
        },
        keep=lambda all_: kept(all_, in_memory(request.outputs)),
        store=lambda all_: kept(all_, in_file(request.outputs)),
        blank=lambda: columns,
        on_rows=on_rows,
    )  # fmt: skip
    return record(made, begin, on_chunk, out)


def _refuse_start(initial: Initial, trajectory: Trajectory) -> None:
    """A kick beyond the contact tables: no step was possible, the input is to blame."""
    if (
        initial
        and isinstance(initial, Mapping)
        and trajectory.status == Status.REFUSED
        and not trajectory.stats.accepted
    ):
        given = ", ".join(f"{name}={value:g}" for name, value in initial.items())
        raise InputError("initial", given, ON_THE_RAIL)


def _start(vehicle: Vehicle, compiled: Compiled, start_at: Starting) -> Start:
    initial = start_at.initial
    if isinstance(initial, Mapping):
        return start_from_rest(compiled, rest_of(compiled), initial, start_at.placing)
    assert isinstance(initial, StoredState)
    layout = compiled.layout
    if initial.vehicle not in ("", vehicle.name):
        raise InputError("initial", f"a run of {initial.vehicle}", f"must be a run of {vehicle.name}")
    if (initial.states, initial.modes) != (tuple(layout.states), tuple(layout.modes)):
        raise InputError("initial", "a run", "must be a run of a vehicle with the same bodies and elements")
    if len(initial.memory) != compiled.memory_size:
        raise InputError("start.state.memory", len(initial.memory), f"must have {compiled.memory_size} entries")
    for name, kinds, given in zip(layout.modes, layout.mode_types, initial.mode, strict=True):
        if given not in list(kinds):
            raise InputError(f"start.state.mode of {name}", given, f"must lie between 0 and {len(kinds) - 1}")
    start = Start(np.array(initial.x), np.array(initial.memory), np.array(initial.mode, np.int8))
    enter_stages(compiled.system, start.memory)
    return start


def _names(compiled: Compiled, instants: tuple[str, ...]) -> dict[str, list]:
    layout = compiled.layout
    return {
        "states": list(layout.states),
        "state_info": [list(astuple(state)) for state in layout.state_info],
        "wheelsets": list(layout.rolling),
        "modes": list(layout.modes),
        "meanings": [[kind.name for kind in kinds] for kinds in layout.mode_types],
        "guards": list(layout.guards),
        "wheels": wheel_names(layout),
        "instants": list(instants),
    }
