"""Linear spring with a viscous damper in parallel: force = preload + k u + d v. One mode, no walls."""

from dataclasses import dataclass
from math import inf, isfinite

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.piece import Piece

# words for a preload
FOUND = "found"
FREE_LENGTH = "free length"  # none: gravity places what it carries


@dataclass(frozen=True)
class Spring:
    stiffness: float  # k [N/m]
    damping: float = 0.0  # d [N s/m]
    preload: float | None = None  # force at u = v = 0 [N]; None: found, what balances the vehicle as it is drawn

    def __post_init__(self) -> None:
        for field in ("stiffness", "damping"):
            value = getattr(self, field)
            if not (isfinite(value) and value >= 0.0):
                raise InputError(field, value, "must be finite and not negative")
        if self.preload is not None and not isfinite(self.preload):
            raise InputError("preload", self.preload, "must be finite")


@kernel
def piece(stiffness, damping, preload):
    return Piece(preload, stiffness, damping, -inf, inf, -inf, inf)


@kernel
def rate(u, v, force, stiffness):
    """Force rate of the elastic part; the damper adds d times the acceleration."""
    return stiffness * v


@kernel
def stored_energy(u, stiffness, preload):
    """Potential of the elastic part, zero at u = 0 [J]; the damper dissipates d v^2."""
    return (preload + 0.5 * stiffness * u) * u


@kernel
def dissipated_power(v, damping):
    """Heat of the damper [W]."""
    return damping * v * v
