"""Quantities whose dimension is known: a mass given in newtons is refused. Bare numbers are SI."""

import re
from math import isfinite, isnan, radians
from typing import Any

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
    "angle": {"rad": 1.0, "mrad": 1e-3, "deg": radians(1.0)},
    "speed": {"m/s": 1.0, "mm/s": 1e-3, "km/h": 1 / 3.6},
    "angular speed": {"rad/s": 1.0},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0},
    "acceleration": {"m/s2": 1.0, "m/s^2": 1.0},
    "pressure": {"N/m2": 1.0, "Pa": 1.0, "MPa": 1e6, "GPa": 1e9, "N/mm2": 1e6},
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
_NUMBER = r"[-+]?(?:inf|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_QUANTITY = re.compile(rf"^\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*((?:1/)?[^\d\s].*?)?\s*$")


class BadQuantity(ValueError):
    """What is allowed instead."""


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


def read_quantity(given: Any, dimension: str) -> float:
    """SI value of a number, or of a text with a unit of the dimension; raises BadQuantity."""
    units = DIMENSIONS[dimension]
    if given is None:
        raise BadQuantity(f"must be given, {indefinite(dimension)} like {example(dimension)}")
    if isinstance(given, int | float) and not isinstance(given, bool):
        value = float(given)
    elif isinstance(given, str) and (match := _QUANTITY.match(given)):
        number, divisor, unit = match.groups()
        if (unit or "") not in units and unit:
            known = ", ".join(u for u in units if u)
            raise BadQuantity(
                f"must be {indefinite(dimension)}" + (f" in {known}" if known else " without a unit")
            )
        divided = float(divisor) if divisor else 1.0
        if divided == 0.0:
            raise BadQuantity("must not be divided by zero")
        value = float(number) / divided * units.get(unit or "", 1.0)
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
