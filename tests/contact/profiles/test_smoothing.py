"""The smoothing spline keeps its promised residual and finds the curve under the noise."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.smoothing import from_points
from klingel.contact.profiles.uic60 import uic60


def test_interpolation_goes_through_the_points_and_finds_the_profile_between():
    exact = s1002()
    points = exact.resampled(2e-4)
    y = np.linspace(-0.06, 0.05, 400)
    fitted = from_points(points, Body.WHEEL)
    z, slope, _ = fitted.at(points[1:-1, 0])
    np.testing.assert_allclose(z, points[1:-1, 1], atol=1e-15)
    z, slope, _ = fitted.at(y)
    expected = exact.at(y)
    np.testing.assert_allclose(z, expected[0], atol=2e-7)
    np.testing.assert_allclose(np.arctan(slope), np.arctan(expected[1]), atol=2e-3)


def test_error_of_interpolation_falls_with_the_fourth_power_of_the_spacing():
    rail = uic60()
    y = np.linspace(-0.009, 0.009, 50)  # inside one arc, where the profile is smooth
    errors = []
    for spacing in (2e-3, 1e-3):
        points = rail.resampled(spacing)
        points = points[abs(points[:, 0]) < 0.01]
        errors.append(np.max(abs(from_points(points, Body.RAIL).at(y[5:-5])[0] - rail.at(y[5:-5])[0])))
    assert errors[1] < errors[0] / 10


@pytest.mark.parametrize("noise", [2e-6, 1e-5])
def test_stated_residual_is_reached_and_the_noise_goes(noise):
    rail = uic60()
    points = rail.resampled(1e-4)
    points = points[abs(points[:, 0]) < 0.02]
    noisy = points + np.random.default_rng(1).normal(0.0, noise / np.sqrt(2), points.shape)
    fitted = from_points(noisy, Body.RAIL, residual=noise * 0.98)
    assert fitted.residual.rms == pytest.approx(noise * 0.98, rel=1e-4)
    assert fitted.residual.rms < fitted.residual.largest < 6 * noise
    y = np.linspace(-0.018, 0.018, 100)
    error = np.sqrt(np.mean((fitted.at(y)[0] - rail.at(y)[0]) ** 2))
    assert error < 0.5 * noise


def test_an_overhanging_face_is_fitted_like_any_other():
    rail = uic60().inclined(1 / 10)
    points = rail.resampled(2e-4)
    assert np.any(np.diff(points[:, 0]) < 0)
    fitted = from_points(points, Body.RAIL)
    again = fitted.resampled(1e-4)
    distance = np.min(
        np.hypot(again[::10, None, 0] - points[None, :, 0], again[::10, None, 1] - points[None, :, 1]), axis=1
    )
    assert distance.max() < 1.1e-4


@pytest.mark.parametrize(
    ("points", "residual", "field"),
    [
        (np.zeros((3, 2)), 0.0, "points"),
        (np.array([[0, 0], [1, 0], [1, 0], [2, 0], [3, 0], [4, 0]]), 0.0, "points"),
        (np.array([[0, 0], [1, 0], [np.nan, 0], [2, 0], [3, 0], [4, 0]]), 0.0, "points"),
        (np.column_stack([np.arange(9.0), np.arange(9.0) ** 2]), -1.0, "residual"),
        (np.column_stack([np.arange(9.0), np.arange(9.0) ** 2]), 1e3, "residual"),
    ],
    ids=["too few", "twice", "nan", "negative residual", "residual beyond a line"],
)
def test_bad_points_are_refused_in_one_line(points, residual, field):
    with pytest.raises(InputError) as error:
        from_points(points, Body.RAIL, residual)
    assert error.value.field == field
