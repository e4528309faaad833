"""A vehicle as data: bodies, connections between points of two bodies, elements on them, wheelsets on the track.

Vehicle frame: x forwards from the middle of the vehicle, y to the left, z up from the rail tops. Names go from
large to small with dots: `front_left.link_y.slider_1`. Nothing here knows how many axles there are.
"""

from dataclasses import dataclass, field
from typing import Any

from klingel.contact.creep.catalogue import Law as CreepLaw
from klingel.elements.conical_wheelset import Cone
from klingel.elements.guide import Guide as Guide

COORDINATES = ("x", "y", "z", "roll", "pitch", "yaw")
SPIN = "spin"  # in place of pitch: rotation about the axle on top of V/r0; a velocity without a position
USUAL_CREEP = "shen_hedrick_elkins"
LEFT_OUT, INCLUDED = "left out", "included"  # of a term that is usually neglected
EACH, EQUIVALENT = "each", "equivalent"
TOGETHER, APART = "together", "apart"
# what a wheelset may say of its contacts
CONTACT_WORDS: dict[str, tuple[str, ...]] = {
    "creep": tuple(law.name.lower() for law in CreepLaw),
    "along_track": (LEFT_OUT, INCLUDED),
    "spin_moment": (LEFT_OUT, INCLUDED),
    "patches": (EACH, EQUIVALENT),
    "turning": (TOGETHER, APART),
}
# all that a wheelset may leave as usual
CONTACT_TERMS = ("friction_ratio", "radius_difference", "torsion", "torsion_damping", *CONTACT_WORDS)
TRACK = "track"  # stands for a body that runs along the track at the prescribed speed


def unit_of(coordinate: str) -> str:
    """m, or rad of a rotation."""
    return "m" if coordinate in COORDINATES[:3] else "rad"


def force_unit(direction: str) -> str:
    """N, or N m about an axis."""
    return "N" if direction in COORDINATES[:3] else "N m"


@dataclass(frozen=True)
class Body:
    name: str
    mass: float  # [kg]
    inertia: tuple[float, float, float]  # about x, y, z through the centre of mass [kg m2]
    position: tuple[float, float, float]  # nominal centre of mass, vehicle frame [m]
    free: tuple[str, ...]  # coordinates that may move, of COORDINATES or SPIN; the others are prescribed


@dataclass(frozen=True)
class Connection:
    """A point of body `inner` and a point of body `outer` that coincide at rest; deformation = outer - inner."""

    name: str
    inner: str  # usually the carbody; TRACK for the track frame
    outer: str  # usually the wheelset
    point: tuple[float, float, float]  # vehicle frame [m]


Law = Any  # one of the laws of `kinds.registry`


@dataclass(frozen=True)
class Element:
    name: str  # with its connection: "front_left.link_y.slider_1"
    connection: str
    direction: str  # one of COORDINATES; angles are relative rotations of the two bodies
    law: Law
    also: tuple[str, ...] = ()  # further directions of a law that acts in more than one
    load: str | None = None  # "<connection>.<direction>" whose pressing force is the normal load of the law

    @property
    def directions(self) -> tuple[str, ...]:
        return (self.direction, *self.also)

    @property
    def ports(self) -> tuple[str, ...]:
        return tuple(f"{self.connection}.{direction}" for direction in self.directions)


@dataclass(frozen=True)
class Wheelset:
    """Two wheels of a body on the rails."""

    body: str
    profile: str = "S1002"  # library name or path
    radius: float = 0.46  # nominal, r0 [m]
    back_to_back: float = 1.36  # flange backs [m]
    friction: float = 0.3  # wheel on rail [-]
    damping: float = 1.5e5  # of the contact, in its normal direction [N s/m]
    profile_right: str = ""  # of the right wheel, where it differs
    profile_residual: float = 0.0  # rms distance that smoothing may take from the points of profile files [m]
    creep: str = USUAL_CREEP  # a law of `contact.creep.catalogue`, in small letters
    friction_ratio: float = 1.0  # friction of the right wheel over that of the left one
    radius_difference: float = 0.0  # of the right wheel against the left one, whose radius is r0 [m]
    along_track: str = LEFT_OUT  # speed of the wheelset along the track in the longitudinal creepage
    spin_moment: str = LEFT_OUT  # moment of creep about the contact normal
    patches: str = EACH  # contacts of an overlap creep each for itself, or as one equivalent patch
    turning: str = TOGETHER  # wheels on a rigid axle, or apart: with `torsion` between them, loose without
    torsion: float = 0.0  # stiffness of the axle between its wheels [N m/rad]
    torsion_damping: float = 0.0  # [N m s/rad]

    @property
    def usual(self) -> bool:
        """Whether it creeps by the law that is built into the pass over all wheels."""
        chosen = (self.creep, self.along_track, self.spin_moment, self.patches, self.turning)
        return chosen == (USUAL_CREEP, LEFT_OUT, LEFT_OUT, EACH, TOGETHER)


@dataclass(frozen=True)
class ConicalWheelset:
    """A body on conical wheels with constant load, as in the classical stability models; needs no profile."""

    body: str
    cone: Cone
    offset: float = 0.0  # of the axle from the centre of mass of the body, forwards [m]
    name: str = ""  # where a body has several; that of the body if empty

    @property
    def called(self) -> str:
        return self.name or self.body


@dataclass(frozen=True)
class Vehicle:
    name: str
    bodies: tuple[Body, ...]
    connections: tuple[Connection, ...]
    elements: tuple[Element, ...]
    wheelsets: tuple[Wheelset, ...]
    gravity: float = 9.81  # [m/s2]
    sources: dict[str, str] = field(default_factory=dict)  # dotted name -> where its value comes from
    meta: dict[str, Any] = field(default_factory=dict)  # template and its parameters, title, load case
    conical_wheelsets: tuple[ConicalWheelset, ...] = ()
