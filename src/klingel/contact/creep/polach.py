"""Polach's law: an ellipsoid of tangential stress, closed form, with spin.

    F = (2 mu N / pi) (k_A eps/(1 + (k_A eps)^2) + atan(k_S eps)),   eps = pi/4 G a b C s_c / (mu N)
    F_x = -F xi/s_c,   F_y = -F eta/s_c - S phi/s_c

    C = sqrt((C11 xi)^2 + (C22 eta)^2)/s,  s = |(xi, eta)|,  s_c = |(xi, eta_c)|,
    eta_c = eta + phi a if that is larger in magnitude than eta, else eta
    S = -9/16 a mu N q K_M,  K_M = |e| (d^3/3 - d^2/2 + 1/6) - sqrt((1 - d^2)^3)/3 <= 0,
    d = (e^2 - 1)/(e^2 + 1),  e = 8/3 G b c C23 eta_c/(mu N q),  q = 1 + 6.3 (1 - exp(-a/b))

The force of creep has the direction of the *creepage*, not of the linear force: for xi and eta together the
small-creepage limit uses the mean coefficient C in both directions, and spin next to xi is weighted by
eta_c/s_c. One direction at a time, with spin added to eta, the limit is Kalker's linear force.

The factors k_A >= k_S and the falling friction mu = mu0 ((1 - A) exp(-B w) + A), w the slip speed, are
those of the 2005 extension. No moment.

References: Polach, Veh. Syst. Dyn. Suppl. 33 (1999) 728; Wear 258 (2005) 992.
"""

from math import atan, exp, pi, sqrt

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce


@kernel
def spin_magnitude(e):
    """-K_M for e >= 0: begins as 2 e/3, is largest, sqrt(3)/8, at e = 1/sqrt(3), ends as 2/(3 e^3)."""
    d = (e * e - 1.0) / (e * e + 1.0)
    root = 1.0 - d * d
    return root * sqrt(root) / 3.0 - e * (d * d * (d / 3.0 - 0.5) + 1.0 / 6.0)


@kernel
def friction(patch, settings, slip):
    """Coefficient of friction at the creepage `slip`."""
    floor = settings.friction_floor
    return patch.friction * ((1.0 - floor) * exp(-settings.friction_decay * slip * settings.speed) + floor)


@kernel
def force(creepage, patch, settings):
    xi, eta, phi = creepage.xi, creepage.eta, creepage.phi
    shifted = eta + phi * patch.a
    if abs(shifted) < abs(eta):
        shifted = eta
    total = sqrt(xi * xi + shifted * shifted)
    if total == 0.0:
        return CreepForce(0.0, 0.0, 0.0)
    slip = sqrt(xi * xi + eta * eta)
    limit = friction(patch, settings, slip) * patch.load
    ab = patch.a * patch.b

    creep = 0.0
    if slip > 0.0:
        mean = sqrt((patch.c11 * xi) ** 2 + (patch.c22 * eta) ** 2) / slip
        eps = 0.25 * pi * patch.shear_modulus * ab * mean * total / limit
        adhesion = settings.adhesion_factor * eps
        creep = 2.0 / pi * limit * (adhesion / (1.0 + adhesion * adhesion) + atan(settings.slip_factor * eps))

    q = 1.0 + 6.3 * (1.0 - exp(-patch.a / patch.b))
    e = 8.0 / 3.0 * patch.shear_modulus * patch.b * sqrt(ab) * patch.c23 * abs(shifted) / (limit * q)
    spin = 9.0 / 16.0 * patch.a * limit * q * spin_magnitude(e)
    return CreepForce(-creep * xi / total, -(creep * eta + spin * phi) / total, 0.0)
