"""The `klingel` command: thin; each command parses, calls and prints.

Command functions live in `klingel.app.commands`, one file each, and import what they run inside the
function, so that `klingel --help` starts without Numba.
"""

import re
import sys
from typing import Annotated

import typer

from klingel._errors import visible
from klingel.app.commands import (
    bench,
    contact,
    continue_,
    critical,
    demo,
    example,
    irregular,
    plot,
    reproduce,
    rest,
    run,
    sweep,
    validate,
    vehicles,
    warm_up,
    workbench,
)
from klingel.app.console import BAD_INPUT, note, one_line_errors

LONGEST_WORDS = 240  # of a mistake on the command line [characters]

app = typer.Typer(
    help="Nonsmooth railway vehicle dynamics.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from klingel import __version__

        print(f"klingel {__version__}")
        raise typer.Exit()


INTERRUPTED = 130  # exit code after Ctrl-C


@app.callback()
def klingel(
    version: Annotated[
        bool, typer.Option("--version", help="print the version and end", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Nonsmooth railway vehicle dynamics."""


app.command("demo")(one_line_errors(demo.demo))
app.command("run")(one_line_errors(run.run))
app.command("plot")(one_line_errors(plot.plot))
app.command("sweep")(one_line_errors(sweep.sweep))
app.command("critical")(one_line_errors(critical.critical))
app.command("continue")(one_line_errors(continue_.continue_))
app.command("rest")(one_line_errors(rest.rest))
app.command("irregular")(one_line_errors(irregular.irregular))
app.command("example")(one_line_errors(example.example))
app.command("reproduce")(one_line_errors(reproduce.reproduce))
app.command("contact")(one_line_errors(contact.contact))
app.command("vehicles")(one_line_errors(vehicles.vehicles))
app.command("validate")(one_line_errors(validate.validate))
app.command("warm-up")(one_line_errors(warm_up.warm_up))
app.command("app")(one_line_errors(workbench.app))
app.command("bench")(one_line_errors(bench.bench))


def _unit_apart(words: str) -> str:
    """What to type where a unit stands apart from its number."""
    from klingel.io.units import UNITS

    found = re.fullmatch(r"Got unexpected extra argument\(?s?\)? \((\S+)\)", words)
    if found is None or not all(part in UNITS for part in found[1].split("/")):
        return ""
    return f": a unit follows its number without a blank, as in 80{found[1]}"


def main() -> None:
    """Mistakes on the command line are told as other bad input is: one line, code 2."""
    try:
        code = app(sys.argv[1:] or ["--help"], prog_name="klingel", standalone_mode=False)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):  # swallowed by compiled code
            sys.exit(INTERRUPTED)
        message = getattr(error, "format_message", None)  # of Click, wherever Typer keeps it
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "klingel"
        words = visible(" ".join(message().split()).rstrip("."), LONGEST_WORDS)
        note(f"klingel: {words}{_unit_apart(words)}; see {command} --help")
        code = BAD_INPUT
    sys.exit(code or 0)
