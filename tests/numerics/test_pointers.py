"""Plain Python callables are compiled if they can be, or refused with one line."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem


def test_plain_function_with_and_without_return_value():
    def decay(t, x, memory, mode, p, dx):
        dx[0] = -p[0] * x[0]

    def decay_checked(t, x, memory, mode, p, dx):
        dx[0] = -p[0] * x[0]
        return 0

    ends = [
        integrate(HybridProblem(f, np.array([2.0]), ("x",)), [1.0], 1.0, rtol=1e-9, atol=1e-12).x[-1, 0]
        for f in (decay, decay_checked)
    ]
    assert ends[0] == ends[1] == pytest.approx(np.exp(-2.0), abs=1e-8)


def test_parameters_of_another_type():
    """A tuple of arrays as parameters: the loop is compiled for it, the system's functions see its fields."""
    from typing import NamedTuple

    class Springs(NamedTuple):
        stiffness: np.ndarray
        mass: np.ndarray

    def spring(t, x, memory, mode, p, dx):
        dx[0] = x[1]
        dx[1] = -p.stiffness[0] / p.mass[0] * x[0]

    problem = HybridProblem(spring, Springs(np.array([4.0]), np.array([1.0])), ("x", "v"))
    run = integrate(problem, [1.0, 0.0], 1.0, rtol=1e-9, atol=1e-12)
    assert run.x[-1, 0] == pytest.approx(np.cos(2.0), abs=1e-8)


def test_what_cannot_be_compiled_is_refused_with_one_line():
    def opens_a_file(t, x, memory, mode, p, dx):
        with open("somewhere") as handle:
            dx[0] = float(handle.read())

    with pytest.raises(InputError, match=r"^rhs: must compile") as caught:
        integrate(HybridProblem(opens_a_file, np.zeros(1), ("x",)), [1.0], 1.0)
    assert "\n" not in str(caught.value)


def test_the_reason_why_it_does_not_compile_is_told_first():
    def misspelt(t, x, memory, mode, p, dx):
        dx[0] = stiffnes * x[0]  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    with pytest.raises(InputError, match=r"must compile: NameError: name 'stiffnes' is not defined; as \("):
        integrate(HybridProblem(misspelt, np.zeros(1), ("x",)), [1.0], 1.0)
