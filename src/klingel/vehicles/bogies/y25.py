"""Freight bogie of the Y25 family with Lenoir dampers: parameters -> description.

Two wheelsets under a rigid frame, one stage of springs, spherical centre pivot, spring-loaded side bearers.

======================  =========  ==========================================================================
element                 direction  law
======================  =========  ==========================================================================
{corner}.tare_x,y,z     x y z      tare springs of an axle box: shear, and vertical
{corner}.load           z          load springs: a dead band that closes their gap below the position drawn
{corner}_pusher.face    y z        Lenoir damper: friction in the plane of the pusher, both faces; its normal
                                   load is half of the spring force times tan(angle), one spring being hung
{corner}_pusher.stop_x  x          clearance of the axle box to its stops, and stop_y
pivot.spring_x,y,z      x y z      centre pivot, stiff
pivot.turning           yaw        friction of the pivot, which follows its load
bearer_{side}.spring    z          side bearer under its preload
bearer_{side}.face      x y        friction in its plane, which follows its load
======================  =========  ==========================================================================

Left out: the pusher lets go of the axle box when a longitudinal force exceeds its own, and is rigid towards the
guide; here shear of the springs is all there is until the stop.

No complete set of numbers has been found in public material. Those in the library file are a development set, not
literature data; wheelbase 1.8 m and wheels of 920 mm alone are known.
"""

from dataclasses import dataclass
from math import inf, isfinite, tan

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.elastic_friction import ElasticFriction
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Law, Vehicle
from klingel.vehicles.bogies.wheels import ProfiledWheels

AXLES = {"front": 1.0, "rear": -1.0}
SIDES = {"left": 1.0, "right": -1.0}
WHEELSET_FREE = ("x", "y", "z", "roll", "yaw", "spin")
FRAME_FREE = ("x", "y", "z", "roll", "pitch", "yaw")
CONTACT = 20e6  # stiffness of a stuck face [N/m]; about 0.5 mm of slip under a full load
TURNING = 20e6  # the same of the pivot [N m/rad]
HUNG = 0.5  # part of the springs of an axle box that hangs on a Lenoir link
FACES = 2.0  # that rub: pusher on axle box, axle box on the guide opposite
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Y25Bogie:
    """Parameters of the template, in SI."""

    name: str
    wheelset_mass: float
    wheelset_inertia: Vector
    frame_mass: float
    frame_inertia: Vector
    carrier: str = "carbody"
    wheelbase: float = 1.8  # [m]
    radius: float = 0.46  # [m]
    frame_height: float = 0.15  # centre of mass above the axles [m]
    tare_stiffness: Vector = (0.8e6, 0.8e6, 1.0e6)  # both groups of an axle box [N/m]
    load_springs_stiffness: float = 1.6e6  # vertical, more than that [N/m]
    load_springs_gap: float = 0.02  # below the position drawn [m]
    box_spacing: float = 2.0  # across [m]
    lenoir_angle: float = 0.4363  # of the link to the vertical [rad]
    lenoir_friction: float = 0.25
    stop_gap_x: float = 0.004  # [m]
    stop_gap_y: float = 0.010  # [m]
    stop_stiffness: float = 3e7  # [N/m]
    pivot_stiffness: Vector = (2e7, 2e7, 5e7)  # [N/m]
    pivot_damping: Vector = (2e4, 2e4, 5e4)  # [N s/m]
    pivot_height: float = 0.35  # above the axles [m]
    pivot_friction: float = 0.2
    pivot_radius: float = 0.15  # at which it rubs [m]
    bearer_spacing: float = 1.7  # across [m]
    bearer_stiffness: float = 1e6  # [N/m]
    bearer_damping: float = 5e3  # [N s/m]
    bearer_preload: float = 12e3  # [N]
    bearer_friction: float = 0.25
    wheel: ProfiledWheels = ProfiledWheels()  # noqa: RUF009, frozen

    def __post_init__(self) -> None:
        for name in ("wheelset_mass", "frame_mass", "wheelbase", "radius", "box_spacing", "bearer_spacing"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(name, value, "must be finite and positive")
        if not 0.0 <= self.lenoir_angle < 1.2:
            raise InputError("lenoir_angle", self.lenoir_angle, "must lie between 0 and 1.2 rad")


Joint = tuple[Connection, list[tuple[str, tuple[str, ...], Law, str | None]]]  # name, directions, law, load


def y25_bogie(p: Y25Bogie) -> Vehicle:
    """The full description around x = 0."""
    names = tuple(f"{axle}_wheelset" for axle in AXLES)
    bodies = [
        Body(n, p.wheelset_mass, p.wheelset_inertia, (s * 0.5 * p.wheelbase, 0.0, p.radius), WHEELSET_FREE)
        for n, s in zip(names, AXLES.values(), strict=True)
    ]
    frame = (0.0, 0.0, p.radius + p.frame_height)
    bodies.append(Body("frame", p.frame_mass, p.frame_inertia, frame, FRAME_FREE))
    joints = [joint for axle in AXLES for side in SIDES for joint in _axle_box(p, axle, side)]
    joints += _body_support(p)
    return Vehicle(
        p.name,
        tuple(bodies),
        tuple(connection for connection, _ in joints),
        tuple(
            Element(f"{connection.name}.{name}", connection.name, directions[0], law, directions[1:], load)
            for connection, laws in joints
            for name, directions, law, load in laws
        ),
        tuple(p.wheel.of_radius(body, p.radius) for body in names),
    )


def _axle_box(p: Y25Bogie, axle: str, side: str) -> list[Joint]:
    corner = f"{axle}_{side}"
    point = (AXLES[axle] * 0.5 * p.wheelbase, SIDES[side] * 0.5 * p.box_spacing, p.radius)
    springs: list = [(f"tare_{d}", (d,), Spring(k), None) for d, k in zip("xyz", p.tare_stiffness, strict=True)]
    springs.append(("load", ("z",), DeadBand(-inf, p.load_springs_gap, p.load_springs_stiffness), None))
    face = ElasticFriction(CONTACT, friction=FACES * p.lenoir_friction, load_factor=HUNG * tan(p.lenoir_angle))
    rubbing: list = [
        ("face", ("y", "z"), face, f"{corner}.z"),
        ("stop_x", ("x",), DeadBand(-p.stop_gap_x, p.stop_gap_x, p.stop_stiffness), None),
        ("stop_y", ("y",), DeadBand(-p.stop_gap_y, p.stop_gap_y, p.stop_stiffness), None),
    ]
    wheelset = f"{axle}_wheelset"
    return [
        (Connection(corner, "frame", wheelset, point), springs),
        (Connection(f"{corner}_pusher", "frame", wheelset, point), rubbing),
    ]


def _body_support(p: Y25Bogie) -> list[Joint]:
    height = p.radius + p.pivot_height
    turning = ElasticFriction(TURNING, friction=p.pivot_friction, load_factor=p.pivot_radius)
    holding: list = [
        (f"spring_{d}", (d,), Spring(k, c), None)
        for d, k, c in zip("xyz", p.pivot_stiffness, p.pivot_damping, strict=True)
    ]
    holding.append(("turning", ("yaw",), turning, "pivot.z"))
    found: list[Joint] = [(Connection("pivot", p.carrier, "frame", (0.0, 0.0, height)), holding)]
    for side, sign in SIDES.items():
        name = f"bearer_{side}"
        laws: list = [
            ("spring", ("z",), Spring(p.bearer_stiffness, p.bearer_damping, p.bearer_preload), None),
            ("face", ("x", "y"), ElasticFriction(CONTACT, friction=p.bearer_friction), f"{name}.z"),
        ]
        point = (0.0, sign * 0.5 * p.bearer_spacing, height)
        found.append((Connection(name, p.carrier, "frame", point), laws))
    return found
