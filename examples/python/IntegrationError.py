"""An integration that could not go on keeps what it has."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[0] ** 2  # infinite at t = 1


try:
    kg.integrate(kg.HybridProblem(rhs, np.zeros(1), ("x",)), [1.0], t_end=2.0, max_steps=10_000)
except kg.IntegrationError as error:
    print(error)
    print(error.trajectory.t[-1])
