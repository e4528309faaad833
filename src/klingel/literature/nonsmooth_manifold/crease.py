"""Unit mass on a crease: the surface z = max(h1(x, y), h2(x, y)) of two quadratic sheets, sharp or smoothed.

    ydd = f + lambda n - mu |lambda n| v/|v|,    n = (-h_x, -h_y, 1),    lambda = (D^2 h(v, v) + g)/|n|^2

Contact is permanent, so lambda may have either sign. With h1 = a1 x, h2 = a2 x the crease is the plane test curve
of Frischmuth (1995), section 4, times a line; with curved sheets it is the smallest surface on which his
lemmas are not trivial.

=======  ==========================  ==================================================================
mode     surface                     ways out
=======  ==========================  ==================================================================
FIRST    h1                          sharp: h1 - h2 falls to 0: jump law, then SECOND
                                     smoothed: h1 - h2 falls to the reach of the blend: SMOOTH
SECOND   h2                          as FIRST, with h2 - h1
SMOOTH   soft maximum of h1, h2      |h1 - h2| rises to the reach of the blend: FIRST or SECOND
=======  ==========================  ==================================================================

The edge of a blend is an event like any other: along a straight flank steps grow without bound, and an
integrator that is not told would step over a narrow blend without noticing the ridge at all.

A run stops where x reaches `end`. States: x, y, their speeds, and the length of the path.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import atan, copysign, cos, inf, isfinite, isnan, sin, sqrt

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature.nonsmooth_manifold.jump_laws import Law, jump
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend, reach, soft_maximum_inside
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

STATES = ("x", "y", "x_dot", "y_dot", "path")
TERMS = 5  # of a sheet: a, b, c, d, e
REFUSED = 1  # by the right-hand side where a blend cannot be continued


class Mode(IntEnum):
    FIRST, SECOND, SMOOTH = range(3)


class P(IntEnum):
    """Places in the parameter array."""

    FRICTION, GRAVITY, END, LAW, NUMBER, BLEND, NU, WIDTH = range(8)
    SHEETS = 8  # two sheets of TERMS each
    MASS = 18  # unit mobility, 3 by 3
    SCRATCH = 27  # two normals and a velocity
    SIZE = 36


@dataclass(frozen=True)
class Sheet:
    """h = a x + b y + (c x^2 + 2 d x y + e y^2)/2."""

    a: float = 0.0  # [-]
    b: float = 0.0  # [-]
    c: float = 0.0  # [1/m]
    d: float = 0.0  # [1/m]
    e: float = 0.0  # [1/m]


@dataclass(frozen=True)
class Crease:
    first: Sheet
    second: Sheet
    friction: float = 0.0  # mu [-]
    gravity: float = 0.0  # g [m/s2]
    end: float = inf  # x at which a run stops [m]

    def __post_init__(self) -> None:
        if not (isfinite(self.friction) and self.friction >= 0.0):
            raise InputError("friction", self.friction, "must be a number, not negative")
        if self.first == self.second:
            raise InputError("second", self.second, "must differ from the first sheet")


def wedge(before: float, after: float, **options: float) -> Crease:
    """The plane test curve: straight flanks at the angles `before` < `after` to the x-axis [rad]."""
    if not -1.5 < before < after < 1.5:
        raise InputError("angles", (before, after), "must rise and stay within 1.5 rad of the x-axis")
    return Crease(Sheet(float(np.tan(before))), Sheet(float(np.tan(after))), **options)


@kernel(inner=True)
def _sheet(p, at, x, y, vx, vy):
    """Height, slopes, and the second derivative along the velocity."""
    a, b, c, d, e = p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4]
    value = a * x + b * y + 0.5 * (c * x * x + e * y * y) + d * x * y
    return value, a + c * x + d * y, b + d * x + e * y, c * vx * vx + 2.0 * d * vx * vy + e * vy * vy


@kernel
def surface(p, mode, x, y, vx, vy):
    """Height, slopes and second derivative along the velocity of the surface the mode stands for."""
    if mode != Mode.SMOOTH:
        return _sheet(p, P.SHEETS + TERMS * mode, x, y, vx, vy)
    h1, x1, y1, bend1 = _sheet(p, P.SHEETS, x, y, vx, vy)
    h2, x2, y2, bend2 = _sheet(p, P.SHEETS + TERMS, x, y, vx, vy)
    value, weight, sharpness = soft_maximum_inside(int(p[P.BLEND]), h1, h2, p[P.NU])
    rate = (x2 - x1) * vx + (y2 - y1) * vy
    return (
        value,
        x1 + weight * (x2 - x1),
        y1 + weight * (y2 - y1),
        bend1 + weight * (bend2 - bend1) + sharpness * rate * rate,
    )


@kernel
def lead(p, x, y):
    """h2 - h1 [m]."""
    return _sheet(p, P.SHEETS + TERMS, x, y, 0.0, 0.0)[0] - _sheet(p, P.SHEETS, x, y, 0.0, 0.0)[0]


@kernel
def speed(p, mode, state):
    """Speed in space [m/s]."""
    vx, vy = state[2], state[3]
    _, slope_x, slope_y, _ = surface(p, mode, state[0], state[1], vx, vy)
    return sqrt(vx * vx + vy * vy + (slope_x * vx + slope_y * vy) ** 2)


@kernel(signature=RHS)
def _rhs(t, x, memory, mode, p, dx):
    vx, vy = x[2], x[3]
    _, slope_x, slope_y, bend = surface(p, mode[0], x[0], x[1], vx, vy)
    if isnan(bend):
        return REFUSED
    square = 1.0 + slope_x * slope_x + slope_y * slope_y
    force = (bend + p[P.GRAVITY]) / square
    v = sqrt(vx * vx + vy * vy + (slope_x * vx + slope_y * vy) ** 2)
    drag = p[P.FRICTION] * abs(force) * sqrt(square) / v if v > 0.0 else 0.0
    dx[0], dx[1] = vx, vy
    dx[2] = -force * slope_x - drag * vx
    dx[3] = -force * slope_y - drag * vy
    dx[4] = v
    return 0


@kernel(signature=GUARDS)
def _guards(t, x, memory, mode, p, g):
    difference = lead(p, x[0], x[1])
    low, high = difference + p[P.WIDTH], difference - p[P.WIDTH]
    g[0] = g[1] = inf
    if mode[0] != Mode.SECOND:
        g[0] = low if mode[0] == Mode.SMOOTH else -low
    if mode[0] != Mode.FIRST:
        g[1] = -high if mode[0] == Mode.SMOOTH else high
    g[2] = p[P.END] - x[0]


@kernel(inner=True)
def _cross(p, mode, x, mobility, before, after, v):
    """Jump law at a ridge, from sheet `mode` to the other one."""
    _, slope_x, slope_y, _ = surface(p, mode, x[0], x[1], 0.0, 0.0)
    before[0], before[1], before[2] = -slope_x, -slope_y, 1.0
    v[0], v[1], v[2] = x[2], x[3], slope_x * x[2] + slope_y * x[3]
    _, slope_x, slope_y, _ = surface(p, 1 - mode, x[0], x[1], 0.0, 0.0)
    after[0], after[1], after[2] = -slope_x, -slope_y, 1.0
    jump(int(p[P.LAW]), p[P.NUMBER], speed(p, mode, x), mobility, before, after, v)
    x[2], x[3] = v[0], v[1]


@kernel(signature=ACT, allocates=True)
def _act(t, x, memory, mode, p, fired):
    if fired[0] or fired[1]:
        if mode[0] == Mode.SMOOTH:
            mode[0] = Mode.FIRST if fired[0] else Mode.SECOND
        elif p[P.WIDTH] > 0.0:
            mode[0] = Mode.SMOOTH
        else:
            before, after = p[P.SCRATCH : P.SCRATCH + 3], p[P.SCRATCH + 3 : P.SCRATCH + 6]
            v = p[P.SCRATCH + 6 : P.SCRATCH + 9]
            _cross(p, mode[0], x, p[P.MASS : P.MASS + 9].reshape(3, 3), before, after, v)
            mode[0] = 1 - mode[0]
    return 1 if fired[2] else 0


def sharp(crease: Crease, law: Law, share: float = 0.0) -> HybridProblem:
    """Motion on the crease itself, with jumps; starts on the first sheet."""
    if not 0.0 <= share <= 1.0:
        raise InputError("share", share, "must lie between 0 and 1")
    number = crease.friction if law == Law.REGULARISED else share
    return _problem(crease, Mode.FIRST, [law, number, Blend.SOFTABS, 1.0, 0.0])


def smoothed(crease: Crease, blend: Blend, nu: float) -> HybridProblem:
    """Motion on the smoothed surface with smoothing parameter `nu` [m]; starts on the first sheet's side."""
    if not nu > 0.0:
        raise InputError("nu", nu, "must be positive")
    mode = Mode.SMOOTH if blend == Blend.SOFTABS else Mode.FIRST
    return _problem(crease, mode, [Law.REGULARISED, 0.0, blend, nu, nu * reach(blend)])


def _problem(crease: Crease, mode: Mode, settings: list[float]) -> HybridProblem:
    p = np.zeros(P.SIZE)
    p[: P.SHEETS] = [crease.friction, crease.gravity, crease.end, *settings]
    for i, s in enumerate((crease.first, crease.second)):
        p[P.SHEETS + TERMS * i : P.SHEETS + TERMS * (i + 1)] = s.a, s.b, s.c, s.d, s.e
    p[P.MASS : P.MASS + 9] = np.eye(3).ravel()
    return HybridProblem(
        _rhs,
        p,
        STATES,
        guards=_guards,
        act=_act,
        guard_names=("first edge", "second edge", "end"),
        guard_owner=(0, 0, -1),
        mode_names=("sheet",),
        mode_types=(Mode,),
        mode=np.array([mode], np.int8),
    )


def start(crease: Crease, x: float, y: float, v: float, beta: float) -> np.ndarray:
    """State on the first sheet with speed `v` [m/s] in space, at the angle `beta` [rad] to the (x, z)-plane."""
    slope = crease.first.a + crease.first.c * x + crease.first.d * y
    across = crease.first.b + crease.first.d * x + crease.first.e * y
    # unit vectors of the tangent plane: along x, and the one perpendicular to it
    theta = atan(slope)
    square = 1.0 + slope**2 + across**2
    side = np.array([-slope * across, 1.0 + slope**2]) / np.sqrt((1.0 + slope**2) * square)
    forward = copysign(1.0, v) * cos(theta)
    return np.array(
        [x, y, abs(v) * (cos(beta) * forward + sin(beta) * side[0]), abs(v) * sin(beta) * side[1], 0.0]
    )
