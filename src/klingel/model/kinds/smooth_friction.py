"""Dry friction with its jump rounded: a curved law without modes, in one direction or in a plane."""

from enum import IntEnum

from klingel._jit import kernel
from klingel.elements import smooth_friction
from klingel.elements.smooth_friction import SmoothFriction
from klingel.model.description import Element
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.port_pieces import add_own, moved
from klingel.model.rows import Rows
from klingel.model.system import NONE, Head

ABOUT = About(
    SmoothFriction,
    {"limit": ("force", "not negative"), "rounding_speed": ("speed", "positive")},
    Family.FRICTION,
    ports=(1, 2),
    events=False,
)
COUNT, ROWS, AT = places(Kind.SMOOTH_FRICTION, Head.KINDS)


class Row(IntEnum):
    LIMIT, WIDTH = range(2)
    SIZE = 2


class At(IntEnum):
    """PLANE: the port of the second direction or NONE."""

    PORT, PLANE, SLOT = range(3)
    SIZE = 3


def put(element: Element, rows: Rows) -> None:
    law: SmoothFriction = element.law
    plane = rows.curved_port(element, 1) if len(element.directions) > 1 else NONE
    at = (rows.curved_port(element), plane, rows.slot(element))
    rows.add(Kind.SMOOTH_FRICTION, element.name, (law.limit, law.rounding_speed), at)


@kernel(inner=True)
def force_of(p, k):
    """Both components of the force, the second one zero where there is none, and the rates."""
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    _, v = moved(p, i[at + At.PORT])
    w = 0.0
    if i[at + At.PLANE] != NONE:
        _, w = moved(p, i[at + At.PLANE])
    per_speed = smooth_friction.per_speed(v, w, f[o + Row.LIMIT], f[o + Row.WIDTH])
    return per_speed * v, per_speed * w, v, w


@kernel(inner=True)
def forces(p, x, memory, mode, dx):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        one, two, _, _ = force_of(p, k)
        add_own(p, i[at + At.PORT], one)
        if i[at + At.PLANE] != NONE:
            add_own(p, i[at + At.PLANE], two)


@kernel(inner=True)
def report(p, x, memory, mode, force):
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        one, two, _, _ = force_of(p, k)
        force[i[at + At.SLOT]] = one
        if i[at + At.PLANE] != NONE:
            force[i[at + At.SLOT] + 1] = two


@kernel(inner=True)
def energy(p, x, memory, mode, stored, heat):
    """Of the whole face, in the column of its first direction."""
    i = p[1]
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        one, two, v, w = force_of(p, k)
        stored[i[at + At.SLOT]], heat[i[at + At.SLOT]] = 0.0, one * v + two * w
        if i[at + At.PLANE] != NONE:
            stored[i[at + At.SLOT] + 1], heat[i[at + At.SLOT] + 1] = 0.0, 0.0
