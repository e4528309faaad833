"""Values of a vehicle with all that a form needs to ask for them: unit, range, source, words to choose from.

Made from the same schema that files are read by, so a form and `klingel validate` know the same rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, log10
from typing import Any

from klingel.io.units import DIMENSIONS, si_unit
from klingel.io.vehicle.template import Origin
from klingel.io.vehicle.units import dimension_of
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import of
from klingel.vehicles.fields import Choice, Quantity, Word, quantity_at
from klingel.vehicles.parts import AT, Part
from klingel.vehicles.registry import template_of
from klingel.vehicles.template import EMPTY, LOAD, LOADS, ORIGIN, Template
from klingel.vehicles.values import Value, parts_of, template_values, values

PLACE = "middle of the part, in the vehicle frame"
PLAIN_UNITS = {"mass": "kg", "moment of inertia": "kg m2", "length": "m", "number": ""}  # never scaled upwards


@dataclass(frozen=True)
class Parameter:
    name: str  # dotted
    value: Value  # SI, or a word
    dimension: str  # empty for words
    allowed: str  # positive, not negative, fraction, or nothing
    source: str
    line: str = ""  # for people

    @property
    def group(self) -> str:
        return self.name.partition(".")[0] if "." in self.name else "vehicle"


@dataclass(frozen=True)
class Selection:
    """An option of the template with the words it may have."""

    keyword: str
    line: str
    words: tuple[str, ...]
    chosen: str


def parameters(vehicle: Vehicle) -> list[Parameter]:
    """Of the template if there is one; else those of its parts, and every value of the description."""
    template = template_of(vehicle)
    if template is None:
        of_parts = [one for part in parts_of(vehicle) for one in _of_part(vehicle, part)]
        return of_parts + [
            Parameter(name, value, *_described(vehicle, name, value), _source(vehicle.sources, name))
            for name, value in values(vehicle).items()
        ]
    origin = vehicle.meta.get(ORIGIN)
    said = origin.content.get("sources", {}) if isinstance(origin, Origin) else {}
    known = template_values(vehicle)
    return [_of_template(vehicle, template, name, name, value, said) for name, value in known.items()]


def _of_template(
    vehicle: Vehicle, template: Template, name: str, key: str, value: Value, said: Mapping[str, Any]
) -> Parameter:  # fmt: skip
    """`key` is the name within the template."""
    field = quantity_at(template.fields, key)
    allowed, line = (field.sign, field.line) if isinstance(field, Quantity) else ("", "")
    dimension = "" if isinstance(value, str) else dimension_of(vehicle, name)
    return Parameter(name, value, dimension, allowed, _source(said, name), line)


def _of_part(vehicle: Vehicle, part: Part) -> list[Parameter]:
    """Place and parameters of a part: what follows from them is in the values of the description."""
    template = template_of(part.vehicle)
    if template is None:
        return []
    found = [Parameter(f"{part.prefix}.{AT}", part.at, "length", "", _source(vehicle.sources, part.prefix), PLACE)]
    for key, value in template_values(part.vehicle).items():
        found.append(_of_template(vehicle, template, f"{part.prefix}.{key}", key, value, vehicle.sources))
    return found


def selections(vehicle: Vehicle) -> list[Selection]:
    """Options of the vehicle's template that are words."""
    template = template_of(vehicle)
    origin = vehicle.meta.get(ORIGIN)
    if template is None or not isinstance(origin, Origin):
        return []
    found = []
    for option in (option for option in template.options if option.word):
        field = template.fields.get(option.field)
        words = field.words if isinstance(field, Choice | Word) else ()
        if option.keyword == LOAD:
            words = (EMPTY, *origin.content.get(LOADS, {}))
        if words:
            found.append(Selection(option.keyword, option.line, words, str(vehicle.meta.get(option.name, ""))))
    return found


def _described(vehicle: Vehicle, name: str, value: Value) -> tuple[str, str]:
    """Dimension and bounds of a value of a full description."""
    if isinstance(value, str):
        return "", ""
    element, _, field = name.rpartition(".")
    for one in vehicle.elements:
        if one.name == element:
            bounds = of(one.law).ABOUT.fields[field][1]
            return dimension_of(vehicle, name), bounds if isinstance(bounds, str) else ""
    return dimension_of(vehicle, name), "positive" if field in ("mass", "radius") else ""


def _source(sources: Mapping[str, Any], name: str) -> str:
    """Of the value itself or of what it belongs to."""
    while name:
        if name in sources:
            return str(sources[name])
        name = name.rpartition(".")[0]
    return ""


def fitting_unit(value: float, dimension: str) -> tuple[float, str]:
    """Factor to SI and name of the unit in which a value has few digits before and after its point."""
    units = DIMENSIONS[dimension]
    plain = si_unit(dimension)
    if value == 0.0 or not isfinite(value):
        return 1.0, plain
    size = log10(abs(value))
    if dimension in ("length", "angle") and size < -0.5:
        unit = "mm" if dimension == "length" else "mrad"
        return units[unit], unit
    if dimension in PLAIN_UNITS or dimension == "angle":
        return 1.0, plain
    for unit, factor in sorted(units.items(), key=lambda item: -item[1]):
        if unit.startswith(("M", "k")) and size >= log10(factor):
            return factor, unit
    return 1.0, plain


def in_unit(value: float, dimension: str) -> tuple[str, str]:
    """Number and unit for people; read back it is the same number, to fifteen digits."""
    factor, unit = fitting_unit(value, dimension)
    return f"{value / factor:.15g}", unit
