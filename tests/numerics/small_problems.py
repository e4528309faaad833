"""Hybrid systems with known solutions, shared by the tests of the integrator."""

from dataclasses import replace
from enum import IntEnum
from math import cos, inf, sin

import numpy as np

from klingel._jit import kernel
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, AFTER_STEP, GUARDS, JACOBIAN, RHS

GRAVITY = 9.81  # [m/s2]


@kernel(signature=RHS)
def fall(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -GRAVITY
    return 0


@kernel(signature=GUARDS)
def floor_guard(t, x, memory, mode, p, g):
    g[0] = x[0]


@kernel(signature=ACT)
def bounce(t, x, memory, mode, p, fired):
    if fired[0] and x[1] < 0.0:
        x[1] *= -p[0]
    return 0


def bouncing_ball(restitution=0.9):
    return HybridProblem(
        fall,
        np.array([restitution]),
        ("height", "speed"),
        guards=floor_guard,
        act=bounce,
        guard_names=("floor",),
    )


def bounce_times(height, restitution, count):
    """Instants of the first impacts of a ball dropped from `height`."""
    first = (2 * height / GRAVITY) ** 0.5
    flights = 2 * first * restitution ** np.arange(1, count)
    return first + np.concatenate([[0.0], np.cumsum(flights)])


@kernel(signature=RHS)
def rotate(t, x, memory, mode, p, dx):
    dx[0] = p[0] * x[1]
    dx[1] = -p[0] * x[0]
    return 0


@kernel(signature=ACT)
def count_crossing(t, x, memory, mode, p, fired):
    memory[0] += 1.0
    mode[0] = 1 - mode[0]
    return 0


@kernel(signature=GUARDS)
def level_either_way(t, x, memory, mode, p, g):
    g[0] = p[1] - x[0] if mode[0] == 0 else x[0] - p[1]


class Side(IntEnum):
    BELOW, ABOVE = range(2)


def level_crossing(omega=1.0, level=0.5):
    """x = sin(omega t) watched at a level, armed for leaving the present side."""
    return HybridProblem(
        rotate,
        np.array([omega, level]),
        ("x", "y"),
        guards=level_either_way,
        act=count_crossing,
        guard_names=("level",),
        guard_owner=(0,),
        mode_names=("side",),
        mode_types=(Side,),
        memory=np.zeros(1),
        mode=np.zeros(1, np.int8),
    )


def thrown_ball():
    """Free flight watched at the level `parameters[1]`."""
    return replace(level_crossing(), rhs=fall, state_names=("height", "speed"))


@kernel(signature=RHS)
def stiff_follow(t, x, memory, mode, p, dx):
    dx[0] = -p[0] * (x[0] - cos(t)) - sin(t)
    dx[1] = -x[1]
    return 0


@kernel(signature=JACOBIAN)
def stiff_jacobian(t, x, memory, mode, p, jac):
    jac[0, 0] = -p[0]
    jac[1, 1] = -1.0
    return 0


def stiff_problem(rate=1e5, jacobian=False, **options):
    """Prothero-Robinson with solution (cos t, exp(-t))."""
    return HybridProblem(
        stiff_follow,
        np.array([rate]),
        ("fast", "slow"),
        jacobian=stiff_jacobian if jacobian else None,
        **options,
    )


@kernel(signature=RHS)
def slide(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = memory[0]
    return 0


@kernel(signature=AFTER_STEP)
def remember_top(t, h, x, shape, x_new, memory, mode, p):
    """Largest x so far, read off the interpolant at ten points of the step."""
    best = memory[1]
    for j in range(1, 11):
        s = 0.1 * j
        value = 0.0
        for k in range(shape.shape[0] - 1, -1, -1):
            value = value * s + shape[k, 0]
        best = max(best, x[0] + s * value)
    changed = best > memory[1]
    memory[1] = best
    return 1 if changed else 0


@kernel(signature=ACT)
def next_force(t, x, memory, mode, p, fired):
    for k in range(fired.size):
        if fired[k]:
            memory[0] = p[k]
    return 0


def pushed_mass(times, forces):
    """Unit mass under a force that changes at known instants."""
    return HybridProblem(
        slide,
        np.array(forces, float),
        ("x", "v"),
        act=next_force,
        after_step=remember_top,
        memory=np.array([0.0, -inf]),
        time_events=tuple(times),
        time_names=tuple(f"push {i}" for i in range(len(times))),
    )
