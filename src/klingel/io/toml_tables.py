"""TOML files read through pydantic models, every problem collected and told in the words of the file.

    mine.toml: front_wheelset.mass: must be positive, got -1490 kg

A model is a `Table`; its fields are read by `quantity`, `vector`, `text`, `one_of`. A field that must be given
has the default REQUIRED, so that its own reader can say what is missing.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo
from pydantic_core import PydanticCustomError

from klingel._errors import LONGEST_GIVEN, MANY_DIGITS, InputError, message, visible
from klingel.io.plain_files import read_text as read_text
from klingel.io.units import ROTATIONAL, BadQuantity, example, read_checked

REQUIRED: Any = None
REFUSED = "refused"  # type of the errors raised here
ANGLES = ("roll", "pitch", "yaw")
AXES = "xyz"
DEEPEST = 100  # tables within each other


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_default=True, frozen=True)


# of pydantic's own checks
_WORDS = {"dict_type": "must be a table", "string_type": "must be a text", "list_type": "must be a list"}
AnyTable = TypeVar("AnyTable", bound=Table)


class FileError(InputError):
    """A file that cannot be used; `problems` has every reason, the message the first."""

    def __init__(self, file: str, problems: Sequence[InputError]):
        first = problems[0]
        super().__init__(first.field, first.given, first.allowed)
        self.file = file
        self.problems = list(problems)
        more = len(problems) - 1
        tail = f" ({more} more; klingel validate lists them)" if more else ""
        self.args = (problem_line(first, f"{file}: ", tail),)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.problems)


def problem_line(problem: InputError, before: str = "", after: str = "") -> str:
    """One problem without quotation marks around what was typed."""
    got = "" if problem.given is None else shown(problem.given)
    return message(problem.field, problem.allowed, got, before, after)


def shown(given: Any) -> str:
    """What was given, on one line that can be read."""
    if isinstance(given, str):
        return visible(given, LONGEST_GIVEN) or '""'
    if isinstance(given, list | tuple):
        inner = ", ".join("[...]" if isinstance(p, list | tuple) else shown(p) for p in given[:LONGEST_GIVEN])
        return visible(f"[{inner}]", LONGEST_GIVEN)
    if isinstance(given, int) and abs(given) >= MANY_DIGITS:
        return "a whole number of many digits"
    return "a table" if isinstance(given, Mapping) else visible(str(given), LONGEST_GIVEN)


def read_toml(text: str, file: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(text)
        _refuse_depth(content)
        return content
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).rpartition(" (at ")
        where = place.rstrip(")") or "file"
        raise FileError(file, [InputError(where, None, f"is not valid TOML: {what.lower() or error}")]) from None
    except ValueError:  # Python's limit on whole numbers
        raise FileError(file, [InputError("file", None, "has a number of too many digits")]) from None
    except RecursionError:
        allowed = "has too many brackets or dots of keys within each other"
        raise FileError(file, [InputError("file", None, allowed)]) from None


def _refuse_depth(content: Any, left: int = DEEPEST) -> None:
    """Dotted keys nest without brackets; what follows goes through tables within tables."""
    if left == 0:
        raise RecursionError
    if isinstance(content, Mapping | list):
        for part in content.values() if isinstance(content, Mapping) else content:
            _refuse_depth(part, left - 1)


def read_table(model: type[AnyTable], table: Any, where: str, problems: list[InputError]) -> AnyTable | None:
    """The table as a model, or None and its problems appended, named below `where`."""
    if not isinstance(table, Mapping):
        problems.append(InputError(where, table, "must be a table"))
        return None
    try:
        return model.model_validate(table)
    except ValidationError as error:
        # a misspelt key is also a missing one: the misspelling is the better news
        details = sorted(error.errors(include_url=False), key=lambda detail: detail["type"] != "extra_forbidden")
        for detail in details:
            key = ".".join(str(part) for part in detail["loc"])
            full = f"{where}.{key}" if where else key
            if detail["type"] == "extra_forbidden":
                problems.append(unknown_key(full, key, model.model_fields))
                continue
            given = detail.get("ctx", {}).get("given", detail["input"])
            allowed = detail["msg"] if detail["type"] == REFUSED else _WORDS.get(detail["type"], detail["msg"])
            if given is None and detail["type"] != REFUSED:
                allowed = "must be given"
            problems.append(InputError(full, given, allowed))
        return None


def unknown_key(where: str, key: str, known: Iterable[str]) -> InputError:
    names = list(known)
    close = get_close_matches(key, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(names)}"
    return InputError(where, None, f"is not a known key; {hint}")


def quantity(dimension: str, sign: str = "", infinite: bool = False) -> BeforeValidator:
    """Reader of a field: a number with a unit, the rotational one if `direction` of the table is an angle."""

    def read(given: Any, info: ValidationInfo) -> float:
        turned = any(word in ANGLES for word in info.data.get("direction", ()))
        try:
            return read_checked(
                given, ROTATIONAL.get(dimension, dimension) if turned else dimension, sign, infinite
            )
        except BadQuantity as bad:
            raise refused(str(bad), given) from None

    return BeforeValidator(read)


def points() -> BeforeValidator:
    """Reader of a field: a list of pairs, deformation and force."""
    length, force = quantity("length"), quantity("force")

    def read(given: Any, info: ValidationInfo) -> tuple[tuple[float, float], ...]:
        pairs = given if isinstance(given, list | tuple) else [given]
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
            missing = "must be given," if given is None else "must be"
            wanted = '[["-10 mm", "-5 kN"], ["10 mm", "5 kN"]]'
            raise refused(f"{missing} a list of pairs of deformation and force, like {wanted}", given)
        return tuple((length.func(u, info), force.func(f, info)) for u, f in pairs)  # type: ignore[call-arg, misc]

    return BeforeValidator(read)


def vector(dimension: str, sign: str = "", length: int = 3) -> BeforeValidator:
    """Reader of a field: two or three quantities, along x, y (and z)."""

    def read(given: Any) -> tuple[float, ...]:
        if not isinstance(given, list | tuple) or len(given) != length:
            wanted = ", ".join([example(dimension)] * length)
            raise refused(
                f"must be a list, one {dimension} for each of {', '.join(AXES[:length])}: [{wanted}]", given
            )
        values = []
        for axis, part in zip(AXES, given, strict=False):
            try:
                values.append(read_checked(part, dimension, sign))
            except BadQuantity as bad:
                raise refused(f"its {axis} {bad}", part) from None
        return tuple(values)

    return BeforeValidator(read)


def one_or_more(dimension: str, sign: str = "") -> BeforeValidator:
    """Reader of a field: one quantity, or a list of them."""

    def read(given: Any) -> float | tuple[float, ...]:
        try:
            if isinstance(given, list | tuple):
                return tuple(read_checked(part, dimension, sign) for part in given)
            return read_checked(given, dimension, sign)
        except BadQuantity as bad:
            raise refused(str(bad), given) from None

    return BeforeValidator(read)


def text(what: str) -> BeforeValidator:
    """Reader of a field: a text that is not empty."""

    def read(given: Any) -> str:
        if given is None:
            raise refused(f"must be given, {what}", None)
        if not isinstance(given, str) or not given.strip():
            raise refused(f"must be {what}", given)
        return given

    return BeforeValidator(read)


def one_of(words: Sequence[str]) -> BeforeValidator:
    """Reader of a field: one of the words."""

    def read(given: Any) -> str:
        if given not in words:
            missing = "must be given, one of" if given is None else "must be one of"
            raise refused(f"{missing} {', '.join(words)}", given)
        return given

    return BeforeValidator(read)


def words_of(allowed: Sequence[str]) -> BeforeValidator:
    """Reader of a field: a list of some of the words."""

    def read(given: Any) -> tuple[str, ...]:
        if not isinstance(given, list | tuple) or not all(word in allowed for word in given):
            wrong = [word for word in given if word not in allowed] if isinstance(given, list) else given
            raise refused(f"must be a list of words out of {', '.join(allowed)}", wrong)
        return tuple(given)

    return BeforeValidator(read)


def refused(allowed: str, given: Any) -> PydanticCustomError:
    # braces of a message would be taken for a template
    return PydanticCustomError(REFUSED, allowed.replace("{", "(").replace("}", ")"), {"given": given})  # type: ignore[arg-type]
