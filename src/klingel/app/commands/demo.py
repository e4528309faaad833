"""`klingel demo`: the small systems, one after the other, on one page."""

import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from klingel.app.console import note, print_json

FOLDER = Path("klingel-demo")
TITLE = "klingel: nonsmooth systems, event by event"
TEXT = (
    "Each of these systems switches between smooth modes: sliders stick and slip, springs touch, bodies collide. "
    "Every switch is located in time and every number below is compared with something known."
)


def demo(
    out: Annotated[Path, typer.Option(help="folder for the page and its figures")] = FOLDER,
    json: Annotated[bool, typer.Option("--json", help="one JSON document on standard output")] = False,
) -> None:
    """Run the small systems and write a page with their figures.

    Example: klingel demo --out my-folder
    """
    from rich.console import Console
    from rich.progress import Progress

    from klingel._jit import cache_base
    from klingel.io.gallery import Section, write_gallery
    from klingel.studies.example import CATALOGUE, ExampleResult, find

    if not any(cache_base().glob("numerics-*")):
        note("the first run compiles the kernels, which takes about a minute; later runs start at once")
    sections: list[Section] = []
    results: list[ExampleResult] = []
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("examples", total=len(CATALOGUE))
        for name, (_, line) in CATALOGUE.items():
            bar.update(task, description=name)
            started = perf_counter()
            parameters, run = find(name)
            folder = out / name
            folder.mkdir(parents=True, exist_ok=True)
            result = run(folder, parameters())
            results.append(result)
            sections.append(
                Section(
                    name,
                    line,
                    f"klingel example {name}",
                    result.quantities,
                    [(check.what, check.expected, check.computed, check.ok) for check in result.checks],
                    result.files,
                )
            )
            good = sum(check.ok for check in result.checks)
            note(f"{name:20s} {good} of {len(result.checks)} checks ok, {perf_counter() - started:.1f} s")
            bar.advance(task)
    page = write_gallery(out / "index.html", TITLE, TEXT, sections)
    if json:
        print_json({"page": str(page), "examples": [result.as_dict() for result in results]})
        return
    print(f"wrote {page}: open it in a browser")
    print("next: klingel example impact-oscillator --set restitution=0.5")
    print("      klingel example --help")
