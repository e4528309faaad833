"""Linear stability of Runge-Kutta methods on the test equation x' = λ x, with z = h λ.

    x₁ = R(z) x ,          R(z) = 1 + z bᵀ (I - z A)⁻¹ 1 = P(z) / Q(z)          (thesis of Hoffmann, eq. 3.7)
    error estimate = E(z) x ,   E(z) = z (Σ_{j<s} d_j K_j(z) + d_s R(z)) ,   K = (I - z A)⁻¹ 1

A step is stable where |R(z)| ≤ 1. The stage matrices here are lower triangular, so K follows by forward
substitution and Q(z) = Π (1 - a_ii z). On a ray z = ρ e^{iφ} the difference |Q|² - |P|² is a real
polynomial in ρ; its first sign change is the stability limit in that direction.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from klingel.numerics.ode.tableaus import Method

ROUNDING = 1e-13  # smaller coefficients are zero but for rounding
REAL_ROOT = 1e-9  # relative imaginary part below which a root counts as real


def _stages(method: Method, z: np.ndarray) -> list[np.ndarray]:
    """K_i(z), the stage derivatives for x = 1 and λ = 1."""
    stages: list[np.ndarray] = []
    for i in range(method.stages):
        inner = np.ones_like(z)
        for j in range(i):
            inner = inner + z * method.a[i, j] * stages[j]
        stages.append(inner / (1.0 - z * method.a[i, i]))
    return stages


def stability_function(method: Method, z: Any) -> np.ndarray:
    """R(z), for one complex number or an array of them."""
    z = np.asarray(z, dtype=np.complex128)
    return 1.0 + z * sum(b * k for b, k in zip(method.b, _stages(method, z), strict=True))


def error_function(method: Method, z: Any) -> np.ndarray:
    """E(z): what the raw error estimate is for x = 1."""
    z = np.asarray(z, dtype=np.complex128)
    stages = _stages(method, z)
    new = 1.0 + z * sum(b * k for b, k in zip(method.b, stages, strict=True))
    return z * sum(d * k for d, k in zip(method.d, [*stages, new], strict=True))


def rational_form(a: Sequence[Sequence[Any]], b: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Coefficients of P and Q, constant term first; exact if a and b hold fractions."""
    s = len(b)
    one = b[0] * 0 + 1
    denominator = [one]
    for i in range(s):
        shifted = [one * 0, *denominator]
        denominator = [q - a[i][i] * p for q, p in zip([*denominator, one * 0], shifted, strict=True)]
    series, column = [one], [one] * s
    for _ in range(s):
        series.append(sum(b[i] * column[i] for i in range(s)))
        column = [sum(a[i][j] * column[j] for j in range(s)) for i in range(s)]
    numerator = [sum(series[m - k] * denominator[k] for k in range(m + 1)) for m in range(s + 1)]
    return numerator, denominator


def stability_limit(method: Method, angle: float) -> float:
    """Largest r such that |R(ρ e^{i angle})| ≤ 1 for all 0 ≤ ρ ≤ r; infinite if the whole ray is stable."""
    numerator, denominator = rational_form(method.a.tolist(), method.b.tolist())
    turn = np.exp(1j * angle * np.arange(method.stages + 1))

    def square(coefficients: list[float]) -> np.ndarray:
        ray = np.array(coefficients) * turn
        return np.real(np.convolve(ray, ray.conj()))

    margin = square(denominator) - square(numerator)
    margin[np.abs(margin) < ROUNDING] = 0.0
    kept = np.flatnonzero(margin)
    if kept.size == 0:
        return np.inf
    polynomial = np.polynomial.Polynomial(margin[kept[0] :])
    roots = polynomial.roots()
    positive = np.sort(roots.real[(np.abs(roots.imag) <= REAL_ROOT * np.abs(roots)) & (roots.real > 0.0)])
    starts = [0.0, *positive]
    ends = [*positive, 2.0 * starts[-1] + 1.0]
    for start, end in zip(starts, ends, strict=True):
        if polynomial(0.5 * (start + end)) < 0.0:
            return float(start)
    return np.inf


def real_limit(method: Method) -> float:
    """Length of the stable interval on the negative real axis."""
    return stability_limit(method, np.pi)


def imaginary_limit(method: Method) -> float:
    """Length of the stable interval on the imaginary axis; 0 if the axis is left at once."""
    return stability_limit(method, 0.5 * np.pi)
