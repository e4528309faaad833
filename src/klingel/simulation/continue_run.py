"""Going on with a run that was broken off: its file holds the solver between two steps.

The solver's arrays are kept in one variable of the dataset, as the bytes of a NumPy archive. A run that goes on to
its own end time is bit-identical to one that was never interrupted; one that is prolonged goes on with a new step
at its old end.
"""

import json
import zlib
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from klingel._arguments import check_callable, check_kind
from klingel._errors import InputError
from klingel.numerics.checkpoint import Checkpoint
from klingel.simulation.outputs import CHECKPOINT, blank
from klingel.simulation.recording import Made, OnChunk, OnRows, record, resumed
from klingel.simulation.run import DONE, INTERRUPTED, REQUEST, Run
from klingel.simulation.selection import check_like, like
from klingel.simulation.setup import put_on_track
from klingel.simulation.simulate import simulate
from klingel.simulation.storing import check_place, place_of


def checkpoint_of(run: Run) -> Checkpoint:
    """The solver at the end of a run."""
    if run.status not in (DONE, INTERRUPTED):
        raise InputError("run", run.ended, "must have been interrupted or have reached its end time to go on")
    if CHECKPOINT not in run:
        raise InputError("run", run.ended, "must hold the state of the solver, this one was stored without")
    try:
        with np.load(BytesIO(run.values(CHECKPOINT).tobytes()), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (zlib.error, BadZipFile, ValueError, OSError, EOFError, RuntimeError):  # the last: a method, a key
        raise InputError(
            "run", run.ended, "must hold the state of the solver, in this one it is damaged"
        ) from None


def continue_run(
    run: Run,
    duration: float | None = None,
    on_chunk: OnChunk | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    on_rows: OnRows | None = None,
) -> Run:
    """Go on with a run, with everything it was made from.

    Parameters
    ----------
    run : Run
        Interrupted, or at its end time; also from a file, and from what a killed process left of one.
    duration : float, optional
        Of the whole run, from its start [s]; its own if not given.
    on_chunk, on_rows : callable, optional
        As in `simulate`.
    out, overwrite
        As in `simulate`; the file the run was read from may be replaced.

    Returns
    -------
    Run
        The whole run: rows so far and new ones, of the quantities it has. With the same duration it is
        bit-identical to a run never interrupted; of `stats` the clock differs, and `guard_evaluations` may by a
        few, as a vehicle set up anew asks its guards at other steps where nothing happens.
    """
    check_kind("run", run, Run, "a run, as kg.simulate or kg.load_run gives it")
    check_callable("on_chunk", on_chunk)
    check_callable("on_rows", on_rows)
    place = place_of(out)
    if place is not None:
        own = run.file is not None and place.absolute() == run.file.absolute()
        check_place(place, overwrite or own)
    request = run.request if duration is None else run.request.changed(duration=duration)
    if run.status == INTERRUPTED and not run.time.size:  # killed before its first rows
        return simulate(request, on_chunk=on_chunk, out=place, overwrite=True, on_rows=on_rows)
    saved = checkpoint_of(run)
    if not request.duration > run.stats.simulated_time:
        allowed = f"must be longer than what is there, {run.stats.simulated_time:.9g} s"
        raise InputError("duration", request.duration, allowed)
    vehicle = run.integrated_vehicle
    compiled = put_on_track(vehicle, run.track, request.speed, request.acceleration, request.place())
    asked = json.dumps({**json.loads(run.sources[REQUEST]), "duration": request.duration})
    rows = run.variables
    anywhere = np.zeros(len(compiled.layout.states)), np.zeros(compiled.memory_size), compiled.mode
    check_like(blank(vehicle, compiled, anywhere), rows)  # before any work
    made = Made(
        vehicle, compiled, request, run.names, {**run.sources, REQUEST: asked},
        keep=lambda all_: like(all_, rows), store=lambda all_: like(all_, rows), blank=lambda: rows,
        before=run, rows_before=rows, on_rows=on_rows,
    )  # fmt: skip
    return record(made, lambda between: resumed(compiled, request, saved, between), on_chunk, place)
