"""Dampers with a spring in series: a state of their own per direction, a damping that may follow a normal load."""

from enum import IntEnum

from klingel._jit import kernel
from klingel.elements import series_damper
from klingel.elements.series_damper import SeriesDamper
from klingel.model.bodies.motion import force_at
from klingel.model.description import Element
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.port_pieces import add_own, moved
from klingel.model.rows import Rows
from klingel.model.system import NONE, Head

ABOUT = About(
    SeriesDamper,
    {
        "stiffness": ("stiffness", "positive"),
        "damping": ("damping", "positive"),
        "damping_per_load": ("damping per load", "not negative"),
    },
    Family.DAMPER,
    ports=(1, 2),
    events=False,
)
COUNT, ROWS, AT = places(Kind.SERIES_DAMPER, Head.KINDS)


class Row(IntEnum):
    STIFFNESS, DAMPING, PER_LOAD, LOAD = range(4)  # LOAD: scratch, the normal load of the last right-hand side
    SIZE = 4


class At(IntEnum):
    """One row per direction."""

    PORT, LOAD, STATE, SLOT = range(4)
    SIZE = 4


def put(element: Element, rows: Rows) -> None:
    law: SeriesDamper = element.law
    for n, direction in enumerate(element.directions):
        state = rows.state(element, (f"damper_{direction}",), "m")
        at = (rows.curved_port(element, n), rows.load_port(element), state, rows.slot(element) + n)
        name = element.name if n == 0 else f"{element.name}.{direction}"
        rows.add(Kind.SERIES_DAMPER, name, (law.stiffness, law.damping, law.damping_per_load, 0.0), at)


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    """Forces on the ports and rates of the states; loads are read before the first of these forces is written."""
    f, i = p
    for k in range(i[COUNT]):
        port = i[i[AT] + At.SIZE * k + At.LOAD]
        load = 0.0 if port == NONE else force_at(f, i[Head.PORT_STATE] + port)
        f[i[ROWS] + Row.SIZE * k + Row.LOAD] = load
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        u, _ = moved(p, i[at + At.PORT])
        force = series_damper.force(u, x[i[at + At.STATE]], f[o + Row.STIFFNESS])
        add_own(p, i[at + At.PORT], force)
        dx[i[at + At.STATE]] = series_damper.rate(force, f[o + Row.LOAD], f[o + Row.DAMPING], f[o + Row.PER_LOAD])


@kernel(inner=True)
def report(p, x, memory, mode, force):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        u, _ = moved(p, i[at + At.PORT])
        force[i[at + At.SLOT]] = series_damper.force(u, x[i[at + At.STATE]], f[o + Row.STIFFNESS])


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        u, _ = moved(p, i[at + At.PORT])
        force = series_damper.force(u, x[i[at + At.STATE]], f[o + Row.STIFFNESS])
        load = f[o + Row.LOAD]
        stored[i[at + At.SLOT]] = series_damper.stored_energy(force, f[o + Row.STIFFNESS])
        heat[i[at + At.SLOT]] = series_damper.dissipated_power(
            force, load, f[o + Row.DAMPING], f[o + Row.PER_LOAD]
        )
