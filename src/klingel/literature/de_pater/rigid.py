"""What the elastic rail tends to: steady double contact on a rigid one, and a collision.

Steady double contact. On rigid rails tread and flange fix v, w and phi; unknown are u, chi' and psi (the
wheelset runs askew and slips) and the normal forces N_1, N_2, N_3. Six equations of equilibrium, one for each
coordinate, close the system: no spring, no mass. Contacts on the right; the push must point there.

Collision. Without friction a flange that meets a rail of stiffness k and damping d acts like a mass
m_e = m*/(d delta/dv)^2 on a Kelvin-Voigt spring. With the damping ratio D = d/(2 sqrt(k m_e)) < 1/sqrt(2) it
leaves, where the force falls to zero, with the fraction

    e = exp(-D/sqrt(1 - D^2) (pi - arctan(2 D sqrt(1 - D^2)/(1 - 2 D^2))))

of its approach, however stiff the rail is; the impulse tends to (1 + e) m_e times the approach, the largest
force grows like sqrt(k). That is the collision of section 9, a limit without a force.
"""

from dataclasses import dataclass
from math import atan, exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root

from klingel._errors import InputError
from klingel.literature.de_pater.equations_of_motion import contact_wrench, tangential, tread_forces
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.layout import P, X
from klingel.literature.de_pater.parameters import DePaterWheelset


@dataclass(frozen=True)
class DoubleContact:
    """Steady rolling with tread and flange on the right rail, both rails rigid."""

    u: float  # [m]
    chi_prime: float  # [1/m]
    psi: float  # [rad]
    n1: float  # right tread [N]
    n2: float  # left tread [N]
    n3: float  # right flange [N]


def _unbalanced(unknowns: NDArray, wheelset: DePaterWheelset, p: NDArray) -> NDArray:
    """Resulting forces on u, v, w, phi, chi, psi over the load."""
    w = wheelset
    u, chi_1, psi, n1, n2, n3 = unknowns * _scales(w)
    shift = w.flange_clearance
    at = tread(shift, p)
    second = flange(RIGHT, shift, at, p)
    x = np.zeros(8)
    x[X.U], x[X.V], x[X.PSI], x[X.CHI_1] = u, shift, psi, chi_1
    tx1, ty1 = tread_forces(RIGHT, n1, x, at, p)
    tx2, ty2 = tread_forces(LEFT, n2, x, at, p)
    along = -second.radius / w.radius + w.radius * chi_1
    across, spin = -psi / np.cos(second.angle), -np.sin(second.angle) / w.radius
    tx3, ty3 = tangential(n3, along, across, spin, P.FLANGE_T_X, P.FLANGE_TABLE, p)
    planar = np.sum([
        contact_wrench(RIGHT, at.angle_1, n1, ty1, p),
        contact_wrench(LEFT, at.angle_2, n2, ty2, p),
        contact_wrench(RIGHT, second.angle, n3, ty3, p),
        [w.push - w.stiffness_y * shift, w.load - w.stiffness_z * at.height,
         -w.stiffness_z * w.box_base**2 * at.roll],
    ], axis=0)  # fmt: skip
    pull = tx1 + tx2 + tx3
    twist = w.half_base * (tx1 - tx2 + tx3) - w.stiffness_x * w.box_base**2 * psi
    return np.array([-w.stiffness_x * u - pull, *planar, pull, twist]) / w.load


def _scales(w: DePaterWheelset) -> NDArray:
    return np.array([1e-3, 1e-3, 1e-3, w.load, w.load, w.load])


def rigid_double_contact(wheelset: DePaterWheelset) -> DoubleContact:
    """Steady double contact under the full push."""
    w, p = wheelset, wheelset.flat()
    guess = np.array([0.0, 0.0, 0.0, 0.4, 0.5, max(w.push, 0.0) / w.load])
    found = root(_unbalanced, guess, args=(w, p), tol=1e-12)
    forces = found.x[3:]
    if not np.max(np.abs(found.fun)) < 1e-9 or np.any(forces <= 0.0):
        raise InputError("push", w.push, "must be a force that keeps tread and flange in contact on the right")
    return DoubleContact(*(float(value) for value in found.x * _scales(w)))


def flange_mass(wheelset: DePaterWheelset) -> float:
    """m_e, what a frictionless flange feels when it touches [kg]."""
    w, p = wheelset, wheelset.flat()
    at = tread(w.flange_clearance, p)
    inertia = w.mass * (1.0 + at.height_v**2) + w.inertia * at.roll_v**2
    return inertia / flange(RIGHT, w.flange_clearance, at, p).overlap_v ** 2


def restitution(damping_ratio: float) -> float:
    """Speed after over speed before the contact with a Kelvin-Voigt rail."""
    d = damping_ratio
    if not 0.0 <= d < sqrt(0.5):
        raise InputError("damping ratio", d, "must lie between 0 and 0.707")
    root_1 = sqrt(1.0 - d * d)
    return exp(-d / root_1 * (pi - atan(2.0 * d * root_1 / (1.0 - 2.0 * d * d))))
