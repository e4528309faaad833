"""FASTSIM: the closed form without spin, converged values with spin, the original algorithm."""

import numpy as np
import pytest
from scipy.integrate import quad

from klingel.contact.creep import fastsim
from klingel.contact.creep.creepage import Creepage, Patch, Settings
from klingel.contact.creep.fastsim_stress import stress_picture

# a, b [mm], C11, C22, C23, xi, eta, phi [1/mm], Fx, Fy [N], Mz [N mm]: 6000 steps, 400 strips, extrapolated;
# mu 0.35, N 75 kN, G 80 GPa
SPIN_VALUES = [
    (6, 6, 4.12, 3.67, 1.47, 1e-3, 0, 0, -10110, 0, 0),
    (6, 6, 4.12, 3.67, 1.47, 0, 1e-3, 0, 0, -9167, 12155),
    (6, 6, 4.12, 3.67, 1.47, 0, 0, 1e-3, 0, -17533, -51851),
    (6, 6, 4.12, 3.67, 1.47, 1e-3, -5e-4, 5e-4, -7236, -7376, -37808),
    (6, 6, 4.12, 3.67, 1.47, 2e-3, 2e-3, -1e-3, -9321, 6192, 58639),
    (7, 4, 4.94, 4.6558, 2.3623, 0, 0, 1e-3, 0, -20690, -33420),
    (7, 4, 4.94, 4.6558, 2.3623, 1e-3, -5e-4, 5e-4, -7922, -8889, -23582),
    (4, 7, 3.766, 3.1153, 1.0109, 0, 0, 1e-3, 0, -9863, -50097),
    (4, 7, 3.766, 3.1153, 1.0109, 1e-3, -5e-4, 5e-4, -5643, -2759, -35168),
]
LIMIT = 0.35 * 75e3


def reference_case(row):
    a, b, c11, c22, c23, xi, eta, phi, *expected = row
    patch = Patch(a * 1e-3, b * 1e-3, 75e3, 0.35, 8e10, c11, c22, c23, 1.0)
    return Creepage(xi, eta, phi * 1e3), patch, np.array(expected) * (1.0, 1.0, 1e-3)


def exact_without_spin(tau):
    """Own closed form of the simplified theory, strips integrated by quadrature."""
    k = 3 * np.pi * tau / 16

    def of_strip(eta):
        c = np.sqrt(1 - eta * eta)
        return 2 * k * c * c - k * k * c + k**3 / 6 if c > k / 2 else 4 * c**3 / 3

    edge = np.sqrt(max(0.0, 1 - (k / 2) ** 2))
    return 4 / np.pi * (quad(of_strip, 0, edge, epsabs=1e-12)[0] + quad(of_strip, edge, 1, epsabs=1e-12)[0])


@pytest.mark.parametrize("tau", [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5])
@pytest.mark.parametrize(("strips", "tolerance"), [(20, 1e-4), (200, 1e-8)])
def test_exact_curve_without_spin(tau, strips, tolerance):
    k = 3 * np.pi * tau / 16
    along = fastsim.normalised(k, 0.0, 0.0, 0.0, strips, 10)
    across = fastsim.normalised(0.0, k, 0.0, 0.0, strips, 10)
    assert along[0] == pytest.approx(exact_without_spin(tau), abs=tolerance)
    assert across[1] == pytest.approx(exact_without_spin(tau), abs=tolerance)


def test_printed_values_without_spin():
    table = {0.10: 0.096574, 0.50: 0.418671, 1.00: 0.696205, 2.00: 0.952884, 3.00: 0.999415}
    for tau, value in table.items():
        got = fastsim.normalised(3 * np.pi * tau / 16, 0.0, 0.0, 0.0, 100, 10)[0]
        assert got == pytest.approx(value, abs=6e-7)


@pytest.mark.parametrize("row", SPIN_VALUES)
def test_converged_values_with_spin(row):
    """Fine grid to the printed digits; 20 by 20 to 0.2 % of mu N and of mu N c."""
    creepage, patch, expected = reference_case(row)
    fine = np.array(fastsim.force(creepage, patch, Settings(strips=400, cells=400)))
    np.testing.assert_allclose(fine, expected, atol=1.0, rtol=5e-5)
    coarse = np.array(fastsim.force(creepage, patch, Settings()))
    np.testing.assert_allclose(coarse[:2], expected[:2], rtol=0.0, atol=2e-3 * LIMIT)
    assert coarse[2] == pytest.approx(expected[2], abs=2e-3 * LIMIT * np.sqrt(patch.a * patch.b))


def test_second_order_in_the_cells():
    creepage, patch, _ = reference_case(SPIN_VALUES[2])
    fine = fastsim.force(creepage, patch, Settings(strips=40, cells=4000)).fy
    errors = [fastsim.force(creepage, patch, Settings(strips=40, cells=n)).fy - fine for n in (25, 100, 400)]
    assert abs(errors[0] / errors[2]) > 0.25 * 16**2
    assert abs(errors[2]) < 1e-5 * LIMIT


@pytest.mark.parametrize("row", SPIN_VALUES[2:])
def test_the_original_algorithm_converges_to_the_same(row):
    creepage, patch, expected = reference_case(row)
    errors = []
    for n in (50, 200):
        total = np.array(stress_picture(creepage, patch, n, n).force)
        errors.append(np.abs(total[:2] - expected[:2]).max() / LIMIT)
    assert errors[1] < 0.006
    assert errors[1] < 0.4 * errors[0]


def test_stress_picture_respects_the_bound_and_is_at_the_limit_in_the_slip_zone():
    creepage, patch, _ = reference_case(SPIN_VALUES[3])
    picture = stress_picture(creepage, patch, 40, 40)
    size = np.hypot(picture.px, picture.py)
    assert (size <= picture.bound * (1 + 1e-12)).all()
    np.testing.assert_allclose(size[picture.slips], picture.bound[picture.slips], rtol=1e-12)
    assert 0.1 < picture.slips.mean() < 0.9
    assert not picture.slips[20, 0]  # adhesion begins at the leading edge
    assert picture.x[20, 0] > 0 > picture.x[20, -1]


def test_particle_that_starts_against_the_slip_and_strips_without_slip_stay_finite():
    for args in [(0.0, 0.0, 0.0, 3.0), (0.0, 1.0, 0.0, 4.0), (0.0, -2.0, 0.0, 2.0), (0.0, 0.0, 0.0, 0.0)]:
        assert np.isfinite(fastsim.normalised(*args, 21, 16)).all()
