"""`klingel demo`: the main job with no argument, a freight wagon hunting."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from klingel.app.command_line import program
from klingel.app.console import note, print_json
from klingel.app.options import Json
from klingel.app.progress import kill_as_interrupt, progress_bar

if TYPE_CHECKING:
    from klingel.reports.hunting import Hunting
    from klingel.reports.page import Section

FOLDER = Path("klingel-demo")
TITLE = "A freight wagon hunting"
COMMAND = (
    "klingel run hbbills311 --links SPP --load empty --inclination 1/40 --speed 18 --duration 20 "
    "--kick front_wheelset.y=5mm --kick rear_wheelset.y=-5mm --output-step 5ms --out run.nc"
)
CAPTIONS = {
    "vehicle": "The wagon to scale: two wheelsets hang on links and leaf springs below the carbody.",
    "motion": "Left the first three seconds, right the last two: what the kick begins "
    "becomes a motion that repeats itself.",
    "forces": "The last two seconds: lateral motion, yaw, and the forces Y and Q of the rails on the wheels.",
    "loops": "The last two seconds of one corner: lateral link, longitudinal link, leaf spring.",
    "events": "The last two seconds: which element changes its mode, and when.",
}
FORCES = "Y pushes to the side, Q upwards; together the Q of all wheels carry the weight."
HEAT = (
    "The area of a loop is heat; every corner of it is a slider that begins to slip or sticks again. The motion "
    "has settled: in each cycle friction takes what the wheels feed in from the rails."
)
NEXT = (
    "plot {run} --kind spectrum",
    "plot {run} --kind contact --from 18 --to 20",
    "run hbbills311 --speed 45 --duration 20 --kick front_wheelset.y=5mm --report shown",
    "run hbbills311 --speed 45 --load loaded --set carbody.mass=30t",
    "vehicles",
    "example",
)


def demo(
    out: Annotated[Path, typer.Option(help="folder for the page and its figures")] = FOLDER,
    json: Json = False,
) -> None:
    """Simulate the empty Hbbills 311 at 18 m/s on straight track and write a page with its figures.

    Example: klingel demo --out my-folder
    """
    from klingel.app.commands.run import COMPILES, document
    from klingel.reports.hunting import VEHICLE, hunting
    from klingel.reports.run import findings, put_page
    from klingel.simulation.compile_ahead import is_first

    if is_first():
        note(COMPILES)
    out.mkdir(parents=True, exist_ok=True)
    with kill_as_interrupt(), progress_bar("simulating") as on_chunk:
        result = hunting(out, on_chunk)
    page = put_page(out, TITLE, _introduction(result), _sections(result))
    files = [str(page), *(str(path) for path in result.figures.values()), str(result.file)]
    if json:
        print_json({"page": str(page), **document(VEHICLE, result.run, result.settled, files)})
        return
    print(f"{result.run.ended}; {findings(result.run, result.settled)}")
    print(f"wrote {page}: open it in a browser")
    print("next: " + "\n      ".join(_next(result)))


def _next(result: "Hunting") -> list[str]:
    """Commands that work as they are printed, also where `klingel` is not on the path."""
    called = program()
    return [f"{called} {line.format(run=shlex.quote(str(result.file)))}" for line in NEXT]


def _introduction(result: "Hunting") -> str:
    from klingel.reports.run import summary

    return (
        "The empty two-axle wagon Hbbills 311 on UIC links (set SPP) runs at 18 m/s (65 km/h) on straight track, "
        "S1002 wheels on UIC60 rails inclined 1/40. The front wheelset starts 5 mm off the middle. "
        f"{summary(result.run, result.settled)}"
    )


def _sections(result: "Hunting") -> "list[Section]":
    from klingel.reports.page import Picture, Section
    from klingel.reports.run import closing_sections, motion_section

    shown = {
        name: Picture(name, path.read_bytes(), CAPTIONS[name]) for name, path in result.figures.items()
    }  # fmt: skip
    events, *rest = closing_sections(result.run, COMMAND)
    return [
        Section("Vehicle", "", pictures=[shown["vehicle"]]),
        motion_section(result.run, result.settled, [shown["motion"]]),
        Section("Forces between wheel and rail", FORCES, pictures=[shown["forces"]]),
        Section("Hysteresis of the suspension", HEAT, pictures=[shown["loops"]]),
        replace(events, pictures=[shown["events"]]),
        *rest,
        Section(
            "What to try next",
            "Pictures of the run stored here, other runs, the library:",
            "\n".join(_next(result)),
        ),
    ]
