"""Pictures of a track show what they say."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.plots.runs import track as pictures
from klingel.plots.style import save
from klingel.track.irregularity import Random, Shift
from klingel.track.track import Track

CURVE = Track.curve(radius=1000.0, cant=0.150)


def test_curve_parameters_show_curvature_and_corners():
    fig = pictures.curve_parameters(CURVE)
    curve, marks = fig.axes[0].lines
    assert np.max(curve.get_ydata()) == 1.0
    assert marks.get_xdata() == pytest.approx([50.0, 150.0, 450.0, 550.0])


def test_rail_heights_keep_the_inner_rail_level():
    left, right = pictures.rail_heights(CURVE).axes[1].lines
    assert left.get_ydata() == pytest.approx(0.0, abs=1e-12)
    assert np.max(right.get_ydata()) == pytest.approx(150.0)


def test_irregularities_show_millimetres():
    fig = pictures.irregularities(Track.straight(irregularity=(Shift(8e-3),)))
    assert fig.axes[0].lines[0].get_ydata()[-1] == pytest.approx(8.0)


def test_density_follows_its_spectrum(tmp_path):
    track = Track.straight(irregularity=(Random("B176 high", seed=1, length=3000.0),))
    fig = pictures.density(track)
    for ax in fig.axes:
        estimate, target = ax.lines
        at = np.geomspace(1 / 50, 1 / 5, 20)
        seen = np.interp(np.log(at), np.log(estimate.get_xdata()), np.log(estimate.get_ydata()))
        wanted = np.interp(np.log(at), np.log(target.get_xdata()), np.log(target.get_ydata()))
        # some 14 segments, 20 points: standard error 0.06
        assert np.mean(np.exp(seen - wanted)) == pytest.approx(1.0, abs=0.15)
    assert save(fig, tmp_path / "density.png").stat().st_size > 10_000


def test_refusals():
    with pytest.raises(InputError, match="must hold a random source"):
        pictures.density(CURVE)
    with pytest.raises(InputError, match="must lie beyond the start"):
        pictures.irregularities(CURVE, 10.0, 5.0)
    with pytest.raises(InputError, match="must lie beyond the start"):
        pictures.curve_parameters(CURVE, 10.0, 5.0)
