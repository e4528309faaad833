"""Stability pictures show what was computed and say it with units."""

import numpy as np
import pytest

from klingel.literature.stability_regions.pictures import error_estimate, regions, surface, top_view
from klingel.numerics.ode.stability import real_limit, stability_function
from klingel.numerics.ode.tableaus import METHODS

NT1 = METHODS["esdirk34"]


def test_rim_of_the_surface_is_where_the_modulus_is_one():
    rim = surface(NT1, points=41).axes[0].lines[0]
    x, y, height = rim.get_data_3d()
    assert height == pytest.approx(np.ones(x.size), abs=1e-6)
    assert np.abs(stability_function(NT1, x + 1j * y)) == pytest.approx(height, abs=1e-12)
    assert x.min() == pytest.approx(0.0, abs=1e-9)  # R(0) = 1, and the left half plane is stable


def test_boundaries_cross_the_real_axis_at_the_limits():
    methods = [METHODS[name] for name in ("bs32", "dopri54", "chain35")]
    ax = regions(methods, points=101).axes[0]
    for method, contour in zip(methods, ax.collections, strict=True):
        vertices = np.concatenate([path.vertices for path in contour.get_paths()])
        assert vertices[:, 0].min() == pytest.approx(-real_limit(method) / method.stages, abs=0.01)


@pytest.mark.parametrize("draw", [surface, top_view, error_estimate])
def test_axes_carry_units(draw):
    ax = draw(NT1).axes[0]
    assert ax.get_xlabel().endswith("[–]")
    assert ax.get_ylabel().endswith("[–]")
