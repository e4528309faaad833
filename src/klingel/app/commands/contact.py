"""`klingel contact WHEEL RAIL`: contact table, jumps, conicity, pictures."""

from pathlib import Path
from typing import Annotated

import typer

from klingel._arguments import check_number
from klingel._errors import InputError
from klingel.app.console import note, note_file, print_json
from klingel.app.options import Json
from klingel.io.units import parse_quantity

SHORTEST_REACH = 1e-4  # [m]
LARGEST_YAW = 0.1  # of a wheelset on its rails [rad]
MANY = 12  # jumps of both wheels; S1002 on UIC60 has six, a curve through noisy points dozens


def contact(
    wheel: Annotated[str, typer.Argument(help="library name (S1002, cone:1/20) or profile file")],
    rail: Annotated[str, typer.Argument(help="library name (UIC60, 60E1) or profile file")],
    inclination: Annotated[str, typer.Option(help="of the rails")] = "1/40",
    gauge: Annotated[str, typer.Option(help="track gauge")] = "1435mm",
    radius: Annotated[str, typer.Option(help="nominal rolling radius")] = "460mm",
    flange_back: Annotated[str, typer.Option(help="distance of the flange backs")] = "1360mm",
    amplitudes: Annotated[str, typer.Option(help="for conicity, separated by commas")] = "1mm,3mm",
    yaw: Annotated[str, typer.Option(help="of the wheelset, for the table")] = "0",
    overlap: Annotated[str, typer.Option(help="width of the overlap at each jump")] = "0.2mm",
    loaded: Annotated[str, typer.Option(help="wheel load; overlaps as wide as its transfer at a jump")] = "",
    residual: Annotated[str, typer.Option(help="rms smoothing of the points of profile files")] = "0",
    step: Annotated[str, typer.Option(help="largest spacing of the table")] = "0.1mm",
    reach: Annotated[
        str, typer.Option(help="largest lateral shift of the table; 10mm, more where a worn flange comes later")
    ] = "",
    wheel_right: Annotated[str, typer.Option(help="right wheel, where it differs")] = "",
    out: Annotated[Path | None, typer.Option(help="folder for table and pictures")] = None,
    json: Json = False,
) -> None:
    """Contact of a wheelset on its track: where wheel and rail touch, and what follows from it.

    Example: klingel contact S1002 UIC60 --inclination 1/40 --amplitudes 1mm,2.5mm
    """
    from klingel.contact.table.build import Grid, shift_range
    from klingel.io.contact.cache import wheelset_on_track
    from klingel.reports.contact import study, write

    sizes = [parse_quantity(text, "--amplitudes", "length") for text in amplitudes.split(",")]
    load = parse_quantity(loaded, "--loaded", "force") if loaded else None
    end = check_number("reach", parse_quantity(reach, "--reach", "length"), "m", SHORTEST_REACH) if reach else 0.0
    wide = check_number("overlap", parse_quantity(overlap, "--overlap", "length"), "m", 0.0)
    taken = check_number("residual", parse_quantity(residual, "--residual", "length"), "m", 0.0)
    turned = parse_quantity(yaw, "--yaw", "angle")
    if abs(turned) > LARGEST_YAW:
        raise InputError("yaw", yaw, f"must be at most {LARGEST_YAW:g} rad to either side")
    wheelset = wheelset_on_track(
        wheel,
        rail,
        parse_quantity(inclination, "--inclination", "number"),
        parse_quantity(gauge, "--gauge", "length"),
        parse_quantity(radius, "--radius", "length"),
        parse_quantity(flange_back, "--flange-back", "length"),
        residual=taken,
        wheel_right=wheel_right,
    )
    low, high = (-end, end) if reach else shift_range(wheelset)
    grid = Grid(low, high, parse_quantity(step, "--step", "length"), wide)
    note("computing contact; the first run compiles")
    try:
        result = study(wheelset, sizes, turned, grid, load)
    except InputError as error:
        if error.field != "lateral shift" or not isinstance(error.given, float):
            raise
        allowed = f"{error.allowed}, at a shift of {1e3 * error.given:.3g} mm"
        raise InputError("--reach", f"{1e3 * max(-low, high):.3g} mm", allowed) from None
    if not taken and len(result.as_dict()["jumps"]) > MANY:
        note("many jumps of the contact point: points of a measured profile are noisy, try --residual 5um")
    if json:
        print_json(result.as_dict(write(result, out or Path("klingel-contact"))))
        return
    _print_summary(result.as_dict())  # before the pictures: numbers are there whatever happens to those
    for path in write(result, out or Path("klingel-contact")):
        note_file(path)


def _print_summary(document: dict) -> None:
    inclination = document["inclination"]
    tilt = f"1/{1 / inclination:.4g}" if inclination else "0"
    print(f"{document['wheel']} on {document['rail']}, inclination {tilt}, gauge {1e3 * document['gauge']:g} mm")
    jumps = ", ".join(f"{1e3 * y:.3f}" for y in document["jumps"])
    print(f"jumps of the contact point at {jumps} mm" if jumps else "the contact point does not jump")
    print(f"{'amplitude':>12s} {'conicity':>12s} {'with roll':>12s} {'dr':>12s}")
    print(f"{'[mm]':>12s} {'EN 15302 [-]':>12s} {'[-]':>12s} {'[mm]':>12s}")
    for key, value in document["conicity"].items():
        roll, dr = document["conicity_with_roll"][key], document["rolling_radius_difference"][key]
        shown = " ".join(f"{'-' if c is None else format(c, '.4f'):>12s}" for c in (value, roll))
        print(f"{1e3 * float(key):12g} {shown} {1e3 * dr:12.3f}")
    for remark in document["remarks"]:
        print(remark)
