"""Kinds of work of a worker process: a simulation, a critical speed, claims; those of diagrams are beside it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from klingel.app.web import worker
from klingel.app.web.diagram_work import branch, rest, sweep
from klingel.app.web.store import (
    BRANCH,
    CLAIMS,
    CRITICAL,
    DERAILED,
    DONE,
    FAILED,
    REQUEST,
    REST,
    RUN,
    STOPPED,
    SWEEP,
)
from klingel.app.web.thinning import thinned
from klingel.app.web.worker import Link, Task
from klingel.simulation.continue_run import continue_run
from klingel.simulation.request import RunRequest
from klingel.simulation.run import DERAILED as LEFT_THE_RAILS
from klingel.simulation.run import INTERRUPTED, Run, SimulationError, load_run
from klingel.simulation.simulate import simulate

LIVE = (".y", ".yaw", ".z", ".roll")  # coordinates that are shown while a run goes on
MOST_LIVE = 400  # rows of one message
Ending = dict[str, Any]


def run(task: Task, link: Link) -> Ending:
    """Simulate what the request asks for, or go on with what is there."""
    file = worker.file_of(task)
    link.tell("message", message="reading the vehicle")
    before = load_run(file) if task.options.get("continue") else None
    request = before.request if before is not None else RunRequest.load(Path(task.folder) / REQUEST)
    whole = task.options.get("duration") or request.duration
    began, earlier = perf_counter(), before.stats.wall_time if before is not None else 0.0

    def on_chunk(report: Any) -> bool:
        link.progress(
            fraction=report.t / report.t_end, simulated=report.t, whole=report.t_end, events=report.events,
            steps=report.accepted, wall=earlier + perf_counter() - began, message="simulating",
        )  # fmt: skip
        return link.wants_to_stop()

    def on_rows(rows: Mapping[str, Any]) -> None:
        link.tell("samples", columns=live_columns(rows))

    try:
        if before is None:
            result = simulate(request, on_chunk=on_chunk, out=file, overwrite=True, on_rows=on_rows)
        else:
            link.tell("samples", columns=live_columns(_rows(before)))
            result = continue_run(before, whole, on_chunk, file, on_rows=on_rows)
    except SimulationError as error:
        return {**_told(error.run), "state": FAILED}
    state = STOPPED if result.status == INTERRUPTED else DERAILED if result.status == LEFT_THE_RAILS else DONE
    return {**_told(result), "state": state}


def _rows(run: Run) -> dict[str, Any]:
    return {str(name): (part.dims, part.to_numpy(), {}) for name, part in run.data.variables.items()}


def live_columns(rows: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Time and the coordinates that are shown at once, thinned."""
    time = rows["time"][1]
    names = [n for n in rows if n.endswith(LIVE) and rows[n][0] == ("time",) and n.count(".") == 1]
    xs, ys = thinned(time, [np.asarray(rows[name][1], float) for name in names], MOST_LIVE)
    return {"time": xs, **dict(zip(names, ys, strict=True))}


def _told(run: Run) -> Ending:
    stats, whole = run.stats, run.request.duration
    return {
        "fraction": min(stats.simulated_time / whole, 1.0), "simulated": stats.simulated_time, "whole": whole,
        "events": stats.events, "steps": stats.accepted, "wall": stats.wall_time, "message": run.ended,
    }  # fmt: skip


def critical(task: Task, link: Link) -> Ending:
    """Lowest speeds of the motions of a vehicle."""
    from klingel.simulation.critical.critical_speed import critical_speed

    began, last = perf_counter(), {"fraction": 0.0, "simulated": 0, "whole": 0}
    worker.wait_for_stop(link)

    def on_point(done: int, of: int) -> None:
        last.update(fraction=done / of, simulated=done, whole=of)
        link.tell("progress", **last, wall=perf_counter() - began, message="looking for motions")

    request = RunRequest.load(Path(task.folder) / REQUEST)
    try:
        found = critical_speed(
            request, **task.options, out=worker.file_of(task), overwrite=True, on_point=on_point
        )  # fmt: skip
    except KeyboardInterrupt:  # before its first piece of work
        return {**last, "state": STOPPED, "message": "stopped before its first result"}
    state = STOPPED if found.status == INTERRUPTED else DONE
    return {**last, "state": state, "message": found.reason, "wall": perf_counter() - began}


def claims(task: Task, link: Link) -> Ending:
    """Published numbers computed again."""
    from klingel.io.atomic import write_text
    from klingel.literature.reproduce.catalogue import all_studies, choose
    from klingel.literature.reproduce.run import run as run_studies

    began = perf_counter()
    studies = choose(all_studies(), task.options["ids"])
    worker.wait_for_stop(link)
    link.tell("progress", fraction=0.0, simulated=0, whole=len(studies), message="computing")
    try:
        reports = run_studies(studies, workers=1)
    except KeyboardInterrupt:
        reports = ()
    findings = [finding.as_dict() for report in reports for finding in report.findings]
    write_text(worker.file_of(task), json.dumps(findings, default=float))
    words = [finding["status"] for finding in findings]
    told = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    whole = bool(reports) and all(report.time is not None for report in reports)
    return {
        "state": DONE if whole else STOPPED, "fraction": float(whole), "message": told or "stopped",
        "simulated": len(reports), "wall": perf_counter() - began,
    }  # fmt: skip


WORK: dict[str, Callable[[Task, Link], Ending]] = {
    RUN: run, SWEEP: sweep, BRANCH: branch, REST: rest, CRITICAL: critical, CLAIMS: claims,
}  # fmt: skip
