"""Single creep-force laws against their printed curves and closed forms."""

from math import atan, hypot, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.contact.creep import polach, saturation, shen_hedrick_elkins, tanh_law, vermeulen_johnson
from klingel.contact.creep.creepage import Creepage, Patch, Settings, wheel_creepage

PATCH = Patch(6e-3, 5e-3, 7.5e4, 0.35, 8e10, 4.3, 3.9, 1.6, 1.1)
LIMIT = PATCH.friction * PATCH.load

# tau: cubic of Vermeulen and Johnson, Polach
PRINTED = {
    0.10: (0.096704, 0.099591),
    0.25: (0.229745, 0.243790),
    0.50: (0.421296, 0.454819),
    0.75: (0.578125, 0.617292),
    1.00: (0.703704, 0.733088),
    1.50: (0.875000, 0.866021),
    2.00: (0.962963, 0.927493),
    2.50: (0.995370, 0.957566),
    3.00: (1.000000, 0.973428),
}


def longitudinal(tau):
    return Creepage(tau * LIMIT / (PATCH.shear_modulus * PATCH.a * PATCH.b * PATCH.c11), 0.0, 0.0)


@pytest.mark.parametrize("tau", PRINTED)
def test_printed_saturation_curves(tau):
    cubic, ellipsoid = PRINTED[tau]
    for law, value in (
        (vermeulen_johnson, cubic),
        (shen_hedrick_elkins, cubic),
        (polach, ellipsoid),
        (tanh_law, np.tanh(tau)),
    ):
        assert law.force(longitudinal(tau), PATCH, Settings()).fx == pytest.approx(
            -value * LIMIT, abs=6e-7 * LIMIT
        )


def test_cubic_joins_full_slip_smoothly():
    step = 1e-4
    for order in (0, 1, 2):
        below = np.diff([saturation.factor(3.0 - i * step) for i in range(4)], order)[0] / (-step) ** order
        above = np.diff([saturation.factor(3.0 + i * step) for i in range(4)], order)[0] / step**order
        assert below == pytest.approx(above, abs=1e-3)


def test_shen_hedrick_elkins_turns_the_force_by_spin():
    """Lateral creepage that cancels the spin force leaves the longitudinal force of no creep at all."""
    c = (PATCH.a * PATCH.b) ** 0.5
    phi = 0.4
    eta = -c * PATCH.c23 / PATCH.c22 * phi
    f = shen_hedrick_elkins.force(Creepage(5e-4, eta, phi), PATCH, Settings())
    assert f.fy == pytest.approx(0.0, abs=1e-9)
    assert f.fx == pytest.approx(vermeulen_johnson.force(Creepage(5e-4, 0.0, 0.0), PATCH, Settings()).fx)


def test_tanh_law_is_cut_to_the_friction_circle():
    f = tanh_law.force(Creepage(0.01, 0.01, 0.0), PATCH, Settings())
    assert hypot(f.fx, f.fy) == pytest.approx(LIMIT, rel=1e-12)


@given(st.floats(1e-6, 1e3))
@settings(deadline=None, max_examples=50)
def test_polach_spin_function_is_positive_with_one_maximum(e):
    value = polach.spin_magnitude(e)
    assert -1e-12 <= value <= 2.0 / 3.0 * e
    assert value <= 3.0**0.5 / 8.0 + 1e-15


def test_polach_reduction_factors_and_falling_friction():
    tau = 1.3
    eps = pi / 4 * tau
    slow = Settings(adhesion_factor=0.8, slip_factor=0.4)
    expected = 2 / pi * (0.8 * eps / (1 + (0.8 * eps) ** 2) + atan(0.4 * eps))
    assert polach.force(longitudinal(tau), PATCH, slow).fx == pytest.approx(-expected * LIMIT)
    falling = Settings(friction_floor=0.4, friction_decay=0.6, speed=30.0)
    large = [polach.force(Creepage(xi, 0.0, 0.0), PATCH, falling).fx for xi in (0.01, 0.05, 0.5)]
    assert large[0] < large[1] < large[2] < 0.0  # the force falls with slip
    assert large[2] == pytest.approx(-0.4 * LIMIT, rel=0.01)


def test_creepage_of_pure_rolling_vanishes_and_spin_is_that_of_the_cone():
    """A wheelset rolling centred on a cone: no creep, spin sin(delta)/r0 of opposite sign left and right."""
    speed, r0, delta = 30.0, 0.46, 0.05
    left = wheel_creepage(speed, speed / r0, 0.0, 0.0, 0.0, 0.0, 0.75, -r0, delta)
    right = wheel_creepage(speed, speed / r0, 0.0, 0.0, 0.0, 0.0, -0.75, -r0, -delta)
    assert left == pytest.approx((0.0, 0.0, -np.sin(delta) / r0), abs=1e-15)
    assert right.phi == -left.phi
    yawed = wheel_creepage(speed, speed / r0, 0.0, 0.0, 1e-3, 0.0, 0.75, -r0, 0.0)
    assert yawed.eta == pytest.approx(-1e-3)
