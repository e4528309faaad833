"""Impact oscillator: a mass on a spring, a dry friction slider and a dead-band spring, driven against a wall.

    m x'' = -k x - f1 - f2 + A cos(omega t),   x < x_d

f1 and f2 are restoring forces (the thesis writes F1 = -f1, F2 = -f2). Three elements have modes:

=========  =====================  ====================================================================
element    modes                  ways out
=========  =====================  ====================================================================
friction   STICK SLIP_POS _NEG    walls of `elements.dry_friction`; memory: its anchor
band       FREE UPPER LOWER       walls of `elements.dead_band`
wall       FREE                   x reaches x_d: v -> -eps v, or RESTING when eps v is at most the resting
                                  speed and the forces press the mass on the wall
wall       RESTING                the pressing force falls to zero: FREE
=========  =====================  ====================================================================

After an impact a slipping slider whose velocity was reversed sticks (algorithm 3 of the thesis).

`oscillator_rate_form` is the same system with its corners ignored.

Source: Hoffmann (2006), section 1.3 and appendix B.1. The resting speed is our choice: a bounce left out at
1e-4 m/s under some m/s^2 is a few nanometres high.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import cos, inf, isfinite, pi

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements import dead_band, dry_friction
from klingel.elements.piece import Wall, write_margins
from klingel.numerics.problem import GUARD_TOLERANCE, HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS


@dataclass(frozen=True)
class ImpactOscillator:
    """Numbers of appendix B.1; stiffnesses and friction limit are given per load Q."""

    mass: float = 1000.0  # m [kg]
    load: float = 40e3  # Q [N]
    stiffness: float = 4.0  # k/Q [1/m]
    slider_stiffness: float = 10.0  # k1/Q [1/m]
    slider_limit: float = 0.08  # T01/Q [-]
    band_stiffness: float = 2.0  # k2/Q [1/m]
    band_gap: float = 0.015  # x02 [m]
    wall: float = 0.020  # x_d [m], inf for none
    amplitude: float = 10e3  # A [N]
    omega: float = 3 * pi  # [rad/s]
    restitution: float = 0.9  # eps [-]
    resting_speed: float = 1e-4  # rebounds below it rest on the wall [m/s]

    def __post_init__(self):
        for name in ("mass", "load", "stiffness", "slider_stiffness", "slider_limit", "omega"):
            _require(self, name, 0.0 < getattr(self, name) < inf, "must be positive and finite")
        for name in ("band_stiffness", "band_gap", "resting_speed"):
            _require(self, name, 0.0 <= getattr(self, name) < inf, "must be zero or more, and finite")
        _require(self, "amplitude", isfinite(self.amplitude), "must be finite")
        _require(self, "restitution", 0.0 <= self.restitution <= 1.0, "must lie between 0 and 1")
        _require(self, "wall", self.wall > 0.0, "must be positive, inf for no wall")

    def flat(self) -> np.ndarray:
        """Parameters of the kernels, in the order of `P`."""
        q = self.load
        return np.array([
            self.mass, q * self.stiffness, q * self.slider_stiffness, q * self.slider_limit,
            q * self.band_stiffness, self.band_gap, self.wall,
            self.amplitude, self.omega, self.restitution, self.resting_speed,
        ])  # fmt: skip


def _require(parameters, name: str, good: bool, allowed: str) -> None:
    if not good:
        raise InputError(name, getattr(parameters, name), allowed)


class P(IntEnum):
    """Index into the flat parameters."""

    MASS, K, K1, LIMIT, K2, GAP, WALL, AMPLITUDE, OMEGA, RESTITUTION, RESTING_SPEED = range(11)


class Element(IntEnum):
    """Index into the modes."""

    FRICTION, BAND, WALL = range(3)


class Memory(IntEnum):
    ANCHOR = 0  # deformation at which the stuck slider is unloaded [m]
    IMPACT_LOSS = 1  # kinetic energy lost in impacts so far [J]


class Contact(IntEnum):
    FREE, RESTING = range(2)


class Guard(IntEnum):
    """The first four are the walls of the friction piece, in the order of `Wall`."""

    SLIP_NEG, SLIP_POS, STICK_POS, STICK_NEG, BAND_LOW, BAND_HIGH, CONTACT, RELEASE = range(8)


@kernel(inner=True)
def suspension_force(x, memory, mode, p):
    """k x + f1 + f2 in the present modes."""
    slider = dry_friction.piece(mode[Element.FRICTION], memory[Memory.ANCHOR], p[P.K1], p[P.LIMIT])
    band = dead_band.piece(mode[Element.BAND], -p[P.GAP], p[P.GAP], p[P.K2])
    return slider.offset + band.offset + (p[P.K] + slider.slope + band.slope) * x


@kernel(inner=True)
def pressing_force(t, x, memory, mode, p):
    """Force on the wall while the mass rests on it."""
    return p[P.AMPLITUDE] * cos(p[P.OMEGA] * t) - suspension_force(x, memory, mode, p)


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    if mode[Element.WALL] == Contact.RESTING:
        dx[0] = 0.0
        dx[1] = 0.0
        return 0
    drive = p[P.AMPLITUDE] * cos(p[P.OMEGA] * t)
    dx[0] = x[1]
    dx[1] = (drive - suspension_force(x[0], memory, mode, p)) / p[P.MASS]
    return 0


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    if mode[Element.WALL] == Contact.RESTING:
        g[:] = inf  # a mass at rest cannot cross a wall of the suspension
        g[Guard.RELEASE] = pressing_force(t, x[0], memory, mode, p)
        return
    slider = dry_friction.piece(mode[Element.FRICTION], memory[Memory.ANCHOR], p[P.K1], p[P.LIMIT])
    write_margins(slider, x[0], x[1], g, Guard.SLIP_NEG)
    band = dead_band.piece(mode[Element.BAND], -p[P.GAP], p[P.GAP], p[P.K2])
    g[Guard.BAND_LOW] = x[0] - band.u_low
    g[Guard.BAND_HIGH] = band.u_high - x[0]
    g[Guard.CONTACT] = p[P.WALL] - x[0]
    g[Guard.RELEASE] = inf


@kernel(inner=True)
def strike(t, x, memory, mode, p):
    """Newton's impact law, then the consistency of the slider (algorithm 3)."""
    v_old = x[1]
    x[0] = p[P.WALL]
    rebound = p[P.RESTITUTION] * v_old
    x[1] = -rebound
    mode[Element.FRICTION], memory[Memory.ANCHOR] = dry_friction.settle(
        mode[Element.FRICTION], x[0], x[1], memory[Memory.ANCHOR], p[P.K1], p[P.LIMIT]
    )
    if rebound <= p[P.RESTING_SPEED] and pressing_force(t, x[0], memory, mode, p) > 0.0:
        x[1] = 0.0
        mode[Element.WALL] = Contact.RESTING
    memory[Memory.IMPACT_LOSS] += 0.5 * p[P.MASS] * (v_old**2 - x[1] ** 2)


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    for wall in range(4):
        if fired[wall]:
            mode[Element.FRICTION], memory[Memory.ANCHOR] = dry_friction.leave(
                mode[Element.FRICTION], wall, x[0], x[1], memory[Memory.ANCHOR], p[P.K1], p[P.LIMIT]
            )
            break
    if fired[Guard.BAND_LOW]:
        mode[Element.BAND] = dead_band.leave(mode[Element.BAND], Wall.U_LOW)
    elif fired[Guard.BAND_HIGH]:
        mode[Element.BAND] = dead_band.leave(mode[Element.BAND], Wall.U_HIGH)
    if fired[Guard.CONTACT]:
        strike(t, x, memory, mode, p)
    if fired[Guard.RELEASE]:
        mode[Element.WALL] = Contact.FREE
    return 0


def impact_oscillator(
    parameters: ImpactOscillator | None = None, x0: float = 0.0, friction_force: float = 0.0
) -> HybridProblem:
    """The oscillator with all its events located; states x [m], v [m/s].

    The modes fit a start at x0 with a stuck slider that carries `friction_force` (f1, [N]).
    """
    p = (parameters or ImpactOscillator()).flat()
    if not x0 < p[P.WALL]:
        raise InputError("x0", x0, f"must lie below the wall at {p[P.WALL]} m")
    if not abs(friction_force) <= p[P.LIMIT]:
        raise InputError("friction_force", friction_force, f"must be at most {p[P.LIMIT]} N")
    band = dead_band.mode_at(x0, -p[P.GAP], p[P.GAP])
    return HybridProblem(
        rhs=rhs,
        guards=guards,
        act=act,
        parameters=p,
        state_names=("x", "v"),
        guard_names=tuple(guard.name.lower() for guard in Guard),
        guard_owner=(0, 0, 0, 0, 1, 1, 2, 2),
        guard_tolerance=(*(7 * [GUARD_TOLERANCE]), 1e-9),  # the last in N, where forces of kN round
        mode_names=("friction", "band", "wall"),
        mode_types=(dry_friction.Mode, dead_band.Mode, Contact),
        memory=np.array([dry_friction.anchor_for(friction_force, x0, p[P.K1]), 0.0]),
        mode=np.array([dry_friction.Mode.STICK, band, Contact.FREE], np.int8),
    )
