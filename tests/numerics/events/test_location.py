"""What locating an event costs; kinks, many idle guards, the earliest of many."""

from enum import IntEnum
from math import asin, pi

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.numerics.events import location
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.interpolation import interpolate
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS


class Side(IntEnum):
    INSIDE = 0
    OUTSIDE = 1


@kernel(signature=RHS)
def _circle(t, x, memory, mode, p, dx):
    dx[0], dx[1] = x[1], -x[0]
    return 0


@kernel(signature=GUARDS)
def _levels(t, x, memory, mode, p, g):
    for k in range(p.size):
        g[k] = p[k] - x[0] if mode[k] == 0 else x[0] - p[k]


@kernel(signature=GUARDS)
def _kinked(t, x, memory, mode, p, g):
    rest = p[0] - x[0] if mode[0] == 0 else x[0] - p[0]
    g[0] = rest if rest > 0.0 else 1e3 * rest


@kernel(signature=ACT)
def _cross(t, x, memory, mode, p, fired):
    for k in range(p.size):
        if fired[k]:
            mode[k] = 1 - mode[k]
    return 0


def levels(at, guards=_levels):
    n = len(at)
    names = tuple(f"level{k}" for k in range(n))
    return HybridProblem(
        _circle, np.array(at), ("x", "v"), guards=guards, act=_cross, guard_names=names,
        guard_owner=tuple(range(n)), mode_names=names, mode_types=(Side,) * n, mode=np.zeros(n, np.int8),
    )  # fmt: skip


def crossings(level):
    return [asin(level), pi - asin(level)]


def test_linear_guards_on_cubic_interpolants_take_few_probes():
    """Ends of steps with an event, and their rates, are four evaluations, the new mode two more."""
    at = [0.1, 0.25, 0.5, 0.7, 0.9]
    run = integrate(levels(at), [0.0, 1.0], 3.1, method="bs32", rtol=1e-9, atol=1e-11)
    quiet = integrate(levels([2.0]), [0.0, 1.0], 3.1, method="bs32", rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(run.events.time, sorted(t for a in at for t in crossings(a)), atol=1e-8)
    per_event = (run.stats.guard_evaluations - 2 * run.stats.accepted) / len(run.events)
    assert quiet.stats.guard_evaluations <= 2 * quiet.stats.accepted + 2
    assert per_event < 6.0


@pytest.mark.parametrize("method", ["bs32", "dopri54", "verner65"])
def test_kinks_at_the_boundary_are_no_obstacle(method):
    """A guard a thousand times steeper outside than inside: the cubic misleads, the safe search arrives."""
    run = integrate(levels([0.6], _kinked), [0.0, 1.0], 3.1, method=method, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(run.events.time, crossings(0.6), atol=1e-8)
    assert run.stats.guard_evaluations < 2 * run.stats.accepted + 2 * 60


def test_many_idle_guards_change_nothing():
    alone = integrate(levels([0.3]), [0.0, 1.0], 3.1)
    crowd = integrate(levels([0.3, *np.linspace(1.1, 5.0, 70)]), [0.0, 1.0], 3.1)
    np.testing.assert_array_equal(alone.events.time, crowd.events.time)
    np.testing.assert_array_equal(alone.x, crowd.x)


def test_the_earliest_of_many_in_one_step_comes_first():
    """Forty levels within one step of a tenth of a radian, given in no order."""
    at = np.random.default_rng(3).permutation(np.linspace(0.301, 0.339, 40))
    run = integrate(levels(at), [0.0, 1.0], 0.5, method="dopri54", first_step=0.1, max_step=0.1)
    order = np.argsort(at)
    assert [e.element for e in run.events] == [f"level{k}" for k in order]
    np.testing.assert_allclose(run.events.time, np.arcsin(at[order]), atol=1e-7)


@kernel
def close_enough(rtol):
    return location.close_enough(rtol)


def test_events_are_located_far_more_closely_than_the_tolerance():
    assert close_enough(1e-10) == close_enough(1e-7) == location.LOCATED
    assert close_enough(1e-5) == pytest.approx(1e-10)
    assert close_enough(1.0) == close_enough(1e-3) == 1e-9


@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-6, 1e-9])
def test_events_lie_beyond_their_boundary_by_no_more_than_that(rtol):
    """The event state of a guard x[0] - level: on the far side, by at most that part of the step."""
    level = 0.3
    problem = HybridProblem(
        _circle, np.array([level]), ("x", "v"), guards=_levels, act=_cross, guard_names=("up",),
        guard_owner=(0,), mode=np.zeros(1, np.int8),
    )  # fmt: skip
    run = integrate(problem, [0.0, 1.0], 1.0, method="dopri54", rtol=rtol, atol=rtol)
    assert len(run.events) == 1
    row = int(np.flatnonzero(run.t == run.events.time[0])[0])
    longest = np.diff(run.t).max()
    assert 0.0 <= run.x[row, 0] - level <= 2.0 * close_enough(rtol) * longest / 0.1 + 1e-15


@kernel
def inside(x, shape, s, result):
    interpolate(x, shape, s, result)


@pytest.mark.parametrize("degree", [3, 4, 5])
def test_interpolants_of_every_degree(degree):
    rng = np.random.default_rng(1)
    x, shape, result = rng.normal(size=7), rng.normal(size=(degree, 7)), np.zeros(7)
    for s in (0.0, 0.3, 1.0):
        inside(x, shape, s, result)
        np.testing.assert_allclose(result, x + s ** np.arange(1, degree + 1) @ shape, rtol=0, atol=1e-14)
