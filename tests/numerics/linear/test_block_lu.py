"""LU by blocks against NumPy, with rows that need pivoting and blocks that are interleaved."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.numerics.linear.block_lu import PADDING, factorise, solve
from klingel.numerics.linear.jacobian import blocks


def _solve(matrix, b, order, starts):
    n = b.size
    lu, pivots = np.zeros((n, n + PADDING)), np.zeros(n, np.int64)
    culprit = factorise(matrix, order.astype(np.int64), starts.astype(np.int64), lu, pivots)
    x = b.copy()
    if culprit < 0:
        solve(lu, pivots, order.astype(np.int64), starts.astype(np.int64), x, np.zeros(n + PADDING))
    return culprit, x


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 24))
def test_one_block_is_an_ordinary_solve(seed, n):
    rng = np.random.default_rng(seed)
    matrix, b = rng.normal(size=(n, n)), rng.normal(size=n)
    if np.linalg.cond(matrix) > 1e8:
        return
    culprit, x = _solve(matrix, b, np.arange(n), np.array([0, n]))
    assert culprit == -1
    np.testing.assert_allclose(matrix @ x, b, rtol=0, atol=1e-9 * np.linalg.cond(matrix) * np.abs(b).max())


def test_interleaved_blocks():
    rng = np.random.default_rng(1)
    pattern = np.zeros((6, 6), bool)
    for group in ([0, 3, 5], [1, 4], [2]):
        pattern[np.ix_(group, group)] = True
    matrix = np.where(pattern, rng.normal(size=(6, 6)), 0.0)
    matrix[0, 0] = 0.0  # the pivot must come from another row of its block
    b = rng.normal(size=6)
    order, starts = blocks(pattern)
    assert starts.size == 4
    _, x = _solve(matrix, b, order, starts)
    np.testing.assert_allclose(matrix @ x, b, atol=1e-12)


def test_singular_block_is_named():
    matrix = np.diag([1.0, 0.0, 2.0])
    culprit, _ = _solve(matrix, np.ones(3), np.arange(3), np.array([0, 1, 2, 3]))
    assert culprit == 1


def test_zero_size():
    culprit, x = _solve(np.zeros((0, 0)), np.zeros(0), np.arange(0), np.array([0]))
    assert culprit == -1
    assert x.size == 0
