"""Tables of the elements in a vehicle file, one per law, made from the fields its kind declares."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, create_model

from klingel.io.toml_tables import REQUIRED, Table, one_of, points, quantity, refused, text
from klingel.model.description import COORDINATES
from klingel.model.kinds.registry import Kind, module


def _directions(given: Any) -> tuple[str, ...]:
    named = [given] if isinstance(given, str) else given
    if not isinstance(named, list | tuple) or not named or not all(word in COORDINATES for word in named):
        missing = "must be given, one of" if given is None else "must be one of"
        raise refused(f"{missing} {', '.join(COORDINATES)}, or a list of them", given)
    return tuple(named)


class ElementTable(Table):
    """`direction` stands first: the units of the others depend on it."""

    direction: Annotated[tuple[str, ...], BeforeValidator(_directions)] = REQUIRED
    law: str = REQUIRED
    connection: Annotated[str, text("the name of a connection")] = REQUIRED
    load: Annotated[str | None, BeforeValidator(lambda given: given)] = None

    def parameters(self, law: type) -> dict[str, Any]:
        found = {field.name: getattr(self, field.name) for field in fields(law)}
        enums = {field.name: type(field.default) for field in fields(law) if isinstance(field.default, Enum)}
        return {name: enums[name][value.upper()] if name in enums else value for name, value in found.items()}


ELEMENT_KEYS = tuple(ElementTable.model_fields)


def _reader(dimension: str, bounds: Any, words: Mapping[str, float | None]) -> tuple[Any, BeforeValidator]:
    if dimension == "word":
        return str, one_of(bounds)
    if dimension == "points":
        return tuple, points()
    sign = bounds.removesuffix("infinite").removesuffix(" or ")
    number = quantity(dimension, sign, infinite=bounds.endswith("infinite"))
    return (float | None, _or_word(number, words)) if words else (float, number)


def _or_word(number: BeforeValidator, words: Mapping[str, float | None]) -> BeforeValidator:
    """A number, or one of the words that stand for one."""

    def read(given: Any, info: ValidationInfo) -> float | None:
        if given is None or (isinstance(given, str) and given.strip() in words):
            return None if given is None else words[given.strip()]
        return number.func(given, info)  # type: ignore[call-arg, return-value]

    return BeforeValidator(read)


def _table(kind: Kind) -> type[ElementTable]:
    made: dict[str, Any] = {}
    for field in fields(module(kind).ABOUT.law):
        dimension, bounds, *left_out = module(kind).ABOUT.fields[field.name]
        kept, reader = _reader(dimension, bounds, left_out[1] if len(left_out) > 1 else {})
        default = left_out[0] if left_out else REQUIRED if field.default is MISSING else field.default
        word = default.name.lower() if isinstance(default, Enum) else default
        made[field.name] = (Annotated[kept, reader], word)
    return create_model(f"{kind.word}_table", __base__=ElementTable, **made)


# word in the file -> law, its table
LAWS: dict[str, tuple[Any, type[ElementTable]]] = {
    kind.word: (module(kind).ABOUT.law, _table(kind)) for kind in Kind
}
# dimensions of the parameters of laws
LAW_FIELDS = {
    name: dimension
    for kind in Kind
    for name, (dimension, *_) in module(kind).ABOUT.fields.items()
    if dimension not in ("word", "points")
}  # fmt: skip
