"""Values that are possible, but unlike any railway vehicle: a unit forgotten, a power of ten too many.

They are warnings of `klingel validate`, no errors: a toy on rails is a vehicle too.
"""

from collections.abc import Iterator
from math import isfinite

from klingel._errors import InputError
from klingel.io.units import si_unit
from klingel.io.vehicle.units import dimension_of
from klingel.model.description import Vehicle
from klingel.vehicles.values import template_values, values

# dimension -> usual sizes, of values that are not zero; from the lightest part of a bogie to the heaviest wagon
USUAL: dict[str, tuple[float, float]] = {
    "mass": (1.0, 5e5),
    "length": (1e-6, 100.0),
    "moment of inertia": (0.1, 1e8),
    "force": (1e-3, 1e8),
    "moment": (1e-3, 1e8),
    "stiffness": (1.0, 1e10),
    "rotational stiffness": (1.0, 1e11),
    "damping": (1e-3, 1e8),
    "rotational damping": (1e-3, 1e9),
    "acceleration": (1.0, 30.0),
}
HIGHEST = 8.0  # of a body above the rails [m]
BROADEST = 5.0  # from the middle of the track [m]
WIDEST = 0.5  # gap [m]
WHEELS = (0.15, 0.75)  # radius [m]
# last words of a name -> its own largest size
_OWN = {
    ".position.z": HIGHEST,
    ".point.z": HIGHEST,
    "height": HIGHEST,
    ".position.y": BROADEST,
    ".point.y": BROADEST,
    "gap_x": WIDEST,
    "gap_y": WIDEST,
    "gap_low": WIDEST,
    "gap_high": WIDEST,
    "_gap": WIDEST,
}
_LEAST = {"carbody.mass": 300.0, "wheelset.mass": 30.0}  # tonnes typed as a bare number are kilograms
FRICTION = (0.001, 1.5)  # coefficient


def unlikely_values(vehicle: Vehicle) -> Iterator[InputError]:
    """Each value once: by its name in the template if the vehicle was made by one."""
    of_template = template_values(vehicle)
    odd = list(_unlikely(vehicle, of_template))
    yield from odd or _unlikely(vehicle, values(vehicle))


def _unlikely(vehicle: Vehicle, known: dict) -> Iterator[InputError]:
    for name, value in known.items():
        if isinstance(value, str) or value == 0.0 or not isfinite(value):
            continue
        try:
            dimension = dimension_of(vehicle, name)
        except KeyError:  # a whole number that counts something
            continue
        low, high = _usual(name, dimension)
        if not low <= abs(value) <= high:
            unit = si_unit(dimension)
            yield InputError(name, f"{value:g} {unit}".rstrip(), f"is usually {low:g} to {high:g} {unit}".rstrip())


def _usual(name: str, dimension: str) -> tuple[float, float]:
    if name.endswith("radius") and dimension == "length":
        return WHEELS
    if dimension == "number" and any(part.endswith("friction") for part in name.split(".")):
        return FRICTION
    low, high = USUAL.get(dimension, (0.0, float("inf")))
    low = next((own for end, own in _LEAST.items() if name.endswith(end)), low)
    return low, next((own for end, own in _OWN.items() if name.endswith(end) and dimension == "length"), high)
