"""`klingel irregular VEHICLE`: what can be said of a motion that does not repeat."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from klingel.app.choices import check_places, offsets, option, requested, speed_told
from klingel.app.console import note_file, print_json
from klingel.app.options import Changes, Inclination, Json, Links, Load, SmoothTrack
from klingel.app.progress import kill_as_interrupt, point_bar

if TYPE_CHECKING:
    from klingel.simulation.irregular.irregular_motion import IrregularMotion


def irregular(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    speed: Annotated[str | None, typer.Option(help="45, 160km/h")] = None,
    duration: Annotated[str, typer.Option(help="time that is looked at")] = "60s",
    transient: Annotated[str, typer.Option(help="time before that")] = "20s",
    coordinate: Annotated[
        str | None, typer.Option(help="its rises through zero are the section; y of the first wheelset")
    ] = None,
    kick: Annotated[list[str] | None, typer.Option(help="offset at the start, e.g. front_wheelset.y=5mm")] = None,
    start: Annotated[Path | None, typer.Option(help="stored run whose last state is the start")] = None,
    exponent: Annotated[bool, typer.Option(help="whether the Lyapunov exponent is computed")] = True,
    starts: Annotated[int, typer.Option(help="seeded starts, for the time irregular motion survives")] = 0,
    seed: Annotated[int, typer.Option(help="of the first")] = 0,
    cap: Annotated[str, typer.Option(help="how long each is watched")] = "60s",
    settle: Annotated[str, typer.Option(help="time of each that does not count")] = "10s",
    least: Annotated[str, typer.Option(help="half width below which a motion has ended")] = "0.5mm",
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: SmoothTrack = None,
    set_: Changes = None,
    picture: Annotated[Path | None, typer.Option(help="section: .png, .svg or .pdf")] = None,
    json: Json = False,
) -> None:
    """Poincaré section, largest Lyapunov exponent with its error, and how long irregular motion survives.

    Example: klingel irregular hbbills311 --speed 45 --starts 20 --picture section.png
    """
    from klingel.simulation.irregular.irregular_motion import irregular_motion

    keep = ("vehicle", "speed", "links", "load", "inclination", "track", "set_")
    asked = requested({name: context.params[name] for name in keep}, duration=1.0)
    check_places(picture)
    if picture is not None:
        from klingel.plots.style import check_format

        check_format(picture)
    numbers: dict[str, Any] = {
        "duration": option(duration, "time", "--duration"),
        "transient": option(transient, "time", "--transient"),
        "cap": option(cap, "time", "--cap"),
        "settle": option(settle, "time", "--settle"),
        "least": option(least, "length", "--least"),
    }
    begin = start if start is not None else offsets(kick) if kick else None
    with kill_as_interrupt(), point_bar("following") as on_point:
        found = irregular_motion(
            asked.read_vehicle(), asked.read_track(), speed=asked.speed, start=begin, coordinate=coordinate,
            exponent=exponent, starts=starts, seed=seed, on_point=on_point, **numbers,
        )  # fmt: skip
    files = []
    if picture is not None:
        from klingel.plots.runs.section import draw_irregular
        from klingel.plots.style import save

        save(draw_irregular(found), picture)
        files.append(str(picture))
    if json:
        print_json(found.as_dict(files))
    else:
        _report(found, files)


def _report(found: "IrregularMotion", files: list[str]) -> None:
    print(f"at {speed_told(found.speed)}: {found.section.t.size} rises of {found.coordinate} through zero")
    if found.lyapunov is not None:
        exponent, error, _ = found.lyapunov
        print(f"largest Lyapunov exponent {exponent:.4g} 1/s, standard error {error:.2g}")
    else:
        print(f"no Lyapunov exponent: {found.reason}")
    life = found.lifetime
    if life is not None and life.ends:
        told = f"mean time of survival {life.mean:.4g} s, standard error {life.mean_error:.2g}"
        print(f"{told}: {life.ends} of {life.starts} starts ended")
    elif life is not None:
        print(f"none of {life.starts} starts ended: fewer than {life.error:.2g} per second, 95 %")
    elif found.survival is not None:
        print(found.reason)
    for path in files:
        note_file(path)
