"""Runs across a crease, and what the theory says of them at any width of the smoothing.

On the wedge z = gamma(x) times a line, smoothed or not, motion without other forces obeys (Frischmuth 1995,
lemma 2 and theorem 1, before the limit)

    |v(2)|/|v(1)| = exp(-mu cos beta K),    K = total variation of the slope angle arctan gamma' between 1 and 2,

with beta, the angle to the (x, z)-plane, constant. As nu -> 0 the smoothings with monotone slope give K = alpha.
"""

from math import cos, exp

import numpy as np
from numpy.typing import ArrayLike

from klingel.literature.nonsmooth_manifold.crease import Crease, smoothed, speed, start
from klingel.literature.nonsmooth_manifold.soft_maximum import KNOTS, Blend, soft_abs
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory

LONGEST = 10.0  # time limit of a run [s]; all of them stop where x reaches the end
PER_KNOT = 100  # stations per nu near the ridge


def across(problem: HybridProblem, state: ArrayLike, rtol: float = 1e-10) -> Trajectory:
    """Run until x reaches the end of the crease."""
    return integrate(problem, state, LONGEST, rtol=rtol, atol=1e-3 * rtol)


def speed_ratio(run: Trajectory) -> float:
    """Speed in space at the end over that at the start."""
    p = run.problem.parameters
    return speed(p, run.mode[-1, 0], run.x[-1]) / speed(p, run.mode[0, 0], run.x[0])


def total_turning(crease: Crease, blend: Blend, nu: float, begin: float) -> float:
    """Total variation [rad] of the slope angle of the smoothed wedge from x = `begin` to its end."""
    rise, mean = crease.second.a - crease.first.a, 0.5 * (crease.second.a + crease.first.a)
    dense = nu / rise * np.linspace(-KNOTS, KNOTS, 2 * KNOTS * PER_KNOT + 1)
    stations = np.unique(np.clip(np.concatenate([[begin], dense, [crease.end]]), begin, crease.end))
    slopes = [mean + 0.5 * rise * soft_abs(blend, rise * x, nu)[1] for x in stations]
    return float(np.abs(np.diff(np.arctan(slopes))).sum())


def wedge_ratio(
    crease: Crease, blend: Blend, nu: float, beta: float, begin: float, rtol: float = 1e-10
) -> tuple[float, float]:
    """Speed ratio from x = `begin` to the end of the wedge: simulated, and from the turning on the way."""
    problem = smoothed(crease, blend, nu)
    run = across(problem, start(crease, begin, 0.0, 1.0, beta), rtol)
    p, mode, state = problem.parameters, run.mode[0, 0], run.x[0]
    # the start velocity is tangent to the first sheet, which the long tail of SOFTABS has left already
    along = speed(p, mode, np.array([*state[:3], 0.0, 0.0])) / speed(p, mode, state)
    return speed_ratio(run), exp(-crease.friction * along * total_turning(crease, blend, nu, begin))


def limit_ratio(friction: float, alpha: float, beta: float) -> float:
    """v+/v- of theorem 1; its square is T+/T-."""
    return exp(-friction * abs(alpha) * cos(beta))
