"""Contact of a wheelset on its track: closed forms, symmetry, yaw against a search in space, jumps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from klingel._errors import InputError
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Hand, Roll, WheelsetOnTrack, smooth_sections
from klingel.contact.profiles.curve import evaluate, height_at
from klingel.contact.profiles.elementary import arc_rail, arc_wheel, cone
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60

STANDARD = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))


def test_cone_on_arc_in_the_middle():
    """The rail is touched where its slope is that of the cone."""
    conicity, radius, axis = 0.05, 0.21, 0.79
    track = RailPair(arc_rail(radius), inclination=0.0, axis=axis)
    contact = WheelsetOnTrack(WheelPair(cone(conicity)), track).at([0.0])
    slope = np.arctan(conicity)
    rail_y = axis - radius * np.sin(slope)
    assert contact.left.first.rail_y[0] == pytest.approx(rail_y, abs=1e-12)
    assert contact.left.first.rail_z[0] == pytest.approx(-radius * (1 - np.cos(slope)), abs=1e-12)
    assert contact.left.first.radius[0] == pytest.approx(0.46 - conicity * (rail_y - 0.75), abs=1e-12)
    assert contact.height[0] == pytest.approx(
        0.46 - conicity * (rail_y - 0.75) - radius * (1 - np.cos(slope)), abs=1e-12
    )
    assert contact.left.first.rail_curvature[0] == pytest.approx(1 / radius)
    assert contact.left.first.wheel_curvature[0] == pytest.approx(0.0, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(shift=st.floats(-0.010, 0.010), conicity=st.floats(0.01, 0.06))  # keeps the contact on the cone
def test_cone_on_arc_rolled(shift, conicity):
    """Distance of each arc centre from its cone line is the arc radius: a straight line on a circle."""
    radius, axis = 0.3, 0.75
    track = RailPair(arc_rail(radius), inclination=0.0, axis=axis)
    contact = WheelsetOnTrack(WheelPair(cone(conicity)), track).at([shift])
    roll, z = contact.roll[0], contact.height[0]
    for sign in (1.0, -1.0):
        along = np.array([np.cos(roll), np.sin(roll)]) * sign
        up = np.array([-np.sin(roll), np.cos(roll)])
        foot = np.array([shift, z]) + 0.75 * along - 0.46 * up
        line = (along + conicity * up) / np.hypot(1.0, conicity)
        centre = np.array([sign * axis, -radius])
        normal = np.array([-line[1], line[0]])
        assert abs((centre - foot) @ normal) == pytest.approx(radius, abs=1e-13)
    assert contact.left.first.angle[0] == pytest.approx(np.arctan(conicity) + roll, abs=1e-12)
    assert contact.right.first.angle[0] == pytest.approx(-np.arctan(conicity) + roll, abs=1e-12)


def test_points_on_wheel_and_rail_coincide_with_parallel_tangents():
    contact = STANDARD.at(np.linspace(-0.01, 0.01, 41))
    cos, sin = np.cos(contact.roll), np.sin(contact.roll)
    for side in (contact.left.first, contact.right.first):
        np.testing.assert_allclose(
            contact.shift + cos * side.wheel_y - sin * side.wheel_z, side.rail_y, atol=1e-14
        )
        np.testing.assert_allclose(
            contact.height + sin * side.wheel_y + cos * side.wheel_z, side.rail_z, atol=1e-14
        )
        np.testing.assert_allclose(side.wheel_angle + contact.roll, side.angle, atol=1e-12)


def test_nothing_overlaps():
    """No point of the wheel lies below the rail."""
    contact = STANDARD.at(np.linspace(-0.009, 0.009, 19))
    side = STANDARD.left
    parameters = np.linspace(0.0, len(side.wheel), 4001)
    for shift, roll, z in zip(contact.shift, contact.roll, contact.height, strict=True):
        worst = np.inf
        for t in parameters:
            eta, radius, *_ = evaluate(side.wheel, t)
            y = shift + eta * np.cos(roll) + radius * np.sin(roll)
            if side.breaks[0] < y < side.breaks[-1]:
                rail = height_at(side.rail, side.breaks, y)[0]
                worst = min(worst, z + eta * np.sin(roll) - radius * np.cos(roll) - rail)
        assert -1e-12 < worst < 1e-6


def test_symmetric_wheelset_is_symmetric_to_rounding():
    contact = STANDARD.at(np.linspace(-0.0095, 0.0095, 96))
    np.testing.assert_allclose(contact.roll, -contact.roll[::-1], atol=5e-15)
    np.testing.assert_allclose(contact.height, contact.height[::-1], atol=5e-15)
    for name, tolerance in (("radius", 1e-12), ("rail_y", 1e-12), ("angle", 1e-12)):
        sign = 1.0 if name == "radius" else -1.0
        np.testing.assert_allclose(
            contact.left.first[name], sign * contact.right.first[name][::-1], atol=tolerance
        )


@pytest.mark.parametrize("yaw", [0.0, 0.01])
def test_mirrored_wheelset_gives_mirrored_results(yaw):
    """Different wheels and rails left and right, exchanged: the same up to rounding."""
    wheels, rails = (s1002(), cone(0.05)), (uic60(), arc_rail(0.2))
    one = WheelsetOnTrack(WheelPair(*wheels), RailPair(*rails, 1 / 40, 0.0, axis=0.754))
    other = WheelsetOnTrack(WheelPair(*wheels[::-1]), RailPair(*rails[::-1], 0.0, 1 / 40, axis=0.754))
    shifts = np.linspace(-0.004, 0.007, 23)
    a, b = one.at(shifts, yaw=yaw), other.at(-shifts, yaw=-yaw)
    np.testing.assert_allclose(a.roll, -b.roll, atol=2e-15)
    np.testing.assert_allclose(a.height, b.height, atol=2e-15)
    for name in ("rail_x", "rail_y", "angle", "radius", "wheel_curvature"):
        sign = -1.0 if name in ("rail_y", "angle") else 1.0
        np.testing.assert_allclose(a.left.first[name], sign * b.right.first[name], atol=1e-11, rtol=1e-9)
        np.testing.assert_allclose(a.right.first[name], sign * b.left.first[name], atol=1e-11, rtol=1e-9)


@pytest.mark.parametrize(("shift", "yaw"), [(0.003, 0.02), (-0.004, -0.03), (0.008, 0.02), (0.0, 0.05)])
def test_yawed_contact_is_the_highest_lift_over_the_whole_wheel_surface(shift, yaw):
    contact = STANDARD.at([shift], yaw=yaw)
    roll = contact.roll[0]
    axle = np.array([-np.sin(yaw) * np.cos(roll), np.cos(yaw) * np.cos(roll), np.sin(roll)])
    forward = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    down = np.cross(axle, forward) * -1.0
    down = down if down[2] < 0 else -down
    side = STANDARD.left

    def surface(p):
        eta, radius, *_ = evaluate(side.wheel, p[0])
        return eta * axle + radius * (np.cos(p[1]) * down + np.sin(p[1]) * forward)

    def negative_lift(p):
        x = surface(p)
        return x[2] - height_at(side.rail, side.breaks, shift + x[1])[0]

    point = contact.left.first
    start = [point.wheel_t[0] + 0.003, point.wheel_x[0] / point.radius[0] + 0.003]
    best = minimize(negative_lift, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15})
    assert -best.fun == pytest.approx(contact.height[0], abs=1e-11)
    assert surface(best.x)[0] == pytest.approx(point.rail_x[0], abs=2e-5)
    assert shift + surface(best.x)[1] == pytest.approx(point.rail_y[0], abs=2e-5)


def test_longitudinal_shift_of_a_cone_is_that_of_de_pater():
    """xi = -(b - r tan gamma) psi on the left, of first order (his (3-35a) and (3-36), corrected)."""
    wheelset = WheelsetOnTrack(WheelPair(cone(0.1)), RailPair(arc_rail(0.3), inclination=0.0, axis=0.76))
    small = wheelset.at([0.0], yaw=1e-4).left.first
    arm = small.wheel_y[0] - small.radius[0] * 0.1
    assert small.rail_x[0] == pytest.approx(-arm * 1e-4, rel=1e-6)


def test_rolling_radius_difference_without_roll_agrees_with_an_independent_program():
    """Own reference values of another code, printed to a micrometre; S1002 on 60E1, 1:40, gauge 1435."""
    contact = STANDARD.at(np.arange(1, 7) * 1e-3, roll=Roll.NONE)
    expected = np.array([0.609, 0.766, 0.939, 1.151, 1.447, 4.270])
    np.testing.assert_allclose(1e3 * contact.rolling_radius_difference, expected, atol=1e-3)


def test_jumps_are_double_contacts_and_do_not_depend_on_the_interval():
    jumps = STANDARD.jumps(-0.007, 0.007)
    assert [jump.hand for jump in jumps] == [Hand.RIGHT] * 3 + [Hand.LEFT] * 3
    shifts = np.array([jump.shift for jump in jumps])
    np.testing.assert_allclose(shifts, -shifts[::-1], atol=2e-9)
    again = STANDARD.jumps(-0.0003, 0.00611)
    np.testing.assert_allclose([jump.shift for jump in again], shifts[2:5], atol=2e-9)
    for jump in jumps[3:5]:
        points = STANDARD.at([jump.shift]).left
        assert points.count[0] == 2
        assert points.points.gap[0, 1] < 1e-9
        found = sorted(points.points.wheel_y[0, :2])
        assert found == pytest.approx(sorted([jump.before.wheel_y, jump.after.wheel_y]), abs=1e-7)


def test_conformal_fillet_is_one_jump():
    """The 13 mm root of the flange fits the 13 mm rail corner: it is swept at one single shift."""
    (jump,) = STANDARD.jumps(0.0061, 0.0064)
    assert jump.before.wheel_y - 0.75 > -0.035
    assert jump.after.wheel_y - 0.75 < -0.0384


def test_fast_but_smooth_motion_is_no_jump():
    """A wheel of nearly the rail's radius: the point moves forty times as far as the wheelset."""
    wheelset = WheelsetOnTrack(
        WheelPair(arc_wheel(0.205, 0.001)), RailPair(arc_rail(0.2), inclination=0.0, axis=0.75)
    )
    contact = wheelset.at([0.0, 1e-4])
    assert abs(np.diff(contact.left.first.rail_y)[0]) > 2e-3
    assert wheelset.jumps(-3e-4, 3e-4) == ()


def test_sections_lie_between_the_jumps_of_a_wheel():
    jumps = STANDARD.jumps(-0.0055, 0.0055)
    sections = smooth_sections(jumps, -0.0055, 0.0055, Hand.LEFT)
    assert len(sections) == 3
    assert len(smooth_sections(jumps, -0.0055, 0.0055)) == 5
    assert sections[0][0] == -0.0055
    assert sections[-1][1] == 0.0055
    for low, high in sections:
        inside = STANDARD.at(np.linspace(low + 1e-8, high - 1e-8, 30)).left.first
        assert np.max(abs(np.diff(inside.wheel_y))) < 2e-3


@pytest.mark.parametrize("shift", [0.08, -0.2])
def test_leaving_the_rails_is_refused(shift):
    with pytest.raises(InputError, match="lateral shift"):
        STANDARD.at([shift])
