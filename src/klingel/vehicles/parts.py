"""Parts: a description placed at x = `at` under a prefix, and several of them joined into one vehicle.

    [[parts]]
    kind = "cooperrider_bogie"       # an entry of the registry
    at = "7.5 m"
    prefix = "leading"               # its bodies and points become leading_frame, leading_front_left, ...

A connection of a part may name a body that is not its own (the carbody above it): such a name stays as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from klingel._errors import InputError
from klingel.model.description import Body, Connection, Vehicle

SAME_PLACE = 1e-6  # bodies closer than this are at the same place [m]


@dataclass(frozen=True)
class Part:
    prefix: str
    at: float  # [m]
    vehicle: Vehicle  # as its template makes it, around x = 0


def placed(part: Part) -> Vehicle:
    """The description of a part in the frame and with the names of the vehicle."""
    own = {body.name for body in part.vehicle.bodies}

    def named(name: str) -> str:
        return f"{part.prefix}_{name}"

    def body_named(name: str) -> str:
        return named(name) if name in own else name

    def connected(c: Connection) -> Connection:
        return Connection(named(c.name), body_named(c.inner), body_named(c.outer), moved(c.point))

    def moved(point: tuple[float, float, float]) -> tuple[float, float, float]:
        return (point[0] + part.at, point[1], point[2])

    vehicle = part.vehicle
    return replace(
        vehicle,
        bodies=tuple(replace(b, name=named(b.name), position=moved(b.position)) for b in vehicle.bodies),
        connections=tuple(connected(connection) for connection in vehicle.connections),
        elements=tuple(
            replace(e, name=named(e.name), connection=named(e.connection)) for e in vehicle.elements
        ),
        wheelsets=tuple(replace(w, body=named(w.body)) for w in vehicle.wheelsets),
        conical_wheelsets=tuple(replace(w, body=named(w.body)) for w in vehicle.conical_wheelsets),
        sources={named(name): source for name, source in vehicle.sources.items() if name != "gravity"},
        meta={},
    )  # fmt: skip


def joined(parts: Sequence[Part], rest: Vehicle) -> Vehicle:
    """All parts and the rest of the vehicle as one description; its name, gravity and meta data are the rest's."""
    all_of = [*(placed(part) for part in parts), rest]
    return replace(
        rest,
        bodies=tuple(body for one in all_of for body in one.bodies),
        connections=tuple(connection for one in all_of for connection in one.connections),
        elements=tuple(element for one in all_of for element in one.elements),
        wheelsets=tuple(wheels for one in all_of for wheels in one.wheelsets),
        conical_wheelsets=tuple(wheels for one in all_of for wheels in one.conical_wheelsets),
        sources={name: source for one in all_of for name, source in one.sources.items()},
    )


def clashes(parts: Sequence[Part], rest: Vehicle) -> Iterator[InputError]:
    """Parts with names that are taken, or at a place that is taken."""
    owners = [(f"parts.{part.prefix}", placed(part)) for part in parts]
    for (_, one), (where, other) in combinations([("", rest), *owners], 2):
        both = _names(one) & _names(other)
        if both:
            yield InputError(f"{where}.prefix", min(both), "must make names that are not taken")
            continue
        for name in _at_the_same_place(one.bodies, other.bodies):
            yield InputError(f"{where}.at", None, f"must be another place: that of {name} is taken")
            break


def _names(vehicle: Vehicle) -> set[str]:
    return {body.name for body in vehicle.bodies} | {connection.name for connection in vehicle.connections}


def _at_the_same_place(ours: Sequence[Body], others: Sequence[Body]) -> Iterator[str]:
    for body in ours:
        for other in others:
            if max(abs(a - b) for a, b in zip(body.position, other.position, strict=True)) < SAME_PLACE:
                yield body.name
