"""Bogie of a passenger car after Cooperrider: parameters -> description.

Two wheelsets, a frame over them on four axle boxes, two secondary springs to what it carries (`carrier`: a body of
the vehicle, or the track, for a body that runs straight ahead).

=======================  ==========  ==================================================================
element                  direction   law
=======================  ==========  ==================================================================
{corner}.primary_x,y,z   x y z       spring and damper between frame and axle box
secondary_{side}.spring  y z         spring and damper between carrier and frame
pivot.yaw_spring         yaw         spring and damper between carrier and frame
yaw_link_{side}.spring   x           longitudinal links beside the frame, in place of the one above
{axle}_rails.flange      y           of conical wheels: dead band, or its smooth form
=======================  ==========  ==================================================================

On cones a wheelset moves in y and yaw, the frame also rolls: 14 equations. On profiles both move vertically too,
the frame pitches and the wheelsets spin: 28 equations and those of the carrier.

Source: Cooperrider (1972); numbers of the reference set as in the file of the library vehicle `cooperrider`.
"""

from dataclasses import dataclass
from math import isfinite

from klingel._errors import InputError
from klingel.elements.spring import Spring
from klingel.model.description import TRACK, Body, Connection, Element, Law, Vehicle
from klingel.vehicles.bogies.flange import NO_FLANGE, PIECEWISE, WIDTH, flange_law
from klingel.vehicles.bogies.wheels import REFERENCE, ConicalWheels, ProfiledWheels, free_of, on_rails

AXLES = {"front": 1.0, "rear": -1.0}
SIDES = {"left": 1.0, "right": -1.0}
FRAME_FREE = {True: ("y", "roll", "yaw"), False: ("y", "z", "roll", "pitch", "yaw")}  # on cones, on profiles
Vector = tuple[float, float, float]
Joint = tuple[Connection, list[tuple[str, str, Law]]]  # a connection, and what is on it: name, direction, law


@dataclass(frozen=True)
class YawLinks:
    """Longitudinal springs and dampers beside the frame, one on each side."""

    stiffness: float  # of one [N/m]
    damping: float  # [N s/m]
    spacing: float  # across the vehicle [m]


@dataclass(frozen=True)
class CooperriderBogie:
    """Parameters of the template, in SI."""

    name: str
    wheelbase: float = 2.148  # [m]
    radius: float = 0.4572  # [m]
    carrier: str = TRACK
    wheelset_mass: float = 1022.0  # [kg]
    wheelset_inertia: Vector = (678.0, 80.0, 678.0)  # [kg m2]
    frame_mass: float = 2918.0
    frame_inertia: Vector = (6780.0, 6780.0, 6780.0)
    frame_height: float = 0.0762  # centre of mass above the axles [m]
    primary_stiffness: Vector = (3.646e6, 1.823e6, 3.646e6)  # of one axle box [N/m]
    primary_damping: Vector = (0.0, 0.0, 0.0)  # [N s/m]
    primary_spacing: float = 1.24  # across [m]
    secondary_stiffness: Vector = (0.0, 0.1823e6, 0.3333e6)  # of one side [N/m]
    secondary_damping: Vector = (0.0, 29.2e3, 20e3)  # [N s/m]
    secondary_spacing: float = 1.36  # across [m]
    secondary_height: float = 0.6584  # above the centre of mass of the frame [m]
    pivot_stiffness: float = 2.71e6  # [N m/rad]
    pivot_damping: float = 0.0  # [N m s/rad]
    yaw_links: YawLinks | None = None
    flange: str = PIECEWISE
    flange_gap: float = 0.0091  # [m]
    flange_stiffness: float = 14.6e6  # [N/m]
    flange_width: float = WIDTH  # of the rounding of a smooth one [m]
    cone: ConicalWheels | None = REFERENCE  # one of these two
    wheel: ProfiledWheels | None = None

    def __post_init__(self) -> None:
        for name in ("wheelbase", "radius", "wheelset_mass", "frame_mass", "primary_spacing", "secondary_spacing"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(name, value, "must be finite and positive")
        if not self.wheelbase > 2.0 * self.radius:
            least = 2.0 * self.radius
            raise InputError("wheelbase", self.wheelbase, f"must be more than two wheel radii, {least:g} m")
        if not self.carrier:
            raise InputError("carrier", self.carrier, "must be the name of a body, or track")

    @property
    def conical(self) -> bool:
        return self.cone is not None


def cooperrider_bogie(p: CooperriderBogie) -> Vehicle:
    """The full description around x = 0."""
    frame_at = p.radius + p.frame_height
    names = tuple(f"{axle}_wheelset" for axle in AXLES)
    bodies = [
        Body(n, p.wheelset_mass, p.wheelset_inertia, (s * 0.5 * p.wheelbase, 0.0, p.radius), free_of(p.cone))
        for n, s in zip(names, AXLES.values(), strict=True)
    ]
    bodies.append(Body("frame", p.frame_mass, p.frame_inertia, (0.0, 0.0, frame_at), FRAME_FREE[p.conical]))
    connections, elements = [], []
    for axle, sx in AXLES.items():
        for side, sy in SIDES.items():
            point = (sx * 0.5 * p.wheelbase, sy * 0.5 * p.primary_spacing, p.radius)
            connections.append(Connection(f"{axle}_{side}", "frame", f"{axle}_wheelset", point))
            elements += _axle_box(p, f"{axle}_{side}")
    for connection, laws in _secondary(p, frame_at + p.secondary_height):
        connections.append(connection)
        elements += [Element(f"{connection.name}.{n}", connection.name, d, law) for n, d, law in laws]
    if p.conical and p.flange != NO_FLANGE:
        for axle, sx in AXLES.items():
            rails = f"{axle}_rails"
            connections.append(Connection(rails, TRACK, f"{axle}_wheelset", (sx * 0.5 * p.wheelbase, 0.0, 0.0)))
            law = flange_law(p.flange, p.flange_gap, p.flange_stiffness, p.flange_width)
            elements.append(Element(f"{rails}.flange", rails, "y", law))
    wheelsets, cones = on_rails(p.cone, p.wheel, names, p.radius)
    return Vehicle(p.name, tuple(bodies), tuple(connections), tuple(elements), wheelsets, conical_wheelsets=cones)


def _axle_box(p: CooperriderBogie, corner: str) -> list[Element]:
    return [
        Element(f"{corner}.primary_{d}", corner, d, Spring(k, c))
        for d, k, c in zip("xyz", p.primary_stiffness, p.primary_damping, strict=True)
    ]


def _secondary(p: CooperriderBogie, height: float) -> list[Joint]:
    """Connections between carrier and frame, and what is on them."""
    found: list[Joint] = []
    stiffness, damping = p.secondary_stiffness, p.secondary_damping
    for side, sy in SIDES.items():
        point = (0.0, sy * 0.5 * p.secondary_spacing, height)
        springs = zip("xyz", stiffness, damping, strict=True)
        laws = [(f"spring_{d}", d, Spring(k, c)) for d, k, c in springs if d != "x" or max(k, c) > 0.0]
        found.append((Connection(f"secondary_{side}", p.carrier, "frame", point), laws))
    if p.yaw_links is None:
        pivot = Connection("pivot", p.carrier, "frame", (0.0, 0.0, height))
        return [*found, (pivot, [("yaw_spring", "yaw", Spring(p.pivot_stiffness, p.pivot_damping))])]
    for side, sy in SIDES.items():
        point = (0.0, sy * 0.5 * p.yaw_links.spacing, height)
        spring = Spring(p.yaw_links.stiffness, p.yaw_links.damping)
        found.append((Connection(f"yaw_link_{side}", p.carrier, "frame", point), [("spring", "x", spring)]))
    return found
