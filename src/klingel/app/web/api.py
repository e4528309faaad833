"""Data and files over plain HTTP: what charts, tests and scripts read.

==========================================  ===================================================================
address                                     answer
==========================================  ===================================================================
GET  /api/runs, /api/runs/ID                statuses, newest first; one status
POST /api/runs                              tables of a request as JSON -> status; the run is queued
POST /api/runs/ID/stop, pause, resume       and continue, with ?duration=... to prolong
GET  /api/runs/ID/series                    ?names=a,b&x=time&n=4000&t0=&t1= -> binary, see `series`
GET  /api/runs/ID/events, modes, frames     changes of mode; modes as spans of time; poses for the animation
GET  /api/runs/ID/spectrum                  ?names=a,b&t0=&t1= -> power densities and strongest frequencies
GET  /api/runs/ID/points, branch, rest      of a sweep, of a branch of periodic motions, of the set of rest
GET  /api/runs/ID/files/NAME                request.toml, log.txt, and the result: run.nc, sweep.nc, ...
GET  /api/runs/ID/picture.FORM, report.zip, table.csv   by the functions of the command line
==========================================  ===================================================================
"""

import asyncio
import json
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from klingel._errors import InputError
from klingel.app.web import bands, frames, series
from klingel.app.web.answers import equivalent, sweeps
from klingel.app.web.series import Stored
from klingel.app.web.store import BRANCH, CRITICAL, LOG, REQUEST, REST, RESULTS, RUN, SWEEP, Missing
from klingel.app.web.workbench import Workbench
from klingel.io.units import coordinate_dimension, si_unit

BINARY = "application/octet-stream"
MOST_NAMES = 40
MOST_EVENTS = 5000
TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}


def router(bench: Workbench) -> APIRouter:
    """All addresses below /api."""
    api = APIRouter(prefix="/api")
    registry, store = bench.registry, bench.store

    @api.get("/runs")
    def runs() -> list[dict[str, Any]]:
        return [registry.as_dict(status.id) for status in registry.statuses()]

    @api.post("/runs")
    async def submit(request: Request) -> dict[str, Any]:
        try:
            tables = await request.json()
        except (ValueError, RecursionError):
            raise InputError("request", None, "must be JSON") from None
        if not isinstance(tables, dict):
            raise InputError("request", None, "must be a table")
        found = await bench.previews.call("request", tables, bench.uploads)
        return registry.as_dict(registry.submit(RUN, found["title"], found["toml"], files=found["files"]).id)

    @api.get("/runs/{id}")
    def one(id: str) -> dict[str, Any]:
        return registry.as_dict(id)

    @api.post("/runs/{id}/{word}")
    def ask(id: str, word: str, duration: float | None = None) -> dict[str, Any]:
        registry.status(id)
        if word == "continue":
            registry.go_on(id, duration)
        elif word in ("stop", "pause", "resume"):
            getattr(registry, word)(id)
        else:
            raise InputError("request", word, "must be stop, pause, resume or continue")
        return registry.as_dict(id)

    @api.delete("/runs/{id}")
    async def remove(id: str) -> dict[str, Any]:
        await asyncio.to_thread(registry.remove, id)
        return {"removed": id}

    @api.get("/runs/{id}/series")
    async def columns(
        id: str, names: str = "", x: str = "time", n: int = 4000, t0: float | None = None, t1: float | None = None
    ) -> Response:
        wanted = [name for name in names.split(",") if name][:MOST_NAMES]
        status = registry.status(id)
        more = {"state": status.state, "alive": status.alive, "revision": registry.revision}
        window = (t0, t1) if t0 is not None and t1 is not None else None
        live = registry.live(id) if status.alive else {}
        if live and all(name in live for name in (*wanted, x)):
            units = {name: si_unit(coordinate_dimension(name)) for name in live if name != "time"}
            return Response(series.series(live, units, x, wanted, n, window, more), media_type=BINARY)
        stored = await bench.read(id)
        found = {name: stored.column(name) for name in dict.fromkeys(("time", x, *wanted))}
        units = {name: stored.unit(name) for name in found}
        return Response(series.series(found, units, x, wanted, n, window, more), media_type=BINARY)

    @api.get("/runs/{id}/names")
    async def quantities(id: str) -> dict[str, Any]:
        registry.status(id)
        return {"names": (await bench.read(id)).quantities()}

    @api.get("/runs/{id}/events")
    async def events(id: str, t0: float = -np.inf, t1: float = np.inf) -> dict[str, Any]:
        registry.status(id)
        return event_marks(await bench.read(id), t0, t1)

    @api.get("/runs/{id}/modes")
    async def modes(id: str, t0: float = -np.inf, t1: float = np.inf) -> dict[str, Any]:
        registry.status(id)
        return await asyncio.to_thread(bands.mode_bands, await bench.read(id), t0, t1)

    @api.get("/runs/{id}/spectrum")
    async def spectrum(
        id: str, names: str = "", t0: float | None = None, t1: float | None = None
    ) -> list[dict[str, Any]]:
        registry.status(id)
        window = (t0, t1) if t0 is not None and t1 is not None else None
        chosen = [name for name in names.split(",") if name][:MOST_NAMES]
        return await bench.previews.call("spectra", str(store.result(id)), chosen, window)

    @api.get("/runs/{id}/frames")
    async def poses(id: str, t0: float = 0.0, t1: float = np.inf, n: int = 2000) -> Response:
        registry.status(id)
        stored = await bench.read(id)
        content = await asyncio.to_thread(frames.packed_frames, stored, t0, t1, min(n, frames.MOST))
        return Response(content, media_type=BINARY)

    @api.get("/runs/{id}/points")
    async def points(id: str) -> list[dict[str, Any]]:
        registry.status(id)
        path = store.result(id, SWEEP)
        found = await asyncio.to_thread(sweeps.points, path)
        return await bench.previews.call("sweep_points", str(path)) if found is None else found

    @api.get("/runs/{id}/branch")
    async def branch(id: str) -> dict[str, Any]:
        registry.status(id)
        return await bench.previews.call("branch", str(store.result(id, BRANCH)))

    @api.get("/runs/{id}/rest")
    async def rest(id: str) -> dict[str, Any]:
        registry.status(id)
        path = store.result(id, REST)
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"rest_set": {}}

    @api.get("/runs/{id}/files/{name}")
    def file(id: str, name: str) -> FileResponse:
        allowed = (REQUEST, LOG, *RESULTS.values(), *(path.name for path in store.profiles(id)))
        path = store.place(id) / name if name in allowed else None
        if path is None or not path.is_file():
            raise Missing("file", name, f"must be one of {', '.join(allowed)} that is there")
        return FileResponse(path, filename=f"{id}-{name}")

    @api.get("/runs/{id}/picture.{form}")
    async def picture(
        id: str, form: str, kind: str = "lateral", names: str = "", t0: float | None = None,
        t1: float | None = None, other: str = "",
    ) -> Response:  # fmt: skip
        if form not in TYPES:
            raise InputError("picture", form, f"must be one of {', '.join(TYPES)}")
        if registry.status(id).kind == SWEEP:
            content = await bench.pictures.call("sweep_picture", str(store.result(id, SWEEP)), form)
            return _download(content, TYPES[form], f"{id}-bifurcation.{form}")
        if registry.status(id).kind == BRANCH:
            content = await bench.pictures.call("branch_picture", str(store.result(id, BRANCH)), form)
            return _download(content, TYPES[form], f"{id}-branch.{form}")
        if registry.status(id).kind == CRITICAL:
            content = await bench.pictures.call("critical_picture", str(store.result(id, CRITICAL)), form)
            return _download(content, TYPES[form], f"{id}.{form}")
        window = (t0, t1) if t0 is not None and t1 is not None else None
        chosen = [name for name in names.split(",") if name]
        others = [str(store.result(one)) for one in other.split(",") if one]
        path = str(store.result(id))
        content = await bench.pictures.call("picture", path, kind, form, window, chosen, others)
        return _download(content, TYPES[form], f"{id}-{kind}.{form}")

    @api.get("/runs/{id}/report.zip")
    async def report(id: str) -> Response:
        registry.status(id)
        command = equivalent.GENERAL
        content = await bench.pictures.call("report", str(store.result(id)), command, timeout=300.0)
        return _download(content, "application/zip", f"{id}-report.zip")

    @api.get("/runs/{id}/table.csv")
    async def table(id: str, names: str = "") -> Response:
        registry.status(id)
        chosen = [name for name in names.split(",") if name]
        content = await bench.pictures.call("table", str(store.result(id)), chosen)
        return _download(content, "text/csv", f"{id}.csv")

    return api


def event_marks(stored: Stored, t0: float, t1: float) -> dict[str, Any]:
    """Changes of mode within a window: at most some thousand, and how many there are."""
    time = stored.data["event_time"].to_numpy()
    owner = stored.data["event_owner"].to_numpy()
    rows = np.flatnonzero((owner >= 0) & (time >= t0) & (time <= t1))
    kept = rows if rows.size <= MOST_EVENTS else rows[:: -(-rows.size // MOST_EVENTS)]
    modes, meanings = stored.names["modes"], stored.names["meanings"]
    old, new = (stored.data[f"event_{word}"].to_numpy() for word in ("old", "new"))
    return {
        "count": int(rows.size),
        "time": time[kept].tolist(),
        "element": [modes[owner[k]] for k in kept],
        "old": [meanings[owner[k]][old[k]].lower() for k in kept],
        "new": [meanings[owner[k]][new[k]].lower() for k in kept],
    }


def _download(content: bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def bad_input(_: Request, error: Exception) -> JSONResponse:
    """One clear line, as on the command line."""
    return JSONResponse({"error": str(error)}, status_code=404 if isinstance(error, Missing) else 422)


def broken(_: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error).splitlines()[0]}, status_code=500)
