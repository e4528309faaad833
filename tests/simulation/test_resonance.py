"""The estimates (5.1) of Hoffmann (2006) from the description of a wagon."""

from math import pi, sqrt

import pytest

import klingel as kg
from klingel.elements.link_sets import LINK_SETS
from klingel.io.vehicle.options import with_property
from klingel.simulation.resonance import lateral_stiffness, wheelset_frequency, yaw_frequency


@pytest.mark.parametrize("links", LINK_SETS)
def test_yaw_frequency_is_the_printed_formula(links):
    wagon = kg.load_vehicle("hbbills311", links=links)
    load = 0.25 * 15176.0 * 9.81
    law = LINK_SETS[links]["y"]
    stiffness = (law.stiffness + law.breakout / 0.010) * load
    assert lateral_stiffness(wagon, "front_left") == pytest.approx(stiffness, rel=1e-12)
    assert yaw_frequency(wagon) == pytest.approx(sqrt(4.0 * 5.0**2 * stiffness / 413250.0) / (2.0 * pi), rel=1e-12)


def test_four_times_the_inertia_is_half_the_frequency():
    wagon = kg.load_vehicle("hbbills311", links="PTP")
    slow = with_property(wagon, "carbody.inertia.z", 4.0 * 413250.0)
    assert yaw_frequency(slow) == pytest.approx(0.5 * yaw_frequency(wagon), rel=1e-12)


def test_cones_follow_klingel():
    """f / V = sqrt(lambda / (b r)) / 2 pi; a cone has its own inclination as conicity, but for roll."""
    wagon = with_property(kg.load_vehicle("hbbills311"), "profile", "cone:1/20")
    wheelset = wagon.wheelsets[0]
    rate = wheelset_frequency(wheelset, "UIC60", 1 / 20, 1.435)
    assert rate == pytest.approx(sqrt(0.05 / (0.75 * wheelset.radius)) / (2.0 * pi), rel=0.03)


def test_a_vehicle_without_suspension_is_refused():
    with pytest.raises(kg.InputError, match="vehicle: must have a body on a suspension"):
        yaw_frequency(kg.load_vehicle("single_wheelset"))
