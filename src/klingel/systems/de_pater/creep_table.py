"""Tabulated creep law f(a/b, alpha, zeta, chi), equation (6-15), smooth at zero creep.

The forces over mu N depend on the axis ratio and on three numbers: the linear forces over mu N,

    tau_x = G c^2 C11 v_x/(mu N),  tau_y = G c^2 C22 v_y/(mu N),  tau_s = G c^3 C23 phi/(mu N)

which are de Pater's zeta cos(alpha), zeta sin(alpha) and chi, each times Kalker's coefficient and the same factor
3 (1 - nu) E/(4 pi sqrt(g)). With tau = |(tau_x, tau_y)| and alpha its direction they are expanded as

    f = sum_k m^e c_k(m, sigma) (cos or sin)(k alpha),   m = tau/sqrt(4 + tau^2),  sigma = tau_s/sqrt(4 + tau_s^2)

e = 0, 1, 2, 3, 2, 3, … Mirror symmetry leaves for f_x the cosines of odd and the sines of even k, for f_y the
others. c_k is even in m, and with the sign of tau_s reversed even k change sign: both are used by the
cubic (Catmull-Rom) interpolation, so that the law is continuously differentiable, also at zero creep and at zero
spin, and pure creep far beyond saturation is exact (k = 1 alone). The multilinear `contact.fastsim_table` has
kinks where the creep vanishes, at the very state about which a wheelset is linearised.

Values at the nodes are FASTSIM's. The axis ratio enters as one table for each value that occurs: arcs rolling on arcs
keep it.
"""

from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.contact.fastsim import normalised

HARMONICS = 6
TERMS = HARMONICS + 1
SIZES, SPINS = 33, 25  # nodes of m and sigma, from 0 to 1
ANGLES = 32  # directions of creep at which FASTSIM is asked
STRIPS, CELLS = 24, 24  # its grid
ROW = 2 * TERMS  # numbers of a node: f_x, f_y
SIZE = SIZES * SPINS * ROW
NEARLY_ALL = 1.0 - 1e-5  # m and sigma that stand for infinite creep and spin
NEARLY_NOTHING = 1e-4  # m that stands for zero creep


@kernel(inner=True)
def _power(m, k):
    if k == 0:
        return 1.0
    if k == 1:
        return m
    return m * m if k % 2 == 0 else m * m * m


@kernel
def fill(table, ratio):
    """Values at all nodes of table[size][spin][f_x, f_y][harmonic] for a/b = ratio."""
    for i in range(SIZES):
        m = min(max(i / (SIZES - 1.0), NEARLY_NOTHING), NEARLY_ALL)
        tau = 2.0 * m / sqrt(1.0 - m * m)
        for j in range(SPINS):
            sigma = min(j / (SPINS - 1.0), NEARLY_ALL)
            spin = 4.0 * sigma / sqrt(1.0 - sigma * sigma)  # k_s = 2 tau_s
            for k in range(TERMS):
                table[i, j, 0, k] = table[i, j, 1, k] = 0.0
            for n in range(ANGLES):
                angle = 2.0 * pi * n / ANGLES
                scale = 3.0 * pi / 16.0 * tau
                fx, fy, _, _ = normalised(
                    scale * cos(angle), scale * sin(angle), spin / ratio, spin, STRIPS, CELLS
                )
                for k in range(TERMS):
                    weight = (1.0 if k == 0 else 2.0) / (ANGLES * _power(m, k))
                    odd = k % 2 == 1
                    table[i, j, 0, k] += weight * fx * (cos(k * angle) if odd else sin(k * angle))
                    table[i, j, 1, k] += weight * fy * (sin(k * angle) if odd else cos(k * angle))
    # higher harmonics are too small to be divided by the powers of m = 0: even functions begin flat
    for j in range(SPINS):
        for k in range(2, TERMS):
            table[0, j, 0, k] = table[1, j, 0, k]
            table[0, j, 1, k] = table[1, j, 1, k]


@cache
def creep_table(ratio: float) -> np.ndarray:
    """The table of one axis ratio a/b."""
    table = np.empty((SIZES, SPINS, 2, TERMS))
    fill(table, ratio)
    table.flags.writeable = False
    return table


@kernel(inner=True)
def _weight(x, n):
    """Catmull-Rom weight of node n = 0..3, for 0 <= x <= 1 between nodes 1 and 2."""
    if n == 0:
        return 0.5 * x * (x * (2.0 - x) - 1.0)
    if n == 1:
        return 0.5 * (x * x * (3.0 * x - 5.0) + 2.0)
    if n == 2:
        return 0.5 * x * (x * (4.0 - 3.0 * x) + 1.0)
    return 0.5 * x * x * (x - 1.0)


@kernel(inner=True)
def _weight_rate(x, n):
    """Derivative of `_weight`."""
    if n == 0:
        return 0.5 * (x * (4.0 - 3.0 * x) - 1.0)
    if n == 1:
        return 0.5 * x * (9.0 * x - 10.0)
    if n == 2:
        return 0.5 * (x * (8.0 - 9.0 * x) + 1.0)
    return 0.5 * x * (3.0 * x - 2.0)


@kernel(inner=True)
def _cell(x, nodes):
    """Interval and place in it of a coordinate between 0 and 1."""
    at = x * (nodes - 1.0)
    i = min(int(at), nodes - 2)
    return i, at - i


@kernel(inner=True)
def _along_size(p, first, i, x, spin, entry):
    """Interpolate one number over m on the nodes of one spin."""
    total = 0.0
    for n in range(4):
        node, w = abs(i + n - 1), _weight(x, n)
        if node == SIZES:  # beyond infinite creep: a straight line
            last = first + (SIZES - 1) * SPINS * ROW + spin * ROW + entry
            total += w * (2.0 * p[last] - p[last - SPINS * ROW])
        else:
            total += w * p[first + (node * SPINS + spin) * ROW + entry]
    return total


@kernel(inner=True)
def _coefficient(p, first, i, x, j, y, entry, rate):
    """c_k, or its derivative with respect to the place y between two spins."""
    even = (entry % TERMS) % 2 == 0
    total = 0.0
    for n in range(4):
        spin = j + n - 1
        w = _weight_rate(y, n) if rate else _weight(y, n)
        if spin < 0 and even:
            w = -w
        if spin == SPINS:
            one = _along_size(p, first, i, x, SPINS - 1, entry)
            total += w * (2.0 * one - _along_size(p, first, i, x, SPINS - 2, entry))
        else:
            total += w * _along_size(p, first, i, x, abs(spin), entry)
    return total


@kernel
def lookup(p, first, tau_x, tau_y, tau_s):
    """f_x, f_y from the table that begins at p[first]; never above 1 together."""
    tau = sqrt(tau_x * tau_x + tau_y * tau_y)
    m = tau / sqrt(4.0 + tau * tau)
    i, x = _cell(m, SIZES)
    j, y = _cell(abs(tau_s) / sqrt(4.0 + tau_s * tau_s), SPINS)
    c1 = tau_x / tau if tau > 0.0 else 1.0
    s1 = tau_y / tau if tau > 0.0 else 0.0
    c, s = 1.0, 0.0
    fx = fy = 0.0
    for k in range(TERMS):
        odd = k % 2 == 1
        scale = _power(m, k) * (-1.0 if tau_s < 0.0 and not odd else 1.0)
        fx += scale * (c if odd else s) * _coefficient(p, first, i, x, j, y, k, False)
        fy += scale * (s if odd else c) * _coefficient(p, first, i, x, j, y, TERMS + k, False)
        c, s = c * c1 - s * s1, s * c1 + c * s1
    size = sqrt(fx * fx + fy * fy)
    return (fx / size, fy / size) if size > 1.0 else (fx, fy)


@kernel
def slopes(p, first, tau_s):
    """At zero creep: f_y and its derivative by tau_s, d f_x/d tau_x, d f_y/d tau_y; tau_s >= 0."""
    j, y = _cell(tau_s / sqrt(4.0 + tau_s * tau_s), SPINS)
    rate = (SPINS - 1.0) * 4.0 / (4.0 + tau_s * tau_s) ** 1.5
    return (
        _coefficient(p, first, 0, 0.0, j, y, TERMS, False),
        rate * _coefficient(p, first, 0, 0.0, j, y, TERMS, True),
        0.5 * _coefficient(p, first, 0, 0.0, j, y, 1, False),
        0.5 * _coefficient(p, first, 0, 0.0, j, y, TERMS + 1, False),
    )
