"""Exact event-to-event solution of the impact oscillator: the reference of its tests.

In every mode the equation is m x'' = c - K x + A cos(omega t) with constant c and K, so

    x(s) = c/K + A/(K - m omega^2) cos(omega (t0 + s)) + a cos(W s) + b sin(W s),   W^2 = K/m,  s = t - t0.

Events are roots of such sums. They are bracketed on a grid much finer than the shortest period; a cell whose
ends agree in sign but in which the derivative changes sign is cut there, so that a double crossing is seen.
Each root is then narrowed to rounding of the time. Nothing here uses the package's integrator or elements.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, inf, pi, sin, sqrt

import numpy as np
from scipy.optimize import brentq

STICK, SLIP_POS, SLIP_NEG = "stick", "slip+", "slip-"
ROOT = 1e-15  # width of the final bracket in local time [s]


@dataclass(frozen=True)
class Numbers:
    """Appendix B.1 of Hoffmann (2006); the resting speed is ours."""

    m: float = 1000.0
    k: float = 4 * 40e3
    k1: float = 10 * 40e3
    k2: float = 2 * 40e3
    limit: float = 0.08 * 40e3
    gap: float = 0.015
    wall: float = 0.020
    force: float = 10e3
    omega: float = 3 * pi
    restitution: float = 0.9
    resting_speed: float = 1e-4


@dataclass(frozen=True)
class Piece:
    """One smooth stretch of the motion, from t0 on."""

    t0: float
    friction: str
    band: int  # -1, 0, +1
    resting: bool
    anchor: float
    centre: float
    forced: float
    omega: float
    natural: float
    a: float
    b: float

    def x(self, s):
        if self.resting:
            return self.centre
        w, o = self.natural * s, self.omega * (self.t0 + s)
        return self.centre + self.forced * cos(o) + self.a * cos(w) + self.b * sin(w)

    def v(self, s):
        if self.resting:
            return 0.0
        w, o = self.natural * s, self.omega * (self.t0 + s)
        return -self.forced * self.omega * sin(o) + self.natural * (self.b * cos(w) - self.a * sin(w))

    def acceleration(self, s):
        w, o = self.natural * s, self.omega * (self.t0 + s)
        return -self.forced * self.omega**2 * cos(o) - self.natural**2 * (self.a * cos(w) + self.b * sin(w))

    def jerk(self, s):
        w, o = self.natural * s, self.omega * (self.t0 + s)
        return self.forced * self.omega**3 * sin(o) - self.natural**3 * (self.b * cos(w) - self.a * sin(w))


@dataclass
class Solution:
    pieces: list[Piece] = field(default_factory=list)
    events: list[tuple[float, str]] = field(default_factory=list)
    impact_speeds: list[float] = field(default_factory=list)

    def _at(self, t):
        starts = [piece.t0 for piece in self.pieces]
        return [self.pieces[bisect_right(starts, time) - 1] for time in t]

    def x(self, t):
        return np.array([piece.x(time - piece.t0) for piece, time in zip(self._at(t), t, strict=True)])

    def v(self, t):
        return np.array([piece.v(time - piece.t0) for piece, time in zip(self._at(t), t, strict=True)])


def make_piece(n, t0, x, v, friction, band, resting, anchor):
    """Constants of the closed form through x, v at t0."""
    stiffness, constant = n.k, 0.0
    if friction == STICK:
        stiffness += n.k1
        constant += n.k1 * anchor
    else:
        constant -= n.limit if friction == SLIP_POS else -n.limit
    if band:
        stiffness += n.k2
        constant += band * n.k2 * n.gap
    if resting:
        return Piece(t0, friction, band, True, anchor, x, 0.0, n.omega, 0.0, 0.0, 0.0)
    natural = sqrt(stiffness / n.m)
    forced = n.force / (stiffness - n.m * n.omega**2)
    centre = constant / stiffness
    a = x - centre - forced * cos(n.omega * t0)
    b = (v + forced * n.omega * sin(n.omega * t0)) / natural
    return Piece(t0, friction, band, False, anchor, centre, forced, n.omega, natural, a, b)


def pressing(n, piece):
    """Contact force of the resting mass as a function of local time."""
    x = piece.centre
    friction = n.k1 * (x - piece.anchor)
    band = n.k2 * (x - piece.band * n.gap) if piece.band else 0.0
    return lambda s: n.force * cos(n.omega * (piece.t0 + s)) - n.k * x - friction - band


def ways_out(n, piece):
    """name -> (guard, its derivative) in local time; a guard is positive while the mode holds."""
    if piece.resting:
        return {"release": (pressing(n, piece), lambda s: -n.force * n.omega * sin(n.omega * (piece.t0 + s)))}
    ways = {"wall": (lambda s: n.wall - piece.x(s), lambda s: -piece.v(s))} if n.wall < inf else {}
    if piece.friction == STICK:
        reach = n.limit / n.k1
        ways["slip+"] = (lambda s: piece.anchor + reach - piece.x(s), lambda s: -piece.v(s))
        ways["slip-"] = (lambda s: piece.x(s) - piece.anchor + reach, piece.v)
    else:
        sign = 1.0 if piece.friction == SLIP_POS else -1.0
        ways["stick"] = (lambda s: sign * piece.v(s), lambda s: sign * piece.acceleration(s))
    if piece.band == 0:
        ways["band+"] = (lambda s: n.gap - piece.x(s), lambda s: -piece.v(s))
        ways["band-"] = (lambda s: piece.x(s) + n.gap, piece.v)
    else:
        ways["free"] = (lambda s: piece.band * piece.x(s) - n.gap, lambda s: piece.band * piece.v(s))
    return ways


def first_root(guard, rate, s_end, step):
    """First s at which `guard` falls through zero, or None; starting on the boundary is not a crossing."""
    s, g = 0.0, guard(0.0)
    if g < 1e-13:  # entered on its own boundary: step inside first
        g = 0.0
    while s < s_end:
        s_new = min(s + step, s_end)
        cuts = [s, s_new]
        if rate(s) * rate(s_new) < 0.0:
            cuts.insert(1, brentq(rate, s, s_new, xtol=ROOT, rtol=1e-15))
        for lo, hi in pairwise(cuts):
            g_hi = guard(hi)
            if g > 0.0 and g_hi <= 0.0:
                return hi if g_hi == 0.0 else brentq(guard, lo, hi, xtol=ROOT, rtol=1e-15)
            if g == 0.0 and g_hi < -1e-13:  # on its boundary and going out
                return 0.0
            g = g_hi
        s = s_new
    return None


def solve(n, t_end, x=0.0, v=0.0):
    """Motion from rest of the slider (unloaded at x) up to t_end."""
    step = 2 * pi / sqrt((n.k + n.k1 + n.k2) / n.m) / 400
    piece = make_piece(n, 0.0, x, v, STICK, 0, False, x)
    out = Solution([piece])
    while True:
        roots = {
            name: first_root(guard, rate, t_end - piece.t0, step)
            for name, (guard, rate) in ways_out(n, piece).items()
        }
        roots = {name: s for name, s in roots.items() if s is not None}
        if not roots:
            return out
        name = min(roots, key=lambda key: roots[key])
        out.events.append((piece.t0 + roots[name], name))
        piece = follow(n, piece, roots[name], name, out)
        out.pieces.append(piece)


def follow(n, piece, s, name, out):
    """The piece after the event."""
    t, x, v = piece.t0 + s, piece.x(s), piece.v(s)
    friction, band, anchor, resting = piece.friction, piece.band, piece.anchor, False
    if name == "slip+":
        friction, x = SLIP_POS, piece.anchor + n.limit / n.k1
    elif name == "slip-":
        friction, x = SLIP_NEG, piece.anchor - n.limit / n.k1
    elif name == "stick":
        friction, anchor, v = STICK, x - (n.limit if friction == SLIP_POS else -n.limit) / n.k1, 0.0
    elif name == "band+":
        band, x = 1, n.gap
    elif name == "band-":
        band, x = -1, -n.gap
    elif name == "free":
        band, x = 0, band * n.gap
    elif name == "wall":
        out.impact_speeds.append(v)
        x = n.wall
        if friction == SLIP_POS:
            friction, anchor = STICK, x - n.limit / n.k1
        stopped = make_piece(n, t, x, 0.0, friction, band, True, anchor)
        resting = n.restitution * v <= n.resting_speed and pressing(n, stopped)(0.0) > 0.0
        v = 0.0 if resting else -n.restitution * v
    return make_piece(n, t, x, v, friction, band, resting, anchor)
