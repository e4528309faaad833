"""Survival times against the escape rate of an open map, known in closed form."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.analysis.chaos.following import following, state_of
from klingel.analysis.chaos.survival import Survival, lifetime, survival_times
from tests.analysis.chaos.maps import TENT

SLOPE = 3.0  # a third of what is left leaves with every stroke: rate ln(3/2)
EXACT = np.log(1.5)


def _gone(run) -> bool:
    return bool(run.x[-1, 0] < 0.0 or run.x[-1, 0] > 1.0)


@pytest.mark.parametrize("watched", [4, 40])
def test_open_tent_map(watched):
    """Uniform starts; watched for four strokes a fifth is censored."""
    problem = TENT.at(SLOPE)
    rng = np.random.default_rng(3)
    starts = [state_of(problem, [x, 0.5]) for x in rng.uniform(0.0, 1.0, 300)]
    left = survival_times(following(problem), starts, _gone, 1.0, watched)
    found = lifetime(left)
    assert abs(found.rate - EXACT) < 3.0 * found.error
    assert found.error < 0.05
    assert found.starts == 300
    assert found.ends == int(left.ended.sum())
    if watched == 4:
        assert 30 < np.sum(~left.ended) < 90  # 300 (2/3)^4 = 59
    assert found.mean == pytest.approx(1.0 / found.rate)


def test_error_is_that_of_repeated_experiments():
    """Many experiments with windows far shorter than the lifetime, half of the starts censored."""
    rng, rates, errors, window = np.random.default_rng(5), [], [], 0.1
    for _ in range(400):
        times = rng.exponential(2.0, 50)
        ended = times < 1.4
        windows = np.where(ended, np.ceil(times / window), 14).astype(int)
        found = lifetime(Survival(windows, ended, window))
        rates.append(found.rate)
        errors.append(found.error)
    assert np.mean(rates) == pytest.approx(0.5, rel=0.03)
    assert np.std(rates) == pytest.approx(np.mean(errors), rel=0.15)


def test_forgetting_the_censored_would_be_wrong():
    """The same data, those that outlived the watching thrown away, give twice the rate."""
    rng = np.random.default_rng(6)
    times = rng.exponential(2.0, 4000)
    ended = times < 1.4
    windows = np.where(ended, np.ceil(times / 0.01), 140).astype(int)
    right = lifetime(Survival(windows, ended, 0.01))
    wrong = lifetime(Survival(windows[ended], ended[ended], 0.01))
    assert abs(right.rate - 0.5) < 3.0 * right.error
    assert wrong.rate > 1.5


def test_settling_time_is_left_out():
    """Starts that end at once say nothing of the irregular motion."""
    rng = np.random.default_rng(7)
    slow = np.ceil((1.0 + rng.exponential(2.0, 3000)) / 0.05).astype(int)
    windows = np.concatenate([np.ones(500, int), slow])
    found = lifetime(Survival(windows, np.ones(windows.size, bool), 0.05), settle=1.0)
    assert abs(found.rate - 0.5) < 3.0 * found.error
    assert found.starts == 3000


def test_none_ended_gives_a_bound():
    found = lifetime(Survival(np.full(10, 20), np.zeros(10, bool), 0.5))
    assert found.rate == 0.0
    assert np.isinf(found.mean)
    assert found.error == pytest.approx(3.0 / 100.0)


def test_bad_input():
    ended = Survival(np.ones(5, int), np.ones(5, bool), 0.5)
    with pytest.raises(InputError, match="shorter"):
        lifetime(ended)
    with pytest.raises(InputError, match="settle"):
        lifetime(ended, settle=3.0)
    with pytest.raises(InputError, match="window"):
        survival_times(lambda *_: None, [], lambda run: True, -1.0, 3)  # type: ignore[arg-type, return-value]
