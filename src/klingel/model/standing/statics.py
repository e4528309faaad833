"""Static loads: what springs and leaf springs carry in the position a vehicle is drawn in.

Gravity acts on every body; in `z`, `roll` and `pitch` each body that has no wheels must be balanced by the
elements on it, storey by storey: carbody over frame over wheelset. Rails carry whatever reaches a wheelset.
Unknown are the forces of springs without a stated preload and of leaf springs; what stated preloads and closed
gaps carry is known. Where there are more supports than conditions the load is shared by stiffness, with the
least elastic energy

    sum of F^2 / 2k     (leaf springs with the stiffness of their main leaves).

Springs in x, y and yaw have no part in this: nothing pulls there in the position drawn, and their preload is zero.
What no support can balance is left; then the vehicle leans until it stands, or the search for rest says what is
missing.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from klingel.model.description import COORDINATES, TRACK, Body, Connection, Element, Vehicle
from klingel.model.kinds.registry import of
from klingel.model.kinds.slow_path import along
from klingel.numerics.linear.least_squares import LeastSquares

BALANCED = ("z", "pitch", "roll")
SMALL = 1e-6  # of the largest weight
DEPENDENT = 1e-13  # supports that say nothing new, of the stiffest
FIRST = 1e3  # weight of forces against moments, where not both can be balanced


@dataclass(frozen=True)
class Statics:
    """Forces at the position drawn, positive when they resist a positive deformation [N, Nm]."""

    found: dict[str, float] = field(default_factory=dict)  # of leaf springs, and springs that state no preload
    missing: dict[str, float] = field(default_factory=dict)  # <body>.<coordinate> -> what no element could balance
    reactions: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # of the rails: up, about x by wheelset


def static_loads(vehicle: Vehicle) -> Statics:
    carriers = [e for e in vehicle.elements if shared(e) > 0.0 and e.direction in BALANCED]
    coordinates = [(body.name, c) for body in vehicle.bodies for c in BALANCED if c in body.free]
    wheeled = {wheelset.body for wheelset in vehicle.wheelsets}
    rails = np.array([name in wheeled for name, _ in coordinates], bool)
    matrix, weight = _balance(vehicle, carriers, coordinates)
    carried = np.zeros(len(carriers))
    for rows, columns in _separate(matrix[~rails]):
        stiffness = np.array([shared(carriers[c]) for c in columns])
        carried[columns] = _shared(matrix[~rails][np.ix_(rows, columns)], weight[~rails][rows], stiffness)
    force = {e.name: float(f) for e, f in zip(carriers, carried, strict=True)}
    found = {e.name: force.get(e.name, 0.0) for e in vehicle.elements if is_found(e)}
    return Statics(found, *_at_will(vehicle, coordinates, rails))


def is_found(element: Element) -> bool:
    """Whether the force of the element in the position drawn is to be found."""
    hook = getattr(of(element.law), "shares", None)
    return hook is not None and hook(element.law) is not None


def shared(element: Element) -> float:
    """Stiffness by which an element takes its share of the weight; zero if it has a force of its own."""
    return of(element.law).shares(element.law) if is_found(element) else 0.0


def _shared(matrix: np.ndarray, wanted: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Forces with the least elastic energy that balance `wanted`."""
    weight = np.sqrt(stiffness / stiffness.max(initial=1e-300))
    return weight * LeastSquares(matrix * weight, DEPENDENT).solve(wanted)


def _at_will(
    vehicle: Vehicle, coordinates: list[tuple[str, str]], rails: np.ndarray
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """`missing` and `reactions`, were every element that can hold a weight loaded at will; weights come first."""
    able = [e for e in vehicle.elements if hasattr(of(e.law), "supports") and e.direction in BALANCED]
    able = [e for e in able if of(e.law).supports(e.law)]
    matrix, weight = _balance(vehicle, able, coordinates)
    first = np.array([FIRST if c == "z" else 1.0 for _, c in coordinates])[~rails]
    stiffness = np.array([max(e.law.stiffness, 1.0) for e in able])
    force = _shared(matrix[~rails] * first[:, None], weight[~rails] * first, stiffness)
    left = dict(zip(coordinates, (weight - matrix @ force).tolist(), strict=True))
    enough = SMALL * max((b.mass * vehicle.gravity for b in vehicle.bodies), default=0.0)
    on_rails = tuple(wheelset.body for wheelset in vehicle.wheelsets)  # in order: messages name the first one
    return (
        {f"{b}.{c}": f for (b, c), f in left.items() if b not in on_rails and abs(f) > enough},
        {w: (left.get((w, "z"), 0.0), left.get((w, "roll"), 0.0)) for w in on_rails},
    )


def with_stated_preloads(vehicle: Vehicle, drawn: Vehicle | None = None) -> Vehicle:
    """The vehicle with the preloads of the position drawn written down; changed afterwards it sinks and leans.

    `drawn` is the vehicle in the load case it is drawn in, if that is another one.
    """
    carry = (e for e in vehicle.elements if e.direction in BALANCED and shared(e) > 0.0)
    named = {e.name for e in carry if hasattr(of(e.law), "stated")}
    if not named:
        return vehicle
    found = static_loads(drawn or vehicle).found
    elements = tuple(
        replace(e, law=of(e.law).stated(e.law, found[e.name])) if e.name in named and e.name in found else e
        for e in vehicle.elements
    )
    return replace(vehicle, elements=elements)


def _balance(
    vehicle: Vehicle, carriers: list[Element], coordinates: list[tuple[str, str]]
) -> tuple[np.ndarray, np.ndarray]:
    """Force or moment on every coordinate per force of a carrier, and what they must balance together."""
    bodies = {body.name: body for body in vehicle.bodies}
    row = {place: k for k, place in enumerate(coordinates)}
    connections = {c.name: c for c in vehicle.connections}
    column = {e.name: k for k, e in enumerate(carriers)}
    matrix, wanted = np.zeros((len(row), len(carriers))), np.zeros(len(row))
    for body in bodies.values():
        if (body.name, "z") in row:
            wanted[row[body.name, "z"]] = body.mass * vehicle.gravity
    for element in vehicle.elements:
        known = 0.0 if element.name in column else _when_drawn(element)
        if element.name not in column and known == 0.0:
            continue
        link = connections[element.connection]
        for body, per_force in _pushed(link, element.direction, bodies):
            for coordinate, share in per_force.items():
                if (place := row.get((body.name, coordinate))) is None:
                    continue
                if element.name in column:
                    matrix[place, column[element.name]] += share
                else:
                    wanted[place] -= share * known
    return matrix, wanted


def _when_drawn(element: Element) -> float:
    """Force of an element that has a free length, or a stated preload, in the position drawn."""
    return 0.0 if is_found(element) else float(along(element.law, np.zeros(1))[0])


def _pushed(link: Connection, direction: str, bodies: dict[str, Body]) -> list[tuple[Body, dict[str, float]]]:
    """What a force of one on the link does to its two bodies: it pulls the inner one along, the outer one back."""
    found = []
    for name, sign in ((link.inner, 1.0), (link.outer, -1.0)):
        if name == TRACK or name not in bodies:
            continue
        x, y, z = (p - b for p, b in zip(link.point, bodies[name].position, strict=True))
        moments = {
            "x": {"pitch": z},
            "y": {"roll": -z},
            "z": {"z": 1.0, "roll": y, "pitch": -x},
        }.get(direction, {direction: 1.0})
        found.append((bodies[name], {c: sign * m for c, m in moments.items() if c in COORDINATES}))
    return found


def _separate(matrix: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Rows and columns of parts that have nothing to do with each other: vehicles of a train."""
    rest = set(range(matrix.shape[1]))
    parts = []
    while rest:
        columns, rows = {min(rest)}, set()
        while True:
            new_rows = set(np.flatnonzero(matrix[:, sorted(columns)].any(axis=1)).tolist())
            new_columns = set(np.flatnonzero(matrix[sorted(new_rows)].any(axis=0)).tolist()) | columns
            if new_rows == rows and new_columns == columns:
                break
            rows, columns = new_rows, new_columns
        parts.append((sorted(rows), sorted(columns)))
        rest -= columns
    return parts
