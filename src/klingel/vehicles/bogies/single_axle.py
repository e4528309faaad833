"""Single-axle bogie, essentially half of Cooperrider's: parameters -> description.

One wheelset under a frame that is held (`carrier = "track"`), or a body of the vehicle.

================  =========  ==========================================================================
element           direction  law
================  =========  ==========================================================================
{side}.primary    x y z      spring and damper; z only under a body that may move vertically
middle.slider_y   y          dry friction across, where `friction.lateral` is given
middle.slider_yaw yaw        dry friction against yaw, where `friction.yaw` is given
{side}.guide_y    y          axle guide: dead band of stiffness, where `guide` is given
{side}.guide_x    x          axle guide: rigid stops, or a dead band where it is elastic
rails.flange      y          of conical wheels: dead band, or none
================  =========  ==========================================================================

On cones: 4 equations, and those of its carrier. Source: Knudsen, Feldberg and True (1992), Slivsgaard and True
(1994), True and Asmund (2002), True and Trzepacz (2004), as told by True, Engsig-Karup and Bigoni (2013), sections
3 and 4; their numbers could not be opened.
"""

from dataclasses import dataclass
from math import inf, isfinite

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.spring import Spring
from klingel.model.description import TRACK, Body, Connection, Element, Guide, Law, Vehicle
from klingel.vehicles.bogies.flange import NO_FLANGE, PIECEWISE, WIDTH, flange_law
from klingel.vehicles.bogies.wheels import REFERENCE, ConicalWheels, ProfiledWheels, free_of, on_rails

SIDES = {"left": 1.0, "right": -1.0}
STICKS = ("rigid", "elastic")
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class SliderPair:
    """Dry friction between carrier and wheelset, across and against yaw; zero where there is none."""

    lateral: float = 0.0  # [N]
    yaw: float = 0.0  # [N m]
    stick: str = "rigid"  # true stick, or a spring in series
    static_ratio: float = 1.0  # of the limit of rigid stick to that of slip [-]
    stiffness: float = 1e8  # of the spring in series, across [N/m]
    yaw_stiffness: float = 1e8  # [N m/rad]

    def __post_init__(self) -> None:
        if not max(self.lateral, self.yaw) > 0.0:
            raise InputError("friction", None, "must have a lateral or a yaw limit")


@dataclass(frozen=True)
class AxleGuide:
    """Plates beside the axle boxes."""

    gap_x: float = 0.0225  # [m]
    gap_y: float = 0.020  # [m]
    stiffness_y: float = 1.5e6  # [N/m]
    stiffness_x: float = 0.0  # zero: rigid, impacts [N/m]
    restitution: float = 1.0  # of the rigid one [-]
    resting_speed: float = 1e-3  # [m/s]


@dataclass(frozen=True)
class SingleAxleBogie:
    """Parameters of the template, in SI."""

    name: str
    radius: float = 0.4572  # [m]
    carrier: str = TRACK
    wheelset_mass: float = 1022.0  # [kg]
    wheelset_inertia: Vector = (678.0, 80.0, 678.0)  # [kg m2]
    primary_stiffness: Vector = (3.646e6, 1.823e6, 3.646e6)  # of one side [N/m]
    primary_damping: Vector = (0.0, 0.0, 0.0)  # [N s/m]
    primary_spacing: float = 1.24  # across [m]
    friction: SliderPair | None = None
    guide: AxleGuide | None = None
    guide_spacing: float = 2.0  # of the axle boxes across [m]
    flange: str = PIECEWISE
    flange_gap: float = 0.0091  # [m]
    flange_stiffness: float = 14.6e6  # [N/m]
    flange_width: float = WIDTH  # of the rounding of a smooth one [m]
    cone: ConicalWheels | None = REFERENCE  # one of these two
    wheel: ProfiledWheels | None = None

    def __post_init__(self) -> None:
        for name in ("radius", "wheelset_mass", "primary_spacing"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(name, value, "must be finite and positive")


def single_axle_bogie(p: SingleAxleBogie) -> Vehicle:
    """The full description around x = 0."""
    body = Body("wheelset", p.wheelset_mass, p.wheelset_inertia, (0.0, 0.0, p.radius), free_of(p.cone))
    joints: dict[str, tuple[Connection, list[tuple[str, str, Law]]]] = {}

    def put(name: str, inner: str, point: Vector, laws: list[tuple[str, str, Law]]) -> None:
        joints[name] = (Connection(name, inner, "wheelset", point), laws)

    directions = "xy" if p.cone else "xyz"
    for side, sign in SIDES.items():
        springs = zip(directions, p.primary_stiffness, p.primary_damping, strict=False)
        laws: list[tuple[str, str, Law]] = [(f"primary_{d}", d, Spring(k, c)) for d, k, c in springs]
        put(side, p.carrier, (0.0, sign * 0.5 * p.primary_spacing, p.radius), laws)
    if p.friction:
        put("middle", p.carrier, (0.0, 0.0, p.radius), _sliders(p.friction))
    if p.guide:
        for side, sign in SIDES.items():
            place = (0.0, sign * 0.5 * p.guide_spacing, p.radius)
            put(f"{side}_box", p.carrier, place, _guides(p.guide, side))
    if p.cone and p.flange != NO_FLANGE:
        law = flange_law(p.flange, p.flange_gap, p.flange_stiffness, p.flange_width)
        put("rails", TRACK, (0.0, 0.0, 0.0), [("flange", "y", law)])
    wheelsets, cones = on_rails(p.cone, p.wheel, ("wheelset",), p.radius)
    return Vehicle(
        p.name,
        (body,),
        tuple(connection for connection, _ in joints.values()),
        tuple(Element(f"{n}.{what}", n, d, law) for n, (_, laws) in joints.items() for what, d, law in laws),
        wheelsets,
        conical_wheelsets=cones,
    )


def _sliders(friction: SliderPair) -> list[tuple[str, str, Law]]:
    across, turning = (friction.stiffness, friction.lateral), (friction.yaw_stiffness, friction.yaw)
    both = (("slider_y", "y", *across), ("slider_yaw", "yaw", *turning))
    there = [(name, d, stiffness, limit) for name, d, stiffness, limit in both if limit > 0.0]
    if friction.stick == "rigid":
        return [(name, d, RigidFriction(limit, static_ratio=friction.static_ratio)) for name, d, _, limit in there]
    return [(name, d, DryFriction(stiffness, limit)) for name, d, stiffness, limit in there]


def _guides(guide: AxleGuide, side: str) -> list[tuple[str, str, Law]]:
    """Each box meets its own plate: outwards it is free."""
    gaps = (-guide.gap_y, inf) if side == "left" else (-inf, guide.gap_y)
    along: Law = Guide(guide.gap_x, guide.restitution, guide.resting_speed)
    if guide.stiffness_x > 0.0:
        along = DeadBand(-guide.gap_x, guide.gap_x, guide.stiffness_x)
    return [("guide_y", "y", DeadBand(*gaps, guide.stiffness_y)), ("guide_x", "x", along)]
