"""One table of [[parts]]: a template read by its own fields, with a place and a prefix."""

from collections.abc import Mapping
from typing import Any

from klingel._errors import InputError
from klingel.io.toml_tables import read_table
from klingel.io.vehicle.schema import PartTable
from klingel.io.vehicle.template import SOURCES, read_template
from klingel.vehicles.parts import Part
from klingel.vehicles.registry import find_template
from klingel.vehicles.template import LOAD, TEMPLATE

PLACE = tuple(PartTable.model_fields)


def read_part(number: int, table: Any, problems: list[InputError]) -> Part | None:
    """The part, or None and its problems appended, named by its prefix; `load` is its load case."""
    place = {key: table.get(key) for key in PLACE} if isinstance(table, Mapping) else table
    read = read_table(PartTable, place, f"parts {number}", problems)
    if read is None:
        return None
    where = f"parts.{read.prefix}"
    own = {key: given for key, given in table.items() if key not in (*PLACE, LOAD)}
    inner: list[InputError] = []
    vehicle = None
    try:
        template = find_template(read.kind, "kind")
        content = {**own, "name": read.prefix, TEMPLATE: read.kind, SOURCES: own.get(SOURCES, {})}
        vehicle = read_template(template, content, {LOAD: table.get(LOAD)}, inner)
        inner += template.checks(vehicle) if vehicle is not None else ()
    except InputError as error:
        inner.append(error)
    problems += [InputError(f"{where}.{problem.field}", problem.given, problem.allowed) for problem in inner]
    return Part(read.prefix, read.at, vehicle) if vehicle is not None and not inner else None
