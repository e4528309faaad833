"""The FASTSIM table: exact at its nodes and in the linear limit, within its stated error between."""

import numba
import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.creep import fastsim
from klingel.contact.creep.fastsim_table import build_table, lookup

RATIOS = np.exp(np.linspace(np.log(0.05), np.log(20.0), 7))


@pytest.fixture(scope="module")
def table():
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        pytest.skip("the full table takes an hour without compilation")
    return build_table()


def sample(rng, sizes):
    """Random slips with the largest component of k_x, k_y, sigma between the given sizes."""
    direction = rng.uniform(-1.0, 1.0, 3)
    direction /= np.abs(direction).max()
    kx, ky, sigma = direction * rng.uniform(*sizes)
    ratio = np.exp(rng.uniform(np.log(0.05), np.log(20.0)))
    return kx, ky, sigma * min(1.0, ratio), ratio


@pytest.mark.parametrize(("sizes", "error"), [((0.0, 1.0), 0.005), ((1.0, 2.0), 0.01), ((2.0, 20.0), 0.05)])
def test_stated_error(table, sizes, error):
    rng = np.random.default_rng(7)
    worst = 0.0
    for _ in range(300):
        kx, ky, ks, ratio = sample(rng, sizes)
        fx, fy, _, _ = fastsim.normalised(kx, ky, ks / ratio, ks, 60, 40)
        gx, gy, _ = lookup(kx, ky, ks, ratio, 1.0, table)
        worst = max(worst, float(np.hypot(gx - fx, gy - fy)))
    assert worst < error
    assert worst > 0.1 * error


def test_exact_at_the_nodes(table):
    """Between the axis ratios 1/2, 1 and 2 and slips of the grid nothing is interpolated."""
    for ratio in (0.5, 1.0, 2.0):
        for size in (1.0, 2.0 / 3.0 / (1 / 3)):  # s/(1 + s) on the 25 nodes
            kx, ky, sigma = size, -0.5 * size, 0.25 * size
            ks = sigma * min(1.0, ratio)
            fx, fy, mx, my = fastsim.normalised(kx, ky, ks / ratio, ks, 20, 20)
            got = lookup(kx, ky, ks, ratio, 1.0, table)
            assert got == pytest.approx((fx, fy, ratio * mx - my), abs=1e-12)


def test_linear_limit_is_exact_between_the_nodes(table):
    for ratio in RATIOS:
        kx, ky, ks = 2.3e-7, -1.1e-7, 0.7e-7 * min(1.0, ratio)
        fx, fy, _, _ = fastsim.normalised(kx, ky, ks / ratio, ks, 20, 20)
        gx, gy, _ = lookup(kx, ky, ks, ratio, 1.0, table)
        assert (gx, gy) == pytest.approx((fx, fy), rel=2e-5)


def test_moment_without_and_with_spin(table):
    rng = np.random.default_rng(3)
    for _ in range(100):
        kx, ky, ks, ratio = sample(rng, (0.1, 1.5))
        _, _, mx, my = fastsim.normalised(kx, ky, ks / ratio, ks, 60, 40)
        moment = lookup(kx, ky, ks, ratio, 1.0, table)[2]
        assert moment == pytest.approx(ratio * mx - my, abs=0.01 * max(ratio, 1.0))


def test_bad_grid_is_refused():
    with pytest.raises(InputError, match="shapes"):
        build_table(shapes=4)
