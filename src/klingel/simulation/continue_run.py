"""Going on with a run that was broken off: its file holds the solver between two steps.

The solver's arrays are kept in one variable of the dataset, as the bytes of a NumPy archive (netCDF 3 has no
64-bit integers). A run that goes on to its own end time is bit-identical to one that was never interrupted; one
that is prolonged goes on with a new step at its old end.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import numpy as np
import xarray as xr

from klingel._arguments import check_callable, check_kind
from klingel._errors import InputError
from klingel.model.builder import Compiled
from klingel.model.problem import vehicle_problem
from klingel.numerics.checkpoint import Checkpoint
from klingel.numerics.integrate import Progress, integrate
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.integration import ending
from klingel.simulation.method_choice import choose_method
from klingel.simulation.outputs import CHECKPOINT, dataset
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import DONE, FAILED, INTERRUPTED, REQUEST, Run, SimulationError
from klingel.simulation.setup import put_on_track


def checkpoint_of(run: Run) -> Checkpoint:
    """The solver at the end of a run."""
    if run.status not in (DONE, INTERRUPTED):
        raise InputError("run", run.ended, "must have been interrupted or have reached its end time to go on")
    if CHECKPOINT not in run.data:
        raise InputError("run", run.ended, "must hold the state of the solver, this one was stored without")
    with np.load(BytesIO(run.data[CHECKPOINT].to_numpy().tobytes()), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def continue_run(
    run: Run, duration: float | None = None, on_chunk: Callable[[Progress], bool | None] | None = None
) -> Run:
    """Go on with a run, with everything it was made from.

    Parameters
    ----------
    run : Run
        Interrupted, or at its end time; also from a file.
    duration : float, optional
        Of the whole run, from its start [s]; its own if not given.
    on_chunk : callable, optional
        As in `simulate`.

    Returns
    -------
    Run
        The whole run: rows so far and new ones. With the same duration it is bit-identical to a run never
        interrupted.
    """
    check_kind("run", run, Run, "a run, as kg.simulate or kg.load_run gives it")
    check_callable("on_chunk", on_chunk)
    saved, request = checkpoint_of(run), run.request
    if duration is not None:
        request = request.changed(duration=duration)
    if not request.duration > run.stats.simulated_time:
        allowed = f"must be longer than what is there, {run.stats.simulated_time:.9g} s"
        raise InputError("duration", request.duration, allowed)
    speed, acceleration, solving = request.speed, request.acceleration, request.solving
    compiled = put_on_track(run.vehicle, run.track, speed, acceleration, request.place())
    choice = choose_method(solving.method, speed, acceleration, solving.rtol)
    problem = vehicle_problem(compiled, saved["solver.memory"], saved["solver.mode"])
    try:
        trajectory = integrate(
            problem, saved["solver.x"], request.duration, rtol=solving.rtol,
            atol=solving.tolerance(compiled.layout.state_info), method=choice.method,
            implicit_times=choice.implicit_times, output_step=request.outputs.output_step,
            max_steps=solving.step_budget(request.duration), on_chunk=on_chunk, resume=saved,
        )  # fmt: skip
    except IntegrationError as error:
        broken = _joined(run, compiled, error.trajectory, request, FAILED, str(error))
        raise SimulationError(str(error), error.trajectory, broken) from None
    return _joined(run, compiled, trajectory, request, *ending(trajectory, compiled.layout))


def _joined(
    run: Run, compiled: Compiled, trajectory: Trajectory, request: RunRequest, status: str, ended: str
) -> Run:
    more = dataset(run.vehicle, compiled, trajectory)
    stats = replace(trajectory.stats, wall_time=run.stats.wall_time + trajectory.stats.wall_time)
    asked = json.dumps({**json.loads(run.sources[REQUEST]), "duration": request.duration})
    sources = {**run.sources, REQUEST: asked}
    return Run(_appended(run.data, more), stats, status, ended, run.names, sources)


def _appended(first: xr.Dataset, second: xr.Dataset) -> xr.Dataset:
    """Rows over time and over events one behind the other; everything else is that of the second part."""
    data = {}
    for name, values in second.data_vars.items():
        dim = values.dims[0]
        if dim in ("time", "event"):
            values = (values.dims, np.concatenate([first[name].to_numpy(), values.to_numpy()]), values.attrs)
        data[name] = values
    time = np.concatenate([first["time"].to_numpy(), second["time"].to_numpy()])
    return xr.Dataset(data, {"time": ("time", time, second["time"].attrs)})
