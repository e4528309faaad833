"""What an integration gives back: rows by name, events, statistics."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -p[0] * x[0]


run = kg.integrate(kg.HybridProblem(rhs, np.array([4.0]), ("x", "v")), [1.0, 0.0], t_end=np.pi, rtol=1e-10)
print(run["x"][-1], run.t.size, run.stats.accepted, run.complete)
