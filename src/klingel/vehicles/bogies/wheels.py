"""Wheels of a bogie: cones with a constant load, as in the classical stability models, or profiles on rails."""

from dataclasses import dataclass, fields, replace
from math import pi
from typing import Any

from klingel._errors import InputError
from klingel.elements.conical_wheelset import Cone
from klingel.model.description import (
    CONTACT_TERMS,
    CONTACT_WORDS,
    EACH,
    LEFT_OUT,
    TOGETHER,
    USUAL_CREEP,
    ConicalWheelset,
    Wheelset,
)
from klingel.vehicles.bogies.flange import NO_FLANGE, SMOOTH, WIDTH
from klingel.vehicles.fields import NOT_NEGATIVE, POSITIVE, Field, Group, Quantity, Text, Word
from klingel.vehicles.template import Values

CONES, PROFILES = "cones", "profiles"
CONE_FREE = ("y", "yaw")  # a cone has neither height nor roll, and turns at the prescribed speed
PROFILE_FREE = ("y", "z", "roll", "yaw", "spin")


@dataclass(frozen=True)
class ConicalWheels:
    """A cone without its radius, which is the bogie's."""

    conicity: float = 0.05  # [-]
    half_gauge: float = 0.716  # [m]
    creep_stiffness: float = 6.563e6  # G pi a_e b_e [N]
    psi: float = 0.54219  # rolling direction [-]
    phi: float = 0.60252  # lateral [-]
    adhesion_limit: float = 10e3  # mu N of one wheel [N]

    def of_radius(self, radius: float) -> Cone:
        return Cone(
            self.conicity, radius, self.half_gauge, self.creep_stiffness, self.psi, self.phi, self.adhesion_limit
        )


REFERENCE = ConicalWheels()  # of the Cooperrider bogie


@dataclass(frozen=True)
class ProfiledWheels:
    """A wheelset without its body and radius, which are the bogie's."""

    profile: str = "S1002"
    profile_right: str = ""
    profile_residual: float = 0.0  # [m]
    back_to_back: float = 1.36  # [m]
    friction: float = 0.3  # wheel on rail [-]
    damping: float = 1.5e5  # of the contact [N s/m]
    creep: str = USUAL_CREEP
    friction_ratio: float = 1.0  # right over left [-]
    radius_difference: float = 0.0  # right less left [m]
    along_track: str = LEFT_OUT
    spin_moment: str = LEFT_OUT
    patches: str = EACH
    turning: str = TOGETHER
    torsion: float = 0.0  # [N m/rad]
    torsion_damping: float = 0.0  # [N m s/rad]

    def of_radius(self, body: str, radius: float) -> Wheelset:
        return Wheelset(
            body,
            self.profile,
            radius,
            self.back_to_back,
            self.friction,
            self.damping,
            self.profile_right,
            self.profile_residual,
            self.creep,
            self.friction_ratio,
            self.radius_difference,
            self.along_track,
            self.spin_moment,
            self.patches,
            self.turning,
            self.torsion,
            self.torsion_damping,
        )


def free_of(cone: ConicalWheels | None) -> tuple[str, ...]:
    """Coordinates of a wheelset that may move."""
    return CONE_FREE if cone else PROFILE_FREE


def on_rails(
    cone: ConicalWheels | None, wheel: ProfiledWheels | None, bodies: tuple[str, ...], radius: float
) -> tuple[tuple[Wheelset, ...], tuple[ConicalWheelset, ...]]:
    """Wheels of all wheelsets of a bogie: of the one kind or of the other."""
    profiled = tuple(wheel.of_radius(body, radius) for body in bodies) if wheel else ()
    return profiled, tuple(ConicalWheelset(body, cone.of_radius(radius)) for body in bodies) if cone else ()


def _default(cls: type, name: str) -> Any:
    return next(field.default for field in fields(cls) if field.name == name)


def _number(cls: type, name: str, dimension: str, sign: str = POSITIVE, line: str = "") -> Quantity:
    return Quantity(dimension, sign, _default(cls, name), line=line)


CONE = Group(
    {
        "conicity": _number(ConicalWheels, "conicity", "number", NOT_NEGATIVE),
        "half_gauge": _number(ConicalWheels, "half_gauge", "length", line="middle of the track to a contact"),
        "creep_stiffness": Quantity("force", NOT_NEGATIVE, None, line="G pi a b; 6.563 MN if not given"),
        "shear_modulus": Quantity("pressure", POSITIVE, None, line="and semi_axes, whose product it is"),
        "semi_axes": Quantity("length", POSITIVE, None, size=2),
        "psi": _number(ConicalWheels, "psi", "number", line="rolling direction"),
        "phi": _number(ConicalWheels, "phi", "number", line="lateral"),
        "adhesion_limit": _number(ConicalWheels, "adhesion_limit", "force", line="mu N of one wheel"),
    },
    required=False,
    line="where wheels are cones",
)
PROFILED = Group(
    {
        "profile": Text("the name or file of a wheel profile", _default(ProfiledWheels, "profile")),
        "profile_right": Text("the name or file of a wheel profile", "", "where it differs"),
        "profile_residual": _number(ProfiledWheels, "profile_residual", "length", NOT_NEGATIVE),
        "back_to_back": _number(ProfiledWheels, "back_to_back", "length", line="flange backs"),
        "friction": _number(ProfiledWheels, "friction", "number", NOT_NEGATIVE, "wheel on rail"),
        "damping": _number(ProfiledWheels, "damping", "damping", NOT_NEGATIVE, "of the contact"),
        "friction_ratio": _number(ProfiledWheels, "friction_ratio", "number", NOT_NEGATIVE, "right over left"),
        "radius_difference": _number(ProfiledWheels, "radius_difference", "length", "", "right less left"),
        **{name: Word(words, _default(ProfiledWheels, name)) for name, words in CONTACT_WORDS.items()},
        "torsion": _number(ProfiledWheels, "torsion", "rotational stiffness", NOT_NEGATIVE, "of wheels apart"),
        "torsion_damping": _number(ProfiledWheels, "torsion_damping", "rotational damping", NOT_NEGATIVE),
    },
    required=False,
    line="where wheels have profiles",
)


TERMS = "template: the usual law, both wheels alike, small terms left out"  # source
# names in a file -> in the description, for the wheels there are
REACHED_BY_WHEELS: dict[str, tuple[str, ...]] = {
    "radius.cone": ("{wheelset}.cone.radius",),
    "radius.wheel": ("{wheelset}.radius",),
    **{f"cone.{field.name}": (f"{{wheelset}}.cone.{field.name}",) for field in fields(ConicalWheels)},
    "wheel.profile": tuple(f"{{wheelset}}.{word}" for word in ("profile", "profile_right", "profile_residual")),
    "wheel.terms": tuple(f"{{wheelset}}.{word}" for word in CONTACT_TERMS),
    **{f"wheel.{field.name}": (f"{{wheelset}}.{field.name}",) for field in fields(ProfiledWheels)[1:]},
}


def fields_of_wheels(usual: str) -> dict[str, Field]:
    """What a file of a bogie may say of its wheels."""
    return {
        "wheels": Word((CONES, PROFILES), usual, "constant load on cones, or profiles on rails"),
        "cone": CONE,
        "wheel": PROFILED,
    }


def wheels_of(values: Values) -> dict[str, Any]:
    """`cone` and `wheel`, one of them None; numbers of the other kind are refused, they would have no effect."""
    chosen, other = ("cone", "wheel") if values["wheels"] == CONES else ("wheel", "cone")
    if values[other] is not None:
        allowed = f"must be left out: wheels are {values['wheels']}, and {chosen} is their table"
        raise InputError(other, None, allowed)
    given = values[chosen] or {}
    return {chosen: _cones(given) if chosen == "cone" else ProfiledWheels(**given), other: None}


def _cones(given: Values) -> ConicalWheels:
    kept = dict(given)
    shear, axes, stiffness = (kept.pop(name, None) for name in ("shear_modulus", "semi_axes", "creep_stiffness"))
    if (shear is None) != (axes is None) or (shear is not None and stiffness is not None):
        allowed = "must be given, or shear_modulus and semi_axes whose product it is; not both"
        raise InputError("cone.creep_stiffness", stiffness, allowed)
    if shear is not None and axes is not None:
        stiffness = shear * pi * axes[0] * axes[1]
    wheels = ConicalWheels(**kept)
    return wheels if stiffness is None else replace(wheels, creep_stiffness=stiffness)


def with_sources_of_wheels(said: dict[str, str], values: Values) -> dict[str, str]:
    """The radius has one source for either kind of wheels; the terms of profiled ones have one of their own."""
    cones = values["wheels"] == CONES
    if "radius" in said:
        said["radius.cone" if cones else "radius.wheel"] = said["radius"]
    if values["wheels"] == CONES and values["flange"] == SMOOTH and values["flange_width"] == WIDTH:
        said = {"flange_width": "choice: 100 N in the corner", **said}
    return said if cones else {"wheel.terms": TERMS, **said}


def value_at(p: Any, name: str) -> Any:
    """What a bogie has under the name of a field, None where its wheels have no such thing."""
    group, _, rest = name.partition(".")
    if group == "cone":
        return getattr(p.cone, rest, None)
    if group.startswith("flange") and (p.cone is None or p.flange == NO_FLANGE):
        return None
    return getattr(p, name.replace(".", "_"))
