"""Viscous damper with a spring in series (Maxwell element), in one direction or in a plane.

    F = k (u - z),      dz/dt = F / (c + c_N N)

z, the deformation of the damper, is a state of its own in each direction: the force depends on the whole past. N
is the normal load, the pressing force of another port; without one N = 0. Slowly moved it is a damper c + c_N N,
quickly a spring k; held at u it relaxes with exp(-k t / (c + c_N N)). It stores F^2 / 2k and heats by
F^2 / (c + c_N N). No modes, no events.
"""

from dataclasses import dataclass
from math import isfinite

from klingel._errors import InputError
from klingel._jit import kernel


@dataclass(frozen=True)
class SeriesDamper:
    stiffness: float  # k [N/m]
    damping: float  # c [N s/m]
    damping_per_load: float = 0.0  # c_N [s/m]

    def __post_init__(self) -> None:
        for field in ("stiffness", "damping"):
            value = getattr(self, field)
            if not (isfinite(value) and value > 0.0):
                raise InputError(field, value, "must be finite and positive")
        if not (isfinite(self.damping_per_load) and self.damping_per_load >= 0.0):
            raise InputError("damping_per_load", self.damping_per_load, "must be finite and not negative")


@kernel
def force(u, z, stiffness):
    return stiffness * (u - z)


@kernel
def rate(force, load, damping, damping_per_load):
    """dz/dt [m/s]; a load that pulls does not press."""
    return force / (damping + damping_per_load * max(load, 0.0))


@kernel
def stored_energy(force, stiffness):
    """Energy of the spring [J]."""
    return 0.5 * force * force / stiffness


@kernel
def dissipated_power(force, load, damping, damping_per_load):
    """Heat of the damper [W]."""
    return force * rate(force, load, damping, damping_per_load)
