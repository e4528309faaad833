"""Springs with free play: the affine piece of their mode, no memory."""

from enum import IntEnum
from math import inf, isfinite

import numpy as np

from klingel._jit import kernel
from klingel.elements import dead_band
from klingel.elements.dead_band import DeadBand, Mode
from klingel.elements.piece import Wall
from klingel.elements.smooth_dead_band import SmoothDeadBand
from klingel.elements.smooth_widths import LENGTH, Widths, needed
from klingel.model.description import Element
from klingel.model.kinds.affine import affine_hooks
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.kinds.slow_path import walk
from klingel.model.port_pieces import column
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, System

ABOUT = About(
    DeadBand,
    {
        "gap_low": ("length", "infinite", -inf),
        "gap_high": ("length", "infinite", inf),
        "stiffness": ("stiffness", "not negative"),
    },
    Family.CLEARANCE,
)
COUNT, ROWS, AT = places(Kind.DEAD_BAND, Head.KINDS)


class Row(IntEnum):
    GAP_LOW, GAP_HIGH, STIFFNESS = range(3)
    SIZE = 3


class At(IntEnum):
    PORT, MODE, SLOT = range(3)
    SIZE = 3


@kernel(merged=True)
def piece_of(p, k, memory, mode):
    f, i = p
    o = i[ROWS] + Row.SIZE * k
    now = mode[i[i[AT] + At.SIZE * k + At.MODE]]
    return dead_band.piece(now, f[o + Row.GAP_LOW], f[o + Row.GAP_HIGH], f[o + Row.STIFFNESS])


@kernel(merged=True)
def energy_of(p, k, u, v, force, mode):
    return dead_band.stored_energy(force, p[0][p[1][ROWS] + Row.SIZE * k + Row.STIFFNESS]), 0.0


enter, report, energy = affine_hooks(piece_of, energy_of, COUNT, AT, At)


def put(element: Element, rows: Rows) -> None:
    law: DeadBand = element.law
    at = (rows.wall(element), rows.mode(element.name, Mode, Mode.FREE), rows.slot(element))
    rows.add(Kind.DEAD_BAND, element.name, (law.gap_low, law.gap_high, law.stiffness), at)


@kernel(inner=True)
def cross(p, port, wall, bound, u, v, memory, mode):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if i[at + At.PORT] == port and wall <= Wall.U_HIGH and piece_of(p, k, memory, mode)[3 + wall] == bound:
            mode[i[at + At.MODE]] = dead_band.leave(mode[i[at + At.MODE]], wall)


def close(system: System, u: np.ndarray, v: np.ndarray, mode: np.ndarray) -> None:
    """Every band in the mode of its deformation."""
    for (low, high, _), at in zip(*table_of(system, Kind.DEAD_BAND, Row, At), strict=True):
        mode[at[At.MODE]] = dead_band.mode_at(float(u[column(at[At.PORT])]), float(low), float(high))


def along(law: DeadBand, u: np.ndarray) -> np.ndarray:
    def piece(mode: int, memory: float):
        return dead_band.piece(mode, law.gap_low, law.gap_high, law.stiffness)

    def leave(mode: int, wall: int, at: float, v: float, memory: float):
        return dead_band.leave(mode, wall), memory

    return walk(u, dead_band.mode_at(float(u[0]), law.gap_low, law.gap_high), 0.0, piece, leave)


def supports(law: DeadBand) -> bool:
    return law.stiffness > 0.0


def ignored(law: DeadBand) -> SmoothDeadBand:
    return SmoothDeadBand(law.gap_low, law.gap_high, law.stiffness, 0.0)


def smooth(law: DeadBand, widths: Widths) -> SmoothDeadBand:
    width = needed(widths.length, LENGTH)
    return SmoothDeadBand(law.gap_low, law.gap_high, law.stiffness, width)


def reach(law: DeadBand | SmoothDeadBand) -> list[float]:
    return [1.4 * abs(gap) for gap in (law.gap_low, law.gap_high) if isfinite(gap) and gap != 0.0]


def clearance(law: DeadBand | SmoothDeadBand) -> list[float]:
    return [abs(gap) for gap in (law.gap_low, law.gap_high) if isfinite(gap)]
