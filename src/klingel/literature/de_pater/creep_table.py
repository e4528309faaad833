"""Tabulated creep law f(a/b, alpha, zeta, chi), equation (6-15), smooth at zero creep.

The forces over mu N depend on the axis ratio and on three numbers: the linear forces over mu N,

    tau_x = G c^2 C11 v_x/(mu N),  tau_y = G c^2 C22 v_y/(mu N),  tau_s = G c^3 C23 phi/(mu N)

which are de Pater's zeta cos(alpha), zeta sin(alpha) and chi, each times Kalker's coefficient and the same
factor 3 (1 - nu) E/(4 pi sqrt(g)). With tau = |(tau_x, tau_y)| and alpha its direction they are expanded as

    f = sum_k m^e c_k(m, sigma) (cos or sin)(k alpha),   m = tau/(2 + tau),  sigma = tau_s/(2 + tau_s)

e = 0, 1, 2, 2, 2, … Mirror symmetry leaves for f_x the cosines of odd and the sines of even k, for f_y the
others; for negative spin even k change sign. c_k is interpolated by cubics (Catmull-Rom), c_0 with zero slope
at m = 0. So the law is continuously differentiable where the creep vanishes and the spin does not, and pure
creep far beyond saturation has the direction of the slip (k = 1 alone). The multilinear `creep.fastsim_table`
has kinks where the creep vanishes, at the very state about which a wheelset is linearised.

Error against a fine FASTSIM in parts of mu N, tau and tau_s up to 10: below 0.2 % for tau_s < 0.6, below 1 %
beyond; on slender ellipses up to 3 % where tau is twice tau_s or more, and next to tau_s = 1, where the leading
edge begins to slip all at once.

Values at the nodes are FASTSIM's. The axis ratio enters as one table for each value that occurs: arcs rolling
on arcs keep it.
"""

from functools import cache
from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from klingel._jit import kernel
from klingel.contact.creep.fastsim import normalised

HARMONICS = 8
TERMS = HARMONICS + 1
SIZES, SPINS = 41, 41  # nodes of m and sigma, from 0 to 1
HALF = 2.0  # tau and tau_s at the middle node; treads have less, flanges more
QUARTER = 8  # directions of creep in a quarter circle at which FASTSIM is asked
STRIPS, CELLS = 28, 28  # its grid
ROW = 2 * TERMS  # numbers of a node: f_x, f_y
SIZE = SIZES * SPINS * ROW
NEARLY_ALL = 1.0 - 1e-5  # m and sigma that stand for infinite creep and spin
NEARLY_NOTHING = 1e-4  # m that stands for zero creep


@kernel(inner=True)
def _power(m, k):
    if k == 0:
        return 1.0
    return m if k == 1 else m * m


@kernel
def fill(table, ratio):
    """Values at all nodes of table[size][spin][f_x, f_y][harmonic] for a/b = ratio."""
    for i in range(SIZES):
        m = min(max(i / (SIZES - 1.0), NEARLY_NOTHING), NEARLY_ALL)
        scale = 3.0 * pi / 16.0 * HALF * m / (1.0 - m)
        for j in range(SPINS):
            sigma = min(j / (SPINS - 1.0), NEARLY_ALL)
            spin = 2.0 * HALF * sigma / (1.0 - sigma)  # k_s = 2 tau_s
            for k in range(TERMS):
                table[i, j, 0, k] = table[i, j, 1, k] = 0.0
            # the half circle of forward creep; the other half is its mirror image
            for n in range(-QUARTER, QUARTER + 1):
                angle = 0.5 * pi * n / QUARTER
                fx, fy, _, _ = normalised(
                    scale * cos(angle), scale * sin(angle), spin / ratio, spin, STRIPS, CELLS
                )
                for k in range(TERMS):
                    weight = (0.5 if k == 0 else 1.0) / (QUARTER * _power(m, k))
                    if abs(n) == QUARTER:
                        weight *= 0.5
                    odd = k % 2 == 1
                    table[i, j, 0, k] += weight * fx * (cos(k * angle) if odd else sin(k * angle))
                    table[i, j, 1, k] += weight * fy * (sin(k * angle) if odd else cos(k * angle))
    # higher harmonics are too small to be divided by the powers of m = 0: extrapolated
    for j in range(SPINS):
        for n in range(2):
            for k in range(2, TERMS):
                table[0, j, n, k] = 3.0 * (table[1, j, n, k] - table[2, j, n, k]) + table[3, j, n, k]


@cache
def creep_table(ratio: float) -> np.ndarray:
    """The table of one axis ratio a/b."""
    table = np.empty((SIZES, SPINS, 2, TERMS))
    fill(table, ratio)
    table.flags.writeable = False
    return table


class Stencil(NamedTuple):
    """Weights of four neighbouring nodes."""

    begin: int
    a: float
    b: float
    c: float
    d: float


@kernel(inner=True)
def _stencil(at, nodes, flat, rate):
    """Catmull-Rom weights at a place between 0 and 1; `rate`: of the derivative, per interval.

    Beyond the ends the values lie on the parabola through the last three, or mirrored at 0 if `flat`.
    """
    j = min(int(at * (nodes - 1.0)), nodes - 2)
    x = at * (nodes - 1.0) - j
    if rate:
        a, b = 0.5 * (x * (4.0 - 3.0 * x) - 1.0), 0.5 * x * (9.0 * x - 10.0)
        c, d = 0.5 * (x * (8.0 - 9.0 * x) + 1.0), 0.5 * x * (3.0 * x - 2.0)
    else:
        a, b = 0.5 * x * (x * (2.0 - x) - 1.0), 0.5 * (x * x * (3.0 * x - 5.0) + 2.0)
        c, d = 0.5 * x * (x * (4.0 - 3.0 * x) + 1.0), 0.5 * x * x * (x - 1.0)
    if j == 0:
        return Stencil(0, b, c + a, d, 0.0) if flat else Stencil(0, b + 3.0 * a, c - 3.0 * a, d + a, 0.0)
    if j == nodes - 2:
        return Stencil(nodes - 4, 0.0, a + d, b - 3.0 * d, c + 3.0 * d)
    return Stencil(j - 1, a, b, c, d)


@kernel(inner=True)
def _row_sum(p, at, w):
    return w.a * p[at] + w.b * p[at + ROW] + w.c * p[at + 2 * ROW] + w.d * p[at + 3 * ROW]


@kernel(inner=True)
def _coefficient(p, first, size, spin, entry):
    """One number at a place of the table."""
    step = SPINS * ROW
    at = first + size.begin * step + spin.begin * ROW + entry
    return (
        size.a * _row_sum(p, at, spin)
        + size.b * _row_sum(p, at + step, spin)
        + size.c * _row_sum(p, at + 2 * step, spin)
        + size.d * _row_sum(p, at + 3 * step, spin)
    )


@kernel
def lookup(p, first, tau_x, tau_y, tau_s):
    """f_x, f_y from the table that begins at p[first]; never above 1 together."""
    tau = sqrt(tau_x * tau_x + tau_y * tau_y)
    m = tau / (HALF + tau)
    spin = _stencil(abs(tau_s) / (HALF + abs(tau_s)), SPINS, False, False)
    size = _stencil(m, SIZES, False, False)
    reverse = -1.0 if tau_s < 0.0 else 1.0
    c1 = tau_x / tau if tau > 0.0 else 1.0
    s1 = tau_y / tau if tau > 0.0 else 0.0
    c, s = c1, s1
    fx = 0.0
    fy = reverse * _coefficient(p, first, _stencil(m, SIZES, True, False), spin, TERMS)
    for k in range(1, TERMS):
        x = _power(m, k) * _coefficient(p, first, size, spin, k)
        y = _power(m, k) * _coefficient(p, first, size, spin, TERMS + k)
        if k % 2 == 1:
            fx += x * c
            fy += y * s
        else:
            fx += reverse * x * s
            fy += reverse * y * c
        c, s = c * c1 - s * s1, s * c1 + c * s1
    length = sqrt(fx * fx + fy * fy)
    return (fx / length, fy / length) if length > 1.0 else (fx, fy)


@kernel
def slopes(p, first, tau_s):
    """At zero creep: f_y and its derivative by tau_s, d f_x/d tau_x, d f_y/d tau_y; tau_s >= 0."""
    at = tau_s / (HALF + tau_s)
    spin, spin_rate = _stencil(at, SPINS, False, False), _stencil(at, SPINS, False, True)
    zero = _stencil(0.0, SIZES, True, False)
    rate = (SPINS - 1.0) * HALF / (HALF + tau_s) ** 2
    return (
        _coefficient(p, first, zero, spin, TERMS),
        rate * _coefficient(p, first, zero, spin_rate, TERMS),
        _coefficient(p, first, zero, spin, 1) / HALF,
        _coefficient(p, first, zero, spin, TERMS + 1) / HALF,
    )
