"""Rest of a wagon whose load is off centre: every corner carries its share, nothing accelerates."""

import pytest

from klingel.io.vehicle_files import load_vehicle
from klingel.model.equilibrium import RESIDUAL, find_rest
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track
from klingel.vehicles.two_axle import corner_loads


@pytest.mark.parametrize("shift", [(0.1, 0.1), (0.1, 0.0), (0.0, -0.1)])
def test_rest_with_the_load_off_centre(shift):
    wagon = load_vehicle("hbbills311", links="PTP", load="loaded_off_centre", shift=shift)
    compiled = put_on_track(wagon, Track.straight(inclination=1 / 40), 15.0)
    rest = find_rest(compiled)
    assert rest.residual < RESIDUAL
    loads = corner_loads(wagon.meta["parameters"])
    assert sum(loads.values()) == pytest.approx(41176.0 * 9.81)
    roll = rest.x[compiled.layout.states.index("carbody.roll")]
    pitch = rest.x[compiled.layout.states.index("carbody.pitch")]
    # static compression is part of each spring, so the carbody stays level but for what the links add
    assert abs(roll) < 1e-4
    assert abs(pitch) < 1e-4
