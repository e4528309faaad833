"""Single-axle bogies with dry friction and guides: dissipation of linear dampers, rest, limits of the guide."""

from math import pi

import numpy as np
import pytest

import klingel as kg
from klingel.vehicles.values import value

TRACK = kg.Track.straight()
PERIOD, Y = 1.0 / 9.904, 5e-3  # of the motion in which dampers are to be equal [s], [m]


def run(name, speed, start, duration=10.0, **options):
    vehicle = kg.load_vehicle(name) if isinstance(name, str) else name
    return kg.simulate(vehicle, TRACK, speed, duration, {"wheelset.y": start}, **{"output_step": 2e-3, **options})


def test_linear_dampers_dissipate_what_friction_does():
    """In one period of a harmonic motion: 4 F A, and pi c omega A^2."""
    dry, linear = kg.load_vehicle("true_asmund_yaw"), kg.load_vehicle("true_asmund_yaw_linear")
    yaw = 1.942e-3
    lateral = 2.0 * value(linear, "left.primary_y.damping")
    turning = 2.0 * value(linear, "left.primary_x.damping") * 0.62**2
    omega = 2.0 * pi / PERIOD
    assert pi * lateral * omega * Y**2 == pytest.approx(4.0 * value(dry, "middle.slider_y.limit") * Y, rel=1e-3)
    moment = value(dry, "middle.slider_yaw.limit")
    assert pi * turning * omega * yaw**2 == pytest.approx(4.0 * moment * yaw, rel=1e-3)
    alone = kg.load_vehicle("true_asmund_linear")
    assert 2.0 * value(alone, "left.primary_y.damping") == pytest.approx(lateral)


def test_friction_bogies_rest_where_they_are_left():
    left = run("true_asmund_yaw", 20.0, 1e-3)["wheelset.y"].to_numpy()
    assert np.abs(left - 1e-3).max() < 1e-12
    creeps = run("true_asmund_yaw", 20.0, 1e-3, method="esdirk34", locate="smooth", smooth_speed=1e-3)
    assert abs(creeps["wheelset.y"].to_numpy()[-1]) < 1e-4


def test_the_guide_limits_yaw_rigid_or_elastic():
    axle = kg.load_vehicle("true_trzepacz")
    rigid = run(axle, 50.0, 5e-3)["wheelset.yaw"].to_numpy()
    free = run(kg.with_value(axle, "guide.gap_x", 1.0), 50.0, 5e-3)["wheelset.yaw"].to_numpy()
    elastic = run(kg.with_value(axle, "guide.stiffness_x", 2.1e11), 50.0, 5e-3)["wheelset.yaw"].to_numpy()
    limit = 22.5e-3  # 22.5 mm at boxes 1 m beside the middle
    assert np.abs(rigid).max() == pytest.approx(limit, rel=2e-3)
    assert np.abs(rigid).max() <= limit + 1e-6  # what a contact that opens may be closed by
    assert limit < np.abs(elastic).max() < 1.01 * limit
    assert np.abs(free).max() > 1.5 * limit


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_no_blow_of_a_guide_is_passed_over(rtol):
    """Also where the wheelset touches its guide and turns round within one step of the integrator."""
    long = run("true_trzepacz", 50.0, 5e-3, duration=60.0, method="dopri54", rtol=rtol)
    assert np.abs(long["wheelset.yaw"].to_numpy()).max() <= 22.5e-3 + 1e-6
