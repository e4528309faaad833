"""A wagon that bounces by a millimetre: for ever with the printed law near rest, gone with the full one."""

import numpy as np
import pytest

from klingel.literature.reproduce.case import FULL, PRINTED, Case
from klingel.simulation.simulate import simulate
from klingel.track.track import Track

KICK = {"carbody.z_dot": 0.02}  # about a millimetre up [m/s]


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "low", "high"), [(PRINTED, 0.95, 1.05), (FULL, 0.0, 0.1)])
def test_what_is_left_of_a_bounce_after_twenty_seconds(reading, low, high):
    wagon, track = Case(reading=reading).wagon("hbbills311"), Track.straight(inclination=1 / 40)
    run = simulate(wagon, track, 10.0, 20.0, KICK, rtol=1e-6)
    z = run["carbody.z"].to_numpy()
    first, last = (float(np.ptp(z[part])) for part in (run.time < 0.5, run.time > 19.5))
    assert first > 3e-4
    assert low < last / first < high, last / first
