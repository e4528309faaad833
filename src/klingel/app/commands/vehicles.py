"""`klingel vehicles [NAME]`: the library, one vehicle in words, or its file as a starting point."""

from collections.abc import Mapping, Sequence
from math import isinf
from typing import Annotated, Any

import typer

from klingel._errors import InputError
from klingel.app.choices import warn_of_unlikely
from klingel.app.console import print_json
from klingel.app.options import Changes, Json


def vehicles(
    name: Annotated[str, typer.Argument(help="vehicle of the library or file; leave out to list them")] = "",
    toml: Annotated[bool, typer.Option("--toml", help="print the full description")] = False,
    template: Annotated[bool, typer.Option("--template", help="print the short file it is made from")] = False,
    templates: Annotated[
        bool, typer.Option("--templates", help="list the templates: what their files hold, their options")
    ] = False,
    links: Annotated[str | None, typer.Option(help="parameter set of the links, where there are some")] = None,
    load: Annotated[str, typer.Option(help="load case of the file")] = "empty",
    set_: Changes = None,
    json: Json = False,
) -> None:
    """List the vehicles, or show one: its values, where they come from, its file.

    Example: klingel vehicles hbbills311 --template > mine.toml
    """
    from klingel.io.vehicle.files import library, library_text, load_vehicle
    from klingel.io.vehicle.options import with_settings
    from klingel.io.vehicle.toml import to_toml

    if templates:
        _templates(json)
        return
    if not name:
        _list(library(), json)
        return
    if template:
        if name not in library():
            raise InputError("--template", name, f"works on the library: {', '.join(library())}")
        print(library_text(name), end="")
        return
    vehicle = with_settings(load_vehicle(name, links=links, load=load), set_ or [])
    warn_of_unlikely(vehicle)
    if toml:
        print(to_toml(vehicle), end="")
    elif json:
        print_json(_document(vehicle))
    else:
        _show(vehicle)


def _list(names: list[str], json: bool) -> None:
    from klingel.io.vehicle.files import load_cases, load_vehicle

    rows = [{"name": n, "title": load_vehicle(n).meta["title"], "loads": load_cases(n)} for n in names]
    if json:
        print_json(rows)
        return
    width = max(map(len, names), default=0)
    for row in rows:
        loads = f"; loads: {', '.join(row['loads'])}" if row["loads"] else ""
        print(f"{row['name']:{width}s} {row['title']}{loads}")


def _document(vehicle) -> dict[str, Any]:
    from klingel.model.standing.statics import static_loads
    from klingel.vehicles.registry import options_of
    from klingel.vehicles.values import template_values, values

    def plain(found: dict[str, Any]) -> dict[str, Any]:
        # JSON has no infinity
        return {k: str(v) if isinstance(v, float) and isinf(v) else v for k, v in found.items()}

    return {
        "name": vehicle.name,
        "title": vehicle.meta.get("title", ""),
        **{name: vehicle.meta.get(name, "") for name, option in options_of(vehicle).items() if option.word},
        "values": plain(values(vehicle)),
        "template": plain(template_values(vehicle)),
        "static_loads": static_loads(vehicle).found,
        "sources": vehicle.sources,
    }


def _show(vehicle) -> None:
    from klingel.io.vehicle.units import with_unit
    from klingel.model.standing.statics import static_loads
    from klingel.vehicles.registry import options_of, template_of
    from klingel.vehicles.values import template_values, values

    print(vehicle.meta.get("title") or vehicle.name)
    chosen = [f"{key} {vehicle.meta[key]}" for key in options_of(vehicle) if key in vehicle.meta]
    if chosen:
        print(", ".join(chosen))
    for name, value in (template_values(vehicle) or values(vehicle)).items():
        print(f"  {name:32s} {with_unit(vehicle, name, value)}")
    carried = {name: load for name, load in static_loads(vehicle).found.items() if load != 0.0}
    if carried:
        print("static loads, in the position drawn")
        for name, load in carried.items():
            print(f"  {name:32s} {load / 1e3:.4g} kN")
    if vehicle.sources:
        print("sources")
        template = template_of(vehicle)
        for source, names in _by_source(vehicle.sources, template.places if template else ()).items():
            print(f"  {source}: {', '.join(names)}")


def _by_source(sources: dict[str, str], places: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Names under each source; what holds at every corner or wheelset is told once, for all corners."""
    found: dict[str, list[str]] = {}
    shorter = {one: f"{what}s" for place in places for what, one in place.items()}
    for name, source in sources.items():
        short = name
        for one, all_of_them in shorter.items():
            short = short.replace(one, all_of_them)
        names = found.setdefault(source, [])
        if short not in names:
            names.append(short)
    return found


def _templates(json: bool) -> None:
    from klingel.vehicles.registry import templates

    rows = [
        {
            "name": entry.name,
            "line": entry.line,
            "options": {option.keyword: option.line for option in entry.options},
            "fields": {name: described(field) for name, field in entry.fields.items()},
        }
        for entry in templates().values()
    ]
    if json:
        print_json(rows)
        return
    for row in rows:
        print(f"{row['name']}: {row['line']}")
        for title in ("fields", "options"):
            print(f"  {title}")
            for name, line in row[title].items():
                print(f"    {name:20s} {line}")


def described(field: Any) -> str:
    """A field of a template file, for people."""
    from klingel.io.units import si_unit
    from klingel.vehicles.fields import REQUIRED, Choice, Each, Group, Named, Quantity, Word

    if isinstance(field, Group | Named):
        inner = ", ".join(field.group.fields if isinstance(field, Named) else field.fields)
        what = f"{'tables by name' if isinstance(field, Named) else 'table'}: {inner}"
    elif isinstance(field, Quantity):
        what = field.dimension if field.size == 1 else f"{field.size} times {field.dimension}"
    elif isinstance(field, Word | Choice):
        what = ", ".join(field.words) + (f", or {field.own_line}" if isinstance(field, Choice) else "")
    elif isinstance(field, Each):
        what = f"one {field.quantity.dimension}, or one for each of {', '.join(field.places)}"
    else:
        what = "text"
    default = getattr(field, "default", REQUIRED)
    unit = f" {si_unit(field.dimension)}".rstrip() if isinstance(field, Quantity) else ""
    told = "" if default is REQUIRED or default in (None, "") else f"; {default}{unit} if not given"
    return what + told + (f" ({field.line})" if field.line else "")
