"""What makes a description a vehicle: every body, connection, element and wheelset checked, by dotted name.

A law checks its own parameters when it is made; here are the things no single law can see: names that must
exist, a body nothing carries, wheels that do not stand on the rails.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from math import isfinite

from klingel._errors import InputError
from klingel.model.description import (
    APART,
    CONTACT_WORDS,
    COORDINATES,
    SPIN,
    TOGETHER,
    TRACK,
    Body,
    ConicalWheelset,
    Connection,
    Element,
    Vehicle,
    Wheelset,
)
from klingel.model.kinds.registry import Kind, is_law, of

LARGEST_FRICTION = 1.0  # of wheel on rail
LARGEST_DIFFERENCE = 0.01  # of two wheels on an axle [m]
WHEEL_HEIGHT = 1e-3  # wheel centre may lie this far from its radius above the rails [m]
_ROTATIONS = (("roll", "x"), ("pitch", "y"), ("yaw", "z"))  # in the order of `inertia`


def check(vehicle: Vehicle) -> Vehicle:
    """The vehicle itself, or the first problem raised."""
    for problem in problems(vehicle):
        raise problem
    return vehicle


def problems(vehicle: Vehicle) -> Iterator[InputError]:
    """Everything that is wrong with a description."""
    if not (isfinite(vehicle.gravity) and vehicle.gravity >= 0.0):
        yield InputError("gravity", vehicle.gravity, "must be finite and not negative")
    if not vehicle.bodies:
        yield InputError("bodies", None, "a vehicle needs at least one body")
    if not (vehicle.wheelsets or vehicle.conical_wheelsets):
        yield InputError("wheelsets", None, "a vehicle needs wheels: name at least one body that has them")
    yield from _twice("body", [body.name for body in vehicle.bodies])
    yield from _twice("connection", [connection.name for connection in vehicle.connections])
    yield from _twice("element", [element.name for element in vehicle.elements])
    wheeled = [w.body for w in vehicle.wheelsets] + [w.called for w in vehicle.conical_wheelsets]
    yield from _twice("wheelset", wheeled)
    bodies = {body.name: body for body in vehicle.bodies}
    connections = {connection.name: connection for connection in vehicle.connections}
    for body in vehicle.bodies:
        yield from _body(body)
    for connection in vehicle.connections:
        yield from _connection(connection, bodies)
    for element in vehicle.elements:
        yield from _element(element, connections)
    for wheelset in vehicle.wheelsets:
        yield from _wheelset(wheelset, bodies)
    for wheelset in vehicle.conical_wheelsets:
        yield from _conical(wheelset, bodies)
    yield from _carried(vehicle, connections)


def suggestion(word: str, known: Iterable[str]) -> str:
    """`did you mean mass? ` when a known name is close, else nothing."""
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]}? " if close else ""


def unknown(where: str, given: str, known: Collection[str], what: str) -> InputError:
    return InputError(where, given, f"is no {what}; {suggestion(given, known)}known: {', '.join(known) or 'none'}")


def _twice(what: str, names: Sequence[str]) -> Iterator[InputError]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield InputError(name, name, f"must be the name of one {what} only")


def _positive(where: str, value: float) -> Iterator[InputError]:
    if not (isfinite(value) and value > 0.0):
        yield InputError(where, value, "must be finite and positive")


def _not_negative(where: str, value: float) -> Iterator[InputError]:
    if not (isfinite(value) and value >= 0.0):
        yield InputError(where, value, "must be finite and not negative")


def _place(where: str, point: tuple[float, float, float]) -> Iterator[InputError]:
    if len(point) != 3 or not all(isfinite(value) for value in point):
        yield InputError(where, point, "must be three finite lengths: x forwards, y to the left, z up")


def _body(body: Body) -> Iterator[InputError]:
    if body.name == TRACK:
        yield InputError(body.name, body.name, "stands for the track itself; give the body another name")
    yield from _positive(f"{body.name}.mass", body.mass)
    yield from _place(f"{body.name}.position", body.position)
    allowed = (*COORDINATES, SPIN)
    for coordinate in body.free:
        if coordinate not in allowed:
            yield unknown(f"{body.name}.free", coordinate, allowed, "coordinate")
    if len(set(body.free)) != len(body.free):
        yield InputError(f"{body.name}.free", body.free, "must name each coordinate once")
    if SPIN in body.free and "pitch" in body.free:
        yield InputError(f"{body.name}.free", body.free, "must hold pitch or spin, both turn about y")
    if len(body.inertia) != 3:
        yield InputError(f"{body.name}.inertia", body.inertia, "must be three numbers, about x, y and z")
        return
    for (rotation, axis), value in zip(_ROTATIONS, body.inertia, strict=True):
        turns = rotation in body.free or (axis == "y" and SPIN in body.free)
        yield from (_positive if turns else _not_negative)(f"{body.name}.inertia.{axis}", value)


def _connection(connection: Connection, bodies: dict[str, Body]) -> Iterator[InputError]:
    for end in ("inner", "outer"):
        name = getattr(connection, end)
        if name != TRACK and name not in bodies:
            yield unknown(f"{connection.name}.{end}", name, (*bodies, TRACK), "body")
    if connection.inner == connection.outer:
        yield InputError(f"{connection.name}.outer", connection.outer, "must be another body than inner")
    yield from _place(f"{connection.name}.point", connection.point)


def _element(element: Element, connections: dict[str, Connection]) -> Iterator[InputError]:
    if element.connection not in connections:
        yield unknown(f"{element.name}.connection", element.connection, connections, "connection")
    elif not element.name.startswith(f"{element.connection}."):
        yield InputError(element.name, element.name, f"must begin with its connection: {element.connection}.")
    if element.direction not in COORDINATES:
        yield unknown(f"{element.name}.direction", element.direction, COORDINATES, "direction")
    if is_law(element.law):
        yield from _ports(element, connections)
    else:
        words = ", ".join(kind.word for kind in Kind)
        yield InputError(f"{element.name}.law", element.law, f"must be one of {words}")


def _ports(element: Element, connections: dict[str, Connection]) -> Iterator[InputError]:
    """Directions of a law that acts in several, and the load it may have."""
    fewest, most = of(element.law).ABOUT.ports
    field, given = f"{element.name}.direction", ", ".join(element.directions)
    if not fewest <= len(element.directions) <= most:
        allowed = f"must be {fewest} direction{'s' * (fewest > 1)}" + (f" to {most}" if most > fewest else "")
        yield InputError(field, given, allowed)
    if len(set(element.directions)) != len(element.directions):
        yield InputError(
            f"{element.name}.direction", ", ".join(element.directions), "must name each direction once"
        )
    for direction in element.also:
        if direction not in COORDINATES:
            yield unknown(field, direction, COORDINATES, "direction")
    per_load = of(element.law).ABOUT.per_load
    if per_load and getattr(element.law, per_load) > 0.0 and element.load is None:
        allowed = (
            f"must name the connection and direction that presses on it, since it has a {per_load} coefficient"
        )
        yield InputError(f"{element.name}.load", element.load, allowed)
    if element.load is not None:
        known = [f"{name}.{direction}" for name in connections for direction in COORDINATES]
        if element.load not in known:
            yield unknown(f"{element.name}.load", element.load, known, "connection and direction")
        elif element.load in element.ports:
            yield InputError(f"{element.name}.load", element.load, "must be another direction than its own")


def _wheelset(wheelset: Wheelset, bodies: dict[str, Body]) -> Iterator[InputError]:
    name = wheelset.body
    if name not in bodies:
        yield unknown(f"wheelsets.{name}", name, bodies, "body")
        return
    yield from _positive(f"{name}.radius", wheelset.radius)
    yield from _positive(f"{name}.back_to_back", wheelset.back_to_back)
    yield from _not_negative(f"{name}.profile_residual", wheelset.profile_residual)
    yield from _not_negative(f"{name}.friction", wheelset.friction)
    if wheelset.friction > LARGEST_FRICTION:
        yield InputError(
            f"{name}.friction", wheelset.friction, "must not be above 1: wheel on rail has 0.1 to 0.6"
        )
    yield from _not_negative(f"{name}.damping", wheelset.damping)
    yield from _not_negative(f"{name}.friction_ratio", wheelset.friction_ratio)
    if abs(wheelset.radius_difference) > LARGEST_DIFFERENCE:
        allowed = f"must be a difference of two wheels on an axle, at most {1e3 * LARGEST_DIFFERENCE:g} mm"
        yield InputError(f"{name}.radius_difference", wheelset.radius_difference, allowed)
    for word, words in CONTACT_WORDS.items():
        given = getattr(wheelset, word)
        if given not in words:
            yield InputError(
                f"{name}.{word}", given, f"{suggestion(given, words)}must be one of {', '.join(words)}"
            )
    for word in ("torsion", "torsion_damping"):
        given = getattr(wheelset, word)
        if not (isfinite(given) and given >= 0.0):
            yield InputError(f"{name}.{word}", given, "must be finite and not negative")
        elif given > 0.0 and wheelset.turning == TOGETHER:
            yield InputError(f"{name}.{word}", given, f"must come with turning = {APART}")
    if wheelset.turning == APART and SPIN not in bodies[name].free:
        yield InputError(f"{name}.turning", wheelset.turning, f"must be {TOGETHER} where spin is not free")
    yield from _on_the_rails(bodies[name], wheelset.radius)


def _conical(wheelset: ConicalWheelset, bodies: dict[str, Body]) -> Iterator[InputError]:
    """The cone has checked its own numbers."""
    if wheelset.body not in bodies:
        yield unknown(f"conical_wheelsets.{wheelset.called}", wheelset.body, bodies, "body")
        return
    body = bodies[wheelset.body]
    if SPIN in body.free:
        allowed = "must not hold spin: a conical wheelset rolls at the prescribed speed"
        yield InputError(f"{body.name}.free", body.free, allowed)
    if not isfinite(wheelset.offset):
        yield InputError(f"conical_wheelsets.{wheelset.called}.offset", wheelset.offset, "must be finite")
    yield from _on_the_rails(body, wheelset.cone.radius)


def _on_the_rails(body: Body, radius: float) -> Iterator[InputError]:
    height = body.position[2]
    if abs(height - radius) > WHEEL_HEIGHT:
        yield InputError(
            f"{body.name}.position.z", height, f"must be the wheel radius {radius:g} m: wheels stand on the rails"
        )


def _carried(vehicle: Vehicle, connections: dict[str, Connection]) -> Iterator[InputError]:
    """A body free to fall needs wheels or an element that carries it."""
    carried = {wheelset.body for wheelset in vehicle.wheelsets}
    for element in vehicle.elements:
        if element.direction == "z" and element.connection in connections:
            connection = connections[element.connection]
            carried |= {connection.inner, connection.outer}
    for body in vehicle.bodies:
        if "z" in body.free and body.name not in carried:
            yield InputError(
                body.name,
                None,
                "may move in z but nothing carries it: give it wheels or an element in direction z",
            )
