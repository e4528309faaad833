"""Starts of a search for motions: frames 20 mm beside stiffly guided wheelsets push these off their rails."""

import klingel as kg
from klingel.analysis.descents.motion_sizes import Rank
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.scan import STARTS, _from_start
from klingel.simulation.critical.settings import Asked, Settings
from klingel.simulation.request import RunRequest

SPEED = 3.0  # [m/s]


def test_a_start_that_derails_is_tried_nearer_to_the_wheelsets():
    request = RunRequest.of(kg.load_vehicle("y25_wagon"), speed=SPEED, duration=1.0, rtol=1e-5)
    ride = Ride(Asked(request, Settings(slowest=SPEED, fastest=SPEED + 1.0)))
    number, size = next((k, s) for k, s in enumerate(STARTS) if s.above)
    derailed = _from_start(ride, SPEED, number, size._replace(above=16.0 * size.above))
    assert derailed is not None
    assert derailed.rank == Rank.OFF
    found = _from_start(ride, SPEED, number, size)
    assert found is None or found.rank != Rank.OFF
