"""Figures of speed are not bought with a bias; `make bench` prints the deviations.

Chaotic runs differ between processors, so what rounding decides may not be asserted: four standard errors, which
one comparison in fifteen thousand exceeds by chance.
"""

import numpy as np
import pytest

from klingel.bench import bias
from klingel.bench.vehicle import UNBIASED, placed
from klingel.simulation.request.parts import Solving


@pytest.mark.slow
@pytest.mark.parametrize("case", UNBIASED, ids=[case[0] for case in UNBIASED])
def test_statistics_are_those_of_fine_runs(case):
    _, inclination, speed, kick, tolerances = case
    compiled, _ = placed(inclination, speed, 0.0, kick)
    begins = bias.starts(compiled, kick)
    fine = bias.samples(compiled, begins, bias.REFERENCE)
    assert fine.shape == (bias.STARTS, len(bias.NAMES))
    assert np.all(fine.mean(axis=0) > 0.0)  # it swings, and sliders slide
    for rtol in tolerances:
        quick = bias.samples(compiled, begins, Solving("auto", rtol))
        assert np.abs(bias.deviations(quick, fine)).max() < 4.0, rtol


def test_a_bias_is_seen():
    rng = np.random.default_rng(1)
    fine = rng.normal(1.0, 0.1, (bias.STARTS, 3))
    assert np.abs(bias.deviations(rng.normal(1.0, 0.1, fine.shape), fine)).max() < 4.0
    assert np.all(bias.deviations(fine + 0.2, fine) > 4.0)
