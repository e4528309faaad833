"""Procedures of the field: the sliding mean, and what they say of a bogie that is stable."""

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.simulation.critical.protocols import (
    MEAN_OVER,
    ROWS,
    falling_speed,
    initial_disturbance,
    mean_over_distance,
    steps_of_speed,
)
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.settings import Asked, Settings
from klingel.simulation.request.request import RunRequest


def ride(name: str, **settings) -> Ride:
    return Ride(
        Asked(RunRequest.of(kg.load_vehicle(name), speed=10.0, duration=1.0, rtol=1e-5), Settings(**settings))
    )


def test_mean_over_distance_of_a_line_lags_by_half_of_it():
    """At constant speed the mean of c s over the last 2 m is c (s - 1 m)."""
    speed = np.full(400, 20.0)
    way = 20.0 * ROWS * np.arange(400)
    found = mean_over_distance(3.0 * way, speed)
    after = way > MEAN_OVER
    assert found[after] == pytest.approx(3.0 * (way[after] - 0.5 * MEAN_OVER), rel=1e-9)


def test_mean_over_distance_takes_a_wave_of_that_length_away():
    speed = np.full(2000, 10.0)
    way = 10.0 * ROWS * np.arange(2000)
    found = mean_over_distance(np.sin(2.0 * np.pi * way / MEAN_OVER), speed)
    assert np.abs(found[way > MEAN_OVER]).max() < 1e-3


def test_stable_bogie():
    on = ride("cooperrider", slowest=20.0, fastest=24.0)
    assert initial_disturbance(on).speed is None
    assert steps_of_speed(on).speed is None
    assert falling_speed(on).speed is None


def test_falling_speed_begins_above_the_slowest():
    found = falling_speed(ride("hbbills311", slowest=50.0, fastest=60.0))
    assert found.speed is None
    assert "needs a slowest speed below" in found.reason


def test_a_kick_beyond_the_tables_is_told():
    on = ride("hbbills311", slowest=10.0, fastest=12.0)
    refused = InputError("initial", 5.5e-3, "must be within the contact table")

    def start(speed, offsets):
        raise refused

    on.start = start
    for procedure in (initial_disturbance, steps_of_speed):
        found = procedure(on)
        assert (found.speed, found.reason) == (None, str(refused))


@pytest.mark.slow
def test_bogie_near_its_hopf_point():
    """A kick decays below the fold and lasts above the Hopf point; motions met on the way are told."""
    on = ride("cooperrider", slowest=60.0, fastest=68.0)
    found = initial_disturbance(on)
    assert found.speed is not None
    assert 63.6 < found.speed < 65.5
    assert all(hit.held.value >= found.speed for hit in found.hits)
    down = steps_of_speed(on)
    assert down.speed is not None
    assert 61.9 < down.speed <= 64.0
