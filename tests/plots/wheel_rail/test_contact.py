"""Pictures of contact geometry show what they are given."""

import numpy as np
import pytest

from klingel.contact.geometry.conicity import characteristics
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Hand, WheelsetOnTrack
from klingel.contact.profiles.profile import Body
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.smoothing import from_points
from klingel.contact.profiles.uic60 import uic60
from klingel.plots.style import save
from klingel.plots.wheel_rail import contact as pictures

WHEELSET = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60()))


@pytest.mark.parametrize("shown", [s1002(), uic60()], ids=lambda p: p.name)
def test_profile_picture_has_shape_slope_and_curvature(shown, tmp_path):
    fig = pictures.profile(shown)
    labels = [ax.get_ylabel() for ax in fig.axes]
    assert labels == ["z, down [mm]", "slope [deg]", "curvature [1/mm]"]
    assert save(fig, tmp_path / "p.png").stat().st_size > 5000


def test_profile_picture_states_the_residual():
    points = uic60().resampled(5e-4)
    points[:, 1] += np.random.default_rng(1).normal(0.0, 5e-6, len(points))
    fig = pictures.profile(from_points(points, Body.RAIL, 4e-6, "worn"))
    assert fig.axes[0].get_title() == "worn, smoothed by 4 µm rms"


def test_one_line_per_shift_between_the_profiles():
    contact = WHEELSET.at(np.linspace(-0.006, 0.006, 25))
    for hand in Hand:
        ax = pictures.contact_points(WHEELSET, contact, hand).axes[0]
        assert len(ax.lines) == 2 + 25


def test_curves_are_broken_at_the_jumps():
    contact = WHEELSET.at(np.linspace(-0.007, 0.007, 71))
    jumps = WHEELSET.jumps(-0.007, 0.007)
    fig = pictures.geometry_curves(contact, jumps, 0.75)
    angle = fig.axes[0].lines[0].get_ydata()
    assert np.count_nonzero(np.isnan(angle)) == 3
    curves = pictures.curvatures(contact, jumps).axes[0].lines
    assert [line.get_label() for line in curves] == ["wheel", "rail"]


def test_conicity_picture_has_one_line_per_case():
    known = characteristics(WHEELSET, 0.005, step=1e-4)
    fig = pictures.conicity([("a", known), ("b", known)], np.array([1e-3, 2e-3, 4e-3]))
    values = fig.axes[1].lines[0].get_ydata()
    assert len(fig.axes[1].lines) == 2
    assert values[1] == pytest.approx(0.2186, abs=5e-4)
