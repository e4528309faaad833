"""Conical wheelset on two knife-edge rails: linear kinematics, creep forces by Vermeulen and Johnson.

The classical contact of stability theory. With lateral displacement y, yaw, speed V, conicity lambda, rolling
radius r0 and half the distance a of the contact points, the right wheel slips by

    xi_x = a yaw' / V + lambda y / r0          the left one by -xi_x
    xi_y = y' / V - yaw                        both

and each wheel carries a force of size F_R against its slip, with a constant normal load in its limit mu N,

    xi_R = sqrt((xi_x / psi)^2 + (xi_y / phi)^2)      u = G pi a_e b_e xi_R / (mu N)
    F_R / (mu N) = u - u^2 / 3 + u^3 / 27  for u < 3, else 1
    F_x = xi_x / psi F_R / xi_R,     F_y = xi_y / phi F_R / xi_R

so the wheelset feels the lateral force -2 F_y and the yaw moment -2 a F_x. F_R / xi_R is evaluated as G pi a_e b_e
times the saturation factor, which needs no division at the origin. There is one mode: no spin creepage, no gravity
stiffness, no flange. The flange is a dead band between track and wheelset, an element of its own.

psi belongs to the rolling direction, phi to the lateral one. With a_e along the track, g = b_e/a_e, Poisson's
ratio nu and the elliptic integrals C, D of the ellipse, psi = g (D - nu (D - C)) and phi = g (D - nu C).

Source: Vermeulen and Johnson (1964); the form with a, lambda, psi and phi is that of the bogie studies following
Cooperrider (1972) and Kaas-Petersen (1986).
"""

from dataclasses import dataclass
from math import isfinite, sqrt

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.creep.saturation import factor


@dataclass(frozen=True)
class Cone:
    conicity: float  # lambda [-]
    radius: float  # nominal, r0 [m]
    half_gauge: float  # a, middle of the track to a contact point [m]
    creep_stiffness: float  # G pi a_e b_e: shear modulus and semi-axes of the contact ellipse [N]
    psi: float  # constant of the rolling direction [-]
    phi: float  # constant of the lateral direction [-]
    adhesion_limit: float  # mu N of one wheel [N]

    def __post_init__(self) -> None:
        for name in ("radius", "half_gauge", "psi", "phi", "adhesion_limit"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InputError(name, getattr(self, name), "must be finite and positive")
        for name in ("conicity", "creep_stiffness"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) >= 0.0):
                raise InputError(name, getattr(self, name), "must be finite and not negative")


@kernel
def creepages(y, yaw, y_dot, yaw_dot, speed, conicity, radius, half_gauge):
    """xi_x of the right wheel, xi_y of both."""
    return half_gauge * yaw_dot / speed + conicity * y / radius, y_dot / speed - yaw


@kernel
def creep_forces(xi_x, xi_y, stiffness, psi, phi, limit):
    """F_x, F_y of one wheel, positive for positive creepages; the rail pulls the other way [N]."""
    x, y = stiffness * xi_x / psi, stiffness * xi_y / phi
    scale = factor(sqrt(x * x + y * y) / limit)
    return scale * x, scale * y
