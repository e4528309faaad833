"""The mathematical pendulum in Cartesian coordinates, index 1, 2 and 3, with its exact solution.

x'' = -lambda x, y'' = -lambda y - G, x^2 + y^2 = 1, released at rest from the angle START:
sin(angle/2) = k cd(w t), k = sin(START/2), w = sqrt(G), and lambda = v^2 - G y.
"""

import numpy as np
from scipy.special import ellipj

from klingel._jit import kernel
from klingel.numerics.dae_problem import DaeProblem
from klingel.numerics.signatures import RHS

GRAVITY = 9.81  # [m/s2]
START = 1.2  # [rad]
NAMES = ("x", "y", "vx", "vy", "lambda")
INDEX = {1: (1, 1, 1, 1, 1), 2: (1, 1, 1, 1, 2), 3: (1, 1, 2, 2, 3)}


@kernel
def motion(x, p, f):
    f[0] = x[2]
    f[1] = x[3]
    f[2] = -x[4] * x[0]
    f[3] = -x[4] * x[1] - p[0]


@kernel(signature=RHS)
def rhs_1(t, x, memory, mode, p, f):
    motion(x, p, f)
    f[4] = x[2] * x[2] + x[3] * x[3] - p[0] * x[1] - x[4] * (x[0] * x[0] + x[1] * x[1])
    return 0


@kernel(signature=RHS)
def rhs_2(t, x, memory, mode, p, f):
    motion(x, p, f)
    f[4] = x[0] * x[2] + x[1] * x[3]
    return 0


@kernel(signature=RHS)
def rhs_3(t, x, memory, mode, p, f):
    motion(x, p, f)
    f[4] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0)
    return 0


@kernel(signature=RHS)
def constraint_1(t, x, memory, mode, p, f):
    f[4] = x[2] * x[2] + x[3] * x[3] - p[0] * x[1] - x[4] * (x[0] * x[0] + x[1] * x[1])
    return 0


@kernel(signature=RHS)
def constraint_2(t, x, memory, mode, p, f):
    f[4] = x[0] * x[2] + x[1] * x[3]
    return 0


@kernel(signature=RHS)
def length(t, x, memory, mode, p, r):
    r[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0)
    return 0


@kernel(signature=RHS)
def length_and_rate(t, x, memory, mode, p, r):
    r[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0)
    r[1] = x[0] * x[2] + x[1] * x[3]
    return 0


def problem(index: int, **changes) -> DaeProblem:
    rhs = {1: rhs_1, 2: rhs_2, 3: rhs_3}[index]
    given = {"constraints": {1: constraint_1, 2: constraint_2, 3: None}[index]}
    if index < 3:
        given |= {"invariants": length, "invariant_names": ("length",)}
    given |= {"index": INDEX[index], **changes}
    return DaeProblem(rhs, np.array([GRAVITY]), NAMES, np.array([1.0, 1.0, 1.0, 1.0, 0.0]), **given)


def exact(t: float) -> np.ndarray:
    k = np.sin(START / 2)
    sn, cn, dn, _ = ellipj(np.sqrt(GRAVITY) * t, k * k)
    half = k * cn / dn
    angle = 2 * np.arcsin(half)
    rate = -2 * k * np.sqrt(GRAVITY) * (1 - k * k) * sn / dn**2 / np.sqrt(1 - half**2)
    x, y = np.sin(angle), -np.cos(angle)
    return np.array([x, y, -y * rate, x * rate, rate**2 - GRAVITY * y])


def off_rest() -> tuple[float, np.ndarray]:
    """A time and state at which everything moves."""
    return 0.2, exact(0.2)
