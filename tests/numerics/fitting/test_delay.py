"""The delay is found from motions that are neither periodic nor free of noise."""

import numpy as np
import pytest

from klingel.numerics.fitting.delay import dominant_frequency, second_derivative_delay


def _motion(t):
    """A beating, decaying motion and its exact second derivative."""
    a, b, c = (1.1, 0.3, 0.02), (7.0, 9.5, 21.0), 0.12
    z = np.zeros((3, len(t)))
    for amplitude, omega in zip(a, b, strict=True):
        wave = np.exp((1j * omega - c) * t)
        z[0] += amplitude * wave.real
        z[1] += amplitude * ((1j * omega - c) ** 2 * wave).real
    return z[0], z[1]


@pytest.mark.parametrize("delay", [-0.02, 0.0, 0.0117, 0.08])
def test_delay_and_gain_of_a_transient(delay):
    t = np.linspace(0.0, 12.0, 2401)
    y, _ = _motion(t)
    _, a = _motion(t - delay)
    found = second_derivative_delay(t, y, 0.9 * a)
    assert found.delay == pytest.approx(delay, abs=1e-9)
    assert found.gain == pytest.approx(0.9, abs=1e-9)


def test_noise_enters_by_its_average_only():
    """Expected error: noise / (omega amplitude sqrt(samples)), here about 1e-4 s."""
    t = np.linspace(0.0, 12.0, 2401)
    y, _ = _motion(t)
    _, a = _motion(t - 0.0117)
    noise = np.random.default_rng(3).standard_normal((2, len(t)))
    found = second_derivative_delay(t, y + 0.01 * noise[0], a + 1.0 * noise[1])
    assert found.delay == pytest.approx(0.0117, abs=5e-4)


def test_uneven_sampling_is_allowed():
    rng = np.random.default_rng(5)
    t = np.sort(np.concatenate([[0.0, 12.0], rng.uniform(0.0, 12.0, 5000)]))
    y, _ = _motion(t)
    _, a = _motion(t - 0.0117)
    assert second_derivative_delay(t, y, a).delay == pytest.approx(0.0117, abs=1e-4)


def test_dominant_frequency_within_the_resolution_of_the_record():
    t = np.linspace(0.0, 12.0, 2401)
    assert dominant_frequency(t, 3.0 + np.sin(7.0 * t)) == pytest.approx(7.0 / (2 * np.pi), abs=1 / 48)
