"""Descents against laws whose lowest value is known."""

import pytest

from klingel.analysis.descents.descent import Held, Steps, confirmed, descend
from klingel.analysis.descents.motion_sizes import Rank

STEPS = Steps(0.5, 0.125, 1.0)


def ends_at(lowest: float, fragile: float = 10.0):
    """A motion that lives above `lowest` and is thrown off by steps of more than `fragile`."""
    asked = []

    def hold(value: float, state: float) -> Held:
        asked.append(value)
        lives = value >= lowest and state - value <= fragile
        return Held(value, Rank.MEDIUM if lives else Rank.STILL, 2e-3, value)

    return hold, asked


def begin(value: float) -> Held:
    return Held(value, Rank.MEDIUM, 2e-3, value)


@pytest.mark.parametrize("lowest", [7.0, 7.06, 7.2, 7.49, 9.99])
def test_lowest_value_within_the_finest_step(lowest):
    hold, _ = ends_at(lowest)
    kept = descend(hold, begin(10.0), Rank.MEDIUM, STEPS)
    assert lowest <= kept[-1].value < lowest + STEPS.finest
    assert [held.value for held in kept] == sorted((held.value for held in kept), reverse=True)


def test_a_motion_thrown_off_by_large_steps_gets_another_chance():
    hold, _ = ends_at(7.0, fragile=0.2)
    kept = descend(hold, begin(10.0), Rank.MEDIUM, STEPS)
    assert kept[-1].value == pytest.approx(7.0)


def test_nothing_is_asked_below_the_last_value():
    hold, asked = ends_at(0.0)
    kept = descend(hold, begin(3.3), Rank.MEDIUM, STEPS)
    assert min(asked) >= STEPS.last
    assert kept[-1].value < STEPS.last + STEPS.finest


def test_a_motion_that_has_grown_for_good_is_left():
    """Small down to 8, medium below: nothing far below 8 is asked."""
    asked = []

    def hold(value: float, state: float) -> Held:
        asked.append(value)
        return Held(value, Rank.SMALL if value >= 8.0 else Rank.MEDIUM, 1e-3, value)

    kept = descend(hold, Held(10.0, Rank.SMALL, 1e-3, 10.0), Rank.SMALL, STEPS)
    assert min(asked) == 8.0 - 8 * STEPS.first
    found = confirmed(hold, kept, Rank.SMALL)
    assert found is not None
    assert found.value == 8.0


def test_confirmed_goes_up_while_long_holds_fail():
    hold, _ = ends_at(7.0)
    kept = descend(hold, begin(10.0), Rank.MEDIUM, STEPS)
    long, _ = ends_at(8.0)
    found = confirmed(long, kept, Rank.MEDIUM)
    assert found is not None
    assert found.value == 8.0
    assert confirmed(ends_at(11.0)[0], kept, Rank.MEDIUM) is None


def test_confirmed_asks_values_of_the_rank_only():
    kept = [begin(10.0), Held(9.0, Rank.EDGE, 6e-3, 9.0)]  # grew on its way
    found = confirmed(ends_at(0.0)[0], kept, Rank.MEDIUM)
    assert found is not None
    assert found.value == 10.0
