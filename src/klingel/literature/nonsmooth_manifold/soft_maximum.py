"""Smoothed maximum of two numbers: max(a, b) = (a + b)/2 + |a - b|/2 with |d| replaced by a smooth A(d, nu).

==============  ============================================================  =========================
blend           A(d, nu), u = |d|/nu                                          source
==============  ============================================================  =========================
SOFTABS         2/pi (d arctan(d/nu) - nu/2 ln(1 + d^2/nu^2))                 Frischmuth (1995), sec. 3
SPLINE          nu (u^2 - u^3/3 + 1/3) for u <= 1, |d| beyond                 below
PENETRATION     -sqrt(2 nu^2 - d^2) for u <= 1, |d| - 2 nu beyond             below
INTERPOLATING   cubic spline through |d| at the knots k nu                    below
==============  ============================================================  =========================

SPLINE is the cubic spline with knots k nu whose coefficients are the samples |k| nu (Schoenberg's variation
diminishing spline); A'' is a hat function of width nu. PENETRATION is postulate 3' of the paper for two bodies
of equal curvature: the volume cut off a paraboloid at depth p is proportional to p^2, so that
(a - s)^2 + (b - s)^2 = nu^2, where a depth counts only if it is positive, gives the position s.

All but the last have a slope A' that rises monotonously from -1 to 1. The last overshoots by 27 % at every knot
spacing: its slopes at the knots are 1 - (-1)^k (2 - sqrt 3)^k. It is here to show what the class of
admissible smoothings must exclude.
"""

from enum import IntEnum
from math import atan, copysign, inf, log1p, nan, pi, sqrt

from klingel._jit import kernel


class Blend(IntEnum):
    SOFTABS, SPLINE, PENETRATION, INTERPOLATING = range(4)


DECAY = 2.0 - sqrt(3.0)  # of the slope errors of the interpolating spline, per knot
KNOTS = 16  # to each side of the interpolating spline; beyond them its slope is 1 to 1e-9


@kernel
def reach(blend):
    """|d|/nu beyond which the slope A' is -1 or 1."""
    if blend == Blend.SOFTABS:
        return inf
    return float(KNOTS) if blend == Blend.INTERPOLATING else 1.0


@kernel
def soft_abs(blend, d, nu):
    """A(d, nu) and its first two derivatives with respect to d."""
    if abs(d) < reach(blend) * nu:
        return soft_abs_inside(blend, d, nu)
    offset = 2.0 * nu if blend == Blend.PENETRATION else 0.0
    return abs(d) - offset, copysign(1.0, d), 0.0


@kernel
def soft_abs_inside(blend, d, nu):
    """As `soft_abs` within its reach, continued analytically beyond (PENETRATION up to sqrt 2 nu, else nan)."""
    u = abs(d) / nu
    if blend == Blend.SOFTABS:
        angle = atan(d / nu)
        return 2.0 / pi * (d * angle - 0.5 * nu * log1p(u * u)), 2.0 / pi * angle, 2.0 / (pi * nu * (1.0 + u * u))
    if blend == Blend.SPLINE:
        value = nu * (u * u - u**3 / 3.0 + 1.0 / 3.0)
        return value, copysign(2.0 * u - u * u, d), 2.0 * (1.0 - u) / nu
    if blend == Blend.PENETRATION:
        if u * u >= 2.0:
            return nan, nan, nan
        root = sqrt(2.0 - u * u)
        return -nu * root, d / (nu * root), 2.0 / (nu * root**3)
    return _interpolating(d, u, nu)


@kernel
def _interpolating(d, u, nu):
    """Hermite cubic of the cell that holds u, between knots with values k and slopes from the recurrence."""
    k = int(u)
    tau = u - k
    error = -((-DECAY) ** k)
    start, end = 1.0 + error, 1.0 - DECAY * error
    # value k + tau start + tau^2 b + tau^3 c, which ends in k + 1 with slope `end`
    b = 3.0 - 2.0 * start - end
    c = start + end - 2.0
    return (
        nu * (k + tau * (start + tau * (b + tau * c))),
        copysign(start + tau * (2.0 * b + 3.0 * tau * c), d),
        (2.0 * b + 6.0 * tau * c) / nu,
    )


@kernel
def soft_maximum(blend, a, b, nu):
    """Smoothed max(a, b), the weight of b in it (its derivative with respect to b), and the second derivative.

    The derivative with respect to a is one minus the weight; the second one is with respect to b - a.
    """
    value, slope, bend = soft_abs(blend, b - a, nu)
    return 0.5 * (a + b) + 0.5 * value, 0.5 + 0.5 * slope, 0.5 * bend


@kernel
def soft_maximum_inside(blend, a, b, nu):
    """As `soft_maximum` within the reach of the blend, continued analytically beyond."""
    value, slope, bend = soft_abs_inside(blend, b - a, nu)
    return 0.5 * (a + b) + 0.5 * value, 0.5 + 0.5 * slope, 0.5 * bend
