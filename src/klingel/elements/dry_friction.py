"""Elastic dry friction (stick-slip): a Coulomb slider with a spring in series (link joint, suspension bracket).

=========  ==============  =====================================  =======================
mode       force           walls                                  memory
=========  ==============  =====================================  =======================
STICK      k (u - anchor)  u = anchor + T/k -> SLIP_POS,          anchor is kept
                           u = anchor - T/k -> SLIP_NEG
SLIP_POS   +T              v falls to 0 -> STICK                  anchor = u - T/k
SLIP_NEG   -T              v rises to 0 -> STICK                  anchor = u + T/k
=========  ==============  =====================================  =======================

`anchor`, the memory, is the deformation at which the stuck spring is unloaded. The force is continuous at
every wall and positive when it resists positive u; Hoffmann's T has the opposite sign. Every mode change of
the differential form (`rate`) is one of these walls, so nothing has to be integrated.

Source: Hoffmann, Dynamics of European two-axle freight wagons (2006), equations 1.2, 2.35, B.2, figures 1.7
and 2.56; consistency after an impact: algorithms 1 and 3.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import inf, isfinite

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.piece import Piece, Wall

# a slider that sticks again stands on its own wall: its anchor is set this much (relative) inside, or
# rounding of anchor + T/k could put the wall on the wrong side of u
INSIDE = 1e-15


class Mode(IntEnum):
    STICK, SLIP_POS, SLIP_NEG = range(3)


EXITS = {
    Wall.U_LOW.name: "u falls to anchor - T/k",
    Wall.U_HIGH.name: "u rises to anchor + T/k",
    Wall.V_LOW.name: "v falls to 0",
    Wall.V_HIGH.name: "v rises to 0",
}

TRANSITIONS = (
    (Mode.STICK, Wall.U_HIGH.name, Mode.SLIP_POS),
    (Mode.STICK, Wall.U_LOW.name, Mode.SLIP_NEG),
    (Mode.SLIP_POS, Wall.V_LOW.name, Mode.STICK),
    (Mode.SLIP_NEG, Wall.V_HIGH.name, Mode.STICK),
)


@dataclass(frozen=True)
class DryFriction:
    stiffness: float  # k [N/m]
    limit: float  # T [N]

    def __post_init__(self) -> None:
        for field in ("stiffness", "limit"):
            value = getattr(self, field)
            if not (isfinite(value) and value > 0.0):
                raise InputError(field, value, "must be finite and positive")


@kernel
def piece(mode, anchor, stiffness, limit):
    if mode == Mode.STICK:
        reach = limit / stiffness
        return Piece(-stiffness * anchor, stiffness, 0.0, anchor - reach, anchor + reach, -inf, inf)
    if mode == Mode.SLIP_POS:
        return Piece(limit, 0.0, 0.0, -inf, inf, 0.0, inf)
    return Piece(-limit, 0.0, 0.0, -inf, inf, -inf, 0.0)


@kernel
def leave(mode, wall, u, v, anchor, stiffness, limit):
    """Next mode and its memory; the force is continuous."""
    if mode == Mode.STICK:
        return (Mode.SLIP_POS if wall == Wall.U_HIGH else Mode.SLIP_NEG), anchor
    reach = limit / stiffness
    inside = INSIDE * (abs(u) + reach)
    if mode == Mode.SLIP_POS:
        return Mode.STICK, u - reach + inside
    return Mode.STICK, u + reach - inside


@kernel
def settle(mode, u, v, anchor, stiffness, limit):
    """Mode and memory after a jump of the rate: a slider whose rate has changed sign sticks."""
    if mode == Mode.SLIP_POS:
        if v < 0.0:
            return leave(mode, Wall.V_LOW, u, v, anchor, stiffness, limit)
        return Mode.SLIP_POS, anchor
    if mode == Mode.SLIP_NEG:
        if v > 0.0:
            return leave(mode, Wall.V_HIGH, u, v, anchor, stiffness, limit)
        return Mode.SLIP_NEG, anchor
    return Mode.STICK, anchor


@kernel
def force(mode, u, anchor, stiffness, limit):
    if mode == Mode.STICK:
        return stiffness * (u - anchor)
    return limit if mode == Mode.SLIP_POS else -limit


@kernel
def anchor_for(force, u, stiffness):
    """Memory of a stuck slider that carries `force` at the deformation `u`."""
    return u - force / stiffness


@kernel
def rate(u, v, force, stiffness, limit):
    """Differential form (2.35): the force rate, sliding decided from force and v."""
    if (force >= limit and v > 0.0) or (force <= -limit and v < 0.0):
        return 0.0
    return stiffness * v


@kernel
def stored_energy(force, stiffness):
    """Energy of the spring in series [J]."""
    return 0.5 * force * force / stiffness


@kernel
def dissipated_power(mode, v, limit):
    """Heat produced in the slider [W], never negative."""
    return 0.0 if mode == Mode.STICK else limit * abs(v)
