"""`klingel validate FILE`: a vehicle, track or profile file checked."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from klingel.app.console import BAD_INPUT, note, print_json
from klingel.app.options import Json


def validate(
    file: Annotated[Path, typer.Argument(help="vehicle or track (.toml) or profile file")],
    json: Json = False,
) -> None:
    """Check a file and say everything that is wrong with it, one line each.

    A vehicle is also stood on straight track, with each of its loads; warnings name wheels that hang in the air
    and bodies that fall over.

    Example: klingel validate mine.toml
    """
    from klingel.io.validation import validate as judge

    verdict = judge(file)
    if verdict.ok and verdict.kind == "vehicle":
        from klingel.app.commands.run import COMPILES
        from klingel.simulation.compile_ahead import is_first
        from klingel.simulation.standing import try_standing

        if is_first():
            note(COMPILES)
        problems, warnings = try_standing(file)
        verdict = replace(verdict, problems=problems, warnings=verdict.warnings + warnings)
    if json:
        print_json(verdict.as_dict())
    elif verdict.ok:
        print(f"{verdict.file}: a good {verdict.kind} file")
    for line in verdict.warning_lines():
        note(line)
    if not verdict.ok:
        for line in verdict.lines():
            note(line)
        raise SystemExit(BAD_INPUT)
