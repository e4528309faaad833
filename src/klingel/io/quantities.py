"""Numbers with units as people type them: `5mm`, `120km/h`, `1/40`, `16 t`; bare numbers are SI."""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import floor, isfinite, radians
from typing import Any

from klingel._errors import InputError

# unit -> factor to SI
UNITS = {
    "": 1.0,
    "m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "km": 1e3,
    "s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0,
    "kg": 1.0, "t": 1e3, "g": 1e-3,
    "N": 1.0, "kN": 1e3, "MN": 1e6, "Nm": 1.0, "kNm": 1e3,
    "N/m": 1.0, "kN/m": 1e3, "MN/m": 1e6, "N/mm": 1e3, "kN/mm": 1e6,
    "Ns/m": 1.0, "kNs/m": 1e3, "m/s": 1.0, "mm/s": 1e-3, "km/h": 1 / 3.6, "m/s2": 1.0, "m/s^2": 1.0,
    "rad": 1.0, "mrad": 1e-3, "deg": radians(1.0), "rad/s": 1.0, "Hz": 1.0,
    "Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9,
    "kgm2": 1.0, "kg m2": 1.0, "kgm^2": 1.0, "1/m": 1.0, "%": 1e-2,
}  # fmt: skip

MOST_VALUES = 100_000  # of a range

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf"
_QUANTITY = re.compile(rf"^\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*(\D.*?)?\s*$")


def parse_quantity(text: str, field: str = "value") -> float:
    """SI value of a number with an optional unit."""
    match = _QUANTITY.match(text)
    if match is None:
        raise InputError(field, text, "must be a number with an optional unit, like 5mm, 120km/h or 1/40")
    number, divisor, unit = match.groups()
    factor = UNITS.get((unit or "").strip())
    if factor is None:
        raise InputError(field, text, f"unknown unit {unit!r}; known units: {' '.join(u for u in UNITS if u)}")
    below = float(divisor) if divisor else 1.0
    if below == 0.0:
        raise InputError(field, text, "must not be divided by zero")
    return float(number) / below * factor


def parse_values(
    text: str, field: str = "values", read: Callable[[str, str], float] = parse_quantity
) -> list[float]:
    """SI values of a range `50:5:-0.2`, both ends included, or of a list `10,20,25`."""
    if ":" not in text:
        return [read(part, field) for part in text.split(",")]
    parts = [read(part, field) for part in text.split(":")]
    if len(parts) != 3 or not all(isfinite(part) for part in parts) or parts[2] == 0.0:
        raise InputError(field, text, "must be first:last:step, like 50:5:-0.2, or a list like 10,20,25")
    first, last, step = parts
    count = floor((last - first) / step + 1e-9) + 1
    if not 1 <= count <= MOST_VALUES:
        raise InputError(field, text, f"must lead from first to last in 1 to {MOST_VALUES} values")
    return [round(first + k * step, 12) for k in range(count)]


def assign(parameters: Any, settings: Sequence[str]) -> Any:
    """A copy of the dataclass `parameters` with `name=value` settings applied."""
    known = {f.name: getattr(parameters, f.name) for f in fields(parameters)}
    changes: dict[str, Any] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign or name not in known:
            raise InputError("--set", setting, f"must be name=value with a name out of {', '.join(known)}")
        if isinstance(known[name], str):
            changes[name] = text
            continue
        value = parse_quantity(text, name)
        if isinstance(known[name], int) and not isinstance(known[name], bool):
            if not isfinite(value) or value != int(value):
                raise InputError(name, text, "must be a whole number")
            value = int(value)
        changes[name] = value
    return replace(parameters, **changes)
