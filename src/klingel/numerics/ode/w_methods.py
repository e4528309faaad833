"""W-methods: linearly implicit Runge-Kutta methods that keep their order whatever stands in for the Jacobian.

    (I - h gamma J) U_i = h f(t + alpha_i h, x + sum_j alpha_ij U_j) + h J sum_{j<i} gamma_ij U_j
    x1 = x + sum_i b_i U_i            error estimate = sum_i (b_i - bhat_i) U_i

J may be old, partial or zero: the order conditions hold without it, so only the stiff blocks of a system need be
kept. With u_i = sum_{j<=i} gamma_ij U_j, k_i = u_i/h the products with J disappear (Hairer and Wanner, Solving
ODEs II, section IV.7):

    (I - h gamma J) k_i = gamma (f(x + h sum_j a_ij k_j) + sum_{j<i} c_ij k_j),     a = alpha Gamma^-1,
    c = I/gamma - Gamma^-1,     weights b Gamma^-1.

In the arrays of `Method` stage 0 is the derivative at the old point, as in every method here, the k_i follow,
and the interpolant is the cubic through both ends with their slopes.

| name | stages | order | error order | stability | source |
|---|---|---|---|---|---|
| ros34pw2 | 4 | 3 | 2 | L-stable, stiffly accurate | Rang and Angermann, BIT 45 (2005) 761 |
| rosw43 | 6 | 4 (5 where J is zero) | 3 | L-stable, stiffly accurate | ours, docs/theory/runge-kutta.md |
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from klingel.numerics.ode.interpolants import smooth_weights
from klingel.numerics.ode.tableaus import METHODS, Method


@dataclass(frozen=True)
class WTableau:
    """Coefficients as published; gamma is the diagonal of the second matrix."""

    alpha: np.ndarray
    gamma: np.ndarray
    b: np.ndarray
    b_hat: np.ndarray
    order: int
    error_order: int


def _lower(rows: list[list[float]]) -> np.ndarray:
    matrix = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = row
    return matrix


def _ros34pw2() -> WTableau:
    gamma = 0.435866521508459
    b = [0.24212380706095346, -1.2232505839045147, 1.545260255335102, gamma]
    return WTableau(
        alpha=_lower([[], [0.871733043016918], [0.84457060015369423, -0.11299064236484185], [0.0, 0.0, 1.0]]),
        gamma=_lower(
            [
                [gamma],
                [-0.871733043016918, gamma],
                [-0.90338057013044082, 0.054180672388095326, gamma],
                [b[0], b[1], b[2] - 1.0, gamma],
            ]
        ),
        b=np.array(b),
        b_hat=np.array([0.37810903145819369, -0.096042292212423178, 0.5, 0.5 * gamma]),
        order=3,
        error_order=2,
    )


def _rosw43() -> WTableau:
    """The solution of the conditions near these numbers; docs/theory/runge-kutta.md says what was free."""
    gamma = 0.25
    b = [
        -0.010605631998313207, 0.3572803528547679, 0.22494143879491177,
        -0.4692465832687312, 0.6476304236173648, gamma,
    ]  # fmt: skip
    alpha = [
        [],
        [0.14],
        [-0.7278821670355327, 1.2278821670355327],
        [-0.03610665075743294, -0.0757353507395669, 1.0227358721380246],
        [0.05673109292165242, 0.22160049347028116, 0.4274817458340346, 0.0893066141863203],
        [0.1976891051432891, -0.5919770155826506, 1.2621433953656127, -0.3986017085092812, 0.5307462235830318],
    ]
    below = [
        [],
        [-0.19258095532003733],
        [0.7158181315609764, -1.2047618017024215],
        [-0.07246960194288442, 1.0530185727594341, -1.1471494495104009],
        [0.3796405253395939, -0.10628985025319575, -0.19648999994252317, -0.21102302747991492],
        [weight - a for weight, a in zip(b[:-1], alpha[-1], strict=True)],
    ]
    b_hat = [
        -0.24446628496525585, 0.7311280503289146, 0.07168354858712869,
        -0.2690780556263086, 0.5067886775843389, 0.2039440640911824,
    ]  # fmt: skip
    return WTableau(
        alpha=_lower(alpha),
        gamma=_lower([[*row, gamma] for row in below]),
        b=np.array(b),
        b_hat=np.array(b_hat),
        order=4,
        error_order=3,
    )


W_TABLEAUS: dict[str, WTableau] = {"ros34pw2": _ros34pw2(), "rosw43": _rosw43()}


def _method(name: str, w: WTableau) -> Method:
    """In the transformed variables, behind a stage that is the derivative at the old point."""
    s = w.b.size + 1
    inverse = np.linalg.inv(w.gamma)
    gamma = float(w.gamma[0, 0])
    a, coupling = np.zeros((s, s)), np.zeros((s, s))
    a[1:, 1:] = np.tril(w.alpha @ inverse, -1)
    coupling[1:, 1:] = np.tril(-inverse, -1)
    weights = np.concatenate(([0.0], w.b @ inverse))
    dense = smooth_weights([Fraction(value) for value in weights])
    return Method(
        name=name,
        a=a,
        b=weights,
        c=np.concatenate(([0.0], w.alpha.sum(axis=1))),
        d=np.concatenate(([0.0], (w.b - w.b_hat) @ inverse, [0.0])),
        order=w.order,
        error_order=w.error_order,
        dense_order=3,
        extra_a=np.zeros((0, s + 1)),
        extra_c=np.zeros(0),
        dense=np.array(dense, dtype=float),
        gamma=gamma,
        coupling=coupling,
    )


W_METHODS: dict[str, Method] = {name: _method(name, tableau) for name, tableau in W_TABLEAUS.items()}
ALL_METHODS: dict[str, Method] = METHODS | W_METHODS
