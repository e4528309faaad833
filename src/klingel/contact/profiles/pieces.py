"""Making curves: arcs, polynomials and splines as pieces, and moving, turning, mirroring and cutting them.

All operations are exact in the sense of `contact.profiles.curve`: they map coefficients, they do not sample.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import atan2, comb, pi

import numpy as np
from numpy.typing import NDArray

from klingel.contact.profiles.curve import COLUMNS, TERMS, Kind, Y, Z, evaluate_piece

Pieces = NDArray[np.float64]


def arc(centre: tuple[float, float], radius: float, start: float, end: float) -> Pieces:
    """Arc from angle `start` to `end` [rad], angles counted from +y towards +z."""
    row = np.zeros((1, COLUMNS))
    row[0, 0] = Kind.ARC
    row[0, Y : Y + 5] = centre[0], centre[1], radius, start, end - start
    return row


def arc_through(centre: tuple[float, float], radius: float, y_from: float, y_to: float, side: int) -> Pieces:
    """Arc z = centre_z + side sqrt(radius^2 - (y - centre_y)^2) from `y_from` to `y_to`."""
    angles = [atan2(side * np.sqrt(max(radius**2 - (y - centre[0]) ** 2, 0.0)), y - centre[0])
              for y in (y_from, y_to)]  # fmt: skip
    return arc(centre, radius, angles[0], angles[1])


def line(start: tuple[float, float], end: tuple[float, float]) -> Pieces:
    row = np.zeros((1, COLUMNS))
    row[0, :2] = Kind.POLYNOMIAL, 1
    row[0, Y : Y + 2] = start[0], end[0] - start[0]
    row[0, Z : Z + 2] = start[1], end[1] - start[1]
    return row


def polynomial(coefficients: Sequence[float], y_from: float, y_to: float) -> Pieces:
    """z = sum coefficients_k y^k from `y_from` to `y_to`.

    The polynomial is moved to the start of the interval in exact arithmetic: section C of the S1002 has terms
    of 1.7e5 mm that cancel to 5 mm.
    """
    row = np.zeros((1, COLUMNS))
    row[0, :2] = Kind.POLYNOMIAL, len(coefficients) - 1
    row[0, Y : Y + 2] = y_from, y_to - y_from
    start, width = Fraction(y_from), Fraction(y_to) - Fraction(y_from)
    exact = [Fraction(c) for c in coefficients]
    for k in range(len(exact)):
        moved = sum((exact[j] * comb(j, k) * start ** (j - k) for j in range(k, len(exact))), Fraction(0))
        row[0, Z + k] = float(moved * width**k)
    return row


def cubic_spline(knots: NDArray, y: NDArray, z: NDArray) -> Pieces:
    """Pieces of a parametric cubic; `y`, `z` of shape (4, n - 1) hold powers of (t - knot), highest first."""
    width = np.diff(knots)
    rows = np.zeros((width.size, COLUMNS))
    rows[:, :2] = Kind.POLYNOMIAL, 3
    for k in range(4):
        rows[:, Y + k] = y[3 - k] * width**k
        rows[:, Z + k] = z[3 - k] * width**k
    return rows


def join(*parts: Pieces) -> Pieces:
    return np.ascontiguousarray(np.vstack(parts))


def moved(pieces: Pieces, dy: float, dz: float) -> Pieces:
    out = pieces.copy()
    arcs = pieces[:, 0] == Kind.ARC
    out[:, Y] += dy
    out[arcs, Y + 1] += dz
    out[~arcs, Z] += dz
    return out


def scaled(pieces: Pieces, factor: float) -> Pieces:
    out = pieces.copy()
    arcs = pieces[:, 0] == Kind.ARC
    out[arcs, Y : Y + 3] *= factor
    out[~arcs, Y:] *= factor
    return out


def turned(pieces: Pieces, angle: float) -> Pieces:
    """Rotated about the origin by `angle` [rad] from +y towards +z."""
    c, s = np.cos(angle), np.sin(angle)
    out = pieces.copy()
    arcs = pieces[:, 0] == Kind.ARC
    out[arcs, Y] = c * pieces[arcs, Y] - s * pieces[arcs, Y + 1]
    out[arcs, Y + 1] = s * pieces[arcs, Y] + c * pieces[arcs, Y + 1]
    out[arcs, Y + 3] += angle
    y, z = pieces[~arcs, Y:Z], pieces[~arcs, Z:]
    out[~arcs, Y:Z] = c * y - s * z
    out[~arcs, Z:] = s * y + c * z
    return out


def flipped(pieces: Pieces) -> Pieces:
    """z changes sign; the direction of run stays."""
    out = pieces.copy()
    arcs = pieces[:, 0] == Kind.ARC
    out[arcs, Y + 1] *= -1.0
    out[arcs, Y + 3 : Y + 5] *= -1.0
    out[~arcs, Z:] *= -1.0
    return out


def mirrored(pieces: Pieces) -> Pieces:
    """y changes sign and the curve is run through backwards, so that y still grows."""
    out = pieces[::-1].copy()
    arcs = out[:, 0] == Kind.ARC
    out[arcs, Y] *= -1.0
    end = out[arcs, Y + 3] + out[arcs, Y + 4]
    out[arcs, Y + 3] = pi - end
    for i in np.flatnonzero(~arcs):
        out[i, Y:Z] = -_substituted(out[i, Y:Z], 1.0, -1.0)
        out[i, Z:] = _substituted(out[i, Z:], 1.0, -1.0)
    return out


def cut(pieces: Pieces, t_from: float, t_to: float) -> Pieces:
    """The part between two parameters."""
    first = min(int(t_from), len(pieces) - 1)
    last = max(int(np.ceil(t_to)) - 1, first)
    out = pieces[first : last + 1].copy()
    upper = t_to - last
    if upper < 1.0:
        _shorten(out[-1], 0.0, upper)
        lower = (t_from - first) / upper if last == first else t_from - first
    else:
        lower = t_from - first
    if lower > 0.0:
        _shorten(out[0], lower, 1.0)
    return out


def _shorten(row: NDArray, low: float, high: float) -> None:
    if row[0] == Kind.ARC:
        row[Y + 3] += row[Y + 4] * low
        row[Y + 4] *= high - low
        return
    row[Y:Z] = _substituted(row[Y:Z], low, high - low)
    row[Z:] = _substituted(row[Z:], low, high - low)


def _substituted(coefficients: NDArray, start: float, width: float) -> NDArray:
    """Coefficients in u of the polynomial in tau = start + width u."""
    out = np.zeros(TERMS)
    for k in range(TERMS):
        out[k] = width**k * sum(coefficients[j] * comb(j, k) * start ** (j - k) for j in range(k, TERMS))
    return out


def ends(pieces: Pieces) -> NDArray:
    """Points at the joints, shape (n + 1, 2); where two pieces do not quite meet, the earlier one counts."""
    points = [evaluate_piece(pieces, 0, 0.0)[:2]]
    points += [evaluate_piece(pieces, i, 1.0)[:2] for i in range(len(pieces))]
    return np.array(points)
