"""Static loads: what springs and leaf springs carry in the position a vehicle is drawn in.

Gravity acts on every body; in `z`, `roll` and `pitch` each body that has no wheels must be balanced by the elements
on it, storey by storey: carbody over frame over wheelset. Rails carry whatever reaches a wheelset. Unknown are the
forces of springs without a stated preload and of leaf springs; what stated preloads and closed gaps carry is known.
Where there are more supports than conditions the load is shared by stiffness, with the least elastic energy

    sum of F^2 / 2k     (leaf springs with the stiffness of their main leaves).

Springs in x, y and yaw have no part in this: nothing pulls there in the position drawn, and their preload is zero.
What no support can balance is left; then the vehicle leans until it stands, or the search for rest says what is
missing.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from klingel.elements.spring import Spring
from klingel.model.description import COORDINATES, TRACK, Body, Connection, Element, Vehicle
from klingel.model.kinds.registry import Kind, kind_of
from klingel.model.kinds.slow_path import along

BALANCED = ("z", "pitch", "roll")


@dataclass(frozen=True)
class Statics:
    """Forces at the position drawn, positive when they resist a positive deformation [N, Nm]."""

    preloads: dict[str, float] = field(default_factory=dict)  # of every spring that states none, by element
    loads: dict[str, float] = field(default_factory=dict)  # of connections with a leaf spring


def static_loads(vehicle: Vehicle) -> Statics:
    found = [e for e in vehicle.elements if is_found(e)]
    leaves = [e for e in vehicle.elements if kind_of(e.law) == Kind.LEAF_SPRING]
    carriers = [e for e in (*leaves, *found) if e.direction in BALANCED and e.law.stiffness > 0.0]
    matrix, missing = _balance(vehicle, carriers)
    force = np.zeros(len(carriers))
    for rows, columns in _separate(matrix):
        part = matrix[np.ix_(rows, columns)]
        stiffness = np.array([carriers[c].law.stiffness for c in columns])
        weight = np.sqrt(stiffness / stiffness.max())
        force[columns] = weight * np.linalg.lstsq(part * weight, missing[rows], rcond=None)[0]
    carried = {e.name: float(f) for e, f in zip(carriers, force, strict=True)}
    return Statics(
        {e.name: carried.get(e.name, 0.0) for e in found}, {e.connection: carried[e.name] for e in leaves}
    )


def is_found(element: Element) -> bool:
    """Whether the element is a spring whose preload is to be found."""
    return isinstance(element.law, Spring) and element.law.preload is None


def with_stated_preloads(vehicle: Vehicle, drawn: Vehicle | None = None) -> Vehicle:
    """The vehicle with the preloads of the position drawn written down; changed afterwards it sinks and leans.

    `drawn` is the vehicle in the load case it is drawn in, if that is another one.
    """
    preloads = static_loads(drawn or vehicle).preloads
    if not any(is_found(e) and e.name in preloads for e in vehicle.elements):
        return vehicle
    elements = tuple(
        replace(e, law=replace(e.law, preload=preloads[e.name])) if is_found(e) and e.name in preloads else e
        for e in vehicle.elements
    )
    return replace(vehicle, elements=elements)


def _balance(vehicle: Vehicle, carriers: list[Element]) -> tuple[np.ndarray, np.ndarray]:
    """Force or moment on every coordinate to be balanced per force of a carrier, and what is missing there."""
    wheeled = {wheelset.body for wheelset in vehicle.wheelsets}
    bodies = {body.name: body for body in vehicle.bodies if body.name not in wheeled}
    row = {
        (body.name, c): k
        for k, (body, c) in enumerate((b, c) for b in bodies.values() for c in BALANCED if c in b.free)
    }
    connections = {c.name: c for c in vehicle.connections}
    column = {e.name: k for k, e in enumerate(carriers)}
    matrix, missing = np.zeros((len(row), len(carriers))), np.zeros(len(row))
    for body in bodies.values():
        if "z" in body.free:
            missing[row[body.name, "z"]] = body.mass * vehicle.gravity
    for element in vehicle.elements:
        known = 0.0 if element.name in column else float(along(element.law, np.zeros(1))[0])
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
                    missing[place] -= share * known
    return matrix, missing


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
