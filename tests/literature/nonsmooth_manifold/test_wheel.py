"""The admissible manifold: agreement with the contact search, derivatives, ridges, smoothings."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.search import Status, build_side, touch
from klingel.literature.nonsmooth_manifold.lift import attitude, bending, gradient, lift_at
from klingel.literature.nonsmooth_manifold.smoothing import penetrated, softened, splined
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend
from klingel.literature.nonsmooth_manifold.wheel import (
    FILLET,
    Column,
    Section,
    WheelManifold,
    highest,
    section_top,
)


@pytest.fixture(scope="module")
def manifold():
    return WheelManifold()


@pytest.mark.parametrize("inclination", [1 / 40, 1 / 30, 1 / 20])
def test_largest_section_is_what_the_contact_search_finds(inclination):
    """Two searches: uphill in four sections here, a scan of the whole profile there."""
    manifold = WheelManifold(inclination=inclination)
    side = build_side(manifold.pair.wheel, manifold.pair.rail)
    found = np.empty((8, 3))
    rng = np.random.default_rng(4)
    lost = 0
    for k in range(500):
        y, roll, yaw = rng.uniform(-0.02, 0.02), rng.uniform(-0.03, 0.03), (k % 2) * rng.uniform(-0.03, 0.03)
        _, status = touch(side, y, roll, yaw, 0.0, found)
        if status != Status.FOUND:  # a yawed flange on the upright side of the rail
            lost += 1
            continue
        section, point = highest(manifold.pair, manifold.sections, attitude(y, roll, yaw))
        assert point.lift == pytest.approx(found[0, 0], abs=1e-15)
        assert point.t == pytest.approx(found[0, 1], abs=1e-6)
        assert manifold.sections[section, 0] <= point.t <= manifold.sections[section, 1]
    assert lost < 10


@pytest.mark.parametrize(
    ("q", "sections"),
    [
        ((0.001, 0.003, 0.02), [Section.ROOT, Section.INNER_TREAD, Section.OUTER_TREAD]),
        ((0.003, -0.01, -0.015), [Section.ROOT, Section.INNER_TREAD, Section.OUTER_TREAD]),
        ((0.0062, 0.0, 0.0), list(Section)),
        ((0.0075, 0.001, 0.004), list(Section)),
    ],
)
def test_derivatives_agree_with_differences(manifold, q, sections):
    """At points inside a section and at its ends; sections that lie above the rail."""
    w, step = np.array([0.7, -0.3, 0.5]), 1e-6
    for section in sections:
        rows = []
        for k in (0, 1, -1):
            here = attitude(*(np.array(q) + k * step * w))
            point = section_top(manifold.pair, manifold.sections, section, here)
            rows.append((point.lift, np.dot(gradient(point, here), w), point, here))
        (_, slope, point, here), ahead, behind = rows
        assert slope == pytest.approx((ahead[0] - behind[0]) / (2 * step), rel=1e-6, abs=1e-7)
        bend = (ahead[1] - behind[1]) / (2 * step)
        assert bending(manifold.pair, point, here, *w) == pytest.approx(bend, rel=1e-5, abs=1e-5)


def test_fillet_fits_the_corner_of_the_rail_at_one_shift(manifold):
    """Without yaw the lift is the same all along the fillet when both of its ends touch."""
    ridge = next(r for r in manifold.ridges([0.0]) if r.after == Section.FLANGE)
    q = attitude(ridge.shift[0], 0.0, 0.0)
    lifts = [lift_at(manifold.pair, FILLET + s, q)[0] for s in np.linspace(0.0, 0.999, 20)]
    # the printed sections of the wheel meet to 1.2e-7 m
    assert np.ptp(lifts) < 3e-7
    assert max(lifts) - ridge.height[0] < 3e-7


def test_ridges_inside_the_tread_and_at_the_flange(manifold):
    tread, root, flange = manifold.ridges([-0.005, 0.0, 0.005])
    assert (tread.before, tread.after) == (Section.OUTER_TREAD, Section.INNER_TREAD)
    assert (root.before, root.after) == (Section.INNER_TREAD, Section.ROOT)
    assert (flange.before, flange.after) == (Section.ROOT, Section.FLANGE)
    # small changes of direction inside the tread, large ones at the flange
    assert tread.turning.max() < 0.05 < 0.15 < root.turning.min()
    assert flange.turning.min() > 0.5
    assert flange.angle[:, 1] - flange.roll == pytest.approx(np.full(3, np.radians(70.0)), abs=1e-4)


@pytest.mark.parametrize("yaw", [0.0, 0.02])
def test_height_is_continuous_and_its_slope_rises_across_every_ridge(manifold, yaw):
    ridges = manifold.ridges([-0.004, 0.006], yaw)
    assert len(ridges) == 3
    for ridge in ridges:
        assert np.all(ridge.turning > 0.0)
        for k, roll in enumerate(ridge.roll):
            beside = manifold.at(ridge.shift[k] + np.array([-1e-9, 1e-9]), [roll], yaw)[0]
            assert beside[:, Column.HEIGHT] == pytest.approx(np.full(2, ridge.height[k]), abs=5e-9)
            assert list(beside[:, Column.SECTION]) == [ridge.before, ridge.after]
            assert np.arctan(beside[:, Column.SLOPE]) == pytest.approx(ridge.angle[k], abs=2e-4)


def test_tread_ridge_ends_where_its_kink_vanishes(manifold):
    ridge = manifold.ridges(np.linspace(-0.01, 0.02, 7), shifts=(-0.02, 0.02), smallest=0.0)[0]
    assert np.all(np.diff(ridge.turning) < 0.0)
    assert ridge.turning[-1] < 2e-3
    assert np.diff(ridge.wheel_y[-1])[0] > -1.5e-3


def test_yaw_cuts_are_symmetric_in_yaw(manifold):
    shifts, rolls = np.linspace(-0.01, 0.008, 10), [-0.01, 0.01]
    left, right = manifold.at(shifts, rolls, 0.02), manifold.at(shifts, rolls, -0.02)
    np.testing.assert_allclose(left[..., Column.HEIGHT], right[..., Column.HEIGHT], atol=1e-15)
    np.testing.assert_allclose(left[..., Column.BY_YAW], -right[..., Column.BY_YAW], atol=1e-12)


def exact(manifold, shifts):
    return manifold.at(shifts, [0.003])[0]


SHIFTS = np.linspace(-0.009, 0.004, 131)


@pytest.mark.parametrize("blend", [Blend.SOFTABS, Blend.SPLINE, Blend.PENETRATION])
def test_blended_sections_converge(manifold, blend):
    h = exact(manifold, SHIFTS)[:, Column.HEIGHT]
    errors = [np.abs(softened(manifold, SHIFTS, 0.003, nu, blend)[:, 0] - h).max() for nu in (1e-5, 1e-6)]
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] > 6.0
    sign = 1.0 if blend == Blend.SPLINE else -1.0
    assert np.all(sign * (softened(manifold, SHIFTS, 0.003, 1e-5, blend)[:, 0] - h) >= -1e-15)


@pytest.mark.parametrize(
    "smooth",
    [
        pytest.param(lambda m, y: softened(m, y, 0.003, 1e-5), id="softabs"),
        pytest.param(lambda m, y: splined(m, y, 0.003, 5e-4), id="spline"),
        pytest.param(lambda m, y: penetrated(m, y, 0.003, 1e-10), id="penetration"),
    ],
)
def test_slopes_of_smoothed_heights(manifold, smooth):
    y = np.linspace(-0.004, 0.002, 25)
    step = 2e-5
    differences = (smooth(manifold, y + step)[:, 0] - smooth(manifold, y - step)[:, 0]) / (2 * step)
    np.testing.assert_allclose(smooth(manifold, y)[:, 1], differences, atol=5e-4)


def test_spline_converges_with_its_knots(manifold):
    h = exact(manifold, SHIFTS)[:, Column.HEIGHT]
    errors = [np.abs(splined(manifold, SHIFTS, 0.003, nu)[:, 0] - h).max() for nu in (4e-4, 2e-4, 1e-4)]
    # at a kink of slope change s the spline lies s nu/6 or less above
    assert errors[2] < 1.2e-4 / 6
    assert errors[0] / errors[2] > 3.0


def test_spline_keeps_slopes_monotone(manifold):
    shifts = SHIFTS[SHIFTS > -0.006]
    assert np.all(np.diff(exact(manifold, shifts)[:, Column.SLOPE]) > 0.0)
    assert np.all(np.diff(splined(manifold, shifts, 0.003, 5e-4)[:, 1]) > 0.0)


def test_depth_of_penetration_is_that_of_two_paraboloids(manifold):
    """V = pi depth^2 sqrt(R r) for principal radii R, r of the gap; on the outer tread, small volumes."""
    y, roll = np.array([-0.007]), -0.005
    q = attitude(y[0], roll, 0.0)
    section, point = highest(manifold.pair, manifold.sections, q)
    assert section == Section.OUTER_TREAD
    step = 5e-4
    lifts = [lift_at(manifold.pair, point.t + k * step, q)[0] for k in (-1, 0, 1)]
    stretch = lift_at(manifold.pair, point.t, q)[2]
    curvature = -(lifts[0] - 2 * lifts[1] + lifts[2]) / (step * stretch) ** 2
    volume = 1e-12
    depth = lifts[1] - penetrated(manifold, y, roll, volume)[0, 0]
    radius = 0.5
    assert volume == pytest.approx(np.pi * depth**2 * np.sqrt(radius / curvature), rel=0.03)


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda m: m.at([0.03], [0.0]), "s2"),
        (lambda m: m.at([0.0], [0.2]), "roll"),
        (lambda m: m.at([0.0], [0.0], 0.1), "yaw"),
        (lambda m: softened(m, [0.0], 0.0, 0.0), "nu"),
        (lambda m: penetrated(m, [0.0], 0.0, -1.0), "volume"),
        (lambda m: WheelManifold(inclination=0.1), "inclination"),
    ],
)
def test_bad_input_is_named(manifold, ask, field):
    with pytest.raises(InputError, match=f"^{field}:"):
        ask(manifold)
