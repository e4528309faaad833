"""The periodic motion of a driven oscillator that hits a stop, and whether it is stable."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = p[0] * np.cos(t) - 0.1 * x[1] - x[0]


def guards(t, x, memory, mode, p, g):
    g[0] = 1.0 - x[0]


def act(t, x, memory, mode, p, fired):
    x[1] = -0.8 * x[1]


problem = kg.HybridProblem(rhs, np.array([0.5]), ("x", "v"), guards=guards, act=act, guard_names=("stop",))
orbit = kg.find_orbit(problem, [1.0, -0.67], period=2.0 * np.pi, drive=2.0 * np.pi, t_start=0.177)
print(orbit.period, orbit.stable)
