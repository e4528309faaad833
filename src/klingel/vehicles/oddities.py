"""What looks like a mistake in the geometry of a vehicle: for the eye, not refused.

A wheel that does not stand on the rails or is not as large as the others, a point far from a body it belongs to, a
point without a counterpart on the other side where the others have one. Each says where to look.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from klingel.model.description import TRACK, Body, Vehicle
from klingel.vehicles.drawing import Drawing, Vector, drawing, inertia_box

STANDING = 1e-3  # height of a wheel above or below the rails that is seen as none [m]
ALIKE = 1e-3  # difference of radii or places that is seen as none [m]
REACH = 1.5  # times the half size of a body, and ...
ROOM = 1.0  # ... this much beyond it: where its points may lie [m]


@dataclass(frozen=True)
class Oddity:
    position: Vector
    text: str


def oddities(vehicle: Vehicle, drawn: Drawing | None = None) -> list[Oddity]:
    """All that is found, wheels first."""
    drawn = drawn or drawing(vehicle)
    far = list(_far_points(vehicle, drawn))
    return [*_wheels(drawn), *(far or _one_sided(drawn))]  # a point far away has no counterpart either


def _wheels(drawn: Drawing) -> Iterator[Oddity]:
    radii = sorted(wheel.radius for wheel in drawn.wheels)
    usual = radii[len(radii) // 2] if radii else 0.0
    for wheel in drawn.wheels[::2]:
        x, _, z = wheel.centre
        gap = z - wheel.radius
        name = wheel.name.replace("_", " ")
        if abs(gap) > STANDING:
            where = "above" if gap > 0.0 else "below"
            yield Oddity((x, 0.0, z), f"{name}: its wheels end {1e3 * abs(gap):.4g} mm {where} the rail tops")
        if abs(wheel.radius - usual) > ALIKE:
            yield Oddity((x, 0.0, z), f"{name}: radius {wheel.radius:.4g} m, other wheels have {usual:.4g} m")


def _far_points(vehicle: Vehicle, drawn: Drawing) -> Iterator[Oddity]:
    bodies = {body.name: body for body in vehicle.bodies}
    for connection in vehicle.connections:
        for name in (connection.inner, connection.outer):
            if name == TRACK or name not in bodies:
                continue
            halves = _halves(bodies[name], drawn)
            off = [a - b for a, b in zip(connection.point, bodies[name].position, strict=True)]
            far = [abs(way) - half for way, half in zip(off, halves, strict=True)]
            if max(far) > 0.0:
                way = off[far.index(max(far))]
                told = f"{abs(way):.4g} m {_direction('xyz'[far.index(max(far))], way)} {name.replace('_', ' ')}"
                yield Oddity(connection.point, f"{connection.name.replace('_', ' ')}: {told}")


def _direction(axis: str, way: float) -> str:
    words = {"x": ("ahead of", "behind"), "y": ("to the left of", "to the right of"), "z": ("above", "below")}
    return words[axis][way < 0.0]


def _halves(body: Body, drawn: Drawing) -> Vector:
    """How far from its centre of mass a point of a body may lie."""
    wheel = next((wheel for wheel in drawn.wheels if wheel.name == body.name), None)
    if wheel is not None:
        size = (wheel.radius, abs(wheel.centre[1]), wheel.radius)
    else:
        box = inertia_box(body)
        corners = (box.low, box.high) if box else _extent(drawn)
        size = tuple(0.5 * (high - low) for low, high in zip(*corners, strict=True))
    x, y, z = (REACH * half + ROOM for half in size)
    return x, y, z


def _extent(drawn: Drawing) -> tuple[Vector, Vector]:
    """Of the wheels, where a body does not tell its own size."""
    xs, ys, zs = zip(*(wheel.centre for wheel in drawn.wheels), strict=True) if drawn.wheels else ((0.0,),) * 3
    return (min(xs), min(ys), 0.0), (max(xs), max(ys), 4.0 * max(zs))


def _one_sided(drawn: Drawing) -> Iterator[Oddity]:
    beside = [point for point in drawn.points if abs(point.position[1]) > ALIKE]
    alone = [
        point
        for point in beside
        if not any(
            max(abs(a - b) for a, b in zip(_mirrored(point.position), other.position, strict=True)) < ALIKE
            for other in beside
        )
    ]
    if 2 * len(alone) <= len(beside):
        for point in alone:
            yield Oddity(
                point.position, f"{point.name.replace('_', ' ')}: nothing at the same place on the other side"
            )


def _mirrored(position: Vector) -> Vector:
    return position[0], -position[1], position[2]
