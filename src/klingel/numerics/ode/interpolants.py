"""Continuous extensions of Runge-Kutta steps, as exact polynomial weights.

A step of size h from x to x₁ is continued inside by

    x(t + θh) = x + h Σ_j w_j(θ) k_j ,   0 ≤ θ ≤ 1 ,

over the stages k_0 … k_{s-1}, the derivative k_s = f(t + h, x₁) and, in some methods, extra stages. Every
continuously differentiable extension has the form

    w(θ) = cubic Hermite polynomial through x, k_0, x₁, k_s  +  θ² (1 - θ)² (u + θ v + …) ,

so a method only states its bump weights u, v, …: none gives order 3, one row order 4, two rows order 5,
provided the order conditions hold identically in θ (tests/numerics/test_tableaus.py proves them).

Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.6.
"""

from collections.abc import Sequence
from fractions import Fraction

BUMP = (Fraction(1), Fraction(-2), Fraction(1))  # θ² (1 - θ)² = θ² - 2 θ³ + θ⁴

Weights = list[list[Fraction]]  # [stage][m]: coefficient of θ^(m+1)


def smooth_weights(b: Sequence[Fraction], bumps: Sequence[Sequence[Fraction]] = ()) -> Weights:
    """Weights of the Hermite polynomial plus bumps; row `len(b)` is that of k_s, later ones are extra."""
    s = len(b)
    stages = len(bumps[0]) if bumps else s + 1
    degree = 3 + len(bumps)
    weights = [[Fraction(0)] * degree for _ in range(stages)]
    for j, weight in enumerate(b):
        weights[j][1] += 3 * weight
        weights[j][2] -= 2 * weight
    for j, slope in ((0, (1, -2, 1)), (s, (0, -1, 1))):
        for m in range(3):
            weights[j][m] += slope[m]
    for shift, bump in enumerate(bumps):
        for j in range(stages):
            for m in range(3):
                weights[j][1 + shift + m] += BUMP[m] * bump[j]
    return weights


def evaluate(weights: Weights, theta: Fraction) -> list[Fraction]:
    """w_j(θ) of every stage."""
    return [sum((w * theta ** (m + 1) for m, w in enumerate(row)), Fraction(0)) for row in weights]
