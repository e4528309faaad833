"""Runs that cannot go on end with what was computed and a sentence that names time, component and guard."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS
from klingel.numerics.trajectory import IntegrationError
from tests.numerics.small_problems import bouncing_ball, fall, floor_guard, level_crossing, rotate


@kernel(signature=RHS)
def _blow_up(t, x, memory, mode, p, dx):
    dx[0] = 0.0
    dx[1] = x[1] * x[1]
    return 0


@kernel(signature=RHS)
def _turns_nan(t, x, memory, mode, p, dx):
    dx[0] = 1.0
    dx[1] = (1.0 - x[0]) ** 0.5
    return 0


@kernel(signature=ACT)
def _do_nothing(t, x, memory, mode, p, fired):
    return 0


@kernel(signature=ACT)
def _flip(t, x, memory, mode, p, fired):
    mode[0] = 1 - mode[0]
    return 0


@kernel(signature=GUARDS)
def _never_content(t, x, memory, mode, p, g):
    g[0] = 0.5 - x[0]


@pytest.mark.parametrize("method", ["dopri54", "bs32", "esdirk34"])
def test_finite_escape_time_underflows_and_names_the_component(method):
    """x' = x^2 from 1 is infinite at t = 1."""
    problem = HybridProblem(_blow_up, np.zeros(1), ("calm", "wild"))
    with pytest.raises(IntegrationError, match="wild") as caught:
        integrate(problem, [0.0, 1.0], 2.0, method=method)
    partial = caught.value.trajectory
    assert partial.t[-1] == pytest.approx(1.0, abs=1e-4)  # errors made early move the pole
    assert not partial.complete
    assert partial.x[-1, 1] > 1e6


def test_not_finite_derivative_is_named():
    problem = HybridProblem(_turns_nan, np.zeros(1), ("clock", "root"))
    with pytest.raises(IntegrationError, match=r"not finite at t = .* in root") as caught:
        integrate(problem, [0.0, 0.0], 2.0)
    assert caught.value.trajectory.status == Status.NOT_FINITE
    assert caught.value.trajectory.t[-1] == pytest.approx(1.0, abs=1e-6)


def test_not_finite_at_the_start():
    problem = HybridProblem(_turns_nan, np.zeros(1), ("clock", "root"))
    with pytest.raises(IntegrationError, match="not finite at t = 0 s in root"):
        integrate(problem, [2.0, 0.0], 2.0)


def test_zeno_ends_as_chatter_and_names_the_guard():
    """The impacts of a bouncing ball accumulate at t = t0 (1 + r)/(1 - r)."""
    with pytest.raises(IntegrationError, match=r"chatter.*floor") as caught:
        integrate(bouncing_ball(0.5), [1.0, 0.0], 5.0)
    first = (2 / 9.81) ** 0.5
    assert caught.value.trajectory.t[-1] == pytest.approx(3.0 * first, abs=1e-5)


def test_action_that_does_not_help_is_inconsistent():
    problem = HybridProblem(
        rotate,
        np.array([1.0]),
        ("x", "y"),
        guards=_never_content,
        act=_flip,
        guard_names=("level",),
        guard_owner=(0,),
        mode=np.zeros(1, np.int8),
    )
    with pytest.raises(IntegrationError, match=r"contradict.*level") as caught:
        integrate(problem, [0.0, 1.0], 2.0)
    assert caught.value.trajectory.t[-1] == pytest.approx(np.arcsin(0.5), abs=1e-5)


def test_fallen_through_the_floor_without_action():
    """An action that leaves the ball falling: violated right after the event, so the run stops there."""
    problem = HybridProblem(
        fall, np.array([1.0]), ("height", "speed"), guards=floor_guard, act=_do_nothing, guard_names=("floor",)
    )
    with pytest.raises(IntegrationError, match="floor"):
        integrate(problem, [1.0, 0.0], 2.0)


def test_step_limit():
    with pytest.raises(IntegrationError, match="step limit of 50") as caught:
        integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 1e4, max_steps=50)
    assert caught.value.trajectory.stats.accepted <= 50


PROBLEM = level_crossing(1.0, 0.5)
BAD_ARGUMENTS = [
    ({"method": "euler"}, "method"),
    ({"rtol": -1e-6}, "rtol"),
    ({"rtol": float("nan")}, "rtol"),
    ({"atol": 0.0}, "atol"),
    ({"atol": [1e-6, 1e-6, 1e-6]}, "atol"),
    ({"t_end": -1.0}, "t_end"),
    ({"t_end": float("inf")}, "t_end"),
    ({"x0": [0.0, float("nan")]}, r"x0\[y\]"),
    ({"x0": [0.0]}, "x0"),
    ({"output_step": 0.0}, "output_step"),
    ({"first_step": -1.0}, "first_step"),
    ({"max_step": 0.0}, "max_step"),
    ({"max_steps": 0}, "max_steps"),
    ({"chatter_limit": 1}, "chatter_limit"),
]


@pytest.mark.parametrize(("change", "field"), BAD_ARGUMENTS, ids=[str(c) for c, _ in BAD_ARGUMENTS])
def test_bad_arguments_are_named(change, field):
    arguments = {"x0": [0.0, 1.0], "t_end": 1.0, **change}
    x0, t_end = arguments.pop("x0"), arguments.pop("t_end")
    with pytest.raises(InputError, match=f"^{field}: "):
        integrate(PROBLEM, x0, t_end, **arguments)


BAD_PROBLEMS = [
    ({"guards": None}, "guards"),
    ({"act": None}, "act"),
    ({"guard_names": ()}, "guard_names"),
    ({"guard_owner": (0, 0)}, "guard_owner"),
    ({"guard_owner": (3,)}, "guard_owner"),
    ({"time_events": (2.0, 1.0)}, "time_events"),
    ({"pattern": np.ones((3, 3))}, "pattern"),
    ({"rhs": "not a function"}, "rhs"),
]


@pytest.mark.parametrize(("change", "field"), BAD_PROBLEMS, ids=[f for _, f in BAD_PROBLEMS])
def test_bad_problems_are_named(change, field):
    from dataclasses import replace

    with pytest.raises(InputError, match=f"^{field}: "):
        integrate(replace(PROBLEM, **change), [0.0, 1.0], 1.0)
