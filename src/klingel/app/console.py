"""Output of the command line: JSON and results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from klingel._errors import InputError

BAD_INPUT = 2  # exit code


def note(text: str) -> None:
    """A line for people; never mixed into the JSON document."""
    print(text, file=sys.stderr)


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, default=float))


def refuse(error: InputError) -> NoReturn:
    missing = error.given is None and f"{error}" == f"{error.field}: {error.allowed}, got None"
    note(f"klingel: {error.field}: {error.allowed}" if missing else f"klingel: {error}")
    raise SystemExit(BAD_INPUT)


def one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """Bad input ends with one clear line and exit code 2, never with a traceback."""

    @wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except InputError as error:
            refuse(error)
        except BrokenPipeError:  # the reader of a pipe has seen enough
            raise
        except OSError as error:
            place = error.filename or "file"
            note(f"klingel: {place}: cannot be read or written: {error.strerror or error}")
            raise SystemExit(BAD_INPUT) from None

    return guarded
