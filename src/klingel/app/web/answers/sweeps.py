"""Points of a sweep, finished or not, as plain data; and a run that goes on with one of them."""

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


def request_of(path: Path, number: int, duration: float) -> Tables:
    """Tables of a request that starts with the last state of a point, at its speed."""
    from klingel.simulation.request import RunRequest
    from klingel.simulation.request.parts import StoredState, TrackChoice, VehicleChoice
    from klingel.simulation.sweep.case import WAY
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
    vehicle = VehicleChoice(text=settings["vehicle"])
    told = f"point {number} of a sweep"
    start = StoredState(
        tuple(states), tuple(modes), tuple(map(float, x[: len(states)])), tuple(map(float, memory)),
        tuple(map(int, mode)), None, told, vehicle.vehicle.name,
    )  # fmt: skip
    request = RunRequest(
        vehicle, TrackChoice(text=settings["track"]), speed=float(found.place[number]), duration=duration,
        start={"initial": start}, solving={name: settings[name] for name in WAY if name in settings},  # type: ignore[arg-type]
    )  # fmt: skip
    return request.as_dict()
