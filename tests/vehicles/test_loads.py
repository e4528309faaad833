"""Box loads: limits that can be written down, and the published inertias of a loaded wagon."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.vehicles.loads import Box, loaded

EMPTY = (15176.0, (32675.0, 422084.0, 413250.0), (0.0, 0.0, 1.57))
SIZE = (16.01, 2.90, 2.35)
length = st.floats(-3.0, 3.0)


def test_published_inertias_of_the_loaded_hbbills():
    """Section 5.1 gives the box but not its height: one height must explain roll and pitch, none enters yaw."""
    at_centre = loaded(*EMPTY, Box(26e3, SIZE, EMPTY[2]))[1]
    reduced = EMPTY[0] * 26e3 / (EMPTY[0] + 26e3)
    lift = sqrt((66492.0 - at_centre[0]) / reduced)
    mass, inertia, centre = loaded(*EMPTY, Box(26e3, SIZE, (0.0, 0.0, 1.57 + lift)))
    assert mass == 41176.0
    assert inertia == pytest.approx((66492.0, 993040.0, 986832.0), abs=1.0)
    assert centre[2] == pytest.approx(1.96, abs=0.01)  # neither 1.6 m nor 2.1 m, the heights that are simulated


@settings(deadline=None)
@given(mass=st.floats(1.0, 1e5), x=length, y=length, z=length)
def test_two_points_like_a_dumbbell(mass, x, y, z):
    """A point on a point: the inertia is that of the reduced mass at their distance."""
    total, inertia, centre = loaded(
        1000.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), Box(mass, (0.0, 0.0, 0.0), (x, y, z))
    )
    assert total * sum(c * c for c in centre) + 0.5 * sum(inertia) == pytest.approx(
        mass * (x * x + y * y + z * z), rel=1e-12, abs=1e-12
    )


def test_box_cut_in_two_is_the_same_box():
    whole = loaded(*EMPTY, Box(26e3, SIZE, (0.2, 0.1, 2.0)))
    half = (SIZE[0] / 2, SIZE[1], SIZE[2])
    rear = loaded(*EMPTY, Box(13e3, half, (0.2 - SIZE[0] / 4, 0.1, 2.0)))
    both = loaded(*rear, Box(13e3, half, (0.2 + SIZE[0] / 4, 0.1, 2.0)))
    for one, other in zip(whole, both, strict=True):
        assert one == pytest.approx(other, rel=1e-12)


def test_bad_boxes_are_refused():
    with pytest.raises(InputError, match="mass: must be positive"):
        Box(0.0, SIZE, (0.0, 0.0, 2.0))
    with pytest.raises(InputError, match="size: must be three lengths"):
        Box(1.0, (1.0, -1.0, 1.0), (0.0, 0.0, 2.0))
