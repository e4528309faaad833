"""A driven oscillator seen once in every period of its drive."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = 0.3 * np.cos(t) - 0.15 * x[1] + x[0] - x[0] ** 3


problem = kg.HybridProblem(rhs, np.zeros(1), ("x", "v"))
found = kg.poincare_section(problem, [0.1, 0.0], lambda t, x: np.sin(t), duration=300.0, transient=50.0)
print(found.t.size, found.x[:3])  # one row per rise of the sine through zero
