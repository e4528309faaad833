"""Stability functions against printed rational functions and limits that are roots of known polynomials."""

from dataclasses import replace
from fractions import Fraction
from math import factorial, inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.numerics.ode.coefficients import TABLEAUS
from klingel.numerics.ode.stability import (
    error_function,
    imaginary_limit,
    rational_form,
    real_limit,
    stability_function,
    stability_limit,
)
from klingel.numerics.ode.tableaus import METHODS

NT1 = METHODS["esdirk34"]
EXPLICIT = [m for m in METHODS.values() if m.explicit]
RK4 = replace(
    METHODS["chain34"],
    name="classical",
    a=np.array([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0]]),
    b=np.array([1, 2, 2, 1]) / 6,
)


def square_on_imaginary_axis(coefficients):
    """Coefficients of |P(iy)|² in powers of y, exact."""
    real = [c * (-1) ** (k // 2) if k % 2 == 0 else Fraction(0) for k, c in enumerate(coefficients)]
    imaginary = [c * (-1) ** (k // 2) if k % 2 else Fraction(0) for k, c in enumerate(coefficients)]
    total = [Fraction(0)] * (2 * len(coefficients) - 1)
    for part in (real, imaginary):
        for i, x in enumerate(part):
            for j, y in enumerate(part):
                total[i + j] += x * y
    return total


def test_nt1_has_the_printed_rational_function():
    numerator, denominator = rational_form(TABLEAUS["esdirk34"].a, TABLEAUS["esdirk34"].b)
    gamma = Fraction(5, 12)
    assert numerator == [1, Fraction(-1, 4), Fraction(-11, 48), Fraction(-17, 1728), 0]
    assert denominator == [1, -3 * gamma, 3 * gamma**2, -(gamma**3), 0]


def test_nt1_is_stable_on_the_whole_imaginary_axis():
    numerator, denominator = rational_form(TABLEAUS["esdirk34"].a, TABLEAUS["esdirk34"].b)
    pairs = zip(square_on_imaginary_axis(denominator), square_on_imaginary_axis(numerator), strict=True)
    margin = [q - p for q, p in pairs]
    assert margin == [0, 0, 0, 0, Fraction(592, 13824), 0, Fraction(71, 13824), 0, 0]


@settings(deadline=None)
@given(st.floats(-1e6, 0.0), st.floats(-1e6, 1e6))
def test_nt1_is_a_stable(x, y):
    assert abs(stability_function(NT1, complex(x, y))) <= 1.0 + 1e-12


def test_nt1_does_not_damp_infinitely_stiff_components_at_once():
    numerator, denominator = rational_form(TABLEAUS["esdirk34"].a, TABLEAUS["esdirk34"].b)
    assert numerator[3] / denominator[3] == Fraction(17, 125)


def test_estimate_of_nt1_grows_like_z_until_it_is_filtered():
    z = -1e9
    assert error_function(NT1, z) / z == pytest.approx(37 / 125, abs=1e-7)
    assert error_function(NT1, z) / (1 - NT1.gamma * z) == pytest.approx(-444 / 625, abs=1e-7)


@settings(deadline=None)
@given(st.floats(-1e6, 0.0), st.floats(-1e6, 1e6))
def test_filtered_estimate_of_nt1_is_bounded_in_the_left_half_plane(x, y):
    z = complex(x, y)
    assert abs(error_function(NT1, z) / (1 - NT1.gamma * z)) <= 444 / 625 + 1e-9


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_substitution_agrees_with_the_matrix_formula(method):
    rng = np.random.default_rng(2)
    z = rng.normal(size=7) * 3 + 3j * rng.normal(size=7)
    one = np.ones(method.stages)
    expected = [1 + w * method.b @ np.linalg.solve(np.eye(method.stages) - w * method.a, one) for w in z]
    assert stability_function(method, z) == pytest.approx(np.array(expected), rel=1e-11)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_stability_function_and_estimate_fit_the_exponential(method):
    directions = np.exp(2j * pi * np.arange(8) / 8)
    small, large = 0.01 * directions, 0.02 * directions
    step = [np.abs(stability_function(method, z) - np.exp(z)).max() for z in (large, small)]
    assert step[1] < 0.01 ** (method.order + 1) * 1.1 / factorial(method.order + 1)
    estimate = [np.abs(error_function(method, z)).max() for z in (large, small)]
    assert np.log2(estimate[0] / estimate[1]) == pytest.approx(method.error_order + 1, abs=0.1)


@pytest.mark.parametrize("name", ["bs32", "chain33", "rkf23"])
def test_three_stages_of_order_three(name):
    # R = 1 + z + z²/2 + z³/6: R = -1 on the real axis, |R(iy)|² = 1 - y⁴/12 + y⁶/36
    root = np.roots([-1 / 6, 1 / 2, -1, 2])
    assert real_limit(METHODS[name]) == pytest.approx(root.real[abs(root.imag) < 1e-12][0], rel=1e-12)
    assert imaginary_limit(METHODS[name]) == pytest.approx(sqrt(3), rel=1e-12)


def test_classical_method_of_order_four():
    assert real_limit(RK4) == pytest.approx(2.785293563405282, rel=1e-12)
    assert imaginary_limit(RK4) == pytest.approx(sqrt(8), rel=1e-12)


@pytest.mark.parametrize(("name", "published"), [("dopri54", 3.3066), ("bs32", 2.5127)])
def test_published_real_limits(name, published):
    assert real_limit(METHODS[name]) == pytest.approx(published, abs=5e-5)


def test_explicit_euler_is_a_disc():
    euler = replace(RK4, a=np.zeros((1, 1)), b=np.ones(1))
    for angle in (0.6 * pi, 0.8 * pi, pi):
        assert stability_limit(euler, angle) == pytest.approx(-2 * np.cos(angle), rel=1e-12)
    assert imaginary_limit(euler) == 0.0


def test_implicit_method_has_no_limit():
    assert real_limit(NT1) == inf
    assert imaginary_limit(NT1) == inf


@pytest.mark.parametrize("method", EXPLICIT, ids=lambda m: m.name)
@pytest.mark.parametrize("angle", [0.55 * pi, 0.7 * pi, 0.85 * pi, pi])
def test_limit_is_where_the_modulus_first_passes_one(method, angle):
    limit = stability_limit(method, angle)
    # the limit is a root known to some roundings, and |R| passes one there: look up to just before it
    rho = np.linspace(1e-3, 1.0 - 1e-6, 400)
    modulus = np.abs(stability_function(method, limit * rho * np.exp(1j * angle)))
    numerator, _ = rational_form(method.a.tolist(), method.b.tolist())
    terms = sum(abs(c) * limit**k for k, c in enumerate(numerator))  # what cancels in R(z), or its rounding
    assert modulus.max() <= 1.0 + 10 * method.stages * np.finfo(float).eps * terms
    assert abs(stability_function(method, limit * 1.001 * np.exp(1j * angle))) > 1.0


def test_more_stages_of_the_chain_reach_further_per_evaluation_on_the_real_axis():
    reach = [real_limit(METHODS[name]) / METHODS[name].stages for name in ("chain33", "chain34", "chain35")]
    assert reach == sorted(reach)
    assert reach[2] > 2.0
