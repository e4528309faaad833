"""The simulated rig obeys Newton's law and its sensor lags as a second-order system does."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.literature.links.rig import Rig, rig_record
from klingel.literature.links.rig_record import read_link_measurement, synthetic_record

FIELDS = ("time", "displacement", "acceleration", "force")


def test_shipped_record_is_the_one_of_the_defaults():
    shipped, made = read_link_measurement(synthetic_record()), rig_record()
    for field, digit in zip(FIELDS, (1e-4, 1e-7, 1e-4, 1e-2), strict=True):
        assert getattr(shipped, field) == pytest.approx(getattr(made, field), abs=0.51 * digit)
    assert shipped.comments[: len(made.comments)] == made.comments


def test_same_seed_same_record_other_seed_other_noise():
    one, again, other = (rig_record(duration=2.0, seed=seed) for seed in (4, 4, 5))
    assert np.array_equal(one.acceleration, again.acceleration)
    assert np.std(one.acceleration - other.acceleration) == pytest.approx(0.02 * 2**0.5, rel=0.15)


def test_accelerometer_lags_by_its_low_frequency_delay():
    quiet = Rig(displacement_noise=0.0, acceleration_noise=0.0, force_noise=0.0)
    late, prompt = rig_record(rig=quiet), rig_record(rig=replace(quiet, sensor_frequency=1e4))
    back = np.interp(prompt.time, late.time - quiet.delay, late.acceleration)
    inside = prompt.time < prompt.time[-1] - 0.05
    assert quiet.delay == pytest.approx(0.01173, abs=1e-5)
    size = np.std(prompt.acceleration)
    assert np.std((late.acceleration - prompt.acceleration)[inside]) > 0.05 * size
    assert np.std((back - prompt.acceleration)[inside]) < 0.01 * size
