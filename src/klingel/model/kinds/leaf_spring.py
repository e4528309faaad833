"""Leaf springs: exact branches between events, a static compression found from the load they carry."""

from enum import IntEnum
from math import inf

import numpy as np

from klingel._jit import kernel
from klingel.elements import leaf_spring, leaf_spring_law
from klingel.elements.leaf_spring import BRANCH_SIZE, LAW_SIZE, Branch, LeafSpring, Mode, Reading
from klingel.model.bodies.motion import LANES, PORT_ROW, add_row, write_row
from klingel.model.description import Element
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.layout import Guard, Remembered, Role, Watch
from klingel.model.port_pieces import column, field, intersect, moved
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, PortField, System
from klingel.model.tables import Tables

ABOUT = About(
    LeafSpring,
    {
        "stiffness": ("stiffness", "positive"),
        "stiffness_second": ("stiffness", "positive"),
        "friction": ("number", "not negative"),
        "residual": ("force", "positive"),
        "decay": ("length", "positive"),
        "near_equilibrium": ("force", "positive"),
        "second_leaf": ("length", "positive or infinite"),
        "reading": ("word", tuple(reading.name.lower() for reading in Reading)),
    },
    Family.SPRING,
    memory=(
        Remembered("z_ref", unit="m"),
        Remembered("f0", unit="N"),
        Remembered("f1", unit="N/m"),
        Remembered("f2", unit="N/m2"),
        Remembered("amplitude", unit="N"),
        Remembered("kappa", unit="1/m"),
        Remembered("stage", Role.BOOKKEEPING),
    ),
)
COUNT, ROWS, AT = places(Kind.LEAF_SPRING, Head.KINDS)
GUARDS = len(leaf_spring.Guard)
WATCHED = (Watch.RATE, Watch.DEFORMATION, Watch.FORCE)  # in the order of leaf_spring.Guard


class Row(IntEnum):
    LAW = 0  # numbers of the law
    COMPRESSION = LAW_SIZE  # at rest [m]
    SIZE = LAW_SIZE + 1


class At(IntEnum):
    PORT, MODE, MEMORY, SLOT = range(4)
    SIZE = 4


def put(element: Element, rows: Rows) -> None:
    law: LeafSpring = element.law
    mode = rows.mode(element.name, Mode, Mode.AUTO)
    at = (rows.port(element), mode, rows.remember(element.name, ABOUT.memory), rows.slot(element))
    floats = (*law.pack(), law.static_deflection(rows.loads[element.name]))
    rows.add(Kind.LEAF_SPRING, element.name, floats, at)


def finish(rows: Rows, tables: Tables) -> None:
    """Where each spring stands in its row of ports, and whether one before it is in the same row."""
    ports = [at[At.PORT] for at in rows.ints[Kind.LEAF_SPRING]]
    first = [port - port % PORT_ROW for port in ports]
    tables.put(Head.LEAF_LANE, np.eye(LANES)[[port % PORT_ROW for port in ports]])
    tables.put_int(Head.LEAF_ROW, np.array([[row, row in first[:k]] for k, row in enumerate(first)], np.int64))


@kernel(inner=True)
def state_of(p, k, memory):
    """Compression, rate, branch and law of leaf spring k."""
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    u, v = moved(p, i[at + At.PORT])
    z = f[o + Row.COMPRESSION] + u
    return z, v, leaf_spring.read_branch(memory, i[at + At.MEMORY]), leaf_spring.read_law(f, o)


@kernel(merged=True)
def forces(p, x, memory, mode, dx):
    """Forces of all leaf springs, as whole rows: a single number would make the load of its row wait."""
    f, i = p
    for k in range(i[COUNT]):
        at, lane = i[AT] + At.SIZE * k, i[Head.LEAF_LANE] + LANES * k
        z = f[i[ROWS] + Row.SIZE * k + Row.COMPRESSION] + f[field(p, PortField.U) + i[at + At.PORT]]
        force = leaf_spring.force(leaf_spring.read_branch(memory, i[at + At.MEMORY]), z)
        a, b, c, d = force * f[lane], force * f[lane + 1], force * f[lane + 2], force * f[lane + 3]
        own = field(p, PortField.OWN) + i[i[Head.LEAF_ROW] + 2 * k]
        if i[i[Head.LEAF_ROW] + 2 * k + 1]:
            add_row(f, own, a, b, c, d)
        else:
            write_row(f, own, a, b, c, d)


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    named = zip(leaf_spring.Guard, WATCHED, ("m/s", "m", "N"), strict=True)
    return tuple(Guard(f"{element.name}.{g.name.lower()}", w, unit, element.name, mode) for g, w, unit in named)


@kernel(inner=True)
def guards(p, memory, mode, g, at):
    """Turning point, second leaf and force limit of each spring; returns the next free entry."""
    i = p[1]
    for k in range(i[COUNT]):
        z, v, branch, law = state_of(p, k, memory)
        leaf_spring.write_guards(mode[i[i[AT] + At.SIZE * k + At.MODE]], branch, z, v, law, g, at)
        at += GUARDS
    return at


@kernel(inner=True)
def act(p, memory, mode, fired, at):
    i = p[1]
    for k in range(i[COUNT]):
        place = i[AT] + At.SIZE * k
        now = i[place + At.MODE]
        for guard in range(GUARDS):
            if fired[at + GUARDS * k + guard]:
                z, v, branch, law = state_of(p, k, memory)
                mode[now], branch = leaf_spring.leave(mode[now], guard, branch, z, v, law)
                leaf_spring.write_branch(branch, memory, i[place + At.MEMORY])
                break
    return at + GUARDS * i[COUNT]


@kernel(inner=True)
def settle(p, memory, mode):
    """After a jump of the rates: branches whose direction is gone turn."""
    i = p[1]
    for k in range(i[COUNT]):
        place = i[AT] + At.SIZE * k
        now = i[place + At.MODE]
        z, v, branch, law = state_of(p, k, memory)
        mode[now], branch = leaf_spring.settle(mode[now], branch, z, v, law)
        leaf_spring.write_branch(branch, memory, i[place + At.MEMORY])


@kernel(inner=True)
def narrow(p, memory, mode):
    """What each spring allows; its force limit is seen from the present compression."""
    f, i = p
    for k in range(i[COUNT]):
        at, law_at = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        port, now = i[at + At.PORT], mode[i[at + At.MODE]]
        law, branch = leaf_spring.read_law(f, law_at), leaf_spring.read_branch(memory, i[at + At.MEMORY])
        u = f[field(p, PortField.U) + port]
        z = f[law_at + Row.COMPRESSION] + u
        turn, leaf, limit = leaf_spring.guards(now, branch, z, 1.0, law)
        stiffest = abs(branch.f1) + abs(branch.amplitude * branch.kappa) + law.stiffness + law.stiffness_second
        width = limit / stiffest
        intersect(p, PortField.U_FROM, PortField.U_TO, port, u - width, u + width)
        if leaf < inf:  # to the second leaf, above or below
            above = branch.stage > 0.5
            low, high = (u - leaf if above else -inf), (inf if above else u + leaf)
            intersect(p, PortField.U_FROM, PortField.U_TO, port, low, high)
        if turn < inf:  # the sign of `turn` at a positive rate tells which way the spring moves
            low, high = (0.0 if turn > 0.0 else -inf), (inf if turn > 0.0 else 0.0)
            intersect(p, PortField.V_FROM, PortField.V_TO, port, low, high)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        z, _, branch, _ = state_of(p, k, memory)
        force[i[i[AT] + At.SIZE * k + At.SLOT]] = leaf_spring.force(branch, z)


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    """Stored is what the line without friction holds, heat is what friction takes less what it gives back."""
    i = p[1]
    for k in range(i[COUNT]):
        slot = i[i[AT] + At.SIZE * k + At.SLOT]
        z, v, branch, law = state_of(p, k, memory)
        stage = 1.0 if z > law.second_leaf else 0.0
        stored[slot] = leaf_spring_law.static_energy(z, law)
        heat[slot] = (leaf_spring.force(branch, z) - leaf_spring_law.static_force(stage, z, law)) * v


def rest(system: System, u: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Near rest, with the force they have without friction at their compression."""
    for at, law, compression in each(system):
        z = float(compression + u[column(at[At.PORT])])
        stage = 1.0 if z > law.second_leaf else 0.0
        load = leaf_spring.static_force(stage, z, law)
        mode[at[At.MODE]], branch = leaf_spring.start(z, 0.0, load, law)
        leaf_spring.write_branch(branch, memory, at[At.MEMORY])


def static_line(system: System, u: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """On the line c (z - z*) without friction, as a branch."""
    for at, law, compression in each(system):
        z = float(compression + u[column(at[At.PORT])])
        stage = 1.0 if z > law.second_leaf else 0.0
        slope = law.stiffness_second if stage else law.stiffness
        line = Branch(z, leaf_spring.static_force(stage, z, law), slope, 0.0, 0.0, 0.0, stage)
        mode[at[At.MODE]] = Mode.AUTO
        leaf_spring.write_branch(line, memory, at[At.MEMORY])


def preset(system: System, direction: float, u: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """On the loading (1) or unloading (-1) branch, with the force they have without friction."""
    for at, law, compression in each(system):
        z = float(compression + u[column(at[At.PORT])])
        stage = 1.0 if z > law.second_leaf else 0.0
        branch = leaf_spring.directed(direction, stage, z, leaf_spring.static_force(stage, z, law), law)
        mode[at[At.MODE]] = leaf_spring.running_mode(direction, stage)
        leaf_spring.write_branch(branch, memory, at[At.MEMORY])


def each(system: System):
    """At, law and static compression of every leaf spring."""
    for row, at in zip(*table_of(system, Kind.LEAF_SPRING, Row, At), strict=True):
        yield at, leaf_spring.read_law(row, 0), row[Row.COMPRESSION]


def compression(system: System, k: int) -> float:
    """Of leaf spring k at rest [m]."""
    return float(system.f[system.i[ROWS] + Row.SIZE * k + Row.COMPRESSION])


def hold(law: LeafSpring, u: float, load: float) -> tuple[float, float]:
    """Envelopes; u is counted from the compression under its static load."""
    z = law.static_deflection(load) + u
    stage = 1.0 if z > law.second_leaf else 0.0
    low, high = (leaf_spring.envelope(direction, stage, z, law.law) for direction in (-1.0, 1.0))
    return low, high


def shares(law: LeafSpring) -> float:
    """It has a free length, and what it carries says how far it is compressed in the position drawn."""
    return law.stiffness


def supports(law: LeafSpring) -> bool:
    return True


def along(law: LeafSpring, u: np.ndarray) -> np.ndarray:
    """Exact loading and unloading branches from the line without friction on; u is the compression."""
    packed = law.law
    force = np.empty_like(u)
    force[0] = leaf_spring.static_force(float(u[0] > law.second_leaf), u[0], packed)
    for k in range(1, len(u)):
        begin, end, carried = u[k - 1], u[k], force[k - 1]
        for target in _stops(begin, end, law.second_leaf):
            stage = float(0.5 * (begin + target) > law.second_leaf)
            branch = leaf_spring.directed(1.0 if target > begin else -1.0, stage, begin, carried, packed)
            begin, carried = target, leaf_spring.force(branch, target)
        force[k] = carried
    return force


def _stops(begin: float, end: float, corner: float) -> tuple[float, ...]:
    return (corner, end) if min(begin, end) < corner < max(begin, end) else (end,)


def reach(law: LeafSpring) -> list[float]:
    return [10.0 * law.decay]


assert len(ABOUT.memory) == BRANCH_SIZE
