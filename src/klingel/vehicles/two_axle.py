"""Two-axle freight wagon on UIC double-link suspensions: parameters -> description.

Two wheelsets, one carbody, four corners. At each corner, with Q the static load of the corner and the
deformation taken from carbody to wheelset,

=================  =========  ====================================================================
element            direction  law
=================  =========  ====================================================================
link_x.pendulum    x          spring k Q
link_x.slider_i    x          dry friction k_i Q, T_0i Q
guide_x            x          rigid stops at +-x0 (Newton impact)
link_y.pendulum    y          spring k Q
link_y.slider_i    y          dry friction k_i Q, T_0i Q
link_y.bracket     y          dead band +-y01, stiffness k_sb Q
guide_y            y          one-sided dead band: right corners beyond +y02, left corners below -y02
leaf               z          leaf spring, or a linear spring and damper under the preload Q
=================  =========  ====================================================================

A pendulum carries its load, so k, k_i, T_0i and k_sb of the links (divided by the load in the published
sets) are multiplied by the static load of their own corner, and T_0i by f / 0.3 for a coefficient of
friction f in the joints: 0.3 is that of the set PTP and leaves every set as published.

The four loads follow from three conditions of balance and one of shape: the corners of the unloaded wagon
lie in a plane, so with equal springs

    Q = m g / 4 (1 +- x_c / a +- y_c / b)

with the centre of mass at (x_c, y_c), half the wheelbase a and half the lateral spacing b of the suspensions.

Source: Hoffmann, Dynamics of European two-axle freight wagons (2006), sections 2.3, 2.4 and 5.1. Its
attachment points of the right-hand side are printed with the wrong sign of a lateral shift of the centre of
mass; here points are given in the frame of the vehicle and do not move with the load.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, sqrt

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import PARABOLIC, LeafSpring, Reading
from klingel.elements.link_sets import LINK_SETS, PTP_FRICTION, LinkLaw
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Guide, Law, Vehicle, Wheelset

# corner -> wheelset, sign of x, sign of y
CORNERS = {
    "front_left": ("front_wheelset", 1.0, 1.0),
    "front_right": ("front_wheelset", 1.0, -1.0),
    "rear_left": ("rear_wheelset", -1.0, 1.0),
    "rear_right": ("rear_wheelset", -1.0, -1.0),
}
WHEELSET_FREE = ("x", "y", "z", "roll", "yaw", "spin")
CARBODY_FREE = ("y", "z", "roll", "pitch", "yaw")  # runs along the track at the prescribed speed
_POSITIVE = ("wheelset_mass", "carbody_mass", "carbody_height", "wheelbase", "radius", "spacing", "gravity")
DAMPED_PARABOLIC = replace(PARABOLIC, reading=Reading.FULL)  # as the default of a file


@dataclass(frozen=True)
class LinearLeaf:
    """Stand-in for a leaf spring: its static stiffness at the load it carries, and viscous damping."""

    leaf: LeafSpring
    damping_ratio: float = 0.1  # of the mass the corner carries on the static stiffness [-]; not published

    def __post_init__(self) -> None:
        if not (isfinite(self.damping_ratio) and self.damping_ratio >= 0.0):
            raise InputError("damping_ratio", self.damping_ratio, "must be finite and not negative")

    def at(self, load: float, gravity: float) -> Spring:
        second = self.leaf.static_deflection(load) > self.leaf.second_leaf
        stiffness = self.leaf.stiffness_second if second else self.leaf.stiffness
        damping = 2.0 * self.damping_ratio * sqrt(stiffness * load / gravity)
        return Spring(stiffness, damping, preload=load)


@dataclass(frozen=True)
class TwoAxle:
    """Parameters of the template, in SI; `two_axle` turns them into a vehicle."""

    name: str
    wheelset_mass: float  # axle boxes and leaf springs included [kg]
    wheelset_inertia: tuple[float, float, float]  # [kg m2]
    carbody_mass: float  # load included [kg]
    carbody_inertia: tuple[float, float, float]  # [kg m2]
    carbody_height: float  # centre of mass above the rail tops [m]
    wheelbase: float  # [m]
    radius: float = 0.46  # r0, nominal rolling radius [m]
    carbody_shift: tuple[float, float] = (0.0, 0.0)  # centre of mass off the middle, forwards and to the left [m]
    spacing: float = 2.0  # of the suspensions across the vehicle [m]
    leaf: LeafSpring | LinearLeaf = DAMPED_PARABOLIC
    links: Mapping[str, LinkLaw] = field(default_factory=lambda: LINK_SETS["PTP"])  # directions x and y
    link_friction: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(CORNERS, PTP_FRICTION))  # [-]
    guide_gap_x: float = 0.0225  # x0 [m]
    guide_restitution: float = 0.9  # [-]
    guide_resting_speed: float = 1e-3  # impacts slower than this do not rebound [m/s]
    guide_gap_y: float = 0.020  # y02 [m]
    guide_stiffness_y: float = 1.5e6  # [N/m]
    profile: str = "S1002"
    profile_right: str = ""  # of the right wheels, where they differ
    profile_residual: float = 0.0  # of smoothing, for profile files [m]
    back_to_back: float = 1.36  # [m]
    wheel_friction: float = 0.3  # wheel on rail [-]
    wheel_damping: float = 1.5e5  # of the contact [N s/m]
    gravity: float = 9.81  # [m/s2]

    def __post_init__(self) -> None:
        for name in _POSITIVE:
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(name, value, "must be finite and positive")
        if not self.wheelbase > 2.0 * self.radius:
            raise InputError(
                "wheelbase", self.wheelbase, f"must be more than two wheel radii, {2 * self.radius:g} m"
            )
        for corner in CORNERS:
            value = self.link_friction.get(corner, 0.0)
            if not (isfinite(value) and value > 0.0):
                raise InputError(f"link_friction.{corner}", value, "must be finite and positive")


def corner_loads(p: TwoAxle) -> dict[str, float]:
    """Static load of each suspension [N]; none may be negative, a link cannot push."""
    share_x = p.carbody_shift[0] / (0.5 * p.wheelbase)
    share_y = p.carbody_shift[1] / (0.5 * p.spacing)
    if abs(share_x) + abs(share_y) >= 1.0:
        raise InputError("carbody_shift", p.carbody_shift, "must leave a load on every corner of the wagon")
    quarter = 0.25 * p.carbody_mass * p.gravity
    return {
        corner: quarter * (1.0 + sign_x * share_x + sign_y * share_y)
        for corner, (_, sign_x, sign_y) in CORNERS.items()
    }


def _link(law: LinkLaw, load: float) -> dict[str, Law]:
    laws: dict[str, Law] = {"pendulum": Spring(law.stiffness * load)}
    for i, (stiffness, limit) in enumerate(law.sliders, 1):
        laws[f"slider_{i}"] = DryFriction(stiffness * load, limit * load)
    if law.bracket_stiffness > 0.0:
        laws["bracket"] = DeadBand(-law.bracket_gap, law.bracket_gap, law.bracket_stiffness * load)
    return laws


def _corner(p: TwoAxle, corner: str, load: float) -> list[Element]:
    left = CORNERS[corner][2] > 0.0
    ratio = p.link_friction[corner] / PTP_FRICTION
    laws: list[tuple[str, str, Law]] = []
    for direction in ("x", "y"):
        link = _link(p.links[direction].with_friction(ratio), load)
        laws += [(f"link_{direction}.{name}", direction, law) for name, law in link.items()]
        if direction == "x":
            laws.append(("guide_x", "x", Guide(p.guide_gap_x, p.guide_restitution, p.guide_resting_speed)))
    gaps = (-p.guide_gap_y, inf) if left else (-inf, p.guide_gap_y)
    laws.append(("guide_y", "y", DeadBand(*gaps, p.guide_stiffness_y)))
    leaf = p.leaf.at(load, p.gravity) if isinstance(p.leaf, LinearLeaf) else p.leaf
    laws.append(("leaf", "z", leaf))
    return [Element(f"{corner}.{name}", corner, direction, law) for name, direction, law in laws]


def two_axle(p: TwoAxle) -> Vehicle:
    """The full description: bodies, corners, elements, wheelsets."""
    half = 0.5 * p.wheelbase
    loads = corner_loads(p)
    bodies = (
        Body("front_wheelset", p.wheelset_mass, p.wheelset_inertia, (half, 0.0, p.radius), WHEELSET_FREE),
        Body("rear_wheelset", p.wheelset_mass, p.wheelset_inertia, (-half, 0.0, p.radius), WHEELSET_FREE),
        Body("carbody", p.carbody_mass, p.carbody_inertia, (*p.carbody_shift, p.carbody_height), CARBODY_FREE),
    )
    connections = tuple(
        Connection(corner, "carbody", wheelset, (sx * half, sy * 0.5 * p.spacing, p.radius))
        for corner, (wheelset, sx, sy) in CORNERS.items()
    )
    elements = tuple(element for corner in CORNERS for element in _corner(p, corner, loads[corner]))
    wheelsets = tuple(
        Wheelset(
            body,
            p.profile,
            p.radius,
            p.back_to_back,
            p.wheel_friction,
            p.wheel_damping,
            p.profile_right,
            p.profile_residual,
        )
        for body in ("front_wheelset", "rear_wheelset")
    )
    meta = {"template": "two_axle", "parameters": p}
    return Vehicle(p.name, bodies, connections, elements, wheelsets, p.gravity, meta=meta)
