"""Several contact patches of one wheel reduced to one equivalent patch.

Sauvage and Pascal (1990, 1991) replace the patches of a wheel by one, so that a creep-force law has to be
asked once. Their papers were not at hand; the reduction here is the one that keeps what mechanics can ask
for, with delta the contact angle, N the normal force, q the approach and p the position in the plane of the
axle:

    force      N_e (-sin delta_e, cos delta_e) = sum N_i (-sin delta_i, cos delta_i)
    moment     p_e x F_e = sum p_i x F_i, with p_e at the load-weighted mean along the force
    energy     N_e q_e = sum N_i q_i (a Hertz contact stores 2/5 N q)
    area       a_e b_e = sum a_i b_i
    shape      ln(a_e / b_e) = sum N_i ln(a_i / b_i) / sum N_i

It is exact for one patch, does not depend on the order, and a patch that loses its load leaves no trace in
force, moment and energy. What it cannot keep is the different creepage of distant patches: the spin moment of
two-point contact is lost. Keep the patches apart where that matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, exp, hypot, log, pi, sin, sqrt

from klingel._errors import InputError


@dataclass(frozen=True)
class ContactPatch:
    """An elliptic patch on the left wheel; a right one has y and angle with the other sign."""

    y: float  # lateral position [m]
    z: float  # vertical position, up [m]
    angle: float  # delta, of the contact plane [rad]
    load: float  # normal force N [N]
    approach: float  # q [m]
    a: float  # semi-axis in the rolling direction [m]
    b: float  # semi-axis across [m]

    @property
    def area(self) -> float:
        return pi * self.a * self.b


def equivalent_patch(patches: Sequence[ContactPatch]) -> ContactPatch:
    """One patch for several; patches without load are left out."""
    loaded = [patch for patch in patches if patch.load > 0.0]
    if not loaded:
        raise InputError("patches", len(patches), "must hold at least one with a load")
    across = sum(-p.load * sin(p.angle) for p in loaded)
    up = sum(p.load * cos(p.angle) for p in loaded)
    moment = sum(p.load * (p.y * cos(p.angle) + p.z * sin(p.angle)) for p in loaded)
    force, total = hypot(across, up), sum(p.load for p in loaded)
    y, z = (sum(p.load * getattr(p, name) for p in loaded) / total for name in ("y", "z"))
    # along the contact plane to the line of action
    way = (moment - (y * up - z * across)) / force
    y, z = y + way * up / force, z - way * across / force
    product = sum(p.a * p.b for p in loaded)
    ratio = exp(sum(p.load * log(p.a / p.b) for p in loaded) / total)
    return ContactPatch(
        y,
        z,
        atan2(-across, up),
        force,
        sum(p.load * p.approach for p in loaded) / force,
        sqrt(product * ratio),
        sqrt(product / ratio),
    )
