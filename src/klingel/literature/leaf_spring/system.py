"""A mass on a leaf spring, and a leaf spring moved harmonically.

    resting mass   m z'' = m g - F            z compression, positive downwards; F from `elements.leaf_spring`
    moved spring   z'' = -omega^2 (z - mean)  the compression is mean + A sin(omega t), whatever the force

Both carry `work`, the integral of F dz, as a third state: with it the energy balance of the mass,
m v^2/2 - m g z + work = constant, and the energy lost per cycle of the moved spring can be read off a run.

Hoffmann (2006), appendix B.2 and figures 2.32-2.39. Not published and chosen here, all parameters: the mass is
released at rest from the unloaded spring (z = 0, F = 0, mode LOADING_H); the moved spring starts from its mean
compression, downwards, with the static force.
"""

from itertools import pairwise
from math import exp, pi

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements import leaf_spring as leaf
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.leaf_spring_law import directed, static_force
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, AFTER_STEP, GUARDS, RHS

GRAVITY = 9.81  # [m/s2]
STATES = ("compression", "speed", "work")  # [m], [m/s], [J]

# places in the flat parameter array behind the spring: mass and gravity, or mean compression and omega
FIRST, SECOND = leaf.LAW_SIZE, leaf.LAW_SIZE + 1


def mass_on_leaf_spring(
    spring: LeafSpring, mass: float, start: float = 0.0, gravity: float = GRAVITY
) -> tuple[HybridProblem, np.ndarray]:
    """The mass released at rest at the compression `start` [m], the spring unstressed by friction there."""
    for field, value in (("mass", mass), ("gravity", gravity)):
        if not value > 0.0:
            raise InputError(field, value, "must be positive")
    problem = _problem(spring, start, (mass, gravity), _resting_rhs)
    return problem, np.array([start, 0.0, 0.0])


def moved_leaf_spring(
    spring: LeafSpring, amplitude: float, mean: float, frequency: float = 1.0
) -> tuple[HybridProblem, np.ndarray]:
    """The spring compressed to mean + A sin(2 pi f t)."""
    for field, value in (("amplitude", amplitude), ("frequency", frequency)):
        if not value > 0.0:
            raise InputError(field, value, "must be positive")
    omega = 2 * pi * frequency
    problem = _problem(spring, mean, (mean, omega), _moved_rhs)
    return problem, np.array([mean, amplitude * omega, 0.0])


def force_along(compression: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Spring force [N] along a run: compression and memory of the same instants."""
    z_ref, f0, f1, f2, amplitude, kappa, _ = memory.T
    h = compression - z_ref
    return f0 + h * (f1 + h * f2) + amplitude * np.exp(kappa * h)


def dynamic_stiffness(spring: LeafSpring, load: float) -> float:
    """Slope of the force for small motions about rest under `load` [N/m]: (mu0 load + F_r) / beta."""
    return (spring.friction * load + spring.residual) / spring.decay


def static_stiffness(spring: LeafSpring, load: float) -> float:
    """Slope of the line between the envelopes at rest under `load` [N/m]."""
    carried = spring.static_deflection(load) > spring.second_leaf
    return spring.stiffness_second if carried else spring.stiffness


def loop_energy(spring: LeafSpring, low: float, high: float) -> float:
    """Energy lost per cycle between two compressions, once the loop is closed [J]; exact branch by branch."""
    law = spring.law
    corner = [spring.second_leaf] if low < spring.second_leaf < high else []
    path = [low, *corner, high, *corner, low]
    force, work = spring.stiffness * low, 0.0
    for _ in range(int(40 * spring.decay / (high - low)) + 2):  # memory fades by exp(-(high - low) / beta)
        work = 0.0
        for begin, end in pairwise(path):
            stage = 1.0 if min(begin, end) >= spring.second_leaf else 0.0
            branch = directed(1.0 if end > begin else -1.0, stage, begin, force, law)
            h = end - begin
            fade = exp(branch.kappa * h)
            work += h * (branch.f0 + 0.5 * h * branch.f1) + branch.amplitude / branch.kappa * (fade - 1.0)
            force = branch.f0 + h * branch.f1 + branch.amplitude * fade
    return work


def _problem(spring: LeafSpring, z: float, numbers: tuple[float, float], rhs) -> HybridProblem:
    law = spring.law
    stage = 1.0 if z > spring.second_leaf else 0.0
    memory = np.empty(leaf.BRANCH_SIZE)
    leaf.write_branch(directed(1.0, stage, z, static_force(stage, z, law), law), memory, 0)
    return HybridProblem(
        rhs=rhs,
        guards=_guards,
        act=_act,
        after_step=_after_step,
        parameters=np.concatenate([spring.pack(), np.array(numbers)]),
        state_names=STATES,
        guard_names=tuple(f"leaf.{guard.name.lower()}" for guard in leaf.Guard),
        guard_owner=(0,) * len(leaf.Guard),
        mode_names=("leaf",),
        mode_types=(leaf.Mode,),
        memory=memory,
        mode=np.array([leaf.running_mode(1.0, stage)], np.int8),
    )


@kernel(signature=RHS)
def _resting_rhs(t, x, memory, mode, p, dx):
    force = leaf.force(leaf.read_branch(memory, 0), x[0])
    dx[0] = x[1]
    dx[1] = p[SECOND] - force / p[FIRST]
    dx[2] = force * x[1]
    return 0


@kernel(signature=RHS)
def _moved_rhs(t, x, memory, mode, p, dx):
    force = leaf.force(leaf.read_branch(memory, 0), x[0])
    dx[0] = x[1]
    dx[1] = p[SECOND] * p[SECOND] * (p[FIRST] - x[0])
    dx[2] = force * x[1]
    return 0


@kernel(signature=GUARDS)
def _guards(t, x, memory, mode, p, g):
    leaf.write_guards(mode[0], leaf.read_branch(memory, 0), x[0], x[1], leaf.read_law(p, 0), g, 0)


@kernel(signature=ACT)
def _act(t, x, memory, mode, p, fired):
    for guard in range(3):
        if fired[guard]:
            branch = leaf.read_branch(memory, 0)
            mode[0], branch = leaf.leave(mode[0], guard, branch, x[0], x[1], leaf.read_law(p, 0))
            leaf.write_branch(branch, memory, 0)
            break
    return 0


@kernel(signature=AFTER_STEP)
def _after_step(t, h, x, shape, x_new, memory, mode, p):
    branch = leaf.read_branch(memory, 0)
    changed, branch = leaf.after_step(mode[0], branch, x[0], x[1], shape[:, 0], shape[:, 1], leaf.read_law(p, 0))
    if changed:
        leaf.write_branch(branch, memory, 0)
    return changed
