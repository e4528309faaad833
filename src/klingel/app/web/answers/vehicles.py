"""What the page of a vehicle shows, as plain data: values with units, description, drawing, hysteresis loops."""

from collections.abc import Collection
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.io.vehicle.files import library, load_cases, load_vehicle
from klingel.io.vehicle.parameters import Parameter, in_unit, parameters, selections
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import of
from klingel.model.standing.statics import static_loads
from klingel.simulation.characteristics import Whole, closed, loop, reach, wholes
from klingel.vehicles.oddities import oddities
from klingel.vehicles.registry import drawing_of, template_of
from klingel.vehicles.values import parts_of

Tables = dict[str, Any]
POINTS = 160  # of a loop


def names() -> list[Tables]:
    """The library."""
    return [
        {"name": name, "title": str(load_vehicle(name).meta.get("title", name)), "loads": load_cases(name)}
        for name in library()
    ]


def summary(vehicle: Vehicle) -> Tables:
    """What forms of runs and tracks need of a vehicle: no law is moved, nothing is drawn."""
    names = [one.name for one in parameters(vehicle)]
    return {
        "title": str(vehicle.meta.get("title") or vehicle.name),
        "selections": [asdict(one) for one in selections(vehicle)],
        "wheelsets": [one.body for one in (*vehicle.wheelsets, *vehicle.conical_wheelsets)],
        "profiles": [name for name in names if name.rpartition(".")[2] == "profile"],
        "contact": _contact(vehicle),
    }


def page(vehicle: Vehicle, before: Vehicle, changes: Collection[str] = ()) -> Tables:
    """The vehicle; values that differ from `before` are marked, of one joined from parts those of `changes`."""
    drawn = drawing_of(vehicle)
    old = {one.name: one.value for one in parameters(before)}
    if parts_of(vehicle):  # others follow from those that were changed
        old = {name: value for name, value in old.items() if name in changes}
    template = template_of(vehicle)
    return {
        "name": vehicle.name,
        **summary(vehicle),
        "template": template.line if template else _made_of(vehicle),
        "parameters": [_parameter(one, old.get(one.name)) for one in parameters(vehicle)],
        "bodies": [_body(body) for body in vehicle.bodies],
        "loads": _loads(vehicle),
        "sources": sorted({str(source) for source in vehicle.sources.values()}),
        "drawing": asdict(drawn),
        "odd": [one.text for one in oddities(vehicle, drawn)],
        "loops": [found for whole in wholes(vehicle) if (found := _loop(whole)) is not None],
        "states": [f"{body.name}.{free}" for body in vehicle.bodies for free in body.free],
    }


def _made_of(vehicle: Vehicle) -> str:
    parts = parts_of(vehicle)
    return f"joined from {len(parts)} parts" if parts else "a full description"


def _parameter(one: Parameter, old: Any) -> Tables:
    number, unit = (str(one.value), "") if isinstance(one.value, str) else in_unit(one.value, one.dimension)
    before = number if isinstance(old, str) or old is None else in_unit(old, one.dimension)
    told = before if isinstance(before, str) else " ".join(before).strip()
    return {
        "name": one.name, "group": one.group.replace("_", " "), "text": number, "unit": unit,
        "allowed": one.allowed, "source": one.source, "line": one.line, "word": isinstance(one.value, str),
        "changed": old is not None and old != one.value, "before": told,
    }  # fmt: skip


def _body(body: Any) -> Tables:
    return {
        "name": body.name.replace("_", " "), "mass": f"{body.mass:.6g} kg",
        "inertia": " / ".join(f"{part:.6g}" for part in body.inertia) + " kg m²",
        "position": " / ".join(f"{part:.4g}" for part in body.position) + " m", "free": ", ".join(body.free),
    }  # fmt: skip


def _loads(vehicle: Vehicle) -> Tables:
    try:
        found = static_loads(vehicle).found
    except InputError as error:
        return {"not balanced": str(error)}
    return {name.replace("_", " "): f"{load / 1e3:.4g} kN" for name, load in found.items() if load != 0.0}


def _contact(vehicle: Vehicle) -> Tables | None:
    """Wheels of the first wheelset, for the contact page."""
    if not vehicle.wheelsets:
        return None
    first = vehicle.wheelsets[0]
    return {"wheel": first.profile, "radius": first.radius, "back_to_back": first.back_to_back}


def _loop(whole: Whole) -> Tables | None:
    size = reach(whole)
    middle = 0.0
    if whole.leaf is not None:
        middle = whole.leaf.second_leaf if isfinite(whole.leaf.second_leaf) else 3.0 * size
    plain = not any(of(law).ABOUT.memory for law in whole.laws)
    curves = []
    for amplitude in (size,) if plain else (size, 0.4 * size):
        u, force = loop(whole, amplitude, middle)
        last = closed(u)
        step = max(1, (last.indices(u.size)[1] - last.indices(u.size)[0]) // POINTS)
        x, y = 1e3 * u[last][::step], 1e-3 * force[last][::step]
        if not (np.isfinite(y).all() and np.ptp(y) > 0.0):  # a rigid guide: no force up to its wall
            return None
        curves.append({"x": x.tolist(), "y": y.tolist(), "amplitude": 1e3 * amplitude})
    return {
        "name": whole.name.replace("_", " "), "places": [place.replace("_", " ") for place in whole.connections],
        "x": "mrad" if whole.rotates else "mm", "y": "kNm" if whole.rotates else "kN", "curves": curves,
    }  # fmt: skip
