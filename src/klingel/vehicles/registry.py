"""The registry of templates and parts: one entry each, everything else asks here.

    from klingel.vehicles.registry import register
    register(Template("trolley", ...))          # a template of one's own; a file may say template = "trolley"

Worker processes of a sweep know a template of one's own if the module that registers it is imported there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass

from klingel._errors import InputError
from klingel.model.description import Vehicle
from klingel.vehicles.bogies.cooperrider_entry import COOPERRIDER_BOGIE
from klingel.vehicles.bogies.single_axle_entry import SINGLE_AXLE_BOGIE
from klingel.vehicles.bogies.y25_entry import Y25_BOGIE
from klingel.vehicles.checks import suggestion
from klingel.vehicles.drawing import Drawing, drawing
from klingel.vehicles.template import PARAMETERS, TEMPLATE, Option, Template
from klingel.vehicles.two_axle_entry import TWO_AXLE

_ENTRIES: dict[str, Template] = {
    entry.name: entry for entry in (TWO_AXLE, COOPERRIDER_BOGIE, SINGLE_AXLE_BOGIE, Y25_BOGIE)
}


def templates() -> dict[str, Template]:
    """All entries by name."""
    return dict(_ENTRIES)


def find_template(name: object, field: str = TEMPLATE) -> Template:
    if not isinstance(name, str) or name not in _ENTRIES:
        hint = suggestion(name, _ENTRIES) if isinstance(name, str) else ""
        raise InputError(field, name, f"{hint}must be one of {', '.join(_ENTRIES)}")
    return _ENTRIES[name]


def template_of(vehicle: Vehicle) -> Template | None:
    """The entry a vehicle was made by; None for a full description."""
    name = vehicle.meta.get(TEMPLATE)  # a file may have such a key of its own
    made = isinstance(name, str) and is_dataclass(vehicle.meta.get(PARAMETERS))
    return find_template(name) if made else None


def options_of(vehicle: Vehicle | None = None) -> dict[str, Option]:
    """Options that `--set` and sweeps reach, by name: those of the vehicle's template, or of all of them."""
    entry = template_of(vehicle) if vehicle is not None else None
    entries = [entry] if entry else _ENTRIES.values()
    return {option.name: option for entry in entries for option in entry.options if option.name}


def keywords() -> tuple[str, ...]:
    """Options of `load_vehicle`, of all entries."""
    return tuple(dict.fromkeys(option.keyword for entry in _ENTRIES.values() for option in entry.options))


def option_dimension(keyword: str) -> str:
    """Dimension of an option that is a quantity; empty for words."""
    for entry in _ENTRIES.values():
        for option in entry.options:
            if option.keyword == keyword:
                return option.dimension or (entry.dimension(option.field) or "" if option.field else "")
    return ""


def register(template: Template) -> Template:
    """Add an entry; a name is taken once."""
    if template.name in _ENTRIES:
        raise InputError(TEMPLATE, template.name, "is in the registry already; choose another name")
    _ENTRIES[template.name] = template
    return template


@contextmanager
def registered(template: Template) -> Iterator[Template]:
    """An entry for a while."""
    register(template)
    try:
        yield template
    finally:
        del _ENTRIES[template.name]


def drawing_of(vehicle: Vehicle) -> Drawing:
    """The drawing of its template, or the one of any description."""
    entry = template_of(vehicle)
    return (entry.drawing if entry else drawing)(vehicle)
