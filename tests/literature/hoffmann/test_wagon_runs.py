"""Measures of wagon motions on signals whose answer is known, and one short run."""

import pickle

import numpy as np
import pytest

from klingel.literature.hoffmann.wagon_ends import descent, last_hunting
from klingel.literature.hoffmann.wagon_irregular import repeats
from klingel.literature.hoffmann.wagon_runs import (
    FRONT,
    REAR,
    Piece,
    Setting,
    State,
    correlation,
    flange_start,
    followed,
    hunting_states,
    peak_frequency,
    touches_flanges,
    wagon,
)
from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.catalogue import all_studies

T = np.arange(2001) * 0.005
NOWHERE = State(np.zeros(1), np.zeros(1), np.zeros(1))


def _piece(front: np.ndarray, status: str = "") -> Piece:
    return Piece(T, (FRONT,), front[:, None], NOWHERE, np.zeros((T.size, 1)), np.zeros((T.size, 1)), status)


@pytest.mark.parametrize("frequency", [0.73, 1.3, 6.4, 11.07])
def test_peak_frequency_of_a_sine_between_the_lines(frequency):
    y = 0.3 + np.sin(2.0 * np.pi * frequency * T + 0.4)
    assert peak_frequency(T, y) == pytest.approx(frequency, abs=0.01)  # a tenth of the distance of the lines


def test_flange_to_flange_needs_both_sides_in_the_last_second():
    wide = 6e-3 * np.sin(2.0 * np.pi * 6.0 * T)
    assert touches_flanges(_piece(wide), FRONT)
    assert not touches_flanges(_piece(np.abs(wide)), FRONT)
    assert not touches_flanges(_piece(wide * (T < 8.5)), FRONT)
    assert not touches_flanges(_piece(wide, "derailed"), FRONT)


def test_correlation_of_shifted_sines_is_the_cosine_of_the_shift():
    a, b = (np.sin(2.0 * np.pi * T + shift) for shift in (0.0, 1.0))
    assert correlation(a, b) == pytest.approx(np.cos(1.0), abs=1e-3)


def test_seeded_starts():
    first, again, other = (flange_start(np.random.default_rng(seed), wide=True) for seed in (1, 1, 2))
    assert first == again != other
    assert first[FRONT] * first[REAR] > 0.0
    assert all(5e-3 <= abs(first[name]) <= 6e-3 for name in (FRONT, REAR))


def test_motions_of_period_n_repeat_and_others_do_not():
    rng = np.random.default_rng(0)
    three = np.tile([1e-3, 2e-3, 3e-3], 7)[:20]
    assert repeats(three)
    assert repeats(three + rng.uniform(-2e-5, 2e-5, 20))
    assert not repeats(rng.uniform(1e-3, 3e-3, 20))
    assert not repeats(np.zeros(1))


@pytest.mark.slow
def test_flange_to_flange_lives_at_45_and_not_at_30():
    """Far from the end at 38 m/s on both sides. It is transient chaos: of ten starts a few may end by chance."""
    stand = wagon(Setting(Case(), "hbbills311", "PTP", 1 / 40))
    states = hunting_states(stand, 60.0, Case(), 10)
    for state, again in zip(states[:2], hunting_states(stand, 60.0, Case(), 2), strict=True):
        assert state is not None
        assert again is not None
        np.testing.assert_array_equal(state.offset, again.offset)
    slower = [followed(stand, state, 60.0, 45.0) for state in states if state is not None]
    there = [state for state in slower if state is not None]
    assert len(there) >= 7
    assert sum(touches_flanges(stand.hold(45.0, state, 6.0), FRONT) for state in there) >= 6
    assert sum(touches_flanges(stand.hold(30.0, state, 6.0), FRONT) for state in there) <= 1


@pytest.mark.parametrize("study", all_studies(), ids=lambda study: study.name)
def test_studies_can_go_to_other_processes(study):
    assert pickle.loads(pickle.dumps(study)).name == study.name


class Fading:
    """A stand-in for a wagon whose front wheelset leaves the flanges below 40 m/s and whose rear one below 38."""

    def chain(self, speeds, state, duration):
        for speed in speeds:
            x = np.zeros((T.size, 2))
            for k, end in enumerate((40.0, 38.0)):
                x[:, k] = (6e-3 if speed >= end else 1e-3) * np.sin(2.0 * np.pi * 5.0 * T)
            yield speed, Piece(T, (FRONT, REAR), x, state, T, T)


def test_a_descent_ends_where_the_last_wheelset_leaves_the_flanges():
    assert descent(Fading(), State(T, T, T), 45.0) == (40.0, 38.0)  # type: ignore[arg-type]
    assert descent(Fading(), State(T, T, T), 37.0) == (np.inf, np.inf)  # type: ignore[arg-type]


def test_hunting_ends_with_the_last_touch_of_both_flanges_within_a_second():
    t = np.arange(0.0, 20.0, 0.01)
    wide, slow = 6e-3 * np.sin(2.0 * np.pi * 5.0 * t), 6e-3 * np.sin(2.0 * np.pi * 0.2 * t)
    assert last_hunting(t, (wide * (t < 12.0),)) == pytest.approx(12.0, abs=0.2)
    assert last_hunting(t, (wide * (t < 12.0), wide * (t < 15.0))) == pytest.approx(15.0, abs=0.2)
    assert np.isnan(last_hunting(t, (slow, np.abs(wide))))  # too slow; one flange only
