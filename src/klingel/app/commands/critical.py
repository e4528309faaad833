"""`klingel critical VEHICLE`: how fast may it run?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from klingel.app.choices import check_places, option, requested, speed_told, warn_of_unlikely
from klingel.app.command_line import repeat
from klingel.app.commands.run import COMPILES, INTERRUPTED
from klingel.app.console import note, note_file, print_json
from klingel.app.options import Changes, Inclination, Json, Links, Load, SmoothTrack
from klingel.app.progress import kill_as_interrupt, point_bar

if TYPE_CHECKING:
    from klingel.simulation.critical.result import CriticalSpeed


def critical(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: SmoothTrack = None,
    set_: Changes = None,
    threshold: Annotated[str, typer.Option(help="lateral motion of a wheelset that counts")] = "0.5mm",
    slowest: Annotated[str, typer.Option(help="speed looked at: 3, 10km/h")] = "3",
    fastest: Annotated[str, typer.Option(help="speed looked at: 70, 250km/h")] = "70",
    hold: Annotated[str, typer.Option(help="least time at each speed of a descent")] = "5s",
    seeds: Annotated[int, typer.Option(help="descents of each family and way of computing")] = 5,
    seed: Annotated[int, typer.Option(help="of the first")] = 0,
    method: Annotated[str | None, typer.Option(help="of integration; auto if not given")] = None,
    other_method: Annotated[str, typer.Option(help="second method")] = "bs32",
    rtol: Annotated[
        float | None, typer.Option(help="relative tolerance, and a tenth of it; 1e-5 if not given")
    ] = None,
    request: Annotated[
        Path | None, typer.Option(help="file of a run request, TOML; options given go before it")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="processes; one per core if not given")] = None,
    out: Annotated[Path | None, typer.Option(help="file for the result, JSON")] = None,
    force: Annotated[bool, typer.Option("--force", help="overwrite a result that is there")] = False,
    report: Annotated[
        Path | None, typer.Option(help="folder for a page with picture, evidence and this command")
    ] = None,
    json: Json = False,
) -> None:
    """Lowest speed at which the vehicle keeps moving, for each family of motion, with uncertainty, or a refusal.

    Example: klingel critical hbbills311 --inclination 1/40 --report critical
    """
    from klingel.simulation.compile_ahead import is_first
    from klingel.simulation.critical.critical_speed import RTOL, critical_speed

    asked = requested(context.params, speed=1.0, duration=1.0, rtol=RTOL)
    check_places(out, report)
    numbers: dict[str, Any] = {
        "threshold": option(threshold, "length", "--threshold"),
        "slowest": option(slowest, "speed", "--slowest"),
        "fastest": option(fastest, "speed", "--fastest"),
        "hold": option(hold, "time", "--hold"),
    }
    warn_of_unlikely(asked.read_vehicle())
    if is_first():
        note(COMPILES)
    with kill_as_interrupt(), point_bar("looking for motions") as on_point:
        found = critical_speed(
            asked, seeds=seeds, seed=seed, other_method=other_method, workers=workers, out=out, overwrite=force,
            on_point=on_point, **numbers,
        )  # fmt: skip
    files = [str(out)] if out is not None else []
    if report is not None:
        from klingel.reports.critical import write_critical

        files.append(str(write_critical(found, report, repeat(context))))
    if json:
        print_json(found.as_dict(files))
    else:
        _report(found, files)
    raise typer.Exit(0 if found.status == "done" else INTERRUPTED)


def _report(found: "CriticalSpeed", files: list[str]) -> None:
    print(f"{found.vehicle}: {found.reason if found.verdict != 'refused' else f'no verdict: {found.reason}'}")
    for name, words in (("stuck", "sliders stuck"), ("slipping", "sliders taken away")):
        value = found.linear[name]
        told = "none" if value is None else f"{speed_told(value['speed'])}, {value['frequency']:.3g} Hz"
        print(f"  linear critical speed, {words}: {told}")
    for motion in found.motions:
        rate = f", {motion.frequency:.3g} Hz" if motion.frequency is not None else ""
        doubt = "" if motion.agrees else f"; disagrees, {motion.found} of {motion.asked} descents"
        print(
            f"  {motion.family}: from {speed_told(motion.speed)} [{motion.low:.4g} to {motion.high:.4g}], "
            f"{motion.kind}, {1e3 * motion.amplitude:.2f} mm{rate}{doubt}"
        )
    for name, speed in found.protocols.items():
        print(f"  {name}: {'none' if speed is None else speed_told(speed)}")
    for line in found.evidence:
        value = f"{line['value']:.4g}" if isinstance(line["value"], float) else line["value"]
        print(f"  {line['what']}: {value}")
    for path in files:
        note_file(path)
