"""Unilateral stop with damping (bump stop): pushes, never pulls.

=========  ====================  ==========================================================
mode       force                 exits
=========  ====================  ==========================================================
FREE       0                     u = gap -> CONTACT
CONTACT    k (u - gap) + d v     force falls to 0 -> RELEASED, u falls to gap -> FREE
RELEASED   0                     u falls to gap -> FREE, k (u - gap) + d v rises to 0 -> CONTACT
=========  ====================  ==========================================================

The force reaches zero before the gap opens, because the damper pulls back: the boundary is a slanted line
in (u, v), not a side of a box. The pieces therefore carry the walls in u, and `push` is one guard more,
armed in CONTACT and RELEASED; its name in the transition table is FORCE. RELEASED is the time in which the
massless face of the stop still creeps back while the body has left it; without it the mode FREE would be
entered outside its own wall.

At first contact the force jumps by d v (a Kelvin-Voigt stop). In CONTACT the damper dissipates d v^2 >= 0;
at release the rest k (u - gap)^2 / 2 of the spring energy goes into the damper as well. An undamped stop
stores everything and leaves through its wall.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from math import inf, isfinite

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.piece import Piece


class Mode(IntEnum):
    FREE, CONTACT, RELEASED = range(3)


class Side(StrEnum):
    """Which deformations the stop limits."""

    HIGH = "high"
    LOW = "low"  # u, v and the force change their sign


class Exit(IntEnum):
    """The two walls of `piece.Wall` in use, with the same numbers, and the guard `push` behind them."""

    U_LOW = 0
    U_HIGH = 1
    FORCE = 4


EXITS = {
    Exit.U_LOW.name: "u falls to gap",
    Exit.U_HIGH.name: "u rises to gap",
    Exit.FORCE.name: "k (u - gap) + d v falls (CONTACT) or rises (RELEASED) to 0",
}

TRANSITIONS = (
    (Mode.FREE, Exit.U_HIGH.name, Mode.CONTACT),
    (Mode.CONTACT, Exit.FORCE.name, Mode.RELEASED),
    (Mode.CONTACT, Exit.U_LOW.name, Mode.FREE),
    (Mode.RELEASED, Exit.U_LOW.name, Mode.FREE),
    (Mode.RELEASED, Exit.FORCE.name, Mode.CONTACT),
)


@dataclass(frozen=True)
class Stop:
    gap: float  # deformation at first contact, counted towards its side [m]
    stiffness: float  # k [N/m]
    damping: float = 0.0  # d [N s/m]
    side: Side = Side.HIGH

    def __post_init__(self) -> None:
        if not isfinite(self.gap):
            raise InputError("gap", self.gap, "must be finite")
        if not (isfinite(self.stiffness) and self.stiffness > 0.0):
            raise InputError("stiffness", self.stiffness, "must be finite and positive")
        if not (isfinite(self.damping) and self.damping >= 0.0):
            raise InputError("damping", self.damping, "must be finite and not negative")
        if self.side not in list(Side):
            raise InputError("side", self.side, f"must be one of {', '.join(Side)}")


@kernel
def piece(mode, gap, stiffness, damping):
    if mode == Mode.FREE:
        return Piece(0.0, 0.0, 0.0, -inf, gap, -inf, inf)
    if mode == Mode.CONTACT:
        return Piece(-stiffness * gap, stiffness, damping, gap, inf, -inf, inf)
    return Piece(0.0, 0.0, 0.0, gap, inf, -inf, inf)


@kernel
def push(mode, u, v, gap, stiffness, damping):
    """Guard FORCE [N]: the force in CONTACT, what it lacks in RELEASED, inf in FREE and without a damper."""
    if mode == Mode.FREE or damping == 0.0:
        return inf
    force = stiffness * (u - gap) + damping * v
    return force if mode == Mode.CONTACT else -force


@kernel
def leave(mode, exit):
    if exit == Exit.U_LOW:
        return Mode.FREE
    if mode == Mode.CONTACT:
        return Mode.RELEASED
    return Mode.CONTACT


@kernel
def settle(mode, u, v, gap, stiffness, damping):
    """Mode after a jump of the rate: the sign of the force decides between CONTACT and RELEASED."""
    if mode == Mode.FREE:
        return Mode.FREE
    return Mode.CONTACT if stiffness * (u - gap) + damping * v >= 0.0 else Mode.RELEASED


@kernel
def mode_at(u, v, gap, stiffness, damping):
    """Mode that holds at (u, v); for start values."""
    if u < gap:
        return Mode.FREE
    return Mode.CONTACT if stiffness * (u - gap) + damping * v >= 0.0 else Mode.RELEASED


@kernel
def force(u, v, gap, stiffness, damping):
    """Mode-free form: max(0, k (u - gap) + d v) beyond the gap; what a run uses that ignores the corners."""
    return max(0.0, stiffness * (u - gap) + damping * v) if u > gap else 0.0


@kernel
def rate(u, v, force, gap, stiffness):
    """Force rate of the elastic part while the stop pushes; the damper adds d times the acceleration."""
    return stiffness * v if u > gap and force > 0.0 else 0.0


@kernel
def stored_energy(mode, u, gap, stiffness):
    """Energy of the spring while it pushes [J]; what is left of it at release goes into the damper."""
    return 0.5 * stiffness * (u - gap) ** 2 if mode == Mode.CONTACT else 0.0


@kernel
def dissipated_power(mode, v, damping):
    """Heat of the damper [W]."""
    return damping * v * v if mode == Mode.CONTACT else 0.0
