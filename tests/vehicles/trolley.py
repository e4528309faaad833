"""A template the package does not know: one axle, a frame on two springs; tests enter it into the registry."""

from dataclasses import dataclass, replace

from klingel._errors import InputError
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset
from klingel.vehicles.fields import NOT_NEGATIVE, POSITIVE, Choice, Group, Named, Quantity, Text
from klingel.vehicles.template import LOAD, LOAD_CASE, LOADS, Option, Template

GRAVITY = 9.81
SPRINGS = {"soft": 4e5, "stiff": 8e5}  # [N/m]
SIDES = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True)
class Trolley:
    name: str
    frame_mass: float
    axle_mass: float
    height: float
    spacing: float
    stiffness: float
    damping: float
    radius: float = 0.46
    profile: str = "S1002"

    def __post_init__(self):
        if not self.frame_mass > 0.0:
            raise InputError("frame_mass", self.frame_mass, "must be positive")


def trolley(p: Trolley) -> Vehicle:
    half, load = 0.5 * p.spacing, 0.5 * p.frame_mass * GRAVITY
    inertia = (p.axle_mass * 0.5, p.axle_mass * 0.05, p.axle_mass * 0.5)
    frame = (p.frame_mass * 0.7, p.frame_mass * 0.7, p.frame_mass)
    elements = []
    for side in SIDES:
        elements.append(Element(f"{side}.along", side, "x", Spring(20 * p.stiffness, p.damping)))
        elements.append(Element(f"{side}.across", side, "y", Spring(2 * p.stiffness, p.damping)))
        elements.append(Element(f"{side}.up", side, "z", Spring(p.stiffness, p.damping, load)))
    return Vehicle(
        p.name,
        (
            Body("axle", p.axle_mass, inertia, (0.0, 0.0, p.radius), ("y", "z", "roll", "yaw", "spin")),
            Body("frame", p.frame_mass, frame, (0.0, 0.0, p.height), ("y", "z", "roll")),
        ),
        tuple(Connection(side, "frame", "axle", (0.0, sign * half, p.radius)) for side, sign in SIDES.items()),
        tuple(elements),
        (Wheelset("axle", p.profile, p.radius),),
        GRAVITY,
    )


def parameters(values, options) -> Trolley:
    springs = values["springs"]
    stiffness, damping = (SPRINGS[springs], 4e3) if isinstance(springs, str) else springs.values()
    p = Trolley(
        values["name"],
        values["frame"]["mass"],
        values["axle_mass"],
        values["height"],
        values["spacing"],
        stiffness,
        damping,
        profile=values["profile"],
    )
    load = values[LOADS].get(options.get(LOAD))
    return replace(p, frame_mass=p.frame_mass + load["mass"]) if load else p


def top_heavy(vehicle: Vehicle):
    height = vehicle.bodies[1].position[2]
    if height > 3.0:
        yield InputError("height", height, "must not be above 3 m: a trolley falls over")


MASS = Quantity("mass", POSITIVE)
OWN = Group({"stiffness": Quantity("stiffness", POSITIVE), "damping": Quantity("damping", NOT_NEGATIVE)})
TROLLEY = Template(
    "trolley",
    "one axle under a frame on two springs",
    {
        "frame": Group({"mass": MASS}),
        "axle_mass": MASS,
        "height": Quantity("length", POSITIVE),
        "spacing": Quantity("length", POSITIVE, 2.0),
        "springs": Choice(tuple(SPRINGS), OWN, "a table with stiffness and damping", "soft"),
        "profile": Text("the name or file of a wheel profile", "S1002"),
        LOADS: Named(Group({"mass": MASS})),
    },
    parameters,
    trolley,
    (LOAD_CASE, Option("springs", "soft or stiff", "springs", "springs", True)),
    checks=top_heavy,
    reaches={"frame": ("frame.mass",), "springs": ("{side}.up.stiffness", "{side}.along.stiffness")},
    places=tuple({"side": side} for side in SIDES),
    groups=("frame", "axle"),
    dimensions={"stiffness": "stiffness", "damping": "damping", "axle.mass": "mass"},
)
FILE = """
name = "mine"
title = "a trolley"
template = "trolley"
axle_mass = "1200 kg"
height = "0.9 m"
springs = "soft"

[frame]
mass = "2 t"

[loads.stones]
mass = "3 t"

[sources]
frame = "weighed"
"""
