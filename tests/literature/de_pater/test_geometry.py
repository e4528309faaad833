"""First-order contact of circular profiles: residuals of (3-34), known numbers, symmetry, derivatives."""

from math import cos, hypot, sin, tan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import root

from klingel.literature.de_pater.equations_of_motion import contact_wrench
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.layout import P
from klingel.literature.de_pater.parameters import DePaterWheelset

W = DePaterWheelset()
FLAT = W.flat()
shift = st.floats(-0.008, 0.008)


def profile(radius, angle):
    """Lateral coordinate and height of a circular profile where its slope angle is `angle`."""
    return radius * (sin(angle) - sin(W.contact_angle)), radius * (cos(W.contact_angle) - cos(angle))


@settings(deadline=None)
@given(shift)
def test_contact_equations_hold(v):
    at = tread(v, FLAT)
    for side, angle in ((RIGHT, at.angle_1), (LEFT, at.angle_2)):
        eta, zeta = profile(W.rail_crown, angle)
        eta_wheel, zeta_wheel = profile(W.wheel_hollow, angle + side * at.roll)
        assert W.radius * at.roll - side * (eta - eta_wheel) == pytest.approx(v, abs=1e-15)
        assert at.height + side * W.half_base * at.roll == pytest.approx(zeta - zeta_wheel, abs=1e-15)
    assert at.found


@settings(deadline=None)
@given(shift)
def test_normal_forces_do_no_work(v):
    """J*^T D_n = 0, equation (4-31), to rounding; it fails with the sign of w_v that is printed."""
    at = tread(v, FLAT)
    for side, angle in ((RIGHT, at.angle_1), (LEFT, at.angle_2)):
        n = contact_wrench(side, angle, 1.0, 0.0, FLAT)
        assert n.y + at.height_v * n.z + at.roll_v * n.roll == pytest.approx(0.0, abs=1e-16)


@settings(deadline=None)
@given(shift)
def test_mirrored_shift(v):
    one, two = tread(v, FLAT), tread(-v, FLAT)
    assert (two.roll, two.height) == pytest.approx((-one.roll, one.height), abs=1e-16)
    assert (two.angle_1, two.angle_2) == pytest.approx((one.angle_2, one.angle_1), abs=1e-14)
    assert (two.roll_v, two.height_v) == pytest.approx((one.roll_v, -one.height_v), abs=1e-14)
    right, left = flange(RIGHT, v, one, FLAT), flange(LEFT, -v, two, FLAT)
    assert (left.overlap, left.overlap_v) == pytest.approx((right.overlap, -right.overlap_v), abs=1e-14)


def exact_standing(w, v):
    """Height and roll by finite rotation: arcs touch where their centres are R* - R apart."""
    s, c = sin(w.contact_angle), cos(w.contact_angle)

    def gaps(unknowns):
        height, roll = unknowns
        found = []
        for side in (RIGHT, LEFT):
            y, z = side * (w.half_base + w.wheel_hollow * s), w.radius + w.wheel_hollow * c
            y, z = v + cos(roll) * y - sin(roll) * z, height + sin(roll) * y + cos(roll) * z
            y -= side * (w.half_base + w.rail_crown * s)
            z -= w.radius + w.rail_crown * c
            found.append(hypot(y, z) - (w.wheel_hollow - w.rail_crown))
        return found

    return root(gaps, [0.0, 0.0], tol=1e-13).x


def test_rates_of_the_corrected_equation():
    """Rail 0.3 m, wheel 0.5 m, angle 0.08, v = 5 mm; exact values by finite rotation -0.11257, -0.0309."""
    w, h = DePaterWheelset(contact_angle=0.08), 1e-5
    at = tread(5e-3, w.flat())
    assert at.roll_v == pytest.approx(-0.11256, abs=5e-6)
    assert at.height_v == pytest.approx(-0.0294, abs=5e-5)
    height_v, roll_v = (exact_standing(w, 5e-3 + h) - exact_standing(w, 5e-3 - h)) / (2 * h)
    assert roll_v == pytest.approx(-0.11257, abs=5e-6)
    assert height_v == pytest.approx(-0.0309, abs=5e-5)


@pytest.mark.parametrize("v", [1e-3, 6e-3])
def test_first_order_against_finite_rotation(v):
    height, roll = exact_standing(W, v)
    at = tread(v, FLAT)
    assert at.roll == pytest.approx(roll, rel=1e-3)
    assert at.height == pytest.approx(height, rel=0.1)  # a second-order quantity, of which some terms are dropped


@pytest.mark.parametrize("v", [0.0, 0.002, -0.005])
def test_derivatives_along_the_shift(v):
    h = 1e-6
    low, at, high = (tread(v + k * h, FLAT) for k in (-1, 0, 1))
    assert (high.roll_v - low.roll_v) / (2 * h) == pytest.approx(at.roll_vv, rel=1e-6, abs=1e-6)
    assert (high.height_v - low.height_v) / (2 * h) == pytest.approx(at.height_vv, rel=1e-7)
    assert (high.angle_1 - low.angle_1) / (2 * h) == pytest.approx(at.angle_1_v, rel=1e-7)
    # (3-40) is the derivative of the solution up to first order
    assert (high.roll - low.roll) / (2 * h) == pytest.approx(at.roll_v, abs=2e-3)
    assert (high.height - low.height) / (2 * h) == pytest.approx(at.height_v, abs=2e-3)


def test_flange_touches_at_its_clearance():
    v = W.flange_clearance
    at = tread(v, FLAT)
    second = flange(RIGHT, v, at, FLAT)
    assert second.overlap == pytest.approx(0.0, abs=1e-16)
    assert second.radius == pytest.approx(W.flange_depth, abs=1e-15)
    assert second.angle == pytest.approx(W.flange_angle - at.roll)
    h = 1e-7
    rate = (flange(RIGHT, v + h, tread(v + h, FLAT), FLAT).overlap - second.overlap) / h
    assert rate == pytest.approx(second.overlap_v, abs=2e-3)
    # no relative speed along the normal of a rail that moves with the flange
    across = 1.0 - W.radius * at.roll_v - second.overlap_v
    down = at.height_v + W.half_base * at.roll_v
    assert sin(second.angle) * across + cos(second.angle) * down == pytest.approx(0.0, abs=1e-15)


def test_arms_of_the_kinematics():
    at = tread(0.003, FLAT)
    arms = 2 * W.half_base - W.radius * (tan(at.angle_1) + tan(at.angle_2))
    assert 1.0 - W.radius * at.roll_v == pytest.approx(2.0 * W.half_base / arms)
    assert FLAT[P.R] == W.radius
