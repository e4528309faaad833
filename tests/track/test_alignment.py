"""Alignment against independent quadrature, the printed polynomials and closed forms."""

from itertools import pairwise
from math import cos, inf, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.track.alignment import (
    VALUES,
    Alignment,
    Stage,
    Value,
    radius,
    sample,
    sample_along,
    sample_stage,
    stage_at,
)

CURVE = Alignment(
    (
        Stage(100.0, (0.0, 1e-3), (0.0, 0.150)),
        Stage(300.0, (1e-3, 1e-3), (0.150, 0.150), (0.0, 2e-4)),
        Stage(80.0, (1e-3, -5e-4), (0.150, -0.050), (2e-4, 0.0)),
        Stage(60.0, (-5e-4, 0.0), (-0.050, 0.0)),
    ),
    start=50.0,
)


def along(alignment, distances, first=0):
    table = np.concatenate([np.full(first, np.nan), alignment.table()])
    out = np.full((len(distances), VALUES), np.nan)
    sample_along(table, first, np.asarray(distances, dtype=float), out)
    return out


def at(alignment, s):
    return along(alignment, [s])[0]


def test_straight_track_is_zero_everywhere():
    assert np.all(along(Alignment(), [-10.0, 0.0, 1e5]) == 0.0)
    assert len(Alignment().corners()) == 0


def test_values_are_zero_before_the_first_stage():
    assert np.all(along(CURVE, [-100.0, 0.0, 49.999]) == 0.0)


def test_table_can_lie_anywhere_in_a_flat_array():
    s = np.linspace(0.0, 700.0, 99)
    assert np.array_equal(along(CURVE, s), along(CURVE, s, first=17))


@pytest.mark.parametrize(
    ("integral", "integrand", "sign"),
    [
        (Value.YAW, Value.CURVATURE, 1.0),
        (Value.T_H, Value.YAW, 1.0),
        (Value.GRADIENT, Value.VERTICAL_CURVATURE, 1.0),
        (Value.T_V, Value.GRADIENT, -1.0),
        (Value.CURVATURE, Value.CURVATURE_SLOPE, 1.0),
        (Value.VERTICAL_CURVATURE, Value.VERTICAL_CURVATURE_SLOPE, 1.0),
        (Value.CANT_ANGLE, Value.CANT_ANGLE_SLOPE, 1.0),
        (Value.RISE, Value.RISE_SLOPE, 1.0),
    ],
)
def test_integrals_equal_quadrature_of_their_derivatives(integral, integrand, sign):
    corners = CURVE.corners()
    for s in (90.0, 150.0, 333.0, 490.0, 521.0, 570.0, 900.0):
        pieces = [50.0, *[c for c in corners if 50.0 < c < s], s]
        parts = [
            quad(lambda x: at(CURVE, x)[integrand], a, np.nextafter(b, a), epsabs=1e-14)[0]
            for a, b in pairwise(pieces)
        ]
        assert at(CURVE, s)[integral] == pytest.approx(sign * sum(parts), rel=1e-11, abs=1e-13)


def test_printed_polynomials_of_the_thesis():
    """P_i2 and P_i3 after (2.17), with r_i, r_{i+1}, s_i, s_{i+1}."""
    s0, s1, r0, r1 = 50.0, 150.0, -3e-4, 1.4e-3
    alignment = Alignment((Stage(s1 - s0, (r0, r1)),), start=s0)
    for s in np.linspace(s0, s1, 13):
        d = s - s0
        p2 = d * (r1 * d - r0 * (s0 + s - 2 * s1)) / (2 * (s1 - s0))
        p3 = d**2 * (r1 * d - r0 * (2 * s0 + s - 3 * s1)) / (6 * (s1 - s0))
        value = at(alignment, s)
        assert value[Value.YAW] == pytest.approx(p2, rel=1e-13, abs=1e-17)
        assert value[Value.T_H] == pytest.approx(p3, rel=1e-13, abs=1e-17)


def test_left_curve_raises_the_right_rail():
    value = at(CURVE, 300.0)
    assert value[Value.CANT_ANGLE] == pytest.approx(-0.1, rel=1e-15)
    assert value[Value.RISE] == pytest.approx(0.075, rel=1e-15)
    # thesis 2.1.7: the inner (left) rail keeps its level, the outer is up by the cant
    assert value[Value.RISE] + value[Value.CANT_ANGLE] * 0.75 == pytest.approx(0.0, abs=1e-16)
    assert value[Value.RISE] - value[Value.CANT_ANGLE] * 0.75 == pytest.approx(0.150, rel=1e-15)


def test_reversed_cant_has_a_corner_where_the_track_is_level():
    level = 450.0 + 80.0 * 0.150 / 0.200
    assert CURVE.corners() == pytest.approx([50.0, 150.0, 450.0, level, 530.0, 590.0], rel=1e-15)
    assert at(CURVE, level)[Value.RISE] == pytest.approx(0.0, abs=1e-15)
    before, after = at(CURVE, level - 1.0), at(CURVE, level + 1.0)
    assert before[Value.RISE_SLOPE] == pytest.approx(-after[Value.RISE_SLOPE], rel=1e-14)


def test_stages_that_continue_each_other_have_no_corner_between():
    split = Alignment((Stage(40.0, (0.0, 4e-4)), Stage(60.0, (4e-4, 1e-3)), Stage(10.0, (1e-3, 1e-3))))
    joined = Alignment((Stage(100.0, (0.0, 1e-3)), Stage(10.0, (1e-3, 1e-3))))
    assert split.corners() == pytest.approx([0.0, 100.0])
    s = np.linspace(-5.0, 200.0, 77)
    assert along(split, s) == pytest.approx(along(joined, s), rel=1e-12, abs=1e-16)


def test_curvature_may_jump():
    arc = Alignment((Stage(200.0, (1e-3, 1e-3)),))
    assert arc.corners() == pytest.approx([0.0])
    assert at(arc, -1e-9)[Value.CURVATURE] == 0.0
    assert at(arc, 0.0)[Value.CURVATURE] == 1e-3


def test_track_goes_on_as_it_ended():
    arc = Alignment((Stage(100.0, (0.0, 1e-3), (0.0, 0.1)),))
    value = at(arc, 1100.0)
    assert value[Value.CURVATURE] == 1e-3
    assert value[Value.YAW] == pytest.approx(0.05 + 1.0, rel=1e-14)
    assert value[Value.CANT_ANGLE] == pytest.approx(-0.1 / 1.5)


def test_given_stage_is_continued_smoothly_beyond_its_ends():
    table, out, other = CURVE.table(), np.zeros(VALUES), np.zeros(VALUES)
    assert stage_at(table, 0, 149.99) == 0
    assert stage_at(table, 0, 150.0) == 1
    sample_stage(table, 0, 0, 150.0, out)
    sample(table, 0, 150.0, other)
    assert out[Value.CURVATURE_SLOPE] == 1e-5
    continuous = [Value.CURVATURE, Value.YAW, Value.T_H, Value.CANT_ANGLE, Value.RISE, Value.T_V, Value.GRADIENT]
    assert out[continuous] == pytest.approx(other[continuous], rel=1e-14, abs=1e-16)


def test_inner_call_from_a_kernel_allocates_nothing():
    @kernel
    def height(p, s, work):
        sample(p, 2, s, work)
        return work[7]

    p = np.concatenate([[1.0, 2.0], CURVE.table()])
    assert height(p, 400.0, np.empty(VALUES)) == at(CURVE, 400.0)[Value.T_V]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(20.0, 400.0), st.floats(-2e-3, 2e-3), st.floats(-0.1, 0.1)), min_size=1, max_size=6
    )
)
def test_mirrored_track_has_mirrored_values(points):
    def build(sign):
        stages, k, c = [], 0.0, 0.0
        for length, k_end, c_end in points:
            stages.append(Stage(length, (sign * k, sign * k_end), (sign * c, sign * c_end)))
            k, c = k_end, c_end
        return Alignment(tuple(stages))

    s = np.linspace(-10.0, 2500.0, 251)
    left, right = along(build(1.0), s), along(build(-1.0), s)
    odd = [Value.CURVATURE, Value.CURVATURE_SLOPE, Value.YAW, Value.T_H, Value.CANT_ANGLE, Value.CANT_ANGLE_SLOPE]
    assert np.array_equal(left[:, odd], -right[:, odd])
    assert np.array_equal(left[:, [Value.RISE, Value.RISE_SLOPE]], right[:, [Value.RISE, Value.RISE_SLOPE]])
    assert np.all(left[:, Value.RISE] >= -1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Stage(0.0), "length: must be positive"),
        (lambda: Stage(100.0, (0.0, 1 / 300)), "radius: must be at least 500 m, the limit of"),
        (lambda: Stage(100.0, (0.0, float("nan"))), "radius: must"),
        (lambda: Stage(100.0, cant=(0.0, 0.4)), "cant: must lie within"),
        (lambda: Stage(10.0, cant=(0.0, 0.15)), "cant: must change by at most 0.01"),
        (lambda: Alignment((Stage(10.0, cant=(0.1, 0.1)),)), "stage 1: cant: must begin at 0 m"),
        (
            lambda: Alignment((Stage(10.0, vertical_curvature=(0.0, 1e-3)),)),
            "stage 1: vertical_radius: must be inf",
        ),
        (lambda: Alignment((Stage(300.0, vertical_curvature=(1e-3, 0.0)),)), "gradient: must stay within"),
        (lambda: Alignment(start=inf), "start: must be finite"),
    ],
)
def test_refusals_are_one_clear_line(make, words):
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_steepest_gradient_inside_a_stage_counts():
    with pytest.raises(InputError, match="gradient"):
        Alignment((Stage(600.0, vertical_curvature=(1e-3, -1e-3)), Stage(1.0)))


def test_radius_limit_itself_is_allowed():
    assert Stage(100.0, (0.0, 1 / 500)).curvature[1] == 1 / 500
    assert radius(0.0) == inf


def test_position_of_a_circle():
    """Plan view of an arc: x = R sin(s/R), y = R (1 - cos(s/R))."""
    arc = Alignment((Stage(400.0, (1e-3, 1e-3)),))
    x, y, z = arc.coordinates(np.array([-10.0, 0.0, 123.0, 400.0, 1000.0])).T
    assert x == pytest.approx([-10.0] + [1000 * sin(s / 1000) for s in (0.0, 123.0, 400.0, 1000.0)], abs=1e-9)
    assert y == pytest.approx([0.0] + [1000 * (1 - cos(s / 1000)) for s in (0.0, 123.0, 400.0, 1000.0)], abs=1e-9)
    assert np.all(z == 0.0)
