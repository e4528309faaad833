"""`simulate`: one vehicle, one track, one speed."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

import klingel
from klingel._errors import InputError
from klingel.io.track_toml import to_toml as track_text
from klingel.io.vehicle_toml import to_toml as vehicle_text
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.equilibrium import EquilibriumError, find_rest
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.system import Head
from klingel.model.system import Run as Place
from klingel.model.way import enter_stages, stand_on_irregular_rails, starts_level
from klingel.numerics.integrate import Progress, integrate
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.numerics.workspace import Status
from klingel.simulation.outputs import dataset
from klingel.simulation.run import DERAILED, DONE, FAILED, INTERRUPTED, Run, SimulationError
from klingel.simulation.setup import check_speed, put_on_track, tolerances
from klingel.track.track import Track

# The implicit method goes astray in flange contact below some 10 m/s (false derailments), where it would be the
# faster one; explicit pairs agree with each other there. So `auto` stays explicit for vehicles.
AUTO = "dopri54"


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
    output_step: float = 0.01,
    distance: float | None = None,
    on_chunk: Callable[[Progress], bool | None] | None = None,
    max_steps: int = 100_000_000,
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
        See `integrate`; `auto` is dopri54 here.
    atol : float or array, optional
        Per state; by default 1e-7 m and rad, 1e-6 m/s and rad/s, 1e-5 rad/s for spins.
    output_step : float
        Spacing of the rows of the result [s].
    distance : float, optional
        Where the middle of the vehicle starts on the track, which must be straight and level there unless a run
        is the start; 0, or the last distance of that run, if not given [m].
    on_chunk : callable, optional
        Called with a Progress some ten times per second; a true return value interrupts the run.

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
    check_speed(speed, acceleration, duration)
    start = _distance(distance, initial)
    compiled = put_on_track(vehicle, track, speed, acceleration, start)
    x, memory, mode = _start(compiled, initial)
    problem = vehicle_problem(compiled, memory, mode, duration)
    tolerance = tolerances(compiled.layout.states, rtol) if atol is None else np.asarray(atol, float)
    options = {
        "speed": float(speed),
        "duration": float(duration),
        "initial": _told(initial),
        "acceleration": float(acceleration),
        "method": method,
        "rtol": float(rtol),
        "atol": tolerance.tolist(),
        "output_step": float(output_step),
        "distance": start,
    }

    def pack(trajectory: Trajectory, status: str, ended: str) -> Run:
        return Run(
            dataset(vehicle, compiled, trajectory), trajectory.stats, status, ended, options,
            _names(compiled, problem.time_names),
            {"vehicle": vehicle_text(vehicle), "track": track_text(track), "klingel": klingel.__version__},
        )  # fmt: skip

    try:
        trajectory = integrate(
            problem, x, duration, method=AUTO if method == "auto" else method, rtol=rtol, atol=tolerance,
            output_step=output_step, on_chunk=on_chunk, max_steps=max_steps,
        )  # fmt: skip
    except IntegrationError as error:
        run = pack(error.trajectory, FAILED, str(error))
        raise SimulationError(str(error), error.trajectory, run) from None
    return pack(trajectory, *_ending(trajectory))


def _start(compiled: Compiled, initial) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if isinstance(initial, Run):
        if tuple(initial.names["states"]) != compiled.layout.states or initial.names["modes"] != list(
            compiled.layout.modes
        ):
            raise InputError("initial", "a run", "must be a run of a vehicle with the same bodies and elements")
        if initial.time.size == 0:
            raise InputError("initial", "a run", "must have at least one row")
        x, memory, mode = initial.last_state()
        enter_stages(compiled.system, memory)
        return x, memory, mode
    if not starts_level(compiled.system):
        at = float(compiled.system.f[compiled.system.i[Head.RUN] + Place.DISTANCE])
        raise InputError("distance", at, "must put the whole vehicle on straight, level track at the start")
    try:
        rest = find_rest(compiled)
    except EquilibriumError as error:
        raise InputError("vehicle", None, f"must be able to stand on the track ({error})") from None
    x, mode = displaced(compiled, rest, initial or {})
    stand_on_irregular_rails(compiled.system, x)
    return x, rest.memory, mode


def _distance(distance: float | None, initial) -> float:
    """Where the run starts: as told, else where the run before it ended."""
    if distance is not None:
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
        "wheels": [*layout.wheels, *(f"{cone}.{side}" for cone in layout.cones for side in ("left", "right"))],
        "instants": list(instants),
    }


def _ending(trajectory: Trajectory) -> tuple[str, str]:
    """Status and sentence; the only action that stops a run is that of a wheel at the end of its contact table."""
    if trajectory.status == Status.STOPPED:
        last = trajectory.events.fired.describe(len(trajectory.events.fired) - 1)
        wheelset = last.guard.rsplit(".", 2)[0]
        side = "left" if last.guard.endswith(".high") else "right"  # shifted to the left, the left flange climbs
        return DERAILED, f"derailment at t = {last.time:.6g} s: wheel {wheelset}.{side} left its contact table"
    return (DONE if trajectory.complete else INTERRUPTED), trajectory.ended
