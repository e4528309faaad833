"""Rails stand on their gauge, tilted inwards; wheels at their distance."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.profiles.elementary import arc_rail, cone
from klingel.contact.profiles.pieces import ends
from klingel.contact.profiles.profile import Profile
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60


def dense(pieces):
    return Profile("placed", 1, pieces).sample(np.linspace(0, len(pieces), 20001))


@pytest.mark.parametrize("inclination", [0.0, 1 / 40, 1 / 30, 1 / 20, 1 / 10])
@pytest.mark.parametrize("gauge", [1.000, 1.435, 1.668])
def test_gauge_is_the_smallest_distance_down_to_14_mm(inclination, gauge):
    left, right = RailPair(uic60(), inclination=inclination, gauge=gauge).placed()
    rows = dense(left)
    assert rows[:, 1].max() == pytest.approx(0.0, abs=1e-10)
    assert np.array_equal(left, right)
    if inclination <= 1 / 40:  # the visible part reaches the gauge point
        zone = rows[rows[:, 1] >= -0.014]
        assert zone[:, 0].min() == pytest.approx(0.5 * gauge, abs=2e-6)
    assert rows[:, 0].min() > 0.5 * gauge - 1e-3
    assert np.all(np.diff(rows[:, 0]) > 0)


def test_half_width_at_the_gauge_line_is_that_of_the_drawing():
    left, _ = RailPair(uic60(), inclination=0.0).placed()
    rows = dense(left)
    crown = rows[np.argmax(rows[:, 1]), 0]
    assert crown - 1.435 / 2 == pytest.approx(35.981521e-3, abs=2e-6)


def test_inclined_rail_leans_to_the_track_centre():
    """Its running surface falls towards the track centre, as the conical tread above it."""
    left, _ = RailPair(uic60(), inclination=1 / 40).placed()
    joints = ends(left)
    crown = slice(3, 5)  # ends of the 300 mm arc
    fall = np.diff(joints[crown, 1]) / np.diff(joints[crown, 0])
    assert fall[0] == pytest.approx(1 / 40, rel=1e-9)


def test_running_circles_are_1500_mm_apart():
    pair = WheelPair(s1002())
    left, _ = pair.placed()
    rows = dense(left)
    assert pair.arm == pytest.approx(0.75)
    assert np.interp(0.75, rows[:, 0], rows[:, 1]) == pytest.approx(0.46, abs=1e-9)
    assert rows[:, 1].max() == pytest.approx(0.488, abs=1e-9)


def test_rail_axis_may_be_given_instead_of_the_gauge():
    left, _ = RailPair(arc_rail(0.21), inclination=0.0, axis=0.79).placed()
    rows = dense(left)
    assert rows[np.argmax(rows[:, 1]), 0] == pytest.approx(0.79, abs=3e-6)


@pytest.mark.parametrize(
    ("build", "field"),
    [
        (lambda: WheelPair(uic60()), "left wheel"),
        (lambda: RailPair(uic60(), s1002()), "right rail"),
        (lambda: RailPair(uic60(), gauge=1435.0), "gauge"),
        (lambda: WheelPair(cone(0.05), radius=460.0), "radius"),
        (lambda: RailPair(arc_rail(0.21)).placed(), "gauge_depth"),
    ],
)
def test_bad_pairs_are_refused(build, field):
    with pytest.raises(InputError) as error:
        build()
    assert error.value.field == field
