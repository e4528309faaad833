"""`klingel run VEHICLE`: one simulation."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from klingel._errors import InputError
from klingel.app.choices import check_places, option, requested, speed_told, warn_of_unlikely
from klingel.app.command_line import repeat, typed
from klingel.app.console import note, note_file, print_json
from klingel.app.options import (
    AnyTrack,
    Changes,
    Inclination,
    Json,
    Links,
    Load,
    Locate,
    SmoothLength,
    SmoothSpeed,
)
from klingel.app.progress import kill_as_interrupt, progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from klingel.simulation.run import Run
    from klingel.simulation.settled import Settled

DURATION = 10.0  # if not given [s]
BROKEN_OFF = 1  # exit code: the integrator could not go on
INTERRUPTED = 130  # exit code after Ctrl-C
KEPT_ELSEWHERE = 3  # exit code: there was no room where the result was to go
GOES_ON_WITH = {"continue_", "duration", "out", "force", "report", "json"}  # all else is in the file
COMPILES = "the first run compiles the kernels, which takes about a minute; later runs start at once"


def run(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    speed: Annotated[str | None, typer.Option(help="at the start: 45, 160km/h")] = None,
    duration: Annotated[str | None, typer.Option(help="simulated time: 20, 2min; 10s if not given")] = None,
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: AnyTrack = None,
    acceleration: Annotated[
        str | None, typer.Option(help="of the vehicle, in m/s2, negative for braking; 0 if not given")
    ] = None,
    kick: Annotated[list[str] | None, typer.Option(help="offset at the start, e.g. front_wheelset.y=5mm")] = None,
    slider: Annotated[
        list[str] | None, typer.Option(help="friction slider displaced at the start, e.g. '*.link_y=2mm'")
    ] = None,
    leaves: Annotated[
        str | None, typer.Option(help="leaf springs start at rest (if not given), loading or unloading")
    ] = None,
    placing: Annotated[
        str | None,
        typer.Option(help="kicked wheelsets on their rails (rails, if not given), sliders dragged, or bare"),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(help="stored run whose last state is the start, instead of kicks")
    ] = None,
    set_: Changes = None,
    method: Annotated[str | None, typer.Option(help="of integration; auto if not given")] = None,
    rtol: Annotated[float | None, typer.Option(help="relative tolerance of one step; 1e-6 if not given")] = None,
    locate: Locate = None,
    smooth_length: SmoothLength = None,
    smooth_speed: SmoothSpeed = None,
    output_step: Annotated[
        str | None, typer.Option(help="spacing of the rows of the result; 10ms if not given")
    ] = None,
    quantities: Annotated[
        str | None,
        typer.Option(help="kept in the file: names and patterns, like 'front_wheelset.y,*.Q', all or usual"),
    ] = None,
    precision: Annotated[str | None, typer.Option(help="of the file: single (if not given) or double")] = None,
    request: Annotated[
        Path | None, typer.Option(help="file with all of these, TOML; options given go before it")
    ] = None,
    print_request: Annotated[
        bool, typer.Option("--print-request", help="print such a file with the options given, and end")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="file for the result, netCDF, written as the run goes on")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="overwrite a result that is there")] = False,
    report: Annotated[Path | None, typer.Option(help="folder for a page with pictures and numbers")] = None,
    continue_: Annotated[
        Path | None,
        typer.Option("--continue", help="go on with the run of this file, into --out or the file itself"),
    ] = None,
    json: Json = False,
) -> None:
    """Simulate one vehicle on one track.

    Example: klingel run hbbills311 --speed 45 --duration 20 --kick front_wheelset.y=5mm --report shown
    """
    from klingel.simulation.simulate import simulate, with_files_read
    from klingel.simulation.storing import check_place

    if continue_ is not None:
        for name, said in typed(context).items():
            if name not in GOES_ON_WITH:
                raise InputError(said, None, "must not be given with --continue: all of the run is in its file")
        _go_on(continue_, duration, out, force, report, repeat(context), json)
    asked = requested(context.params, duration=DURATION)
    if print_request:
        print(asked.to_toml(), end="")
        raise typer.Exit()
    check_places(out, report)
    if out is not None:
        check_place(out, force, "--out")
    asked = with_files_read(asked)
    warn_of_unlikely(asked.read_vehicle())
    result, code = _guarded(lambda on_chunk: simulate(asked, on_chunk=on_chunk, out=out, overwrite=force))
    _end(vehicle or result.vehicle.name, result, code, out, report, repeat(context), json, speed or "")


def _go_on(
    path: Path, duration: str | None, out: Path | None, force: bool, report: Path | None, command: str, json: bool
) -> NoReturn:
    """The rest of a run that was broken off."""
    from klingel.simulation.continue_run import continue_run
    from klingel.simulation.run import load_run

    check_places(out, report)
    part = load_run(path)
    whole = None if duration is None else option(duration, "time", "--duration")
    place = out or path
    result, code = _guarded(lambda on_chunk: continue_run(part, whole, on_chunk, place, force))
    _end(part.vehicle.name, result, code, place, report, command, json)


def _end(
    vehicle: str, result: "Run", code: int, out: Path | None, report: Path | None, command: str, json: bool,
    speed: str = "",
) -> NoReturn:  # fmt: skip
    """The report, what is printed (the speed as it was typed), and the exit code."""
    files = [] if result.file is None else [str(result.file)]
    if report is not None:
        files.append(str(_write_report(result, report, command)))
    _tell(vehicle, result, files, json, speed)
    raise typer.Exit(code or (KEPT_ELSEWHERE if result.file != out else 0))


def _write_report(result: "Run", folder: Path, command: str) -> Path:
    from klingel.reports.run import write_report

    note("drawing the report")
    return write_report(result, folder, command)


def _guarded(job: "Callable[[Any], Run]") -> "tuple[Run, int]":
    """The run of the job, whole or in part, and the exit code."""
    from klingel.simulation.compile_ahead import is_first
    from klingel.simulation.run import INTERRUPTED as STOPPED
    from klingel.simulation.run import SimulationError

    if is_first():
        note(COMPILES)
    with kill_as_interrupt(), progress_bar("simulating") as on_chunk:
        try:
            result = job(on_chunk)
        except SimulationError as error:
            note(f"klingel: {error}")
            return error.run, BROKEN_OFF
    if result.status == STOPPED:
        note(f"klingel: {result.ended}")
    return result, INTERRUPTED if result.status == STOPPED else 0


def _tell(vehicle: str, run: "Run", files: list[str], json: bool, speed: str) -> None:
    from klingel.simulation.lift_off import lift_offs
    from klingel.simulation.run import FAILED
    from klingel.simulation.run import INTERRUPTED as STOPPED
    from klingel.simulation.settled import settled
    from klingel.simulation.sliding_start import sliding_starts

    for start in sliding_starts(run):
        note(f"warning: {start.told()}")
    found = settled(run) if _has_motion(run) and run.status != FAILED else None
    if json:
        print_json(document(vehicle, run, found, files))
        return
    ratio = run.stats.simulated_time / max(run.stats.wall_time, 1e-9)
    noted = run.status in (FAILED, STOPPED)  # on standard error, why
    told = f"{run.time[-1] if run.time.size else 0.0:.4g} s computed" if noted else run.ended
    print(f"{vehicle} at {speed_told(run.options['speed'], speed)}: {told}")
    print(
        f"{run.stats.accepted} steps, {run.stats.events} events, {run.stats.wall_time:.2f} s "
        f"({ratio:.0f} times real time)"
    )
    lifted = {wheel: count for wheel, count in lift_offs(run).items() if count}
    if lifted:
        print("lift-offs seen: " + ", ".join(f"{wheel} {count}" for wheel, count in lifted.items()))
    if found is None:
        why = "the run broke off" if run.status == FAILED else "the coordinates of the bodies were not kept"
        print(f"last third: not judged, {why}")
    for path in files:
        note_file(path)
    if found is None:
        return
    print(f"last third: {found.kind}")
    width = max(24, *(len(name) for name in found.amplitude))
    _table("mm", found, [name for name in found.amplitude if not _is_angle(name)], width)
    _table("mrad", found, [name for name in found.amplitude if _is_angle(name)], width)


def _is_angle(name: str) -> bool:
    return name.rpartition(".")[2] in ("roll", "pitch", "yaw")


def _table(unit: str, found: "Settled", names: list[str], width: int) -> None:
    if names:
        print(f"{'':{width}s} {f'amplitude [{unit}]':>16s} {'frequency [Hz]':>16s}")
    for name in names:
        frequency = found.frequency[name]
        told = f"{frequency:16.3f}" if frequency is not None else f"{'-':>16s}"
        print(f"{name:{width}s} {1e3 * found.amplitude[name]:16.3f} {told}")


def _has_motion(run: "Run") -> bool:
    """Whether all coordinates and velocities were kept."""
    return all(f"{name}{rate}" in run for name in run.positions for rate in ("", "_dot"))


def document(vehicle: str, run: "Run", found: "Settled | None", files: list[str]) -> dict[str, Any]:
    """What `--json` prints."""
    from dataclasses import asdict

    from klingel.simulation.lift_off import lift_offs
    from klingel.simulation.sliding_start import sliding_starts

    kept = [name for name in run.positions if name in run and run.time.size]
    extremes = {name: [float(run.values(name).min()), float(run.values(name).max())] for name in kept}
    return {
        "vehicle": vehicle,
        "speed": run.options["speed"],
        "duration": run.options["duration"],
        "status": run.status,
        "ended": run.ended,
        "stats": {**asdict(run.stats), "lift_offs": lift_offs(run)},
        "settled": None if found is None else found.as_dict(),
        "extremes": extremes,
        "warnings": [start.told() for start in sliding_starts(run)],
        "files": files,
    }
