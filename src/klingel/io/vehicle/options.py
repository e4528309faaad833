"""Any named property of a vehicle changed: an option of its template, or one of its values.

Options (`links`, `load`, ...) are those of the registry's entry and belong to vehicles made by a template. With
another option the file is read again; what was set by name since then is set again, as if the option had been
chosen at the start. Everything else is a value, see `klingel.vehicles.values`.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from klingel._errors import InputError
from klingel.elements.spring import FOUND, FREE_LENGTH
from klingel.io.units import BadQuantity, read_quantity
from klingel.io.vehicle.loads import chosen_load
from klingel.io.vehicle.template import Origin, read_template
from klingel.io.vehicle.units import dimension_of
from klingel.model.description import Vehicle
from klingel.vehicles.checks import check, suggestion
from klingel.vehicles.parts import ASSEMBLY, Assembly
from klingel.vehicles.registry import options_of, template_of
from klingel.vehicles.template import LOAD, ORIGIN, SETTINGS, Template
from klingel.vehicles.values import PRELOAD, Value, template_values, value, values, with_value


def is_word(vehicle: Vehicle, name: str) -> bool:
    """Whether this property is a word, not a number; unknown names are refused with one line."""
    options = options_of(vehicle)
    if name in options:
        return options[name].word
    try:
        return isinstance(value(vehicle, name), str)
    except InputError as error:
        near = suggestion(name, options)
        if not near:
            raise
        raise InputError(error.field, error.given, f"is no value of this vehicle; {near.strip()}") from None


def read_property(vehicle: Vehicle, name: str, text: str) -> Value:
    """A property as people type it; numbers may carry a unit of their own dimension."""
    if name.endswith(PRELOAD) and text.strip() in (FOUND, FREE_LENGTH):
        return text.strip()
    if is_word(vehicle, name) and not name.endswith(PRELOAD):
        return text.strip()
    dimension = "number" if name in options_of(vehicle) else dimension_of(vehicle, name)
    try:
        return read_quantity(text, dimension)
    except BadQuantity as bad:
        raise InputError(name, text, str(bad)) from None


def with_property(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    """A new vehicle in which an option or a value is `new` (SI, or a word), checked."""
    word = is_word(vehicle, name)
    if word != isinstance(new, str) and not name.endswith(PRELOAD):
        raise InputError(name, new, "must be a word" if word else "must be a number in SI units")
    return with_option(vehicle, name, new) if name in options_of(vehicle) else with_value(vehicle, name, new)


def with_settings(vehicle: Vehicle, settings: Iterable[str]) -> Vehicle:
    """`name=value` settings of the command line applied one by one: `carbody.mass=16t`, `links=SPP`."""
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign:
            raise InputError("--set", setting, "must be name=value, like carbody.mass=16t")
        vehicle = with_property(vehicle, name, read_property(vehicle, name, text))
    return vehicle


def with_option(vehicle: Vehicle, name: str, new: Value) -> Vehicle:
    """The vehicle read again with one option of its template changed."""
    template, origin, assembly = template_of(vehicle), vehicle.meta.get(ORIGIN), vehicle.meta.get(ASSEMBLY)
    if name == LOAD and isinstance(assembly, Assembly) and assembly.loads:
        return _with_load(vehicle, assembly, new)
    if template is None or not isinstance(origin, Origin):
        raise InputError(
            name, new, "is an option of wagons made by a template; this vehicle is a full description"
        )
    again = _read(template, origin, name, new)
    before, now = template_values(_read(template, origin)), template_values(vehicle)
    since: dict[str, Any] = {key: now[key] for key in now if key in before and now[key] != before[key]}
    for key, kept in {**since, **vehicle.meta.get(SETTINGS, {})}.items():
        if key not in {**template_values(again), **values(again)}:
            raise InputError(name, new, f"leaves no {key}, which was set")
        again = with_value(again, key, kept)
    return check(again)


def _with_load(vehicle: Vehicle, assembly: Assembly, new: Value) -> Vehicle:
    """Another load case of a full description; what was set by name since then is set again."""
    again = replace(assembly, load=chosen_load(assembly.loads, new)).vehicle()
    for key, kept in vehicle.meta.get(SETTINGS, {}).items():
        again = with_value(again, key, kept)
    return check(again)


def _read(template: Template, origin: Origin, name: str = "", new: Value = "") -> Vehicle:
    keyword = next((option.keyword for option in template.options if name and option.name == name), None)
    options = {**origin.options, keyword: new} if keyword else origin.options
    problems: list[InputError] = []
    try:
        found = read_template(template, origin.content, options, problems)
    except InputError as error:
        raise InputError(name or error.field, error.given, error.allowed) from None
    if problems or found is None:
        raise problems[0]
    return found
