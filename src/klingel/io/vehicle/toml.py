"""A vehicle as the text of a full description; reading it gives back every number exactly."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any

from klingel.io.units import write_quantity
from klingel.io.vehicle.schema import LAWS
from klingel.io.vehicle.units import FIELDS, dimension_of
from klingel.model.description import Element, Vehicle
from klingel.vehicles.template import ORIGIN, PARAMETERS, SETTINGS, TEMPLATE

# of the template; the expansion stands on its own
_LEFT_OUT = (TEMPLATE, PARAMETERS, SETTINGS, ORIGIN, "title")
_WORDS = {law: word for word, (law, _) in LAWS.items()}
_BARE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def to_toml(vehicle: Vehicle) -> str:
    """The full description with units and sources."""
    return "\n".join(_lines(vehicle)) + "\n"


def _lines(vehicle: Vehicle) -> Iterator[str]:
    yield "# Vehicle frame: x forwards from the middle, y to the left, z up from the rail tops."
    yield "# Deformation of a connection is outer minus inner; a positive force resists a positive deformation."
    yield from _table("", {"name": vehicle.name, "title": vehicle.meta.get("title"), "gravity": _own(vehicle)})
    for body in vehicle.bodies:
        table = {
            "mass": write_quantity(body.mass, FIELDS["mass"]),
            "inertia": [write_quantity(part, FIELDS["inertia"]) for part in body.inertia],
            "position": [write_quantity(part, FIELDS["position"]) for part in body.position],
            "free": list(body.free),
        }
        yield from _table(f"bodies.{_key(body.name)}", table)
    connections = _headings([connection.name for connection in vehicle.connections])
    elements = _headings([element.name for element in vehicle.elements])
    for connection, heading in zip(vehicle.connections, connections, strict=True):
        point = [write_quantity(part, FIELDS["point"]) for part in connection.point]
        table = {"inner": connection.inner, "outer": connection.outer, "point": point}
        yield from _table(f"connections.{heading}", table)
    for element, heading in zip(vehicle.elements, elements, strict=True):
        yield from _table(f"elements.{heading}", _element(vehicle, element))
    for wheelset in vehicle.wheelsets:
        table = {
            field.name: _value(getattr(wheelset, field.name), FIELDS.get(field.name, ""))
            for field in fields(wheelset)
            if field.name != "body"
        }
        yield from _table(f"wheelsets.{_key(wheelset.body)}", table)
    for wheelset in vehicle.conical_wheelsets:
        cone = {f.name: _value(getattr(wheelset.cone, f.name), FIELDS[f.name]) for f in fields(wheelset.cone)}
        yield from _table(f"conical_wheelsets.{_key(wheelset.body)}", cone)
    meta = {key: value for key, value in vehicle.meta.items() if key not in _LEFT_OUT}
    if meta:
        yield from _table("meta", meta)
    if vehicle.sources:
        yield from _table("sources", vehicle.sources)


def _own(vehicle: Vehicle) -> str:
    return write_quantity(vehicle.gravity, FIELDS["gravity"])


def _element(vehicle: Vehicle, element: Element) -> dict[str, Any]:
    law = element.law
    table: dict[str, Any] = {
        "law": _WORDS[type(law)],
        "connection": element.connection,
        "direction": element.direction,
    }
    for field in fields(law):
        value = getattr(law, field.name)
        number = isinstance(value, float)
        table[field.name] = _value(value, dimension_of(vehicle, f"{element.name}.{field.name}") if number else "")
    return table


def _value(value: Any, dimension: str) -> Any:
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, float) and dimension and dimension != "number":
        return write_quantity(value, dimension)
    return value


def _table(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    if name:
        yield ""
        yield f"[{name}]"
    for key, value in table.items():
        if value is not None:
            yield f"{_key(key)} = {_text(value)}"


def _key(key: str) -> str:
    return key if key and set(key) <= _BARE else _text(key)


def _headings(names: list[str]) -> list[str]:
    """Dotted names as nested tables; quoted when nesting would change their order or put one into another."""
    first_seen: dict[tuple[str, ...], int] = {}
    for i, name in enumerate(names):
        words = name.split(".")
        for depth in range(1, len(words)):
            first_seen.setdefault(tuple(words[:depth]), i)
    grouped = sorted(names, key=lambda name: [first_seen.get(p, names.index(name)) for p in _prefixes(name)])
    inside = any(tuple(name.split(".")) in first_seen for name in names)
    if grouped != names or inside:
        return [_text(name) for name in names]
    return [".".join(_key(word) for word in name.split(".")) for name in names]


def _prefixes(name: str) -> list[tuple[str, ...]]:
    words = name.split(".")
    return [tuple(words[:depth]) for depth in range(1, len(words) + 1)]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_text(part) for part in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_text(v)}" for k, v in value.items()) + "}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
