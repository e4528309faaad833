"""Cooperrider's bogie between rest and hunting: bisection meets the unstable branch."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import klingel as kg
from klingel.simulation.irregular.edge_motion import edge_motion

FRONT, REAR = "leading_front_wheelset.y", "leading_rear_wheelset.y"
SPEEDS = (63.75, 64.3, 64.8)


@pytest.fixture(scope="module")
def hunting():
    return kg.simulate(
        kg.load_vehicle("cooperrider"), kg.Track.straight(), speed=66.0, duration=20.0, initial={FRONT: 0.012}
    )


@pytest.mark.slow
def test_bisection_meets_the_unstable_branch(hunting):
    """Two ways that share no algorithm: no run settles to these motions."""
    vehicle = kg.load_vehicle("cooperrider")
    branch = kg.continue_orbit(vehicle, first=70.0, last=63.0)
    unstable = np.flatnonzero(~branch.stable)
    unstable = unstable[np.argsort(branch.parameter[unstable])]
    for speed in SPEEDS:
        found = edge_motion(vehicle, speed=speed, small={}, large=hunting, near=1e-5, apart=1e-3, duration=8.0)
        for name in (FRONT, REAR):
            sizes = branch[f"{name}.amplitude"].to_numpy()[unstable]
            exact = CubicSpline(branch.parameter[unstable], sizes)(speed)
            assert found.amplitude[name] == pytest.approx(float(exact), rel=3e-4), (speed, name)
            assert found.error[name] < 1e-3 * found.amplitude[name]
        assert found.small < found.amplitude[FRONT] < found.large
        period = np.interp(speed, branch.parameter[unstable], branch["period"].to_numpy()[unstable])
        assert found.frequency == pytest.approx(1.0 / period, rel=1e-3)


def test_refused(hunting):
    vehicle = kg.load_vehicle("cooperrider")
    with pytest.raises(kg.InputError, match="wider"):  # below the fold everything comes to rest
        edge_motion(vehicle, speed=50.0, small={}, large=hunting)
    with pytest.raises(kg.InputError, match="straight"):
        edge_motion(vehicle, kg.Track.curve(radius=500.0), speed=64.0, small={}, large=hunting)
    with pytest.raises(kg.InputError, match="duration"):
        edge_motion(vehicle, speed=64.0, small={}, large=hunting, duration=-1.0)
    with pytest.raises(kg.InputError, match="coordinate: must be one of"):
        edge_motion(vehicle, speed=64.0, small={}, large=hunting, coordinate="frame.w")
    with pytest.raises(kg.InputError, match="must be a run of"):
        edge_motion(kg.load_vehicle("single_wheelset"), speed=64.0, small={}, large=hunting)
