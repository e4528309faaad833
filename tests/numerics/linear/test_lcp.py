"""Dantzig's pivoting solves every semidefinite problem that has a solution."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.numerics.linear import lcp
from klingel.numerics.linear.lcp import Status, solve_lcp

seeds = st.integers(0, 2**32 - 1)


@st.composite
def contacts(draw, most=8):
    """A = W^T M^-1 W and b = W^T v: contacts without friction, often dependent; always solvable."""
    n, coordinates, whole = draw(st.integers(1, most)), draw(st.integers(1, 6)), draw(st.booleans())
    rng = np.random.default_rng(draw(seeds))
    # small whole numbers make ties and dependent contacts
    w = rng.integers(-2, 3, (coordinates, n)).astype(float) if whole else rng.normal(size=(coordinates, n))
    v = rng.integers(-2, 3, coordinates).astype(float) if whole else rng.normal(size=coordinates)
    inverse_mass = np.ones(coordinates) if whole else rng.uniform(0.1, 10.0, coordinates)
    return w.T @ (inverse_mass[:, None] * w), w.T @ v


@st.composite
def definite(draw, most=8):
    """A positive definite, b anything."""
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(seeds))
    root = rng.integers(-2, 3, (n, n)) if draw(st.booleans()) else rng.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n), rng.integers(-2, 3, n) * rng.uniform(0.5, 2.0)


def check(a, b, x, y):
    scale_y = np.abs(b).max() + (np.abs(a) @ x).max()
    scale_x = np.abs(x).max()
    assert (x >= 0.0).all()
    assert (y >= 0.0).all()
    assert np.abs(a @ x + b - y).max() <= 1e-10 * scale_y
    assert (x * y).max() <= 1e-10 * scale_x * scale_y
    assert lcp.error_measure(a, b, x) <= 1e-10


def enumerate_solutions(a, b):
    """All complementary solutions with independent active sets, by trying each set."""
    n, found = len(b), []
    for active in product([False, True], repeat=n):
        c = np.flatnonzero(active)
        x = np.zeros(n)
        if len(c):
            block = a[np.ix_(c, c)]
            if np.linalg.matrix_rank(block, tol=1e-9 * np.abs(a).max()) < len(c):
                continue
            x[c] = np.linalg.solve(block, -b[c])
        y = a @ x + b
        y[c] = 0.0
        if x.min() >= -1e-9 * max(np.abs(x).max(), 1e-30) and y.min() >= -1e-9 * np.abs(b).max():
            found.append((x, y))
    return found


@settings(deadline=None, max_examples=200)
@given(contacts())
def test_contacts_without_friction(problem):
    a, b = problem
    check(a, b, *solve_lcp(a, b))


@settings(deadline=None, max_examples=200)
@given(definite())
def test_definite_matrices(problem):
    a, b = problem
    check(a, b, *solve_lcp(a, b))


@settings(deadline=None, max_examples=100)
@given(definite(most=4))
def test_the_one_solution_of_a_definite_problem_is_found(problem):
    a, b = problem
    x, _ = solve_lcp(a, b)
    for other, _ in enumerate_solutions(a, b):
        assert x == pytest.approx(other, abs=1e-8 * max(1.0, np.abs(other).max()))


@settings(deadline=None, max_examples=100)
@given(contacts(most=4))
def test_dependent_contacts_agree_in_the_gap_rates(problem):
    """x is not unique then, y is."""
    a, b = problem
    _, y = solve_lcp(a, b)
    for _, other in enumerate_solutions(a, b):
        assert y == pytest.approx(other, abs=1e-7 * max(1.0, np.abs(b).max()))


@settings(deadline=None, max_examples=100)
@given(definite(), st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
def test_scaling(problem, alpha, gamma):
    a, b = problem
    x, y = solve_lcp(a, b)
    scaled_x, scaled_y = solve_lcp(alpha * a, gamma * b)
    size = np.abs(x).max() + 1e-300
    assert scaled_x * alpha / gamma == pytest.approx(x, abs=1e-9 * size)
    assert scaled_y / gamma == pytest.approx(y, abs=1e-9 * (np.abs(b).max() + 1e-300))


@settings(deadline=None, max_examples=100)
@given(definite(), st.lists(st.floats(1e-4, 1e4), min_size=8, max_size=8))
def test_units_of_single_contacts_do_not_matter(problem, units):
    a, b = problem
    d = np.array(units[: len(b)])
    x, _ = solve_lcp(a, b)
    other, _ = solve_lcp(d[:, None] * a * d, d * b)
    assert other * d == pytest.approx(x, abs=1e-8 * (np.abs(x).max() + 1e-300))


@settings(deadline=None, max_examples=50)
@given(contacts())
def test_nothing_happens_when_nothing_closes(problem):
    a, b = problem
    for right in (np.zeros_like(b), np.abs(b)):
        x, y = solve_lcp(a, right)
        assert (x == 0.0).all()
        assert (y == right).all()


@settings(deadline=None, max_examples=50)
@given(contacts(most=5))
def test_repeated_contacts(problem):
    """Each contact twice: as degenerate as contacts get."""
    a, b = problem
    pick = [*range(len(b)), *range(len(b))]
    check(a[np.ix_(pick, pick)], b[pick], *solve_lcp(a[np.ix_(pick, pick)], b[pick]))


def test_direction_without_answer_is_followed_to_its_end():
    """The printed step rule stops here: y_2 does not depend on x_2 while contact 1 is clamped."""
    x, y = solve_lcp([[1.0, 1.0], [1.0, 1.0]], [-1.0, -2.0])
    assert x == pytest.approx([0.0, 2.0])
    assert y == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize(("a", "b"), [([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]), ([[0.0]], [-1.0])])
def test_problem_without_solution_says_so(a, b):
    with pytest.raises(ArithmeticError, match="no solution"):
        solve_lcp(a, b)


def test_empty_problem():
    x, y = solve_lcp(np.zeros((0, 0)), np.zeros(0))
    assert x.size == y.size == 0


@pytest.mark.parametrize(
    ("a", "b", "field"),
    [
        (np.eye(2), np.zeros(3), "a"),
        (np.eye(2), np.zeros((2, 2)), "b"),
        (np.zeros((2, 3)), np.zeros(2), "a"),
        (np.eye(2), np.array([1.0, np.nan]), "b"),
        (np.array([[np.inf]]), np.array([1.0]), "a"),
    ],
)
def test_bad_input_names_the_argument(a, b, field):
    with pytest.raises(InputError) as error:
        solve_lcp(a, b)
    assert error.value.field == field


def test_error_measure_sees_each_kind_of_error():
    a, b = np.eye(2), np.array([-1.0, 1.0])
    assert lcp.error_measure(a, b, np.array([1.0, 0.0])) == 0.0
    for wrong in ([1.1, 0.0], [0.9, 0.0], [1.0, 0.1], [1.0, -0.1]):
        assert lcp.error_measure(a, b, np.array(wrong)) > 0.02


def test_kernel_changes_neither_matrix_nor_vector():
    a, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])
    x, y = np.zeros(2), np.zeros(2)
    assert lcp.solve(a, b, x, y, np.full(lcp.work_size(2), np.nan)) == Status.SOLVED
    assert (a == [[2.0, 1.0], [1.0, 2.0]]).all()
    assert (b == [-5.0, -6.0]).all()
    assert x == pytest.approx([4 / 3, 7 / 3])
