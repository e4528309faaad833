"""Rest of a vehicle in z, roll and pitch by the least potential energy, apart from the engine.

Springs, gaps, leaf springs and the contacts of wheels (after Hertz, pushing only) have convex energies, so there
is one rest or none, and Newton's method with steps that lower the energy finds it. Angles are small.
"""

from typing import NamedTuple

import numpy as np

from klingel.elements.dead_band import DeadBand
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.spring import Spring
from tests.model.standing.random_vehicles import GRAVITY

ITERATIONS = 300
NEAR = 1e-8  # of the weight


class Upright(NamedTuple):
    loads: np.ndarray  # of all wheels [N]
    lean: float  # largest angle [rad]
    stiffness: float  # least one against roll of a body, less what its weight takes [Nm/rad]


def line(law, u, found):
    """Force and stiffness of an element at rest."""
    if isinstance(law, Spring):
        return (found if law.preload is None else law.preload) + law.stiffness * u, law.stiffness
    if isinstance(law, DeadBand):
        over = max(u - law.gap_high, 0.0) + min(u - law.gap_low, 0.0)
        return law.stiffness * over, law.stiffness if over else 0.0
    if isinstance(law, LeafSpring):
        c, second, z0 = law.stiffness, law.stiffness_second, law.second_leaf
        z = (found / c if found <= c * z0 else z0 + (found - c * z0) / second) + u
        return (c * z, c) if z <= z0 else (c * z0 + second * (z - z0), second)
    return 0.0, 0.0  # a slider at rest


def least_energy(vehicle, found, hertz, half=0.75):
    """None where the energy has no least value; `hertz` is the constant of a contact [N/m^1.5]."""
    free = [(b.name, c) for b in vehicle.bodies for c in ("z", "roll", "pitch") if c in b.free]
    column = {place: k for k, place in enumerate(free)}
    body = {b.name: b for b in vehicle.bodies}

    def rise(name, x, y):
        row = np.zeros(len(free))
        for coordinate, arm in (("z", 1.0), ("roll", y), ("pitch", -x)):
            if (name, coordinate) in column:
                row[column[name, coordinate]] = arm
        return row

    connection, rows, laws = {c.name: c for c in vehicle.connections}, [], []
    for e in vehicle.elements:
        if e.direction == "z":
            link, row = connection[e.connection], np.zeros(len(free))
            for name, sign in ((link.inner, -1.0), (link.outer, 1.0)):
                place = body[name].position
                row += sign * rise(name, link.point[0] - place[0], link.point[1] - place[1])
            rows.append(row)
            laws.append((e.law, found.get(e.name, 0.0)))
    wheels = np.array([rise(w.body, 0.0, y) for w in vehicle.wheelsets for y in (half, -half)])
    rows = np.array(rows)
    weight = np.zeros(len(free))
    for name, b in body.items():
        weight[column[name, "z"]] = b.mass * GRAVITY
    total = weight.sum()

    def slope(q):
        force = [line(law, u, f) for (law, f), u in zip(laws, rows @ q, strict=True)]
        depth = np.maximum(-(wheels @ q), 0.0)
        gradient = weight + rows.T @ np.array([f for f, _ in force]) - wheels.T @ (hertz * depth**1.5)
        stiffness = (rows.T * np.array([k for _, k in force])) @ rows
        return gradient, stiffness + (wheels.T * (1.5 * hertz * np.sqrt(depth))) @ wheels

    q = np.zeros(len(free))
    q[[k for k, (_, c) in enumerate(free) if c == "z"]] = -1e-4
    for _ in range(ITERATIONS):
        gradient, stiffness = slope(q)
        if np.abs(gradient).max() < NEAR * total:
            break
        step = -np.linalg.solve(stiffness + 1e-3 * np.eye(q.size) * total, gradient)
        part = min(1.0, 0.2 / np.abs(step).max())
        while part > 1e-12 and slope(q + part * step)[0] @ step > 0.1 * abs(gradient @ step):
            part *= 0.5  # beyond the least energy along the step
        q = q + part * step
    else:
        return None
    turned = [abs(q[k]) for k, (_, c) in enumerate(free) if c != "z"]
    return Upright(
        hertz * np.maximum(-(wheels @ q), 0.0) ** 1.5, max(turned), _against_roll(vehicle, free, stiffness)
    )


def _against_roll(vehicle, free, stiffness):
    """Of the bodies without wheels, others held: a high one on soft springs falls over."""
    wheeled = {w.body for w in vehicle.wheelsets}
    found = []
    for b in vehicle.bodies:
        if b.name not in wheeled:
            height = b.position[2] - min(c.point[2] for c in vehicle.connections if b.name in (c.inner, c.outer))
            found.append(
                stiffness[free.index((b.name, "roll"))][free.index((b.name, "roll"))] - b.mass * GRAVITY * height
            )
    return min(found)
