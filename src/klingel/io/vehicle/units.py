"""Dimension of every value of a vehicle, for reading and writing it with a unit."""

from klingel.io.toml_tables import ANGLES
from klingel.io.units import ROTATIONAL, si_unit
from klingel.io.vehicle.law_tables import LAW_FIELDS
from klingel.model.description import Vehicle
from klingel.vehicles.parts import AT
from klingel.vehicles.registry import template_of
from klingel.vehicles.values import parts_of, template_values

# last word of a dotted name -> dimension
FIELDS: dict[str, str] = {
    "gravity": "acceleration",
    "mass": "mass",
    "inertia": "moment of inertia",
    "position": "length",
    "point": "length",
    "radius": "length",
    "back_to_back": "length",
    "profile_residual": "length",
    "friction": "number",
    "friction_ratio": "number",
    "radius_difference": "length",
    "damping": "damping",
    "conicity": "number",
    "half_gauge": "length",
    "creep_stiffness": "force",
    "psi": "number",
    "phi": "number",
    "adhesion_limit": "force",
    "torsion": "rotational stiffness",
    "torsion_damping": "rotational damping",
    **LAW_FIELDS,
}


def dimension_of(vehicle: Vehicle, name: str) -> str:
    """Dimension of the value `name`, as in `klingel.vehicles.values`."""
    template = template_of(vehicle)
    known = template.dimension(name) if template else _of_part(vehicle, name)
    if known and name in template_values(vehicle):
        return known
    words = name.split(".")
    word = words[-2] if words[-1] in ("x", "y", "z") and len(words) > 1 else words[-1]
    turned = any(
        name.rpartition(".")[0] == element.name and element.direction in ANGLES for element in vehicle.elements
    )
    dimension: str = FIELDS[word]
    return ROTATIONAL.get(dimension, dimension) if turned else dimension


def _of_part(vehicle: Vehicle, name: str) -> str | None:
    prefix, _, rest = name.partition(".")
    for part in parts_of(vehicle):
        template = template_of(part.vehicle)
        if part.prefix == prefix and template:
            return "length" if rest == AT else template.dimension(rest)
    return None


def with_unit(vehicle: Vehicle, name: str, value: float | str) -> str:
    """For people: the value with its SI unit."""
    if isinstance(value, str):
        return value
    return f"{value:g} {si_unit(dimension_of(vehicle, name))}".rstrip()
