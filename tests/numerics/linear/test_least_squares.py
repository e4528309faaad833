"""Least squares of any rank against the singular value decomposition."""

import numpy as np
import pytest

from klingel.numerics.linear.least_squares import LeastSquares


@pytest.mark.parametrize(
    ("rows", "columns", "rank"), [(5, 5, 5), (9, 4, 4), (4, 9, 4), (12, 12, 7), (30, 20, 11), (6, 3, 0)]
)
def test_shortest_solution_with_the_least_error(rows, columns, rank):
    rng = np.random.default_rng(rows + columns + rank)
    for _ in range(20):
        matrix = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
        b = rng.normal(size=rows)
        found = LeastSquares(matrix, 1e-10)
        assert found.rank == rank
        expected = np.linalg.pinv(matrix, rcond=1e-10) @ b
        np.testing.assert_allclose(found.solve(b), expected, rtol=0, atol=1e-9 * max(np.abs(expected).max(), 1.0))


def test_the_given_matrix_is_kept_and_solved_again():
    matrix = np.random.default_rng(1).normal(size=(6, 6))
    kept, found = matrix.copy(), LeastSquares(matrix, 1e-12)
    for b in np.eye(6):
        np.testing.assert_allclose(matrix @ found.solve(b), b, atol=1e-12)
    assert (matrix == kept).all()


def test_no_rows_and_no_columns():
    assert LeastSquares(np.zeros((0, 3)), 1e-10).solve(np.zeros(0)).tolist() == [0.0, 0.0, 0.0]
    assert LeastSquares(np.zeros((3, 0)), 1e-10).solve(np.ones(3)).size == 0
