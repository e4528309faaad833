"""Spectra against published nodes and an independent quadrature."""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from klingel._errors import InputError
from klingel.track.spectrum import SPECTRA, Channel, Sided, find_spectrum


@pytest.mark.parametrize(
    ("channel", "nodes"),
    [
        (Channel.LATERAL, (2.3194e-4, 6.1608e-6, 7.3333e-7)),
        (Channel.VERTICAL, (4.0897e-4, 1.0863e-5, 1.2931e-6)),
    ],
)
def test_b176_high_equals_the_nodes_of_the_gensys_manual(channel, nodes):
    """Printed as density over F = O / (2 pi) in m2/(1/m), at 0.02, 0.1 and 0.2 1/m, five digits."""
    frequency = np.array([0.02, 0.1, 0.2])
    density = 2 * pi * find_spectrum("B176 high").density(channel, 2 * pi * frequency)
    for value, node in zip(density, nodes, strict=True):
        assert f"{value:.4e}" == f"{node:.4e}"


def test_b176_cross_level_is_the_printed_angle_times_the_rail_distance():
    """S_c = A_v / b^2 Oc^2 O^2 / ((O^2 + Or^2)(O^2 + Oc^2)(O^2 + Os^2)), an angle; b = 0.75 m."""
    o = np.array([0.05, 0.3, 2.0])
    oc, low, cross, b, a_v = 0.8246, 0.0206, 0.4380, 0.75, 4.032e-7
    angle = a_v / b**2 * oc**2 * o**2 / ((o**2 + low**2) * (o**2 + oc**2) * (o**2 + cross**2))
    height = find_spectrum("B176 low").density(Channel.CROSS_LEVEL, o)
    assert height == pytest.approx(angle * 1.5**2, rel=1e-13)


def test_fra_forms_as_printed_in_square_centimetres():
    o = np.array([0.1, 0.5, 1.5])
    k, oc, cross, a_v, a_a = 0.25, 0.8245, 1.1312, 0.5376, 0.3027
    spectrum = find_spectrum("FRA 4")
    level = 1e-4 * k * oc**2 / (o**2 * (o**2 + oc**2))
    assert spectrum.density(Channel.VERTICAL, o) == pytest.approx(a_v * level, rel=1e-13)
    assert spectrum.density(Channel.LATERAL, o) == pytest.approx(a_a * level, rel=1e-13)
    printed = 1e-4 * 4 * k * a_v * oc**2 / ((o**2 + oc**2) * (o**2 + cross**2))
    assert spectrum.density(Channel.CROSS_LEVEL, o) == pytest.approx(printed, rel=1e-13)


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("channel", Channel)
def test_deviation_equals_quadrature(name, channel):
    spectrum = SPECTRA[name]
    variance, _ = quad(
        lambda o: float(spectrum.density(channel, np.asarray(o))), 2 * pi / 70, 2 * pi / 3, limit=200
    )
    assert spectrum.deviation(channel, 3.0, 70.0) == pytest.approx(sqrt(variance), rel=1e-6)
    assert spectrum.deviation(channel, 3.0, 70.0, Sided.TWO) == pytest.approx(sqrt(2 * variance), rel=1e-6)


def test_better_fra_classes_are_smoother_vertically():
    deviations = [SPECTRA[f"FRA {c}"].deviation(Channel.VERTICAL, 3.0, 70.0) for c in range(1, 7)]
    assert deviations == sorted(deviations, reverse=True)


def test_unknown_spectrum_names_the_known_ones():
    with pytest.raises(InputError, match="B176 low"):
        find_spectrum("B177")
