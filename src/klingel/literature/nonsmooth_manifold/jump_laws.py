"""Velocity after the crossing of a ridge: the three jump laws of Frischmuth (1995), section 3.

The constraint is n(y) . ydot = 0 with n = n- before and n = n+ after the ridge; W = m^-1 is the mobility, or, if
other constraints stay active, W = m^-1 - m^-1 N (N^T m^-1 N)^-1 N^T m^-1. With the unit vectors of the kinetic
metric e+- = W n+- / sqrt(n+- . W n+-), the angle alpha between them and the closing speed c = -(e+, v-) > 0:

=============  ======================================================  ==================================
law            velocity after                                          kinetic energy of the plane (e-, e+)
=============  ======================================================  ==================================
PLASTIC        v- + c e+                                               times cos^2 alpha
REGULARISED    (v- + c (e- + e+)/(1 + cos alpha)) times                times exp(-2 mu alpha cos beta)
               exp(-mu alpha cos beta)
POLAR_CONE     v- + a e- + (c - a cos alpha) e+,                       times (cos alpha + share (1 -
               a = share c/(1 + cos alpha), 0 <= share <= 1            cos alpha))^2
=============  ======================================================  ==================================

(a) The plastic impulse acts along n+ alone. (b) The regularised law is the limit of motions on smoothed
manifolds. There the normal turns from n- to n+ at a fixed position; without friction the impulse keeps the energy
and turns the part of v in the plane of the normals by alpha. Coulomb friction -mu |F_n| v/|v| only slows the
motion down: d|v| = -mu |v| cos beta d alpha, where |v| cos beta is the part in the plane (Lemma 2, Theorem 1).
(c) The polar cone {a e- + b e+, a >= 0, b >= 0} allows a family of impulses. Contact with the new branch leaves
one number free; `share` runs from the plastic law (0) to the largest one that does not create energy (1),
which is the regularised law without friction.

The signs are those of n = grad g pointing up; the paper prints the plastic law of its section 4 with -sin alpha.
"""

from enum import IntEnum
from math import asin, exp, sin, sqrt

from klingel._jit import kernel


class Law(IntEnum):
    PLASTIC, REGULARISED, POLAR_CONE = range(3)


@kernel
def form(matrix, a, b):
    """a . matrix b."""
    total = 0.0
    for i in range(a.size):
        for j in range(b.size):
            total += a[i] * matrix[i, j] * b[j]
    return total


@kernel
def turning(mobility, before, after):
    """Angle between two normals in the kinetic metric [rad]; accurate also when it is small."""
    scale_before = 1.0 / sqrt(form(mobility, before, before))
    scale_after = 1.0 / sqrt(form(mobility, after, after))
    chord = 0.0
    for i in range(before.size):
        for j in range(before.size):
            chord += (
                (after[i] * scale_after - before[i] * scale_before)
                * mobility[i, j]
                * (after[j] * scale_after - before[j] * scale_before)
            )
    return 2.0 * asin(min(0.5 * sqrt(max(chord, 0.0)), 1.0))


@kernel
def closing_speed(mobility, normal, v):
    """c = -(e, v): how fast the branch with this normal is approached."""
    total = 0.0
    for i in range(v.size):
        total -= normal[i] * v[i]
    return total / sqrt(form(mobility, normal, normal))


@kernel
def push(mobility, normal, amount, v):
    """v += amount e."""
    scale = amount / sqrt(form(mobility, normal, normal))
    for i in range(v.size):
        for j in range(v.size):
            v[i] += scale * mobility[i, j] * normal[j]


@kernel
def jump(law, number, speed, mobility, before, after, v):
    """Change `v` in place; returns the angle alpha and cos beta of the crossing.

    `number` is mu for the regularised law, the share for the polar cone; `speed` is |v| in the kinetic
    metric, needed for friction only. A velocity that does not close on the new branch stays as it is.
    """
    alpha = turning(mobility, before, after)
    closing = closing_speed(mobility, after, v)
    if closing <= 0.0 or alpha == 0.0:
        return alpha, 0.0
    cosine = 1.0 - 2.0 * sin(0.5 * alpha) ** 2
    cos_beta = closing / (sin(alpha) * speed)
    if law == Law.PLASTIC:
        push(mobility, after, closing, v)
        return alpha, cos_beta
    share = number if law == Law.POLAR_CONE else 1.0
    old = share * closing / (1.0 + cosine)
    push(mobility, before, old, v)
    push(mobility, after, closing - old * cosine, v)
    if law == Law.REGULARISED:
        factor = exp(-number * alpha * cos_beta)
        for i in range(v.size):
            v[i] *= factor
    return alpha, cos_beta


@kernel
def rest(mobility, before, after, v):
    """Inelastic impact on both branches: `v` is projected on the ridge, its part in the plane vanishes.

    The smallest change of velocity out of the polar cone if the normals stand at more than a right angle;
    otherwise the way into lasting double contact.
    """
    alpha = turning(mobility, before, after)
    closing = closing_speed(mobility, after, v)
    square = sin(alpha) ** 2
    if square > 0.0:
        push(mobility, before, -closing * (1.0 - 2.0 * sin(0.5 * alpha) ** 2) / square, v)
        push(mobility, after, closing / square, v)
