"""[loads] of a full description: load cases by name, each with the bodies that change."""

from collections.abc import Mapping
from typing import Any

from klingel._errors import InputError
from klingel.io.toml_tables import read_table, unknown_key
from klingel.io.vehicle.schema import BodyLoadTable, BoxTable
from klingel.vehicles.checks import suggestion
from klingel.vehicles.loads import BodyLoad, Box
from klingel.vehicles.template import EMPTY, LOAD, LOADS

Loads = dict[str, dict[str, BodyLoad]]


def read_loads(section: Mapping[str, Any], bodies: list[str], problems: list[InputError]) -> Loads:
    """Load case -> body -> its load; problems are appended."""
    found: Loads = {}
    if EMPTY in section:
        problems.append(
            InputError(f"{LOADS}.{EMPTY}", None, "is the vehicle as it stands; name the load otherwise")
        )
    for case, tables in section.items():
        where = f"{LOADS}.{case}"
        if not isinstance(tables, Mapping) or not tables:
            problems.append(
                InputError(where, tables, f"must hold a table for each loaded body: [{where}.carbody]")
            )
            continue
        problems += [unknown_key(f"{where}.{name}", name, bodies) for name in tables if name not in bodies]
        loads = {name: _body(tables[name], f"{where}.{name}", problems) for name in tables if name in bodies}
        found[case] = {name: load for name, load in loads.items() if load is not None}
    return found


def _body(table: Any, where: str, problems: list[InputError]) -> BodyLoad | None:
    read = read_table(BodyLoadTable, table, where, problems)
    if read is None:
        return None
    box = read_table(BoxTable, read.box, f"{where}.box", problems) if read.box is not None else None
    return BodyLoad(read.mass, read.inertia, read.position, Box(box.mass, box.size, box.position) if box else None)


def chosen_load(loads: Mapping[str, Any], given: object) -> str:
    """A load case of the file; empty for the vehicle as it stands."""
    names = (EMPTY, *loads)
    if given not in names:
        raise InputError(LOAD, given, f"{suggestion(str(given), names)}must be one of {', '.join(names)}")
    return "" if given == EMPTY else str(given)
