"""Secant aim at a boundary: smooth guards are hit, noisy ones within their noise, others are given up."""

import numpy as np
import pytest

from klingel.numerics.events import boundary_step
from klingel.numerics.events.boundary_step import CLOSE, HIT, LOST, MOST, ON, Aim

correct = boundary_step.correct.py_func
STEP = 0.5


def shoot(guard, first, tolerance=1e-14):
    """Outcome, where it ended, and the number of tries."""
    target = Aim(0.0, guard(0.0), first, 0)
    for tries in range(1, 2 * MOST):
        length = target.target
        found, target = correct(target, guard(length), STEP, tolerance)
        if found != ON:
            return found, length, tries
    return ON, length, tries


@pytest.mark.parametrize("error", [0.0, 1e-3, -1e-3])
def test_smooth_guard_is_hit_to_the_last_digits(error):
    found, length, tries = shoot(lambda s: np.cos(s + 1.3), 0.5 * np.pi - 1.3 + error)
    assert found == HIT
    assert abs(length - (0.5 * np.pi - 1.3)) < 1e-13
    assert tries < MOST


@pytest.mark.parametrize("seed", range(8))
def test_noisy_guard_is_hit_on_the_far_side_within_its_noise(seed):
    noise = np.random.default_rng(seed)
    found, length, tries = shoot(lambda s: np.cos(s + 1.3) + 2e-10 * noise.uniform(-1, 1), 0.27)
    assert found == HIT
    assert abs(length - (0.5 * np.pi - 1.3)) < CLOSE * STEP
    assert tries <= MOST


def test_guard_without_a_root_is_given_up():
    assert shoot(lambda s: 1.0 + s * s, 0.2)[0] == LOST
    noise = np.random.default_rng(1)
    assert shoot(lambda s: np.cos(s + 1.3) + 1e-3 * noise.uniform(-1, 1), 0.27)[0] == LOST
