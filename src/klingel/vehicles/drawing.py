"""A vehicle as a drawing in plain data: boxes, wheels, lines and points in the vehicle frame, each with its name.

Everything is taken from the description, so that the drawing of any vehicle, of a template or not, shows where its
points really are: a body hangs on lines to its points, and a wrong sign or a length in millimetres stands out.

A body without wheels gets two boxes: the extent of its points and its centre of mass, and the homogeneous box of
the same mass and moments of inertia,

    l_x^2 = 6 (I_yy + I_zz - I_xx) / m     and cyclically,

which is of the size of the real body when the inertia is right.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from klingel.model.description import TRACK, Body, Vehicle

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Box:
    name: str  # of the body
    low: Vector
    high: Vector


@dataclass(frozen=True)
class Wheel:
    name: str  # of its body
    centre: Vector
    radius: float


@dataclass(frozen=True)
class Line:
    name: str
    start: Vector
    end: Vector


@dataclass(frozen=True)
class Point:
    name: str
    position: Vector


@dataclass(frozen=True)
class Mark:
    """An element, at the point of its connection."""

    name: str
    position: Vector
    direction: str  # x, y, z, or the angle it works on
    law: str  # name of its class


@dataclass(frozen=True)
class Drawing:
    name: str
    boxes: tuple[Box, ...]  # extents of bodies
    inertia: tuple[Box, ...]  # homogeneous boxes of the same mass and inertia
    wheels: tuple[Wheel, ...]
    axles: tuple[Line, ...]  # from wheel to wheel
    arms: tuple[Line, ...]  # from the centre of a body to its points; name of the connection
    centres: tuple[Point, ...]  # of mass
    points: tuple[Point, ...]  # connections
    marks: tuple[Mark, ...]  # elements

    def extent(self) -> tuple[Vector, Vector]:
        """Corners of the box around everything."""
        corners = [corner for box in (*self.boxes, *self.inertia) for corner in (box.low, box.high)]
        corners += [point.position for point in (*self.centres, *self.points)]
        for wheel in self.wheels:
            x, y, z = wheel.centre
            corners += [(x - wheel.radius, y, z - wheel.radius), (x + wheel.radius, y, z + wheel.radius)]
        return _around(corners)


def drawing(vehicle: Vehicle) -> Drawing:
    """Drawing of any description."""
    bodies = {body.name: body for body in vehicle.bodies}
    points: dict[str, list[Vector]] = {name: [] for name in bodies}
    arms: list[Line] = []
    for connection in vehicle.connections:
        for name in (connection.inner, connection.outer):
            if name != TRACK and name in bodies:
                points[name].append(connection.point)
                arms.append(Line(connection.name, bodies[name].position, connection.point))
    wheels = tuple(_wheels(vehicle, bodies))
    wheeled = {wheel.name for wheel in wheels}
    others = [body for body in vehicle.bodies if body.name not in wheeled]
    places = {connection.name: connection.point for connection in vehicle.connections}
    return Drawing(
        vehicle.name,
        tuple(Box(body.name, *_around([body.position, *points[body.name]])) for body in others),
        tuple(box for body in others if (box := inertia_box(body))),
        wheels,
        tuple(
            Line(right.name, right.centre, left.centre)
            for right, left in zip(wheels[::2], wheels[1::2], strict=True)
        ),
        tuple(arms),
        tuple(Point(body.name, body.position) for body in vehicle.bodies),
        tuple(Point(connection.name, connection.point) for connection in vehicle.connections),
        tuple(
            Mark(element.name, places[element.connection], element.direction, type(element.law).__name__)
            for element in vehicle.elements
        ),
    )


def inertia_box(body: Body) -> Box | None:
    """The homogeneous box with the mass and inertia of a body; None if there is none or a moment is not given."""
    if min(body.inertia) <= 0.0:
        return None
    total = sum(body.inertia)
    squares = [6.0 * (total - 2.0 * part) / body.mass for part in body.inertia]
    if min(squares) < 0.0:
        return None
    halves = [0.5 * sqrt(square) for square in squares]
    low, high = (
        tuple(middle + sign * half for middle, half in zip(body.position, halves, strict=True)) for sign in (-1, 1)
    )
    return Box(body.name, (low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _wheels(vehicle: Vehicle, bodies: dict[str, Body]) -> Iterator[Wheel]:
    """Right and left wheel of each body that has wheels."""
    kinds = [(wheels.body, wheels.radius, 0.5 * wheels.back_to_back, 0.0) for wheels in vehicle.wheelsets]
    kinds += [(w.body, w.cone.radius, w.cone.half_gauge, w.offset) for w in vehicle.conical_wheelsets]
    for name, radius, half, ahead in kinds:
        x, y, z = bodies[name].position
        for side in (-1.0, 1.0):
            yield Wheel(name, (x + ahead, y + side * half, z), radius)


def _around(corners: list[Vector]) -> tuple[Vector, Vector]:
    xs, ys, zs = zip(*corners, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))
