"""One value of a vehicle by its dotted name, read or replaced.

==================================  =========================================================================
name                                what
==================================  =========================================================================
gravity                             of the vehicle
carbody.mass, carbody.inertia.z     of a body: mass, inertia.x/y/z, position.x/y/z
front_wheelset.radius               of the wheels of a body: profile, radius, back_to_back, friction, ...
leading_front_wheelset.cone.psi     of the conical wheels of a body
front_left.point.y                  of a connection
front_left.link_y.slider_1.limit    of an element: the parameters of its law
wheelbase, carbody.mass, leaf.decay of the template, if the vehicle was made by one
leading.at, leading.frame.mass      of a part and its template, if the vehicle was joined from parts
==================================  =========================================================================

A vehicle made by a template is expanded again when a value of the template changes, so that everything
follows that depends on it: a heavier carbody has stiffer links, because a pendulum carries its load. Values
of single bodies and elements that were changed before keep their change.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from klingel._arguments import check_kind, check_number, check_text
from klingel._errors import InputError
from klingel.elements.spring import FOUND, FREE_LENGTH
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import of
from klingel.model.kinds.slow_path import along
from klingel.model.standing.statics import is_found, with_stated_preloads
from klingel.vehicles.checks import check, suggestion
from klingel.vehicles.parts import ASSEMBLY, AT, Assembly, Part, clashes
from klingel.vehicles.registry import template_of
from klingel.vehicles.template import PARAMETERS, SETTINGS, TEMPLATE

AXES = ("x", "y", "z")
PRELOAD = ".preload"  # of a spring: a number, or a word
CHANGED = "changed by the user"  # source of a value set by name
Value = float | str
# groups of a vehicle in which a value may lie -> what their members are called by
_OWNERS = (
    ("elements", "name"),
    ("connections", "name"),
    ("wheelsets", "body"),
    ("conical_wheelsets", "called"),
    ("bodies", "name"),
)


def values(vehicle: Vehicle) -> dict[str, Value]:
    """Every value of the description by its dotted name, without those of a template."""
    found: dict[str, Value] = {"gravity": vehicle.gravity}
    for wheelset in vehicle.wheelsets:
        _collect(f"{wheelset.body}", wheelset, found, skip=("body",))
    for wheelset in vehicle.conical_wheelsets:
        _collect(f"{wheelset.called}.cone", wheelset.cone, found)
    for body in vehicle.bodies:
        _collect(body.name, body, found, skip=("name", "free"))
    for connection in vehicle.connections:
        _collect(f"{connection.name}.point", connection.point, found)
    for element in vehicle.elements:
        _collect(element.name, element.law, found)
    return found


def template_values(vehicle: Vehicle) -> dict[str, Value]:
    """Values of the template the vehicle was made by; empty without one."""
    found: dict[str, Value] = {}
    template = template_of(vehicle)
    if template is not None:
        parameters = vehicle.meta[PARAMETERS]
        for field in fields(parameters):
            if field.name != "name":
                _collect(template.dotted(field.name), getattr(parameters, field.name), found)
    for part in parts_of(vehicle):
        own = {AT: part.at, **template_values(part.vehicle)}
        found |= {f"{part.prefix}.{name}": value for name, value in own.items()}
    return found


def parts_of(vehicle: Vehicle) -> tuple[Part, ...]:
    """Parts a vehicle was joined from; a file may have such a key of its own."""
    assembly = vehicle.meta.get(ASSEMBLY)
    return assembly.parts if isinstance(assembly, Assembly) else ()


def value(vehicle: Vehicle, name: str) -> Value:
    known = {**template_values(vehicle), **values(vehicle)}
    if name not in known:
        raise _no_such(name, known)
    return known[name]


def with_value(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    """A new vehicle in which `name` has the value `new` (SI), checked."""
    check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
    check_text("name", name, "the name of a value, like carbody.mass")
    if not isinstance(new, str):
        check_number(name, new, "SI units", finite=False)
    if name in template_values(vehicle):
        changed = _expand_again(vehicle, name, new)
    else:
        settings = {**vehicle.meta.get(SETTINGS, {}), name: new}
        changed = replace(_with_single_value(vehicle, name, new), meta={**vehicle.meta, SETTINGS: settings})
    known = values(changed)
    changed_names = [*changed.meta.get(SETTINGS, {}), name]
    sources = {**changed.sources, **{key: CHANGED for key in changed_names if key in known}}
    return check(replace(changed, sources=sources))


def _collect(prefix: str, item: Any, found: dict[str, Value], skip: tuple[str, ...] = ()) -> None:
    if is_dataclass(item):
        for field in fields(item):
            if field.name not in skip:
                _collect(f"{prefix}.{field.name}", getattr(item, field.name), found)
    elif isinstance(item, tuple) and all(isinstance(part, float | int) for part in item):
        for axis, part in zip(AXES, item, strict=False):
            found[f"{prefix}.{axis}".lstrip(".")] = part
    elif isinstance(item, Mapping):
        for key, part in item.items():
            _collect(f"{prefix}.{key}", part, found)
    elif isinstance(item, Enum):
        found[prefix.lstrip(".")] = item.name.lower()
    elif isinstance(item, float | int | str):
        found[prefix.lstrip(".")] = item
    elif item is None and prefix.endswith(PRELOAD):
        found[prefix.lstrip(".")] = FOUND


def _no_such(name: str, known: Mapping[str, Value]) -> InputError:
    prefix = name.rpartition(".")[0]
    near = [other for other in known if prefix and other.startswith(f"{prefix}.")] or list(known)
    listed = ", ".join(near[:8]) + (", ..." if len(near) > 8 else "")
    return InputError(name, name, f"is no value of this vehicle; {suggestion(name, known)}there are {listed}")


def _expand_again(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    if template_of(vehicle) is None:
        changed = _with_part_changed(vehicle, name, new)
    else:
        changed = _with_parameter(vehicle, name, name, new)
    changed = _with_preloads_of(vehicle, changed)
    single_changes = vehicle.meta.get(SETTINGS, {})
    if not single_changes and new != template_values(vehicle)[name] and _alike(vehicle, changed):
        raise InputError(name, new, "is not used by this vehicle as it is made: nothing would change")
    for single, kept in single_changes.items():
        changed = _with_single_value(changed, single, kept)
    return changed


def _alike(one: Vehicle, other: Vehicle) -> bool:
    """Whether two vehicles move alike."""
    parts = all(getattr(one, group) == getattr(other, group) for group, _ in _OWNERS)
    return parts and one.gravity == other.gravity


def _with_parameter(vehicle: Vehicle, name: str, path: str, new: Value) -> Vehicle:
    """A vehicle of a template made anew, told the full name of what changed."""
    template = template_of(vehicle)
    assert template is not None
    parameters = _replaced(vehicle.meta[PARAMETERS], name, path.split("."), new)
    meta = {key: told for key, told in vehicle.meta.items() if key not in (TEMPLATE, PARAMETERS)}
    try:
        return template.vehicle(parameters, vehicle.sources, meta)
    except InputError as error:  # a law knows the last word of its name only
        raise InputError(name if name.endswith(error.field) else error.field, error.given, error.allowed) from None


def _with_part_changed(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    assembly: Assembly = vehicle.meta[ASSEMBLY]
    prefix, _, path = name.partition(".")
    part = assembly.part(prefix)
    assert part is not None
    if path == AT:
        part = replace(part, at=_typed(name, part.at, new))
    else:
        part = replace(part, vehicle=_with_parameter(part.vehicle, name, path, new))
    assembly = assembly.with_part(part)
    for problem in clashes(assembly.parts, assembly.rest):
        raise InputError(name, new, problem.allowed)
    changed = assembly.vehicle()
    return replace(changed, meta={**vehicle.meta, **changed.meta})


def _with_preloads_of(vehicle: Vehicle, changed: Vehicle) -> Vehicle:
    """A load case keeps the preloads of the vehicle it was put on: its springs were made for that one."""
    stated = {e.name: e.law for e in vehicle.elements if hasattr(of(e.law), "stated") and not is_found(e)}
    elements = tuple(
        replace(e, law=of(e.law).stated(e.law, float(along(stated[e.name], np.zeros(1))[0])))
        if e.name in stated and is_found(e) else e
        for e in changed.elements
    )  # fmt: skip
    return replace(changed, elements=elements)


def _with_single_value(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    known = values(vehicle)
    if name not in known:
        raise _no_such(name, {**template_values(vehicle), **known})
    if any(name.startswith(f"{body.name}.") for body in vehicle.bodies) or name == "gravity":
        vehicle = with_stated_preloads(vehicle)  # springs were made for the vehicle as it is drawn
    if name == "gravity":
        return replace(vehicle, gravity=_typed(name, vehicle.gravity, new))
    for group, key in _OWNERS:
        items = getattr(vehicle, group)
        for i, item in enumerate(items):
            owner = getattr(item, key)
            path = name.removeprefix(f"{owner}.").split(".")
            part, inner = (item.law, ["law", *path]) if group == "elements" else (item, path)
            if name.startswith(f"{owner}.") and hasattr(part, path[0]):
                return replace(
                    vehicle, **{group: (*items[:i], _replaced(item, name, inner, new), *items[i + 1 :])}
                )
    raise _no_such(name, known)


def _replaced(item: Any, name: str, path: list[str], new: Value) -> Any:
    """`item` with the value at `path` replaced; laws check themselves and are told the full name."""
    if not path:
        return _typed(name, item, new)
    if isinstance(item, tuple):
        i = AXES.index(path[0])
        return (*item[:i], _replaced(item[i], name, path[1:], new), *item[i + 1 :])
    if isinstance(item, Mapping):
        return {**item, path[0]: _replaced(item[path[0]], name, path[1:], new)}
    field, rest = (path[0], path[1:]) if hasattr(item, path[0]) else (f"{path[0]}_{path[1]}", path[2:])
    part = _replaced(getattr(item, field), name, rest, new)
    try:
        return replace(item, **{field: part})
    except InputError as error:
        raise InputError(name, error.given, error.allowed) from None


def _typed(name: str, old: Any, new: Value) -> Any:
    if name.endswith(PRELOAD) and new in (FOUND, FREE_LENGTH):
        return None if new == FOUND else 0.0
    if name.endswith(PRELOAD) and old is None and not isinstance(new, str):
        return float(new)
    if isinstance(old, Enum):
        words = {member.name.lower(): member for member in type(old)}
        if new not in words:
            raise InputError(name, new, f"must be one of {', '.join(words)}")
        return words[str(new)]
    if isinstance(old, str) != isinstance(new, str):
        raise InputError(name, new, "must be a text" if isinstance(old, str) else "must be a number in SI units")
    return new if isinstance(old, str) or old is None else type(old)(new)
