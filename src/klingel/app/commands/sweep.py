"""`klingel sweep VEHICLE`: brute-force bifurcation diagram."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from klingel._errors import InputError
from klingel.app.choices import check_places, option, requested, warn_of_unlikely
from klingel.app.commands.run import INTERRUPTED
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
from klingel.app.progress import kill_as_interrupt, point_bar
from klingel.io.units import parse_values

if TYPE_CHECKING:
    from klingel.simulation.request.request import RunRequest
    from klingel.simulation.sweep.result import Sweep

RECIPES = ("settled", "thesis")


def sweep(
    context: typer.Context,
    vehicle: Annotated[str | None, typer.Argument(help="vehicle of the library, or file")] = None,
    speeds: Annotated[str | None, typer.Option(help="first:last:step or a list: 50:5:-0.2")] = None,
    parameter: Annotated[
        str, typer.Option(help="what changes: speed, inclination, links, load, carbody.mass")
    ] = "speed",
    values: Annotated[
        str | None, typer.Option(help="of the parameter, like --speeds: 14t:20t:1t or PTP,SPP")
    ] = None,
    speed: Annotated[str | None, typer.Option(help="when something else changes")] = None,
    direction: Annotated[str | None, typer.Option(help="down, up or both; that of the range if not given")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="every point anew from every start, no chains")] = False,
    starts: Annotated[int | None, typer.Option(help="number of random starts, instead of --kick")] = None,
    seed: Annotated[int, typer.Option(help="of random starts")] = 0,
    kick: Annotated[list[str] | None, typer.Option(help="offset at the start, e.g. front_wheelset.y=5mm")] = None,
    slider: Annotated[
        list[str] | None, typer.Option(help="friction slider displaced at the start, e.g. '*.link_y=2mm'")
    ] = None,
    placing: Annotated[
        str | None,
        typer.Option(help="kicked wheelsets on their rails (rails, if not given), sliders dragged, or bare"),
    ] = None,
    sliders: Annotated[
        bool, typer.Option("--sliders", help="random starts displace sliders, not wheelsets: the width of rest")
    ] = False,
    links: Links = None,
    load: Load = None,
    inclination: Inclination = None,
    track: AnyTrack = None,
    set_: Changes = None,
    recipe: Annotated[str, typer.Option(help="settled, or thesis: 20 s, then 20 maxima")] = "settled",
    transient: Annotated[str | None, typer.Option(help="fixed length, instead of until settled: 20s")] = None,
    maxima: Annotated[int | None, typer.Option(help="waited for after a fixed transient")] = None,
    cap: Annotated[str | None, typer.Option(help="longest time for one point")] = None,
    method: Annotated[str | None, typer.Option(help="of integration; auto if not given")] = None,
    rtol: Annotated[float | None, typer.Option(help="relative tolerance of one step; 1e-6 if not given")] = None,
    locate: Locate = None,
    smooth_length: SmoothLength = None,
    smooth_speed: SmoothSpeed = None,
    request: Annotated[
        Path | None, typer.Option(help="file of a run request, TOML; options given go before it")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="processes; one per core if not given")] = None,
    dask: Annotated[str | None, typer.Option(help="address of a Dask scheduler")] = None,
    out: Annotated[Path | None, typer.Option(help="file for the result, netCDF")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with an unfinished sweep")] = False,
    force: Annotated[bool, typer.Option("--force", help="overwrite a result that is there")] = False,
    json: Json = False,
) -> None:
    """Follow a vehicle over a range of speeds, or of another value: maxima and kind of motion at each.

    Example: klingel sweep kbps --links SPP --inclination 1/30 --speeds 30:60:0.2 --direction both --out sweep.nc

    Example: klingel sweep hbbills311 --parameter links --values PTP,SPP,MP --speed 45
    """
    known = _speeds(speeds) if parameter == "speed" else []
    # speed and duration of a run, where neither the command nor a file has any: points have their own
    asked = requested(context.params, speed=known[0] if known else 1.0, duration=1.0)
    taken = known or _values(asked.read_vehicle(), parameter, values)
    if not known and speed is None and request is None:
        raise InputError("speed", None, f"must be given when {parameter} is what changes")
    if starts is not None and (kick or slider):
        raise InputError("--starts", starts, "must come without --kick and --slider")
    check_places(out)
    warn_of_unlikely(asked.read_vehicle())
    options: dict[str, Any] = {
        "direction": direction or ("up" if not isinstance(taken[0], str) and taken[-1] > taken[0] else "down"),
        "parameter": parameter,
        "fresh": fresh,
        "starts": starts,
        "sliders": sliders,
        "seed": seed,
        "transient": _rule(recipe, transient, maxima, cap),
        "workers": workers,
        "out": out,
        "resume": resume,
        "overwrite": force,
        "speeds" if parameter == "speed" else "values": taken,
    }
    found = _sweep(asked, options, dask)
    files = [str(out)] if out is not None else []
    if json:
        print_json(document(found, options["direction"], files))
    else:
        _report(found, files, _unit(asked, parameter, found), kilometres="km/h" in (speeds or ""))
    raise typer.Exit(0 if found.status == "done" else INTERRUPTED)


def _speeds(text: str | None) -> list[Any]:
    return parse_values(_given("--speeds", text), "--speeds", dimension="speed")


def _values(wagon: Any, parameter: str, text: str | None) -> list[Any]:
    from klingel.io.vehicle.options import is_word, read_property
    from klingel.simulation.sweep.case import TRACK_VALUES

    text = _given("--values", text)
    if parameter in TRACK_VALUES:
        return parse_values(text, "--values", dimension="length" if parameter == "gauge" else "number")
    if is_word(wagon, parameter):
        return [part.strip() for part in text.split(",")]
    return parse_values(text, "--values", lambda part, _: float(read_property(wagon, parameter, part)))


def _given(name: str, text: str | None) -> str:
    if text is None:
        raise InputError(name, None, "must be given: first:last:step or a list")
    return text


def _rule(recipe: str, transient: str | None, maxima: int | None, cap: str | None) -> Any:
    from klingel.analysis.transients import FixedTransient, UntilSettled

    if recipe not in RECIPES:
        raise InputError("--recipe", recipe, f"must be {' or '.join(RECIPES)}")
    limit: dict[str, Any] = {"cap": option(cap, "time", "--cap")} if cap is not None else {}
    if recipe == "settled" and transient is None and maxima is None:
        return UntilSettled(**limit)
    chosen: dict[str, Any] = {"maxima": maxima} if maxima is not None else {}
    if transient is not None:
        chosen["transient"] = option(transient, "time", "--transient")
    return FixedTransient(**chosen, **limit)


def _sweep(asked: "RunRequest", options: dict[str, Any], dask: str | None) -> "Sweep":
    from klingel.app.commands.run import COMPILES
    from klingel.simulation.compile_ahead import is_first
    from klingel.simulation.sweep.dask_workers import dask_executor
    from klingel.simulation.sweep.sweep import sweep as run_sweep

    if is_first():
        note(COMPILES)
    with (
        kill_as_interrupt(),
        dask_executor(dask) if dask else nullcontext() as executor,
        point_bar("sweeping") as on_point,
    ):
        found = run_sweep(
            asked,
            executor=executor,
            on_point=on_point,
            **options,
        )
    if found.status != "done":
        note(f"klingel: interrupted after {found.parameter.size} points" + _hint(options["out"]))
    return found


def _hint(out: Path | None) -> str:
    return "; --resume goes on" if out is not None else ""


def _unit(asked: "RunRequest", parameter: str, found: "Sweep") -> str:
    """Of the parameter, in brackets; empty for words."""
    from klingel.io.units import si_unit
    from klingel.io.vehicle.options import is_word
    from klingel.io.vehicle.units import dimension_of
    from klingel.vehicles.registry import options_of

    own = {"speed": "m/s", "gauge": "m", "inclination": "-"}
    if parameter in own:
        return f" [{own[parameter]}]"
    vehicle = asked.read_vehicle()
    if found.words or is_word(vehicle, parameter):
        return ""
    unit = "" if parameter in options_of(vehicle) else si_unit(dimension_of(vehicle, parameter))
    return f" [{unit or '-'}]"


def _report(found: "Sweep", files: list[str], unit: str = "", kilometres: bool = False) -> None:
    """One line per point; speeds in km/h too where they were typed so."""
    names = [name for name in found.coordinates if name.endswith(".y")]
    title = f"{found.settings['parameter']}{unit}"
    width = max(12, len(title))
    heads = " ".join(f"{f'{name} [mm]':>22s}" for name in names)
    print(f"{title:>{width}s} {'[km/h]':>8s} {'way':5s} {'kind':16s} {heads}" if kilometres
          else f"{title:>{width}s} {'way':5s} {'kind':16s} {heads}")  # fmt: skip
    for k, (value, way, kind) in enumerate(zip(found.parameter, found.directions, found.kinds, strict=True)):
        sizes = [1e3 * float(found[f"{name}.amplitude"][k]) for name in names]
        told = f"{value:>{width}s}" if isinstance(value, str) else f"{value:{width}.6g}"
        told += f" {3.6 * float(value):8.4g}" if kilometres else ""
        print(f"{told} {way:5s} {kind:16s} " + " ".join(f"{size:22.3f}" for size in sizes))
    print("amplitudes: half of peak to peak")
    for path in files:
        note_file(path)


def document(found: "Sweep", direction: str, files: list[str]) -> dict[str, Any]:
    """What `--json` prints."""
    from math import isnan

    def column(name: str) -> list[float | None]:
        return [None if isnan(value) else value for value in found[name].to_numpy().tolist()]

    names = found.coordinates
    return {
        "parameter": found.parameter.tolist(),
        "name": found.settings["parameter"],
        "direction": "fresh" if found.words else direction,
        "directions": found.directions,
        "status": found.status,
        "kind": found.kinds,
        "evidence": found.evidence,
        "maxima": {name: [row.tolist() for row in found.maxima(name)] for name in names},
        "extremes": {
            name: list(map(list, zip(column(f"{name}.minimum"), column(f"{name}.maximum"), strict=True)))
            for name in names
        },
        "amplitude": {name: column(f"{name}.amplitude") for name in names},
        "frequency": {name: column(f"{name}.frequency") for name in names},
        "files": files,
    }
