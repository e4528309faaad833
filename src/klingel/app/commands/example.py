"""`klingel example NAME`: the small systems of the literature."""

from pathlib import Path
from typing import Annotated

import typer

from klingel._errors import InputError
from klingel.app.console import note_file, print_json
from klingel.app.options import Json
from klingel.io.units import assign


def example(
    name: Annotated[str, typer.Argument(help="which example; leave out to list them")] = "",
    out: Annotated[Path | None, typer.Option(help="folder for the figures [default: klingel-NAME]")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="parameter=value, e.g. omega=3")] = None,
    json: Json = False,
) -> None:
    """Run one of the small systems of the literature and draw its figures.

    Example: klingel example impact-oscillator --set restitution=0.8
    """
    from klingel.literature.example import CATALOGUE, find

    if not name:
        for key, (_, line) in CATALOGUE.items():
            print(f"{key:20s} {line}")
        return
    parameters, run = find(name)
    chosen = assign(parameters(), set_ or [])
    folder = out or Path(f"klingel-{name}")
    fresh = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        result = run(folder, chosen)
    except InputError:
        if fresh and not any(folder.iterdir()):
            folder.rmdir()
        raise
    if json:
        print_json(result.as_dict())
        return
    for key, value in result.quantities.items():
        print(f"{key:45s} {value:.6g}")
    for check in result.checks:
        mark = "ok  " if check.ok else "DIFF"
        print(f"{mark} {check.what}: expected {check.expected:.6g}, computed {check.computed:.6g}")
    for path in result.files:
        note_file(path)
