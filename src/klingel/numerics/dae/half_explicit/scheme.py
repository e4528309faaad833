"""Explicit Runge-Kutta schemes for index-2 systems.

Two ways to find the multiplier z of y' = f(y, z), 0 = g(y) stage by stage:

`Closure.NEXT_STAGE` (Brasey and Hairer 1993)
    z_i is chosen such that the *next* stage point satisfies g(Y_(i+1)) = 0, the last one the end point. Needs
    coefficients that fulfil extra order conditions.
`Closure.DERIVATIVE`
    z_i is chosen such that the derivative of g along f vanishes at Y_i; the end point is projected on
    g = 0. Any explicit scheme keeps its order, and z has the order of y.

Coefficients of the classical pairs are those of `tableaus`. Stages k_0 ... k_{s-1} are followed by k_s, the
derivative at the end point and the first stage of the next step; where the error estimate uses it, it is found
before the end point is projected.
"""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

import numpy as np

from klingel.numerics.ode.interpolants import smooth_weights
from klingel.numerics.ode.tableaus import METHODS

_R6 = 6.0**0.5

GENTLE = (0.7, 0.4)  # Gustafsson's; for error estimates of low order
QUICK = (0.85, 0.2)  # fewer steps where the estimate is of order 4


class Closure(IntEnum):
    NEXT_STAGE = 0
    DERIVATIVE = 1


@dataclass(frozen=True)
class Scheme:
    name: str
    order: int
    error_order: int
    closure: Closure
    a: np.ndarray  # [s + 1, s]; the last row gives the end point
    error: np.ndarray  # [s + 1] weights of the stage derivatives
    dense: np.ndarray  # [s + 1, power - 1] weights of the interpolant
    control: tuple[float, float]  # exponents of the present and the last error, times error order + 1

    @property
    def c(self) -> np.ndarray:
        return self.a.sum(axis=1)


def _classical(name: str, method: str, control: tuple[float, float]) -> Scheme:
    m = METHODS[method]
    a = np.vstack([m.a, m.b])
    return Scheme(name, m.order, m.error_order, Closure.DERIVATIVE, a, m.d, m.dense, control)


def _matrix(rows: list[list[float]]) -> np.ndarray:
    a = np.zeros((len(rows) + 1, len(rows)))
    for i, row in enumerate(rows, start=1):
        a[i, : len(row)] = row
    return a


_BH = _matrix(
    [
        [3 / 10],
        [(1 + _R6) / 30, (11 - 4 * _R6) / 30],
        [(-79 - 31 * _R6) / 150, (-1 - 4 * _R6) / 30, (24 + 11 * _R6) / 25],
        [(14 + 5 * _R6) / 6, (-8 + 7 * _R6) / 6, (-9 - 7 * _R6) / 4, (9 - _R6) / 4],
        [0.0, 0.0, (16 - _R6) / 36, (16 + _R6) / 36, 1 / 9],
    ]
)

_BH_DENSE = np.array([[float(w) for w in row] for row in smooth_weights([Fraction(w) for w in _BH[5]])])

# the fifth stage point, of order 2 and on the constraint like the end point, is the companion
BRASEY_HAIRER_4 = Scheme(
    "Brasey-Hairer 4(2)", 4, 2, Closure.NEXT_STAGE, _BH, np.append(_BH[5] - _BH[4], 0.0), _BH_DENSE, GENTLE
)
DORMAND_PRINCE_5 = _classical("Dormand-Prince 5(4)", "dopri54", QUICK)
BOGACKI_SHAMPINE_3 = _classical("Bogacki-Shampine 3(2)", "bs32", GENTLE)
CASH_KARP_5 = _classical("Cash-Karp 5(4)", "cashkarp54", QUICK)
