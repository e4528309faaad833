"""Plane curves made of arcs and polynomials: what every profile is compiled to.

A curve is a table `pieces`, one row per piece, and is run through by one parameter `t` from 0 to the number
of pieces: piece `i` holds `t = i + tau`, `0 <= tau <= 1`, and

==========  =============================================  ===========================================
kind        point                                          row after [kind, degree]
==========  =============================================  ===========================================
ARC         centre + radius (cos a, sin a),                centre_y, centre_z, radius, start, sweep
            a = start + sweep tau
POLYNOMIAL  y = sum b_k tau^k, z = sum c_k tau^k, k <= 8   b_0 .. b_8, c_0 .. c_8
==========  =============================================  ===========================================

Both kinds stay in their kind under rotation, mirroring, scaling and cutting, so a tilted rail is still exact.
Slope and curvature do not depend on the parameter; only `t` is measured differently from piece to piece.
"""

from enum import IntEnum
from math import acos, copysign, pi, sin

import numpy as np

from klingel._jit import kernel


class Kind(IntEnum):
    ARC, POLYNOMIAL = range(2)


TERMS = 9  # the longest polynomial in use is section B of the S1002, of degree 8
Y = 2  # first column of the y-coefficients; an arc begins here too
Z = Y + TERMS
COLUMNS = Z + TERMS
BEYOND = 0.5  # how far a polynomial piece is continued, in its own length
MAX_NEWTON = 60  # of a safeguarded iteration that needs three or four


@kernel
def evaluate(pieces, t):
    """Point, first and second derivative with respect to `t`: (y, z, dy, dz, ddy, ddz)."""
    i = min(max(int(t), 0), pieces.shape[0] - 1)
    return evaluate_piece(pieces, i, t - i)


@kernel
def evaluate_piece(pieces, i, tau):
    """As `evaluate`, on piece `i` continued analytically beyond its ends."""
    if int(pieces[i, 0]) == Kind.ARC:
        radius, sweep = pieces[i, Y + 2], pieces[i, Y + 4]
        angle = pieces[i, Y + 3] + sweep * tau
        along, across = radius * np.cos(angle), radius * np.sin(angle)
        return (
            pieces[i, Y] + along,
            pieces[i, Y + 1] + across,
            -sweep * across,
            sweep * along,
            -(sweep**2) * along,
            -(sweep**2) * across,
        )
    y = z = dy = dz = ddy = ddz = 0.0
    for k in range(int(pieces[i, 1]), -1, -1):
        ddy = ddy * tau + 2.0 * dy
        ddz = ddz * tau + 2.0 * dz
        dy = dy * tau + y
        dz = dz * tau + z
        y = y * tau + pieces[i, Y + k]
        z = z * tau + pieces[i, Z + k]
    return y, z, dy, dz, ddy, ddz


@kernel(allocates=True)  # also taken of whole arrays
def curvature(dy, dz, ddy, ddz):
    """Curvature [1/m], positive where the curve bends towards +z as y grows."""
    return (dy * ddz - dz * ddy) / (dy * dy + dz * dz) ** 1.5


@kernel
def piece_at(breaks, y):
    """Index of the piece of a curve with growing y that holds `y`; the end pieces reach to infinity."""
    low, high = 0, breaks.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if y < breaks[middle]:
            high = middle
        else:
            low = middle
    return low


@kernel
def parameter_at(pieces, i, y):
    """Local parameter of the point with abscissa `y` on piece `i`, which must have growing y."""
    if int(pieces[i, 0]) == Kind.ARC:
        ratio = (y - pieces[i, Y]) / pieces[i, Y + 2]
        start, sweep = pieces[i, Y + 3], pieces[i, Y + 4]
        middle = start + 0.5 * sweep
        angle = copysign(acos(min(max(ratio, -1.0), 1.0)), sin(middle))
        angle += 2.0 * pi * np.round((middle - angle) / (2.0 * pi))
        return (angle - start) / sweep
    if pieces[i, 1] == 1 or _linear_in_y(pieces, i):
        return (y - pieces[i, Y]) / pieces[i, Y + 1]
    return _invert_polynomial(pieces, i, y)


@kernel
def _linear_in_y(pieces, i):
    bent = 0.0
    for k in range(2, int(pieces[i, 1]) + 1):
        bent += abs(pieces[i, Y + k])
    return bent == 0.0


@kernel
def _invert_polynomial(pieces, i, y):
    """Newton with bisection as a fence; y grows from tau = 0 to tau = 1, and a little beyond."""
    low, high = -BEYOND, 1.0 + BEYOND
    tau = min(max((y - pieces[i, Y]) / _rise(pieces, i), low), high)
    for _ in range(MAX_NEWTON):
        value = slope = 0.0
        for k in range(int(pieces[i, 1]), -1, -1):
            slope = slope * tau + value
            value = value * tau + pieces[i, Y + k]
        miss = value - y
        if miss > 0.0:
            high = tau
        else:
            low = tau
        step = tau - miss / slope
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - tau) <= 1e-15:
            return step
        tau = step
    return tau


@kernel
def _rise(pieces, i):
    total = 0.0
    for k in range(1, int(pieces[i, 1]) + 1):
        total += pieces[i, Y + k]
    return total


@kernel
def height_at(pieces, breaks, y):
    """z, slope dz/dy and second derivative d2z/dy2 at abscissa `y` of a curve with growing y."""
    i = piece_at(breaks, y)
    return height_on(pieces, i, y)


@kernel
def height_on(pieces, i, y):
    """As `height_at`, on piece `i` continued analytically beyond its ends."""
    _, z, dy, dz, ddy, ddz = evaluate_piece(pieces, i, parameter_at(pieces, i, y))
    return z, dz / dy, (ddz * dy - dz * ddy) / dy**3


@kernel
def sample(pieces, t, out):
    """Rows y, z, dy, dz, ddy, ddz of `out` at the parameters `t`."""
    for k in range(t.size):
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4], out[k, 5] = evaluate(pieces, t[k])
