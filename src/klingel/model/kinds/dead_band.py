"""Springs with free play: the affine piece of their mode, no memory."""

from enum import IntEnum
from math import inf, isfinite

import numpy as np

from klingel._jit import kernel
from klingel.elements import dead_band
from klingel.elements import piece as pieces
from klingel.elements.dead_band import DeadBand, Mode
from klingel.elements.piece import Wall
from klingel.model.description import Element
from klingel.model.kinds.quasi_static import walk
from klingel.model.kinds.registry import Family, Kind, places
from klingel.model.port_pieces import add_piece, column, moved
from klingel.model.rows import Rows
from klingel.model.system import Head, System

LAW = DeadBand
FIELDS = {
    "gap_low": ("length", "infinite", -inf), "gap_high": ("length", "infinite", inf),
    "stiffness": ("stiffness", "not negative"),
}  # fmt: skip
PORTS = (1, 1)
FAMILY = Family.CLEARANCE
EVENTS = True
MEMORY = ()
STATES = ()
COUNT, ROWS, AT = places(Kind.DEAD_BAND, Head.KINDS)


class Row(IntEnum):
    GAP_LOW, GAP_HIGH, STIFFNESS = range(3)
    SIZE = 3


class At(IntEnum):
    PORT, MODE, SLOT = range(3)
    SIZE = 3


@kernel(merged=True)
def piece_of(p, k, mode):
    f, i = p
    o = i[ROWS] + Row.SIZE * k
    now = mode[i[i[AT] + At.SIZE * k + At.MODE]]
    return dead_band.piece(now, f[o + Row.GAP_LOW], f[o + Row.GAP_HIGH], f[o + Row.STIFFNESS])


def put(element: Element, rows: Rows) -> None:
    law: DeadBand = element.law
    at = (rows.wall(element), rows.mode(element.name, Mode, Mode.FREE), rows.slot(element))
    rows.add(Kind.DEAD_BAND, element.name, (law.gap_low, law.gap_high, law.stiffness), at)


@kernel(inner=True)
def enter(p, memory, mode):
    i = p[1]
    for k in range(i[COUNT]):
        add_piece(p, i[i[AT] + At.SIZE * k + At.PORT], piece_of(p, k, mode))


@kernel(inner=True)
def cross(p, port, wall, bound, u, v, memory, mode):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if i[at + At.PORT] == port and wall <= Wall.U_HIGH and piece_of(p, k, mode)[3 + wall] == bound:
            mode[i[at + At.MODE]] = dead_band.leave(mode[i[at + At.MODE]], wall)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        u, v = moved(p, i[at + At.PORT])
        force[i[at + At.SLOT]] = pieces.force(piece_of(p, k, mode), u, v)


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    f, i = p
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        u, v = moved(p, i[at + At.PORT])
        stiffness = f[i[ROWS] + Row.SIZE * k + Row.STIFFNESS]
        stored[i[at + At.SLOT]] = dead_band.stored_energy(pieces.force(piece_of(p, k, mode), u, v), stiffness)
        heat[i[at + At.SLOT]] = 0.0


def close(system: System, u: np.ndarray, v: np.ndarray, mode: np.ndarray) -> None:
    """Every band in the mode of its deformation."""
    f, i = system
    rows = f[i[ROWS] : i[ROWS] + Row.SIZE * i[COUNT]].reshape(-1, Row.SIZE)
    for row, at in zip(rows, i[i[AT] : i[AT] + At.SIZE * i[COUNT]].reshape(-1, At.SIZE), strict=True):
        mode[at[At.MODE]] = dead_band.mode_at(
            float(u[column(at[At.PORT])]), float(row[Row.GAP_LOW]), float(row[Row.GAP_HIGH])
        )  # fmt: skip


def hold(law: DeadBand, u: float, load: float) -> tuple[float, float]:
    force = float(along(law, np.array([u]))[0])
    return force, force


def along(law: DeadBand, u: np.ndarray) -> np.ndarray:
    def piece(mode: int, memory: float):
        return dead_band.piece(mode, law.gap_low, law.gap_high, law.stiffness)

    def leave(mode: int, wall: int, at: float, v: float, memory: float):
        return dead_band.leave(mode, wall), memory

    return walk(u, dead_band.mode_at(float(u[0]), law.gap_low, law.gap_high), 0.0, piece, leave)


def reach(law: DeadBand) -> list[float]:
    return [1.4 * abs(gap) for gap in (law.gap_low, law.gap_high) if isfinite(gap) and gap != 0.0]


def secant(law: DeadBand, amplitude: float) -> float:
    """Estimates count springs and friction only: within its play a band does nothing [N/m]."""
    return 0.0
