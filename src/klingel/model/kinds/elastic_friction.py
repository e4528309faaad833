"""Faces with friction and contact stiffness: anchors as states of their own; loads are in `friction_loads`."""

from math import inf, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.elements import elastic_friction
from klingel.elements.elastic_friction import ElasticFriction, Mode
from klingel.elements.friction_limit import kinetic_limit
from klingel.model.bodies.motion import PORT_ROW
from klingel.model.description import Element, force_unit, unit_of
from klingel.model.kinds.friction_loads import (
    AT,
    COUNT,
    ROWS,
    At,
    Row,
    is_curved,
    limit_of,
)
from klingel.model.kinds.friction_path import hold as hold
from klingel.model.kinds.friction_path import secant as secant
from klingel.model.kinds.registry import About, Family, Kind, module
from klingel.model.layout import Guard, Watch
from klingel.model.port_pieces import add_own, column, field, intersect, moved
from klingel.model.rows import Rows, table_of
from klingel.model.system import NONE, Head, PortField, System
from klingel.model.tables import Tables

ABOUT = About(
    ElasticFriction,
    {
        "stiffness": ("stiffness", "positive"),
        "limit": ("force", "not negative"),
        "friction": ("number", "not negative"),
        "load_factor": ("number", "positive"),
        "static_ratio": ("number", "positive"),
    },
    Family.FRICTION,
    ports=(1, 2),
    per_load="friction",
)
GUARDS = 2
INSIDE = 2e-6  # a face that sticks again stands at its limit, inside by more than guards of forces tell apart [N]


def put(element: Element, rows: Rows) -> None:
    law: ElasticFriction = element.law
    plane = len(element.directions) > 1
    mode = rows.mode(element.name, Mode, Mode.STICK)
    names = [f"anchor_{direction}" for direction in element.directions]
    state = rows.state(element, names, unit_of(element.direction))
    ports = (rows.curved_port(element), rows.curved_port(element, 1) if plane else NONE, rows.load_port(element))
    floats = (law.stiffness, law.limit, law.friction * law.load_factor, law.static_ratio, *[0.0] * 4)
    rows.add(Kind.ELASTIC_FRICTION, element.name, floats, (*ports, 0, mode, state, rows.slot(element)))


def finish(rows: Rows, tables: Tables) -> None:
    """Which loads come from laws that are not affine; friction on a load port is no part of the load."""
    others = [k for k in Kind if hasattr(module(k), "forces") and not module(k).ABOUT.per_load]
    curved = {at[module(kind).At.PORT] for kind in others for at in rows.ints[kind]}
    for at in rows.ints[Kind.ELASTIC_FRICTION]:
        at[At.CURVED] = int(at[At.LOAD] in curved)


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    rate = f"{unit_of(element.direction)}/s"
    kinds = (("limit", Watch.FORCE, force_unit(element.direction)), ("end", Watch.RATE, rate))
    return tuple(Guard(f"{element.name}.{n}", watch, unit, element.name, mode) for n, watch, unit in kinds)


@kernel(inner=True)
def seen(p, x, k):
    """u - z and the rate in both directions; the second ones are zero where it has none."""
    i = p[1]
    at = i[AT] + At.SIZE * k
    u, v = moved(p, i[at + At.PORT])
    b, w = 0.0, 0.0
    if i[at + At.PLANE] != NONE:
        b, w = moved(p, i[at + At.PLANE])
        b -= x[i[at + At.STATE] + 1]
    return u - x[i[at + At.STATE]], b, v, w


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    """Forces on the ports and rates of the anchors. A face without any limit follows: rest is sought unloaded."""
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        now, stiffness = mode[i[at + At.MODE]], f[o + Row.STIFFNESS]
        limit = kinetic_limit(f[o + Row.LOAD], f[o + Row.LIMIT], f[o + Row.FRICTION])
        a, b, v, w = seen(p, x, k)
        one, two = elastic_friction.force(now, a, b, stiffness, limit)
        y, z = elastic_friction.anchor_rate(now, a, b, v, w, stiffness, limit)
        if f[o + Row.LIMIT] == 0.0 and f[o + Row.FRICTION] == 0.0:
            one, two, y, z = 0.0, 0.0, a, b
        add_own(p, i[at + At.PORT], one)
        dx[i[at + At.STATE]], f[o + Row.ANCHOR] = y, x[i[at + At.STATE]]
        if i[at + At.PLANE] != NONE:
            add_own(p, i[at + At.PLANE], two)
            dx[i[at + At.STATE] + 1], f[o + Row.ACROSS] = z, x[i[at + At.STATE] + 1]


@kernel(inner=True)
def guards(p, x, memory, mode, g, at):
    """LIMIT and END of each face; returns the next free entry."""
    f, i = p
    for k in range(i[COUNT]):
        o = i[ROWS] + Row.SIZE * k
        a, b, v, w = seen(p, x, k)
        limit, rate = limit_of(p, k)
        g[at], g[at + 1] = inf, inf
        if mode[i[i[AT] + At.SIZE * k + At.MODE]] == Mode.STICK:
            g[at] = f[o + Row.STATIC] * limit - f[o + Row.STIFFNESS] * sqrt(a * a + b * b)
        else:
            g[at + 1] = elastic_friction.slip_speed(a, b, v, w, f[o + Row.STIFFNESS], rate)
        at += GUARDS
    return at


@kernel(inner=True)
def act(p, x, memory, mode, fired, at):
    """Faces give way, or stick where the force they have put them."""
    f, i = p
    for k in range(i[COUNT]):
        place, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        if fired[at]:
            mode[i[place + At.MODE]] = Mode.SLIP
        elif fired[at + 1]:
            a, b, _, _ = seen(p, x, k)
            one, two = elastic_friction.direction(a, b)
            limit, _ = limit_of(p, k)
            reach = max(limit - INSIDE, 0.0) / f[o + Row.STIFFNESS]
            mode[i[place + At.MODE]] = Mode.STICK
            x[i[place + At.STATE]] += a - one * reach
            if i[place + At.PLANE] != NONE:
                x[i[place + At.STATE] + 1] += b - two * reach
        at += GUARDS
    return at


@kernel(inner=True)
def narrow(p, memory, mode):
    """How far a stuck face may move before its force, and its load before the limit, takes a part of what is left.

    Half of it is for the force; the other half for the load, shared by its spring and its damper. While a face
    slides, and where the load is curved, the guards are asked in every step.
    """
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        port, plane = i[at + At.PORT], i[at + At.PLANE] != NONE
        load = i[at + At.LOAD]
        u, _ = moved(p, port)
        a, b, w = u - f[o + Row.ANCHOR], 0.0, 0.0
        if plane:
            w, _ = moved(p, i[at + At.PLANE])
            b = w - f[o + Row.ACROSS]
        limit, _ = limit_of(p, k)
        left = f[o + Row.STATIC] * limit - f[o + Row.STIFFNESS] * sqrt(a * a + b * b)
        seen_there = load == NONE or load < PORT_ROW * i[Head.SCAN_ROWS]
        if mode[i[at + At.MODE]] != Mode.STICK or is_curved(p, k) or left <= 0.0 or not seen_there:
            intersect(p, PortField.U_FROM, PortField.U_TO, port, inf, -inf)
            continue
        width = 0.5 * left / f[o + Row.STIFFNESS] * (0.7 if plane else 1.0)
        intersect(p, PortField.U_FROM, PortField.U_TO, port, u - width, u + width)
        if plane:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PLANE], w - width, w + width)
        if load != NONE:
            follows = f[o + Row.STATIC] * f[o + Row.FRICTION]
            slope = follows * abs(f[field(p, PortField.SLOPE) + load])
            damping = follows * abs(f[field(p, PortField.DAMPING) + load])
            share = 0.25 * left if damping > 0.0 else 0.5 * left
            u, v = moved(p, load)
            width = share / max(slope, 1e-300)
            intersect(p, PortField.U_FROM, PortField.U_TO, load, u - width, u + width)
            width = share / max(damping, 1e-300)
            intersect(p, PortField.V_FROM, PortField.V_TO, load, v - width, v + width)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        a, b, _, _ = seen(p, x, k)
        limit = kinetic_limit(f[o + Row.LOAD], f[o + Row.LIMIT], f[o + Row.FRICTION])
        one, two = elastic_friction.force(mode[i[at + At.MODE]], a, b, f[o + Row.STIFFNESS], limit)
        force[i[at + At.SLOT]] = one
        if i[at + At.PLANE] != NONE:
            force[i[at + At.SLOT] + 1] = two


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    """Of the whole face, in the column of its first direction."""
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        a, b, v, w = seen(p, x, k)
        limit, rate = limit_of(p, k)
        now, stiffness = mode[i[at + At.MODE]], f[o + Row.STIFFNESS]
        one, two = elastic_friction.force(now, a, b, stiffness, limit)
        speed = 0.0 if now == Mode.STICK else elastic_friction.slip_speed(a, b, v, w, stiffness, rate)
        stored[i[at + At.SLOT]] = 0.5 * (one * one + two * two) / stiffness
        heat[i[at + At.SLOT]] = limit * max(speed, 0.0)
        if i[at + At.PLANE] != NONE:
            stored[i[at + At.SLOT] + 1], heat[i[at + At.SLOT] + 1] = 0.0, 0.0


def unwind(system: System, u: np.ndarray, x: np.ndarray) -> None:
    """Anchors where they carry nothing."""
    for at in table_of(system, Kind.ELASTIC_FRICTION, Row, At)[1]:
        for n, port in enumerate(p for p in (at[At.PORT], at[At.PLANE]) if p != NONE):
            x[at[At.STATE] + n] = u[column(port)]


def unload(system: System, mode: np.ndarray) -> None:
    """All without force, anchors following, for the search of a rest at which they are unloaded."""
    rows, places_at = table_of(system, Kind.ELASTIC_FRICTION, Row, At)
    rows[:, [Row.LIMIT, Row.FRICTION]] = 0.0
    mode[places_at[:, At.MODE]] = Mode.SLIP


def along(law: ElasticFriction, u: np.ndarray) -> np.ndarray:
    """With the constant part of its limit, from an unloaded spring at the beginning of the path."""
    reach, anchor, force = law.limit / law.stiffness, float(u[0]), np.empty_like(u)
    for k, here in enumerate(u.tolist()):
        if abs(here - anchor) > law.static_ratio * reach:
            anchor = here - np.sign(here - anchor) * reach
        force[k] = law.stiffness * (here - anchor)
    return force


def reach(law: ElasticFriction) -> list[float]:
    return [3.0 * law.limit / law.stiffness] if law.limit > 0.0 else []
