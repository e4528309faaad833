"""What every creep-force law takes and returns, and the creepages of a wheel.

Contact frame: x in the rolling direction, y lateral, right-handed; the rigid slip of the wheel over the rail,
divided by the speed, is (xi - phi y, eta + phi x). All laws share one signature,

    force(creepage, patch, settings) -> CreepForce      force on the wheel, against the slip

Normalised with the friction limit mu N and c = sqrt(a b), the linear forces are the numbers

    tau_x = G c^2 C11 xi / (mu N),  tau_y = G c^2 C22 eta / (mu N),  tau_s = G c^3 C23 phi / (mu N)

Source of the creepages of a wheel: Hoffmann (2006), equations (2.21) to (2.23).
"""

from math import cos, sin
from typing import NamedTuple

import numpy as np

from klingel._jit import kernel


class Creepage(NamedTuple):
    xi: float  # longitudinal [-]
    eta: float  # lateral [-]
    phi: float  # spin [1/m]


class Patch(NamedTuple):
    """A contact ellipse under load, with Kalker's coefficients of its axis ratio."""

    a: float  # semi-axis along the rolling direction [m]
    b: float  # lateral semi-axis [m]
    load: float  # normal force N [N]
    friction: float  # coefficient mu [-]
    shear_modulus: float  # G [Pa]
    c11: float
    c22: float
    c23: float
    c33: float


class CreepForce(NamedTuple):
    fx: float  # on the wheel, longitudinal [N]
    fy: float  # lateral [N]
    mz: float  # spin moment; zero for laws that have none [N m]


class Settings(NamedTuple):
    """What single laws need beyond the patch; the others ignore it."""

    strips: int = 20  # FASTSIM: strips across the ellipse
    cells: int = 20  # FASTSIM: steps along each strip
    adhesion_factor: float = 1.0  # Polach k_A, reduces the initial slope
    slip_factor: float = 1.0  # Polach k_S <= k_A
    friction_floor: float = 1.0  # Polach A: friction at infinite slip speed over friction at rest
    friction_decay: float = 0.0  # Polach B [s/m]
    speed: float = 0.0  # of the vehicle, for the slip speed in falling friction [m/s]
    table: np.ndarray = np.zeros((0, 0, 0, 0, 0, 3))  # of `fastsim_table`, empty if that law is not used


@kernel
def linear_ratios(creepage, patch):
    """tau_x, tau_y, tau_s: the linear forces over mu N."""
    limit = patch.friction * patch.load
    ab = patch.a * patch.b
    scale = patch.shear_modulus * ab / limit
    spin = scale * ab**0.5 * patch.c23 * creepage.phi
    return scale * patch.c11 * creepage.xi, scale * patch.c22 * creepage.eta, spin


@kernel
def wheel_creepage(speed, spin_rate, y_rate, roll_rate, yaw, yaw_rate, wheel_y, wheel_z, angle):
    """Creepages of one wheel of a wheelset.

    `spin_rate` is the full one, V/r0 plus its perturbation; `wheel_y`, `wheel_z` the contact point in the
    frame of the wheelset (wheel_z < 0), `angle` the contact angle, positive on the left wheel.
    """
    xi = 1.0 + (spin_rate * wheel_z - yaw_rate * wheel_y) / speed
    eta = (y_rate - speed * yaw - roll_rate * wheel_z) / (speed * cos(angle))
    phi = (yaw_rate * cos(angle) - spin_rate * sin(angle)) / speed
    return Creepage(xi, eta, phi)
