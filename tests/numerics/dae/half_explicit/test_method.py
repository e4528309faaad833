"""Half-explicit schemes: order conditions, observed orders, constraints, refusals."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature import pendulum
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.half_explicit.scheme import (
    BOGACKI_SHAMPINE_3,
    BRASEY_HAIRER_4,
    CASH_KARP_5,
    DORMAND_PRINCE_5,
)  # fmt: skip
from klingel.numerics.dae.problem import DaeProblem, Treatment

BEGIN = 0.2  # [s]
SCHEMES = (BRASEY_HAIRER_4, DORMAND_PRINCE_5, BOGACKI_SHAMPINE_3, CASH_KARP_5)


def run(index, duration, **settings):
    start = pendulum.exact(BEGIN)
    return half_explicit.solve(pendulum.problem(index), start, BEGIN + duration, t0=BEGIN, **settings)


def fixed_step_errors(scheme, index, steps):
    options = half_explicit.Options(linear_tolerance=1e-10, constraint_tolerance=1e-12)
    done = run(index, 1.0, rtol=1e-3, atol=1.0, h0=1 / steps, h_max=1 / steps, scheme=scheme, options=options)
    assert done.stats.accepted == steps
    error = np.abs(done.end - pendulum.exact(BEGIN + 1.0))
    return np.array([error[:4].max(), error[4]])


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.name)
def test_classical_order_conditions(scheme):
    a, b, c = scheme.a[:-1], scheme.a[-1], scheme.c[:-1]
    assert np.allclose([b.sum(), b @ c, b @ c**2, b @ a @ c], [1, 1 / 2, 1 / 3, 1 / 6], rtol=0, atol=1e-13)
    if scheme.order >= 4:
        trees = [b @ c**3, b @ (c * (a @ c)), b @ a @ c**2, b @ a @ a @ c]
        assert np.allclose(trees, [1 / 4, 1 / 8, 1 / 12, 1 / 24], rtol=0, atol=1e-13)
    companion = np.append(b, 0.0) - scheme.error
    assert np.allclose([companion.sum(), companion @ scheme.c], [1, 1 / 2], rtol=0, atol=1e-13)


def test_index_2_order_conditions_of_brasey_and_hairer():
    """sum b c w c~^2 = 2/3 and sum b (w c~^2)^2 = 4/3, w the inverse of the shifted matrix."""
    a, c = BRASEY_HAIRER_4.a, BRASEY_HAIRER_4.c
    rates = np.linalg.solve(a[1:], c[1:] ** 2)
    assert abs(a[-1] @ (c[:-1] * rates) - 2 / 3) < 1e-13
    assert abs(a[-1] @ rates**2 - 4 / 3) < 1e-12


@pytest.mark.parametrize(
    ("scheme", "index", "orders"),
    [
        pytest.param(BRASEY_HAIRER_4, 2, (4, 2), id="Brasey-Hairer, index 2"),
        pytest.param(DORMAND_PRINCE_5, 2, (5, 5), id="Dormand-Prince, index 2"),
        pytest.param(CASH_KARP_5, 1, (5, 5), id="Cash-Karp, index 1"),
        pytest.param(BOGACKI_SHAMPINE_3, 2, (3, 3), id="Bogacki-Shampine, index 2"),
    ],
)
def test_observed_orders(scheme, index, orders):
    observed = np.log2(fixed_step_errors(scheme, index, 40) / fixed_step_errors(scheme, index, 80))
    assert np.all(np.abs(observed - orders) < 0.25), observed


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.name)
def test_error_follows_the_tolerance_and_the_constraint_holds(scheme):
    done = run(2, 2.0, rtol=1e-7, atol=1e-7, scheme=scheme)
    assert np.abs(done.end - pendulum.exact(BEGIN + 2.0))[:4].max() < 1e-5
    assert np.max(np.abs(done["x"] * done["vx"] + done["y"] * done["vy"])) < 1e-7


def test_projection_removes_the_drift():
    free = run(2, 5.0, rtol=1e-5, atol=1e-5)
    held = run(2, 5.0, rtol=1e-5, atol=1e-5, treatment=Treatment.PROJECT)
    assert free.drift["length"] > 1e-9
    assert held.drift["length"] < 1e-14


def test_right_hand_sides_are_few_because_only_constraints_are_iterated():
    done = run(2, 5.0, rtol=1e-6, atol=1e-6, scheme=CASH_KARP_5)
    assert done.stats.rhs < 2 * 6 * done.stats.steps  # six stages: less than two evaluations each
    assert done.stats.constraints > done.stats.rhs


def test_without_constraints_function_everything_is_a_right_hand_side():
    problem = pendulum.problem(2, constraints=None)
    done = half_explicit.solve(problem, pendulum.exact(0.2), 0.7, t0=0.2)
    assert done.stats.constraints == 0
    with_function = run(2, 0.5)
    assert np.array_equal(done.end, with_function.end)
    assert done.stats.rhs == with_function.stats.rhs + with_function.stats.constraints


def test_refusals_name_the_component():
    with pytest.raises(InputError, match="index of vx: must be at most 2 for a half-explicit method"):
        run(3, 1.0)
    mass = np.array([1.0, 1.0, 2.0, 2.0, 0.0])
    problem = DaeProblem(pendulum.rhs_2, np.array([9.81]), pendulum.NAMES, mass, index=(1, 1, 1, 1, 2))
    with pytest.raises(InputError, match="mass: must be 1"):
        half_explicit.solve(problem, pendulum.exact(0.2), 1.0, check=False)
    with pytest.raises(InputError, match="treatment: must be REPORT or PROJECT"):
        run(2, 1.0, treatment=Treatment.STABILISE)
