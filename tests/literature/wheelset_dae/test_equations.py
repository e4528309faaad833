"""Elementary functions of the constrained wheelset against NumPy's."""

from math import cos, sin

import numpy as np

from klingel._jit import kernel
from klingel.literature.wheelset_dae import equations
from klingel.literature.wheelset_dae.equations import SERIES_UP_TO


@kernel
def sine_cosine(angle):
    return equations.sine_cosine(angle)


@kernel
def saturation(x):
    return equations.saturation(x)


def test_sine_and_cosine():
    last = np.nextafter(SERIES_UP_TO, 0.0)
    angles = np.concatenate([np.linspace(-3.0, 3.0, 2001), [0.0, 1e-9, SERIES_UP_TO, last, -last]])
    found = np.array([sine_cosine(angle) for angle in angles])
    np.testing.assert_allclose(found[:, 0], [sin(angle) for angle in angles], rtol=4e-16, atol=0.0)
    np.testing.assert_allclose(found[:, 1], [cos(angle) for angle in angles], rtol=0.0, atol=3e-16)


def test_what_is_no_number_stays_none():
    assert np.isnan(sine_cosine(np.nan)).all()
    assert np.isnan(saturation(np.nan))


def test_saturation_is_the_hyperbolic_tangent():
    x = np.concatenate([np.linspace(-25.0, 25.0, 2001), [0.0, 1e-8, -1e-8, 1e3, -1e6, np.inf, -np.inf]])
    found = np.array([saturation(value) for value in x])
    np.testing.assert_allclose(found, np.tanh(x), rtol=0.0, atol=5e-16)
    assert np.abs(found).max() == 1.0
