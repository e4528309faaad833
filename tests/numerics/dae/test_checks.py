"""Index, singular constraints and inconsistent starts are found and named."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature import pendulum
from klingel.numerics.dae.checks import checked, consistent_start, pencil
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.dae.radau import method as radau
from klingel.numerics.signatures import RHS


def check(problem, x, tolerance=1e-6):
    return checked(problem, 0.0, np.asarray(x, float), tolerance, tolerance)


@pytest.mark.parametrize("index", [1, 2, 3])
def test_index_of_every_component_is_found(index):
    problem = pendulum.problem(index, index=None)
    assert check(problem, pendulum.exact(0.3)).index == pendulum.INDEX[index]


@kernel(signature=RHS)
def ordinary(t, x, memory, mode, p, f):
    f[0] = x[1]
    f[1] = -x[0]
    return 0


def test_ordinary_differential_equation_has_index_one_everywhere():
    problem = DaeProblem(ordinary, np.zeros(0), ("q", "v"), np.ones(2))
    assert check(problem, [1.0, 0.0]).index == (1, 1)


@kernel(signature=RHS)
def chain(t, x, memory, mode, p, f):
    """x_0 is prescribed; x_1, x_2, x_3 are its derivatives: index 4 in x_3."""
    f[0] = x[1]
    f[1] = x[2]
    f[2] = x[3]
    f[3] = x[0] - np.sin(t)
    return 0


def test_index_above_three_is_refused_with_its_component():
    problem = DaeProblem(chain, np.zeros(0), ("p", "v", "a", "force"), np.array([1.0, 1.0, 1.0, 0.0]))
    with pytest.raises(InputError, match=r"index of force: must be at most 3, got 4"):
        check(problem, [0.0, 1.0, 0.0, -1.0])


def test_index_declared_too_low_is_refused():
    problem = pendulum.problem(3, index=(1, 1, 1, 1, 2))
    with pytest.raises(InputError, match="index of vx: must be 2"):
        check(problem, pendulum.exact(0.3))


def test_violated_constraint_names_its_equation():
    x = pendulum.exact(0.3)
    x[1] *= 1.01
    with pytest.raises(InputError, match="x0: equation of lambda"):
        check(pendulum.problem(3), x)


def test_violated_hidden_constraint_names_the_component():
    x = pendulum.exact(0.3)
    x[2:4] += 0.1 * x[:2]  # radial velocity: index 3 forbids it without printing it
    with pytest.raises(InputError, match=r"x0: v[xy]: violates a hidden constraint"):
        check(pendulum.problem(3), x)
    x = pendulum.exact(0.3)
    x[4] += 1e-3
    with pytest.raises(InputError, match="x0: lambda: violates a hidden constraint"):
        check(pendulum.problem(2), x)


@kernel(signature=RHS)
def twice_fixed(t, x, memory, mode, p, f):
    """The same constraint in two rows."""
    f[0] = -x[2] - x[3]
    f[1] = x[0]
    f[2] = x[0] + x[1]
    f[3] = 2.0 * (x[0] + x[1])
    return 0


def test_repeated_constraint_names_both_rows():
    problem = DaeProblem(twice_fixed, np.zeros(0), ("a", "b", "first", "second"), np.array([1.0, 1.0, 0.0, 0.0]))
    with pytest.raises(
        InputError, match=r"equation of first, second: .*singular.*no unique solution for first, second"
    ):
        check(problem, [0.0, 0.0, 0.0, 0.0])


def test_vanishing_constraint_gradient_is_singular():
    """At the hinge the rod's direction, and with it the constraint matrix, vanishes."""
    with pytest.raises(InputError, match="constraint matrix is singular"):
        check(pendulum.problem(2), [0.0, 0.0, 0.0, 0.0, 0.0])


def test_undefined_right_hand_side_names_the_equation():
    x = pendulum.exact(0.3)
    x[4] = np.nan
    with pytest.raises(InputError, match="x0: equation of vx"):
        check(pendulum.problem(1), x)


@pytest.mark.parametrize("index", [1, 2])
def test_consistent_start_finds_the_multiplier(index):
    x = pendulum.exact(0.3)
    guess = x.copy()
    guess[4] = 0.0
    assert np.allclose(consistent_start(pendulum.problem(index), 0.3, guess), x, rtol=0, atol=1e-9)


def test_solver_refuses_what_the_check_refuses():
    x = pendulum.exact(0.3)
    x[3] += 0.5
    with pytest.raises(InputError, match="equation of lambda"):
        radau.solve(pendulum.problem(2), x, 1.0)


def test_pencil_is_regular_for_a_good_problem():
    assert np.all(np.isfinite(pencil(pendulum.problem(3), 0.0, pendulum.exact(0.3)).inverse))
