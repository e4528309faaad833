"""What a person is about to ask for: the tables of a request, kept for each browser, also over a restart."""

import copy
from typing import Any

from nicegui import app

Tables = dict[str, Any]

# the worked example of `klingel demo`
EXAMPLE: Tables = {
    "vehicle": {"name": "hbbills311", "options": {"links": "SPP", "load": "empty"}},
    "track": {"inclination": "1/40"},
    "speed": "18 m/s",
    "duration": "20 s",
    "start": {"initial": {"front_wheelset.y": "5 mm", "rear_wheelset.y": "-5 mm"}},
}
KICK = "5 mm"


def draft() -> Tables:
    """Of this browser; a change of it is kept."""
    kept = app.storage.user.get("draft")
    if not isinstance(kept, dict) or "vehicle" not in kept:
        app.storage.user["draft"] = copy.deepcopy(EXAMPLE)
    return app.storage.user["draft"]


def plain(tables: Any) -> Any:
    """A copy without the observers of the storage."""
    if isinstance(tables, dict):
        return {str(key): plain(part) for key, part in tables.items()}
    if isinstance(tables, list | tuple):
        return [plain(part) for part in tables]
    return tables


def choose_vehicle(choice: Tables, wheelsets: list[str]) -> None:
    """Another vehicle, with a start that it knows."""
    tables = draft()
    tables["vehicle"] = choice
    first = {f"{body}.y": KICK for body in wheelsets[:1]}
    tables["start"] = {"initial": first}


def set_change(name: str, text: str | None) -> None:
    """One value of the vehicle changed, or as it was."""
    vehicle = draft()["vehicle"]
    changes = dict(vehicle.get("changes", {}))
    if text is None:
        changes.pop(name, None)
    else:
        changes[name] = text
    vehicle["changes"] = changes
    if not changes:
        del vehicle["changes"]


def prefill(tables: Tables) -> None:
    """All of it from a stored request."""
    app.storage.user["draft"] = tables
