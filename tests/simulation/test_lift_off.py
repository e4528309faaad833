"""Wheels in the air are counted from the normal forces of both contacts."""

import numpy as np
import xarray as xr

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
        self.data, self.time, self.names = self, np.arange(len(first)), {"wheels": ["axle.left", "cone.left"]}


def test_a_series_of_rows_in_the_air_counts_once():
    run = Made([5.0, 0.0, 0.0, 3.0, 0.0, 2.0, 0.0], [NAN] * 7)
    assert in_the_air(run, "axle.left").tolist() == [False, True, True, False, True, False, True]
    assert lift_offs(run) == {"axle.left": 3}


def test_the_second_contact_carries():
    run = Made([5.0, 0.0, 0.0, 3.0], [NAN, 4.0, 0.0, NAN])
    assert in_the_air(run, "axle.left").tolist() == [False, False, True, False]


def test_a_run_that_begins_in_the_air():
    assert lift_offs(Made([0.0, 1.0], [NAN, NAN])) == {"axle.left": 1}
