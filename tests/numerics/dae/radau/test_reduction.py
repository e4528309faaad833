"""Newton's systems, reduced and solved, against the dense ones."""

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.literature.wheelset_dae import problem as wheelset_dae
from klingel.literature.wheelset_dae.problem import MASS, Formulation, Wheelset
from klingel.numerics.dae import checks
from klingel.numerics.dae.radau.factors import factorise, solve, solve_complex
from klingel.numerics.dae.radau.reduction import reduce_jacobian
from klingel.numerics.dae.radau.tableau import ALPHA, BETA, GAMMA
from klingel.numerics.dae.radau.work import Matrix, Radau, new_radau
from klingel.numerics.dae.work import DaeCount, DaeReal


@kernel(rows=True)
def reduced_solutions(h, s, b, b_re, b_im):
    reduce_jacobian(s)
    culprit = factorise(h, s)
    if culprit < 0:
        solve(h, s, b)
        solve_complex(h, s, b_re, b_im)
    return culprit


def newton_system(jac: np.ndarray, mass: np.ndarray, index: np.ndarray) -> Radau:
    real, count = np.zeros(DaeReal.SIZE), np.zeros(DaeCount.SIZE, np.int64)
    s = new_radau(real, count, np.zeros(0), np.zeros(0, np.int8), mass, index, 0)
    s.matrix[Matrix.JACOBIAN, :, : len(mass)] = jac
    return s


def check(jac, mass, index, h, kept):
    """Solutions as those of the dense systems, with so many components kept."""
    s = newton_system(jac, mass, index)
    rng = np.random.default_rng(5)
    right = rng.normal(size=(3, len(mass)))
    found = right.copy()
    assert reduced_solutions(h, s, *found) == -1
    assert s.count[DaeCount.KEPT] == kept
    real = np.linalg.solve(GAMMA / h * mass - jac, right[0])
    both = np.linalg.solve((ALPHA + 1j * BETA) / h * mass - jac, right[1] + 1j * right[2])
    np.testing.assert_allclose(found[0], real, rtol=1e-9, atol=1e-10 * np.abs(real).max())
    np.testing.assert_allclose(found[1] + 1j * found[2], both, rtol=1e-9, atol=1e-10 * np.abs(both).max())


def mechanism(n: int, quasi_static: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n positions, n speeds and some quasi-static components with random forces."""
    rng = np.random.default_rng(seed)
    size = 2 * n + quasi_static
    jac = rng.normal(size=(size, size))
    jac[:n] = 0.0
    jac[range(n), range(n, 2 * n)] = 1.0 + rng.random(n)
    mass = np.diag(np.r_[0.5 + rng.random(n), np.ones(n), np.zeros(quasi_static)])
    return jac, mass, np.ones(size, int)


@pytest.mark.parametrize(("n", "quasi_static"), [(1, 0), (2, 1), (3, 3), (5, 4), (9, 2), (18, 5), (20, 0)])
def test_positions_and_quasi_static_components_are_eliminated(n, quasi_static):
    jac, mass, index = mechanism(n, quasi_static, n)
    check(jac, mass, index, 0.05, n)


def test_the_constrained_wheelset_keeps_its_speeds_and_multipliers():
    start = wheelset_dae.start(Wheelset())
    problem = wheelset_dae.problem(Wheelset(), Formulation.INDEX_2, start)
    jac = checks.jacobian(problem, 0.0, start)
    check(jac, np.diag(MASS), np.array(problem.index), 1e-2, 8)


def test_multipliers_of_index_3_are_kept():
    start = wheelset_dae.start(Wheelset())
    problem = wheelset_dae.problem(Wheelset(), Formulation.INDEX_3, start)
    jac = checks.jacobian(problem, 0.0, start)
    check(jac, np.diag(MASS), np.array(problem.index), 1e-2, 8)


def test_nothing_is_reduced_where_all_rows_are_full():
    rng = np.random.default_rng(1)
    check(rng.normal(size=(6, 6)), np.eye(6), np.ones(6, int), 0.1, 6)
    check(rng.normal(size=(19, 19)), np.eye(19), np.ones(19, int), 0.1, 19)


def test_a_full_mass_matrix_is_kept_whole():
    jac, _, index = mechanism(3, 0, 2)
    mass = np.random.default_rng(3).normal(size=(6, 6))
    check(jac, mass, index, 0.1, 6)


def test_of_a_chain_of_integrators_every_second_is_kept():
    jac = np.diag(np.ones(4), 1)
    jac[4] = 1.0
    check(jac, np.eye(5), np.ones(5, int), 0.3, 3)


@pytest.mark.parametrize("value", [0.0, 1e-10])
def test_quasi_static_components_are_kept_where_their_own_equations_do_not_give_them(value):
    jac, mass, index = mechanism(3, 2, 4)
    jac[6:, 6:] = [[1.0, 1.0], [1.0, 1.0 + value]]
    check(jac, mass, index, 0.1, 5)


def test_the_component_behind_a_singular_matrix_is_named():
    jac, mass, index = mechanism(3, 1, 6)
    jac[6, :] = 0.0
    jac[:, 6] = 0.0
    s = newton_system(jac, mass, index)
    assert reduced_solutions(0.1, s, *np.ones((3, 7))) == 6
