"""The mathematical pendulum in Cartesian coordinates, of index 1, 2 and 3, with its exact solution.

x'' = -lambda x, y'' = -lambda y - g, and for lambda one of

    index 3    x^2 + y^2 = 1
    index 2    x vx + y vy = 0
    index 1    vx^2 + vy^2 - g y - lambda (x^2 + y^2) = 0.

Released at rest from the angle START: sin(angle/2) = k cd(sqrt(g) t, k), k = sin(START/2), and lambda = v^2
- g y. The smallest complete example of a `DaeProblem`, and the problem the DAE solvers are tested on.
"""

from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.signatures import RHS

GRAVITY = 9.81  # g, of a pendulum of length 1 m [m/s2]
START = 1.2  # [rad]
MASS = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
NAMES = ("x", "y", "vx", "vy", "lambda")
INDEX = {1: (1, 1, 1, 1, 1), 2: (1, 1, 1, 1, 2), 3: (1, 1, 2, 2, 3)}


@kernel(inner=True)
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


def problem(index: int, /, **changes: Any) -> DaeProblem:
    """The pendulum in one of its formulations; `changes` replace fields of the problem."""
    if index not in INDEX:
        raise InputError("index", index, "must be 1, 2 or 3")
    fields: dict[str, Any] = {"index": INDEX[index]}
    fields["constraints"] = {1: constraint_1, 2: constraint_2, 3: None}[index]
    if index < 3:
        fields |= {"invariants": length, "invariant_names": ("length",)}
    rhs = {1: rhs_1, 2: rhs_2, 3: rhs_3}[index]
    fields |= {"rhs": rhs, "parameters": np.array([GRAVITY]), "state_names": NAMES, "mass": MASS}
    return DaeProblem(**{**fields, **changes})


def exact(t: float) -> np.ndarray:
    """State and multiplier at time t."""
    k = np.sin(START / 2)
    sn, cn, dn, _ = ellipj(np.sqrt(GRAVITY) * t, k * k)
    half = k * cn / dn
    angle = 2 * np.arcsin(half)
    rate = -2 * k * np.sqrt(GRAVITY) * (1 - k * k) * sn / dn**2 / np.sqrt(1 - half**2)
    x, y = np.sin(angle), -np.cos(angle)
    return np.array([x, y, -y * rate, x * rate, rate**2 - GRAVITY * y])


def period() -> float:
    """Of the full swing [s]."""
    return float(4.0 / np.sqrt(GRAVITY) * ellipk(np.sin(START / 2) ** 2))
