"""Vermeulen and Johnson's law with Kalker's coefficients: creep without spin.

The force has the direction of the linear force of xi and eta and the magnitude of `saturation`; spin is
ignored, there is no moment. For pure creepage the nearest of the simple laws to the full theory.

Reference: Vermeulen and Johnson (1964); the coefficients are Kalker's, as is usual since.
"""

from math import sqrt

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce, linear_ratios
from klingel.contact.creep.saturation import factor


@kernel
def force(creepage, patch, settings):
    tx, ty, _ = linear_ratios(creepage, patch)
    scale = -patch.friction * patch.load * factor(sqrt(tx * tx + ty * ty))
    return CreepForce(scale * tx, scale * ty, 0.0)
