"""`klingel plot FILE --kind KIND`: pictures of a stored run or sweep, of a track or of a vehicle."""

from pathlib import Path
from typing import Annotated, Any

import typer

from klingel._errors import InputError
from klingel.app.choices import warn_of_unlikely
from klingel.app.console import note, note_file, print_json
from klingel.app.options import Json
from klingel.io.plain_files import read_text
from klingel.io.units import parse_quantity

ELEMENTS = ("dry_friction", "dead_band", "stop", "impact", "leaf_spring")  # with modes


def plot(
    file: Annotated[
        str, typer.Argument(help="stored run or sweep, track, vehicle, table, profile; leave out to list kinds")
    ] = "",
    kind: Annotated[str, typer.Option(help="of picture; the one that suits the file if not given")] = "",
    out: Annotated[Path | None, typer.Option(help="picture: .png, .svg or .pdf [default: FILE-KIND.png]")] = None,
    from_: Annotated[str, typer.Option("--from", help="start of the part shown [s; m of a track]")] = "",
    to: Annotated[str, typer.Option("--to", help="end of the part shown")] = "",
    quantity: Annotated[
        list[str] | None, typer.Option(help="what to show: front_wheelset.y, front_left (repeatable, or commas)")
    ] = None,
    along: Annotated[str, typer.Option(help="time, speed or distance [default: speed if it changes]")] = "",
    with_: Annotated[
        list[Path] | None,
        typer.Option("--with", help="another run or sweep, or a rest set, for the same picture (repeatable)"),
    ] = None,
    json: Json = False,
) -> None:
    """Draw a stored run or sweep, a track or a vehicle.

    Example: klingel plot run.nc --kind lateral --from 2 --to 5 --out lateral.svg

    Example: klingel plot chains.nc --with starts.nc --kind attractors
    """
    from klingel.plots.catalogue import KINDS, draw, find_kind
    from klingel.plots.style import check_format, save

    if not file:
        _list(KINDS, json)
        return
    chosen = not kind
    kind = kind or _fitting(file)
    name = "separation" if kind == "shadowing" and with_ else kind
    drawn = find_kind(name)
    subject = _subject(file, drawn.subject)
    if chosen:
        others = ", ".join(other for other, one in KINDS.items() if one.subject == drawn.subject and other != kind)
        more = f"; of a {drawn.subject} there are also {others}" if others else ""
        note(f"kind {kind}, as none was given{more}")
    target = out or Path(f"{Path(file).stem}-{kind}.png")
    check_format(target)
    choices: dict[str, Any] = {
        "window": _window(from_, to, subject),
        "quantities": tuple(part.strip() for text in quantity or [] for part in text.split(",")),
        "along": _along(along),
        **_others(name, drawn, with_ or []),
    }
    path = save(draw(name, subject, **choices), target)
    if json:
        print_json({"kind": kind, "files": [str(path)]})
    else:
        note_file(path)


def _fitting(file: str) -> str:
    """The kind that shows most of a subject."""
    from klingel.io.vehicle.files import library

    if file in ELEMENTS:
        return "modes"
    if file in library():
        return "vehicle"
    ending = Path(file).suffix.lower()
    if ending == ".toml":
        from klingel.io.validation import toml_kind

        return toml_kind(read_text(Path(file)))
    if ending == ".nc":
        return _of_stored(file)
    return "table" if ending == ".txt" and _is_table(file) else "profile"


def _of_stored(file: str) -> str:
    from klingel.simulation.orbits.result import load_branch
    from klingel.simulation.run import load_run
    from klingel.simulation.sweep.result import load_sweep

    try:
        run = load_run(file)
    except InputError as error:
        for load, kind in ((load_sweep, "bifurcation"), (load_branch, "branch")):
            try:
                found = load(file)
            except InputError:
                continue
            return "attractors" if getattr(found, "words", ()) else kind
        raise error from None
    if run.track.alignment.stages:
        return "curve"
    return "shadowing" if run.options["acceleration"] != 0.0 else "lateral"


def _is_table(file: str) -> bool:
    from klingel.io.contact.tables import FIRST_LINE

    return read_text(Path(file)).startswith(FIRST_LINE)


def _list(kinds: dict[str, Any], json: bool) -> None:
    if json:
        print_json([{"kind": name, "of": kind.subject, "shows": kind.line} for name, kind in kinds.items()])
        return
    for name, kind in kinds.items():
        print(f"{name:14s} {kind.line} ({kind.subject})")


def _subject(file: str, subject: str) -> Any:
    """What a picture is drawn from; a run also gives its track and its vehicle."""
    from klingel.io.contact.tables import load_table
    from klingel.simulation.run import load_run
    from klingel.simulation.sweep.result import load_sweep

    if subject in ("run", "sweep") and Path(file).suffix.lower() == ".toml":
        allowed = f"must be a stored {subject}, {subject}.nc, for this kind; klingel {subject} --out makes one"
        raise InputError("file", file, allowed)
    named = {
        "sweep": load_sweep, "branch": _branch_or_sweep, "contact table": load_table, "profile": _profile,
        "element": _element,
    }  # fmt: skip
    if subject in named:
        return named[subject](file)
    if subject == "run" or Path(file).suffix.lower() == ".nc":
        run = load_run(file)
        return run if subject == "run" else run.track if subject == "track" else run.vehicle
    if subject == "track":
        from klingel.io.track.files import load_track

        return load_track(file)
    from klingel.io.vehicle.files import load_vehicle

    vehicle = load_vehicle(file)
    warn_of_unlikely(vehicle)
    return vehicle


def _branch_or_sweep(file: str) -> Any:
    """Sweeps may be drawn beside a branch."""
    from klingel.simulation.orbits.result import load_branch
    from klingel.simulation.sweep.result import load_sweep

    try:
        return load_branch(file)
    except InputError as error:
        try:
            return load_sweep(file)
        except InputError:
            raise error from None


def _profile(name: str) -> Any:
    """Of a wheel if there is one of that name, otherwise of a rail."""
    from klingel.contact.profiles.profile import Body
    from klingel.io.profiles.library import find_profile, names

    for body in Body:
        try:
            return find_profile(name, body)
        except InputError:
            continue
    known = ", ".join(dict.fromkeys(word for body in Body for word in names(body)))
    raise InputError("profile", name, f"must be a profile file or one of {known}")


def _element(name: str) -> Any:
    from importlib import import_module

    if name not in ELEMENTS:
        raise InputError("element", name, f"must be one of {', '.join(ELEMENTS)}")
    return import_module(f"klingel.elements.{name}")


def _window(start: str, end: str, subject: Any) -> tuple[float, float] | None:
    if not (start or end):
        return None
    low = parse_quantity(start, "--from") if start else 0.0
    if end:
        high = parse_quantity(end, "--to")
    elif hasattr(subject, "time") and subject.time.size:
        high = float(subject.time[-1])
    else:
        raise InputError("--to", None, "must be given together with --from")
    if not high > low:
        raise InputError("--to", end or high, f"must lie beyond --from, {low:g}")
    return low, high


def _along(text: str) -> Any:
    from klingel.plots.abscissa import Along

    if text and text not in list(Along):
        raise InputError("--along", text, f"must be one of {', '.join(Along)}")
    return Along(text) if text else None


def _others(name: str, kind: Any, paths: list[Path]) -> dict[str, Any]:
    """More runs or sweeps for the same picture."""
    if "other" in kind.choices:
        if len(paths) != 1:
            raise InputError("--with", ", ".join(map(str, paths)) or None, f"must name one second run for {name}")
        return {"other": _subject(str(paths[0]), kind.subject)}
    if paths and "others" not in kind.choices:
        raise InputError("--with", str(paths[0]), f"has no meaning for the kind {name}")
    return {"others": tuple(_beside(path, kind.subject) for path in paths)}


def _beside(path: Path, subject: str) -> Any:
    """Another of its sort; beside sweeps and branches a rest set as well."""
    if subject in ("sweep", "branch") and path.suffix.lower() == ".json":
        from klingel.simulation.resting.rest_set import load_rest_set

        return load_rest_set(path)
    return _subject(str(path), subject)
