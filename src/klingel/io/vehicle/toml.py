"""A vehicle as the text of a full description; reading it gives back every number exactly."""

from dataclasses import fields
from enum import Enum
from typing import Any

from klingel.elements.conical_wheelset import Cone
from klingel.elements.spring import FOUND
from klingel.io.toml_tables import ANGLES
from klingel.io.toml_text import nested, toml_text
from klingel.io.units import ROTATIONAL, write_quantity
from klingel.io.vehicle.law_tables import LAWS
from klingel.io.vehicle.units import FIELDS, dimension_of
from klingel.model.description import Element, Vehicle
from klingel.vehicles.parts import ASSEMBLY
from klingel.vehicles.template import ORIGIN, PARAMETERS, SETTINGS, TEMPLATE

HEAD = (
    "Vehicle frame: x forwards from the middle, y to the left, z up from the rail tops.",
    "Deformation of a connection is outer minus inner; a positive force resists a positive deformation.",
)
# of the template; the expansion stands on its own
_LEFT_OUT = (TEMPLATE, PARAMETERS, SETTINGS, ORIGIN, ASSEMBLY, "title")
_ALWAYS = ("profile", "radius", "back_to_back", "friction", "damping")  # of a wheelset; others where they differ
_WORDS = {law: word for word, (law, _) in LAWS.items()}


def to_toml(vehicle: Vehicle) -> str:
    """The full description with units and sources."""
    return toml_text({key: part for key, part in _content(vehicle).items() if part not in ({}, None)}, HEAD)


def _content(vehicle: Vehicle) -> dict[str, Any]:
    return {
        "name": vehicle.name,
        "title": vehicle.meta.get("title"),
        "gravity": write_quantity(vehicle.gravity, FIELDS["gravity"]),
        "bodies": {
            body.name: {
                "mass": write_quantity(body.mass, FIELDS["mass"]),
                "inertia": _vector(body.inertia, "inertia"),
                "position": _vector(body.position, "position"),
                "free": list(body.free),
            }
            for body in vehicle.bodies
        },
        "connections": nested(
            {c.name: {"inner": c.inner, "outer": c.outer, "point": _vector(c.point, "point")}
             for c in vehicle.connections}
        ),
        "elements": nested({element.name: _element(vehicle, element) for element in vehicle.elements}),
        "wheelsets": {
            wheels.body: {
                field.name: _value(getattr(wheels, field.name), FIELDS.get(field.name, ""))
                for field in fields(wheels)
                if field.name in _ALWAYS
                or (field.name != "body" and getattr(wheels, field.name) != field.default)
            }
            for wheels in vehicle.wheelsets
        },
        "conical_wheelsets": {
            conical.called: {
                **{f.name: _value(getattr(conical.cone, f.name), FIELDS[f.name]) for f in fields(Cone)},
                **({"body": conical.body} if conical.name else {}),
                **({"offset": _value(conical.offset, "length")} if conical.offset else {}),
            }
            for conical in vehicle.conical_wheelsets
        },
        "meta": {key: value for key, value in vehicle.meta.items() if key not in _LEFT_OUT},
        "sources": vehicle.sources,
    }  # fmt: skip


def _vector(parts: tuple[float, ...], field: str) -> list[str]:
    return [write_quantity(part, FIELDS[field]) for part in parts]


def _element(vehicle: Vehicle, element: Element) -> dict[str, Any]:
    law = element.law
    table: dict[str, Any] = {
        "law": _WORDS[type(law)],
        "connection": element.connection,
        "direction": list(element.directions) if element.also else element.direction,
        **({"load": element.load} if element.load else {}),
    }
    for field in fields(law):
        value = getattr(law, field.name)
        if value is None:
            value = FOUND
        if isinstance(value, tuple):
            table[field.name] = [_point(pair, element.direction in ANGLES) for pair in value]
            continue
        number = isinstance(value, float)
        table[field.name] = _value(value, dimension_of(vehicle, f"{element.name}.{field.name}") if number else "")
    return table


def _point(pair: tuple[float, float], turned: bool) -> list[str]:
    """Deformation and force."""
    return [
        write_quantity(n, ROTATIONAL[d] if turned else d) for n, d in zip(pair, ("length", "force"), strict=True)
    ]


def _value(value: Any, dimension: str) -> Any:
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, float) and dimension and dimension != "number":
        return write_quantity(value, dimension)
    return value
