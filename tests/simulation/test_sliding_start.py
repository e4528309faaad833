"""A kick onto the flange is told, one that stays on the tread is not."""

import pytest

import klingel as kg
from klingel.simulation.sliding_start import sliding_starts

SIDES = ("left", "right")
TRACK = kg.Track.straight(inclination=1 / 40)


def started(kick, duration=0.03, **options):
    return kg.simulate(kg.load_vehicle("hbbills311"), TRACK, 30.0, duration, kick, output_step=1e-3, **options)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_on_the_flange_it_says_which_wheel_and_how_hard_it_strikes(sign):
    run = started({"front_wheelset.y": sign * 6.7e-3})
    (found,) = sliding_starts(run)
    assert (found.wheelset, found.wheel) == ("front_wheelset", f"front_wheelset.{'left' if sign > 0 else 'right'}")
    loads = [run.values(f"front_wheelset.{side}.Q") for side in SIDES]
    # what the rails do not carry of the wheelset and its leaf springs accelerates it
    mass = run.vehicle.bodies[0].mass
    pressed = mass * run.vehicle.gravity - sum(run.values(f"front_{side}.leaf.force")[0] for side in SIDES)
    assert found.falls == pytest.approx((pressed - sum(load[0] for load in loads)) / mass, rel=1e-6)
    assert found.largest == max(load.max() for load in loads) > 2.0 * pressed
    assert len(found.told()) < 200
    assert "left flange" in found.told() if sign > 0 else "right flange" in found.told()


def test_on_the_tread_and_bare_nothing_is_said():
    assert not sliding_starts(started({"front_wheelset.y": 6.2e-3}, 0.002))
    assert not sliding_starts(started({"carbody.y": 6.7e-3}, 0.002))
    assert not sliding_starts(started({"front_wheelset.y": 6.7e-3}, 0.002, placing="bare"))
    assert not sliding_starts(started({"front_wheelset.y": 6.7e-3}, 0.002, quantities="front_wheelset.y"))
