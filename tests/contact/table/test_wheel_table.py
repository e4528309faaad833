"""Compiled contact tables: the two sides agree, loads are handed over, forces equal those of the laws."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.contact.creep import shen_hedrick_elkins
from klingel.contact.creep.creepage import Creepage, Settings
from klingel.contact.patch import hertz
from klingel.contact.profiles import spline
from klingel.contact.table import wheel_table as w
from klingel.contact.table.contact_table import Column, Conditions
from klingel.contact.table.wheel_table import Extension, Interpolation, Row
from klingel.io.contact.cache import cached_table, wheelset_on_track

JUMP = 2.13e-3  # of the made-up table
G = Conditions().shear_modulus
shifts = st.floats(-5.9e-3, 5.9e-3)


def row_at(wheel, section, shift):
    out = np.full(w.ROW, np.nan)
    assert w.evaluate(wheel, section, shift, w.ROW, out)
    return out


@given(shifts)
@settings(deadline=None, max_examples=60)
def test_the_two_sides_agree(made_up_table, shift):
    both = made_up_table()
    left, right = w.compile_side(both.left, G), w.compile_side(both.right, G)
    state = w.state_at(left, shift)
    assert w.state_at(right, -shift) == 2 - state
    section = state // 2
    expected = row_at(left, section, shift)
    expected[[Row.SIN, Row.WHEEL_Y, Row.RAIL_Y]] *= -1.0
    np.testing.assert_allclose(row_at(right, 1 - section, -shift), expected, rtol=1e-11, atol=1e-13)


def test_nodes_are_reproduced_and_columns_are_the_derived_ones(made_up_side):
    side = made_up_side()
    wheel = w.compile_side(side, G)
    for k, part in enumerate(side.parts):
        for values in part.values[:: max(1, len(part.values) // 4)]:
            row = row_at(wheel, k, values[Column.SHIFT])
            q0, ab = values[Column.PENETRATION], values[Column.AREA]
            assert row[Row.HERTZ] == pytest.approx(values[Column.NORMAL_FORCE] / q0**1.5, rel=1e-12)
            assert row[Row.G11] == pytest.approx(G * ab / q0 * values[Column.C11], rel=1e-12)
            assert row[Row.G23] == pytest.approx(G * (ab / q0) ** 1.5 * values[Column.C23], rel=1e-12)
            assert np.arctan2(row[Row.SIN], row[Row.COS]) == pytest.approx(values[Column.ANGLE], rel=1e-9)


@pytest.mark.parametrize("inclination", [0.0, 1 / 40, 1 / 30, 1 / 20])
def test_contact_normals_are_unit_vectors_beyond_the_sections_too(inclination):
    """S1002 on UIC60: at the flange root the angle turns by 13 degrees in the half width of an overlap."""
    table = cached_table(wheelset_on_track("S1002", "UIC60", inclination))
    for side in (table.left, table.right):
        wheel = w.compile_side(side, G)
        for k, part in enumerate(side.parts):
            for shift in np.linspace(wheel.low[k], wheel.high[k], 15 * len(part.values)):
                row = row_at(wheel, k, shift)
                assert np.hypot(row[Row.SIN], row[Row.COS]) == pytest.approx(1.0, abs=3e-5)


def test_the_angle_goes_on_beyond_a_section_as_its_outer_cubic(made_up_side):
    side = made_up_side(overlap=4e-4)
    wheel = w.compile_side(side, G)
    part = side.parts[0]
    cubic = spline.natural(part.values[:, Column.ANGLE, None])[-1, :, 0]
    for ahead in (0.5e-4, 1.5e-4):
        t = 1.0 + ahead / part.step
        row = row_at(wheel, 0, float(part.shift[-1]) + ahead)
        expected = cubic @ t ** np.arange(4)
        assert np.arctan2(row[Row.SIN], row[Row.COS]) == pytest.approx(expected, abs=1e-6)


def test_value_and_slope_are_continuous_inside_a_section(made_up_side):
    wheel = w.compile_side(made_up_side(), G)
    step = 1e-9
    for node in np.arange(-5.8e-3, 1.9e-3, 2e-4):
        low, mid, high = (row_at(wheel, 0, node + s) for s in (-step, 0.0, step))
        np.testing.assert_allclose(high - mid, mid - low, atol=1e-4 * np.abs(high - mid).max())


@given(shifts)
@settings(deadline=None, max_examples=60)
def test_the_weights_of_an_overlap_sum_to_one_and_are_linear(made_up_side, shift):
    wheel = w.compile_side(made_up_side(overlap=4e-4), G)
    state = w.state_at(wheel, shift)
    assert state == (0 if shift < JUMP - 2e-4 else 2 if shift >= JUMP + 2e-4 else 1)
    upper = w.upper_weight(wheel, 1, shift)
    assert upper == pytest.approx(np.clip((shift - JUMP) / 4e-4 + 0.5, 0.0, 1.0), abs=1e-9)


def test_load_is_handed_over_without_a_step(made_up_side):
    """The sum of both normal forces at equal penetration goes from the one constant to the other."""
    wheel = w.compile_side(made_up_side(overlap=4e-4), G)
    q = 8e-5
    for edge, only in ((JUMP - 2e-4, 0), (JUMP + 2e-4, 1)):
        upper = w.upper_weight(wheel, 1, edge)
        shared = sum(
            w.normal_force(row_at(wheel, k, edge), q, 0.1, weight, 1.5e5)
            for k, weight in ((0, 1 - upper), (1, upper))
        )
        assert shared == pytest.approx(w.normal_force(row_at(wheel, only, edge), q, 0.1, 1.0, 1.5e5), rel=1e-9)


def test_evaluation_far_outside_a_section_is_refused(made_up_side):
    wheel = w.compile_side(made_up_side(), G)
    out = np.zeros(w.ROW)
    assert w.evaluate(wheel, 0, JUMP + 2.5e-4, w.ROW, out)
    assert not w.evaluate(wheel, 0, JUMP + 3.5e-4, w.ROW, out)
    assert not w.evaluate(wheel, 1, 6.3e-3, w.ROW, out)
    assert not w.evaluate(wheel, 1, float("nan"), w.ROW, out)


@given(shifts, st.floats(-3e-3, 3e-3), st.floats(-3e-3, 3e-3), st.floats(-1.0, 1.0), st.floats(0.05, 1.0))
@settings(deadline=None, max_examples=60)
def test_stored_products_give_the_law_of_shen_hedrick_elkins(made_up_side, shift, xi, eta, phi, weight):
    wheel = w.compile_side(made_up_side(), G)
    row = row_at(wheel, w.state_at(wheel, shift) // 2, shift)
    q, mu = 9e-5, 0.3
    load = w.normal_force(row, q, 0.0, weight, 0.0)
    tx, ty = w.shen_hedrick_elkins(row, q, weight, mu * load, xi, eta, phi)
    law = shen_hedrick_elkins.force(Creepage(xi, eta, phi), w.patch(row, q, weight, load, mu, G), Settings())
    # G11 and AREA C11 are splines of different columns; they agree at the nodes, and nearly between them
    np.testing.assert_allclose((tx, ty), law[:2], atol=2e-3 * mu * load)


def test_patch_is_the_ellipse_under_the_load(made_up_side):
    conditions = Conditions()
    side = made_up_side(conditions=conditions)
    wheel = w.compile_side(side, G)
    values = side.parts[0].values[10]
    row = row_at(wheel, 0, values[Column.SHIFT])
    load = 3.0e4
    constant = values[Column.NORMAL_FORCE] / values[Column.PENETRATION] ** 1.5
    q = hertz.penetration(load, constant)
    p = w.patch(row, q, 1.0, load, 0.3, G)
    shift = values[Column.SHIFT]
    e = hertz.ellipse(load, 1.08, 1.5 + 50 * shift, G / (1 - conditions.poisson))
    assert (p.a, p.b) == pytest.approx((e.a, e.b), rel=1e-9)
    assert e.approach == pytest.approx(q, rel=1e-9)
    assert p.c22 == values[Column.C22]


def test_a_wheel_in_the_air_and_a_pulling_damper_give_no_force(made_up_side):
    row = row_at(w.compile_side(made_up_side(), G), 0, 0.0)
    assert w.normal_force(row, -1e-6, 1.0, 1.0, 1.5e5) == 0.0
    assert w.normal_force(row, 1e-6, -1.0, 1.0, 1.5e5) == 0.0


def test_linear_interpolation_is_the_chord(made_up_side):
    side = made_up_side()
    chord = w.compile_side(side, G, Interpolation.LINEAR)
    a, b = (row_at(chord, 0, s) for s in side.parts[0].shift[3:5])
    middle = row_at(chord, 0, float(side.parts[0].shift[3:5].mean()))
    np.testing.assert_allclose(middle, 0.5 * (a + b), rtol=1e-12)
    smooth = row_at(w.compile_side(side, G), 0, float(side.parts[0].shift[3:5].mean()))
    assert abs(smooth[Row.HERTZ] / middle[Row.HERTZ] - 1) > 1e-9


def test_weight_enters_area_as_hoffmann_has_it(made_up_side):
    """a0 b0 scales with the weight, so the spin stiffness scales with its power 3/2."""
    row = row_at(w.compile_side(made_up_side(), G), 0, 0.0)
    limit = 1e12  # linear range
    full = w.shen_hedrick_elkins(row, 1e-4, 1.0, limit, 0.0, 0.0, 1e-3)[1]
    half = w.shen_hedrick_elkins(row, 1e-4, 0.5, limit, 0.0, 0.0, 1e-3)[1]
    assert half / full == pytest.approx(0.5 * sqrt(0.5))


def test_held_sections_stay_as_they_were_at_the_beginning_of_the_overlap(made_up_side):
    side = made_up_side(overlap=4e-4)
    held = w.compile_side(side, G, extension=Extension.HELD)
    free = w.compile_side(side, G)
    edge = JUMP - 2e-4
    np.testing.assert_array_equal(row_at(held, 0, edge + 3e-4), row_at(free, 0, edge))
    np.testing.assert_array_equal(row_at(held, 1, JUMP), row_at(free, 1, JUMP + 2e-4))
    np.testing.assert_array_equal(row_at(held, 0, edge - 1e-4), row_at(free, 0, edge - 1e-4))
    assert row_at(free, 0, edge + 3e-4)[Row.WHEEL_Y] != row_at(held, 0, edge + 3e-4)[Row.WHEEL_Y]
