"""Output of the command line: JSON and results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NoReturn

from klingel._errors import InputError, message, visible

BAD_INPUT = 2  # exit code
OPTIONS = {"initial": ("kick", "start"), "sliders": ("slider",)}  # written otherwise than in Python


def note(text: str) -> None:
    """A line for people, control characters of names made visible; never mixed into the JSON document."""
    print("\n".join(visible(line, len(line) * 10) for line in text.split("\n")), file=sys.stderr)


def note_file(path: object) -> None:
    """Where a result is; a name may have anything in it, also the end of a line."""
    name = str(path)
    note(f"wrote {visible(name, len(name) * 10)}")


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, default=float))


def refuse(error: InputError, context: Any = None) -> NoReturn:
    """One line; with the context of a command, under the name of the option that was typed."""
    error = error if context is None else _as_typed(error, context)
    told = str(error)
    note(f"klingel: {told.removesuffix(', got None') if error.given is None else told}")
    raise SystemExit(BAD_INPUT)


def _as_typed(error: InputError, context: Any) -> InputError:
    """With the option of the command line, where the field is the name of an argument in Python."""
    from klingel.app.command_line import typed

    name, dot, rest = error.field.partition(".")
    options = typed(context)
    for option in OPTIONS.get(name, (name,)):
        if options.get(option, "").startswith("-"):
            return InputError(f"{options[option]}{' ' if dot else ''}{rest}", error.given, error.allowed)
    return error


def one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """Bad input ends with one clear line and exit code 2, never with a traceback.

    Typer gives its context to every command made so: the line names the option that was typed.
    """
    wants_context = "context" in signature(command).parameters

    @wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        context = kwargs.get("context") if wants_context else kwargs.pop("context", None)
        try:
            return command(*args, **kwargs)
        except InputError as error:
            refuse(error, context)
        except BrokenPipeError:  # the reader of a pipe has seen enough
            raise
        except OSError as error:
            place, why = error.filename or "file", f"cannot be read or written: {error.strerror or error}"
            note(f"klingel: {message(str(place), why)}")
            raise SystemExit(BAD_INPUT) from None
        except MemoryError:
            note("klingel: this needs more memory than there is; fewer rows, points or nodes need less")
            raise SystemExit(BAD_INPUT) from None

    return guarded if wants_context else _with_context(guarded)


def _with_context(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with one more parameter in its signature."""
    import typer

    given = signature(command)
    context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    named: Any = command
    named.__signature__ = given.replace(parameters=[context, *given.parameters.values()])
    named.__annotations__ = {"context": typer.Context, **command.__annotations__}
    del named.__wrapped__  # whose hints Typer would read instead
    return command
