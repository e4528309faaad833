"""Normal forces and creep forces that belong together.

The normal forces are linear in the creep forces, N = N_0 + G (T_xl, T_yl, T_xr, T_yr), and these depend on N
through the contact ellipse and the friction limit. Fixed-point iteration, as in the thesis: |dT/dN| is at most
mu and |G| about the arm ratio r_0/(2 b), so it contracts by about 0.1 per round.
"""

from typing import NamedTuple

from klingel._jit import kernel
from klingel.literature.constrained_wheelset.forces import Load, creep_force

ROUNDS_MOST = 100
PRECISION = 2e-15  # last change over the sum of the normal forces without creep


class Affine(NamedTuple):
    """A quantity that is linear in the creep forces."""

    base: float
    x_left: float
    y_left: float
    x_right: float
    y_right: float


class Balance(NamedTuple):
    n_left: float  # [N], negative where the rail pulls
    n_right: float
    tx_left: float  # [N]
    ty_left: float
    tx_right: float
    ty_right: float
    found: bool


@kernel
def value(affine, tx_left, ty_left, tx_right, ty_right):
    return (
        affine.base
        + affine.x_left * tx_left
        + affine.y_left * ty_left
        + affine.x_right * tx_right
        + affine.y_right * ty_right
    )


@kernel
def solve(n_left, n_right, xi_left, xi_right, left_mode, right_mode, p):
    """Balance for the normal forces given as Affine."""
    left_sign = 1.0 if left_mode == Load.PRESSED else -1.0
    right_sign = 1.0 if right_mode == Load.PRESSED else -1.0
    nl, nr = n_left.base, n_right.base
    enough = PRECISION * (abs(nl) + abs(nr))
    txl = tyl = txr = tyr = 0.0
    found = False
    for _ in range(ROUNDS_MOST):
        txl, tyl = creep_force(xi_left, left_sign * nl, p)
        txr, tyr = creep_force(xi_right, right_sign * nr, p)
        new_l = value(n_left, txl, tyl, txr, tyr)
        new_r = value(n_right, txl, tyl, txr, tyr)
        change = abs(new_l - nl) + abs(new_r - nr)
        nl, nr = new_l, new_r
        if change <= enough:
            found = True
            break
    return Balance(nl, nr, txl, tyl, txr, tyr, found)
