"""Interpolation of table columns on equally spaced nodes, as one cubic per interval.

Natural cubic splines in the moment representation: the second derivatives m_j solve

    m_(j-1) + 4 m_j + m_(j+1) = 6 (s_(j+1) - 2 s_j + s_(j-1)) / h^2,   m_0 = m_n = 0

and on the interval from node j, with t from 0 to 1,

    s = s_j + t (s_(j+1) - s_j - h^2 (2 m_j + m_(j+1))/6) + t^2 h^2 m_j/2 + t^3 h^2 (m_(j+1) - m_j)/6

Beyond the ends the outer cubics go on. Two nodes give a straight line, one node a constant. Sine and cosine of an
interpolated angle are cubics through its values and slopes at the nodes (`turned`).

Source: Hoffmann (2006), equation (2.25), for equal spacing.
"""

import numpy as np
from numpy.typing import NDArray

COEFFICIENTS = 4  # of t^0 .. t^3


def _solve(right: NDArray) -> NDArray:
    """Solution of c[k-1] + 4 c[k] + c[k+1] = right[k] in every column, c = 0 beyond the ends."""
    c = right.astype(float)
    factor = np.zeros(len(c) + 1)  # the last is that of the row before the first
    for k in range(len(c)):
        factor[k] = 1.0 / (4.0 - factor[k - 1])
        c[k] = (c[k] - (c[k - 1] if k else 0.0)) * factor[k]
    for k in range(len(c) - 2, -1, -1):
        c[k] -= factor[k] * c[k + 1]
    return c


def natural(values: NDArray) -> NDArray:
    """Coefficients [interval][power of t][column] of the natural spline through values[node][column]."""
    n = len(values)
    curvature = np.zeros_like(values)  # h^2 times the second derivative
    if n > 2:
        curvature[1:-1] = _solve(6.0 * np.diff(values, 2, axis=0))
    out = linear(values)
    if n > 1:
        out[:, 1] -= (2.0 * curvature[:-1] + curvature[1:]) / 6.0
        out[:, 2] = 0.5 * curvature[:-1]
        out[:, 3] = np.diff(curvature, axis=0) / 6.0
    return out


def linear(values: NDArray) -> NDArray:
    """As `natural`, straight lines from node to node."""
    out = np.zeros((max(len(values) - 1, 1), COEFFICIENTS, values.shape[1]))
    out[:, 0] = values[: len(out)]
    out[:, 1] = np.diff(values, axis=0) if len(values) > 1 else 0.0
    return out


def prolonged(cubics: NDArray, before: int, after: int) -> NDArray:
    """The same cubics with the outer ones going on for more intervals: they stand there as cubics of their own."""

    def moved(cubic: NDArray, d: float) -> NDArray:
        a, b, c, e = cubic
        return np.stack([a + d * (b + d * (c + d * e)), b + d * (2.0 * c + 3.0 * d * e), c + 3.0 * d * e, e])

    low = [moved(cubics[0], -float(k)) for k in range(before, 0, -1)]
    high = [moved(cubics[-1], float(k)) for k in range(1, after + 1)]
    return np.stack([*low, *cubics, *high])


def divided(cubics: NDArray, parts: int) -> NDArray:
    """The same cubics with every interval cut into equal parts."""
    begin = np.arange(parts) / parts
    a, b, c, e = (cubics[:, None, k] for k in range(COEFFICIENTS))
    d = begin.reshape(1, parts, *[1] * (cubics.ndim - 2))
    moved = (a + d * (b + d * (c + d * e)), b + d * (2.0 * c + 3.0 * d * e), c + 3.0 * d * e, e + 0.0 * d)
    scaled = [power / parts**k for k, power in enumerate(moved)]
    return np.stack(scaled, axis=2).reshape(-1, *cubics.shape[1:])


def turned(angle: NDArray, straight: bool = False) -> NDArray:
    """Sine and cosine [interval][power][2] of the angle with the cubics [interval][power], or their chords."""
    slope = angle[:, 1], angle[:, 1] + 2.0 * angle[:, 2] + 3.0 * angle[:, 3]
    ends = angle[:, 0], angle.sum(axis=1)
    (v0, v1), (d0, d1) = (
        [np.column_stack([np.sin(a), np.cos(a)]) for a in ends],
        [np.column_stack([np.cos(a), -np.sin(a)]) * s[:, None] for a, s in zip(ends, slope, strict=True)],
    )
    rise = v1 - v0
    if straight:
        return np.stack([v0, rise, 0.0 * rise, 0.0 * rise], axis=1)
    return np.stack([v0, d0, 3.0 * rise - 2.0 * d0 - d1, d0 + d1 - 2.0 * rise], axis=1)
