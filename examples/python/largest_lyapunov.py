"""Largest Lyapunov exponent of a ball that bounces on a vibrating table, impacts included."""

import numpy as np

import klingel as kg


def rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -9.81


def guards(t, x, memory, mode, p, g):
    g[0] = x[0] - p[0] * np.sin(p[1] * t)


def act(t, x, memory, mode, p, fired):
    table = p[0] * p[1] * np.cos(p[1] * t)
    x[1] = table - 0.8 * (x[1] - table)


problem = kg.HybridProblem(
    rhs, np.array([0.01, 60.0]), ("height", "speed"), guards=guards, act=act, guard_names=("table",)
)
found = kg.largest_lyapunov(problem, [0.05, 0.0], duration=20.0, transient=5.0)
print(f"{found.exponent:.3g} 1/s, standard error {found.error:.2g}")
