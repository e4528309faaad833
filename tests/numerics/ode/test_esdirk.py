"""The implicit family on stiff problems with known solutions, and what it costs."""

from math import cos, exp

import numpy as np
import pytest

from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from tests.numerics.small_problems import rotate, stiff_problem


@pytest.mark.parametrize("jacobian", [False, True])
@pytest.mark.parametrize("rate", [1e2, 1e5, 1e8])
def test_stiff_component_does_not_limit_the_step(rate, jacobian):
    run = integrate(stiff_problem(rate, jacobian), [1.0, 1.0], 10.0, method="esdirk34", rtol=1e-6, atol=1e-9)
    assert abs(run.x[-1, 0] - cos(10.0)) < 1e-5
    assert abs(run.x[-1, 1] - exp(-10.0)) < 1e-6
    assert run.stats.accepted < 3000
    if rate > 1e4:  # an explicit method would need rate * 10 / 3.3 steps
        assert run.stats.accepted < 0.1 * rate * 10.0 / 3.3


def test_supplied_and_differenced_jacobian_agree():
    runs = [integrate(stiff_problem(1e4, j), [1.0, 1.0], 5.0, method="esdirk34", rtol=1e-7) for j in (False, True)]
    np.testing.assert_allclose(runs[0].x[-1], runs[1].x[-1], atol=1e-6)
    assert runs[1].stats.rhs < runs[0].stats.rhs


def test_factorisations_are_reused():
    run = integrate(stiff_problem(1e5), [1.0, 1.0], 10.0, method="esdirk34", rtol=1e-6, atol=1e-9)
    assert run.stats.factorisations < 0.5 * run.stats.accepted
    assert run.stats.jacobians <= run.stats.factorisations


def test_transient_off_the_slow_manifold_is_damped():
    """Start far off: the filtered error lets the step grow again once the fast part has died out."""
    run = integrate(stiff_problem(1e6), [2.0, 1.0], 5.0, method="esdirk34", rtol=1e-5, atol=1e-7)
    assert abs(run.x[-1, 0] - cos(5.0)) < 1e-4
    assert run.stats.accepted < 1000


def test_partial_jacobian_keeps_order_and_splits_into_blocks():
    """Only the stiff component implicit: same answer, one colour instead of two."""
    keep = np.array([[True, False], [False, False]])
    partial = stiff_problem(1e5, implicit=keep)
    run = integrate(partial, [1.0, 1.0], 5.0, method="esdirk34", rtol=1e-7, atol=1e-9)
    assert abs(run.x[-1, 0] - cos(5.0)) < 1e-6
    assert abs(run.x[-1, 1] - exp(-5.0)) < 1e-6


@pytest.mark.parametrize(
    ("method", "order"),
    [("esdirk34", 3), ("bs32", 3), ("erkf34", 4), ("cashkarp54", 5), ("dopri54", 5), ("verner65", 6)],
)
def test_order_with_constant_steps(method, order):
    problem = HybridProblem(rotate, np.array([1.0]), ("x", "y"))
    counts = np.array([20, 40, 80])
    errors = []
    for n in counts:
        h = 4.0 / n
        # esdirk: the tolerance also sets Newton's accuracy, so it stays tight and the step is bounded instead
        tolerance = 1e-12 if method == "esdirk34" else 1e3
        options = {"rtol": tolerance, "atol": tolerance}
        if method == "esdirk34":
            options = {"rtol": 1e-3, "atol": 1e-3}
        run = integrate(problem, [0.0, 1.0], 4.0, method=method, first_step=h, max_step=h, **options)
        assert run.stats.accepted == n
        errors.append(np.abs(run.x[-1] - [np.sin(4.0), np.cos(4.0)]).max())
    slopes = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert slopes[-1] == pytest.approx(order, abs=0.25)
