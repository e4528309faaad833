"""An entry of the registry: everything that is known of one template, or part, of a vehicle.

A file with `template = NAME` is read by `fields` into plain values, these and the choices of the caller become
`parameters` (a frozen dataclass, whose values `--set` and sweeps reach by dotted names), and `expand` turns the
parameters into the full description. Readers, command line, sweeps and pictures go by the entry and know no
template by name.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from klingel._errors import InputError
from klingel.model.description import Vehicle
from klingel.vehicles.drawing import Drawing, drawing
from klingel.vehicles.fields import Fields, quantity_at

EMPTY = "empty"  # load case: the vehicle as it stands
LOAD, LOADS = "load", "loads"  # option, and field of the file with the load cases
# keys of Vehicle.meta: the template, its parameters, single values changed afterwards, what it was read from
TEMPLATE, PARAMETERS, SETTINGS, ORIGIN = "template", "parameters", "settings", "origin"

Values = Mapping[str, Any]  # as read by the fields


@dataclass(frozen=True)
class Option:
    """A choice of the caller that goes before the file's."""

    keyword: str  # of `load_vehicle`
    line: str  # for people
    field: str = (
        ""  # of the file, in whose place it stands and by whose rules it is read; empty: handed on as it is
    )
    name: str = ""  # in `--set` and sweeps; empty: these reach it as a value
    word: bool = False  # or a number
    default: Any = None  # leaves the file's choice
    dimension: str = ""  # of a quantity without a field of its own


LOAD_CASE = Option(LOAD, "load case of the file; `empty` is the vehicle as it stands", "", LOAD, True, EMPTY)


def no_sources(values: Values, options: Values) -> Mapping[str, str]:
    return values["sources"]


def no_problems(vehicle: Vehicle) -> Iterable[InputError]:
    return ()


@dataclass(frozen=True, eq=False)
class Template:
    name: str
    line: str  # for people
    fields: Fields  # besides name, title and sources, which every file has
    parameters: Callable[[Values, Values], Any]  # values of the file, options -> parameters
    expand: Callable[[Any], Vehicle]  # parameters -> description
    options: tuple[Option, ...] = ()
    checks: Callable[[Vehicle], Iterable[InputError]] = no_problems  # besides those of every description
    # where values come from, by names of the file: those of the file and what the template knows itself
    sources: Callable[[Values, Values], Mapping[str, str]] = no_sources
    # name in the file -> names in the description it decides; {words} stand for those of each place
    reaches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: tuple[Mapping[str, str], ...] = ({},)
    groups: tuple[str, ...] = ()  # parameter carbody_mass is the value carbody.mass, for the group carbody
    dimensions: Mapping[str, str] = field(default_factory=dict)  # of values that are no fields, by pattern
    drawing: Callable[[Vehicle], Drawing] = drawing

    def dotted(self, parameter: str) -> str:
        """The name by which a field of the parameters is known: carbody_mass is carbody.mass."""
        for group in self.groups:
            if parameter.startswith(f"{group}_"):
                return f"{group}.{parameter.removeprefix(f'{group}_')}"
        return parameter

    def dimension(self, name: str) -> str | None:
        """Of a value of the template by its dotted name; None if it tells nothing."""
        for pattern, dimension in self.dimensions.items():
            if fnmatchcase(name, pattern):
                return dimension
        known = quantity_at(self.fields, name)
        return known.dimension if known else None

    def words(self, values: Values, options: Values) -> dict[str, str]:
        """What was chosen, for people: name of the option -> word."""
        found = {}
        for option in (option for option in self.options if option.word):
            chosen = values[option.field] if option.field else options.get(option.keyword, option.default)
            found[option.name] = chosen if isinstance(chosen, str) else "own"
        return found

    def reached(self, said: Mapping[str, str]) -> dict[str, str]:
        """Sources by names of the description, the more general first."""
        found: dict[str, str] = {}
        for name in (name for name in self.reaches if name in said):
            for target in self.reaches[name]:
                for place in self.places:
                    key = target.format(**place)
                    before = found.get(key, said[name])
                    found[key] = before if before == said[name] else f"{before}; {said[name]}"
        return found

    def vehicle(self, parameters: Any, sources: Mapping[str, str], meta: Mapping[str, Any]) -> Vehicle:
        """The description, with all that is needed to change it by name later."""
        made = self.expand(parameters)
        origin = {TEMPLATE: self.name, PARAMETERS: parameters}
        return replace(made, sources={**made.sources, **sources}, meta={**made.meta, **origin, **meta})
