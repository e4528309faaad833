"""Bogie vehicles of any number of axles on S1002 wheels, built from the description, for tests of all sizes.

A carbody on two-axle bogies in a row: a frame on four axle boxes with springs and dry friction, a carbody that
rests on side bearers with friction against yaw. `vehicle(4)` has two bogies, `vehicle(8)` four; names are those of
any bogie vehicle (`leading_front_wheelset`, `leading_frame`, ...), numbered where there are more than two bogies.
"""

from functools import cache

import klingel as kg
from klingel.elements.dry_friction import DryFriction
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset
from klingel.simulation.run import Run

GRAVITY = 9.81
RADIUS, WHEELBASE, BETWEEN = 0.46, 1.8, 5.0  # of a wheel, of a bogie, of neighbouring bogies [m]
AXLE, FRAME, PER_BOGIE = 1490.0, 2200.0, 9000.0  # masses of a wheelset, a frame, carbody per bogie [kg]
AXLE_BOX, SIDE_BEARER = 1.0, 0.85  # half of the distance between left and right [m]
SPEED, DURATION = 30.0, 1.5  # [m/s], [s]
FREE = ("y", "z", "roll", "pitch", "yaw")


def vehicle(axles: int) -> Vehicle:
    """Two axles: the library wagon; more: bogies of two axles each."""
    if axles == 2:
        return kg.load_vehicle("hbbills311")
    names = prefixes(axles)
    bodies, connections, elements, wheels = [], [], [], []
    for k, name in enumerate(names):
        x = BETWEEN * (0.5 * (len(names) - 1) - k)
        for part, some in zip((bodies, connections, elements, wheels), bogie(name, x), strict=True):
            part += some
    length = BETWEEN * len(names)
    mass = PER_BOGIE * len(names)
    inertia = (0.9 * mass, mass * length**2 / 12.0, mass * length**2 / 12.0)
    bodies.append(Body("carbody", mass, inertia, (0.0, 0.0, 1.7), ("x", *FREE)))
    return Vehicle(f"{axles} axles", tuple(bodies), tuple(connections), tuple(elements), tuple(wheels))


def prefixes(axles: int) -> list[str]:
    return ["leading", "trailing"] if axles == 4 else [f"bogie{k}" for k in range(1, axles // 2 + 1)]


def bogie(name: str, x: float) -> tuple[list[Body], list[Connection], list[Element], list[Wheelset]]:
    bodies = [Body(f"{name}_frame", FRAME, (1500.0, 1800.0, 2500.0), (x, 0.0, 0.65), ("x", *FREE))]
    connections, elements, wheels = [], [], []
    for end, way in (("front", 0.5), ("rear", -0.5)):
        axle, at = f"{name}_{end}_wheelset", x + way * WHEELBASE
        free = ("x", "y", "z", "roll", "yaw", "spin")
        bodies.append(Body(axle, AXLE, (988.0, 90.0, 988.0), (at, 0.0, RADIUS), free))
        wheels.append(Wheelset(axle, radius=RADIUS))
        for side, y in (("left", AXLE_BOX), ("right", -AXLE_BOX)):
            box = f"{name}_{end}_{side}"
            connections.append(Connection(box, f"{name}_frame", axle, (at, y, RADIUS)))
            elements += axle_box(box)
    for side, y in (("left", SIDE_BEARER), ("right", -SIDE_BEARER)):
        bearer = f"{name}_bearer_{side}"
        connections.append(Connection(bearer, "carbody", f"{name}_frame", (x, y, 0.9)))
        elements += side_bearer(bearer)
    return bodies, connections, elements, wheels


def axle_box(at: str) -> list[Element]:
    load = 0.25 * (FRAME + PER_BOGIE) * GRAVITY
    laws = {
        "box_x.spring": Spring(4e6, damping=4e4),
        "box_y.spring": Spring(1e6, damping=1e4),
        "box_y.slider": DryFriction(4e6, 3e3),
        "box_z.spring": Spring(8e5, damping=2e3, preload=load),
        "box_z.slider": DryFriction(4e6, 0.08 * load),
    }
    return [Element(f"{at}.{name}", at, name[4], law) for name, law in laws.items()]


def side_bearer(at: str) -> list[Element]:
    laws = {
        "bearer_x.spring": Spring(3e5, damping=1e4),
        "bearer_x.slider": DryFriction(3e6, 4e3),
        "bearer_y.spring": Spring(3e5, damping=1e4),
        "bearer_z.spring": Spring(2e6, damping=3e4, preload=0.5 * PER_BOGIE * GRAVITY),
    }
    return [Element(f"{at}.{name}", at, name[7], law) for name, law in laws.items()]


def kick(axles: int) -> dict[str, float]:
    """Every wheelset to the left."""
    return {f"{wheels.body}.y": 5.5e-3 for wheels in vehicle(axles).wheelsets}


@cache
def run(axles: int, case: str = "straight") -> Run:
    """A short run, once per process: `straight`, `near` (a micrometre beside it), `braking` or `curve`."""
    track = kg.Track.straight()
    if case == "curve":
        track = kg.Track.curve(radius=600.0, cant=0.10, transition=20.0, length=15.0, lead_in=5.0)
    start = kick(axles)
    start[next(iter(start))] += 1e-6 if case == "near" else 0.0
    return kg.simulate(
        vehicle(axles), track, SPEED, DURATION, start, acceleration=-4.0 if case == "braking" else 0.0,
        output_step=0.005,
    )  # fmt: skip
