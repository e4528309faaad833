"""W-methods: order conditions for any matrix in place of the Jacobian, stability, orders of whole runs."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.stability import real_limit
from klingel.numerics.ode.w_methods import ALL_METHODS, W_METHODS, W_TABLEAUS
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import RHS
from tests.numerics.ode.w_trees import has_matrix, residuals, w_trees

ROUNDING = 3e-15
NAMES = tuple(W_TABLEAUS)


@pytest.mark.parametrize(("order", "number"), [(1, 1), (2, 2), (3, 5), (4, 13), (5, 37)])
def test_trees_are_as_many_as_the_literature_counts(order, number):
    """Hairer and Wanner, Solving ODEs II, section IV.7, count 1, 2, 5 and 13 conditions."""
    assert len(w_trees(order)) == number


@pytest.mark.parametrize("name", NAMES)
def test_order_whatever_stands_for_the_jacobian(name):
    w = W_TABLEAUS[name]
    for order in range(1, w.order + 1):
        assert max(residuals(w, w.b, w_trees(order))) < ROUNDING
    assert max(residuals(w, w.b, w_trees(w.order + 1))) > 1e-2


@pytest.mark.parametrize("name", NAMES)
def test_embedded_solution_has_its_order_and_no_more(name):
    w = W_TABLEAUS[name]
    for order in range(1, w.error_order + 1):
        assert max(residuals(w, w.b_hat, w_trees(order))) < ROUNDING
    assert max(residuals(w, w.b_hat, w_trees(w.error_order + 1))) > 1e-2


def test_rosw43_has_order_five_where_nothing_is_implicit():
    w = W_TABLEAUS["rosw43"]
    explicit = [tree for tree in w_trees(5) if not has_matrix(tree)]
    assert len(explicit) == 9
    assert max(residuals(w, w.b, explicit)) < ROUNDING


def test_rosw43_is_the_solution_with_the_documented_choices():
    w = W_TABLEAUS["rosw43"]
    assert w.gamma[0, 0] == 0.25
    assert w.alpha.sum(axis=1)[[1, 2, 5]] == pytest.approx([0.14, 0.5, 1.0], abs=ROUNDING)
    assert w.b @ np.linalg.matrix_power(w.alpha, 5) @ np.ones(6) == pytest.approx(1 / 480, abs=ROUNDING)
    both = np.linalg.inv(w.alpha + w.gamma)
    assert 1.0 - w.b_hat @ both @ np.ones(6) == pytest.approx(0.4, abs=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_stiffly_accurate(name):
    w = W_TABLEAUS[name]
    assert np.allclose((w.alpha + w.gamma)[-1], w.b, rtol=0, atol=ROUNDING)


def growth(w, z):
    """R(z) of x' = lambda x with its Jacobian."""
    size = w.b.size
    inner = np.eye(size) - z * (w.alpha + w.gamma)
    return 1 + z * w.b @ np.linalg.solve(inner, np.ones(size))


@pytest.mark.parametrize("name", NAMES)
def test_l_stable(name):
    w = W_TABLEAUS[name]
    assert abs(growth(w, -1e9)) < 1e-8
    assert max(abs(growth(w, 1j * y)) for y in np.geomspace(1e-2, 1e4, 1600)) <= 1 + 1e-12


def test_rosw43_damps_slow_oscillations_that_stay_explicit():
    """Without a Jacobian |R| <= 1 on the imaginary axis up to 1.24, where dopri54 ends at 1.00."""
    w = W_TABLEAUS["rosw43"]
    for y in np.linspace(0.05, 1.24, 60):
        stages = np.linalg.solve(np.eye(6) - 1j * y * w.alpha, np.ones(6))
        assert abs(1 + 1j * y * w.b @ stages) <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_transformed_arrays_make_the_published_step(name):
    """x' = lambda x with the matrix mu: both forms of the method give the same new point."""
    m, published = W_METHODS[name], W_TABLEAUS[name]
    size = published.b.size
    z, w = -0.7, -0.4  # h lambda, h mu
    stages = np.zeros(size)
    for i in range(size):
        known = z * (1 + published.alpha[i] @ stages) + w * np.tril(published.gamma, -1)[i] @ stages
        stages[i] = known / (1 - w * m.gamma)
    k = np.zeros(size + 1)
    assert m.coupling is not None
    for i in range(1, size + 1):
        k[i] = m.gamma * (z * (1 + m.a[i] @ k) + m.coupling[i] @ k) / (1 - w * m.gamma)
    assert m.b @ k == pytest.approx(published.b @ stages, abs=1e-15)
    assert m.d[:-1] @ k == pytest.approx((published.b - published.b_hat) @ stages, abs=1e-15)


@kernel(signature=RHS)
def _pendulum_driven(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -p[0] * np.sin(x[0]) - 0.3 * x[1] + np.cos(2.0 * t)
    dx[2] = -p[1] * (x[2] - x[0] * x[0])
    return 0


def driven(implicit):
    return HybridProblem(_pendulum_driven, np.array([4.0, 3.0]), ("a", "v", "z"), implicit=implicit)


MASKS = {
    "all": None,
    "nothing": np.zeros((3, 3), bool),
    "one coupling": np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1]], bool),
}


@pytest.mark.parametrize("kept", MASKS)
@pytest.mark.parametrize("name", NAMES)
def test_runs_converge_with_their_order_however_much_is_kept(name, kept):
    problem, x0 = driven(MASKS[kept]), [0.5, 0.2, 0.1]
    exact = integrate(problem, x0, 2.0, method="verner65", rtol=1e-12, atol=1e-14).x[-1]
    errors = []
    for h in (0.02, 0.01, 0.005) if name == "ros34pw2" else (0.1, 0.05, 0.025):
        run = integrate(problem, x0, 2.0, method=name, first_step=h, max_step=h, rtol=1e9, atol=1e9)
        errors.append(np.abs(run.x[-1] - exact).max())
    order = 5 if (name, kept) == ("rosw43", "nothing") else W_METHODS[name].order
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([order, order], abs=0.3)


@pytest.mark.parametrize(("name", "rtol"), [("ros34pw2", 1e-5), ("rosw43", 1e-3)])
def test_stiff_part_alone_implicit_takes_few_steps(name, rtol):
    """z follows a^2 at a rate of 1e6; only its row is kept (all of it: dropped entries must not be stiff).

    rosw43 overestimates the error of what follows at once, and reaches the same errors with a looser tolerance.
    """
    keep = np.zeros((3, 3), bool)
    keep[2] = True
    problem = HybridProblem(_pendulum_driven, np.array([4.0, 1e6]), ("a", "v", "z"), implicit=keep)
    x0 = [0.5, 0.2, 0.25]
    run = integrate(problem, x0, 2.0, method=name, rtol=rtol, atol=rtol)
    exact = integrate(driven(None), x0, 2.0, method="verner65", rtol=1e-10, atol=1e-10)
    stable = 2.0 * 1e6 / real_limit(ALL_METHODS["dopri54"])  # steps of an explicit method
    assert run.stats.accepted < 1e-3 * stable
    assert np.abs(run.x[-1, :2] - exact.x[-1, :2]).max() < 3e-4
    assert run.x[-1, 2] == pytest.approx(run.x[-1, 0] ** 2, abs=1e-4)


def test_pair_is_implicit_in_the_given_time_only():
    problem = driven(None)
    plain = integrate(problem, [0.5, 0.2, 0.1], 3.0, method="dopri54", rtol=1e-8, atol=1e-10)
    run = integrate(
        problem, [0.5, 0.2, 0.1], 3.0, method="dopri54+ros34pw2", implicit_times=(1.0, 2.0), rtol=1e-8, atol=1e-10
    )
    assert run.stats.family_changes == 2
    assert run.stats.jacobians > 0
    implicit = np.diff(run.t)[(run.t[:-1] > 1.1) & (run.t[1:] < 1.9)]
    explicit = np.diff(run.t)[(run.t[:-1] > 2.1)]
    assert implicit.max() < explicit[:-1].min()
    assert np.abs(run.x[-1] - plain.x[-1]).max() < 1e-6


@pytest.mark.parametrize("method", ["ros34pw2+dopri54", "dopri54+bs32", "dopri54+ros34pw2+bs32", "auto+ros34pw2"])
def test_pairs_that_make_no_sense_are_refused(method):
    with pytest.raises(InputError, match="method: must"):
        integrate(driven(None), [0.5, 0.2, 0.1], 1.0, method=method)


def test_implicit_times_need_two_methods():
    with pytest.raises(InputError, match="implicit_times: must be left out"):
        integrate(driven(None), [0.5, 0.2, 0.1], 1.0, method="ros34pw2", implicit_times=(0.0, 1.0))
    with pytest.raises(InputError, match="implicit_times: must be two times"):
        integrate(driven(None), [0.5, 0.2, 0.1], 1.0, method="auto", implicit_times=(1.0, 0.0))


def test_all_methods_are_known_by_name():
    assert all(method.name == name for name, method in ALL_METHODS.items())
