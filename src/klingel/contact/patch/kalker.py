"""Kalker's creep coefficients C11, C22, C23, C33 of the linear theory of rolling contact.

They depend on the axis ratio a/b (a along rolling) and on Poisson's ratio. Three ranges:

=====================  =======================================================================
0.1 <= a/b <= 10       Kalker's table, exact at its nodes; between them ln C is a monotone cubic
                       (Fritsch-Carlson) in ln(a/b); in Poisson's ratio a parabola through 0, 1/4, 1/2
a/b < 0.1              Kalker's asymptotes for slender ellipses, times a factor that joins value and slope
b/a < 0.1              at the end of the table and fades like g (1 + const ln g), g = min(a/b, b/a); or, with
                       `Slender.HELD`, the values at the end of the table
=====================  =======================================================================

Asymptotes, a/b = g -> 0:  C11 = pi^2/(4(1-nu)),  C22 = pi^2/4,  C33 = pi^2/(16(1-nu)g),
C23 = pi sqrt(g)/(3(1-nu)) (1 + nu(ln(16/g) - 5)).  For b/a = g -> 0, L = ln(16/g^2):
C11 = 2 pi/((L-2nu)g) (1 + (3-ln 4)/(L-2nu)),  C22 = 2 pi/(M g) (1 + (1-nu)(3-ln 4)/M), M = (1-nu)L + 2nu,
C23 = 2 pi/(3 g^1.5 P), C33 = pi/4 (1 - nu(L-2)/P), P = (1-nu)L - 2 + 4nu.

One entry looks like a misprint and is kept: C11(a/b = 0.5, nu = 0.5) = 4.83, its neighbours suggest 4.86.

Reference: Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), table E3.
"""

from enum import StrEnum
from functools import cache
from math import exp, log, pi, sqrt
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel

POISSON = (0.0, 0.25, 0.5)  # columns of the table

# a/b or b/a, then C11, C22, C23, C33, each for the three ratios of Poisson
TABLE = np.array([
    [[2.51, 3.31, 4.85], [2.51, 2.52, 2.53], [0.334, 0.473, 0.731], [6.42, 8.28, 11.7]],  # a/b 0.1
    [[2.59, 3.37, 4.81], [2.59, 2.63, 2.66], [0.483, 0.603, 0.809], [3.46, 4.27, 5.66]],  # a/b 0.2
    [[2.68, 3.44, 4.8], [2.68, 2.75, 2.81], [0.607, 0.715, 0.889], [2.49, 2.96, 3.72]],  # a/b 0.3
    [[2.78, 3.53, 4.82], [2.78, 2.88, 2.98], [0.72, 0.823, 0.977], [2.02, 2.32, 2.77]],  # a/b 0.4
    [[2.88, 3.62, 4.83], [2.88, 3.01, 3.14], [0.827, 0.929, 1.07], [1.74, 1.93, 2.22]],  # a/b 0.5
    [[2.98, 3.72, 4.91], [2.98, 3.14, 3.31], [0.93, 1.03, 1.18], [1.56, 1.68, 1.86]],  # a/b 0.6
    [[3.09, 3.81, 4.97], [3.09, 3.28, 3.48], [1.03, 1.14, 1.29], [1.43, 1.5, 1.6]],  # a/b 0.7
    [[3.19, 3.91, 5.05], [3.19, 3.41, 3.65], [1.13, 1.25, 1.4], [1.34, 1.37, 1.42]],  # a/b 0.8
    [[3.29, 4.01, 5.12], [3.29, 3.54, 3.82], [1.23, 1.36, 1.51], [1.27, 1.27, 1.27]],  # a/b 0.9
    [[3.4, 4.12, 5.2], [3.4, 3.67, 3.98], [1.33, 1.47, 1.63], [1.21, 1.19, 1.16]],  # a/b 1.0
    [[3.51, 4.22, 5.3], [3.51, 3.81, 4.16], [1.44, 1.59, 1.77], [1.16, 1.11, 1.06]],  # b/a 0.9
    [[3.65, 4.36, 5.42], [3.65, 3.99, 4.39], [1.58, 1.75, 1.94], [1.1, 1.04, 0.954]],  # b/a 0.8
    [[3.82, 4.54, 5.58], [3.82, 4.21, 4.67], [1.76, 1.95, 2.18], [1.05, 0.965, 0.852]],  # b/a 0.7
    [[4.06, 4.78, 5.8], [4.06, 4.5, 5.04], [2.01, 2.23, 2.5], [1.01, 0.892, 0.751]],  # b/a 0.6
    [[4.37, 5.1, 6.11], [4.37, 4.9, 5.56], [2.35, 2.62, 2.96], [0.958, 0.819, 0.65]],  # b/a 0.5
    [[4.84, 5.57, 6.57], [4.84, 5.48, 6.31], [2.88, 3.24, 3.7], [0.912, 0.747, 0.549]],  # b/a 0.4
    [[5.57, 6.34, 7.34], [5.57, 6.4, 7.51], [3.79, 4.32, 5.01], [0.868, 0.674, 0.446]],  # b/a 0.3
    [[6.96, 7.78, 8.82], [6.96, 8.14, 9.79], [5.72, 6.63, 7.89], [0.828, 0.601, 0.341]],  # b/a 0.2
    [[10.7, 11.7, 12.9], [10.7, 12.8, 16.0], [12.2, 14.6, 18.0], [0.795, 0.526, 0.228]],  # b/a 0.1
])  # fmt: skip

# a/b of the rows
AXIS_RATIOS = np.concatenate([np.arange(1, 11) / 10.0, 10.0 / np.arange(9, 0, -1)])

_END = 0.1  # axis ratio g at which the asymptotes take over
_LAST = len(AXIS_RATIOS) - 1


class Slender(StrEnum):
    """Coefficients of ellipses more slender than those of the table, as in contact on a flange."""

    EXTRAPOLATED = "extrapolated"  # by the asymptotes
    HELD = "held"  # at the values at the end of the table


class Coefficients(NamedTuple):
    """F_x = -G c^2 C11 xi;  F_y = -G c^2 C22 eta - G c^3 C23 phi;  M_z = G c^3 C23 eta - G c^4 C33 phi."""

    c11: float
    c22: float
    c23: float
    c33: float


class KalkerTable(NamedTuple):
    """The table for one Poisson's ratio, ready for the kernel."""

    poisson: float
    nodes: np.ndarray  # [row][ln C11..C33, d ln C / d ln(a/b)]
    tails: np.ndarray  # [short, long ellipse][value and slope of ln(C/asymptote) at g = 0.1]


@kernel
def slender_across(g, nu):
    """Asymptotes for a/b = g -> 0: rolling across the long axis."""
    c23 = pi * sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (log(16.0 / g) - 5.0))
    return Coefficients(pi**2 / (4.0 * (1.0 - nu)), pi**2 / 4.0, c23, pi**2 / (16.0 * (1.0 - nu) * g))


@kernel
def slender_along(g, nu):
    """Asymptotes for b/a = g -> 0: rolling along the long axis."""
    big = log(16.0 / g**2)
    k = big - 2.0 * nu
    m = (1.0 - nu) * big + 2.0 * nu
    p = (1.0 - nu) * big - 2.0 + 4.0 * nu
    c11 = 2.0 * pi / (k * g) * (1.0 + (3.0 - log(4.0)) / k)
    c22 = 2.0 * pi / (m * g) * (1.0 + (1.0 - nu) * (3.0 - log(4.0)) / m)
    return Coefficients(c11, c22, 2.0 * pi / (3.0 * g * sqrt(g) * p), 0.25 * pi * (1.0 - nu * (big - 2.0) / p))


@cache
def prepare(poisson: float) -> KalkerTable:
    """Nodes, slopes and tails for one Poisson's ratio."""
    from scipy.interpolate import PchipInterpolator  # slow to load, and most starts find their tables made

    if not 0.0 <= poisson <= 0.5:
        raise InputError("poisson", poisson, "must lie between 0 and 0.5")
    nu = poisson
    weights = np.array([8.0 * (nu - 0.25) * (nu - 0.5), -16.0 * nu * (nu - 0.5), 8.0 * nu * (nu - 0.25)])
    x = np.log(AXIS_RATIOS)
    values = np.log(TABLE @ weights)
    slopes = np.asarray(PchipInterpolator(x, values).derivative()(x))
    tails = np.empty((2, 8))
    for tail, row, direction, asymptote in ((0, 0, 1.0, slender_across), (1, _LAST, -1.0, slender_along)):
        step = 1e-4
        low, mid, high = (np.log(asymptote(_END * exp(s), nu)) for s in (-step, 0.0, step))
        tails[tail, :4] = values[row] - mid
        tails[tail, 4:] = direction * slopes[row] - (high - low) / (2.0 * step)
    return KalkerTable(float(nu), np.hstack([values, slopes]), tails)


@kernel
def _row(a_over_b):
    """Number of the table interval that holds a/b."""
    if a_over_b < 1.0:
        return min(max(int(10.0 * a_over_b) - 1, 0), 8)
    return min(max(_LAST - int(10.0 / a_over_b), 9), _LAST - 1)


@kernel
def _between(nodes, row, h, t, j):
    """Cubic Hermite interpolation of column j."""
    d0 = h * nodes[row, j + 4]
    d1 = h * nodes[row + 1, j + 4]
    rise = nodes[row + 1, j] - nodes[row, j]
    return exp(nodes[row, j] + t * (d0 + t * (3.0 * rise - 2.0 * d0 - d1 + t * (d0 + d1 - 2.0 * rise))))


@kernel
def _faded(tail, x, j):
    """Factor on the asymptote; x = ln(g/0.1) < 0."""
    return exp(exp(x) * (tail[j] + (tail[j + 4] - tail[j]) * x))


@kernel
def coefficients(a_over_b, table):
    """Kalker's coefficients at the axis ratio a/b for a prepared table."""
    if a_over_b < _END:
        base = slender_across(a_over_b, table.poisson)
        tail, x = table.tails[0], log(a_over_b / _END)
    elif a_over_b > 1.0 / _END:
        base = slender_along(1.0 / a_over_b, table.poisson)
        tail, x = table.tails[1], -log(a_over_b * _END)
    else:
        row = _row(a_over_b)
        h = log(AXIS_RATIOS[row + 1] / AXIS_RATIOS[row])
        t = log(a_over_b / AXIS_RATIOS[row]) / h
        n = table.nodes
        return Coefficients(
            _between(n, row, h, t, 0),
            _between(n, row, h, t, 1),
            _between(n, row, h, t, 2),
            _between(n, row, h, t, 3),
        )
    return Coefficients(
        base.c11 * _faded(tail, x, 0),
        base.c22 * _faded(tail, x, 1),
        base.c23 * _faded(tail, x, 2),
        base.c33 * _faded(tail, x, 3),
    )


def kalker(a_over_b: float, poisson: float, slender: str = Slender.EXTRAPOLATED) -> Coefficients:
    """Coefficients for any positive axis ratio; meant and tested for 0.01 <= a/b <= 100."""
    if not a_over_b > 0.0:
        raise InputError("a_over_b", a_over_b, "must be a positive axis ratio")
    return coefficients(_looked_up(float(a_over_b), slender), prepare(float(poisson)))


def _looked_up(a_over_b: float, slender: str) -> float:
    return min(max(a_over_b, _END), 1.0 / _END) if slender == Slender.HELD else a_over_b
