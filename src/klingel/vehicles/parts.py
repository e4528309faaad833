"""Parts: a description placed at x = `at` under a prefix, and several of them joined into one vehicle.

    [[parts]]
    kind = "cooperrider_bogie"       # an entry of the registry
    at = "7.5 m"
    prefix = "leading"               # its bodies and points become leading_frame, leading_front_left, ...

A connection of a part may name a body that is not its own (the carbody above it): such a name stays as it is.

A vehicle joined from parts remembers them (`Assembly`), so that a parameter of a part, `leading.frame.mass`, may
be changed by name later and everything that depends on it follows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from klingel._errors import InputError
from klingel.model.description import TRACK, Body, Connection, Vehicle
from klingel.model.standing.statics import with_stated_preloads
from klingel.vehicles.loads import BodyLoad

SAME_PLACE = 1e-6  # bodies closer than this are at the same place [m]
ASSEMBLY = "assembly"  # key of Vehicle.meta
AT = "at"  # of a part, among its parameters


@dataclass(frozen=True)
class Part:
    prefix: str
    at: float  # [m]
    vehicle: Vehicle  # as its template makes it, around x = 0


@dataclass(frozen=True)
class Assembly:
    """What a vehicle was joined from."""

    parts: tuple[Part, ...]
    rest: Vehicle  # what the file lists itself
    loads: Mapping[str, Mapping[str, BodyLoad]] = field(default_factory=dict)  # load case -> body -> its load
    load: str = ""  # the load case chosen, empty for the vehicle as it stands

    def part(self, prefix: str) -> Part | None:
        return next((part for part in self.parts if part.prefix == prefix), None)

    def with_part(self, new: Part) -> "Assembly":
        return replace(self, parts=tuple(new if part.prefix == new.prefix else part for part in self.parts))

    def vehicle(self) -> Vehicle:
        """All parts joined, with the load; springs were made for the vehicle as it is drawn, without it."""
        drawn = joined(self.parts, self.rest)
        drawn = replace(drawn, meta={**drawn.meta, ASSEMBLY: self})
        if not self.load:
            return drawn
        loads = self.loads[self.load]
        bodies = tuple(loads[body.name].on(body) if body.name in loads else body for body in drawn.bodies)
        return with_stated_preloads(replace(drawn, bodies=bodies), drawn)


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
            replace(
                e, name=named(e.name), connection=named(e.connection), load=named(e.load) if e.load else None
            ) for e in vehicle.elements
        ),
        wheelsets=tuple(replace(w, body=named(w.body)) for w in vehicle.wheelsets),
        conical_wheelsets=tuple(
            replace(w, body=named(w.body), name=named(w.name) if w.name else "") for w in vehicle.conical_wheelsets
        ),
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
    """Parts with names that are taken, at a place that is taken, or on a body that is not there."""
    owners = [(f"parts.{part.prefix}", placed(part)) for part in parts]
    for (_, one), (where, other) in combinations([("", rest), *owners], 2):
        both = _names(one) & _names(other)
        if both:
            yield InputError(f"{where}.prefix", min(both), "must make names that are not taken")
            continue
        for name in _at_the_same_place(one.bodies, other.bodies):
            yield InputError(f"{where}.at", None, f"must be another place: that of {name} is taken")
            break
    all_names = {TRACK, *(body.name for _, one in [("", rest), *owners] for body in one.bodies)}
    for part, (where, one) in zip(parts, owners, strict=True):
        if part.prefix in _names(rest):
            yield InputError(f"{where}.prefix", part.prefix, "must not be the name of a body or connection")
        ends = {name for connection in one.connections for name in (connection.inner, connection.outer)}
        for name in sorted(ends - all_names):
            near = ", ".join(body.name for body in rest.bodies) or "none besides its parts"
            yield InputError(f"{where}.carrier", name, f"must be track or a body of the vehicle; there is {near}")


def _names(vehicle: Vehicle) -> set[str]:
    return {body.name for body in vehicle.bodies} | {connection.name for connection in vehicle.connections}


def _at_the_same_place(ours: Sequence[Body], others: Sequence[Body]) -> Iterator[str]:
    for body in ours:
        for other in others:
            if max(abs(a - b) for a, b in zip(body.position, other.position, strict=True)) < SAME_PLACE:
                yield body.name
