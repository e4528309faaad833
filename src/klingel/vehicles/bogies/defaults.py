"""Fields of a bogie's file with the defaults of its parameters, and sources of what a file leaves as it is."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from klingel.vehicles.fields import POSITIVE, Field, Group, Quantity, Word
from klingel.vehicles.template import Values

Told = tuple[str, ...]  # dimension, sign, line for people


def default(parameters: type, name: str) -> Any:
    """Of a field of the parameters, so that a file and Python agree."""
    return next(field.default for field in fields(parameters) if field.name == name)


def number(parameters: type, name: str, dimension: str, sign: str = POSITIVE, line: str = "") -> Quantity:
    """A quantity, or one along each axis, with the default of the parameters."""
    usual = default(parameters, name)
    return Quantity(dimension, sign, usual, size=len(usual) if isinstance(usual, tuple) else 1, line=line)


def table(parameters: type, group: str, **quantities: Told) -> Group:
    """A table that may be left out; `group` and its words make the names of the parameters."""
    return Group(
        {name: number(parameters, f"{group}_{name}", *told) for name, told in quantities.items()}, required=False
    )


def flat(values: Values, groups: tuple[str, ...]) -> dict[str, Any]:
    """Values of the tables that are given, by the names of the parameters."""
    given = {group: values[group] for group in groups if values[group] is not None}
    return {f"{group}_{name}": value for group, told in given.items() for name, value in told.items()}


def left_out(known: Mapping[str, Field]) -> dict[str, Any]:
    """Values of a file that gives nothing."""
    return {
        name: None if isinstance(field, Group) else field.default
        for name, field in known.items()
        if isinstance(field, Group | Quantity | Word)
    }


def as_published(
    published: Mapping[str, str],
    values: Values,
    known: Mapping[str, Field],
    parameters: Callable[[Values, Values], Any],
    at: Callable[[Any, str], Any],
) -> dict[str, str]:
    """Published sources of the values that are as published, then what the file says itself."""
    own, usual = parameters(values, {}), parameters({**values, **left_out(known)}, {})
    kept = {n: s for n, s in published.items() if at(own, n) is not None and at(own, n) == at(usual, n)}
    return {**kept, **values["sources"]}
