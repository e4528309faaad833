"""Order conditions and the diagonalised form of the Radau tableau."""

import numpy as np

from klingel.numerics.dae.radau.tableau import A_INV, ALPHA, BETA, GAMMA, SHAPE, T_INV, A, C, E, T


def test_stage_order_three_and_quadrature_order_five():
    for k in range(1, 4):
        assert np.allclose(A @ C ** (k - 1), C**k / k, rtol=0, atol=1e-15)
    for k in range(1, 6):
        assert abs(A[2] @ C ** (k - 1) - 1 / k) < 1e-15


def test_diagonalisation():
    blocks = np.array([[GAMMA, 0, 0], [0, ALPHA, -BETA], [0, BETA, ALPHA]])
    assert np.allclose(T @ blocks @ T_INV, A_INV, rtol=0, atol=1e-13)
    # 3 - 3^(1/3) + 3^(2/3) is the real eigenvalue
    assert abs(GAMMA - (3.0 - 3.0 ** (1 / 3) + 3.0 ** (2 / 3))) < 1e-13


def test_interpolant_passes_through_the_stages():
    z = np.array([0.3, -0.7, 1.1])
    assert np.allclose((C[:, None] ** np.arange(1, 4)) @ (SHAPE @ z), z)


def test_error_weights_vanish_up_to_order_three():
    """x' + sum E_i Z_i/h = 0 for x = t, t^2, t^3 (h = 1, start at 0)."""
    assert abs(1.0 + E @ C) < 1e-14
    assert abs(E @ C**2) < 1e-14
    assert abs(E @ C**3) < 1e-14
    assert abs(E @ C**4) > 1e-3
