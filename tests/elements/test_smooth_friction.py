"""Friction with its jump rounded: odd, bounded by its limit, the same in all axes of its plane."""

from math import cos, hypot, sin, tanh

import pytest

from klingel._errors import InputError
from klingel.elements.smooth_friction import SmoothFriction, per_speed


@pytest.mark.parametrize("v", [1e-12, 1e-10, 1e-4, 1e-3, 0.5])
def test_one_direction(v):
    assert per_speed(v, 0.0, 300.0, 1e-3) * v == pytest.approx(300.0 * tanh(v / 1e-3), rel=1e-14)
    assert per_speed(-v, 0.0, 300.0, 1e-3) == per_speed(v, 0.0, 300.0, 1e-3)


def test_a_plane_has_no_axes():
    v, w, turn = 0.8e-3, -0.3e-3, 0.7
    a, b = cos(turn) * v - sin(turn) * w, sin(turn) * v + cos(turn) * w
    assert per_speed(a, b, 300.0, 1e-3) == pytest.approx(per_speed(v, w, 300.0, 1e-3), rel=1e-14)
    assert per_speed(v, w, 300.0, 1e-3) * hypot(v, w) < 300.0


@pytest.mark.parametrize(("limit", "width", "field"), [(300.0, 0.0, "rounding_speed"), (-1.0, 1e-3, "limit")])
def test_bad_numbers_get_a_line(limit, width, field):
    with pytest.raises(InputError, match=field):
        SmoothFriction(limit, width)
