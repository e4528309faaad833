"""ROS34PW2: order conditions for any matrix in place of the Jacobian, stability, orders of whole runs."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.stability import real_limit
from klingel.numerics.ode.w_methods import ALL_METHODS, W_METHODS, W_TABLEAUS
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import RHS

PW2 = W_TABLEAUS["ros34pw2"]
ROUNDING = 3e-15


def residuals(b, order):
    """W-conditions b.Phi = 1/density for words in f' (alpha) and J (gamma); with J in them the right side is 0."""
    a, g, one = PW2.alpha, PW2.gamma, np.ones(4)
    found = [b @ one - 1]
    if order >= 2:
        found += [b @ a @ one - 1 / 2, b @ g @ one]
    if order >= 3:
        found += [b @ (a @ one) ** 2 - 1 / 3, b @ a @ a @ one - 1 / 6]
        found += [b @ a @ g @ one, b @ g @ a @ one, b @ g @ g @ one]
    return np.abs(found)


def test_order_three_whatever_stands_for_the_jacobian():
    assert residuals(PW2.b, 3).max() < ROUNDING


def test_embedded_solution_has_order_two_and_no_more():
    assert residuals(PW2.b_hat, 2).max() < ROUNDING
    assert residuals(PW2.b_hat, 3).max() > 1e-2


def test_stiffly_accurate():
    assert np.allclose((PW2.alpha + PW2.gamma)[-1], PW2.b, rtol=0, atol=ROUNDING)


def growth(z):
    """R(z) of x' = lambda x with its Jacobian."""
    inner = np.eye(4) - z * (PW2.alpha + PW2.gamma)
    return 1 + z * PW2.b @ np.linalg.solve(inner, np.ones(4))


def test_l_stable():
    assert abs(growth(-1e9)) < 1e-8
    assert max(abs(growth(1j * y)) for y in np.geomspace(1e-2, 1e4, 400)) <= 1 + 1e-12


def test_transformed_arrays_make_the_published_step():
    """x' = lambda x with the matrix mu: both forms of the method give the same new point."""
    m = W_METHODS["ros34pw2"]
    z, w = -0.7, -0.4  # h lambda, h mu
    stages = np.zeros(4)
    for i in range(4):
        known = z * (1 + PW2.alpha[i] @ stages) + w * np.tril(PW2.gamma, -1)[i] @ stages
        stages[i] = known / (1 - w * m.gamma)
    k = np.zeros(5)
    assert m.coupling is not None
    for i in range(1, 5):
        k[i] = m.gamma * (z * (1 + m.a[i] @ k) + m.coupling[i] @ k) / (1 - w * m.gamma)
    assert m.b @ k == pytest.approx(PW2.b @ stages, abs=1e-15)
    assert m.d[:-1] @ k == pytest.approx((PW2.b - PW2.b_hat) @ stages, abs=1e-15)


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
def test_runs_converge_with_order_three_however_much_is_kept(kept):
    problem, x0 = driven(MASKS[kept]), [0.5, 0.2, 0.1]
    exact = integrate(problem, x0, 2.0, method="verner65", rtol=1e-12, atol=1e-14).x[-1]
    errors = []
    for h in (0.02, 0.01, 0.005):
        run = integrate(problem, x0, 2.0, method="ros34pw2", first_step=h, max_step=h, rtol=1e9, atol=1e9)
        errors.append(np.abs(run.x[-1] - exact).max())
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([3, 3], abs=0.3)


def test_stiff_part_alone_implicit_takes_few_steps():
    """z follows a^2 at a rate of 1e6; only its row is kept (all of it: dropped entries must not be stiff)."""
    keep = np.zeros((3, 3), bool)
    keep[2] = True
    problem = HybridProblem(_pendulum_driven, np.array([4.0, 1e6]), ("a", "v", "z"), implicit=keep)
    x0 = [0.5, 0.2, 0.25]
    run = integrate(problem, x0, 2.0, method="ros34pw2", rtol=1e-5, atol=1e-5)
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
