"""Factors of the small dense solvers: solutions, singular columns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.numerics.linear import lu


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 17), st.integers(0, 10_000))
def test_real_solution(n, seed):
    rng = np.random.default_rng(seed)
    a, x = rng.normal(size=(n, n)), rng.normal(size=n)
    b, factors, pivots = a @ x, a.copy(), np.zeros(n, np.int64)
    assert lu.factorise(factors, pivots) == -1
    lu.solve(factors, pivots, b)
    assert np.max(np.abs(b - x)) <= 1e-13 * np.linalg.cond(a) * np.max(np.abs(x))


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 17), st.integers(0, 10_000))
def test_complex_solution(n, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n))
    x = rng.normal(size=n) + 1j * rng.normal(size=n)
    b, re, im, pivots = a @ x, a.real.copy(), a.imag.copy(), np.zeros(n, np.int64)
    assert lu.factorise_complex(re, im, pivots) == -1
    b_re, b_im = b.real.copy(), b.imag.copy()
    lu.solve_complex(re, im, pivots, b_re, b_im)
    assert np.max(np.abs(b_re + 1j * b_im - x)) <= 1e-13 * np.linalg.cond(a) * np.max(np.abs(x))


@pytest.mark.parametrize("column", [0, 2, 4])
def test_zero_column_is_named(column):
    a = np.random.default_rng(3).normal(size=(5, 5))
    a[:, column] = 0.0
    assert lu.factorise(a.copy(), np.zeros(5, np.int64)) == column
    assert lu.factorise_complex(a.copy(), a.copy(), np.zeros(5, np.int64)) == column


def test_not_a_number_is_named():
    a = np.eye(3)
    a[1, 1] = np.nan
    assert lu.factorise(a, np.zeros(3, np.int64)) == 1
