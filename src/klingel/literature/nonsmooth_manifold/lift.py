"""Lift of a wheel by one part of its tread: h(y, roll, yaw) with first and second derivatives.

A point of the wheel has the axial distance eta(t), the radius R(t) and the angle a round the axle; in space,
relative to the centre that is lifted,

    p = Rz(yaw) Rx(roll) (R sin a, eta, -R cos a).

The centre must stand at L = r(y + p_y) - p_z for this point to lie on the rail z = r(y), and

    h(y, roll, yaw) = max L(t, a; y, roll, yaw)    over a, and t in one section of the profile.

The maximum over a is explicit (the outline seen along the rail: A sin a + B cos a = C with A = cos(yaw),
B = -sin(yaw) sin(roll), C = -R'/eta' sin(yaw) cos(roll)); that over t is sought by going uphill from the best of
a few samples. At the maximum, with q = (y, roll, yaw) and u = (a, t), or u = a alone if t sits at an end of its
section,

    dh/dq = dL/dq,    D^2 h(w, w) = L_ww - L_wu L_uu^-1 L_uw    along a direction w of q.

Beyond its ends the rail is continued by its tangents, which are all but upright, so that every section has a
finite lift everywhere.
"""

from math import cos, inf, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from klingel._jit import kernel
from klingel.contact.profiles.curve import evaluate, height_at
from klingel.contact.profiles.pieces import Pieces, ends

SAMPLING = 1e-3  # of a section whose top is not known yet [m]
STRIDE = 2.5e-4  # first step uphill [m]
SLOPE_ZERO = 1e-15  # of the slope, relative to its terms
MOST_STEPS = 200
MOST_ROUNDS = 40  # of a fixed-point iteration that gains two digits per round


class Pair(NamedTuple):
    """A wheel above its rail, lateral distances outwards."""

    wheel: NDArray  # pieces: axial distance, radius [m]
    rail: NDArray  # pieces: lateral distance, height [m]
    breaks: NDArray  # lateral ends of the rail pieces [m]


class Attitude(NamedTuple):
    """Lateral position of the centre, cosine and sine of roll and yaw."""

    y: float  # [m]
    cr: float
    sr: float
    cy: float
    sy: float


class Top(NamedTuple):
    """Where a section touches."""

    t: float  # wheel parameter
    lift: float  # h [m]
    x: float  # contact point relative to the centre: forward [m]
    y: float  # lateral [m]
    z: float  # up [m]
    slope: float  # of the rail there, dr/dy
    ca: float  # cosine and sine of the angle round the axle, from the lowest point forwards
    sa: float
    inside: bool  # t is not at an end of its section


def build_pair(wheel: Pieces, rail: Pieces) -> Pair:
    return Pair(np.ascontiguousarray(wheel), np.ascontiguousarray(rail), np.ascontiguousarray(ends(rail)[:, 0]))


@kernel
def attitude(y, roll, yaw):
    return Attitude(y, cos(roll), sin(roll), cos(yaw), sin(yaw))


@kernel(inner=True)
def _rail(pair, y):
    """Height, slope and second derivative of the rail, with tangents beyond its ends."""
    inner = min(max(y, pair.breaks[0]), pair.breaks[-1])
    z, slope, bend = height_at(pair.rail, pair.breaks, inner)
    if inner != y:
        return z + slope * (y - inner), slope, 0.0
    return z, slope, bend


@kernel(inner=True)
def _round_the_axle(d_eta, d_radius, q):
    """Cosine and sine of the angle at which the normal of the wheel has no part along the rail."""
    if q.sy == 0.0:
        return 1.0, 0.0
    a, b, c = q.cy, -q.sy * q.sr, -d_radius / d_eta * q.sy * q.cr
    square = a * a + b * b
    root = sqrt(square - c * c)
    return (b * c + a * root) / square, (a * c - b * root) / square


@kernel(inner=True)
def _turned(eta, radius, ca, sa, q):
    """Point (radius sin a, eta, -radius cos a) turned by roll and yaw."""
    across, down = radius * sa, radius * ca
    y, z = eta * q.cr + down * q.sr, eta * q.sr - down * q.cr
    return across * q.cy - y * q.sy, across * q.sy + y * q.cy, z


@kernel(inner=True)
def _slope(pair, t, q):
    """dL/dt at the outline, and the size of its terms."""
    eta, radius, d_eta, d_radius, _, _ = evaluate(pair.wheel, t)
    ca, sa = _round_the_axle(d_eta, d_radius, q)
    _, y_p, _ = _turned(eta, radius, ca, sa, q)
    _, y_t, z_t = _turned(d_eta, d_radius, ca, sa, q)
    _, slope, _ = _rail(pair, q.y + y_p)
    return slope * y_t - z_t, abs(slope * y_t) + abs(z_t)


@kernel
def lift_at(pair, t, q):
    """L(t) of the outline, the slope of the rail below, and |d(eta, R)/dt|."""
    eta, radius, d_eta, d_radius, _, _ = evaluate(pair.wheel, t)
    ca, sa = _round_the_axle(d_eta, d_radius, q)
    _, y_p, z_p = _turned(eta, radius, ca, sa, q)
    z, slope, _ = _rail(pair, q.y + y_p)
    return z - z_p, slope, sqrt(d_eta * d_eta + d_radius * d_radius)


@kernel
def summit(pair, low, high, q):
    """Wheel parameter near the highest lift of the section [low, high]: the best of samples SAMPLING apart."""
    t, best, highest = low, low, -inf
    while True:
        lift, _, stretch = lift_at(pair, t, q)
        if lift > highest:
            best, highest = t, lift
        if t >= high:
            return best
        t = min(t + SAMPLING / stretch, high)


@kernel(inner=True)
def _uphill(pair, low, high, start, q):
    """Bracket of the first maximum uphill from `start`: (near, far, g_near, g_far); near = far at an end."""
    far = min(max(start, low), high)
    g_far, _ = _slope(pair, far, q)
    way = 1.0 if g_far > 0.0 else -1.0
    _, _, d_eta, d_radius, _, _ = evaluate(pair.wheel, far)
    step = STRIDE / sqrt(d_eta * d_eta + d_radius * d_radius)
    near, g_near = far, g_far
    for _ in range(MOST_STEPS):
        near, g_near = far, g_far
        far = min(max(near + way * step, low), high)
        if far == near:
            break
        g_far, _ = _slope(pair, far, q)
        if g_far * way <= 0.0:
            break
        step *= 1.5
    return near, far, g_near, g_far


@kernel
def climb(pair, low, high, start, q):
    """Wheel parameter in [low, high] of the maximum uphill from `start`, to rounding."""
    near, far, g_near, g_far = _uphill(pair, low, high, start, q)
    if near == far:
        return near
    kept = 0
    for count in range(MOST_STEPS):
        # Illinois; bisection where a corner of the profile makes it crawl
        t = (near * g_far - far * g_near) / (g_far - g_near)
        if count >= 40 or not min(near, far) < t < max(near, far):
            t = 0.5 * (near + far)
        g, size = _slope(pair, t, q)
        if abs(g) <= SLOPE_ZERO * size or abs(far - near) <= 4e-16 * max(abs(near), abs(far)):
            return t
        if g * g_near > 0.0:
            near, g_near = t, g
            g_far *= 0.5 if kept == 1 else 1.0
            kept = 1
        else:
            far, g_far = t, g
            g_near *= 0.5 if kept == -1 else 1.0
            kept = -1
    return 0.5 * (near + far)


@kernel(inner=True)
def _round_the_axle_at_end(pair, t, q):
    """Angle of the largest lift at fixed `t`, where the slopes of wheel and rail differ."""
    eta, radius, d_eta, d_radius, _, _ = evaluate(pair.wheel, t)
    ca, sa = _round_the_axle(d_eta, d_radius, q)
    if q.sy == 0.0:
        return ca, sa
    for _ in range(MOST_ROUNDS):
        _, slope, _ = _rail(pair, q.y + _turned(eta, radius, ca, sa, q)[1])
        along, across = q.cr + slope * q.sr * q.cy, slope * q.sy
        length = sqrt(along * along + across * across)
        old, ca, sa = sa, along / length, across / length
        if abs(sa - old) <= 1e-16:
            break
    return ca, sa


@kernel
def top(pair, low, high, start, q):
    """The touching point of the section [low, high] of the wheel, as a `Top`."""
    t = climb(pair, low, high, start, q)
    inside = low < t < high
    eta, radius, d_eta, d_radius, _, _ = evaluate(pair.wheel, t)
    ca, sa = _round_the_axle(d_eta, d_radius, q) if inside else _round_the_axle_at_end(pair, t, q)
    x_p, y_p, z_p = _turned(eta, radius, ca, sa, q)
    z, slope, _ = _rail(pair, q.y + y_p)
    return Top(t, z - z_p, x_p, y_p, z_p, slope, ca, sa, inside)


@kernel
def gradient(point, q):
    """dh/dy, dh/droll, dh/dyaw at a `Top`: a small turn of the wheel must keep the point on the rail."""
    roll_arm = q.cy * (point.y + point.slope * point.z) - q.sy * point.x
    return point.slope, -roll_arm, point.slope * point.x


@kernel
def bending(pair, point, q, w_y, w_roll, w_yaw):
    """D^2 h(w, w): second derivative of the lift along the direction w of (y, roll, yaw)."""
    eta, radius, d_eta, d_radius, dd_eta, dd_radius = evaluate(pair.wheel, point.t)
    _, slope, curve = _rail(pair, q.y + point.y)
    _, cr, sr, cy, sy = q
    ca, sa = point.ca, point.sa
    # the point before the turn by yaw, and its derivatives by a and t
    flat_y, flat_y_a, flat_y_t = eta * cr + radius * ca * sr, -radius * sa * sr, d_eta * cr + d_radius * ca * sr
    z_a, z_t = radius * sa * cr, d_eta * sr - d_radius * ca * cr
    y_a, y_t = radius * (ca * sy - sa * sr * cy), d_radius * sa * sy + flat_y_t * cy
    y_w = w_y - cy * point.z * w_roll + point.x * w_yaw
    # second derivatives along w, mixed, and by (a, t)
    y_ww = -cy * flat_y * w_roll * w_roll + 2.0 * sy * point.z * w_roll * w_yaw - point.y * w_yaw * w_yaw
    y_aw = -cy * z_a * w_roll + (radius * ca * cy - flat_y_a * sy) * w_yaw
    y_tw = -cy * z_t * w_roll + (d_radius * sa * cy - flat_y_t * sy) * w_yaw
    y_aa, z_aa = -radius * (sa * sy + ca * sr * cy), radius * ca * cr
    y_at, z_at = d_radius * (ca * sy - sa * sr * cy), d_radius * sa * cr
    y_tt = dd_radius * sa * sy + (dd_eta * cr + dd_radius * ca * sr) * cy
    z_tt = dd_eta * sr - dd_radius * ca * cr
    l_ww = curve * y_w * y_w + slope * y_ww + point.z * w_roll * w_roll
    l_aw = curve * y_a * y_w + slope * y_aw - flat_y_a * w_roll
    l_aa = curve * y_a * y_a + slope * y_aa - z_aa
    if not point.inside:
        return l_ww - l_aw * l_aw / l_aa
    l_tw = curve * y_t * y_w + slope * y_tw - flat_y_t * w_roll
    l_at = curve * y_a * y_t + slope * y_at - z_at
    l_tt = curve * y_t * y_t + slope * y_tt - z_tt
    determinant = l_aa * l_tt - l_at * l_at
    return l_ww - (l_tt * l_aw * l_aw - 2.0 * l_at * l_aw * l_tw + l_aa * l_tw * l_tw) / determinant
