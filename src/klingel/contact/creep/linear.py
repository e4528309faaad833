"""Kalker's linear law: full adhesion, forces without bound.

    F_x = -G c^2 C11 xi
    F_y = -G c^2 C22 eta - G c^3 C23 phi
    M_z =  G c^3 C23 eta - G c^4 C33 phi,     c = sqrt(a b)

The tangent of all other laws at small creepage. Reference: Kalker (1967, 1990).
"""

from math import sqrt

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce


@kernel
def force(creepage, patch, settings):
    ab = patch.a * patch.b
    c = sqrt(ab)
    g = patch.shear_modulus * ab
    return CreepForce(
        -g * patch.c11 * creepage.xi,
        -g * (patch.c22 * creepage.eta + c * patch.c23 * creepage.phi),
        g * c * (patch.c23 * creepage.eta - c * patch.c33 * creepage.phi),
    )
