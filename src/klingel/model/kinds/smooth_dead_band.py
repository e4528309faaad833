"""Dead bands with rounded corners: a curved law without modes."""

from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.elements import smooth_dead_band
from klingel.elements.smooth_dead_band import SmoothDeadBand
from klingel.model.description import Element
from klingel.model.kinds import dead_band
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.port_pieces import add_own, moved
from klingel.model.rows import Rows
from klingel.model.system import Head

ABOUT = About(
    SmoothDeadBand,
    {
        "gap_low": ("length", ""),
        "gap_high": ("length", ""),
        "stiffness": ("stiffness", "not negative"),
        "width": ("length", "not negative"),
    },
    Family.CLEARANCE,
    events=False,
)
COUNT, ROWS, AT = places(Kind.SMOOTH_DEAD_BAND, Head.KINDS)


class Row(IntEnum):
    LOW, HIGH, STIFFNESS, WIDTH = range(4)
    SIZE = 4


class At(IntEnum):
    PORT, SLOT = range(2)
    SIZE = 2


def put(element: Element, rows: Rows) -> None:
    law: SmoothDeadBand = element.law
    floats = (law.gap_low, law.gap_high, law.stiffness, law.width)
    rows.add(Kind.SMOOTH_DEAD_BAND, element.name, floats, (rows.curved_port(element), rows.slot(element)))


@kernel(merged=True)
def seen(p, k):
    """Deformation, gaps, stiffness, width."""
    f, i = p
    u, _ = moved(p, i[i[AT] + At.SIZE * k + At.PORT])
    o = i[ROWS] + Row.SIZE * k
    return u, f[o + Row.LOW], f[o + Row.HIGH], f[o + Row.STIFFNESS], f[o + Row.WIDTH]


@kernel(inner=True)
def force_of(p, k):
    u, low, high, stiffness, width = seen(p, k)
    return smooth_dead_band.force(u, low, high, stiffness, width)


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    i = p[1]
    for k in range(i[COUNT]):
        add_own(p, i[i[AT] + At.SIZE * k + At.PORT], force_of(p, k))


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        force[i[i[AT] + At.SIZE * k + At.SLOT]] = force_of(p, k)


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    i = p[1]
    for k in range(i[COUNT]):
        u, low, high, stiffness, width = seen(p, k)
        slot = i[i[AT] + At.SIZE * k + At.SLOT]
        stored[slot] = smooth_dead_band.stored_energy(u, low, high, stiffness, width)
        heat[slot] = 0.0


def along(law: SmoothDeadBand, u: np.ndarray) -> np.ndarray:
    numbers = (law.gap_low, law.gap_high, law.stiffness, law.width)
    return np.array([smooth_dead_band.force(here, *numbers) for here in u.tolist()])


def supports(law: SmoothDeadBand) -> bool:
    return law.stiffness > 0.0


reach, clearance = dead_band.reach, dead_band.clearance
