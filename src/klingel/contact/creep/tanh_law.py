"""Jaschinski's law: each component saturates by itself, then the pair is cut to the friction circle.

    T_1 = -mu N tanh(tau_x),  T_2 = -mu N tanh(tau_y + tau_s);  if |T| > mu N: T = mu N T/|T|

The cut is a kink. No moment.

Reference: Jaschinski (1990), as used in the wheelset problem of the test set for initial value problem
solvers (Mazzia and Magherini 2008, II.22).
"""

from math import sqrt, tanh

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce, linear_ratios


@kernel
def force(creepage, patch, settings):
    tx, ty, ts = linear_ratios(creepage, patch)
    fx = tanh(tx)
    fy = tanh(ty + ts)
    square = fx * fx + fy * fy
    scale = -patch.friction * patch.load
    if square > 1.0:
        scale /= sqrt(square)
    return CreepForce(scale * fx, scale * fy, 0.0)
