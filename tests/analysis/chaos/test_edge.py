"""Bisection between two attractors: the unstable orbit in closed form, and what is refused."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.analysis.chaos.edge import NoEdge, Sides, follow_edge, half_width, peak_to_peak
from klingel.analysis.chaos.following import following, state_of
from tests.analysis.orbits.small_systems import HOPF_AND_FOLD, impact_oscillator

GROWTH = -0.2  # r' = r (GROWTH + r^2 - r^4): rest and a cycle, between them an unstable cycle
SIDES = Sides(half_width([0]), 0.1, 0.8, window=2.0 * np.pi, longest=400.0)


def radius(sign: float) -> float:
    return float(np.sqrt(0.5 * (1.0 + sign * np.sqrt(1.0 + 4.0 * GROWTH))))


def test_unstable_cycle_in_closed_form():
    problem = HOPF_AND_FOLD.at(GROWTH)
    small, large = state_of(problem, [0.01, 0.02]), state_of(problem, [1.0, -0.3])
    found = follow_edge(following(problem), small, large, SIDES, duration=40.0)
    assert found.amplitude == pytest.approx(np.full(2, radius(-1.0)), rel=1e-4)
    assert found.error.max() < 1e-3
    square = radius(-1.0) ** 2
    assert found.rate == pytest.approx(2.0 * square * (1.0 - 2.0 * square), rel=0.02)
    crossed = np.linalg.norm(small.x + np.array(found.shares)[:, None] * (large.x - small.x), axis=1)
    assert crossed == pytest.approx(np.full(2, radius(-1.0)), rel=1e-5)
    assert found.shares[0] < found.shares[1]


def test_starts_on_the_wrong_side():
    problem = HOPF_AND_FOLD.at(GROWTH)
    with pytest.raises(NoEdge, match="smaller"):
        follow_edge(following(problem), state_of(problem, [0.9, 0.0]), state_of(problem, [1.0, 0.0]), SIDES, 10.0)
    with pytest.raises(NoEdge, match="larger"):
        follow_edge(following(problem), state_of(problem, [0.1, 0.0]), state_of(problem, [0.2, 0.0]), SIDES, 10.0)


def test_a_third_attractor_is_told():
    """Bounds far from both cycles: what comes to the larger one is neither."""
    problem = HOPF_AND_FOLD.at(GROWTH)
    sides = Sides(half_width([0]), 0.1, 2.0, window=2.0 * np.pi, longest=60.0)
    with pytest.raises(NoEdge, match="third"):
        follow_edge(following(problem), state_of(problem, [0.1, 0.0]), state_of(problem, [9.0, 0.0]), sides, 10.0)


def test_bad_bounds():
    with pytest.raises(InputError, match="small"):
        Sides(half_width([0]), 0.8, 0.1, 1.0, 10.0)
    with pytest.raises(InputError, match="window"):
        Sides(half_width([0]), 0.1, 0.8, 0.0, 10.0)
    problem = HOPF_AND_FOLD.at(GROWTH)
    with pytest.raises(InputError, match="differ"):
        follow_edge(following(problem), state_of(problem, [1.0, 0.0]), state_of(problem, [1.0, 0.0]), SIDES, 10.0)


def test_followed_through_events():
    """The same as one plain run, whatever was followed in between."""
    problem = impact_oscillator().at(0.5)
    follow = following(problem)
    begin = state_of(problem, [0.9, 0.0])
    first = follow(begin, 30.0, 0.5)
    follow(state_of(problem, [0.2, 0.1]), 5.0, None)
    assert np.array_equal(follow(begin, 30.0, 0.5).x, first.x)
    assert len(first.events.fired) > 3


def test_extremes_between_rows():
    t = np.linspace(0.0, 7.0, 150)
    rows = np.column_stack([np.sin(t), 2.0 + 0.5 * np.cos(t + 1.0), t])
    assert peak_to_peak(rows) == pytest.approx([2.0, 1.0, 7.0], rel=1e-6)
