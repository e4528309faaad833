"""What holds at rest by friction: sliders, faces and leaf springs, each with its limit and its memory.

=====================  ===========================================================================================
kind                   force at rest
=====================  ===========================================================================================
`dry_friction`         up to its limit
`elastic_friction`     up to static_ratio T, of one direction or in a plane; T may follow a pressing force
`rigid_friction`       likewise; which of several stuck faces carries how much is then up to the integrator
`leaf_spring`          between its envelopes: to either side of its line by  mu0 c (z - z*) + F_r
=====================  ===========================================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from klingel.elements import leaf_spring
from klingel.model.builder import Compiled
from klingel.model.description import Element, Vehicle
from klingel.model.kinds import leaf_spring as leaf_rows
from klingel.model.kinds.registry import Kind, kind_of, of

Forces = np.ndarray  # of an element, one per direction


@dataclass(frozen=True)
class Holder:
    element: Element
    ports: tuple[int, ...]  # of each of its directions
    load: int | None  # port whose pressing force its limit follows
    limit: Callable[[np.ndarray, np.ndarray], float]  # of deformations and forces of all ports
    carry: Callable[[np.ndarray, Forces, np.ndarray, np.ndarray, np.ndarray], None]
    # deformations of all ports, its forces, state, memory and modes that are made to carry them
    constant: bool = False  # whether its limit is


def holders(vehicle: Vehicle, compiled: Compiled, leaves: bool) -> list[Holder]:
    """Elements of a vehicle that hold by friction, in their order; leaf springs if asked for."""
    kinds = [kind for kind in MAKE if leaves or kind != Kind.LEAF_SPRING]
    return [MAKE[kind_of(e.law)](e, compiled) for e in vehicle.elements if kind_of(e.law) in kinds]


def _ports(element: Element, compiled: Compiled) -> tuple[int, ...]:
    return tuple(compiled.layout.ports[name] for name in element.ports)


def _slider(element: Element, compiled: Compiled) -> Holder:
    law, (port,) = element.law, _ports(element, compiled)
    entry = compiled.layout.memory[element.name]

    def carry(u, force, x, memory, mode) -> None:
        memory[entry] = u[port] - force[0] / law.stiffness

    return Holder(element, (port,), None, lambda u, f: law.limit, carry, True)


def _face(element: Element, compiled: Compiled, stuck: Callable) -> Holder:
    law, ports = element.law, _ports(element, compiled)
    load = None if element.load is None else compiled.layout.ports[element.load]

    def limit(u: np.ndarray, f: np.ndarray) -> float:
        return of(law).hold(law, 0.0, 0.0 if load is None else float(f[load]))[1]

    return Holder(element, ports, load, limit, stuck, load is None)


def _elastic_face(element: Element, compiled: Compiled) -> Holder:
    anchors = [compiled.layout.state(f"{element.name}.anchor_{direction}") for direction in element.directions]
    ports = _ports(element, compiled)

    def carry(u, force, x, memory, mode) -> None:
        for anchor, port, value in zip(anchors, ports, force, strict=True):
            x[anchor] = u[port] - value / element.law.stiffness

    return _face(element, compiled, carry)


def _rigid_face(element: Element, compiled: Compiled) -> Holder:
    return _face(element, compiled, lambda u, force, x, memory, mode: None)


def _leaf_spring(element: Element, compiled: Compiled) -> Holder:
    (port,) = _ports(element, compiled)
    entry = compiled.layout.memory[element.name]
    at, law, compression = next(
        row for row in leaf_rows.each(compiled.system) if row[0][leaf_rows.At.MEMORY] == entry
    )

    def static(u: np.ndarray) -> tuple[float, float]:
        z = float(compression + u[port])
        return z, leaf_spring.static_force(1.0 if z > law.second_leaf else 0.0, z, law)

    def limit(u: np.ndarray, f: np.ndarray) -> float:
        return max(law.friction * static(u)[1] + law.residual, 0.0)

    def carry(u, force, x, memory, mode) -> None:
        z, line = static(u)
        mode[at[leaf_rows.At.MODE]], branch = leaf_spring.start(z, 0.0, line + force[0], law)
        leaf_spring.write_branch(branch, memory, entry)

    return Holder(element, (port,), None, limit, carry)


MAKE: dict[Kind, Callable[[Element, Compiled], Holder]] = {
    Kind.DRY_FRICTION: _slider,
    Kind.ELASTIC_FRICTION: _elastic_face,
    Kind.RIGID_FRICTION: _rigid_face,
    Kind.LEAF_SPRING: _leaf_spring,
}
