"""Minimum-distance search: where a wheel in a given attitude first meets the rail below it.

For each point of the wheel the height is found to which the middle of the axle must be lifted for that point
to lie on the rail; the wheel touches where this lift is largest. The search is coarse to fine: the lift is
looked up at samples a quarter of a millimetre apart; near the highest the slopes of the exact curves are
compared, and every interval in which the lift has a maximum within `window` of the highest is refined.

With yaw the wheel is replaced by its outline seen along the rail. A point of the wheel surface with axial
distance eta, radius R and direction u (unit, perpendicular to the axle e) has the normal u d(eta) - e dR; it
belongs to the outline where the normal has no component along the rail:

    u = d cos(a) + f sin(a),   A sin(a) + B cos(a) = C,
    A = cos(yaw), B = -sin(yaw) sin(roll), C = -(dR/d eta) sin(yaw) cos(roll),

with f the horizontal direction perpendicular to the axle and d pointing down. Contact on a prismatic rail is
contact of the outline with the rail profile, exactly.
"""

from enum import IntEnum
from math import asin, atan2, cos, inf, nan, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from klingel._jit import kernel
from klingel.contact.profiles.curve import evaluate, height_at
from klingel.contact.profiles.pieces import Pieces, ends

SPACING = 2.5e-4  # of the wheel samples [m]
RAIL_STEP = 1e-4  # of the rail heights used in the coarse pass [m]
COARSE_ERROR = 2e-5  # what the coarse lift may miss at a flange: 3e-6 between samples, 3e-6 by the heights [m]
MOST_POINTS = 8  # contact candidates kept per wheel


class Status(IntEnum):
    FOUND, EDGE, OFF_RAIL, NO_ROLL = range(4)


@kernel
def worse(a, b):
    return b if a == Status.FOUND else a


class Side(NamedTuple):
    """One wheel above its rail, in outward coordinates, and a sampled copy of both."""

    wheel: NDArray  # pieces: axial distance, radius [m]
    samples: NDArray  # columns t, eta, R, d eta/dt, dR/dt
    rail: NDArray  # pieces: lateral distance, height [m]
    breaks: NDArray  # lateral ends of the rail pieces [m]
    heights: NDArray  # of the rail every RAIL_STEP from breaks[0] on [m]
    lifts: NDArray  # scratch: coarse lift at the samples [m]


def build_side(wheel: Pieces, rail: Pieces) -> Side:
    parameters = []
    for i in range(len(wheel)):
        fine = np.array([evaluate(wheel, i + value)[:2] for value in np.linspace(0.0, 1.0 - 1e-12, 65)])
        count = max(int(np.ceil(np.hypot(*np.diff(fine, axis=0).T).sum() / SPACING)), 2)
        parameters.append(i + np.arange(count) / count)
    t = np.append(np.concatenate(parameters), float(len(wheel)))
    samples = np.array([(value, *evaluate(wheel, value)[:4]) for value in t])
    breaks = np.ascontiguousarray(ends(rail)[:, 0])
    y = breaks[0] + RAIL_STEP * np.arange(int(np.ceil(np.ptp(breaks) / RAIL_STEP)) + 1)
    heights = np.array([height_at(rail, breaks, min(value, breaks[-1]))[0] for value in y])
    return Side(np.ascontiguousarray(wheel), samples, rail, breaks, heights, np.empty(t.size))


@kernel
def outline(eta, radius, d_eta, d_radius, roll, yaw):
    """Outline point relative to the middle of the axle and its tangent: (x, y, z, tangent_y, tangent_z)."""
    cr, sr = cos(roll), sin(roll)
    if yaw == 0.0:
        y, z = eta * cr + radius * sr, eta * sr - radius * cr
        return 0.0, y, z, d_eta * cr + d_radius * sr, d_eta * sr - d_radius * cr
    cy, sy = cos(yaw), sin(yaw)
    ratio = -d_radius * sy * cr / (d_eta * sqrt(cy * cy + (sy * sr) ** 2))
    if not abs(ratio) < 1.0:
        return nan, nan, nan, nan, nan  # so steep that no point of this circle is on the outline
    a = asin(ratio) - atan2(-sy * sr, cy)
    ca, sa = cos(a), sin(a)
    ux, uy, uz = -ca * sy * sr + sa * cy, ca * cy * sr + sa * sy, -ca * cr
    x, y, z = -eta * sy * cr + radius * ux, eta * cy * cr + radius * uy, eta * sr + radius * uz
    return x, y, z, -(uz * d_eta - sr * d_radius), uy * d_eta - cy * cr * d_radius


@kernel
def _lift(side, t, y, roll, yaw):
    """Exact lift of the axle for wheel parameter `t`, slope of the lift, arm of the lift under roll."""
    eta, radius, d_eta, d_radius, _, _ = evaluate(side.wheel, t)
    _, yw, zw, ty, tz = outline(eta, radius, d_eta, d_radius, roll, yaw)
    at = y + yw
    if not side.breaks[0] <= at <= side.breaks[-1]:
        return -inf, nan, nan
    zr, slope, _ = height_at(side.rail, side.breaks, at)
    return zr - zw, slope * ty - tz, yw + slope * zw


@kernel
def _refine(side, low, high, g_low, g_high, y, roll, yaw):
    """Parameter in [low, high] where the slope g of the lift falls through zero: Illinois, then bisection."""
    kept = 0
    for count in range(200):
        t = (low * g_high - high * g_low) / (g_high - g_low)
        if count >= 20 or not low < t < high:
            t = 0.5 * (low + high)
        g = _lift(side, t, y, roll, yaw)[1]
        if g == 0.0 or not low < t < high:
            return t
        if g > 0.0:
            low, g_low = t, g
            g_high *= 0.5 if kept == 1 else 1.0
            kept = 1
        else:
            high, g_high = t, g
            g_low *= 0.5 if kept == -1 else 1.0
            kept = -1
        if high - low < 1e-14 * max(high, 1.0):
            return 0.5 * (low + high)
    return 0.5 * (low + high)


@kernel
def _scan(side, y, roll, yaw):
    """Coarse pass: lift at all samples; first and last sample above the rail and the highest one."""
    first, last, best = -1, -1, -1
    start, count = side.breaks[0], side.heights.size
    for k in range(side.samples.shape[0]):
        _, yw, zw, _, _ = outline(
            side.samples[k, 1], side.samples[k, 2], side.samples[k, 3], side.samples[k, 4], roll, yaw
        )
        at = (y + yw - start) / RAIL_STEP
        if not 0.0 <= at < count - 1:  # beside the rail, or no outline here
            side.lifts[k] = -inf
            continue
        i = int(at)
        part = at - i
        side.lifts[k] = side.heights[i] + part * (side.heights[i + 1] - side.heights[i]) - zw
        first = k if first < 0 else first
        last = k
        best = k if best < 0 or side.lifts[k] > side.lifts[best] else best
    return first, last, best


@kernel
def touch(side, y, roll, yaw, window, out):
    """All maxima of the lift within `window` of the highest, sorted; rows of `out`: lift, parameter, arm.

    Returns their number and a `Status`. `y` is the lateral position of the middle of the axle, outwards.
    """
    first, last, best = _scan(side, y, roll, yaw)
    if best < 0:
        return 0, Status.OFF_RAIL
    count, floor = 0, side.lifts[best] - window - COARSE_ERROR
    before, slope_before = -1, nan  # the sample before this one, if it too is near the top
    for k in range(first, last + 1):
        if side.lifts[k] < floor:
            continue
        t = side.samples[k, 0]
        _, slope, _ = _lift(side, t, y, roll, yaw)
        if before == k - 1 and slope_before > 0.0 and slope <= 0.0:
            peak = _refine(side, side.samples[before, 0], t, slope_before, slope, y, roll, yaw)
            lift, _, arm = _lift(side, peak, y, roll, yaw)
            count = _insert(out, count, lift, peak, arm)
        before, slope_before = k, slope
    if count == 0 or out[0, 0] < side.lifts[best] - 1e-6:
        return count, Status.EDGE
    while out[count - 1, 0] < out[0, 0] - window:
        count -= 1
    return count, Status.FOUND


@kernel
def _insert(out, count, lift, t, arm):
    """Keep `out` sorted by lift, highest first, without doubles; returns the new count."""
    for k in range(count):
        if abs(out[k, 1] - t) < 1e-9:
            return count
    k = min(count, out.shape[0] - 1)
    if count == out.shape[0] and lift <= out[k, 0]:
        return count
    while k > 0 and out[k - 1, 0] < lift:
        out[k, 0], out[k, 1], out[k, 2] = out[k - 1, 0], out[k - 1, 1], out[k - 1, 2]
        k -= 1
    out[k, 0], out[k, 1], out[k, 2] = lift, t, arm
    return min(count + 1, out.shape[0])
