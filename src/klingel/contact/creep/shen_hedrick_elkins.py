"""The heuristic law of Shen, Hedrick and Elkins: Vermeulen-Johnson with spin in the linear force.

    F = eps F_linear,  eps = |F|/|F_linear|,  |F| from `saturation`

F_linear contains the lateral force of spin. Meant for small spin: the tread, not a climbing flange. The spin
moment is neglected, as in Hoffmann (2006), equation (2.24).

Reference: Shen, Hedrick and Elkins, Proc. 8th IAVSD (1983) 591.
"""

from math import sqrt

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce, linear_ratios
from klingel.contact.creep.saturation import factor


@kernel
def force(creepage, patch, settings):
    tx, ty, ts = linear_ratios(creepage, patch)
    ty += ts
    scale = -patch.friction * patch.load * factor(sqrt(tx * tx + ty * ty))
    return CreepForce(scale * tx, scale * ty, 0.0)
