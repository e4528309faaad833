"""Rest of a wagon whose load is off centre: every corner carries its share, nothing accelerates."""

import pytest

from klingel.io.vehicle.files import load_vehicle
from klingel.model.standing.equilibrium import RESIDUAL, find_rest
from klingel.simulation.setup import at_speed, put_on_track
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


CASES = [
    (name, links, load)
    for name in ("hbbills311", "g69", "kbps")
    for links in ("PTP", "SPP", "INP", "ASZ", "MP")
    for load in (("empty", "loaded") if name == "hbbills311" else ("empty",))
]


@pytest.mark.parametrize(("name", "links", "load"), CASES)
def test_rest_of_the_whole_library(name, links, load):
    """Every vehicle, link set and load on every inclination, slow and fast; with the load off centre as well."""
    wagon = load_vehicle(name, links=links, load=load)
    for inclination in (0.0, 1 / 20, 1 / 30, 1 / 40):
        compiled = put_on_track(wagon, Track.straight(inclination=inclination), 20.0)
        for speed in (3.0, 20.0, 45.0, 70.0):
            assert find_rest(at_speed(compiled, speed)).residual < RESIDUAL


@pytest.mark.parametrize("name", ["single_wheelset", "cooperrider"])
def test_rest_of_conical_wheelsets(name):
    compiled = put_on_track(load_vehicle(name), Track.straight(), 30.0)
    assert find_rest(compiled).residual < RESIDUAL
