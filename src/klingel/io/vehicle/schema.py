"""What may stand in a full description; the fields of templates are in the registry, `klingel.vehicles`.

[bodies.NAME]       mass, inertia, position, free
[connections.NAME]  inner, outer, point
[elements.NAME]     law, direction, its parameters
[wheelsets.BODY]    profile, radius, ...
[conical_wheelsets.BODY] conicity, radius, ...
[[parts]]           kind (a template of the registry), at, prefix, and the fields of the template
[loads.CASE.BODY]   mass, inertia, position of body and goods together, or box: the goods alone
[sources]           name = where its value is from
"""

from dataclasses import fields
from math import pi
from typing import Annotated, Any

from pydantic import Field

from klingel._errors import InputError
from klingel.elements.conical_wheelset import Cone
from klingel.io.toml_tables import REQUIRED, Table, quantity, text, vector, words_of
from klingel.model.description import COORDINATES, SPIN, Wheelset

Pair = tuple[float, float]
Triple = tuple[float, float, float]
POSITIVE, NOT_NEGATIVE = "positive", "not negative"


def default(cls: type, name: str) -> Any:
    """Default of a field of the description, so that a file and Python agree."""
    return next(field.default for field in fields(cls) if field.name == name)


class BodyTable(Table):
    mass: Annotated[float, quantity("mass", POSITIVE)] = REQUIRED
    inertia: Annotated[Triple, vector("moment of inertia", NOT_NEGATIVE)] = REQUIRED
    position: Annotated[Triple, vector("length")] = REQUIRED
    free: Annotated[tuple[str, ...], words_of((*COORDINATES, SPIN))] = REQUIRED


class PartTable(Table):
    """Where a part is; its other keys are those of its template."""

    kind: Annotated[str, text("the name of a template")] = REQUIRED
    at: Annotated[float, quantity("length")] = REQUIRED
    prefix: Annotated[str, text("a word its names begin with")] = REQUIRED


class BoxTable(Table):
    """Goods as a homogeneous box."""

    mass: Annotated[float, quantity("mass", POSITIVE)] = REQUIRED
    size: Annotated[Triple, vector("length", NOT_NEGATIVE)] = REQUIRED
    position: Annotated[Triple, vector("length")] = REQUIRED


class BodyLoadTable(Table):
    """What is not given stays as it is without the load."""

    mass: Annotated[float | None, quantity("mass", POSITIVE)] = Field(None, validate_default=False)
    inertia: Annotated[Triple | None, vector("moment of inertia", NOT_NEGATIVE)] = Field(
        None, validate_default=False
    )
    position: Annotated[Triple | None, vector("length")] = Field(None, validate_default=False)
    box: dict[str, Any] | None = None


class ConnectionTable(Table):
    inner: Annotated[str, text("the name of a body")] = REQUIRED
    outer: Annotated[str, text("the name of a body")] = REQUIRED
    point: Annotated[Triple, vector("length")] = REQUIRED


class WheelsetTable(Table):
    profile: Annotated[str, text("the name or file of a wheel profile")] = default(Wheelset, "profile")
    radius: Annotated[float, quantity("length", POSITIVE)] = default(Wheelset, "radius")
    back_to_back: Annotated[float, quantity("length", POSITIVE)] = default(Wheelset, "back_to_back")
    friction: Annotated[float, quantity("number", NOT_NEGATIVE)] = default(Wheelset, "friction")
    damping: Annotated[float, quantity("damping", NOT_NEGATIVE)] = default(Wheelset, "damping")
    profile_right: str = default(Wheelset, "profile_right")
    profile_residual: Annotated[float, quantity("length", NOT_NEGATIVE)] = default(Wheelset, "profile_residual")
    creep: Annotated[str, text("the name of a creep law")] = default(Wheelset, "creep")
    friction_ratio: Annotated[float, quantity("number", NOT_NEGATIVE)] = default(Wheelset, "friction_ratio")
    radius_difference: Annotated[float, quantity("length")] = default(Wheelset, "radius_difference")
    along_track: Annotated[str, text("left out or included")] = default(Wheelset, "along_track")
    spin_moment: Annotated[str, text("left out or included")] = default(Wheelset, "spin_moment")
    patches: Annotated[str, text("each or equivalent")] = default(Wheelset, "patches")
    turning: Annotated[str, text("together or apart")] = default(Wheelset, "turning")
    torsion: Annotated[float, quantity("rotational stiffness", NOT_NEGATIVE)] = default(Wheelset, "torsion")
    torsion_damping: Annotated[float, quantity("rotational damping", NOT_NEGATIVE)] = default(
        Wheelset, "torsion_damping"
    )


class ConeTable(Table):
    """The product `creep_stiffness`, or its factors `shear_modulus` and `semi_axes`."""

    conicity: Annotated[float, quantity("number", NOT_NEGATIVE)] = REQUIRED
    radius: Annotated[float, quantity("length", POSITIVE)] = REQUIRED
    half_gauge: Annotated[float, quantity("length", POSITIVE)] = REQUIRED
    creep_stiffness: Annotated[float | None, quantity("force", NOT_NEGATIVE)] = Field(None, validate_default=False)
    shear_modulus: Annotated[float | None, quantity("pressure", POSITIVE)] = Field(None, validate_default=False)
    semi_axes: Annotated[Pair | None, vector("length", POSITIVE, length=2)] = Field(None, validate_default=False)
    psi: Annotated[float, quantity("number", POSITIVE)] = REQUIRED
    phi: Annotated[float, quantity("number", POSITIVE)] = REQUIRED
    adhesion_limit: Annotated[float, quantity("force", POSITIVE)] = REQUIRED
    body: Annotated[str | None, text("the name of a body")] = Field(None, validate_default=False)
    offset: Annotated[float, quantity("length")] = 0.0

    def cone(self) -> Cone:
        factors = self.shear_modulus, self.semi_axes
        if (self.creep_stiffness is None) == (None in factors):
            allowed = "must be given, or shear_modulus and semi_axes whose product it is; not both"
            raise InputError("creep_stiffness", self.creep_stiffness, allowed)
        stiffness = self.creep_stiffness
        if stiffness is None:
            assert self.shear_modulus is not None
            assert self.semi_axes is not None
            stiffness = self.shear_modulus * pi * self.semi_axes[0] * self.semi_axes[1]
        return Cone(
            self.conicity, self.radius, self.half_gauge, stiffness, self.psi, self.phi, self.adhesion_limit
        )


class FullFile(Table):
    name: Annotated[str, text("a name")] = REQUIRED
    title: str = ""
    gravity: Annotated[float, quantity("acceleration", POSITIVE)] = 9.81
    bodies: dict[str, Any] = Field(default_factory=dict)
    connections: dict[str, Any] = Field(default_factory=dict)
    elements: dict[str, Any] = Field(default_factory=dict)
    wheelsets: dict[str, Any] = Field(default_factory=dict)
    conical_wheelsets: dict[str, Any] = Field(default_factory=dict)
    parts: list[Any] = Field(default_factory=list)
    loads: dict[str, Any] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)
