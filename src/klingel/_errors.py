"""The one exception for bad input: which field, what was given, what is allowed; on one line, whatever was given.

What people give comes back to a terminal: control characters are made visible, long texts are cut.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any

LONGEST_MESSAGE = 280  # of one problem, so that it stays below 300 with the name of the program before it
LONGEST_GIVEN = 100
MANY_DIGITS = 10**4000  # Python writes no whole numbers of more than 4300
LONGEST_FIELD = 80
CUT = "..."


class InputError(ValueError):
    """Raised before any work is done; the command line prints it as one line and exits with code 2."""

    def __init__(self, field: str, given: object, allowed: str):
        self.field = field
        self.given = given
        self.allowed = allowed
        super().__init__(message(field, allowed, quoted(given)))

    def __reduce__(self) -> tuple[Any, ...]:  # it must come back from worker processes as it is
        return type(self), (self.field, self.given, self.allowed)

    def called(self, given: object, name: str) -> "InputError":
        """The same under the name the user knows it by, such as that of an uploaded file."""
        return InputError(self.field, name, self.allowed) if self.given == given else self


def message(field: str, allowed: str, got: str = "", before: str = "", after: str = "") -> str:
    """Field, what is allowed, what was given; if that is too long, the end of what is allowed is left out."""
    tail = (f", got {got}" if got else "") + after
    head = f"{visible(before, LONGEST_FIELD)}{visible(field, LONGEST_FIELD, LONGEST_FIELD // 2)}: "
    return head + visible(allowed, LONGEST_MESSAGE - len(head) - len(tail)) + tail


def visible(text: str, longest: int = LONGEST_MESSAGE, keep: int = 0) -> str:
    """The text on one line: control characters as escapes, cut where it is too long, before its last `keep`."""
    text = str(text)
    if len(text) <= longest:
        text = _escaped(text)
        if len(text) <= longest:
            return text
    end = _escaped(text[len(text) - keep :])[:keep]
    return _escaped(text[:longest])[: longest - len(CUT) - len(end)] + CUT + end


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quoted(given: object) -> str:
    """As `repr`, but short and made without looking at all of something large."""
    if isinstance(given, str):  # paths are told apart by their ends
        return visible(
            repr(given) if len(given) <= LONGEST_GIVEN else f"'{given}'", LONGEST_GIVEN, LONGEST_GIVEN // 2
        )
    if isinstance(given, bytes):
        return visible(repr(given[: LONGEST_GIVEN + 1]), LONGEST_GIVEN)
    if isinstance(given, bool) or given is None:
        return repr(given)
    if isinstance(given, int):
        return visible(str(given), LONGEST_GIVEN) if abs(given) < MANY_DIGITS else "a whole number of many digits"
    if isinstance(given, list | tuple):
        inner = ", ".join(_part(part) for part in given[:LONGEST_GIVEN])
        return visible(f"[{inner}]" if isinstance(given, list) else f"({inner})", LONGEST_GIVEN)
    if isinstance(given, Mapping):
        parts = (f"{_part(key)}: {_part(part)}" for key, part in islice(given.items(), LONGEST_GIVEN))
        return visible("{" + ", ".join(parts) + "}", LONGEST_GIVEN)
    return visible(_repr(given), LONGEST_GIVEN)


def _part(given: object) -> str:
    """Of a list: what lies deeper is not looked at."""
    if isinstance(given, list | tuple | Mapping):
        return CUT
    return quoted(given)


def _repr(given: object) -> str:
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple) and len(shape) > 0:
        return f"an array of shape {shape}"
    if hasattr(given, "__dataclass_fields__") or callable(given):
        return f"a {type(given).__name__}"
    try:
        return repr(given)
    except Exception:  # of whatever was handed in
        return f"a {type(given).__name__}"
