"""Forces on the wheelset: creep, weight, suspension, flange (section "Forces" of appendix B.4).

The contact frame of a wheel is the body frame turned by +delta (left) or -delta (right) about its x-axis. With the
contact point (0, u1, u2) in body axes and the spin Omega = V/r_0 + beta the creepages are

    xi_x = (V + Omega u2 - psi' u1)/V
    xi_y = (-psi V + y' - phi' u2)/(V cos delta)
    xi_s = (psi' cos delta -+ Omega sin delta)/V          upper sign: left

and the creep forces those of Shen, Hedrick and Elkins on an ellipse that grows with N^(1/3):

    F_x = -a b G C11 xi_x,   F_y = -a b G (C22 xi_y + sqrt(a b) C23 xi_s),   u = |F|/(mu N)
    T = F (1 - u/3 + u^2/27) for u < 3, else F/u

All generalised forces are linear in (T_x, T_y) of both wheels, which the solution for the normal forces uses.

The printed N = sqrt(lambda_1^2 + lambda_2^2) knows no sign. The rails of a bilateral constraint may pull: that is
a mode of its own (`Load.PULLED`), entered and left at located events; creep there comes from |N|, as printed.
"""

from enum import IntEnum
from math import cos, sin
from typing import NamedTuple

from klingel._jit import kernel
from klingel.contact.creep import shen_hedrick_elkins
from klingel.contact.creep.creepage import Patch, wheel_creepage
from klingel.elements import dead_band
from klingel.elements.piece import force as element_force
from klingel.literature.constrained_wheelset.parameters import P

NO_SPIN_MOMENT = 0.0  # C33 is not used by the law
NO_SETTINGS = 0  # nor are any settings


class Load(IntEnum):
    """Sign of a normal force: the rail presses, or the constraint pulls (the wheel would have lifted off)."""

    PRESSED, PULLED = range(2)


class Wrench(NamedTuple):
    """Generalised force on (y, z, roll)."""

    y: float  # track axes [N]
    z: float  # track axes [N]
    roll: float  # about the body's x-axis [Nm]


@kernel
def creepage(side, u1, u2, yaw, y_dot, roll_dot, yaw_dot, beta, p):
    spin = p[P.V] / p[P.R0] + beta
    return wheel_creepage(p[P.V], spin, y_dot, roll_dot, yaw, yaw_dot, u1, u2, side * p[P.DELTA])


@kernel
def creep_force(xi, load, p):
    """(T_x, T_y) in the contact frame, force on the wheel, for the normal force `load` [N]."""
    if not p[P.MU] * load > 0.0:
        return 0.0, 0.0
    size = (load / p[P.N0]) ** (1.0 / 3.0)
    patch = Patch(
        size * p[P.A0], size * p[P.B0], load, p[P.MU], p[P.SHEAR], p[P.C11], p[P.C22], p[P.C23], NO_SPIN_MOMENT
    )
    t = shen_hedrick_elkins.force(xi, patch, NO_SETTINGS)
    return t.fx, t.fy


@kernel
def lateral_wrench(side, u1, u2, roll, yaw, p):
    """Wrench per unit of T_y; that of T_x is (sin yaw, 0, 0)."""
    delta = side * p[P.DELTA]
    return Wrench(
        cos(yaw) * cos(roll + delta),
        sin(roll + delta),
        u1 * sin(delta) - u2 * cos(delta),
    )


@kernel
def flange_piece(mode, p):
    return dead_band.piece(mode, -p[P.Y_F], p[P.Y_F], p[P.K_F])


@kernel
def applied_wrench(flange, y, roll, yaw, yaw_dot, left_u2, right_u2, p):
    """Weight, suspension, flange spring and gyroscopic moment: all that does not depend on the normal forces.

    The flange force acts along the body's y-axis in the contact point of the wheel whose flange touches.
    """
    push = -element_force(flange_piece(flange, p), y, 0.0)
    u2 = left_u2 if flange == dead_band.Mode.UPPER else right_u2
    return Wrench(
        -p[P.K_S] * y + cos(yaw) * cos(roll) * push,
        -p[P.MASS] * p[P.G] + sin(roll) * push,
        p[P.I_YY] * yaw_dot * p[P.V] / p[P.R0] - u2 * push,
    )
