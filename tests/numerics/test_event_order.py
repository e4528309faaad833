"""Order of convergence across events, on a nonlinear switching problem with an exact solution.

Two modes of a limit-cycle oscillator (Hopf normal form) with different radius R and angular speed w,

    x' = x (1 - r^2/R^2) - w y,   y' = y (1 - r^2/R^2) + w x,

switch whenever the angle passes the next of a row of rays `spacing` apart. The angle is linear in time and
r^2 solves a logistic equation, so event times and states are known exactly; no event lies on a grid of steps.

An event takes its state from the interpolant, with a local error O(h^(q+1)) for an interpolant of order q.
A fixed number of events therefore keeps the order min(p, q + 1) of the global error, and events whose number
grows like 1/h (rays as close as the steps) bring it down to min(p, q). Redoing the event step restores the
order p of the method in both cases.
"""

from enum import IntEnum
from math import atan2, cos, exp, sin, sqrt

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.tableaus import find_method
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

METHODS = ("esdirk34", "erkf34", "bs32", "cashkarp54", "dopri54", "verner65")
RADIUS = (1.0, 1.4)
SPEED = (1.0, 1.7)  # [rad/s]
START = (0.6, 0.0)
T_END = 3.0
ROUNDING = 1.5e-12  # what a hundred real steps to events, each ended by a secant, leave of the error


class Cycle(IntEnum):
    INNER, OUTER = range(2)


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    pull = 1.0 - (x[0] ** 2 + x[1] ** 2) / p[mode[0]] ** 2
    speed = p[2 + mode[0]]
    dx[0] = pull * x[0] - speed * x[1]
    dx[1] = pull * x[1] + speed * x[0]
    return 0


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    g[0] = sin(memory[0]) * x[0] - cos(memory[0]) * x[1]  # r sin(next ray - angle)


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    mode[0] = Cycle.OUTER if mode[0] == Cycle.INNER else Cycle.INNER
    memory[0] += p[4]
    return 0


def switching_cycle(spacing):
    return HybridProblem(
        rhs=rhs,
        guards=guards,
        act=act,
        parameters=np.array([*RADIUS, *SPEED, spacing]),
        state_names=("x", "y"),
        guard_names=("ray",),
        guard_owner=(0,),
        guard_tolerance=(1e-15,),  # many events near rounding: the usual 1e-12 would add up
        mode_names=("cycle",),
        mode_types=(Cycle,),
        memory=np.array([spacing]),
        mode=np.zeros(1, np.int8),
    )


def exact(times, spacing):
    """States at rising times, ray by ray: logistic growth of r^2 for the time the angle needs."""
    t, angle, square, mode, ray = 0.0, atan2(START[1], START[0]), START[0] ** 2 + START[1] ** 2, 0, 1
    rows = []
    for time in times:
        while t + (ray * spacing - angle) / SPEED[mode] < time:
            square = grown(square, (ray * spacing - angle) / SPEED[mode], mode)
            t, angle, mode, ray = t + (ray * spacing - angle) / SPEED[mode], ray * spacing, 1 - mode, ray + 1
        here, radius = angle + SPEED[mode] * (time - t), sqrt(grown(square, time - t, mode))
        rows.append((radius * cos(here), radius * sin(here)))
    return np.array(rows)


def grown(square, step, mode):
    limit, growth = RADIUS[mode] ** 2, exp(2 * step)
    return limit * square * growth / (limit + square * (growth - 1))


def test_exact_solution_solves_the_equations():
    """Central differences of the exact solution agree with the right-hand side in both modes."""
    problem = switching_cycle(0.9)
    for t, mode in ((0.3, 0), (1.2, 1)):
        before, here, after = exact((t - 1e-5, t, t + 1e-5), 0.9)
        dx = np.zeros(2)
        rhs(t, here, problem.memory, np.array([mode], np.int8), problem.parameters, dx)
        assert (after - before) / 2e-5 == pytest.approx(dx, abs=1e-9)


def error(method, h, spacing, redo):
    """Largest error of a run with constant steps h.

    The tolerance follows the error estimate: it never cuts a step, and Newton's iteration stays as good.
    """
    tolerance = 30 * h ** (find_method(method).error_order + 1)
    run = integrate(
        switching_cycle(spacing), np.array(START), T_END, method=method,
        rtol=tolerance, atol=tolerance, first_step=h, max_step=h, redo_events=redo,
    )  # fmt: skip
    assert run.stats.rejected == 0
    return np.abs(run.x - exact(run.t, spacing)).max()


def slope(method, spacing_of, redo):
    """Least-squares order over three halvings, between the first asymptotic steps and rounding."""
    coarsest = {3: 0.05, 4: 0.05, 5: 0.07, 6: 0.12}[find_method(method).order]
    steps = coarsest * 2.0 ** -np.arange(0, 3.1, 0.25)
    errors = np.array([error(method, h, spacing_of(h), redo) for h in steps])
    kept = errors > (ROUNDING if redo else 0.0)
    assert kept.sum() > 8  # two doublings of the step and more
    return np.polyfit(np.log(steps[kept]), np.log(errors[kept]), 1)[0]


def few(h):
    return 0.73


def as_many_as_steps(h):
    return 1.618 * h


@pytest.mark.parametrize("method", METHODS)
def test_few_events_keep_the_order(method):
    m = find_method(method)
    assert slope(method, few, redo=False) == pytest.approx(min(m.order, m.dense_order + 1), abs=0.25)


@pytest.mark.parametrize("method", METHODS)
def test_many_events_bring_the_order_of_the_interpolant(method):
    m = find_method(method)
    assert slope(method, as_many_as_steps, redo=False) == pytest.approx(min(m.order, m.dense_order), abs=0.25)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spacing_of", [few, as_many_as_steps])
def test_redone_event_steps_have_full_order(method, spacing_of):
    assert slope(method, spacing_of, redo=True) == pytest.approx(find_method(method).order, abs=0.25)
