"""Questions of pages that need compiled code, answered in a warm process: `klingel.app.web.helper`.

Everything that comes back is plain: numbers, words, lists and tables.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.app.web.answers import compare, contact, equivalent, spectra, sweeps, vehicles
from klingel.app.web.answers.own_files import packed, refuse_files
from klingel.io.toml_tables import read_toml
from klingel.io.units import coordinate_dimension
from klingel.io.vehicle.files import library
from klingel.io.vehicle.options import read_property, with_property
from klingel.io.vehicle.parameters import in_unit
from klingel.plots.quantity import coordinate, other_bodies, wheelsets, wholes
from klingel.plots.runs.motion import suspension
from klingel.simulation.request import RunRequest
from klingel.simulation.request.parts import VehicleChoice
from klingel.simulation.run import load_run

Tables = dict[str, Any]
PLACEHOLDER = {"speed": 1.0, "duration": 1.0}


def asked(tables: Tables, uploads: str) -> RunRequest:
    """The request of a page."""
    return RunRequest.from_dict(_checked(tables, uploads)[0])


def _checked(tables: Tables, uploads: str) -> tuple[Tables, list[str]]:
    """What a page sent, uploaded profiles by their bare names, and where those are."""
    vehicle = tables.get("vehicle", {})
    name = vehicle.get("name") if isinstance(vehicle, dict) else vehicle
    if name is not None and name not in library():
        raise InputError("vehicle", name, f"must be one of {', '.join(library())}")
    tables = _read(tables)
    refuse_files(tables, uploads)
    return packed(tables, uploads)


def _read(tables: Tables) -> Tables:
    """With the text of an uploaded vehicle as tables."""
    vehicle = tables.get("vehicle")
    if isinstance(vehicle, dict) and isinstance(vehicle.get("description"), str):
        described = read_toml(vehicle["description"], "vehicle")
        return {**tables, "vehicle": {**vehicle, "description": described}}
    return tables


def vehicle(choice: Tables, uploads: str) -> Tables:
    """All that the page of a vehicle shows."""
    request = asked({**PLACEHOLDER, "vehicle": choice}, uploads)
    plain = asked({**PLACEHOLDER, "vehicle": {k: v for k, v in choice.items() if k != "changes"}}, uploads)
    return vehicles.page(request.read_vehicle(), plain.read_vehicle(), choice.get("changes", {}))


def summary(choice: Tables, uploads: str) -> Tables:
    """What forms need of a vehicle, at once."""
    return vehicles.summary(asked({**PLACEHOLDER, "vehicle": choice}, uploads).read_vehicle())


def change(choice: Tables, name: str, text: str, uploads: str) -> None:
    """Raises what is wrong with one changed value."""
    refuse_files({name: text}, uploads)
    known = asked({**PLACEHOLDER, "vehicle": choice}, uploads).read_vehicle()
    with_property(known, name, read_property(known, name, text))


def uploaded(text: str, file: str, uploads: str) -> Tables:
    """A vehicle or track file: what it is, or every problem with it."""
    from klingel.io.track.files import parse_track
    from klingel.io.validation import toml_kind
    from klingel.io.vehicle.files import parse_vehicle

    kind = toml_kind(text)
    refuse_files(read_toml(text, file), uploads)
    if kind == "track":
        parse_track(text, file)
        return {"kind": kind, "tables": read_toml(text, file), "name": file}
    found = parse_vehicle(text, file)
    return {"kind": kind, "name": found.name, "title": found.meta.get("title", "")}


def stored(path: str, uploads: str) -> Tables:
    """An uploaded run."""
    run = load_run(Path(path))
    for part in ("vehicle", "track"):
        refuse_files(read_toml(run.sources[part], part), uploads)
    return {"title": title(run.request, run.vehicle.name), "status": run.status, "ended": run.ended,
            "request": run.request.to_toml(), "stats": asdict(run.stats)}  # fmt: skip


def title(request: RunRequest, name: str) -> str:
    return f"{plain_name(name)} {request.speed:.4g} m/s"


def plain_name(name: str) -> str:
    """Without what has a meaning in a page."""
    return re.sub(r"[^\w .,:+-]", "", name)[:60] or "vehicle"


def request(tables: Tables, uploads: str) -> Tables:
    """A request checked: its text, files it needs beside it, and how else it could be asked for."""
    bare, files = _checked(tables, uploads)
    found = RunRequest.from_dict(bare)
    wagon, track = found.read_vehicle(), found.read_track()
    names = [w.body for w in (*wagon.wheelsets, *wagon.conical_wheelsets)]
    return {
        "toml": found.to_toml(), "files": files, "title": title(found, wagon.name),
        "vehicle": plain_name(wagon.name), "command": equivalent.command(bare), "python": equivalent.python(bare),
        "wheelsets": names, "straight": not (track.alignment.stages or track.irregularity),
        "speed": found.speed, "duration": found.duration,
    }  # fmt: skip


def again(text: str) -> Tables:
    """The tables of a request that was stored, without defaults and with units."""
    return shortened(RunRequest.from_toml(text).as_dict())


def shortened(tables: Tables) -> Tables:
    """What people would have typed."""
    usual = RunRequest(VehicleChoice(library()[0]), speed=1.0, duration=1.0).as_dict()
    found: Tables = {"vehicle": tables["vehicle"]}
    for name, unit in (("speed", "m/s"), ("duration", "s"), ("acceleration", "m/s2"), ("distance", "m")):
        if tables.get(name) not in (None, 0.0):
            found[name] = f"{tables[name]:.15g} {unit}"
    for part in ("track", "start", "solving", "outputs"):
        table = tables.get(part, {})
        if isinstance(table, dict):
            table = {key: value for key, value in table.items() if value != usual[part].get(key)}
        if table:
            found[part] = table
    tilt = found.get("track", {}).get("inclination") if isinstance(found.get("track"), dict) else None
    if isinstance(tilt, float) and tilt > 0.0:
        found["track"]["inclination"] = f"1/{1.0 / tilt:.12g}"
    offsets = found.get("start", {}).get("initial", {})
    for name, value in offsets.items():
        number, unit = in_unit(value, coordinate_dimension(name))
        offsets[name] = f"{number} {unit}"
    return found


def panels(path: str) -> dict[str, list[list[str]]]:
    """Quick plots of a run: names of quantities for each panel."""
    run = load_run(Path(path))
    axles, others = wheelsets(run), other_bodies(run)

    def forces(direction: str) -> list[list[str]]:
        rows = suspension(run, direction)
        return [*rows, *([n.replace(".deformation", ".force") for n in row] for row in rows)]

    wheels = [[f"{wheel}.{word}" for wheel in run.names["wheels"]] for word in ("Y", "Q")]
    found = {
        "lateral": [coordinate(run, g, word) for word in ("y", "yaw") for g in (axles, others)],
        "longitudinal suspension": forces("x"),
        "lateral suspension": forces("y"),
        "vertical suspension": forces("z"),
        "wheelsets": [coordinate(run, axles, "y"), coordinate(run, axles, "yaw"), *wheels],
        "loops": [
            [f"{n}.deformation", f"{n}.force"] for n in wholes(run) if np.ptp(run[f"{n}.force"].to_numpy()) > 0
        ],
        "spectra": [coordinate(run, [*axles, *others], "y")],
    }
    known = set(map(str, run.data.variables))
    kept = {key: [[n for n in row if n in known][:8] for row in rows] for key, rows in found.items()}
    return {key: [row for row in rows if row] for key, rows in kept.items() if any(rows)}


def claims() -> list[Tables]:
    """Published numbers, none computed yet."""
    from klingel.literature.reproduce.catalogue import all_studies
    from klingel.literature.reproduce.claim import Finding, not_run
    from klingel.literature.reproduce.table import published

    return [
        {**Finding(claim, not_run(claim, "")).as_dict(), "told": published(claim),
         "study": study.name, "fast": study.fast}
        for study in all_studies()
        for claim in study.claims
    ]  # fmt: skip


def point(path: str, number: int, duration: float) -> Tables:
    """A request that goes on with the motion of one point of a sweep."""
    return sweeps.request_of(Path(path), number, duration)


def motion(path: str, number: int, duration: float) -> Tables:
    """A request that goes on with one motion of a branch."""
    return sweeps.request_of_branch(Path(path), number, duration)


def branch(path: str) -> Tables:
    return sweeps.branch(Path(path))


def stored_branch(path: str, uploads: str) -> Tables:
    """An uploaded branch, as `klingel continue --out` writes it: what it is, and a request for its vehicle."""
    from klingel.simulation.orbits.result import load_branch
    from klingel.simulation.request.parts import TrackChoice
    from klingel.simulation.sweep.case import way_in

    found = load_branch(Path(path))
    settings = found.settings
    for part in ("vehicle", "track"):
        refuse_files(read_toml(settings[part], part), uploads)
    asked_for = RunRequest(
        VehicleChoice(text=settings["vehicle"]), TrackChoice(text=settings["track"]),
        speed=float(settings["first"] if settings["parameter"] == "speed" else settings["speed"]), duration=1.0,
        solving=way_in(settings),  # type: ignore[arg-type]
    )  # fmt: skip
    return {
        "title": plain_name(settings["name"]), "request": asked_for.to_toml(), "count": int(found.parameter.size),
        "message": found.ended,
    }  # fmt: skip


def drawing(text: str) -> Tables:
    """Of the vehicle stored with a run, for the animation."""
    from klingel.io.vehicle.files import parse_vehicle
    from klingel.vehicles.registry import drawing_of

    return asdict(drawing_of(parse_vehicle(text, "vehicle of the run")))


def sweep_points(path: str) -> list[Tables]:
    return sweeps.finished(Path(path))


def sweep_names(text: str) -> list[str]:
    """Coordinates of which a sweep keeps the maxima: lateral ones of the wheelsets first."""
    vehicle = RunRequest.from_toml(text).read_vehicle()
    rolling = [w.body for w in (*vehicle.wheelsets, *vehicle.conical_wheelsets)]
    names = [
        f"{body.name}.{word}" for body in vehicle.bodies for word in body.free if word in ("y", "yaw", "roll")
    ]
    return sorted(names, key=lambda n: (not n.endswith(".y"), n.rpartition(".")[0] not in rolling))


def profile(path: str) -> str:
    """Whether an uploaded file is a wheel or a rail."""
    from klingel.contact.profiles.profile import Body
    from klingel.io.profiles import read_profile

    return "wheel" if read_profile(Path(path)).body == Body.WHEEL else "rail"


def ready() -> bool:
    return True


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        vehicle, summary, change, uploaded, stored, request, again, panels, claims, point, drawing, sweep_points,
        sweep_names, profile, motion, branch, stored_branch, ready,
    )
} | {
    "contact": contact.contact,
    "library": vehicles.names,
    "differences": compare.differences,
    "spectra": spectra.spectra,
}  # fmt: skip
