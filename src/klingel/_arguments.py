"""Checks of what public functions are given: one line with the name of the argument instead of a TypeError within.

    check_number("rtol", rtol)
    check_kind("run", run, Run, "a run, as kg.simulate gives it")

Each returns what it was given, in the type that follows.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from os import PathLike, fsencode
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from klingel._errors import InputError

if TYPE_CHECKING:
    import numpy as np

Kind = TypeVar("Kind")
LARGEST_WHOLE = 2**63 - 1


def check_number(name: str, given: Any, unit: str = "", least: float | None = None, finite: bool = True) -> float:
    """A real number, no text and no truth value; `least` is the smallest allowed; not `finite` lets nan pass."""
    # plain numbers first: asking an abstract class takes longer than all that follows
    if type(given) not in (float, int) and (isinstance(given, bool) or not isinstance(given, Real)):
        raise InputError(name, given, _number_wanted(unit))
    try:
        value = float(given)
    except OverflowError:
        raise InputError(name, given, "must be below 1.8e308") from None
    if finite and not isfinite(value):
        raise InputError(name, given, f"{_number_wanted(unit)}, finite")
    if least is not None and value < least:
        raise InputError(name, given, f"must be at least {least:g}" + (f" {unit}" if unit else ""))
    return value


def _number_wanted(unit: str) -> str:
    return "must be a number" + (f", in {unit}" if unit else "")


def check_whole(name: str, given: Any, least: int | None = None, most: int = LARGEST_WHOLE) -> int:
    """A whole number, also one written as 3.0."""
    value = given if type(given) is int else _whole(given)
    if value is None:
        raise InputError(name, given, "must be a whole number" + ("" if least is None else f", at least {least}"))
    if least is not None and value < least:
        raise InputError(name, given, f"must be a whole number, at least {least}")
    if value > most:
        raise InputError(name, given, f"must be a whole number, at most {most}")
    return value


def _whole(given: Any) -> int | None:
    """The whole number that something is, None if it is none."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return None
    if isinstance(given, Integral):
        return int(given)
    number = float(given)
    return int(number) if isfinite(number) and number == int(number) else None


def check_array(name: str, given: Any, wanted: str = "numbers") -> "np.ndarray":
    """Something that is an array of real numbers, or one of them."""
    import numpy as np  # `klingel --help` starts without it

    try:
        found = np.asarray(given)
        if found.dtype.kind not in "iuf":
            raise TypeError
        return found.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(name, given, f"must be {wanted}") from None


def check_word(name: str, given: Any, words: "tuple[str, ...] | list[str]") -> str:
    if not isinstance(given, str) or given not in words:
        raise InputError(name, given, f"must be one of {', '.join(words)}")
    return given


def check_text(name: str, given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise InputError(name, given, f"must be {what}")
    return given


def check_flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool) and type(given).__name__ != "bool_":  # or that of NumPy
        raise InputError(name, given, "must be True or False")
    return bool(given)


def check_path(name: str, given: Any) -> Path:
    """A path of the file system, not yet looked at."""
    if not isinstance(given, str | PathLike) or not str(given):
        raise InputError(name, given, "must be the path of a file")
    path = Path(given)
    try:
        if b"\0" in fsencode(path):
            raise ValueError
    except ValueError:  # or half of a character that takes two
        raise InputError(name, str(path), "must be the path of a file, without NUL characters") from None
    return path


def check_kind(name: str, given: Any, kind: "type[Kind] | tuple[type[Kind], ...]", what: str) -> Kind:
    if not isinstance(given, kind):
        raise InputError(name, given, f"must be {what}")
    return given


def check_callable(name: str, given: Any) -> Callable[..., Any] | None:
    """A function, or None."""
    if given is not None and not callable(given):
        raise InputError(name, given, "must be a function, or None")
    return given


def check_table(name: str, given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InputError(name, given, "must be a table of values by name")
    return given
