"""Random vehicles of several topologies, good ones and ones that cannot stand; their balance, computed apart."""

from dataclasses import replace

import numpy as np

from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, LeafSpring
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset

ON_RAILS = ("x", "y", "z", "roll", "yaw", "spin")
GUIDED = ("y", "z", "roll", "pitch", "yaw")
GRAVITY = 9.81
INDEX = {name: k for k, name in enumerate(("x", "y", "z", "roll", "pitch", "yaw"))}


class Drawing:
    """Grows body by body."""

    def __init__(self, rng):
        self.rng, self.bodies, self.connections, self.elements, self.wheelsets = rng, [], [], [], []

    def wheelset(self, name, x):
        self.bodies.append(Body(name, 1400.0, (900.0, 90.0, 900.0), (x, 0.0, 0.46), ON_RAILS))
        self.wheelsets.append(Wheelset(name))

    def body(self, name, mass, place, free=GUIDED):
        inertia = (0.6 * mass, 3.0 * mass, 3.0 * mass)
        self.bodies.append(Body(name, mass, inertia, place, free))

    def decade(self, low, high):
        return float(10.0 ** self.rng.uniform(low, high))

    def stand(self, upper, lower, x, half, z, load):
        """A pair of supports, left and right, with springs across; `load` is about what each of them carries."""
        for side, y in (("left", half), ("right", -half)):
            name = f"{upper}_{lower}_{side}"
            self.connections.append(Connection(name, upper, lower, (x, y, z)))
            for direction in ("x", "y"):
                law = Spring(self.decade(5.5, 8.0))
                self.elements.append(Element(f"{name}.{direction}", name, direction, law))
            for k, law in enumerate(self._supports(load)):
                self.elements.append(Element(f"{name}.z{k}", name, "z", law))

    def _supports(self, load):
        slider = DryFriction(self.decade(4.0, 10.0), self.decade(1.0, 5.0))
        gap = DeadBand(-np.inf, self.rng.uniform(-0.005, 0.02), self.decade(4.0, 10.0))  # some closed when drawn
        found, free = Spring(self.decade(4.0, 10.0)), Spring(self.decade(5.0, 10.0), preload=0.0)
        stated = Spring(self.decade(6.0, 10.0), preload=float(load * self.rng.uniform(0.5, 1.3)))
        leaf = TRAPEZOIDAL if self.rng.random() < 0.5 else PARABOLIC
        closing = DeadBand(-np.inf, self.rng.uniform(0.0, 0.01), self.decade(5.5, 10.0))
        choices = (
            [found], [free], [stated], [leaf], [found, slider], [free, slider], [found, gap], [free, gap],
            [leaf, slider], [leaf, found], [found, Spring(self.decade(4.0, 10.0))], [closing],
        )  # fmt: skip
        chosen = choices[self.rng.integers(len(choices))]
        if self.rng.random() < 0.15:  # a stop that holds both ways
            both = DeadBand(-self.rng.uniform(0.0, 0.01), self.rng.uniform(0.0, 0.02), self.decade(4.0, 9.0))
            chosen = [*chosen, both]
        return chosen

    def vehicle(self):
        parts = (self.bodies, self.connections, self.elements, self.wheelsets)
        return Vehicle("random", *(tuple(part) for part in parts), GRAVITY)


def half(rng):
    """Half the spacing of supports, inside the wheels or outside at the axle boxes [m]."""
    return float(rng.uniform(0.35, 1.3))


def wheelset(rng, aside):
    d = Drawing(rng)
    d.wheelset("axle", 0.0)
    mass = d.decade(3.0, 4.0)
    d.body("box", mass, (0.0, aside, 0.9), ("y", "z", "roll", "yaw"))
    d.stand("box", "axle", 0.0, half(rng), 0.46, 0.5 * mass * GRAVITY)
    return d.vehicle()


def two_axle(rng, aside):
    d = Drawing(rng)
    mass, base, wide = d.decade(3.9, 4.6), rng.uniform(2.5, 5.0), half(rng)
    d.body("carbody", mass, (rng.uniform(-0.8, 0.8), aside, rng.uniform(1.2, 1.9)))
    for name, x in (("front", base), ("rear", -base)):
        d.wheelset(name, x)
        d.stand("carbody", name, x, wide, 0.46, 0.25 * mass * GRAVITY)
    return d.vehicle()


def bogie(d, name, at, load, wide):
    frame = f"{name}_frame"
    d.body(frame, 2500.0, (at, 0.0, 0.6), ("x", *GUIDED))
    for place, x in (("front", at + 0.9), ("rear", at - 0.9)):
        d.wheelset(f"{name}_{place}", x)
        d.stand(frame, f"{name}_{place}", x, wide, 0.46, 0.25 * (load + 2500.0 * GRAVITY))
    return frame


def bogie_wagon(rng, aside):
    d = Drawing(rng)
    mass, base, wide = d.decade(4.1, 4.8), rng.uniform(4.0, 7.0), half(rng)
    d.body("carbody", mass, (rng.uniform(-0.8, 0.8), aside, rng.uniform(1.4, 2.0)))
    for name, x in (("leading", base), ("trailing", -base)):
        frame = bogie(d, name, x, 0.5 * mass * GRAVITY, wide)
        d.stand("carbody", frame, x, half(rng), 0.9, 0.25 * mass * GRAVITY)
    return d.vehicle()


def articulated(rng, aside):
    """Two carbodies that share the middle wheelset."""
    d, wide = Drawing(rng), half(rng)
    for name, sign in (("first", 1.0), ("second", -1.0)):
        mass = d.decade(3.9, 4.4)
        d.body(name, mass, (sign * 4.0 + rng.uniform(-0.5, 0.5), aside, 1.5))
    for name, x in (("front", 8.0), ("middle", 0.0), ("rear", -8.0)):
        d.wheelset(name, x)
    for upper, lower, x in (("first", "front", 8.0), ("first", "middle", 0.3), ("second", "middle", -0.3),
                            ("second", "rear", -8.0)):  # fmt: skip
        d.stand(upper, lower, x, wide, 0.46, 4e4)
    return d.vehicle()


TOPOLOGIES = (wheelset, two_axle, bogie_wagon, articulated)
DEFECTS = ("one side", "one end", "beside the rails")


def random_vehicle(seed):
    """A vehicle and what is wrong with it: nothing, or the coordinates one of which must be named."""
    rng = np.random.default_rng(seed)
    topology = TOPOLOGIES[int(rng.integers(len(TOPOLOGIES)))]
    defect = DEFECTS[int(rng.integers(len(DEFECTS)))] if rng.random() < 0.15 else ""
    far = defect == DEFECTS[2]
    aside = rng.choice((-1.0, 1.0)) * rng.uniform(1.4, 2.0) if far else rng.uniform(-0.25, 0.25)
    vehicle = topology(rng, float(aside))
    upper = vehicle.bodies[0] if topology in (two_axle, bogie_wagon, articulated) else vehicle.bodies[1]
    if defect == DEFECTS[0]:
        return _without(vehicle, upper, lambda point: point[1] < 0.0), {f"{upper.name}.roll"}
    if defect == DEFECTS[1] and topology in (two_axle, bogie_wagon):  # joined carbodies hold each other
        middle = np.mean([c.point[0] for c in vehicle.connections if c.inner == upper.name])
        return _without(vehicle, upper, lambda point: point[0] < middle), {f"{upper.name}.pitch"}
    return vehicle, set()  # beside the rails a light body may stand on a heavy wheelset: the least energy says


def _without(vehicle, upper, gone):
    """Vertical elements below one body taken away where `gone` says so of their point."""
    away = {c.name for c in vehicle.connections if c.inner == upper.name and gone(c.point)}
    kept = tuple(e for e in vehicle.elements if not (e.connection in away and e.direction == "z"))
    return replace(vehicle, elements=kept)


def force_of(law, u, found):
    """Of an element at rest, from its law alone."""
    if isinstance(law, Spring):
        return (found if law.preload is None else law.preload) + law.stiffness * u
    if isinstance(law, DeadBand):
        return law.stiffness * (max(u - law.gap_high, 0.0) + min(u - law.gap_low, 0.0))
    if isinstance(law, LeafSpring):
        c, cz, z0 = law.stiffness, law.stiffness_second, law.second_leaf
        z = (found / c if found <= c * z0 else z0 + (found - c * z0) / cz) + u
        return c * z if z <= z0 else c * z0 + cz * (z - z0)
    return 0.0  # a slider at rest


def left_on(vehicle, place, found, turned=1.0):
    """Force and moment of weight and elements on each body at the positions `place`; rails are not among them.

    With `turned` of zero moments are those of bodies that are not turned: a weight does not tip what it leans on.
    """
    body = {b.name: b for b in vehicle.bodies}
    total = {name: np.concatenate([[0.0, 0.0, -b.mass * GRAVITY], np.zeros(3)]) for name, b in body.items()}
    connection = {c.name: c for c in vehicle.connections}
    for e in vehicle.elements:
        link = connection[e.connection]
        ends = [np.array(link.point) - np.array(body[n].position) for n in (link.inner, link.outer)]
        moved = [place[n][:3] + np.cross(place[n][3:], arm)
                 for n, arm in zip((link.inner, link.outer), ends, strict=True)]  # fmt: skip
        k = INDEX[e.direction]
        push = np.zeros(3)
        push[k] = force_of(e.law, float((moved[1] - moved[0])[k]), found.get(e.name, 0.0))
        for n, arm, sign in zip((link.inner, link.outer), ends, (1.0, -1.0), strict=True):
            own = sign * push - turned * np.cross(
                place[n][3:], sign * push
            )  # in the frame of the body, which is turned
            total[n] += np.concatenate([sign * push, np.cross(arm, own)])
    return total
