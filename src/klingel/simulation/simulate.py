"""`simulate`: one vehicle, one track, one speed."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

import klingel
from klingel._errors import InputError
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import enter_stages
from klingel.numerics.integrate import Progress
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.integration import Solving, Start, bare_run, ending, rest_of, start_from_rest
from klingel.simulation.outputs import dataset
from klingel.simulation.run import FAILED, Run, SimulationError
from klingel.simulation.settled import wheel_names
from klingel.simulation.setup import check_number, check_speed, put_on_track
from klingel.simulation.start import Leaves, displace_sliders, load_leaves
from klingel.track.track import Track


def simulate(
    vehicle: Vehicle,
    track: Track,
    speed: float,
    duration: float,
    initial: "Mapping[str, float] | Run | None" = None,
    acceleration: float = 0.0,
    method: str = "auto",
    rtol: float = 1e-6,
    atol: ArrayLike | None = None,
    output_step: float | None = 0.01,
    distance: float | None = None,
    on_chunk: Callable[[Progress], bool | None] | None = None,
    max_steps: int = 100_000_000,
    sliders: Mapping[str, float] | None = None,
    leaves: str = Leaves.REST,
) -> Run:
    """Simulate a vehicle on a track.

    Parameters
    ----------
    vehicle, track
        From `load_vehicle`, and `Track.straight`, `Track.curve` or `load_track`.
    speed : float
        At the start, positive [m/s].
    duration : float
        [s].
    initial
        Offsets from static equilibrium by name, `{"front_wheelset.y": 0.005}` (SI; sliders stay stuck
        where they were), or a run whose last row is the start.
    acceleration : float
        Prescribed, of the whole vehicle; the speed must stay positive [m/s2].
    method, rtol
        See `integrate`; `auto` chooses by speed and tolerance here: below 10 m/s ros34pw2 from 5e-6 on and
        chain35 from 5e-7 on; above 10 m/s chain34 from 3e-5 on; dopri54 otherwise.
    atol : float or array, optional
        Per state; by default 1e-7 m and rad, 1e-6 m/s and rad/s, 1e-5 rad/s for spins.
    output_step : float, optional
        Spacing of the rows of the result [s]; None keeps a row for every step, and two at an event: before
        and after.
    distance : float, optional
        Where the middle of the vehicle starts on the track; 0, or the last distance of the run that is the
        start, if not given [m]. In a curve the start is the quasi-static position there, if there is one.
    on_chunk : callable, optional
        Called with a Progress some ten times per second; a true return value interrupts the run.
    sliders : mapping, optional
        Friction sliders displaced at the start, by name or pattern: `{"front_left.link_y": 0.002}` [m].
    leaves : str
        Branch on which leaf springs start: rest, or loading or unloading with the force they have without
        friction at their compression.

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
    if not isinstance(vehicle, Vehicle):
        raise InputError("vehicle", vehicle, "must be a vehicle, as kg.load_vehicle gives it")
    if not isinstance(track, Track):
        raise InputError("track", track, "must be a track, like kg.Track.straight() or that of kg.load_track")
    check_speed(speed, acceleration, duration)
    place = _distance(distance, initial)
    compiled = put_on_track(vehicle, track, speed, acceleration, place)
    start = _start(compiled, initial)
    start = displace_sliders(vehicle, compiled, start, sliders or {})
    start = load_leaves(compiled, start, leaves)
    solving = Solving(method, float(rtol), None if atol is None else np.asarray(atol, float).tolist(), max_steps)
    options = {
        "speed": float(speed),
        "duration": float(duration),
        "initial": _told(initial),
        "sliders": {name: float(value) for name, value in (sliders or {}).items()},
        "leaves": str(leaves),
        "acceleration": float(acceleration),
        "method": method,
        "rtol": float(rtol),
        "atol": solving.tolerance(compiled.layout.states).tolist(),
        "output_step": None if output_step is None else float(output_step),
        "max_steps": int(max_steps),
        "distance": place,
    }

    def pack(trajectory: Trajectory, status: str, ended: str) -> Run:
        return Run(
            dataset(vehicle, compiled, trajectory), trajectory.stats, status, ended, options,
            _names(compiled, trajectory.problem.time_names),
            {"vehicle": vehicle_text(vehicle), "track": track_text(track), "klingel": klingel.__version__},
        )  # fmt: skip

    try:
        trajectory = bare_run(compiled, start, duration, solving, output_step, on_chunk)
    except IntegrationError as error:
        _refuse_start(initial, error.trajectory)
        run = pack(error.trajectory, FAILED, str(error))
        raise SimulationError(str(error), error.trajectory, run) from None
    run = pack(trajectory, *ending(trajectory))
    if run.status == FAILED:
        raise SimulationError(run.ended, trajectory, run)
    return run


def _refuse_start(initial: Mapping[str, float] | Run | None, trajectory: Trajectory) -> None:
    """A kick beyond the contact tables: no step was possible, the input is to blame."""
    if (
        initial
        and not isinstance(initial, Run)
        and trajectory.status == Status.REFUSED
        and not trajectory.stats.accepted
    ):
        given = ", ".join(f"{name}={value:g}" for name, value in initial.items())
        raise InputError(
            "initial", given, "must leave every wheel on its rail; this start is beyond the contact tables"
        )


def _start(compiled: Compiled, initial) -> Start:
    if isinstance(initial, Run):
        if tuple(initial.names["states"]) != compiled.layout.states or initial.names["modes"] != list(
            compiled.layout.modes
        ):
            raise InputError("initial", "a run", "must be a run of a vehicle with the same bodies and elements")
        if initial.time.size == 0:
            raise InputError("initial", "a run", "must have at least one row")
        start = Start(*initial.last_state())
        enter_stages(compiled.system, start.memory)
        return start
    return start_from_rest(compiled, rest_of(compiled), initial or {})


def _distance(distance: float | None, initial) -> float:
    """Where the run starts: as told, else where the run before it ended."""
    if distance is not None:
        check_number("distance", distance, "m")
        return float(distance)
    if isinstance(initial, Run) and "distance" in initial.data and initial.time.size:
        return float(initial["distance"][-1])
    return 0.0


def _told(initial) -> dict[str, float] | str:
    if isinstance(initial, Run):
        return f"last row of another run, {initial.ended}"
    return {name: float(value) for name, value in (initial or {}).items()}


def _names(compiled: Compiled, instants: tuple[str, ...]) -> dict[str, list]:
    layout = compiled.layout
    return {
        "states": list(layout.states),
        "modes": list(layout.modes),
        "meanings": [[kind.name for kind in kinds] for kinds in layout.mode_types],
        "guards": list(layout.guards),
        "wheels": wheel_names(layout),
        "instants": list(instants),
    }
