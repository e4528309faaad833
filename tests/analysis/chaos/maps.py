"""Maps as hybrid problems: a clock strikes once a second, and the action is the map."""

import numpy as np

from klingel.analysis.orbits.family import Family
from klingel.numerics.problem import HybridProblem


def _clock(t, x, memory, mode, p, dx):
    dx[0] = 0.0
    dx[1] = 1.0


def _strikes(t, x, memory, mode, p, g):
    g[0] = 1.0 - x[1]


def _tent(t, x, memory, mode, p, fired):
    if fired[0]:
        x[1] = 0.0
        x[0] = p[0] * (x[0] if x[0] < 0.5 else 1.0 - x[0])


TENT = Family(
    lambda slope: HybridProblem(
        _clock, np.array([float(slope)]), ("x", "clock"), guards=_strikes, act=_tent, guard_names=("strike",),
        guard_owner=(-1,),
    )
)  # fmt: skip
