"""Dampers with a spring in series: a state per direction, damping that may follow a load, relief valves."""

from enum import IntEnum
from math import inf, isfinite

from klingel._jit import kernel
from klingel.elements import series_damper
from klingel.elements.series_damper import Mode, SeriesDamper
from klingel.elements.smooth_widths import NoSmoothForm, Widths
from klingel.model.bodies.motion import force_at
from klingel.model.description import Element, force_unit
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.layout import Guard, Watch
from klingel.model.port_pieces import add_own, intersect, moved
from klingel.model.rows import Rows
from klingel.model.system import NONE, Head, PortField

ABOUT = About(
    SeriesDamper,
    {
        "stiffness": ("stiffness", "positive"),
        "damping": ("damping", "positive"),
        "damping_per_load": ("damping per load", "not negative"),
        "relief": ("force", "positive or infinite"),
        "relief_damping": ("damping", "not negative"),
    },
    Family.DAMPER,
    ports=(1, 2),
)
COUNT, ROWS, AT = places(Kind.SERIES_DAMPER, Head.KINDS)


class Row(IntEnum):
    """LOAD: scratch, the normal load of the last right-hand side."""

    STIFFNESS, DAMPING, PER_LOAD, RELIEF, RELIEF_DAMPING, LOAD = range(6)
    SIZE = 6


class At(IntEnum):
    """One row per direction; MODE is NONE without a valve."""

    PORT, LOAD, STATE, MODE, SLOT = range(5)
    SIZE = 5


def put(element: Element, rows: Rows) -> None:
    law: SeriesDamper = element.law
    floats = (law.stiffness, law.damping, law.damping_per_load, law.relief, law.relief_damping, 0.0)
    for n, direction in enumerate(element.directions):
        state = rows.state(element, (f"damper_{direction}",), "m")
        name = element.name if n == 0 else f"{element.name}.{direction}"
        mode = rows.mode(name, Mode, Mode.CLOSED) if isfinite(law.relief) else NONE
        at = (rows.curved_port(element, n), rows.load_port(element), state, mode, rows.slot(element) + n)
        rows.add(Kind.SERIES_DAMPER, name, floats, at)


def watched(element: Element, mode: int) -> tuple[Guard, ...]:
    """One per direction, `mode` is that of the first; none without a valve."""
    if not isfinite(element.law.relief):
        return ()
    return tuple(
        Guard(f"{element.name}.relief_{direction}", Watch.FORCE, force_unit(direction), element.name, mode + n)
        for n, direction in enumerate(element.directions)
    )


@kernel(inner=True)
def force_of(p, x, k):
    f, i = p
    at = i[AT] + At.SIZE * k
    u, _ = moved(p, i[at + At.PORT])
    return series_damper.force(u, x[i[at + At.STATE]], f[i[ROWS] + Row.SIZE * k + Row.STIFFNESS])


@kernel(inner=True)
def rate_of(p, k, mode, force):
    """dz/dt under the load of the last right-hand side."""
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    load, damping, per_load = f[o + Row.LOAD], f[o + Row.DAMPING], f[o + Row.PER_LOAD]
    if i[at + At.MODE] != NONE and mode[i[at + At.MODE]] == Mode.OPEN:
        return series_damper.open_rate(
            force, load, damping, per_load, f[o + Row.RELIEF], f[o + Row.RELIEF_DAMPING]
        )
    return series_damper.rate(force, load, damping, per_load)


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    """Forces on the ports and rates of the states; loads are read before the first of these forces is written."""
    f, i = p
    for k in range(i[COUNT]):
        port = i[i[AT] + At.SIZE * k + At.LOAD]
        load = 0.0 if port == NONE else force_at(f, i[Head.PORT_STATE] + port)
        f[i[ROWS] + Row.SIZE * k + Row.LOAD] = load
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        force = force_of(p, x, k)
        add_own(p, i[at + At.PORT], force)
        dx[i[at + At.STATE]] = rate_of(p, k, mode, force)


@kernel(inner=True)
def guards(p, x, memory, mode, g, at):
    """Distance of each valve to its corner [N]; returns the next free entry."""
    f, i = p
    for k in range(i[COUNT]):
        place = i[i[AT] + At.SIZE * k + At.MODE]
        if place != NONE:
            below = f[i[ROWS] + Row.SIZE * k + Row.RELIEF] - abs(force_of(p, x, k))
            g[at] = below if mode[place] == Mode.CLOSED else -below
            at += 1
    return at


@kernel(inner=True)
def act(p, memory, mode, fired, at):
    i = p[1]
    for k in range(i[COUNT]):
        place = i[i[AT] + At.SIZE * k + At.MODE]
        if place != NONE:
            if fired[at]:
                mode[place] = Mode.OPEN if mode[place] == Mode.CLOSED else Mode.CLOSED
            at += 1
    return at


@kernel(inner=True)
def narrow(p, memory, mode):
    """The force follows a state of its own: with a valve the guards are asked in every step."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if i[at + At.MODE] != NONE:
            intersect(p, PortField.U_FROM, PortField.U_TO, i[at + At.PORT], inf, -inf)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        force[i[i[AT] + At.SIZE * k + At.SLOT]] = force_of(p, x, k)


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        force = force_of(p, x, k)
        stored[i[at + At.SLOT]] = series_damper.stored_energy(force, f[o + Row.STIFFNESS])
        heat[i[at + At.SLOT]] = force * rate_of(p, k, mode, force)


def smooth(law: SeriesDamper, widths: Widths) -> SeriesDamper:
    if isfinite(law.relief):
        raise NoSmoothForm("it has a relief valve")
    return law
