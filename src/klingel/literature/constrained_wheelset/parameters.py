"""Numbers of the constrained wheelset: Hoffmann (2006), appendix B.4, wheelset BA004 and Cooperrider's suspension.

All of them are printed but the gravity. The reference load N_0 = 5073 N of the contact ellipse is the static load
of one wheel, m g/(2 cos delta), for g = 9.82 m/s2 (9.81 gives 5068 N), hence that default.
"""

from dataclasses import dataclass, fields
from enum import IntEnum
from math import cos, inf, pi, sin

import numpy as np

from klingel._errors import InputError

DRIFT_LIMIT = 5e-11  # half of the bound 1e-10 asked of the constraint residuals


class P(IntEnum):
    """Order of the flat parameters of the kernels: the fields of `ConstrainedWheelset`."""

    MASS, I_XX, I_YY, I_ZZ, R0, Y_WHEEL, Y_RAIL, R_RAIL, DELTA = range(9)
    K_S, K_F, Y_F, G, A0, B0, N0, C11, C22, C23, SHEAR, MU, V, DRIFT = range(9, 23)
    END = 23


class S(IntEnum):
    """Scratch of the augmented form behind the parameters: constraint matrices, linear system, solution."""

    C = P.END  # C and, in the projection, the Newton update (6)
    QD = C + 6  # right-hand side of the constraints on acceleration level (6)
    C_Q = QD + 6  # (6 x 3)
    C_S = C_Q + 18  # (6 x 4)
    SYSTEM = C_S + 24  # (13 x (13 + 5)), or (6 x (6 + 1)) in the projection
    UNKNOWNS = SYSTEM + 13 * 18  # accelerations and multipliers where only the forces are asked for (13)
    END = UNKNOWNS + 13


@dataclass(frozen=True)
class ConstrainedWheelset:
    """Conical wheels on rails of circular section."""

    mass: float = 1032.0  # m [kg]
    inertia_roll: float = 529.8  # I_xx [kg m2]
    inertia_spin: float = 89.9  # I_yy [kg m2]
    inertia_yaw: float = 529.8  # I_zz [kg m2]
    nominal_radius: float = 0.46  # r_0 [m]
    wheel_offset: float = 0.75  # from the centre of mass to the section of radius r_0 [m]
    rail_offset: float = 0.79  # from the track centre to the top of the rail [m]
    rail_radius: float = 0.21  # R [m]
    conicity: float = 0.05  # delta, angle of the cone [rad]
    suspension_stiffness: float = 0.0  # k_s, lateral [N/m]; 1.823 MN/m where the wheelset is suspended
    flange_stiffness: float = 14.60e6  # k_f [N/m]
    flange_clearance: float = 0.0091  # y_f [m]
    gravity: float = 9.82  # g [m/s2]
    ellipse_a: float = 2.8134e-3  # a_0, semi-axis along the rail at N_0 [m]
    ellipse_b: float = 1.6745e-3  # b_0, across [m]
    reference_load: float = 5073.0  # N_0 [N]
    c11: float = 4.8530  # Kalker's coefficients for a/b = 1.680 and nu = 0.27 [-]
    c22: float = 4.5548
    c23: float = 2.2666
    shear_modulus: float = 8.27e10  # G [N/m2]
    friction: float = 0.30  # mu [-]
    speed: float = 20.0  # V [m/s]
    drift_limit: float = DRIFT_LIMIT  # constraint residual at which the augmented form is projected [m], [m/s]

    def __post_init__(self):
        may_vanish = ("suspension_stiffness", "flange_stiffness", "friction", "c11", "c22", "c23")
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name in may_vanish:
                _require(f.name, value, 0.0 <= value < inf, "must be zero or more, and finite")
            else:
                _require(f.name, value, 0.0 < value < inf, "must be positive and finite")
        _require("conicity", self.conicity, self.conicity < pi / 4, "must be an angle below pi/4")
        reach = (
            self.wheel_offset * sin(self.conicity) + self.nominal_radius * cos(self.conicity) + self.rail_radius
        )
        least = reach * sin(self.conicity)
        _require(
            "rail_offset",
            self.rail_offset,
            self.rail_offset > least,
            f"must exceed {least:.4g} m, or roll is free",
        )
        _require(
            "drift_limit", self.drift_limit, self.drift_limit >= 1e-13, "must be at least 1e-13, above rounding"
        )

    def flat(self) -> np.ndarray:
        """Parameters of the kernels in the order of `P`, with the scratch of `S` behind."""
        p = np.zeros(S.END)
        p[: P.END] = [getattr(self, f.name) for f in fields(ConstrainedWheelset)]
        return p


def _require(field: str, given: float, fulfilled: bool, allowed: str) -> None:
    if not fulfilled:
        raise InputError(field, given, allowed)
