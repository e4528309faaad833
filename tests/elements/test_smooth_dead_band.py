"""The rounded dead band: continuous with its slope, its integral in closed form, the sharp one as its limit."""

from math import inf, log

import numpy as np
import pytest
from scipy.integrate import quad

from klingel._errors import InputError
from klingel.elements.smooth_dead_band import SmoothDeadBand, area, force, stored_energy

K, GAP = 14.6e6, 9.1e-3
PATH = np.linspace(-12e-3, 12e-3, 4001)


def sharp(u, low=-GAP, high=GAP):
    return K * (np.maximum(u - high, 0.0) - np.maximum(low - u, 0.0))


def rounded(u, width, low=-GAP, high=GAP):
    return np.array([force(here, low, high, K, width) for here in np.atleast_1d(u).tolist()])


@pytest.mark.parametrize("width", [2e-3, 1e-4, 2e-5])
def test_force_and_slope_are_continuous(width):
    """The slope is a logistic function; central differences find it at every point, corners too."""
    near = np.concatenate([PATH, GAP + width * np.linspace(-20.0, 20.0, 401)])
    step = 1e-4 * width
    slope = (rounded(near + step, width) - rounded(near - step, width)) / (2.0 * step)
    with np.errstate(over="ignore"):
        closed = K / (1.0 + np.exp(-2.0 * (near - GAP) / width)) + K / (1.0 + np.exp(2.0 * (near + GAP) / width))
    assert slope == pytest.approx(closed, abs=1e-6 * K)
    assert rounded(-near, width) == pytest.approx(-rounded(near, width), abs=1e-9)


def test_it_tends_to_the_sharp_one_with_its_width():
    for width in (1e-3, 1e-4, 1e-5):
        off = rounded(PATH, width) - sharp(PATH)
        corner = rounded(GAP, width)[0]
        assert corner == pytest.approx(0.5 * K * width * log(2.0), rel=1e-6)
        assert np.abs(off).max() <= corner * (1.0 + 1e-9)
    far = np.abs(np.abs(PATH) - GAP) > 40.0 * 1e-5
    assert rounded(PATH[far], 1e-5) == pytest.approx(sharp(PATH[far]), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("width", [2e-3, 5e-4])
@pytest.mark.parametrize("gaps", [(-GAP, GAP), (-inf, GAP), (-2e-3, inf)])
def test_stored_energy_is_the_integral_of_the_force(width, gaps):
    def stored(u):
        return stored_energy(u, *gaps, K, width)

    for a, b in ((0.0, 12e-3), (-12e-3, 3e-3), (8.9e-3, 9.3e-3)):
        work, _ = quad(lambda u: force(u, *gaps, K, width), a, b, points=[min(max(GAP, a), b)], epsabs=1e-12)
        assert stored(b) - stored(a) == pytest.approx(work, rel=1e-10)


def test_the_series_of_the_area_is_that_of_its_integrand():
    for x in (-30.0, -3.0, -0.1, 0.0, 0.1, 3.0, 30.0):
        integral, _ = quad(lambda s: np.logaddexp(0.0, s), -80.0, x, points=[min(0.0, x)], epsabs=1e-14, limit=200)
        assert area(x, 2.0) == pytest.approx(integral, rel=1e-10, abs=1e-14)


def test_without_width_it_is_the_sharp_one():
    assert rounded(PATH, 0.0) == pytest.approx(sharp(PATH), abs=1e-12)
    assert stored_energy(12e-3, -GAP, GAP, K, 0.0) == pytest.approx(0.5 * K * (12e-3 - GAP) ** 2, rel=1e-14)


@pytest.mark.parametrize(("field", "given"), [("width", -1e-6), ("stiffness", -1.0), ("gap_high", -1.0)])
def test_bad_numbers_get_a_line(field, given):
    numbers = {"gap_low": -GAP, "gap_high": GAP, "stiffness": K, "width": 1e-5} | {field: given}
    with pytest.raises(InputError, match=field):
        SmoothDeadBand(**numbers)
