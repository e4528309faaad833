"""Points of a sweep, finished or not, and branches, as plain data; and a run that goes on with one of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io import journal

Tables = dict[str, Any]


def journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.journal")


def points(path: Path) -> list[Tables] | None:
    """Of the journal while it goes on; None where the finished file is to be read. Numbers in SI units."""
    kept = journal_of(path)
    if kept.exists():
        _, records = journal.read(kept)
        return [_plain(record) for record in records if "index" in record]
    return None if path.exists() else []


def _plain(record: Tables) -> Tables:
    return {
        "index": record["index"], "value": record["value"], "direction": record["direction"],
        "kind": record["kind"], "maxima": record.get("maxima") or {}, "maximum": record.get("maximum") or {},
        "minimum": record.get("minimum") or {}, "frequency": record.get("frequency") or {},
    }  # fmt: skip


def finished(path: Path) -> list[Tables]:
    from klingel.simulation.sweep.result import load_sweep

    found = load_sweep(path)
    maxima = {name: found.maxima(name) for name in found.coordinates}

    def column(word: str, k: int) -> dict[str, float | None]:
        rows = {name: float(found[f"{name}.{word}"][k]) for name in found.coordinates}
        return {name: value if value == value else None for name, value in rows.items()}

    return [
        {"index": k, "value": float(value), "direction": way, "kind": kind,
         "maxima": {name: rows[k].tolist() for name, rows in maxima.items()},
         "maximum": column("maximum", k), "minimum": column("minimum", k), "frequency": column("frequency", k)}
        for k, (value, way, kind) in enumerate(zip(found.place, found.directions, found.kinds, strict=True))
    ]  # fmt: skip


def branch(path: Path) -> Tables:
    """Motions of a branch in their order: speed, whether stable, extremes of every coordinate; special points."""
    from klingel.simulation.orbits.result import load_branch

    if not path.exists():
        return {"points": [], "special": [], "coordinates": [], "parameter": "speed"}
    found = load_branch(path)
    names = found.coordinates
    highest = {name: found[f"{name}.maximum"].to_numpy().tolist() for name in names}
    period, stable = found["period"].to_numpy().tolist(), found.stable.tolist()
    points = [
        {"index": k, "value": value, "stable": stable[k], "period": period[k],
         "maximum": {name: highest[name][k] for name in names}}
        for k, value in enumerate(found.parameter.tolist())
    ]  # fmt: skip
    special = [{"type": s.type, "value": s.parameter, "after": s.after} for s in found.special]
    return {
        "points": points, "special": special, "coordinates": names, "parameter": found.settings["parameter"],
        "ended": found.ended,
    }  # fmt: skip


def request_of_branch(path: Path, number: int, duration: float) -> Tables:
    """Tables of a request that starts on a motion of a branch over the speed."""
    from klingel.io.track.files import parse_track
    from klingel.io.vehicle.files import parse_vehicle
    from klingel.simulation.orbits.result import load_branch
    from klingel.simulation.request import RunRequest
    from klingel.simulation.setup import put_on_track
    from klingel.simulation.sweep.case import way_in

    found = load_branch(path)
    settings = found.settings
    if settings["parameter"] != "speed":
        raise InputError("branch", settings["parameter"], "must be one over the speed to open its motions")
    if not 0 <= number < found.parameter.size:
        raise InputError("point", number, f"must lie between 0 and {found.parameter.size - 1}")
    speed = float(found.parameter[number])
    way = way_in(settings)
    given = parse_vehicle(settings["vehicle"], "vehicle of the branch")
    vehicle = RunRequest.of(given, speed=speed, duration=duration, **way).read_vehicle()
    compiled = put_on_track(vehicle, parse_track(settings["track"], "track of the branch"), speed)
    layout = compiled.layout
    state = [found[word][number].to_numpy() for word in ("state", "memory", "mode")]
    sizes = len(layout.states), compiled.memory_size, len(layout.modes)
    x, memory, mode = (part[:size] for part, size in zip(state, sizes, strict=True))
    return _request(settings, layout.states, layout.modes, (x, memory, mode), speed, duration,
                    f"motion {number} of a branch")  # fmt: skip


def request_of(path: Path, number: int, duration: float) -> Tables:
    """Tables of a request that starts with the last state of a point, at its speed."""
    from klingel.simulation.sweep.result import load_sweep

    found = load_sweep(path)
    if not 0 <= number < found.parameter.size:
        raise InputError("point", number, f"must lie between 0 and {found.parameter.size - 1}")
    x = found["state"][number].to_numpy()
    if not (x == x).all():
        raise InputError("point", number, "has no last state: the vehicle derailed, or it failed")
    settings = found.settings
    states, modes = settings["states"], settings["modes"]
    memory = found["memory"][number].to_numpy()[: settings["memory_size"]] if settings["memory_size"] else []
    mode = found["mode"][number].to_numpy()[: len(modes)] if modes else []
    at, speed = (x[: len(states)], memory, mode), float(found.place[number])
    return _request(settings, states, modes, at, speed, duration, f"point {number} of a sweep")


def _request(
    settings: Tables, states: Sequence[str], modes: Sequence[str], at: tuple[Any, Any, Any], speed: float,
    duration: float, told: str,
) -> Tables:  # fmt: skip
    from klingel.simulation.request import RunRequest
    from klingel.simulation.request.parts import StoredState, TrackChoice, VehicleChoice
    from klingel.simulation.sweep.case import way_in

    vehicle = VehicleChoice(text=settings["vehicle"])
    x, memory, mode = at
    start = StoredState(
        tuple(states), tuple(modes), tuple(map(float, x)), tuple(map(float, memory)), tuple(map(int, mode)),
        None, told, vehicle.vehicle.name,
    )  # fmt: skip
    request = RunRequest(
        vehicle, TrackChoice(text=settings["track"]), speed=speed, duration=duration,
        start={"initial": start}, solving=way_in(settings),  # type: ignore[arg-type]
    )  # fmt: skip
    return request.as_dict()
