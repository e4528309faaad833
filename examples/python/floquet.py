"""Multipliers of the orbit of a van der Pol oscillator: how fast neighbours come back to it."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = p[0] * (1.0 - x[0] ** 2) * x[1] - x[0]


problem = kg.HybridProblem(rhs, np.array([1.0]), ("x", "v"))
orbit = kg.find_orbit(problem, [2.0, 0.0], period=6.66)
print(orbit.period, kg.floquet(orbit).logs)  # the time shift, a multiplier of one, is left out
