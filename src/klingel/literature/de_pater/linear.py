"""Exact linearisation about the central position (section 8): two uncoupled parts.

In the centre both contacts have the angle gamma (s, c its sine and cosine, t its tangent), the load N_0, and by
their spin the lateral forces +-T_0. With V^2 times second derivatives on the left:

Symmetric motion, x = (u, chi):
    m u''   = -c_x u - 2 K_x (u' + r chi')
    I_y chi'' = -2 r K_x (u' + r chi')

Lateral motion, x = (v, psi). Moving by v changes the angles by +-g, the loads by +-n, both lateral creep forces
by tau:
    m v''     = -c_y v - 2 c tau + 2 T_0 s g - 2 s n - 2 N_0 c g
    I phi_v v'' = -c_z l_1^2 phi_v v - (I_y/r) V^2 psi' - 2 (b c - r s) n + 2 N_0 (b s + r c) g
                + 2 (b s + r c) tau + 2 T_0 (b c - r s) g
    I psi''   = (I_y/r) V^2 phi_v v' - c_x l_1^2 psi + 2 b K_x (-zeta*_v v/r - b psi')
    tau = f_0 n mu + K_y (b v'/(b - r t) - psi)/c - K_s g c/r,        g = gamma_v v

The second equation gives n; K_x, K_y, K_s and f_0 are derivatives of the creep law at zero creep under the spin
s/r. The ellipse grows with the load, but at zero creep that does not change the forces.
"""

from dataclasses import dataclass, replace
from math import cos, sin, tan

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.literature.de_pater.creep_table import slopes
from klingel.literature.de_pater.geometry import RIGHT, side_contact, tread
from klingel.literature.de_pater.layout import P, X
from klingel.literature.de_pater.parameters import DePaterWheelset

SYMMETRIC = [X.U, X.CHI, X.U_1, X.CHI_1]
LATERAL = [X.V, X.PSI, X.V_1, X.PSI_1]


@dataclass(frozen=True)
class Creep:
    """Creep law about zero creep under the load in the centre."""

    load: float  # N_0 [N]
    lateral: float  # T_0 of the right wheel [N]
    k_x: float  # dT_x/d(W_x/V) [N]
    k_y: float  # dT_y/d(W_y/V) [N]
    k_s: float  # dT_y/d spin [N m]


def creep_in_centre(wheelset: DePaterWheelset) -> Creep:
    """N_0 from G = 2 (N_0 c - T_0 s), T_0 = mu N_0 f_0."""
    w, p = wheelset, wheelset.flat()
    s, c = sin(w.contact_angle), cos(w.contact_angle)
    # the right wheel's spin is negative: f_y changes its sign, derivatives do not
    f_0, by_spin, by_x, by_y = slopes(p, P.TABLE, p[P.T_S] * s / w.radius)
    f_0 = -f_0
    load = 0.5 * w.load / (c - w.friction * f_0 * s)
    limit, root = w.friction * load, load ** (-1.0 / 3.0)
    return Creep(load, limit * f_0, limit * root * p[P.T_X] * by_x, limit * root * p[P.T_Y] * by_y,
                 limit * p[P.T_S] * by_spin)  # fmt: skip


def symmetric_matrix(wheelset: DePaterWheelset) -> NDArray:
    """d(u', chi', u'', chi'')/d(u, chi, u', chi')."""
    w, k = wheelset, creep_in_centre(wheelset).k_x
    a = np.zeros((4, 4))
    a[0, 2] = a[1, 3] = 1.0
    a[2] = np.array([-w.stiffness_x, 0.0, -2.0 * k, -2.0 * k * w.radius]) / w.mass
    a[3] = np.array([0.0, 0.0, -2.0 * k * w.radius, -2.0 * k * w.radius**2]) / w.spin_inertia
    a[2:] /= w.speed**2
    return a


def lateral_matrix(wheelset: DePaterWheelset) -> NDArray:
    """d(v', psi', v'', psi'')/d(v, psi, v', psi')."""
    w, law, p = wheelset, creep_in_centre(wheelset), wheelset.flat()
    s, c, r, b = sin(w.contact_angle), cos(w.contact_angle), w.radius, w.half_base
    at = tread(0.0, p)
    one = side_contact(RIGHT, 0.0, 0.0, p)
    angle_v = at.angle_1_v
    true_roll_v = (angle_v - one.angle_v) / one.angle_roll
    radius_v = w.wheel_hollow * s * (angle_v + true_roll_v)  # d zeta*_1/dv, gamma* = gamma + phi
    square = w.speed**2
    v, psi, v_1, psi_1 = np.eye(4)
    f_0 = law.lateral / (w.friction * law.load) if w.friction > 0.0 else 0.0
    # tau = w.friction f_0 n + rest
    rest = law.k_y / c * (b / (b - r * tan(w.contact_angle)) * v_1 - psi) - law.k_s * angle_v * c / r * v
    arm, lever = b * c - r * s, b * s + r * c
    across = -w.stiffness_y * v - 2.0 * c * rest + 2.0 * (law.lateral * s - law.load * c) * angle_v * v
    # the geometry of de Pater's spring: roll itself, its rate in the equation of motion
    turning = (
        -w.stiffness_z * w.box_base**2 * true_roll_v * v
        - w.spin_inertia / r * square * psi_1
        + 2.0 * (law.load * lever + law.lateral * arm) * angle_v * v
        + 2.0 * lever * rest
    )
    # m V^2 v'' = across + y_n n,  I phi_v V^2 v'' = turning + r_n n
    y_n = -2.0 * s - 2.0 * c * w.friction * f_0
    r_n = -2.0 * arm + 2.0 * lever * w.friction * f_0
    solved = np.linalg.solve(
        np.array([[w.mass * square, -y_n], [w.inertia * at.roll_v * square, -r_n]]), np.array([across, turning])
    )
    twist = (
        w.spin_inertia / r * square * at.roll_v * v_1
        - w.stiffness_x * w.box_base**2 * psi
        + 2.0 * b * law.k_x * (-radius_v / r * v - b * psi_1)
    )
    return np.array([v_1, psi_1, solved[0], twist / (w.inertia * square)])


def whole_matrix(wheelset: DePaterWheelset) -> NDArray:
    """Both parts in the order of the state."""
    a = np.zeros((8, 8))
    a[np.ix_(SYMMETRIC, SYMMETRIC)] = symmetric_matrix(wheelset)
    a[np.ix_(LATERAL, LATERAL)] = lateral_matrix(wheelset)
    return a


def hunting_mode(wheelset: DePaterWheelset) -> complex:
    """Eigenvalue of the lateral motion with the largest real part, imaginary part not negative [1/m]."""
    values = np.linalg.eigvals(lateral_matrix(wheelset))
    most = values[np.argmax(values.real)]
    return complex(most.real, abs(most.imag))


def critical_speed(wheelset: DePaterWheelset, slow: float, fast: float) -> float:
    """Speed between both at which the growth vanishes [m/s]."""
    growth = {v: hunting_mode(replace(wheelset, speed=v)).real for v in (slow, fast)}
    if growth[slow] * growth[fast] > 0.0:
        raise InputError("speeds", (slow, fast), f"must enclose a change of stability; growth is {growth} 1/m")
    return float(brentq(lambda v: hunting_mode(replace(wheelset, speed=v)).real, slow, fast, xtol=1e-10))  # type: ignore[arg-type]
