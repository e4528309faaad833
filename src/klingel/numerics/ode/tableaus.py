"""Runge-Kutta methods as arrays for the compiled step engines.

Stages are k_0 … k_{s-1}, then k_s = f(t + h, x₁), the derivative at the new point, then extra stages that
are evaluated only in steps where the interpolant is needed:

    k_i = f(t + c_i h, x + h Σ_j a_ij k_j)          x₁ = x + h Σ_j b_j k_j
    error estimate = h Σ_{j ≤ s} d_j k_j             d = b - b̂
    x(t + θh) = x + h Σ_j k_j Σ_m dense_jm θ^(m+1)

| method | stages | order | error_order | dense_order | extra stages | interpolant |
|---|---|---|---|---|---|---|
| esdirk34 | 4 (3 implicit) | 3 | 3 | 3 | 0 | C0 only |
| erkf34 | 5 | 4 | 3 | 4 | 1 | C1 |
| bs32 | 3 | 3 | 2 | 3 | 0 | C1 |
| rkf23 | 3 | 3 | 2 | 3 | 0 | C1 |
| cashkarp54 | 6 | 5 | 4 | 4 | 0 | C1 |
| dopri54 | 6 | 5 | 4 | 4 | 0 | C1 |
| verner65 | 8 | 6 | 5 | 5 | 1 | C1 |
| chain33, chain34, chain35 | 3, 4, 5 | 3 | 2 | 3 | 0 | C1 |

All interpolants meet x and x₁ exactly. C1 ones also have the slopes k_0 and k_s there. The arrays are shared:
treat them as constants.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from klingel._errors import InputError
from klingel.numerics.ode.coefficients import TABLEAUS, Tableau


@dataclass(frozen=True)
class Method:
    """One pair with its interpolant; all arrays are C-contiguous float64."""

    name: str
    a: np.ndarray  # (s, s) stage matrix
    b: np.ndarray  # (s,) weights of the advanced solution
    c: np.ndarray  # (s,) nodes
    d: np.ndarray  # (s+1,) error weights b - b̂; the last entry weighs k_s
    order: int  # of the advanced solution
    error_order: int  # the estimate is O(h^(error_order+1))
    dense_order: int  # the interpolant's local error is O(h^(dense_order+1))
    extra_a: np.ndarray  # (e, s+1+e) rows of the extra stages
    extra_c: np.ndarray  # (e,) their nodes
    dense: np.ndarray  # (s+1+e, q) coefficient of θ^(m+1) per stage
    gamma: float  # diagonal of an ESDIRK method, 0 for explicit ones
    coupling: np.ndarray | None = None  # (s, s) of the stages of a W-method, see `w_methods`

    @property
    def stages(self) -> int:
        return self.b.size

    @property
    def explicit(self) -> bool:
        return self.gamma == 0.0


def _array(rows: Sequence[Sequence[Fraction]], shape: tuple[int, int]) -> np.ndarray:
    return np.array([[float(x) for x in row] for row in rows], dtype=np.float64).reshape(shape)


def _vector(row: Sequence[Fraction]) -> np.ndarray:
    return np.array([float(x) for x in row], dtype=np.float64)


def _method(name: str, exact: Tableau) -> Method:
    s, e = len(exact.b), len(exact.extra_c)
    return Method(
        name=name,
        a=_array(exact.a, (s, s)),
        b=_vector(exact.b),
        c=_vector(exact.c),
        d=_vector(exact.d),
        order=exact.order,
        error_order=exact.error_order,
        dense_order=exact.dense_order,
        extra_a=_array(exact.extra_a, (e, s + 1 + e)),
        extra_c=_vector(exact.extra_c),
        dense=_array(exact.dense, (s + 1 + e, len(exact.dense[0]))),
        gamma=float(exact.a[-1][-1]),
    )


METHODS: dict[str, Method] = {name: _method(name, exact) for name, exact in TABLEAUS.items()}


def find_method(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        raise InputError("method", name, f"must be one of {', '.join(METHODS)}")
    return METHODS[name]
