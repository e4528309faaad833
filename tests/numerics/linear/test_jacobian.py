"""Patterns are found, colours never share a row, blocks are independent."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from klingel._errors import InputError
from klingel.numerics.linear.jacobian import NOT_PERTURBED, blocks, colour, detect_pattern

PATTERNS = st.integers(1, 12).flatmap(lambda n: arrays(bool, (n, n)))
PAIRS = st.integers(1, 10).flatmap(lambda n: st.tuples(arrays(bool, (n, n)), arrays(bool, (n, n))))


def block_diagonal(sizes):
    pattern = np.zeros((sum(sizes), sum(sizes)), dtype=bool)
    start = 0
    for size in sizes:
        pattern[start : start + size, start : start + size] = True
        start += size
    return pattern


def compressed_jacobian(matrix, kept, colours, count):
    """Kept entries of the matrix as differences of x -> matrix x, one per colour."""
    jacobian = np.zeros_like(matrix)
    for c in range(count):
        seed = (colours == c).astype(float)
        column = matrix @ seed
        for j in np.flatnonzero(seed):
            jacobian[kept[:, j], j] = column[kept[:, j]]
    return jacobian


@pytest.mark.parametrize("n", [3, 4, 5, 10, 33])
def test_tridiagonal_needs_three_colours(n):
    pattern = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= 1
    assert colour(pattern)[1] == 3


def test_dense_needs_one_colour_per_column():
    assert colour(np.ones((7, 7), dtype=bool))[1] == 7


@pytest.mark.parametrize("sizes", [[1, 1, 1], [3, 3, 3], [2, 5, 1, 4]])
def test_block_diagonal_needs_as_many_colours_as_its_largest_block(sizes):
    assert colour(block_diagonal(sizes))[1] == max(sizes)


@settings(deadline=None)
@given(PATTERNS)
def test_columns_of_one_colour_never_share_a_row(pattern):
    colours, count = colour(pattern)
    assert colours.dtype == np.int32
    assert set(colours) == set(range(count))
    for c in range(count):
        assert pattern[:, colours == c].sum(axis=1).max() <= 1
    assert count >= pattern.sum(axis=1).max()


@settings(deadline=None)
@given(PAIRS)
def test_kept_entries_come_out_exactly_although_others_are_dropped(pair):
    pattern, wanted = pair
    kept = wanted & pattern
    n = pattern.shape[0]
    matrix = np.where(pattern, 1.0 + np.arange(n * n).reshape(n, n), 0.0)
    colours, count = colour(pattern, wanted)
    assert np.array_equal(compressed_jacobian(matrix, kept, colours, count), np.where(kept, matrix, 0.0))
    assert np.array_equal(colours == NOT_PERTURBED, ~kept.any(axis=0))


def test_two_independent_bodies_are_perturbed_at_once():
    # two bodies of three states hang on a third that sees both; only their own blocks are kept
    pattern = block_diagonal([3, 3, 2])
    pattern[:, 6:] = True
    pattern[6:, :] = True
    kept = block_diagonal([3, 3, 2])
    kept[6:, :] = False
    assert colour(pattern, kept)[1] == 3
    assert colour(pattern)[1] == 8


def test_blocks_of_a_shuffled_block_diagonal():
    shuffle = np.array([4, 0, 3, 1, 5, 2])
    pattern = np.zeros((6, 6), dtype=bool)
    pattern[np.ix_(shuffle, shuffle)] = block_diagonal([3, 1, 2])
    order, starts = blocks(pattern)
    groups = [order[a:b].tolist() for a, b in pairwise(starts)]
    assert groups == [[0, 3, 4], [1], [2, 5]]


@settings(deadline=None)
@given(PATTERNS)
def test_nothing_couples_two_blocks(pattern):
    order, starts = blocks(pattern)
    assert sorted(order) == list(range(pattern.shape[0]))
    assert starts[0] == 0
    assert starts[-1] == order.size
    for a, b in pairwise(starts):
        inside, outside = order[a:b], np.concatenate([order[:a], order[b:]])
        assert not pattern[np.ix_(inside, outside)].any()
        assert not pattern[np.ix_(outside, inside)].any()
        # no finer split: everything is reached from the first index
        coupled = (pattern | pattern.T)[np.ix_(inside, inside)] | np.eye(b - a, dtype=bool)
        assert np.linalg.matrix_power(coupled.astype(float), b - a)[0].all()


@settings(deadline=None)
@given(PATTERNS)
def test_detection_finds_the_pattern_of_a_nonlinear_function(pattern):
    n = pattern.shape[0]
    weights = np.where(pattern, 1.0 + np.arange(n * n).reshape(n, n) / n**2, 0.0)
    found = detect_pattern(lambda x: weights @ np.sin(x + 0.3), np.zeros(n))
    assert np.array_equal(found, pattern)


def test_detection_sees_a_product_that_vanishes_at_the_given_point():
    found = detect_pattern(lambda x: np.array([x[0] * x[1], x[1] ** 2]), np.zeros(2))
    assert found.tolist() == [[True, True], [False, True]]


def test_detection_stays_within_the_given_scale():
    largest = []

    def evaluate(x):
        largest.append(np.abs(x).max())
        return x**2

    detect_pattern(evaluate, np.zeros(3), scale=np.full(3, 1e-3))
    assert max(largest) <= 2e-6


def test_a_right_hand_side_that_is_not_finite_is_refused():
    with pytest.raises(InputError, match="right-hand side: component 1 must be finite"):
        detect_pattern(lambda x: np.array([x[0], np.nan]), np.zeros(2))


def test_a_pattern_that_is_not_square_is_refused():
    for function in (colour, blocks):
        with pytest.raises(InputError, match="pattern: must be a square matrix"):
            function(np.ones((2, 3), dtype=bool))
