"""Explicit Runge-Kutta schemes for index-2 systems.

Two ways to find the multiplier z of y' = f(y, z), 0 = g(y) stage by stage:

`Closure.NEXT_STAGE` (Brasey and Hairer 1993)
    z_i is chosen such that the *next* stage point satisfies g(Y_(i+1)) = 0, the last one the end point. Needs
    coefficients that fulfil extra order conditions.
`Closure.DERIVATIVE`
    z_i is chosen such that the derivative of g along f vanishes at Y_i; the end point is projected on
    g = 0. Any explicit scheme keeps its order, and z has the order of y.

`error` weighs the stage derivatives to an estimate of lower order; `fsal` says that the last stage is
evaluated at the end point and serves as the first of the next step.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

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
    a: np.ndarray  # [stages + 1, stages]; the last row gives the end point
    error: np.ndarray
    fsal: bool
    control: tuple[
        float, float
    ]  # of the present and the last error in the step controller, times 1/(error order + 1)

    @property
    def c(self) -> np.ndarray:
        return self.a.sum(axis=1)


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

# the fifth stage point, of order 2 and on the constraint like the end point, is the companion
BRASEY_HAIRER_4 = Scheme("Brasey-Hairer 4(2)", 4, 2, Closure.NEXT_STAGE, _BH, _BH[5] - _BH[4], False, GENTLE)

_DP = _matrix(
    [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0],
    ]
)
_DP_ERROR = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
DORMAND_PRINCE_5 = Scheme("Dormand-Prince 5(4)", 5, 4, Closure.DERIVATIVE, _DP, _DP_ERROR, True, QUICK)

_BS = _matrix([[1 / 2], [0.0, 3 / 4], [2 / 9, 1 / 3, 4 / 9], [2 / 9, 1 / 3, 4 / 9, 0.0]])
_BS_ERROR = np.array([-5 / 72, 1 / 12, 1 / 9, -1 / 8])
BOGACKI_SHAMPINE_3 = Scheme("Bogacki-Shampine 3(2)", 3, 2, Closure.DERIVATIVE, _BS, _BS_ERROR, True, GENTLE)

_CK = _matrix(
    [
        [1 / 5],
        [3 / 40, 9 / 40],
        [3 / 10, -9 / 10, 6 / 5],
        [-11 / 54, 5 / 2, -70 / 27, 35 / 27],
        [1631 / 55296, 175 / 512, 575 / 13824, 44275 / 110592, 253 / 4096],
        [37 / 378, 0.0, 250 / 621, 125 / 594, 0.0, 512 / 1771],
    ]
)
_CK_ERROR = _CK[6] - np.array([2825 / 27648, 0.0, 18575 / 48384, 13525 / 55296, 277 / 14336, 1 / 4])
CASH_KARP_5 = Scheme("Cash-Karp 5(4)", 5, 4, Closure.DERIVATIVE, _CK, _CK_ERROR, False, QUICK)

SCHEMES = (BRASEY_HAIRER_4, DORMAND_PRINCE_5, BOGACKI_SHAMPINE_3, CASH_KARP_5)
