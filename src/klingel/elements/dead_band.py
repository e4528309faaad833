"""Spring with a dead band: suspension bracket, lateral guidance, bump stop.

========  ==================  =========================================
mode      force               walls
========  ==================  =========================================
FREE      0                   u = gap_high -> UPPER, u = gap_low -> LOWER
UPPER     k (u - gap_high)    u falls to gap_high -> FREE
LOWER     k (u - gap_low)     u rises to gap_low -> FREE
========  ==================  =========================================

One-sided guides have one gap infinite. No memory and no damping: with damping the force would jump at the gap
and pull on release; a damped stop is its own element (`stop`), which ends where its *force* reaches zero.

Source: Hoffmann (2006), equations 1.3, 2.36, 2.39, 2.40, B.3, figures 1.8 and 2.57.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import inf, isfinite

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.piece import Piece, Wall


class Mode(IntEnum):
    FREE, UPPER, LOWER = range(3)


EXITS = {
    Wall.U_LOW.name: "u falls to gap_low (FREE), to gap_high (UPPER)",
    Wall.U_HIGH.name: "u rises to gap_high (FREE), to gap_low (LOWER)",
}

TRANSITIONS = (
    (Mode.FREE, Wall.U_HIGH.name, Mode.UPPER),
    (Mode.FREE, Wall.U_LOW.name, Mode.LOWER),
    (Mode.UPPER, Wall.U_LOW.name, Mode.FREE),
    (Mode.LOWER, Wall.U_HIGH.name, Mode.FREE),
)


@dataclass(frozen=True)
class DeadBand:
    gap_low: float  # lower end of the free play [m], may be -inf
    gap_high: float  # upper end of the free play [m], may be +inf
    stiffness: float  # k [N/m]

    def __post_init__(self) -> None:
        if not (isfinite(self.stiffness) and self.stiffness >= 0.0):
            raise InputError("stiffness", self.stiffness, "must be finite and not negative")
        if not self.gap_low < self.gap_high:
            raise InputError("gap_high", self.gap_high, f"must lie above gap_low = {self.gap_low}")


@kernel
def piece(mode, gap_low, gap_high, stiffness):
    if mode == Mode.FREE:
        return Piece(0.0, 0.0, 0.0, gap_low, gap_high, -inf, inf)
    if mode == Mode.UPPER:
        return Piece(-stiffness * gap_high, stiffness, 0.0, gap_high, inf, -inf, inf)
    return Piece(-stiffness * gap_low, stiffness, 0.0, -inf, gap_low, -inf, inf)


@kernel
def leave(mode, wall):
    if mode == Mode.FREE:
        return Mode.UPPER if wall == Wall.U_HIGH else Mode.LOWER
    return Mode.FREE


@kernel
def mode_at(u, gap_low, gap_high):
    """Mode that holds at the deformation `u`; for start values."""
    if u > gap_high:
        return Mode.UPPER
    return Mode.LOWER if u < gap_low else Mode.FREE


@kernel
def rate(u, v, force, gap_low, gap_high, stiffness):
    """Differential form: the force rate, contact decided from u."""
    return stiffness * v if u > gap_high or u < gap_low else 0.0


@kernel
def stored_energy(force, stiffness):
    """Energy of the spring [J]; nothing is dissipated."""
    return 0.5 * force * force / stiffness if stiffness > 0.0 else 0.0
