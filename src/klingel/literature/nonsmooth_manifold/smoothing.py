"""The admissible manifold smoothed in the three ways of Frischmuth (1995), section 3, along lines of equal roll.

- *Softabs* (or another blend of `soft_maximum`): the sections are folded one by one, from the outer tread to the
  flange, into h = soft_maximum(h, h^l).
- *Spline*: samples of h at (i nu, j nu/r0) in (s2, roll) are the coefficients of a bicubic spline on that grid
  (Schoenberg's spline: it keeps monotone slopes monotone, which interpolation does not).
- *Penetration*, postulate 3': the wheel sinks until its common part with the rail has a given volume V. At zero
  yaw a slice of the wheel of radius R overlaps the rail in a segment of a circle,

      V = integral A(L(eta) - s3, R) d eta,    A(d, R) = R^2 arccos(1 - d/R) - (R - d) sqrt(2 R d - d^2), d > 0,

  L as in `lift` (the depth is measured upright: exact at zero roll, to second order in roll otherwise). The slope
  is the mean of the slopes of the points within the patch, weighted by their chords dA/dd.
"""

from math import acos, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.profiles.curve import evaluate
from klingel.literature.nonsmooth_manifold.lift import attitude, gradient, lift_at
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend, soft_maximum
from klingel.literature.nonsmooth_manifold.wheel import Column, WheelManifold, section_top

FINE = 5e-5  # spacing of the points in which the volume is added up [m]
VOLUME_ROUNDS = 60  # of an iteration that needs six


@kernel
def _fold(pair, sections, blend, nu, shifts, roll, yaw, out):
    for i in range(shifts.size):
        q = attitude(shifts[i], roll, yaw)
        last = sections.shape[0] - 1
        point = section_top(pair, sections, last, q)
        height, slope = point.lift, gradient(point, q)[0]
        for k in range(last - 1, -1, -1):
            point = section_top(pair, sections, k, q)
            height, weight, _ = soft_maximum(blend, height, point.lift, nu)
            slope += weight * (gradient(point, q)[0] - slope)
        out[i, 0], out[i, 1] = height, slope


def softened(
    manifold: WheelManifold,
    shifts: ArrayLike,
    roll: float,
    nu: float,
    blend: Blend = Blend.SOFTABS,
    yaw: float = 0.0,
) -> NDArray:
    """Height [m] and slope dh/ds2 over the shifts with smoothing parameter `nu` [m], shape (n, 2)."""
    _check_positive("nu", nu)
    shifts = np.ascontiguousarray(shifts, float)
    out = np.empty((shifts.size, 2))
    _fold(manifold.pair, manifold.sections, blend, nu, shifts, roll, yaw, out)
    return out


def _basis(u: NDArray) -> tuple[NDArray, NDArray]:
    """The four cubic B-splines and their derivatives at the fraction u of a cell, shape (n, 4)."""
    v = 1.0 - u
    values = np.stack([v**3, 4 - 6 * u**2 + 3 * u**3, 4 - 6 * v**2 + 3 * v**3, u**3], axis=1) / 6
    slopes = np.stack([-3 * v**2, -12 * u + 9 * u**2, 12 * v - 9 * v**2, 3 * u**2], axis=1) / 6
    return values, slopes


def splined(manifold: WheelManifold, shifts: ArrayLike, roll: float, nu: float, yaw: float = 0.0) -> NDArray:
    """As `softened`, by the bicubic spline with knots `nu` [m] apart."""
    _check_positive("nu", nu)
    shifts = np.ascontiguousarray(shifts, float)
    step = nu / manifold.radius
    row = int(np.floor(roll / step))
    cell = np.floor(shifts / nu).astype(int)
    first = cell.min() - 1
    nodes = nu * np.arange(first, cell.max() + 3)
    samples = manifold.at(nodes, step * np.arange(row - 1, row + 3), yaw)[:, :, Column.HEIGHT]
    line = _basis(np.array([roll / step - row]))[0][0] @ samples
    values, slopes = _basis(shifts / nu - cell)
    four = line[(cell - 1 - first)[:, None] + np.arange(4)]
    return np.stack([(values * four).sum(axis=1), (slopes * four).sum(axis=1) / nu], axis=1)


@kernel
def _segment(depth, radius):
    """Area of a segment of a circle and its chord."""
    if depth <= 0.0:
        return 0.0, 0.0
    half = sqrt(depth * (2.0 * radius - depth))
    return radius * radius * acos(1.0 - depth / radius) - (radius - depth) * half, 2.0 * half


@kernel
def _sample_lifts(pair, low, high, q, table):
    """Rows (eta, L, R, slope) of the wheel from `low` to `high`; returns their number and the highest lift."""
    count, t, highest = 0, low, -inf
    while count < table.shape[0]:
        lift, slope, stretch = lift_at(pair, t, q)
        table[count, 0], table[count, 2] = evaluate(pair.wheel, t)[:2]
        table[count, 1], table[count, 3] = lift, slope
        highest = max(highest, lift)
        count += 1
        if t >= high:
            break
        t = min(t + FINE / stretch, high)
    return count, highest


@kernel
def _overlap(table, count, height):
    """Common volume, integral of the chords, and of the chords times the slopes, by the trapezoidal rule."""
    volume = rate = turn = 0.0
    area, chord = _segment(table[0, 1] - height, table[0, 2])
    for i in range(1, count):
        next_area, next_chord = _segment(table[i, 1] - height, table[i, 2])
        width = 0.5 * (table[i, 0] - table[i - 1, 0])
        volume += width * (area + next_area)
        rate += width * (chord + next_chord)
        turn += width * (chord * table[i - 1, 3] + next_chord * table[i, 3])
        area, chord = next_area, next_chord
    return volume, rate, turn


@kernel
def _sink(pair, high, volume, shifts, roll, table, out):
    """Heights at which the overlap has the given volume, and their slopes."""
    for i in range(shifts.size):
        q = attitude(shifts[i], roll, 0.0)
        count, highest = _sample_lifts(pair, 0.0, high, q, table)
        depth = 1e-5
        for _ in range(VOLUME_ROUNDS):
            found, rate, turn = _overlap(table, count, highest - depth)
            # the volume grows with the square of the depth, so Newton's iteration acts on its root
            step = 2.0 * (sqrt(volume * found) - found) / rate if found > 0.0 else depth
            depth += step
            out[i, 0], out[i, 1] = highest - depth, turn / rate
            if abs(step) <= 1e-14:
                break


def penetrated(manifold: WheelManifold, shifts: ArrayLike, roll: float, volume: float) -> NDArray:
    """As `softened`, with a common volume [m3] of wheel and rail instead of contact in points; zero yaw."""
    _check_positive("volume", volume)
    shifts = np.ascontiguousarray(shifts, float)
    out = np.empty((shifts.size, 2))
    _sink(manifold.pair, float(len(manifold.pair.wheel)), volume, shifts, roll, np.empty((8192, 4)), out)
    return out


def _check_positive(field: str, value: float) -> None:
    if not value > 0.0:
        raise InputError(field, value, "must be positive")
