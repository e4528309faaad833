"""Complete elliptic integrals by Bulirsch's descending Landen transformation.

    cel(kc, p, a, b) = integral from 0 to pi/2 of (a cos^2 t + b sin^2 t) /
                       ((cos^2 t + p sin^2 t) sqrt(cos^2 t + kc^2 sin^2 t)) dt

with kc the complementary modulus, any positive number: kc > 1 is a negative parameter m = 1 - kc^2, so
that an ellipse needs no sorting into major and minor axis. K = cel(kc, 1, 1, 1), E = cel(kc, 1, 1, kc^2).
All combinations used here have positive terms only: nothing cancels when the ellipse becomes a circle.

Reference: Bulirsch, Numer. Math. 13 (1969) 305; convergence is quadratic, four to seven turns.
"""

from math import pi, sqrt

from klingel._jit import kernel

TOLERANCE = 1e-9  # of the arithmetic-geometric mean; its square is the error of the integral


@kernel
def cel(kc, p, a, b):
    """General complete elliptic integral for kc > 0, p > 0."""
    e = kc
    m = 1.0
    p = sqrt(p)
    b = b / p
    while True:
        f = a
        a = b / p + a
        g = e / p
        b = 2.0 * (f * g + b)
        p = g + p
        g = m
        m = kc + m
        if abs(g - kc) <= TOLERANCE * g:
            return 0.5 * pi * (b + a * m) / (m * (m + p))
        kc = 2.0 * sqrt(e)
        e = kc * m


@kernel
def first_kind(kc):
    """K at the parameter 1 - kc^2."""
    return cel(kc, 1.0, 1.0, 1.0)


@kernel
def second_kind(kc):
    """E at the parameter 1 - kc^2."""
    return cel(kc, 1.0, 1.0, kc * kc)
