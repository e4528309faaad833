"""Linear critical speeds with sliders stuck and taken away."""

import pytest

from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.simulation.critical.linear import SLIPPING, STUCK, linear_of, not_held, without_friction
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.settings import Asked, Settings
from klingel.simulation.request.request import RunRequest
from klingel.track.track import Track

UNHELD = """
name = "one_wheelset"
[bodies.wheelset]
mass = "1500 kg"
inertia = ["900 kg m2", "90 kg m2", "900 kg m2"]
position = ["0 m", "0 m", "0.4572 m"]
free = ["y", "yaw"]
[bodies.frame]
mass = "3000 kg"
inertia = ["2000 kg m2", "2000 kg m2", "2000 kg m2"]
position = ["0 m", "0 m", "1 m"]
free = ["y"]
[connections.suspension]
inner = "frame"
outer = "wheelset"
point = ["0 m", "0 m", "0.46 m"]
[connections.ground]
inner = "track"
outer = "wheelset"
point = ["0 m", "0 m", "0.46 m"]
[elements.suspension.slider]
law = "dry_friction"
direction = "y"
stiffness = "390 kN/m"
limit = "2 kN"
[elements.ground.yaw_spring]
law = "spring"
direction = "yaw"
stiffness = "2 MNm/rad"
[conical_wheelsets.wheelset]
"""


def ride(vehicle, slowest=3.0, fastest=20.0, inclination=1 / 40) -> Ride:
    track = Track.straight(inclination=inclination)
    request = RunRequest.of(vehicle, track=track, speed=10.0, duration=1.0)
    return Ride(Asked(request, Settings(slowest=slowest, fastest=fastest)))


def test_hbbills():
    """Published behaviour of this wagon: neither is a bound, the wagon moves below both."""
    on = ride(load_vehicle("hbbills311"))
    assert linear_of(on, STUCK).speed == pytest.approx(13.983, abs=2e-3)
    found = linear_of(on, SLIPPING)
    assert found.speed == pytest.approx(7.952, abs=2e-3)
    assert found.frequency == pytest.approx(0.708, abs=2e-3)


def test_no_sliders():
    found = linear_of(ride(load_vehicle("cooperrider")), SLIPPING)
    assert found.as_dict() is None
    assert "no friction sliders" in found.reason


def test_stable_as_far_as_asked():
    found = linear_of(ride(load_vehicle("cooperrider")), STUCK)
    assert found.as_dict() is None
    assert found.reason == "rest is stable up to 20 m/s"


def test_a_rigid_slider_that_sticks_is_no_growth():
    """Held laterally the wheelset only yaws, against springs and creep: nothing can grow."""
    found = linear_of(ride(load_vehicle("true_asmund")), STUCK)
    assert found.reason == "rest is stable up to 20 m/s"


def test_a_body_that_only_friction_holds_is_named():
    cone = load_vehicle("single_wheelset").conical_wheelsets[0].cone
    fields = "".join(f"{name} = {value!r}\n" for name, value in vars(cone).items())
    vehicle = parse_vehicle(UNHELD + fields, "unheld.toml")
    assert not_held(without_friction(vehicle), Track.straight(), 3.0) == "frame.y"
    found = linear_of(ride(vehicle), SLIPPING)
    assert found.as_dict() is None
    assert "frame.y is held by nothing" in found.reason
