"""Dry friction without a spring in series: forces of sliding faces here, those of stuck ones in `held_faces`."""

from enum import IntEnum
from math import inf, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.elements import rigid_friction
from klingel.elements.friction_limit import kinetic_limit
from klingel.elements.rigid_friction import STILL, Mode, RigidFriction
from klingel.elements.smooth_friction import SmoothFriction
from klingel.elements.smooth_widths import SPEED, NoSmoothForm, Widths, needed
from klingel.elements.stick_or_slip import GIVES
from klingel.model.bodies.motion import force_at
from klingel.model.description import Element, force_unit, unit_of
from klingel.model.kinds.friction_path import hold as hold
from klingel.model.kinds.friction_path import secant as secant
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.layout import Guard, Remembered, Role, Watch
from klingel.model.port_pieces import add_own, column, intersect, moved
from klingel.model.rows import Rows, table_of
from klingel.model.system import NONE, Head, PortField, System

ABOUT = About(
    RigidFriction,
    {
        "limit": ("force", "not negative"),
        "friction": ("number", "not negative"),
        "load_factor": ("number", "positive"),
        "static_ratio": ("number", "positive"),
        "resting_speed": ("speed", "positive"),
    },
    Family.FRICTION,
    ports=(1, 2),
    per_load="friction",
)
COUNT, ROWS, AT = places(Kind.RIGID_FRICTION, Head.KINDS)
DIRECTION = tuple(
    Remembered(f"direction_{n}", Role.BOOKKEEPING) for n in (1, 2)
)  # in which a face in a plane starts


class Row(IntEnum):
    """NOW, FORCE, ACROSS: scratch, the kinetic limit and the force of the last right-hand side."""

    LIMIT, FRICTION, STATIC, SPEED, NOW, FORCE, ACROSS = range(7)
    SIZE = 7


class At(IntEnum):
    """PLANE: the port of the second direction or NONE; HELD: the first of its rows in `held_faces`."""

    PORT, PLANE, LOAD, MODE, MEMORY, HELD, SLOT = range(7)
    SIZE = 7


def put(element: Element, rows: Rows) -> None:
    law: RigidFriction = element.law
    plane = len(element.directions) > 1
    mode = rows.mode(element.name, Mode, Mode.STICK)
    memory = rows.remember(element.name, DIRECTION) if plane else NONE
    before = rows.ints[Kind.RIGID_FRICTION]
    held = sum(1 if at[At.PLANE] == NONE else 2 for at in before)
    ports = (rows.curved_port(element), rows.curved_port(element, 1) if plane else NONE, rows.load_port(element))
    floats = (law.limit, law.friction * law.load_factor, law.static_ratio, law.resting_speed, 0.0, 0.0, 0.0)
    rows.add(Kind.RIGID_FRICTION, element.name, floats, (*ports, mode, memory, held, rows.slot(element)))


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    rate = f"{unit_of(element.direction)}/s"
    kinds = [("limit", Watch.FORCE, force_unit(element.direction)), ("end", Watch.RATE, rate)]
    kinds += [("away", Watch.RATE, rate)] if element.also else []
    return tuple(Guard(f"{element.name}.{n}", watch, unit, element.name, mode) for n, watch, unit in kinds)


@kernel(inner=True)
def slip(p, k):
    """Rates in both directions of a face, the second one zero where it has none."""
    i = p[1]
    at = i[AT] + At.SIZE * k
    _, v = moved(p, i[at + At.PORT])
    w = 0.0
    if i[at + At.PLANE] != NONE:
        _, w = moved(p, i[at + At.PLANE])
    return v, w


@kernel(inner=True)
def start_of(p, k, memory):
    """Direction in which a face that gave way is pushed."""
    place = p[1][p[1][AT] + At.SIZE * k + At.MEMORY]
    if place == NONE:
        return 0.0, 0.0
    return memory[place], memory[place + 1]


@kernel(inner=True)
def read_loads(p):
    """Kinetic limits, from the forces of springs and dampers on the load ports, before friction adds to them."""
    f, i = p
    for k in range(i[COUNT]):
        port, o = i[i[AT] + At.SIZE * k + At.LOAD], i[ROWS] + Row.SIZE * k
        load = 0.0 if port == NONE else force_at(f, i[Head.PORT_STATE] + port)
        f[o + Row.NOW] = kinetic_limit(load, f[o + Row.LIMIT], f[o + Row.FRICTION])


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    """Of sliding faces."""
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        v, w = slip(p, k)
        a, b = start_of(p, k, memory)
        one, two = rigid_friction.force(mode[i[at + At.MODE]], v, w, a, b, f[o + Row.NOW])
        f[o + Row.FORCE], f[o + Row.ACROSS] = one, two
        add_own(p, i[at + At.PORT], one)
        if i[at + At.PLANE] != NONE:
            add_own(p, i[at + At.PLANE], two)


@kernel(inner=True)
def guards(p, memory, mode, g, at):
    """LIMIT, END and, in a plane, AWAY of each face; returns the next free entry.

    Forces of stuck faces stand in their rows when there are any.
    """
    f, i = p
    for k in range(i[COUNT]):
        place, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        now = mode[i[place + At.MODE]]
        v, w = slip(p, k)
        g[at], g[at + 1] = inf, inf
        if now == Mode.STICK:
            held = sqrt(f[o + Row.FORCE] ** 2 + f[o + Row.ACROSS] ** 2)
            g[at] = f[o + Row.STATIC] * f[o + Row.NOW] * (1.0 + GIVES) - held
        else:
            a, b = start_of(p, k, memory)
            g[at + 1] = rigid_friction.end_margin(now, v, w, a, b, f[o + Row.SPEED])
        at += 2
        if i[place + At.PLANE] != NONE:
            g[at] = 2.0 * f[o + Row.SPEED] - sqrt(v * v + w * w) if now == Mode.START else inf
            at += 1
    return at


@kernel(inner=True)
def settle(p, memory, mode):
    """After a jump of the rates: a stuck face that moves slides, one that slides the other way turns."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        now = mode[i[at + At.MODE]]
        v, w = slip(p, k)
        if not rigid_friction.is_slow(now, v, w, p[0][i[ROWS] + Row.SIZE * k + Row.SPEED]):
            mode[i[at + At.MODE]] = rigid_friction.slip_mode(v, i[at + At.PLANE] != NONE)


@kernel(inner=True)
def narrow(p, memory, mode):
    """Only slip in one direction ends at a known rate; else the guards are asked in every step."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        now = mode[i[at + At.MODE]]
        if now == Mode.SLIP_POS:
            intersect(p, PortField.V_FROM, PortField.V_TO, i[at + At.PORT], 0.0, inf)
        elif now == Mode.SLIP_NEG:
            intersect(p, PortField.V_FROM, PortField.V_TO, i[at + At.PORT], -inf, 0.0)
        else:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PORT], inf, -inf)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        force[i[at + At.SLOT]] = f[o + Row.FORCE]
        if i[at + At.PLANE] != NONE:
            force[i[at + At.SLOT] + 1] = f[o + Row.ACROSS]


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    """Nothing is stored; a stuck face heats nothing."""
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        v, w = slip(p, k)
        sticks = mode[i[at + At.MODE]] == Mode.STICK
        stored[i[at + At.SLOT]] = 0.0
        heat[i[at + At.SLOT]] = 0.0 if sticks else max(f[o + Row.FORCE] * v, 0.0)
        if i[at + At.PLANE] != NONE:
            stored[i[at + At.SLOT] + 1] = 0.0
            heat[i[at + At.SLOT] + 1] = 0.0 if sticks else max(f[o + Row.ACROSS] * w, 0.0)


def close(system: System, u: np.ndarray, v: np.ndarray, mode: np.ndarray) -> None:
    """Every face that moves slides, the others stick."""
    for row, at in zip(*table_of(system, Kind.RIGID_FRICTION, Row, At), strict=True):
        if row[Row.LIMIT] == 0.0 and row[Row.FRICTION] == 0.0:
            continue
        rate = float(v[column(at[At.PORT])])
        plane = at[At.PLANE] != NONE
        speed = np.hypot(rate, v[column(at[At.PLANE])]) if plane else abs(rate)
        slides = speed > (row[Row.SPEED] if plane else STILL)
        mode[at[At.MODE]] = rigid_friction.slip_mode(rate, plane) if slides else Mode.STICK


def unload(system: System, mode: np.ndarray) -> None:
    """All without force, for the search of a rest at which they are unloaded."""
    rows, places_at = table_of(system, Kind.RIGID_FRICTION, Row, At)
    rows[:, [Row.LIMIT, Row.FRICTION]] = 0.0
    mode[places_at[:, At.MODE]] = np.where(places_at[:, At.PLANE] == NONE, Mode.SLIP_POS, Mode.START)


def smooth(law: RigidFriction, widths: Widths) -> SmoothFriction:
    if law.friction > 0.0:
        raise NoSmoothForm("its limit follows a normal load")
    if law.static_ratio != 1.0:
        raise NoSmoothForm("its static limit is above the kinetic one")
    return SmoothFriction(law.limit, needed(widths.speed, SPEED))


def along(law: RigidFriction, u: np.ndarray) -> np.ndarray:
    """Its constant part: against the way it is moved, nothing before it was moved at all."""
    way = np.sign(np.diff(u, prepend=u[0]))
    for k in range(1, len(way)):
        way[k] = way[k] or way[k - 1]
    return law.limit * way
