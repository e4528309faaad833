"""Pictures of the manifold and of motion across ridges: units on the axes, data where they belong."""

import numpy as np
import pytest

from klingel.literature.nonsmooth_manifold.pictures import (
    double_contact_figure,
    smoothing_figure,
    surface_figure,
    yaw_cut_figure,
)
from klingel.literature.nonsmooth_manifold.pictures_of_motion import limit_figure, theorem_figure
from klingel.literature.nonsmooth_manifold.wheel import Column, WheelManifold

SHIFTS = np.linspace(-0.01, 0.0085, 60)
ROLLS = np.linspace(-0.01, 0.01, 5)


@pytest.fixture(scope="module")
def manifold():
    return WheelManifold()


def has_units(fig):
    return all(ax.get_xlabel().endswith("]") and ax.get_ylabel().endswith("]") for ax in fig.axes)


def test_surface_ends_at_the_top_with_its_ridges(manifold):
    heights = manifold.at(SHIFTS, ROLLS)[:, :, Column.HEIGHT] - manifold.radius
    fig = surface_figure(SHIFTS, ROLLS, heights, manifold.ridges(ROLLS), manifold.radius, top=1e-3)
    assert has_units(fig)
    lines = [line.get_data_3d() for line in fig.axes[0].lines]
    assert len(lines) == 3
    assert max(np.max(line[2], initial=0.0) for line in lines) <= 1.0
    # the ridge inside the tread runs across the whole picture
    assert np.ptp(lines[0][0]) > 15.0


def test_yaw_cuts_and_double_contact(manifold):
    cuts = {yaw: manifold.ridges(ROLLS, yaw) for yaw in (0.0, 0.02)}
    heights = {yaw: manifold.at(SHIFTS, [0.0], yaw)[0, :, Column.HEIGHT] for yaw in cuts}
    assert has_units(yaw_cut_figure(cuts, SHIFTS, heights, 0.0))
    fig = double_contact_figure(manifold, manifold.ridges([0.0]), 0)
    assert len(fig.axes) == 3
    for ax in fig.axes:
        wheel, rail, *points = ax.lines
        for point in points:
            y, z = point.get_xydata()[0]
            assert np.interp(y, *rail.get_data()) == pytest.approx(z, abs=0.05)
            assert np.min(np.hypot(wheel.get_xdata() - y, wheel.get_ydata() - z)) < 1e-9


def test_families_and_limits():
    slopes = np.linspace(0.0, 0.5, SHIFTS.size)
    assert has_units_on_first_column(smoothing_figure(SHIFTS, slopes, {"softabs": {"a": slopes}, "spline": {}}))
    nu = np.array([1e-2, 1e-3])
    assert has_units(limit_figure({"softabs": (nu, nu)}, 0.3, 0.6, {"plastic": np.array([[0.3], [0.9]])}))
    assert has_units(theorem_figure(0.6, np.array([0.0, 1.0]), {0.3: np.array([0.7, 0.8])}))


def has_units_on_first_column(fig):
    return all(ax.get_xlabel().endswith("]") for ax in fig.axes) and fig.axes[0].get_ylabel().endswith("]")
