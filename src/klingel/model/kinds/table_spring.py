"""Springs given as a table of points: one row per piece, of which the mode chooses one."""

from enum import IntEnum
from math import inf

import numpy as np

from klingel._jit import kernel
from klingel.elements.piece import Piece, Wall
from klingel.elements.piece import force as force_of_piece
from klingel.elements.table_spring import TableSpring, modes
from klingel.model.description import Element
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.port_pieces import add_piece, column, moved
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, System

ABOUT = About(TableSpring, {"points": ("points", "")}, Family.SPRING)
COUNT, ROWS, AT = places(Kind.TABLE_SPRING, Head.KINDS)


class Row(IntEnum):
    LOW, HIGH, OFFSET, SLOPE, ENERGY = range(5)
    SIZE = 5


class At(IntEnum):
    PORT, MODE, PIECE, SLOT = range(4)
    SIZE = 4


def put(element: Element, rows: Rows) -> None:
    law: TableSpring = element.law
    pieces = law.pieces()
    port, slot = rows.wall(element), rows.slot(element)
    mode = rows.mode(element.name, modes(len(pieces)), law.piece_at(0.0))
    for n, piece in enumerate(pieces):
        name = element.name if n == 0 else f"{element.name}.piece_{n + 1}"
        rows.add(Kind.TABLE_SPRING, name, piece, (port, mode, n, slot))


@kernel(merged=True)
def holds(p, k, mode):
    """Whether the spring of row k is in the piece of row k."""
    i = p[1]
    at = i[AT] + At.SIZE * k
    return mode[i[at + At.MODE]] == i[at + At.PIECE]


@kernel(merged=True)
def piece_of(p, k):
    f, o = p[0], p[1][ROWS] + Row.SIZE * k
    return Piece(f[o + Row.OFFSET], f[o + Row.SLOPE], 0.0, f[o + Row.LOW], f[o + Row.HIGH], -inf, inf)


@kernel(inner=True)
def enter(p, memory, mode):
    i = p[1]
    for k in range(i[COUNT]):
        if holds(p, k, mode):
            add_piece(p, i[i[AT] + At.SIZE * k + At.PORT], piece_of(p, k))


@kernel(inner=True)
def cross(p, port, wall, bound, u, v, memory, mode):
    """To the next piece; the row it leads to is not asked again, its wall on this side is another one."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        mine = i[at + At.PORT] == port and wall <= Wall.U_HIGH and holds(p, k, mode)
        if mine and piece_of(p, k)[3 + wall] == bound:
            mode[i[at + At.MODE]] += 1 if wall == Wall.U_HIGH else -1


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if holds(p, k, mode):
            u, v = moved(p, i[at + At.PORT])
            force[i[at + At.SLOT]] = force_of_piece(piece_of(p, k), u, v)


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        if holds(p, k, mode):
            u, _ = moved(p, i[at + At.PORT])
            stored[i[at + At.SLOT]] = f[o + Row.ENERGY] + (f[o + Row.OFFSET] + 0.5 * f[o + Row.SLOPE] * u) * u
            heat[i[at + At.SLOT]] = 0.0


def close(system: System, u: np.ndarray, v: np.ndarray, mode: np.ndarray) -> None:
    """Every spring in the piece of its deformation."""
    for row, at in zip(*table_of(system, Kind.TABLE_SPRING, Row, At), strict=True):
        if row[Row.LOW] <= u[column(at[At.PORT])] < row[Row.HIGH]:
            mode[at[At.MODE]] = at[At.PIECE]


def along(law: TableSpring, u: np.ndarray) -> np.ndarray:
    pieces = law.pieces()
    return np.array([pieces[law.piece_at(here)][2] + pieces[law.piece_at(here)][3] * here for here in u.tolist()])


def supports(law: TableSpring) -> bool:
    return law.stiffness > 0.0


def reach(law: TableSpring) -> list[float]:
    return [1.2 * max(abs(u) for u, _ in law.points)]


def secant(law: TableSpring, amplitude: float) -> float:
    """Stiffness of a motion to and fro, for estimates [N/m]."""
    low, high = along(law, np.array([-amplitude, amplitude]))
    return float(high - low) / (2.0 * amplitude)
