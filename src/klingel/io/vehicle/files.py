"""Vehicles from TOML files: a full description, or a template with its parameters.

    wagon = load_vehicle("hbbills311", links="PTP", load="loaded", height=2.1)
    own = load_vehicle("mine.toml")

Library vehicles are files in `klingel/vehicles/parameters`. Whatever the file, the result is the full
description; `sources` says where its values come from.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from klingel._errors import InputError
from klingel.io.toml_tables import FileError, read_table, read_text, read_toml, unknown_key
from klingel.io.vehicle.schema import (
    LAWS,
    BodyTable,
    ConeTable,
    ConnectionTable,
    FullFile,
    WheelsetTable,
)
from klingel.io.vehicle.template import EMPTY, REACHES, Variant, read_two_axle
from klingel.model.description import Body, ConicalWheelset, Connection, Element, Vehicle, Wheelset
from klingel.vehicles.checks import problems as structural_problems
from klingel.vehicles.checks import suggestion
from klingel.vehicles.templates import TEMPLATES
from klingel.vehicles.values import dotted, values

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
    return [EMPTY, *content.get("loads", {})] if "template" in content else []


def load_vehicle(
    name: str | Path,
    *,
    links: str | None = None,
    load: str = EMPTY,
    height: float | None = None,
    shift: tuple[float, float] | None = None,
    friction: float | Mapping[str, float] | None = None,
    leaf: str | None = None,
    leaf_model: str | None = None,
) -> Vehicle:
    """A vehicle of the library or from a TOML file.

    Parameters
    ----------
    name
        Name in the library, or path of a file.
    links
        Parameter set of the double-links: PTP, SPP, INP, ASZ or MP; the file's own choice if not given.
    load
        Load case of the file; `empty` is the carbody as it stands.
    height
        Centre of mass of carbody and load above the rail tops [m].
    shift
        Centre of mass off the middle, forwards and to the left [m].
    friction
        Coefficient of friction in the joints of the links, one number or one per corner; 0.3 is as published.
    leaf
        Leaf spring: trapezoidal or parabolic.
    leaf_model
        simplified (the published law near rest), full (keeps the weak damping near rest) or linear.

    Options that are not given leave the file's choice. They belong to templates; a full description has none.
    """
    variant = Variant(links, load, height, shift, friction, leaf, leaf_model)
    path = Path(name)
    if isinstance(name, Path) or path.suffix == ".toml" or path.is_file():
        return parse_vehicle(read_text(path), path.name, variant, path.parent)
    return parse_vehicle(library_text(str(name)), f"{name}.toml", variant)


def parse_vehicle(
    text: str, file: str = "vehicle", variant: Variant | None = None, folder: Path | None = None
) -> Vehicle:
    """Vehicle from the text of a file; raises FileError with every problem found.

    Wheel profiles that are files in `folder` get their full path.
    """
    content = read_toml(text, file)
    if folder is not None:
        _find_profiles(content, folder)
    problems: list[InputError] = []
    variant = variant or Variant()
    template = content.get("template")
    if template is None:
        if variant != Variant():
            raise InputError("load_vehicle", variant.given(), f"{file} is a full description and takes no options")
        _refuse_without_template(content, file)
        vehicle = _full(content, problems)
    elif isinstance(template, str) and template in TEMPLATES:
        vehicle = _expanded(content, variant, problems)
    else:
        raise FileError(file, [InputError("template", template, f"must be one of {', '.join(TEMPLATES)}")])
    if vehicle is not None:
        problems += structural_problems(vehicle)
    if problems or vehicle is None:
        raise FileError(file, problems)
    return vehicle


def _refuse_without_template(content: Mapping[str, Any], file: str) -> None:
    """Keys of a template file without its `template`: one thing is missing, not all keys are wrong."""
    if "bodies" not in content and len(set(content) & (set(REACHES) | {"loads"})) > 1:
        words = " or ".join(f'"{name}"' for name in TEMPLATES)
        raise FileError(file, [InputError("template", None, f"must be given, {words}: these are its keys")])


def _find_profiles(content: dict[str, Any], folder: Path) -> None:
    wheelsets = content.get("wheelsets")
    tables = [content, *(wheelsets.values() if isinstance(wheelsets, dict) else ())]
    for table in tables:
        profile = table.get("profile") if isinstance(table, dict) else None
        if isinstance(profile, str) and profile and (folder / profile).is_file():
            table["profile"] = str((folder / profile).resolve())


def _expanded(content: Mapping[str, Any], variant: Variant, problems: list[InputError]) -> Vehicle | None:
    try:
        return read_two_axle(content, variant, problems)
    except InputError as error:
        told = InputError(dotted(error.field), error.given, error.allowed)
        if variant != Variant():
            raise told from None  # an option of the caller, not the file
        problems.append(told)
        return None


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
        return tuple(
            Wheelset(n, t.profile, t.radius, t.back_to_back, t.friction, t.damping) for n, t in read.items() if t
        )

    def conical_wheelsets(self, section: Mapping[str, Any]) -> tuple[ConicalWheelset, ...]:
        found = []
        for name, table in section.items():
            read = read_table(ConeTable, table, name, self.problems)
            try:
                found += [ConicalWheelset(name, read.cone())] if read else []
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
            return Element(name, read.connection, read.direction, law(**read.parameters()))
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


def _full(content: Mapping[str, Any], problems: list[InputError]) -> Vehicle | None:
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
    if problems:
        return None
    meta = {"title": top.title, **top.meta} if top.title else dict(top.meta)
    sources = dict(top.sources)
    vehicle = Vehicle(top.name, bodies, connections, elements, wheelsets, top.gravity, sources, meta, conical)
    problems += _sources(vehicle)
    return vehicle


def _sources(vehicle: Vehicle) -> list[InputError]:
    known = {*values(vehicle), *(f"{body.name}.free" for body in vehicle.bodies)}
    known |= {name.rsplit(".", i)[0] for name in known for i in range(1, name.count(".") + 1)}
    return [unknown_key(f"sources.{name}", name, sorted(known)) for name in vehicle.sources if name not in known]
