"""Clearances with rigid stops: two sides each, gaps as guards; impacts and resting contacts are in `impacts`."""

from math import inf

import numpy as np

from klingel._jit import kernel
from klingel.elements import impact
from klingel.elements.guide import Guide
from klingel.elements.impact import Mode
from klingel.model.description import Element, unit_of
from klingel.model.kinds.impacts import At, Row, free_gap, vector
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.layout import Guard, Watch
from klingel.model.port_pieces import column, intersect
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, PortField, Run, System

ABOUT = About(
    Guide,
    {
        "clearance": ("length", "positive"),
        "restitution": ("number", "fraction"),
        "resting_speed": ("speed", "not negative"),
    },
    Family.CLEARANCE,
)
SIDES = ("plus", "minus")
COUNT, ROWS, AT = places(Kind.GUIDE, Head.KINDS)


def put(element: Element, rows: Rows) -> None:
    law: Guide = element.law
    for minus, side in enumerate(SIDES):
        name = f"{element.name}.{side}"
        at = (rows.port(element), rows.mode(name, Mode, Mode.FREE), minus, rows.slot(element))
        rows.add(Kind.GUIDE, name, (law.clearance, law.restitution, law.resting_speed), at)


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    """`mode` is that of the first side."""
    names = (f"{element.name}.{side}" for side in SIDES)
    return tuple(
        Guard(name, Watch.GAP, unit_of(element.direction), name, mode + k) for k, name in enumerate(names)
    )


@kernel(inner=True)
def guards(p, memory, mode, g, at):
    """Gaps of free sides; of resting ones the force, in units of a thousand newtons; returns the next free entry.

    Forces of resting contacts stand in the scratch when there are any.
    """
    f, i = p
    resting = f[i[Head.RUN] + Run.RESTING] > 0.0
    for k in range(i[COUNT]):
        closed = resting and mode[i[i[AT] + At.SIZE * k + At.MODE]] == impact.Mode.RESTING
        g[at + k] = 1e-3 * f[vector(p, 3) + k] if closed else free_gap(p, k)
    return at + i[COUNT]


@kernel(inner=True)
def narrow(p, memory, mode):
    """As far as the clearance goes; the force of a contact that rests may vanish anywhere: asked in every step."""
    f, i = p
    for k in range(i[COUNT]):
        at, width = i[AT] + At.SIZE * k, f[i[ROWS] + Row.SIZE * k + Row.CLEARANCE]
        if mode[i[at + At.MODE]] == impact.Mode.RESTING:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PORT], inf, -inf)
        else:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PORT], -width, width)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    f, i = p
    resting = f[i[Head.RUN] + Run.RESTING] > 0.0
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        pushes = f[vector(p, 3) + k] if resting else 0.0
        if i[at + At.MINUS] > 0:
            force[i[at + At.SLOT]] -= pushes
        else:
            force[i[at + At.SLOT]] = pushes


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    """A rigid stop stores nothing; what impacts consume is a jump, see `simulation.energy`."""
    i = p[1]
    for k in range(i[COUNT]):
        stored[i[i[AT] + At.SIZE * k + At.SLOT]] = 0.0
        heat[i[i[AT] + At.SIZE * k + At.SLOT]] = 0.0


def gaps(system: System, u: np.ndarray) -> np.ndarray:
    """Gap of every side at the deformations u of all ports [m]."""
    rows, at = table_of(system, Kind.GUIDE, Row, At)
    moved = np.array([u[column(port)] for port in at[:, At.PORT]])
    return rows[:, Row.CLEARANCE] + np.where(at[:, At.MINUS] > 0, moved, -moved)


def hold(law: Guide, u: float, load: float) -> tuple[float, float]:
    return (-np.inf if u <= -law.clearance else 0.0), (np.inf if u >= law.clearance else 0.0)


def reach(law: Guide) -> list[float]:
    return [law.clearance]
