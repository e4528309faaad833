"""Faces with friction and contact stiffness: anchors as states of their own, limits that may follow a normal load.

The end of slip needs the rate of the load. Where the load port has springs and gaps only it is stiffness times
rate; where a damper or a curved law presses it depends on accelerations, and `assembly` differentiates the load
along the motion (`is_probed`).
"""

from enum import IntEnum
from math import inf, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.elements import elastic_friction
from klingel.elements.elastic_friction import ElasticFriction, Mode
from klingel.elements.friction_limit import kinetic_limit
from klingel.model.bodies.motion import LANES, force_at
from klingel.model.description import Element, force_unit, unit_of
from klingel.model.kinds.registry import About, Family, Kind, module, places
from klingel.model.layout import Guard, Watch
from klingel.model.port_pieces import add_own, column, intersect, moved
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
COUNT, ROWS, AT = places(Kind.ELASTIC_FRICTION, Head.KINDS)
GUARDS = 2
INSIDE = 2e-6  # a face that sticks again stands at its limit, inside by more than guards of forces tell apart [N]


class Row(IntEnum):
    """LOAD and LOAD_RATE: scratch, of the last right-hand side and of the last differentiation."""

    STIFFNESS, LIMIT, FRICTION, STATIC, LOAD, LOAD_RATE = range(6)
    SIZE = 6


class At(IntEnum):
    """PLANE: the port of the second direction or NONE; CURVED: 1 where a law that is not affine presses."""

    PORT, PLANE, LOAD, CURVED, MODE, STATE, SLOT = range(7)
    SIZE = 7


def put(element: Element, rows: Rows) -> None:
    law: ElasticFriction = element.law
    plane = len(element.directions) > 1
    mode = rows.mode(element.name, Mode, Mode.STICK)
    names = [f"anchor_{direction}" for direction in element.directions]
    state = rows.state(element, names, unit_of(element.direction))
    ports = (rows.curved_port(element), rows.curved_port(element, 1) if plane else NONE, rows.load_port(element))
    floats = (law.stiffness, law.limit, law.friction * law.load_factor, law.static_ratio, 0.0, 0.0)
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
def is_probed(p, k):
    """Whether the rate of its load depends on more than deformations and their rates."""
    f, i = p
    at = i[AT] + At.SIZE * k
    port = i[at + At.LOAD]
    if port == NONE:
        return False
    return i[at + At.CURVED] > 0 or f[i[Head.PORT_STATE] + LANES * PortField.DAMPING + port] != 0.0


@kernel(inner=True)
def count_probed(p):
    count = 0.0
    for k in range(p[1][COUNT]):
        if is_probed(p, k):
            count += 1.0
    return count


@kernel(inner=True)
def load_of(p, k):
    """Force of the laws that press, without friction.

    Curved laws are read before friction adds to the same port.
    """
    f, i = p
    at = i[AT] + At.SIZE * k
    if i[at + At.LOAD] == NONE:
        return 0.0
    o = i[Head.PORT_STATE] + i[at + At.LOAD]
    load = force_at(f, o)
    return load if i[at + At.CURVED] > 0 else load - f[o + LANES * PortField.OWN]


@kernel(inner=True)
def read_loads(p):
    f, i = p
    for k in range(i[COUNT]):
        f[i[ROWS] + Row.SIZE * k + Row.LOAD] = load_of(p, k)


@kernel(inner=True)
def note_rates(p, part):
    """Add a part of the loads just read to their rates; a part of zero begins them anew."""
    f, i = p
    for k in range(i[COUNT]):
        o = i[ROWS] + Row.SIZE * k
        if part == 0.0:
            f[o + Row.LOAD_RATE] = 0.0
        else:
            f[o + Row.LOAD_RATE] += part * f[o + Row.LOAD]


@kernel(inner=True)
def limit_of(p, k):
    """Kinetic limit and its rate at the deformations in the scratch."""
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    if i[at + At.LOAD] == NONE:
        return f[o + Row.LIMIT], 0.0
    if is_probed(p, k):
        load, rate = f[o + Row.LOAD], f[o + Row.LOAD_RATE]
    else:
        _, v = moved(p, i[at + At.LOAD])
        load, rate = load_of(p, k), f[i[Head.PORT_STATE] + LANES * PortField.SLOPE + i[at + At.LOAD]] * v
    if load <= 0.0:
        rate = 0.0
    return kinetic_limit(load, f[o + Row.LIMIT], f[o + Row.FRICTION]), f[o + Row.FRICTION] * rate


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
        dx[i[at + At.STATE]] = y
        if i[at + At.PLANE] != NONE:
            add_own(p, i[at + At.PLANE], two)
            dx[i[at + At.STATE] + 1] = z


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
    """Limits and slip speeds follow loads and anchors: the guards are asked in every step."""
    i = p[1]
    for k in range(i[COUNT]):
        intersect(p, PortField.U_FROM, PortField.U_TO, i[i[AT] + At.SIZE * k + At.PORT], inf, -inf)


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


def hold(law: ElasticFriction, u: float, load: float) -> tuple[float, float]:
    limit = law.static_ratio * kinetic_limit(load, law.limit, law.friction * law.load_factor)
    return -limit, limit


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


def secant(law: ElasticFriction, amplitude: float) -> float:
    """Stiffness of a motion to and fro, for estimates [N/m]."""
    return law.limit / amplitude
