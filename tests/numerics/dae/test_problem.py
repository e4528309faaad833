"""A problem that does not fit together is refused when it is put together."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature import pendulum
from klingel.numerics.dae.problem import DaeProblem


def test_constraint_rows_and_algebraic_columns_differ_for_a_full_mass_matrix():
    mass = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    problem = DaeProblem(pendulum.rhs_1, np.zeros(1), ("a", "b", "c"), mass)
    assert problem.constraint_rows.tolist() == [False, True, False]
    assert problem.algebraic.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": np.ones(4)}, r"mass: must have the shape \(5,\)"),
        ({"index": (1, 1)}, "index: must have 5 entries"),
        ({"index": (1, 1, 1, 1, 4)}, "index of lambda: must be 1 to 3, got 4"),
    ],
)
def test_misfits_are_named(changes, message):
    fields = {"mass": pendulum.MASS, "index": (1, 1, 1, 1, 2), **changes}
    with pytest.raises(InputError, match=message):
        DaeProblem(pendulum.rhs_2, np.zeros(1), pendulum.NAMES, **fields)
