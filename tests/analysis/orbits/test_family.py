"""Problems an orbit cannot be followed in are refused with one line."""

from dataclasses import replace

import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.analysis.orbits.family import Family
from klingel.model.problem import Locate, vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.setup import put_on_track


def test_modes_that_follow_the_state_are_refused():
    model = put_on_track(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0)
    rest = find_rest(model)
    following = vehicle_problem(model, rest.memory, rest.mode, locate=Locate.NEEDED)
    assert following.follow is not None
    with pytest.raises(InputError, match="problem: must locate every event: locate = 'all'"):
        Family.of_one(following).at(0.0)
    with pytest.raises(InputError, match="problem: must change memory at events only"):
        Family.of_one(replace(following, follow=None, after_step=following.rhs)).at(0.0)
