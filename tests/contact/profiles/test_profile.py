"""Standard profiles join as they should; rigid motions keep lengths, angles and curvatures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.contact.profiles.curve import curvature, evaluate, evaluate_piece
from klingel.contact.profiles.elementary import arc_rail, arc_wheel, cone
from klingel.contact.profiles.pieces import cut, mirrored, moved, turned
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60


def joints(profile):
    """Jumps of position [m] and slope at the joints."""
    for i in range(len(profile.pieces) - 1):
        a, b = evaluate_piece(profile.pieces, i, 1.0), evaluate_piece(profile.pieces, i + 1, 0.0)
        yield np.hypot(a[0] - b[0], a[1] - b[1]), abs(a[3] / a[2] - b[3] / b[2])


def test_s1002_joins_to_drawing_accuracy():
    jumps = list(joints(s1002()))
    assert len(jumps) == 7
    assert max(position for position, _ in jumps) < 2e-7
    assert max(slope for _, slope in jumps) < 1e-5


def test_uic60_is_tangent_everywhere():
    jumps = list(joints(uic60()))
    assert len(jumps) == 6
    assert max(position for position, _ in jumps) < 1e-15
    assert max(slope for _, slope in jumps) < 1e-9


def test_uic60_has_the_dimensions_of_the_drawing():
    ends = 1e3 * uic60().joints
    assert 2 * ends[4, 0] == pytest.approx(20.456, abs=5e-4)
    assert 2 * ends[5, 0] == pytest.approx(52.053, abs=5e-4)
    assert ends[6] == pytest.approx((36.0, 14.3), abs=1e-12)


def test_s1002_has_the_dimensions_of_the_standard():
    wheel = s1002()
    z, slope, bend = wheel.at([-0.055, 0.0, -0.039])
    assert z[0] == pytest.approx(0.028, abs=1e-12)
    assert slope[1] == pytest.approx(-0.03358537058, rel=1e-12)
    assert np.degrees(np.arctan(slope[2])) == pytest.approx(-70.0, abs=1e-6)
    assert bend[0] == pytest.approx(1 / 0.012, rel=1e-12)
    y = np.linspace(-0.040, -0.035, 50001)
    face = np.interp(-0.010, -wheel.at(y)[0], y)
    assert face + 0.070 == pytest.approx(0.0325, abs=1e-6)


def test_curvature_is_positive_where_the_body_is_convex():
    assert uic60().at([0.0, 0.015])[2] == pytest.approx([1 / 0.3, 1 / 0.08], rel=1e-12)
    assert s1002().at([-0.036])[2] == pytest.approx([-1 / 0.013], rel=1e-12)
    assert arc_rail(0.21).at([0.01])[2] == pytest.approx([1 / 0.21], rel=1e-12)
    assert arc_wheel(0.5).at([0.01])[2] == pytest.approx([-1 / 0.5], rel=1e-12)
    assert cone(0.05).at([0.01])[2] == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("profile", [s1002(), uic60(), arc_wheel(0.5, 0.08)], ids=lambda p: p.name)
def test_slope_and_curvature_are_the_derivatives(profile):
    breaks = profile.joints[:, 0]
    inside = (breaks[:-1, None] + np.diff(breaks)[:, None] * np.array([0.2, 0.5, 0.8])).ravel()
    h = 1e-6
    _, slope, bend = profile.at(inside)
    ahead, behind = profile.at(inside + h)[0], profile.at(inside - h)[0]
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * h), rtol=1e-5, atol=1e-8)
    second = (profile.at(inside + h)[1] - profile.at(inside - h)[1]) / (2 * h)
    sign = 1.0 if profile.body else -1.0
    np.testing.assert_allclose(bend, sign * second / (1 + slope**2) ** 1.5, rtol=1e-4, atol=1e-5)


@settings(deadline=None, max_examples=30)
@given(angle=st.floats(-1.5, 1.5), t=st.floats(0.0, 8.0), dy=st.floats(-1, 1))
def test_rigid_motion_moves_points_and_keeps_curvature(angle, t, dy):
    wheel = s1002()
    y, z, *_ = wheel.sample(t)[0]
    row = evaluate(moved(turned(wheel.pieces, angle), dy, 0.0), t)
    expected = (np.cos(angle) * y - np.sin(angle) * z + dy, np.sin(angle) * y + np.cos(angle) * z)
    assert row[:2] == pytest.approx(expected, abs=1e-14)
    bend = curvature(*wheel.sample(t)[0][2:])
    assert curvature(*row[2:]) == pytest.approx(bend, rel=1e-9, abs=1e-8)


@settings(deadline=None, max_examples=30)
@given(piece=st.integers(0, 7), tau=st.floats(0.01, 0.99), low=st.floats(0.0, 0.45), high=st.floats(0.55, 1.0))
def test_mirror_and_cut_keep_the_points(piece, tau, low, high):
    wheel, t = s1002(), piece + tau
    point = evaluate(wheel.pieces, t)
    back = evaluate(mirrored(wheel.pieces), 8.0 - t)
    assert (-back[0], back[1]) == pytest.approx(point[:2], abs=1e-14)
    part = cut(wheel.pieces, 8.0 * low, 8.0 * high)
    first, last = evaluate(part, 0.0), evaluate(part, float(len(part)))
    assert first[:2] == pytest.approx(evaluate(wheel.pieces, 8.0 * low)[:2], abs=2e-7)
    assert last[:2] == pytest.approx(evaluate(wheel.pieces, 8.0 * high)[:2], abs=2e-7)


def test_resampled_points_are_evenly_spaced_on_the_profile():
    rail = uic60()
    points = rail.resampled(5e-4)
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert steps.max() <= 5.001e-4
    assert np.ptp(steps) < 5e-6
    np.testing.assert_allclose(rail.at(points[1:-1, 0])[0], points[1:-1, 1], atol=1e-12)


def test_questions_beside_the_profile_are_refused():
    with pytest.raises(InputError, match="must lie on the profile"):
        s1002().at([0.2])
    with pytest.raises(InputError, match="single valued"):
        uic60().inclined(0.1).at([0.0])
    with pytest.raises(InputError, match="conicity"):
        cone(-0.1)
