"""Smoothed maxima: derivatives, limits, and which of them turn monotonously."""

from math import atan, log, pi

import numpy as np
import pytest

from klingel.literature.nonsmooth_manifold.soft_maximum import DECAY, Blend, soft_abs, soft_maximum

MONOTONE = [Blend.SOFTABS, Blend.SPLINE, Blend.PENETRATION]
POINTS = [-2.3, -1.5, -0.7, -0.2, 0.3, 0.9, 1.4, 3.1]


@pytest.mark.parametrize("blend", Blend)
@pytest.mark.parametrize("d", POINTS)
def test_derivatives_agree_with_differences(blend, d):
    nu, step = 0.8, 1e-5
    value, slope, bend = soft_abs(blend, d, nu)
    ahead, behind = soft_abs(blend, d + step, nu), soft_abs(blend, d - step, nu)
    assert slope == pytest.approx((ahead[0] - behind[0]) / (2 * step), abs=1e-9)
    assert bend == pytest.approx((ahead[1] - behind[1]) / (2 * step), abs=1e-8)
    assert soft_abs(blend, -d, nu) == pytest.approx((value, -slope, bend), abs=1e-15)


@pytest.mark.parametrize("blend", Blend)
@pytest.mark.parametrize("joint", [0.0, 1.0, 2.0])
def test_pieces_meet_with_their_slopes(blend, joint):
    left, right = soft_abs(blend, joint - 1e-9, 1.0), soft_abs(blend, joint + 1e-9, 1.0)
    assert left[:2] == pytest.approx(right[:2], abs=1e-8)


@pytest.mark.parametrize("blend", MONOTONE)
def test_slope_rises_from_minus_one_to_one(blend):
    d = np.linspace(-50.0, 50.0, 4001)
    slope = np.array([soft_abs(blend, value, 1.0)[1] for value in d])
    assert np.all(np.diff(slope) >= 0.0)
    assert abs(slope).max() <= 1.0
    assert slope[-1] == pytest.approx(2 / pi * atan(50.0) if blend == Blend.SOFTABS else 1.0, abs=1e-15)


def test_interpolating_spline_overshoots_at_every_spacing():
    for nu in (1.0, 1e-3):
        values = [soft_abs(Blend.INTERPOLATING, k * nu, nu) for k in range(6)]
        assert [v[0] / nu for v in values] == pytest.approx(range(6), abs=1e-14)
        assert values[1][1] == pytest.approx(1.0 + DECAY)
        # second derivatives meet at the knots: a spline, not just a Hermite chain
        for k in range(1, 6):
            below = soft_abs(Blend.INTERPOLATING, k * nu * (1 - 1e-12), nu)[2]
            assert values[k][2] == pytest.approx(below, abs=1e-9 / nu)


def test_softabs_lies_below_by_the_known_amount():
    nu, d = 1e-4, 1.0
    below = d - soft_abs(Blend.SOFTABS, d, nu)[0]
    assert below == pytest.approx(2 * nu / pi * (1 + log(d / nu)), rel=1e-4)


@pytest.mark.parametrize("d", [-0.9, -0.3, 0.0, 0.5])
def test_penetration_keeps_the_volume(d):
    """(a - s)^2 + (b - s)^2 = nu^2 with a - s, b - s the two depths."""
    a, nu = 0.2, 1.0
    s, _, _ = soft_maximum(Blend.PENETRATION, a, a + d, nu)
    assert (a - s) ** 2 + (a + d - s) ** 2 == pytest.approx(nu**2)


@pytest.mark.parametrize("blend", Blend)
def test_weight_is_the_derivative_with_respect_to_the_second(blend):
    a, b, nu, step = 0.3, 0.7, 0.5, 1e-6
    _, weight, bend = soft_maximum(blend, a, b, nu)
    values = [soft_maximum(blend, a, b + k * step, nu)[0] for k in (-1, 1)]
    assert weight == pytest.approx((values[1] - values[0]) / (2 * step), abs=1e-9)
    slopes = [soft_maximum(blend, a, b + k * step, nu)[1] for k in (-1, 1)]
    assert bend == pytest.approx((slopes[1] - slopes[0]) / (2 * step), abs=1e-8)
