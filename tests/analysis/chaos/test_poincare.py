"""Sections of motions known in closed form, through events, and of a driven one."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.analysis.chaos.poincare import poincare_section
from klingel.numerics.problem import HybridProblem
from tests.analysis.chaos.maps import TENT
from tests.analysis.orbits.small_systems import LINEAR, impact_oscillator


def _swing(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -x[0] - 0.2 * x[1]


SWING = HybridProblem(_swing, np.zeros(1), ("x", "v"))


def test_damped_swing():
    """Rises through zero once a period, each lower than the last by the decrement."""
    found = poincare_section(SWING, [1.0, 0.0], lambda t, x: x[0], 40.0)
    period = 2.0 * np.pi / np.sqrt(0.99)
    assert np.diff(found.t) == pytest.approx(np.full(found.t.size - 1, period), abs=1e-7)
    assert found.x[1:, 1] / found.x[:-1, 1] == pytest.approx(
        np.full(found.t.size - 1, np.exp(-0.1 * period)), rel=1e-6
    )
    assert np.abs(found.x[:, 0]).max() < 1e-10
    assert (found.x[:, 1] > 0.0).all()


def test_falls_are_rises_of_the_other_sign_and_points_may_be_few():
    rises = poincare_section(SWING, [1.0, 0.0], lambda t, x: x[0], 30.0)
    falls = poincare_section(SWING, [1.0, 0.0], lambda t, x: -x[0], 30.0, points=2)
    assert falls.t.size == 2
    assert falls.t[0] < rises.t[0] < falls.t[1]


def test_stroboscope_of_a_driven_oscillator():
    """x'' + x' + 2 x = cos t settles to x = (cos t + sin t) / 2."""
    found = poincare_section(LINEAR.at(2.0), [0.3, 0.0], lambda t, x: np.sin(t - 1.0), 60.0, transient=60.0)
    assert found.t.size in (9, 10)
    turns = (found.t - 1.0) / (2.0 * np.pi)
    assert turns == pytest.approx(np.round(turns), abs=1e-9)
    exact = 0.5 * (np.cos(1.0) + np.sin(1.0)), 0.5 * (np.cos(1.0) - np.sin(1.0))
    assert found.x == pytest.approx(np.tile(exact, (found.t.size, 1)), abs=1e-7)


def test_a_striking_orbit_is_one_point():
    """Period one: after the transient every crossing is the same, impacts in between."""
    found = poincare_section(
        impact_oscillator().at(0.5), [0.9, 0.0], lambda t, x: x[0] - 0.5, 80.0, transient=60.0 * np.pi
    )
    assert found.t.size >= 12
    assert np.ptp(found.x[:, 1]) < 1e-6
    assert np.diff(found.t) == pytest.approx(np.full(found.t.size - 1, 2.0 * np.pi), abs=1e-6)


def test_a_jump_of_the_state_is_no_crossing():
    """The tent map moves x by its action only; its clock rises through a half between the strokes."""
    problem = TENT.at(1.9)
    assert poincare_section(problem, [0.3, 0.0], lambda t, x: x[0] - 0.5, 30.0).t.size == 0
    found = poincare_section(problem, [0.3, 0.0], lambda t, x: x[1] - 0.5, 30.0)
    assert found.t == pytest.approx(0.5 + np.arange(30.0))
    x = [0.3]
    for _ in range(29):
        x.append(1.9 * min(x[-1], 1.0 - x[-1]))
    assert found.x[:12, 0] == pytest.approx(x[:12], abs=1e-9)


def test_bad_input():
    with pytest.raises(InputError, match="section"):
        poincare_section(SWING, [1.0, 0.0], "x", 10.0)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="duration"):
        poincare_section(SWING, [1.0, 0.0], lambda t, x: x[0], -1.0)
    with pytest.raises(InputError, match="points"):
        poincare_section(SWING, [1.0, 0.0], lambda t, x: x[0], 1.0, points=0)
