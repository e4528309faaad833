"""Arclength continuation of the contact equations against closed forms and against the distance search."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.continuation import follow, newton, tangent
from klingel.contact.geometry.double_point import double_points
from klingel.contact.geometry.equations import FIRST, HEIGHT, ROLL, SHIFT, ContactSystem, Equations
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Hand, WheelsetOnTrack
from klingel.contact.profiles.curve import height_on
from klingel.contact.profiles.elementary import arc_rail, arc_wheel
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.smoothing import from_points
from klingel.contact.profiles.uic60 import uic60

INCLINATIONS = [1 / 40, 1 / 30, 1 / 20]
ARCS = WheelsetOnTrack(WheelPair(arc_wheel(0.5, 0.08)), RailPair(arc_rail(0.3), inclination=0.08, axis=0.75))


@pytest.fixture(scope="module", params=INCLINATIONS, ids=["1:40", "1:30", "1:20"])
def standard(request):
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=request.param))
    return wheelset, follow(wheelset, 0.0, 0.009)


@pytest.mark.parametrize("variant", Equations)
def test_jacobian_is_the_derivative(variant):
    system = ContactSystem(ARCS, variant)
    x = np.array([0.004, 0.459, 0.003, 0.741, 0.745, 0.752, 0.748])
    contacts = system.pieces(x, np.arange(2))
    _, jac = system.evaluate(x, contacts)
    for k in range(7):
        step = 1e-6 * np.eye(7)[k]
        difference = (system.evaluate(x + step, contacts)[0] - system.evaluate(x - step, contacts)[0]) / 2e-6
        np.testing.assert_allclose(jac[:, k], difference, atol=1e-8)


def test_contact_points_do_not_move_into_the_rail():
    """dz/dv and dphi/dv follow from the contact points alone: rigid bodies have no normal velocity there."""
    path = follow(ARCS, 0.0, 0.006)
    x = path.at(0.005)
    t = tangent(path.system, x, path.system.pieces(x, np.arange(2)), np.eye(7)[SHIFT])
    point = ARCS.at([0.005])
    rows, right = [], []
    for side in (point.left.first, point.right.first):
        y, z = side.rail_y[0] - 0.005, side.rail_z[0] - point.height[0]
        c, s = np.cos(side.angle[0]), np.sin(side.angle[0])
        rows.append([c, y * c + z * s])
        right.append(s)
    expected = np.linalg.solve(rows, right)
    assert (t[HEIGHT] / t[SHIFT], t[ROLL] / t[SHIFT]) == pytest.approx(tuple(expected), rel=1e-11)


def test_first_order_roll_per_shift_is_de_paters():
    """(3-40) in the middle: phi,v = tan(gamma) / (b - r tan(gamma)), with the signs of this package."""
    system = ContactSystem(ARCS, Equations.FIRST_ORDER)
    x = follow(ARCS, 0.0, 1e-4, Equations.FIRST_ORDER).unknowns[0]
    t = tangent(system, x, system.pieces(x, np.arange(2)), np.eye(7)[SHIFT])
    assert t[ROLL] / t[SHIFT] == pytest.approx(0.08 / (0.75 - 0.46 * 0.08), rel=1e-12)
    assert t[HEIGHT] == pytest.approx(0.0, abs=1e-12)


def test_first_order_differs_by_the_terms_that_are_dropped():
    path = follow(ARCS, 0.0, 0.006, Equations.FIRST_ORDER)
    x = path.at(0.005)
    exact = ContactSystem(ARCS, Equations.EXACT)
    f, _ = exact.evaluate(x, exact.pieces(x, np.arange(2)))
    for j, sign in enumerate((1.0, -1.0)):
        roll, s = sign * x[ROLL], x[FIRST + 2 * j]
        radius = float(np.interp(s, *ARCS_WHEEL))
        assert f[3 * j] == pytest.approx(s * (np.cos(roll) - 1) + radius * np.sin(roll) - 0.46 * roll, abs=1e-10)
        assert f[3 * j + 1] == pytest.approx(
            s * np.sin(roll) - 0.75 * roll - radius * (np.cos(roll) - 1), abs=1e-10
        )
        assert f[3 * j + 2] == pytest.approx(0.0, abs=1e-14)


GRID = np.linspace(-0.03, 0.03, 60001)
ARCS_WHEEL = (GRID + 0.75, arc_wheel(0.5, 0.08).at(GRID)[0] + 0.46)


def test_continuation_agrees_with_the_distance_search(standard):
    wheelset, path = standard
    jumps = np.array([jump.shift for jump in wheelset.jumps(0.0, 0.009)])
    shifts = np.linspace(1e-5, 0.009, 120)
    shifts = shifts[np.min(abs(shifts[:, None] - jumps), axis=1) > 2e-6]
    search = wheelset.at(shifts)
    x = np.array([path.at(shift) for shift in shifts])
    np.testing.assert_allclose(x[:, HEIGHT], search.height, atol=1e-9)
    np.testing.assert_allclose(x[:, ROLL], search.roll, atol=1e-9)
    for hand, side in ((0, search.left.first), (1, search.right.first)):
        np.testing.assert_allclose(x[:, FIRST + 2 * hand], abs(side.wheel_y), atol=1e-6)
        np.testing.assert_allclose(x[:, FIRST + 2 * hand + 1], abs(side.rail_y), atol=1e-6)


def test_double_points_are_the_jumps(standard):
    """Nine equations against bisection; the conformal fillet is no regular double point and is left out."""
    wheelset, path = standard
    points = double_points(path)
    jumps = [jump for jump in wheelset.jumps(0.0, 0.009) if jump.after.wheel_y > 0.715]
    assert len(points) == len(jumps) == 2
    for point, jump in zip(points, jumps, strict=True):
        assert point.hand == jump.hand == Hand.LEFT
        assert point.shift == pytest.approx(jump.shift, abs=1e-9)
        assert point.roll == pytest.approx(jump.roll, abs=1e-9)
        assert point.wheel == pytest.approx((jump.before.wheel_y, jump.after.wheel_y), abs=1e-6)
        assert point.rail == pytest.approx((jump.before.rail_y, jump.after.rail_y), abs=1e-6)


def test_both_routes_agree_on_measured_profiles():
    """Splines of many pieces through noisy points: many small loops, the same contact and the same jumps."""
    noise = np.random.default_rng(0)
    profiles = []
    for exact in (s1002(), uic60()):
        points = exact.resampled(3e-4)
        points = points + noise.normal(0.0, 2e-6, points.shape)
        profiles.append(from_points(points, exact.body, residual=2.5e-6))
    wheelset = WheelsetOnTrack(WheelPair(profiles[0]), RailPair(profiles[1]))
    path = follow(wheelset, 0.0, 0.008)
    shifts = np.linspace(1e-5, 0.0079, 40)
    search, x = wheelset.at(shifts), np.array([path.at(shift) for shift in shifts])
    np.testing.assert_allclose(x[:, HEIGHT], search.height, atol=1e-9)
    np.testing.assert_allclose(x[:, ROLL], search.roll, atol=1e-9)
    np.testing.assert_allclose(x[:, FIRST], search.left.first.wheel_y, atol=1e-6)
    jumps = [jump.shift for jump in wheelset.jumps(0.0, 0.008)]
    assert len(jumps) >= 3
    assert [point.shift for point in double_points(path)] == pytest.approx(jumps, abs=1e-9)


def test_smooth_turning_points_have_no_relative_curvature(standard):
    """There the wheel is as hollow as the rail is round: the contact point runs away."""
    _, path = standard
    wheel, rail = path.system.curves[:2]
    smooth = 0
    for point in path.turning:
        contact = path.contacts[point.index][0]
        s, u = point.unknowns[FIRST : FIRST + 2]
        inside = all(
            low + 1e-6 < value < high - 1e-6
            for value, (low, high) in zip(
                (s, u), (path.system.interval(contact, k) for k in range(2)), strict=True
            )
        )
        if inside:
            smooth += 1
            _, r1, r2 = height_on(wheel, contact[1], s)
            _, z1, z2 = height_on(rail, contact[2], u)
            bend = r2 / (1 + r1**2) ** 1.5 + z2 / (1 + z1**2) ** 1.5
            assert bend == pytest.approx(0.0, abs=1e-5)
    assert smooth >= 2


def test_between_the_turning_points_the_wheel_penetrates(standard):
    _, path = standard
    first, second = path.turning[:2]
    assert second.unknowns[SHIFT] < first.unknowns[SHIFT]
    for x in path.unknowns[first.index + 2 : second.index - 1]:
        if x[SHIFT] > 0.0:
            assert path.at(x[SHIFT])[HEIGHT] > x[HEIGHT]


def test_first_order_equations_are_good_on_the_tread_and_poor_on_the_flange():
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    exact, first = follow(wheelset, 0.0, 0.008), follow(wheelset, 0.0, 0.009, Equations.FIRST_ORDER)
    tread = first.at(0.003) - exact.at(0.003)
    flange = first.at(0.007) - exact.at(0.007)
    assert abs(tread[ROLL]) < 1e-6
    assert abs(tread[HEIGHT]) < 5e-6
    assert abs(tread[FIRST]) < 2e-6
    assert 1e-4 < abs(flange[ROLL]) < 1e-3
    assert 1e-4 < abs(flange[FIRST]) < 1e-3


def test_newton_gives_up_instead_of_lying():
    system = ContactSystem(ARCS, Equations.EXACT)
    row = np.eye(7)[SHIFT]
    x = np.array([0.0, 0.46, 0.0, 0.75, 0.75, 0.75, 0.75])
    assert newton(system, x, system.pieces(x, np.arange(2)), row, 0.3) is None
    with pytest.raises(InputError, match="lateral shift"):
        follow(ARCS, 0.0, 0.05)
