"""A UIC link alone: shaken along a given path, or carrying a mass that sways.

    restoring force / load = k u + sum_i T_i(u) + bracket(u)

with up to four elastic dry friction sliders `T_i` and, laterally, the dead-band spring of the suspension
bracket: Hoffmann (2006), equations 2.33-2.36 and 2.38 with the sign turned, positive for positive u. Between
events the law is affine, and its offset and slope are kept in the memory behind the anchors of the sliders.

shaken   u = A sin(omega t) is given; the only state is the work done on the link per unit of load.
swaying  u'' = c (A sin(omega t) - u) - g (restoring force / load): a mass on the link, pulled by a motor through
         a spring of stiffness c m. Without motor (c = 0) it is the technical pendulum swaying freely
         (figure 2.52); the mass itself drops out.

The sliders start as if the link had been brought from rest at zero to its first displacement in one go.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements import dead_band, dry_friction
from klingel.elements.link_sets import LinkLaw
from klingel.elements.piece import Piece, Wall, add, write_margins
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

GRAVITY = 9.81  # [m/s2]

# places in the flat parameter array; from SLIDERS on k_i, T_0i of each slider
K, K_BRACKET, GAP, AMPLITUDE, OMEGA, PULL, G, SLIDERS = range(8)


@dataclass(frozen=True)
class Drive:
    """Harmonic motion of the motor: A sin(2 pi f t), reaching the mass through a spring."""

    amplitude: float  # A [m]
    frequency: float  # f [Hz]
    pull: float = 0.0  # c, stiffness of the spring over the mass [1/s2]


STILL = Drive(0.0, 0.0)


def shaken_link(law: LinkLaw, amplitude: float, frequency: float = 1.0) -> HybridProblem:
    """The link moved along A sin(2 pi f t), from rest; the state `work` [m] is work over load."""
    if not amplitude > 0.0:
        raise InputError("amplitude", amplitude, "must be positive")
    parameters = _parameters(law, Drive(amplitude, frequency), GRAVITY)
    return _problem(law, parameters, 0.0, ("work",), (_shaken_rhs, _shaken_guards, _shaken_act))


def swaying_mass(law: LinkLaw, start: float, drive: Drive = STILL, gravity: float = GRAVITY) -> HybridProblem:
    """A mass on the link, brought quietly to `start` [m]; states `displacement` [m] and `speed` [m/s]."""
    parameters = _parameters(law, drive, gravity)
    functions = (_swaying_rhs, _swaying_guards, _swaying_act)
    return _problem(law, parameters, start, ("displacement", "speed"), functions)


def shaken_path(t: np.ndarray, amplitude: float, frequency: float = 1.0) -> np.ndarray:
    """Displacement of the shaken link [m]."""
    return amplitude * np.sin(2 * pi * frequency * t)


def restoring(u: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Restoring force over load along a run: displacement and memory of the same instants."""
    return memory[:, -2] + memory[:, -1] * u


def slider_forces(law: LinkLaw, u: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Force over load of every slider along a run, one column each."""
    forces = np.empty((len(u), len(law.sliders)))
    for i, (stiffness, limit) in enumerate(law.sliders):
        slip = np.where(mode[:, 1 + i] == dry_friction.Mode.SLIP_POS, limit, -limit)
        stuck = mode[:, 1 + i] == dry_friction.Mode.STICK
        forces[:, i] = np.where(stuck, stiffness * (u - memory[:, i]), slip)
    return forces


def backbone(law: LinkLaw, u: np.ndarray) -> np.ndarray:
    """Restoring force over load when loaded from rest for the first time."""
    force = law.stiffness * u + bracket_force(law, u)
    for stiffness, limit in law.sliders:
        force = force + np.clip(stiffness * u, -limit, limit)
    return force


def bracket_force(law: LinkLaw, u: np.ndarray) -> np.ndarray:
    """Force of the suspension bracket over load."""
    beyond = np.maximum(np.abs(u) - law.bracket_gap, 0.0)
    return law.bracket_stiffness * np.sign(u) * beyond


def loop_energy(law: LinkLaw, amplitude: float) -> float:
    """Work over load lost per cycle between -A and +A [m]: sum of 4 T_0 (A - T_0/k) over the sliders that slip."""
    return sum(4 * limit * max(amplitude - limit / stiffness, 0.0) for stiffness, limit in law.sliders)


def _parameters(law: LinkLaw, drive: Drive, gravity: float) -> np.ndarray:
    for stiffness, limit in law.sliders:
        dry_friction.DryFriction(stiffness, limit)
    dead_band.DeadBand(-law.bracket_gap, law.bracket_gap, law.bracket_stiffness)
    head = [law.stiffness, law.bracket_stiffness, law.bracket_gap]
    head += [drive.amplitude, 2 * pi * drive.frequency, drive.pull, gravity]
    return np.array([*head, *(number for slider in law.sliders for number in slider)])


def _problem(law: LinkLaw, parameters: np.ndarray, start: float, states, functions) -> HybridProblem:
    names = ("bracket", *(f"slider_{i + 1}" for i in range(len(law.sliders))))
    mode = np.full(len(names), dry_friction.Mode.STICK, np.int8)
    mode[0] = dead_band.mode_at(start, -law.bracket_gap, law.bracket_gap)
    memory = np.zeros(len(law.sliders) + 2)
    for i, (stiffness, limit) in enumerate(law.sliders):
        memory[i] = start - min(limit, max(-limit, stiffness * start)) / stiffness
    _rebuild(memory, mode, parameters)
    rhs, guards, act = functions
    return HybridProblem(
        rhs=rhs,
        guards=guards,
        act=act,
        parameters=parameters,
        state_names=states,
        guard_names=tuple(f"{name}.{wall.name.lower()}" for name in names for wall in Wall),
        guard_owner=tuple(i for i in range(len(names)) for _ in Wall),
        mode_names=names,
        mode_types=(dead_band.Mode, *(dry_friction.Mode for _ in law.sliders)),
        memory=memory,
        mode=mode,
    )


@kernel
def _element(i, memory, mode, p):
    """Piece of element i: the bracket, then the sliders."""
    if i == 0:
        return dead_band.piece(mode[0], -p[GAP], p[GAP], p[K_BRACKET])
    at = SLIDERS + 2 * (i - 1)
    return dry_friction.piece(mode[i], memory[i - 1], p[at], p[at + 1])


@kernel
def _rebuild(memory, mode, p):
    total = Piece(0.0, p[K], 0.0, -np.inf, np.inf, -np.inf, np.inf)
    for i in range(len(mode)):
        total = add(total, _element(i, memory, mode, p))
    memory[-2] = total.offset
    memory[-1] = total.slope


@kernel
def _walls(u, v, memory, mode, p, g):
    for i in range(len(mode)):
        write_margins(_element(i, memory, mode, p), u, v, g, 4 * i)


@kernel
def _switch(u, v, memory, mode, p, fired):
    for i in range(len(mode)):
        for wall in range(4):
            if not fired[4 * i + wall]:
                continue
            if i == 0:
                mode[0] = dead_band.leave(mode[0], wall)
            else:
                at = SLIDERS + 2 * (i - 1)
                old = memory[i - 1]
                mode[i], memory[i - 1] = dry_friction.leave(mode[i], wall, u, v, old, p[at], p[at + 1])
            break
    _rebuild(memory, mode, p)


@kernel(signature=RHS)
def _shaken_rhs(t, x, memory, mode, p, dx):
    u = p[AMPLITUDE] * np.sin(p[OMEGA] * t)
    v = p[AMPLITUDE] * p[OMEGA] * np.cos(p[OMEGA] * t)
    dx[0] = (memory[-2] + memory[-1] * u) * v
    return 0


@kernel(signature=GUARDS)
def _shaken_guards(t, x, memory, mode, p, g):
    u = p[AMPLITUDE] * np.sin(p[OMEGA] * t)
    v = p[AMPLITUDE] * p[OMEGA] * np.cos(p[OMEGA] * t)
    _walls(u, v, memory, mode, p, g)


@kernel(signature=ACT)
def _shaken_act(t, x, memory, mode, p, fired):
    u = p[AMPLITUDE] * np.sin(p[OMEGA] * t)
    v = p[AMPLITUDE] * p[OMEGA] * np.cos(p[OMEGA] * t)
    _switch(u, v, memory, mode, p, fired)
    return 0


@kernel(signature=RHS)
def _swaying_rhs(t, x, memory, mode, p, dx):
    pull = p[PULL] * (p[AMPLITUDE] * np.sin(p[OMEGA] * t) - x[0])
    dx[0] = x[1]
    dx[1] = pull - p[G] * (memory[-2] + memory[-1] * x[0])
    return 0


@kernel(signature=GUARDS)
def _swaying_guards(t, x, memory, mode, p, g):
    _walls(x[0], x[1], memory, mode, p, g)


@kernel(signature=ACT)
def _swaying_act(t, x, memory, mode, p, fired):
    _switch(x[0], x[1], memory, mode, p, fired)
    return 0
