"""`auto` starts explicit, turns implicit on a measured stiffness estimate, and back."""

from math import cos

import numpy as np

from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import RHS
from tests.numerics.small_problems import rotate, stiff_problem


@kernel(signature=RHS)
def _stiff_for_a_while(t, x, memory, mode, p, dx):
    rate = p[0] if 5.0 < t < 15.0 else 1.0
    dx[0] = -rate * (x[0] - 1.0)
    dx[1] = x[2]
    dx[2] = -100.0 * x[1]
    return 0


def test_stays_explicit_where_nothing_is_stiff():
    run = integrate(HybridProblem(rotate, np.array([1.0]), ("x", "y")), [0.0, 1.0], 50.0, method="auto")
    assert run.stats.family_changes == 0
    assert run.stats.jacobians == 0


def test_turns_implicit_and_wins():
    problem = stiff_problem(1e4)
    auto = integrate(problem, [1.0, 1.0], 10.0, method="auto", rtol=1e-5, atol=1e-7)
    explicit = integrate(problem, [1.0, 1.0], 10.0, method="dopri54", rtol=1e-5, atol=1e-7)
    assert auto.stats.family_changes == 1
    assert auto.stats.rhs < 0.1 * explicit.stats.rhs
    assert abs(auto.x[-1, 0] - cos(10.0)) < 1e-4


def test_turns_back_when_the_stiffness_is_gone():
    problem = HybridProblem(_stiff_for_a_while, np.array([1e5]), ("fast", "x", "v"))
    run = integrate(problem, [0.5, 1.0, 0.0], 40.0, method="auto", rtol=1e-6, atol=1e-8)
    assert run.stats.family_changes == 2
    assert abs(run.x[-1, 1] - cos(400.0)) < 1e-2
