"""Work of diagrams in a worker process: a sweep, a branch of periodic motions, the set of rest."""

from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

from klingel._errors import InputError
from klingel.app.web import worker
from klingel.app.web.store import DONE, REQUEST, STOPPED
from klingel.app.web.worker import Link, Task
from klingel.simulation.request import RunRequest
from klingel.simulation.run import INTERRUPTED

SHOWN = ("y", "yaw", "roll")  # coordinates of a diagram
Ending = dict[str, Any]


def sweep(task: Task, link: Link) -> Ending:
    """A diagram over the speed; points are in its journal as they come."""
    from klingel.simulation.sweep.sweep import sweep as run_sweep

    began, last = perf_counter(), {"fraction": 0.0, "simulated": 0, "whole": 0}
    worker.wait_for_stop(link)

    def on_point(done: int, of: int) -> None:
        last.update(fraction=done / of, simulated=done, whole=of)
        link.tell("progress", **last, wall=perf_counter() - began, message="sweeping")

    options = task.options
    request = RunRequest.load(Path(task.folder) / REQUEST)
    file = worker.file_of(task)
    try:
        found = run_sweep(
            request, speeds=options["speeds"], direction=options["direction"], out=file,
            resume=bool(options.get("continue")), on_point=on_point,
        )  # fmt: skip
    except KeyboardInterrupt:  # before its first point
        return {**last, "state": STOPPED, "message": "stopped before its first point"}
    stopped = found.status == INTERRUPTED
    told = f"{found.parameter.size} points{', stopped' if stopped else ''}"
    return {**last, "state": STOPPED if stopped else DONE, "message": told, "wall": perf_counter() - began}


def branch(task: Task, link: Link) -> Ending:
    """Periodic motions over the speed, stable or not; stopped between two of them."""
    from klingel.simulation.orbits.continue_orbit import continue_orbit, way_of

    began, options, count = perf_counter(), task.options, 0
    request = RunRequest.load(Path(task.folder) / REQUEST)
    first, last = options["first"], options["last"]
    link.tell("message", message="looking for the first motion")

    def on_point(orbit: Any) -> bool:
        nonlocal count
        count += 1
        told = f"following, at {orbit.parameter:.5g} m/s"
        link.progress(simulated=count, wall=perf_counter() - began, message=told)
        return link.wants_to_stop()

    found = continue_orbit(
        request.given_vehicle(), request.read_track(), first=first, last=last, points=options["points"],
        on_point=on_point, **way_of(request),
    )  # fmt: skip
    found.save(worker.file_of(task))
    told = ", ".join(f"{s.type} {s.parameter:.5g} m/s" for s in found.special if s.type != "sequence")
    return {
        "state": STOPPED if link.stopped else DONE, "fraction": 1.0, "simulated": count, "whole": count,
        "wall": perf_counter() - began, "message": f"{count} motions{told and f': {told}'}; {found.ended}",
    }  # fmt: skip


def rest(task: Task, link: Link) -> Ending:
    """Where dry friction can hold the vehicle, coordinate by coordinate; what is known is written each time."""
    from klingel.simulation.resting.rest_set import StoredRestSet, rest_set

    began = perf_counter()
    request = RunRequest.load(Path(task.folder) / REQUEST)
    vehicle, track = request.read_vehicle(), request.read_track()
    names = [f"{body.name}.{word}" for word in SHOWN for body in vehicle.bodies if word in body.free]
    known = StoredRestSet(vehicle=vehicle.name, extent={}, final={}, left=0.0)
    known.save(worker.file_of(task))
    for done, name in enumerate(names):
        told = {"fraction": done / len(names), "simulated": done, "whole": len(names)}
        link.tell("progress", **told, wall=perf_counter() - began, message=f"how far {name} can rest")
        if link.wants_to_stop():
            break
        try:
            found = rest_set(vehicle, track, request.speed, [name])
        except InputError as error:
            return {**told, "state": "failed", "message": str(error)}
        known = known.with_(found)
        known.save(worker.file_of(task))
    ends = known.extent
    held = sum(all(isfinite(end) for end in pair) for pair in ends.values())
    return {
        "state": STOPPED if link.stopped else DONE, "fraction": len(ends) / len(names),
        "simulated": len(ends), "whole": len(names), "wall": perf_counter() - began,
        "message": f"{held} coordinates held by dry friction",
    }  # fmt: skip
