"""Numbers with units as people type them, in files and on the command line: one grammar, one table of units.

    quantity = number [ "/" number ] [ unit ]        5mm   120km/h   1/40   "22.5 mm"   "5.51 1/m"   inf

Bare numbers are SI. Where the dimension is known, a unit of another one is refused.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import floor, inf, isfinite, isinf, isnan, radians
from typing import Any

from klingel._errors import LONGEST_GIVEN, InputError, visible

# dimension -> unit -> factor to SI; the first unit is the SI one
DIMENSIONS: dict[str, dict[str, float]] = {
    "mass": {"kg": 1.0, "t": 1e3, "g": 1e-3},
    "length": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "um": 1e-6, "µm": 1e-6, "km": 1e3},
    "moment of inertia": {"kg m2": 1.0, "kgm2": 1.0, "kg m^2": 1.0, "kgm^2": 1.0, "t m2": 1e3},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6},
    "moment": {"Nm": 1.0, "N m": 1.0, "kNm": 1e3, "MNm": 1e6},
    "stiffness": {"N/m": 1.0, "kN/m": 1e3, "MN/m": 1e6, "N/mm": 1e3, "kN/mm": 1e6},
    "rotational stiffness": {"Nm/rad": 1.0, "kNm/rad": 1e3, "MNm/rad": 1e6},
    "damping": {"Ns/m": 1.0, "N s/m": 1.0, "kNs/m": 1e3, "kN s/m": 1e3, "MNs/m": 1e6},
    "rotational damping": {"Nms/rad": 1.0, "kNms/rad": 1e3},
    "stiffness per load": {"1/m": 1.0},
    "damping per load": {"s/m": 1.0},
    "angle": {"rad": 1.0, "mrad": 1e-3, "deg": radians(1.0)},
    "speed": {"m/s": 1.0, "mm/s": 1e-3, "km/h": 1 / 3.6},
    "angular speed": {"rad/s": 1.0},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0},
    "frequency": {"Hz": 1.0},
    "acceleration": {"m/s2": 1.0, "m/s^2": 1.0},
    "pressure": {"N/m2": 1.0, "Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "N/mm2": 1e6},
    "number": {"": 1.0, "%": 1e-2},
}
# of an element that works on an angle instead of a displacement
ROTATIONAL = {
    "length": "angle",
    "force": "moment",
    "stiffness": "rotational stiffness",
    "damping": "rotational damping",
    "speed": "angular speed",
}
# where no dimension is known: unit -> factor to SI
UNITS = {unit: factor for units in DIMENSIONS.values() for unit, factor in units.items()}
MOST_VALUES = 100_000  # of a range

_NUMBER = re.compile(r"[-+]?(?:inf|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")


class BadQuantity(ValueError):
    """What is allowed instead."""


def split_quantity(text: str) -> tuple[str, str, str] | None:
    """Number, divisor and unit of a text, the last two empty where there are none; None if it is no quantity.

    From left to right without going back, so that the time is proportional to the length of the text.
    """
    number, rest = _leading_number(text.strip())
    if not number:
        return None
    divisor = ""
    if rest.startswith("/"):
        divisor, after = _leading_number(rest[1:].lstrip())
        rest = after if divisor else rest
    unit = rest.removeprefix("1/")
    if rest and (not unit or unit[0].isdigit() or unit[0].isspace()):
        return None
    return number, divisor, rest


def _leading_number(text: str) -> tuple[str, str]:
    found = _NUMBER.match(text)
    return (found.group(), text[found.end() :].lstrip()) if found else ("", text)


def _value(number: str, divisor: str, factor: float) -> float:
    below = _float(divisor) if divisor else 1.0
    if below == 0.0:
        raise BadQuantity("must not be divided by zero")
    return _float(number) / below * factor


def _float(number: str | int | float) -> float:
    """Infinity must be asked for by its name."""
    try:
        value = float(number)
    except OverflowError:  # of a whole number
        value = inf
    if isinf(value) and not (isinstance(number, float) or (isinstance(number, str) and number.endswith("inf"))):
        raise BadQuantity("must be below 1.8e308")
    return value


def si_unit(dimension: str) -> str:
    return next(iter(DIMENSIONS[dimension]))


def example(dimension: str, number: str = "1.5") -> str:
    unit = si_unit(dimension)
    return f'"{number} {unit}"' if unit else number


def indefinite(dimension: str) -> str:
    """`a mass`, `an angle`."""
    return f"{'an' if dimension[0] in 'aeiou' else 'a'} {dimension}"


def coordinate_dimension(name: str) -> str:
    """Of a state by its name: a length or an angle, or the rate of one (`_dot`)."""
    coordinate = name.rpartition(".")[2]
    angle = coordinate.removesuffix("_dot") in ("roll", "pitch", "yaw", "spin")
    if coordinate.endswith("_dot"):
        return "angular speed" if angle else "speed"
    return "angle" if angle else "length"


def echo(given: str) -> str:
    """What was typed, short enough for one line."""
    return visible(given, LONGEST_GIVEN)


def read_quantity(given: Any, dimension: str) -> float:
    """SI value of a number, or of a text with a unit of the dimension; raises BadQuantity."""
    units = DIMENSIONS[dimension]
    if given is None:
        raise BadQuantity(f"must be given, {indefinite(dimension)} like {example(dimension)}")
    if isinstance(given, int | float) and not isinstance(given, bool):
        value = _float(given)
    elif isinstance(given, str) and (parts := split_quantity(given)):
        number, divisor, unit = parts
        if unit and unit not in units:
            known = ", ".join(u for u in units if u)
            raise BadQuantity(
                f"must be {indefinite(dimension)}" + (f" in {known}" if known else " without a unit")
            )
        value = _value(number, divisor, units.get(unit, 1.0))
    else:
        raise BadQuantity(f"must be {indefinite(dimension)} like {example(dimension)}")
    if isnan(value):
        raise BadQuantity(f"must be {indefinite(dimension)}, not nan")
    return value


def read_checked(given: Any, dimension: str, sign: str = "", infinite: bool = False) -> float:
    """As `read_quantity`; `sign` is "positive", "not negative", "fraction" or nothing."""
    value = read_quantity(given, dimension)
    if not (infinite or isfinite(value)):
        raise BadQuantity("must be finite")
    if sign == "positive" and not value > 0.0:
        raise BadQuantity("must be positive")
    if sign == "not negative" and not value >= 0.0:
        raise BadQuantity("must not be negative")
    if sign == "fraction" and not 0.0 <= value <= 1.0:
        raise BadQuantity("must lie in [0, 1]")
    return value


def write_quantity(value: float, dimension: str) -> str:
    """Text in the SI unit that reads back as exactly the same number."""
    return f"{value!r} {si_unit(dimension)}".rstrip()


def parse_quantity(text: str, field: str = "value", dimension: str = "") -> float:
    """SI value of what was typed for `field`; without a dimension any unit will do."""
    try:
        if dimension:
            return read_quantity(text, dimension)
        parts = split_quantity(text)
        if parts is None:
            raise BadQuantity("must be a number with an optional unit, like 5mm, 120km/h or 1/40")
        number, divisor, unit = parts
        if unit not in UNITS:
            known = " ".join(si_unit(name) for name in DIMENSIONS if si_unit(name))
            raise BadQuantity(f"unknown unit {echo(unit)!r}; known units: {known} and their multiples")
        return _value(number, divisor, UNITS[unit])
    except BadQuantity as bad:
        raise InputError(field, echo(text), str(bad)) from None


def parse_values(
    text: str, field: str = "values", read: Callable[[str, str], float] = parse_quantity, dimension: str = ""
) -> list[float]:
    """SI values of a range `50:5:-0.2`, both ends included, or of a list `10,20,25`."""
    if dimension:
        return parse_values(text, field, lambda part, where: parse_quantity(part, where, dimension))
    if ":" not in text:
        return [read(part, field) for part in text.split(",")]
    parts = [read(part, field) for part in text.split(":")]
    if len(parts) != 3 or not all(isfinite(part) for part in parts) or parts[2] == 0.0:
        raise InputError(field, echo(text), "must be first:last:step, like 50:5:-0.2, or a list like 10,20,25")
    first, last, step = parts
    steps = (last - first) / step
    if not 0 <= steps + 1e-9 < MOST_VALUES:
        raise InputError(field, echo(text), f"must lead from first to last in 1 to {MOST_VALUES} values")
    return [round(first + k * step, 12) for k in range(floor(steps + 1e-9) + 1)]


def assign(parameters: Any, settings: Sequence[str]) -> Any:
    """A copy of the dataclass `parameters` with `name=value` settings applied."""
    known = {f.name: getattr(parameters, f.name) for f in fields(parameters)}
    changes: dict[str, Any] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign or name not in known:
            raise InputError("--set", echo(setting), f"must be name=value with a name out of {', '.join(known)}")
        if isinstance(known[name], str):
            changes[name] = text
            continue
        value = parse_quantity(text, name)
        if isinstance(known[name], int) and not isinstance(known[name], bool):
            if not isfinite(value) or value != int(value):
                raise InputError(name, echo(text), "must be a whole number")
            value = int(value)
        changes[name] = value
    return replace(parameters, **changes)
