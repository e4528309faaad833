"""`klingel continue VEHICLE`: a branch of periodic motions, stable and unstable."""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from klingel._errors import InputError
from klingel.app.choices import check_places, option, requested
from klingel.app.commands.run import INTERRUPTED
from klingel.app.console import note_file, print_json
from klingel.app.options import Changes, Inclination, Json, Links, Load, SmoothLength, SmoothSpeed, SmoothTrack
from klingel.app.progress import kill_as_interrupt, progress_bar
from klingel.io.units import parse_quantity

if TYPE_CHECKING:
    from klingel.model.description import Vehicle
    from klingel.simulation.orbits.result import VehicleBranch


def continue_(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    from_: Annotated[str | None, typer.Option("--from", help="first value of the parameter: 70, 250km/h")] = None,
    to: Annotated[str | None, typer.Option("--to", help="last value")] = None,
    parameter: Annotated[str, typer.Option(help="what changes: speed, carbody.mass, ...")] = "speed",
    speed: Annotated[str | None, typer.Option(help="when something else changes")] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="stored run that has settled to a motion at the first value, or stored branch"),
    ] = None,
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: SmoothTrack = None,
    set_: Changes = None,
    locate: Annotated[
        str | None, typer.Option(help="smooth, with a width, or ignore: laws rounded, or without corners")
    ] = None,
    smooth_length: SmoothLength = None,
    smooth_speed: SmoothSpeed = None,
    points: Annotated[int, typer.Option(help="at most, of each branch")] = 400,
    switch: Annotated[
        int, typer.Option(help="how often to go over to branches that leave: period doubling, loss of symmetry")
    ] = 0,
    out: Annotated[Path | None, typer.Option(help="file for the result, netCDF")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with an unfinished branch")] = False,
    picture: Annotated[Path | None, typer.Option(help="diagram: .png, .svg or .pdf")] = None,
    json: Json = False,
) -> None:
    """Follow periodic motions over the speed, or another value: stable and unstable, with special points.

    The branch begins where rest loses its stability between both speeds, otherwise with what a kick settles to at
    the first value, or with a stored run.

    Example: klingel continue cooperrider --from 70 --to 50 --picture branch.png

    Example: klingel continue cooperrider --from 130 --to 60 --switch 1 --out branch.nc
    """
    from klingel.simulation.orbits.continue_orbit import continue_orbit, way_of

    for name, text in (("--from", from_), ("--to", to)):
        if text is None:
            raise InputError(name, None, "must be given: a value of the parameter, like 70 or 250km/h")
    others = {
        name: value for name, value in context.params.items() if name not in ("start", "speed", "out", "resume")
    }
    asked = requested(others, speed=1.0, duration=1.0)
    model, rails = asked.given_vehicle(), asked.read_track()
    first, last = (_value(model, parameter, str(text), name) for name, text in (("--from", from_), ("--to", to)))
    check_places(out)
    if picture is not None:
        from klingel.plots.style import check_format

        check_format(picture)
    at = None if speed is None else option(speed, "speed", "--speed")
    with kill_as_interrupt(), progress_bar("following") as on_chunk:
        counted = 0

        def on_point(orbit: Any) -> None:
            nonlocal counted
            counted += 1
            on_chunk(SimpleNamespace(t=counted, t_end=points))

        found = continue_orbit(
            model, rails, first=first, last=last, parameter=parameter, speed=at, start=start, points=points,
            switch=switch, out=out, resume=resume, on_point=on_point, **way_of(asked),
        )  # fmt: skip
    files = [] if out is None else [str(out)]
    if picture is not None:
        from klingel.plots.catalogue import draw
        from klingel.plots.style import save

        save(draw("branch", found), picture)
        files.append(str(picture))
    if json:
        print_json(document(found, files))
    else:
        _report(found, files)
    raise typer.Exit(0 if found.status == "done" else INTERRUPTED)


def _value(model: "Vehicle", parameter: str, text: str, name: str) -> float:
    from klingel.io.vehicle.options import is_word, read_property

    if parameter == "speed":
        return option(text, "speed", name)
    if is_word(model, parameter):
        raise InputError("--parameter", parameter, "must be a number that can change little by little")
    found = read_property(model, parameter, text)
    return float(found) if not isinstance(found, str) else parse_quantity(text, name)


def document(found: "VehicleBranch", files: list[str]) -> dict[str, Any]:
    """What `--json` prints."""
    from math import isnan

    names, parts = found.coordinates, found.part
    points = []
    for k, value in enumerate(found.parameter.tolist()):
        multipliers = [[m.real, m.imag] for m in found.multipliers(k).tolist()]
        points.append(
            {
                "parameter": value,
                "part": int(parts[k]),
                "stable": bool(found.stable[k]),
                "period": float(found["period"][k]),
                "amplitude": {name: float(found[f"{name}.amplitude"][k]) for name in names},
                "multipliers": [[None if isnan(part) else part for part in m] for m in multipliers],
                "events": int(found["events"][k]),
            }
        )
    special = [s.as_dict() for s in found.special]
    return {
        "name": found.settings["parameter"], "points": points, "special": special, "ended": found.ended,
        "parts": found.settings.get("parts", []), "status": found.status, "files": files,
    }  # fmt: skip


def _report(found: "VehicleBranch", files: list[str]) -> None:
    names = [name for name in found.coordinates if name.endswith(".y")]
    title = found.settings["parameter"]
    print(
        f"{title:>14s} {'':8s} {'period [s]':>12s} {'multiplier':>12s} "
        + " ".join(f"{n + ' [mm]':>28s}" for n in names)
    )
    part = 0
    for k, value in enumerate(found.parameter):
        if found.part[k] != part:
            part = int(found.part[k])
            print(_leaves(found.settings["parts"][part]))
        largest = max((abs(m) for m in found.multipliers(k)), default=0.0)
        sizes = " ".join(f"{1e3 * float(found[f'{name}.amplitude'][k]):28.4f}" for name in names)
        word = "stable" if found.stable[k] else "unstable"
        print(f"{value:14.8g} {word:8s} {float(found['period'][k]):12.7f} {largest:12.5g} {sizes}")
    for special in found.special:
        print(f"{special.type} at {special.parameter:.9g}" + (f" ({special.detail})" if special.detail else ""))
    for number, told in enumerate(found.settings.get("parts", [])):
        if number and number not in found.part:
            print(f"{_leaves(told)} {told['ended']}")
    print(f"{found.ended}; amplitudes: half of peak to peak")
    for path in files:
        note_file(path)


def _leaves(told: dict[str, Any]) -> str:
    return f"leaving at the {told['type']} at {told['parameter']:.9g}:"
