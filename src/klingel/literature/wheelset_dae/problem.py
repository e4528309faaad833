"""The constrained wheelset of the Bari test set as a `DaeProblem`: index 3, index 2 and stabilised index 2.

==============  ============================================  =============================
formulation     rows of lambda                                index of p, v, beta, q, lambda
==============  ============================================  =============================
INDEX_3         g1(p, q) = 0                                  1, 2, 2, 1, 3
INDEX_2         b v = 0; g1 is an exact first integral        1, 1, 1, 1, 2
STABILISED      b v = 0, and g1 = 0 with extra multipliers    1, 1, 1, 1, 2
==============  ============================================  =============================

Equations in `wheelset_dae_equations`. The published start leaves g1 = 5e-10 m; all formulations keep that
value. Guards: both normal forces, positive while the wheels touch; the constrained model ends where one
vanishes.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import cos, sin, sqrt, tan

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature.wheelset_dae.equations import (
    LEFT,
    PI,
    RIGHT,
    P,
    accelerations,
    contact,
    contact_angle,
    normal_forces,
    sine_cosine,
)  # fmt: skip
from klingel.numerics.dae.checks import consistent_start
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.signatures import GUARDS, RHS

STATE_NAMES = (
    "x", "y", "z", "theta", "phi", "x_dot", "y_dot", "z_dot", "theta_dot", "phi_dot", "beta",
    "psi_right", "xi_right", "psi_left", "xi_left", "lambda_left", "lambda_right",
)  # fmt: skip
PSI_RIGHT, XI_RIGHT, PSI_LEFT, XI_LEFT, LAMBDA_LEFT, LAMBDA_RIGHT = range(11, 17)
MASS = np.array([1.0] * 11 + [0.0] * 6)
DURATION = 10.0  # [s]


class Formulation(IntEnum):
    INDEX_3 = 0
    INDEX_2 = 1
    STABILISED = 2


INDEX = {
    Formulation.INDEX_3: (1,) * 5 + (2,) * 6 + (1,) * 4 + (3,) * 2,
    Formulation.INDEX_2: (1,) * 15 + (2,) * 2,
    Formulation.STABILISED: (1,) * 15 + (2,) * 2,
}


@dataclass(frozen=True)
class Wheelset:
    """Table II.22.1; a hardware model scaled 1:4."""

    kappa: float = 0.0  # track curvature [1/m]
    alpha: float = 0.0  # cant angle [rad]
    m_A: float = 0.0  # mass of the wagon body [kg]
    F_A: float = 0.0  # propulsion force [N]
    L_A: float = 0.0  # propulsion moment [N m]
    v_0: float = 30.0  # nominal speed [m/s]
    m_R: float = 16.08  # mass of the wheelset [kg]
    g: float = 9.81  # [m/s2]
    I_1: float = 0.0605  # about the axle [kg m2]
    I_2: float = 0.366  # about the other axes [kg m2]
    h_A: float = 0.2  # height of the wagon body [m]
    c_x: float = 6400.0  # [N/m]
    c_z: float = 6400.0  # [N/m]
    x_l: float = 0.19  # half the distance of the springs [m]
    delta_0: float = 0.0262  # cone angle [rad]
    rho_0: float = 0.1  # nominal rolling radius [m]
    a_0: float = 0.1506  # half the gauge [m]
    rho_1: float = 0.06  # radius of the rail head [m]
    mu: float = 0.12  # friction coefficient
    G: float = 7.92e10  # shear modulus [N/m2]
    C_11: float = 4.72772197
    C_22: float = 4.27526987
    C_23: float = 1.97203505
    sigma: float = 0.28  # Poisson number
    G_hat: float = 0.7115218  # axis ratio of the contact ellipse
    epsilon: float = 1.3537956  # its complete elliptic integral
    C: float = 1e4  # scale of the multipliers [N]

    def __post_init__(self) -> None:
        for name in ("v_0", "m_R", "I_1", "I_2", "rho_0", "rho_1", "G", "C"):
            if not getattr(self, name) > 0.0:
                raise InputError(name, getattr(self, name), "must be positive")
        if not abs(self.alpha) < 1.0:
            raise InputError("alpha", self.alpha, "must lie between -1 and 1 rad")
        if self.m_A < 0.0:
            raise InputError("m_A", self.m_A, "must not be negative")

    def vector(self) -> np.ndarray:
        """Parameters as the kernels read them, gaps zero."""
        p = np.zeros(P.SIZE)
        values = {
            P.MASS: self.m_R, P.GRAVITY: self.g, P.SPEED: self.v_0, P.TRACTION: self.F_A, P.TORQUE: self.L_A,
            P.CURVATURE: self.kappa, P.SIN_CANT: sin(self.alpha), P.COS_CANT: cos(self.alpha),
            P.SPIN: self.v_0 / self.rho_0, P.I_AXLE: self.I_1, P.I_YAW: self.I_2, P.WAGON_MASS: self.m_A,
            P.WAGON_HEIGHT: self.h_A, P.C_X: self.c_x, P.C_Z: self.c_z, P.ARM: self.x_l,
            P.SLOPE: tan(self.delta_0), P.SIN_CONE: sin(self.delta_0), P.COS_CONE: cos(self.delta_0),
            P.RADIUS: self.rho_0, P.GAUGE: self.a_0, P.RAIL_RADIUS: self.rho_1, P.FRICTION: self.mu,
            P.SHEAR: self.G, P.C11: self.C_11, P.C22: self.C_22, P.C23: self.C_23, P.SCALE: self.C,
            P.CONE: sqrt(1.0 + tan(self.delta_0) ** 2),
            P.ELLIPSE: 3.0 * (1.0 - self.sigma) * self.epsilon / (2.0 * PI * self.G * sqrt(self.G_hat)),
        }  # fmt: skip
        p[list(values)] = list(values.values())
        return p


@kernel(inner=True)
def contacts(u, p):
    """Sines and cosines of yaw and roll, left and right contact."""
    st, ct = sine_cosine(u[3])
    sp, cp = sine_cosine(u[4])
    left = contact(u[0], u[1], st, ct, sp, cp, u[13], u[14], p)
    right = contact(u[0], u[1], st, ct, sp, cp, u[11], u[12], p)
    return st, ct, sp, cp, left, right


@kernel(inner=True)
def rolling(side, u):
    """b . v of one contact."""
    return side.dg * u[5] - u[6] + side.b4 * u[8] + side.b5 * u[9]


@kernel(inner=True)
def tangency(left, right, f):
    f[11] = right.g2b
    f[12] = right.g2a
    f[13] = left.g2b
    f[14] = left.g2a


@kernel(inner=True)
def motion(u, p, f):
    """Rows 1 to 15; returns the two contacts."""
    st, ct, sp, cp, left, right = contacts(u, p)
    for i in range(5):
        f[i] = u[5 + i]
    accelerations(u, u[14], u[12], st, ct, sp, cp, left, right, u[15], u[16], f, p)
    tangency(left, right, f)
    return left, right


@kernel(signature=RHS, rows=True)
def rhs_index_2(t, u, memory, mode, p, f):
    left, right = motion(u, p, f)
    f[15] = rolling(left, u)
    f[16] = rolling(right, u)
    return 0 if f[8] == f[8] else 1


@kernel(signature=RHS, rows=True)
def rhs_index_3(t, u, memory, mode, p, f):
    left, right = motion(u, p, f)
    f[15] = left.g1 - p[P.GAP_LEFT]
    f[16] = right.g1 - p[P.GAP_RIGHT]
    return 0 if f[8] == f[8] else 1


@kernel(signature=RHS, rows=True)
def constraints_index_2(t, u, memory, mode, p, f):
    _, _, _, _, left, right = contacts(u, p)
    tangency(left, right, f)
    f[15] = rolling(left, u)
    f[16] = rolling(right, u)
    return 0 if f[15] == f[15] else 1


@kernel(signature=RHS, rows=True)
def positions(t, u, memory, mode, p, r):
    """g1 of both contacts, from the value at the start."""
    _, _, _, _, left, right = contacts(u, p)
    r[0] = left.g1 - p[P.GAP_LEFT]
    r[1] = right.g1 - p[P.GAP_RIGHT]
    return 0 if r[0] == r[0] else 1


@kernel(signature=GUARDS)
def loads(t, u, memory, mode, p, g):
    """Normal forces [N]."""
    st, ct, sp, cp, left, right = contacts(u, p)
    sd_l, cd_l = contact_angle(LEFT, st, ct, sp, cp, left)
    sd_r, cd_r = contact_angle(RIGHT, st, ct, sp, cp, right)
    g[0], g[1] = normal_forces(left.dg, right.dg, sd_l, cd_l, sd_r, cd_r, u[15], u[16], p)


def problem(wheelset: Wheelset, formulation: Formulation, start: np.ndarray) -> DaeProblem:
    """The equations in one formulation; `start` says which value of g1 is contact."""
    p = wheelset.vector()
    p[P.GAP_LEFT], p[P.GAP_RIGHT] = gaps(p, start)
    invariants = formulation != Formulation.INDEX_3
    return DaeProblem(
        rhs=rhs_index_2 if invariants else rhs_index_3,
        parameters=p,
        state_names=STATE_NAMES,
        mass=MASS,
        index=INDEX[formulation],
        constraints=constraints_index_2 if invariants else None,
        invariants=positions if invariants else None,
        invariant_names=("gap_left", "gap_right") if invariants else (),
        guards=loads,
        guard_names=("left wheel lifts off", "right wheel lifts off"),
    )


def gaps(p: np.ndarray, u: np.ndarray) -> tuple[float, float]:
    """g1 of the left and right contact [m]."""
    bare = p.copy()
    bare[[P.GAP_LEFT, P.GAP_RIGHT]] = 0.0
    r = np.zeros(2)
    positions(0.0, u, np.zeros(0), np.zeros(0, np.int8), bare, r)
    return float(r[0]), float(r[1])


def rolling_rates(p: np.ndarray, u: np.ndarray, f: np.ndarray) -> tuple[float, float]:
    """b v' of both contacts [m/s2]: the hidden constraint of a wheelset at rest."""
    found = np.zeros(2)
    _rolling_rates(u, f, p, found)
    return float(found[0]), float(found[1])


@kernel
def _rolling_rates(u, f, p, found):
    _, _, _, _, left, right = contacts(u, p)
    found[0] = rolling(left, f)
    found[1] = rolling(right, f)


def start(wheelset: Wheelset) -> np.ndarray:
    """Consistent start: the published positions at rest, contact variables and multipliers solved for."""
    guess = np.zeros(len(STATE_NAMES))
    guess[:5] = PRINTED_START[:5]
    guess[PSI_RIGHT : XI_LEFT + 1] = PRINTED_START[PSI_RIGHT : XI_LEFT + 1]
    guess[[LAMBDA_LEFT, LAMBDA_RIGHT]] = PRINTED_START[[LAMBDA_LEFT, LAMBDA_RIGHT]]
    return consistent_start(problem(wheelset, Formulation.INDEX_2, guess), 0.0, guess)


# section 22.2, with the signs of psi_R and xi_R that were lost in print
PRINTED_START = np.zeros(17)
PRINTED_START[:5] = 0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3
PRINTED_START[11:] = (
    -7.4122380357667139e-6, -0.1521364296121248, 7.5634406395172940e-6, 0.1490635714733819,
    -0.83593e-2, -0.74144e-2,
)  # fmt: skip
PRINTED_RATES = np.zeros(17)
PRINTED_RATES[5:11] = (
    -1.9752588940112850, -1.0898297102811276e-3, 7.8855083626142589e-2,
    -5.5333628217315490, -0.3487021489546511, -2.1329687243809270,
)  # fmt: skip

# Table II.22.2; DASSL at 1e-9, itself good to scd 5.3, mescd 6.9
REFERENCE = np.array(
    [
        0.86355386965811e-2, 0.13038281022727e-4, -0.93635784016818e-4, -0.13642299804033e-1,
        0.15292895005422e-2, -0.76985374142666e-1, -0.25151106429207e-3, 0.20541188079539e-2,
        -0.23904837703692, -0.13633468454173e-1, -0.24421377661131, -0.33666751972196e-3,
        -0.15949425684022, 0.37839614386969e-3, 0.14173214964613, -0.10124044903201e-1,
        -0.56285630573753e-2,
    ]
)  # fmt: skip


def scd(u: np.ndarray, reference: np.ndarray = REFERENCE) -> float:
    """Significant correct digits of the worst component."""
    return float(-np.log10(np.max(np.abs(u - reference) / np.abs(reference))))


def mescd(u: np.ndarray, reference: np.ndarray = REFERENCE) -> float:
    """Mixed-error significant correct digits, atol = rtol."""
    return float(-np.log10(np.max(np.abs(u - reference) / (1.0 + np.abs(reference)))))
