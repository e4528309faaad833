"""Viscous damper with a spring in series (Maxwell element), perhaps with a relief valve, in one direction or two.

    F = k (u - z),      dz/dt = F / (c + c_N N)                           while |F| is below `relief`, R
                        dz/dt = sign F (R / (c + c_N N) + (|F| - R) / c_R)     above it: the valve is open

z, the deformation of the damper, is a state of its own in each direction: the force depends on the whole past. N
is the normal load, the pressing force of another port; without one N = 0. Slowly moved it is a damper c + c_N N,
quickly a spring k; held at u it relaxes with exp(-k t / (c + c_N N)). It stores F^2 / 2k and heats by F dz/dt.
Without a valve there are no modes and no events; with one the corner of its rate is an event:

======  ======================  ========
mode    exit                    leads to
======  ======================  ========
CLOSED  RELIEF: |F| rises to R  OPEN
OPEN    RELIEF: |F| falls to R  CLOSED
======  ======================  ========
"""

from dataclasses import dataclass
from enum import IntEnum
from math import inf, isfinite

from klingel._errors import InputError
from klingel._jit import kernel


class Mode(IntEnum):
    CLOSED, OPEN = range(2)


@dataclass(frozen=True)
class SeriesDamper:
    stiffness: float  # k [N/m]
    damping: float  # c [N s/m]
    damping_per_load: float = 0.0  # c_N [s/m]
    relief: float = inf  # force at which the valve opens [N]
    relief_damping: float = 0.0  # c_R, of what exceeds it [N s/m]

    def __post_init__(self) -> None:
        for field in ("stiffness", "damping"):
            value = getattr(self, field)
            if not (isfinite(value) and value > 0.0):
                raise InputError(field, value, "must be finite and positive")
        if not (isfinite(self.damping_per_load) and self.damping_per_load >= 0.0):
            raise InputError("damping_per_load", self.damping_per_load, "must be finite and not negative")
        if not self.relief > 0.0:
            raise InputError("relief", self.relief, "must be positive, or inf for a damper without a valve")
        if isfinite(self.relief) and not (isfinite(self.relief_damping) and self.relief_damping > 0.0):
            raise InputError("relief_damping", self.relief_damping, "must be finite and positive with a relief")


@kernel
def force(u, z, stiffness):
    return stiffness * (u - z)


@kernel
def rate(force, load, damping, damping_per_load):
    """dz/dt with the valve closed [m/s]; a load that pulls does not press."""
    return force / (damping + damping_per_load * max(load, 0.0))


@kernel
def open_rate(force, load, damping, damping_per_load, relief, relief_damping):
    """dz/dt with the valve open [m/s]."""
    limit = relief if force > 0.0 else -relief
    return rate(limit, load, damping, damping_per_load) + (force - limit) / relief_damping


@kernel
def stored_energy(force, stiffness):
    """Energy of the spring [J]."""
    return 0.5 * force * force / stiffness
