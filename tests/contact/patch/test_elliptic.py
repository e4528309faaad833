"""The elliptic integrals agree with SciPy over all axis ratios, negative parameters included."""

import numpy as np
import pytest
from scipy import special

from klingel.contact.patch.elliptic import cel, first_kind, second_kind

KC = np.concatenate([np.logspace(-4, 4, 41), [1.0, 1.0 - 1e-9, 1.0 + 1e-9]])


def test_first_and_second_kind():
    for kc in KC:
        assert first_kind(kc) == pytest.approx(special.ellipkm1(kc**2), rel=1e-13)
        assert second_kind(kc) == pytest.approx(special.ellipe(1 - kc**2), rel=1e-12)


def test_differences_without_cancellation_are_carlson_integrals():
    for kc in KC:
        assert cel(kc, 1.0, 0.0, 1.0) == pytest.approx(special.elliprd(0, kc**2, 1) / 3, rel=1e-13)
        assert cel(kc, kc**2, 0.0, 1.0) == pytest.approx(special.elliprd(0, 1, kc**2) / 3, rel=1e-13)


def test_legendre_relation():
    """E K' + E' K - K K' = pi/2 couples the integrals of complementary moduli."""
    for kc in np.linspace(0.05, 0.95, 19):
        other = np.sqrt(1 - kc**2)
        value = second_kind(kc) * first_kind(other) + second_kind(other) * first_kind(kc)
        assert value - first_kind(kc) * first_kind(other) == pytest.approx(np.pi / 2, rel=1e-14)
