"""Tracks: the curve of the thesis, its mirror image, limits."""

from math import inf

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.track.alignment import VALUES, Alignment, Stage, Value, sample
from klingel.track.irregularity import Shift
from klingel.track.track import Frame, Track


def at(track, s):
    out = np.empty(VALUES)
    sample(track.alignment_table(), 0, s, out)
    return out


def test_straight_track_has_no_stages():
    track = Track.straight(inclination=1 / 20)
    assert track.inclination == 1 / 20
    assert np.array_equal(track.alignment_table(), [0.0])
    assert np.array_equal(track.irregularity_table(), [0.0])


def test_curve_of_infinite_radius_is_straight_track():
    assert Track.curve(radius=inf).alignment.stages == Track.straight().alignment.stages


def test_curve_of_the_thesis():
    """Section 5.3: left, 1000 m, 150 mm; equilibrium speed printed as 31.3 m/s."""
    track = Track.curve(radius=1000.0, cant=0.150)
    assert track.alignment.corners() == pytest.approx([50.0, 150.0, 450.0, 550.0])
    assert at(track, 300.0)[Value.CURVATURE] == 1e-3
    assert at(track, 300.0)[Value.CANT_ANGLE] == pytest.approx(-0.1)
    assert f"{track.balance_speed(300.0):.1f}" == "31.3"
    after = at(track, 2000.0)
    assert after[Value.YAW] == pytest.approx(0.4, rel=1e-14)  # arc and half of each transition
    assert after[[Value.CURVATURE, Value.CANT_ANGLE, Value.RISE]] == pytest.approx([0.0, 0.0, 0.0], abs=1e-16)


def test_balance_speed_is_the_same_all_along_the_transition():
    track = Track.curve(radius=1000.0, cant=0.150)
    speeds = [track.balance_speed(s) for s in (60.0, 100.0, 149.0)]
    assert speeds == pytest.approx([np.sqrt(981.0)] * 3, rel=1e-12)
    assert track.balance_speed(0.0) == 0.0


def test_right_curve_is_the_mirror_image():
    left, right = (Track.curve(radius=r, cant=0.150) for r in (1000.0, -1000.0))
    for s in (70.0, 300.0, 500.0):
        a, b = at(left, s), at(right, s)
        assert b[Value.CURVATURE] == -a[Value.CURVATURE]
        assert b[Value.CANT_ANGLE] == -a[Value.CANT_ANGLE]
        assert b[Value.RISE] == a[Value.RISE]
    assert left.balance_speed(300.0) == right.balance_speed(300.0)


def test_endless_curve_does_not_leave():
    track = Track.curve(radius=800.0, cant=0.1, length=inf)
    assert track.alignment.corners() == pytest.approx([50.0, 150.0])
    assert at(track, 1e5)[Value.CURVATURE] == 1 / 800


def test_curve_without_transition_jumps_in_curvature():
    track = Track.curve(radius=600.0, transition=0.0, length=100.0)
    assert track.alignment.corners() == pytest.approx([50.0, 150.0])
    assert at(track, 149.0)[Value.CURVATURE] == 1 / 600
    assert at(track, 150.0)[Value.CURVATURE] == 0.0
    assert Track.curve(radius=600.0, transition=0.0, length=inf).alignment.corners() == pytest.approx([50.0])


def test_cant_reference_enters_the_angle():
    track = Track.curve(radius=1000.0, cant=0.1, gauge=1.0, cant_reference=1.06)
    assert at(track, 300.0)[Value.CANT_ANGLE] == pytest.approx(-0.1 / 1.06)


def test_options_reach_the_track():
    track = Track.straight(irregularity=(Shift(8e-3),), frame=Frame.UNTILTED, rail="54E1")
    assert track.irregularity_table()[0] == 1.0
    assert (track.frame, track.rail) == (Frame.UNTILTED, "54E1")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Track.curve(radius=150.0),
            "radius: must be at least 500 m, the limit of the plane contact theory",
        ),
        (lambda: Track.curve(radius=-499.0), "radius: must be at least 500 m"),
        (lambda: Track.curve(radius=0.0), "radius: must be at least 500 m"),
        (lambda: Track.curve(radius=float("nan")), "radius: must be at least 500 m"),
        (
            lambda: Track.curve(radius=1000.0, cant=0.15, transition=0.0),
            "transition: must be positive, or the cant",
        ),
        (lambda: Track.curve(radius=1000.0, cant=0.15, transition=5.0), "cant: must change by at most"),
        (lambda: Track.curve(radius=1000.0, cant=2.0), "cant: must lie within"),
        (lambda: Track.curve(radius=1000.0, transition=-1.0), "transition: must be finite"),
        (lambda: Track.curve(radius=1000.0, length=-1.0), "length: must not be negative"),
        (lambda: Track.straight(inclination=0.5), "inclination: must lie between 0 and 1/10"),
        (lambda: Track.straight(gauge=14.35), "gauge: must lie between"),
        (lambda: Track.straight(gauge=1.0), "cant_reference: must lie between the gauge"),
        (lambda: Track.straight(rail=""), "rail: must name a profile"),
    ],
)
def test_refusals_are_one_clear_line(make, words):
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value).startswith(words)


def test_vertical_curve_and_gradient():
    """A crest of 5000 m over 100 m turns level track into a fall of 20 per mille."""
    track = Track(Alignment((Stage(100.0, vertical_curvature=(1 / 5000, 1 / 5000)), Stage(1.0))))
    value = at(track, 600.0)
    assert value[Value.GRADIENT] == pytest.approx(0.02, rel=1e-14)
    assert value[Value.T_V] == pytest.approx(-(100.0**2 / 10_000 + 500.0 * 0.02), rel=1e-14)
