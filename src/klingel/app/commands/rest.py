"""`klingel rest VEHICLE`: how far friction holds a vehicle beside its static equilibrium."""

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from klingel.app.choices import check_places, requested
from klingel.app.console import note_file, print_json
from klingel.app.options import Changes, Inclination, Json, Links, Load, SmoothTrack
from klingel.app.progress import kill_as_interrupt

if TYPE_CHECKING:
    from klingel.simulation.resting.rest_set import RestSet


def rest(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    coordinate: Annotated[
        list[str] | None, typer.Option(help="like carbody.y, repeatable; all lateral positions if not given")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="every coordinate")] = False,
    parts: Annotated[bool, typer.Option("--parts", help="look for parts that do not hang together, too")] = False,
    leaf_friction: Annotated[
        bool,
        typer.Option(help="whether leaf springs hold anything between their envelopes, or stay on their line"),
    ] = True,
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: SmoothTrack = None,
    set_: Changes = None,
    out: Annotated[Path | None, typer.Option(help="JSON file, for klingel plot --with")] = None,
    json: Json = False,
) -> None:
    """Least and greatest position at rest of each coordinate: with dry friction rest is a set.

    Example: klingel rest hbbills311 --coordinate carbody.y --coordinate front_wheelset.y
    """
    from klingel.simulation.resting.rest_set import SPEED, rest_set

    keep = ("vehicle", "links", "load", "inclination", "track", "set_")
    asked = requested({name: context.params[name] for name in keep}, speed=SPEED, duration=1.0)
    check_places(out)
    model = asked.read_vehicle()
    bodies = {body.name: body.free for body in model.bodies}
    names = coordinate or (None if all_ else [f"{name}.y" for name, free in bodies.items() if "y" in free])
    with kill_as_interrupt():
        found = rest_set(model, asked.read_track(), SPEED, names, parts=parts, leaf_friction=leaf_friction)
    files = [] if out is None else [str(found.save(out))]
    if json:
        print_json(found.as_dict(files))
    else:
        _report(found, files)


def _report(found: "RestSet", files: list[str]) -> None:
    for name, (low, high) in found.extent.items():
        unit = "mm" if name.rpartition(".")[2] in ("x", "y", "z") else "mrad"
        doubt = "" if all(found.final[name]) else "   (may reach farther)"
        ends = [f"{1e3 * end:10.4f}" if isfinite(end) else "  not held" for end in (low, high)]
        print(f"{name:28s} {ends[0]} to {ends[1]} {unit}{doubt}")
    for number, part in enumerate(found.parts, 2):
        told = ", ".join(f"{name} {_mm(a)} to {_mm(b)} mm" for name, (a, b) in part.extent.items())
        print(f"part {number}: {told}")
    for path in files:
        note_file(path)


def _mm(end: float) -> str:
    return f"{1e3 * end:.3f}" if isfinite(end) else "not held"
