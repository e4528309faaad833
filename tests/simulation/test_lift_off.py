"""Wheels in the air are counted from the normal forces of both contacts."""

import numpy as np
import xarray as xr

import klingel as kg
from klingel.simulation.lift_off import in_the_air, lift_offs

NAN = np.nan


class Made(dict):
    """Quantities by name, like a run."""

    def __init__(self, first, second):
        super().__init__(
            {
                "axle.left.normal_force": xr.DataArray(np.array(first, float)),
                "axle.left.second.normal_force": xr.DataArray(np.array(second, float)),
            }
        )
        self.time, self.names = np.arange(len(first)), {"wheels": ["axle.left", "cone.left"]}

    def values(self, name):
        return self[name].to_numpy()


def test_a_series_of_rows_in_the_air_counts_once():
    run = Made([5.0, 0.0, 0.0, 3.0, 0.0, 2.0, 0.0], [NAN] * 7)
    assert in_the_air(run, "axle.left").tolist() == [False, True, True, False, True, False, True]
    assert lift_offs(run) == {"axle.left": 3}


def test_the_second_contact_carries():
    run = Made([5.0, 0.0, 0.0, 3.0], [NAN, 4.0, 0.0, NAN])
    assert in_the_air(run, "axle.left").tolist() == [False, False, True, False]


def test_a_run_that_begins_in_the_air():
    assert lift_offs(Made([0.0, 1.0], [NAN, NAN])) == {"axle.left": 1}


def test_wheels_lift_and_come_back_from_flange_to_flange():
    """1/40 at 50 m/s: flanges are hit, every wheel leaves its rail many times, and the run goes on."""
    start = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": 5.5e-3, "front_wheelset.yaw": 3e-3}
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1 / 40)
    run = kg.simulate(wagon, track, 50.0, 3.0, start, rtol=1e-5, output_step=2e-4)
    assert run.complete
    assert len(lift_offs(run)) == 4
    for wheel, times in lift_offs(run).items():
        air = in_the_air(run, wheel)
        assert times > 10
        assert 0.0 < air.mean() < 0.2
        assert (np.diff(air.astype(int)) < 0).sum() >= times - 1
