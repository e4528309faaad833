"""Vehicles from TOML files: a full description, or a template with its parameters.

    wagon = load_vehicle("hbbills311", links="PTP", load="loaded", height=2.1)
    own = load_vehicle("mine.toml")

Library vehicles are files in `klingel/vehicles/parameters`. Whatever the file, the result is the full
description; `sources` says where its values come from.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from numbers import Real
from pathlib import Path
from typing import Any

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.io.plain_files import is_file
from klingel.io.profile_files import beside, with_names
from klingel.io.toml_tables import FileError, read_table, read_text, read_toml, unknown_key
from klingel.io.vehicle.law_tables import LAWS
from klingel.io.vehicle.loads import chosen_load, read_loads
from klingel.io.vehicle.parts import read_part
from klingel.io.vehicle.schema import (
    BodyTable,
    ConeTable,
    ConnectionTable,
    FullFile,
    WheelsetTable,
)
from klingel.io.vehicle.template import read_template
from klingel.model.description import Body, ConicalWheelset, Connection, Element, Vehicle, Wheelset
from klingel.vehicles.checks import problems as structural_problems
from klingel.vehicles.checks import suggestion
from klingel.vehicles.parts import Assembly, clashes
from klingel.vehicles.registry import find_template, template_of, templates
from klingel.vehicles.template import EMPTY, LOAD, LOADS, TEMPLATE
from klingel.vehicles.values import values

PARAMETERS = files("klingel.vehicles") / "parameters"


def library() -> list[str]:
    """Names of the vehicles that come with the package."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in PARAMETERS.iterdir() if entry.name.endswith(".toml")
    )


def library_text(name: str) -> str:
    """The file of a library vehicle."""
    if name not in library():
        names = library()
        raise InputError("vehicle", name, f"{suggestion(name, names)}must be a file or one of {', '.join(names)}")
    return (PARAMETERS / f"{name}.toml").read_text(encoding="utf-8")


def load_cases(name: str) -> list[str]:
    """Load cases of a library vehicle; a full description has none."""
    content = read_toml(library_text(name), name)
    return [EMPTY, *content.get(LOADS, {})] if {TEMPLATE, LOADS} & set(content) else []


def load_vehicle(name: str | Path, **options: Any) -> Vehicle:
    """A vehicle of the library or from a TOML file.

    Parameters
    ----------
    name
        Name in the library, or path of a file.
    options
        Choices that go before those of the file, like `links="PTP", load="loaded"`; None leaves the file's. They
        belong to the template of the file (`klingel vehicles --templates` lists them, `load` is the load case);
        a full description has none.
    """
    if not isinstance(name, str | Path) or not str(name):
        raise InputError("vehicle", name, f"must be the path of a file or one of {', '.join(library())}")
    for keyword, given in options.items():
        if given is not None:
            check_kind(keyword, given, (str, Real, Mapping, list, tuple), "a word, a number, or several of them")
    path = Path(name)
    if isinstance(name, Path) or path.suffix == ".toml" or is_file(path):
        return parse_vehicle(read_text(path), path.name, options, path.parent)
    return parse_vehicle(library_text(str(name)), f"{name}.toml", options)


def parse_vehicle(
    text: str, file: str = "vehicle", options: Mapping[str, Any] | None = None, folder: Path | None = None
) -> Vehicle:
    """Vehicle from the text of a file; raises FileError with every problem found.

    Wheel profiles that are files in `folder` get their full path.
    """
    content = read_toml(text, file)
    if folder is not None:
        content = with_names(content, beside(folder))
    problems: list[InputError] = []
    vehicle = _read(content, file, options or {}, problems)
    if vehicle is not None:
        problems += structural_problems(vehicle)
        template = template_of(vehicle)
        problems += template.checks(vehicle) if template else ()
    if problems or vehicle is None:
        raise FileError(file, problems)
    return vehicle


def _read(
    content: Mapping[str, Any], file: str, options: Mapping[str, Any], problems: list[InputError]
) -> Vehicle | None:
    if TEMPLATE in content:
        try:
            template = find_template(content[TEMPLATE])
        except InputError as error:
            raise FileError(file, [error]) from None
        return read_template(template, content, options, problems)
    given = {k: v for k, v in options.items() if v is not None and (k, v) != (LOAD, EMPTY)}
    others = {k: v for k, v in given.items() if k != LOAD or LOADS not in content}
    if others:
        if set(others) == {LOAD}:
            raise InputError(LOAD, others[LOAD], f"must be left out: {file} has no [loads]")
        told = ", ".join(f"{keyword}={value}" for keyword, value in others.items())
        raise InputError("load_vehicle", told, f"{file} is a full description and takes no option but load")
    _refuse_without_template(content, file)
    return _full(content, given.get(LOAD, EMPTY), problems)


def _refuse_without_template(content: Mapping[str, Any], file: str) -> None:
    """Keys of a template file without its `template`: one thing is missing, not all keys are wrong."""
    own = {name: len(set(content) & (set(entry.fields) - set(FullFile.model_fields)))
           for name, entry in templates().items()}  # fmt: skip
    most = max(own.values())
    if "bodies" not in content and most > 1:
        words = " or ".join(f'"{name}"' for name, count in own.items() if count == most)
        raise FileError(file, [InputError(TEMPLATE, None, f"must be given, {words}: these are its keys")])


@dataclass(frozen=True)
class _Reader:
    """Sections of a full description; problems are collected, good tables kept."""

    problems: list[InputError]

    def bodies(self, section: Mapping[str, Any]) -> tuple[Body, ...]:
        read = {name: read_table(BodyTable, table, name, self.problems) for name, table in section.items()}
        return tuple(Body(n, t.mass, t.inertia, t.position, t.free) for n, t in read.items() if t)

    def connections(self, section: Mapping[str, Any]) -> tuple[Connection, ...]:
        flat = flatten(section, "inner", "outer", "point")
        read = {name: read_table(ConnectionTable, table, name, self.problems) for name, table in flat.items()}
        return tuple(Connection(n, t.inner, t.outer, t.point) for n, t in read.items() if t)

    def wheelsets(self, section: Mapping[str, Any]) -> tuple[Wheelset, ...]:
        read = {name: read_table(WheelsetTable, table, name, self.problems) for name, table in section.items()}
        return tuple(Wheelset(n, **t.model_dump()) for n, t in read.items() if t)

    def conical_wheelsets(self, section: Mapping[str, Any]) -> tuple[ConicalWheelset, ...]:
        found = []
        for name, table in section.items():
            read = read_table(ConeTable, table, name, self.problems)
            try:
                if read:
                    own = name if read.body not in (None, name) else ""
                    found.append(ConicalWheelset(read.body or name, read.cone(), read.offset, own))
            except InputError as error:
                self.problems.append(InputError(f"{name}.{error.field}", error.given, error.allowed))
        return tuple(found)

    def elements(self, section: Mapping[str, Any], connections: Iterable[str]) -> tuple[Element, ...]:
        found = []
        for name, table in flatten(section, "law", "direction").items():
            element = self._element(name, table, connections)
            if element is not None:
                found.append(element)
        return tuple(found)

    def _element(self, name: str, table: Any, connections: Iterable[str]) -> Element | None:
        word = table.get("law") if isinstance(table, Mapping) else None
        if not isinstance(word, str) or word not in LAWS:
            allowed = f"{suggestion(str(word), LAWS)}must be one of {', '.join(LAWS)}"
            self.problems.append(InputError(f"{name}.law", word, allowed))
            return None
        law, model = LAWS[word]
        owners = [connection for connection in connections if name.startswith(f"{connection}.")]
        table = {"connection": max(owners, key=len), **table} if owners else table
        read = read_table(model, table, name, self.problems)
        if read is None:
            return None
        try:
            first, *also = read.direction
            return Element(name, read.connection, first, law(**read.parameters(law)), tuple(also), read.load)
        except InputError as error:
            given = table.get(error.field, error.given)
            self.problems.append(InputError(f"{name}.{error.field}", given, error.allowed))
            return None


def flatten(section: Mapping[str, Any], *marks: str, prefix: str = "") -> dict[str, Any]:
    """Tables below a section by dotted name; a table with one of the keys `marks`, or with a value, is a leaf."""
    flat: dict[str, Any] = {}
    for key, table in section.items():
        name = f"{prefix}{key}"
        inner = isinstance(table, Mapping) and table and not any(mark in table for mark in marks)
        if inner and all(isinstance(part, Mapping) for part in table.values()):
            flat.update(flatten(table, *marks, prefix=f"{name}."))
        else:
            flat[name] = table
    return flat


def _full(content: Mapping[str, Any], load: object, problems: list[InputError]) -> Vehicle | None:
    top = read_table(FullFile, content, "", problems)
    if top is None:
        return None
    reader = _Reader(problems)
    bodies = reader.bodies(top.bodies)
    connections = reader.connections(top.connections)
    names = tuple(flatten(top.connections, "inner", "outer", "point"))
    elements = reader.elements(top.elements, names)
    wheelsets = reader.wheelsets(top.wheelsets)
    conical = reader.conical_wheelsets(top.conical_wheelsets)
    parts = [part for number, table in enumerate(top.parts, 1) if (part := read_part(number, table, problems))]
    if problems:
        return None
    meta = {"title": top.title, **top.meta} if top.title else dict(top.meta)
    sources = dict(top.sources)
    vehicle = Vehicle(top.name, bodies, connections, elements, wheelsets, top.gravity, sources, meta, conical)
    if not (parts or top.loads):
        problems += _sources(vehicle)
        return vehicle
    problems += clashes(parts, vehicle)
    assembly = Assembly(tuple(parts), replace(vehicle, sources={}))
    drawn = assembly.vehicle()
    loads = read_loads(top.loads, [body.name for body in drawn.bodies], problems)
    problems += _sources(replace(drawn, sources=sources))
    if problems:
        return None
    assembly = replace(assembly, rest=vehicle, loads=loads, load=chosen_load(loads, load))
    return assembly.vehicle()


def _sources(vehicle: Vehicle) -> list[InputError]:
    known = {*values(vehicle), *(f"{body.name}.free" for body in vehicle.bodies)}
    known |= {name.rsplit(".", i)[0] for name in known for i in range(1, name.count(".") + 1)}
    return [unknown_key(f"sources.{name}", name, sorted(known)) for name in vehicle.sources if name not in known]
