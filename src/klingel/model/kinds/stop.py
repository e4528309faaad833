"""One-sided stops with damping: affine pieces with walls, and the force as a guard of its own."""

from enum import IntEnum
from math import inf

import numpy as np

from klingel._jit import kernel
from klingel.elements import piece as pieces
from klingel.elements import stop
from klingel.elements.piece import Wall
from klingel.elements.stop import Exit, Mode, Side, Stop
from klingel.model.description import Element, force_unit
from klingel.model.kinds.affine import affine_hooks
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.kinds.slow_path import walk
from klingel.model.layout import Guard, Watch
from klingel.model.port_pieces import column, intersect, moved
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, PortField, System

ABOUT = About(
    Stop,
    {
        "gap": ("length", ""),
        "stiffness": ("stiffness", "positive"),
        "damping": ("damping", "not negative"),
        "side": ("word", tuple(Side)),
    },
    Family.CLEARANCE,
)
COUNT, ROWS, AT = places(Kind.STOP, Head.KINDS)


class Row(IntEnum):
    GAP, STIFFNESS, DAMPING, SIDE = range(4)  # SIDE: 1, or -1 for a stop of negative deformations
    SIZE = 4


class At(IntEnum):
    PORT, MODE, SLOT = range(3)
    SIZE = 3


@kernel(merged=True)
def row_of(p, k):
    """Gap, stiffness, damping, side."""
    f, o = p[0], p[1][ROWS] + Row.SIZE * k
    return f[o + Row.GAP], f[o + Row.STIFFNESS], f[o + Row.DAMPING], f[o + Row.SIDE]


@kernel(merged=True)
def seen(p, k):
    """Deformation and rate towards the side of the stop."""
    i = p[1]
    u, v = moved(p, i[i[AT] + At.SIZE * k + At.PORT])
    side = p[0][i[ROWS] + Row.SIZE * k + Row.SIDE]
    return side * u, side * v


@kernel(merged=True)
def piece_of(p, k, memory, mode):
    gap, stiffness, damping, side = row_of(p, k)
    piece = stop.piece(mode[p[1][p[1][AT] + At.SIZE * k + At.MODE]], gap, stiffness, damping)
    return piece if side > 0.0 else pieces.mirrored(piece)


@kernel(merged=True)
def energy_of(p, k, u, v, force, mode):
    gap, stiffness, damping, side = row_of(p, k)
    now = mode[p[1][p[1][AT] + At.SIZE * k + At.MODE]]
    return stop.stored_energy(now, side * u, gap, stiffness), stop.dissipated_power(now, v, damping)


enter, report, energy = affine_hooks(piece_of, energy_of, COUNT, AT, At)


def put(element: Element, rows: Rows) -> None:
    law: Stop = element.law
    at = (rows.wall(element), rows.mode(element.name, Mode, Mode.FREE), rows.slot(element))
    side = 1.0 if law.side == Side.HIGH else -1.0
    rows.add(Kind.STOP, element.name, (law.gap, law.stiffness, law.damping, side), at)


@kernel(inner=True)
def cross(p, port, wall, bound, u, v, memory, mode):
    f, i = p
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if i[at + At.PORT] == port and wall <= Wall.U_HIGH and piece_of(p, k, memory, mode)[3 + wall] == bound:
            towards = f[i[ROWS] + Row.SIZE * k + Row.SIDE] > 0.0
            mode[i[at + At.MODE]] = stop.leave(mode[i[at + At.MODE]], wall if towards else 1 - wall)


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    return (Guard(f"{element.name}.push", Watch.FORCE, force_unit(element.direction), element.name, mode),)


@kernel(inner=True)
def guards(p, memory, mode, g, at):
    """The force of each stop [N]; returns the next free entry."""
    i = p[1]
    for k in range(i[COUNT]):
        gap, stiffness, damping, _ = row_of(p, k)
        u, v = seen(p, k)
        g[at + k] = stop.push(mode[i[i[AT] + At.SIZE * k + At.MODE]], u, v, gap, stiffness, damping)
    return at + i[COUNT]


@kernel(inner=True)
def act(p, memory, mode, fired, at):
    i = p[1]
    for k in range(i[COUNT]):
        if fired[at + k]:
            place = i[i[AT] + At.SIZE * k + At.MODE]
            mode[place] = stop.leave(mode[place], Exit.FORCE)
    return at + i[COUNT]


@kernel(inner=True)
def settle(p, memory, mode):
    i = p[1]
    for k in range(i[COUNT]):
        place = i[i[AT] + At.SIZE * k + At.MODE]
        gap, stiffness, damping, _ = row_of(p, k)
        u, v = seen(p, k)
        mode[place] = stop.settle(mode[place], u, v, gap, stiffness, damping)


@kernel(inner=True)
def narrow(p, memory, mode):
    """A damped stop that touches: its force may vanish anywhere, so the guards are asked in every step."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        _, _, damping, _ = row_of(p, k)
        if mode[i[at + At.MODE]] != Mode.FREE and damping > 0.0:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PORT], inf, -inf)


def close(system: System, u: np.ndarray, v: np.ndarray, mode: np.ndarray) -> None:
    """Every stop in the mode of its deformation."""
    for row, at in zip(*table_of(system, Kind.STOP, Row, At), strict=True):
        gap, stiffness, damping, side = (float(value) for value in row)
        port = column(at[At.PORT])
        mode[at[At.MODE]] = stop.mode_at(side * float(u[port]), side * float(v[port]), gap, stiffness, damping)


def along(law: Stop, u: np.ndarray) -> np.ndarray:
    side = 1.0 if law.side == Side.HIGH else -1.0

    def piece(mode: int, memory: float):
        return stop.piece(mode, law.gap, law.stiffness, 0.0)

    def leave(mode: int, wall: int, at: float, v: float, memory: float):
        return stop.leave(mode, wall), memory

    towards = side * u
    start = stop.mode_at(float(towards[0]), 0.0, law.gap, law.stiffness, 0.0)
    return side * walk(towards, start, 0.0, piece, leave)


def supports(law: Stop) -> bool:
    return law.stiffness > 0.0


def reach(law: Stop) -> list[float]:
    return [1.4 * abs(law.gap)] if law.gap != 0.0 else []


def clearance(law: Stop) -> list[float]:
    return [abs(law.gap)]
