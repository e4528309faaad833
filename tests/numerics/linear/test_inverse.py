"""Inverses of small matrices against NumPy."""

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.numerics.linear import inverse

SIZES = (1, 2, 3, 4, 5, 8, 11, 16, 17)


@kernel(rows=True)
def invert(a, n, pivots):
    return inverse.invert(a, n, pivots)


@kernel(rows=True)
def invert_complex(re, im, n, pivots):
    return inverse.invert_complex(re, im, n, pivots)


@kernel(rows=True)
def multiply(columns, n, b, product):
    inverse.multiply(columns, n, b, product)


@kernel(rows=True)
def multiply_complex(re, im, n, b_re, b_im, p_re, p_im):
    inverse.multiply_complex(re, im, n, b_re, b_im, p_re, p_im)


def matrix(rng, n):
    """Random entries in the first n columns, zeros in the others."""
    a = np.zeros((n, inverse.padded(n)))
    a[:, :n] = rng.normal(size=(n, n))
    return a


@pytest.mark.parametrize("n", SIZES)
def test_real_inverse_and_product(n):
    rng = np.random.default_rng(n)
    a = matrix(rng, n)
    found, pivots = a.copy(), np.zeros(n, np.int64)
    found[:, :n] = a[:, :n].T  # by columns
    assert invert(found, n, pivots) == -1
    np.testing.assert_allclose(found[:, :n].T, np.linalg.inv(a[:, :n]), rtol=1e-9, atol=1e-11)
    assert not found[:, n:].any()
    b, product = rng.normal(size=n), np.zeros(a.shape[1])
    multiply(found, n, b, product)
    np.testing.assert_allclose(a[:, :n] @ product[:n], b, atol=1e-11)


@pytest.mark.parametrize("n", SIZES)
def test_complex_inverse_and_product(n):
    rng = np.random.default_rng(100 + n)
    re, im = matrix(rng, n), matrix(rng, n)
    a = (re + 1j * im)[:, :n]
    re[:, :n], im[:, :n] = a.real.T.copy(), a.imag.T.copy()
    assert invert_complex(re, im, n, np.zeros(n, np.int64)) == -1
    np.testing.assert_allclose((re + 1j * im)[:, :n].T, np.linalg.inv(a), rtol=1e-9, atol=1e-11)
    b_re, b_im, p_re, p_im = rng.normal(size=n), rng.normal(size=n), np.zeros(len(re[0])), np.zeros(len(re[0]))
    multiply_complex(re, im, n, b_re, b_im, p_re, p_im)
    np.testing.assert_allclose(a @ (p_re + 1j * p_im)[:n], b_re + 1j * b_im, atol=1e-11)


def test_rows_are_exchanged_where_the_diagonal_is_zero():
    a = np.array([[0.0, 2.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0]])
    assert invert(a, 2, np.zeros(2, np.int64)) == -1
    np.testing.assert_array_equal(a[:, :2], [[0.0, 0.25], [0.5, 0.0]])


def test_singular_matrices_are_known():
    pivots = np.zeros(3, np.int64)
    a = np.zeros((3, 4))
    a[:, 0] = a[:, 2] = 1.0
    assert invert(a.copy(), 3, pivots) >= 0
    assert invert_complex(a.copy(), a.copy(), 3, pivots) >= 0
    a[0, 0] = np.nan
    assert invert(a, 3, pivots) >= 0
