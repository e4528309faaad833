"""First part of the example `nonsmooth-manifold`: a point mass on creases (Frischmuth 1995, section 4).

The plane test curve with all smoothings as nu -> 0, the three jump laws, theorem 1 for oblique crossings, lemma 1
(paths without forces are shortest) and lemma 2 (friction only rescales time).
"""

from dataclasses import replace
from math import cos, exp

import numpy as np
from matplotlib.figure import Figure

from klingel.literature.example import Check
from klingel.literature.nonsmooth_manifold.crease import (
    Crease,
    Mode,
    Sheet,
    lead,
    sharp,
    smoothed,
    start,
    surface,
    wedge,
)
from klingel.literature.nonsmooth_manifold.crossing import across, limit_ratio, speed_ratio, wedge_ratio
from klingel.literature.nonsmooth_manifold.geodesic import distance, shortest_path
from klingel.literature.nonsmooth_manifold.jump_laws import Law
from klingel.literature.nonsmooth_manifold.pictures_of_motion import limit_figure, path_figure, theorem_figure
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend
from klingel.numerics.trajectory import Trajectory

REACH = 0.5  # of a run to each side of the ridge [m]
WIDTHS = 10.0 ** -np.arange(1.0, 5.6, 0.5)  # nu [m]
NARROW = 1e-5  # nu of the limits [m]
MONOTONE = (Blend.SOFTABS, Blend.SPLINE, Blend.PENETRATION)
PAIRS = ((0.1, 0.6), (0.3, 0.6), (0.3, 1.1), (0.5, 0.9))  # mu, alpha
OBLIQUE = np.array([0.0, 0.3, 0.6, 0.9, 1.2, 1.4])  # beta [rad]
# hollow sheets that meet in an oblique, curved ridge: the contact force pushes all the way
BOWL = Crease(Sheet(-0.2, 0.1, 0.3, 0.05, 0.2), Sheet(0.4, -0.2, 0.2, 0.1, 0.3), end=0.6)
BOWL_WIDTH = 0.02  # nu on the bowl [m]
LINKS = 200  # of the shortest path

Part = tuple[dict[str, float], list[Check], dict[str, Figure]]


def jump_limits(friction: float, alpha: float) -> Part:
    """v+/v- on ever narrower smoothings, and the jump laws."""
    quantities: dict[str, float] = {}
    checks: list[Check] = []
    for mu, angle in dict.fromkeys([*PAIRS, (friction, alpha)]):
        crease = wedge(0.0, angle, friction=mu, end=REACH)
        name = f"mu {mu:g}, alpha {angle:g}"
        for blend in MONOTONE:
            ratio, _ = wedge_ratio(crease, blend, NARROW, 0.0, -REACH)
            what = f"v+/v- = exp(-mu alpha), {blend.name.lower()}, {name}"
            checks.append(Check(what, exp(-mu * angle), ratio, 1e-4))
        plastic = speed_ratio(across(sharp(crease, Law.PLASTIC), _begin(crease)))
        checks.append(Check(f"plastic v+/v- = cos(alpha), {name}", cos(angle), plastic, 1e-9))
        quantities[f"plastic_minus_regularised_mu_{mu:g}_alpha_{angle:g}"] = plastic - exp(-mu * angle)
    crease = wedge(0.0, alpha, friction=friction, end=REACH)
    for share in (0.0, 0.5, 1.0):
        ratio = speed_ratio(across(sharp(crease, Law.POLAR_CONE, share), _begin(crease)))
        expected = cos(alpha) + share * (1 - cos(alpha))
        checks.append(Check(f"polar cone v+/v-, share {share:g}, alpha {alpha:g}", expected, ratio, 1e-9))
    errors = {}
    for blend in Blend:
        ratios = [wedge_ratio(crease, blend, nu, 0.0, -REACH) for nu in WIDTHS]
        errors[blend.name.lower()] = WIDTHS, np.abs([r[0] - limit_ratio(friction, alpha, 0.0) for r in ratios])
        if blend == Blend.INTERPOLATING:
            what = "interpolating spline has another limit, exp(-mu total turning)"
            checks.append(Check(what, ratios[-1][1], ratios[-1][0], 1e-5))
            quantities["interpolating_spline_speed_ratio"] = ratios[-1][0]
    return quantities, checks, {"jump-laws": limit_figure(errors, friction, alpha, _simulated_laws())}


def _begin(crease: Crease) -> np.ndarray:
    return start(crease, -REACH, 0.0, 1.0, 0.0)


def _simulated_laws() -> dict[str, np.ndarray]:
    """Points (alpha, v+/v-): plastic jumps, and runs on narrow smoothings with friction."""
    angles = np.array([0.3, 0.6, 0.9, 1.2])
    plastic, smooth = [], []
    for angle in angles:
        crease = wedge(0.0, angle, friction=0.3, end=REACH)
        plastic.append(speed_ratio(across(sharp(crease, Law.PLASTIC), _begin(crease))))
        smooth.append(wedge_ratio(crease, Blend.PENETRATION, NARROW, 0.0, -REACH)[0])
    return {
        "simulated, plastic jump": np.array([angles, plastic]),
        "simulated, constant penetration": np.array([angles, smooth]),
    }


def theorem_1(friction: float, alpha: float, beta: float) -> Part:
    """T+/T- of oblique crossings, on narrow smoothings and by the located jump."""
    checks = []
    crease = wedge(0.0, alpha, friction=friction, end=REACH)
    for angle in dict.fromkeys([0.3, beta, 1.2]):
        expected = exp(-2 * friction * alpha * cos(angle))
        name = f"mu {friction:g}, alpha {alpha:g}, beta {angle:g}"
        for blend in MONOTONE:
            ratio, _ = wedge_ratio(crease, blend, NARROW, angle, -REACH)
            checks.append(Check(f"T+/T- of theorem 1, {blend.name.lower()}, {name}", expected, ratio**2, 1e-3))
        jumped = across(sharp(crease, Law.REGULARISED), start(crease, -REACH, 0.0, 1.0, angle))
        checks.append(Check(f"T+/T- of theorem 1, located jump, {name}", expected, speed_ratio(jumped) ** 2, 1e-9))
    simulated = {}
    for mu in (0.5 * friction, friction, 2 * friction):
        other = replace(crease, friction=mu)
        rows = [wedge_ratio(other, Blend.SPLINE, NARROW, angle, -REACH)[0] ** 2 for angle in OBLIQUE]
        simulated[mu] = np.array(rows)
    return {}, checks, {"theorem-1": theorem_figure(alpha, OBLIQUE, simulated)}


def lemmas(friction: float) -> Part:
    """Shortest paths and rescaled time on a crease of two hollow sheets; the jump as limit there."""
    bowl = replace(BOWL, friction=friction)
    begin = start(bowl, -0.6, 0.1, 1.0, 0.5)
    free, rough = (across(smoothed(crease, Blend.SOFTABS, BOWL_WIDTH), begin) for crease in (BOWL, bowl))
    runs = {"no friction": free, f"μ = {friction:g}": rough}
    p = free.problem.parameters
    chain = shortest_path(p, Mode.SMOOTH, free.x[0, :2], free.x[-1, :2], LINKS)
    jumped = across(sharp(bowl, Law.REGULARISED), begin).x[-1]
    limit = np.abs(across(smoothed(bowl, Blend.SPLINE, NARROW), begin).x[-1] - jumped).max()
    checks = [
        Check("lemma 1: distance from the shortest path [m]", 0.0, distance(free, chain), 1e-5),
        Check("lemma 2: end point with friction minus without [m]", 0.0, _end(rough, "y") - _end(free, "y"), 1e-8),
        Check("lemma 2: length of the path, the same [m]", _end(free, "path"), _end(rough, "path"), 1e-8),
        Check("curved crease: end of a smoothed run minus that with a jump", 0.0, float(limit), 1e-5),
    ]
    quantities = {"time_without_friction_s": float(free.t[-1]), "time_with_friction_s": float(rough.t[-1])}
    return quantities, checks, {"lemmas": path_figure(_grid(p), runs, chain, _ridge(p))}


def _end(run: Trajectory, name: str) -> float:
    return float(run[name][-1])


def _grid(p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.linspace(-0.7, 0.7, 71), np.linspace(-0.1, 1.1, 61))
    heights = [
        max(surface(p, mode, a, b, 0.0, 0.0)[0] for mode in (Mode.FIRST, Mode.SECOND)) for a, b in _pairs(x, y)
    ]
    return x, y, np.reshape(heights, x.shape)


def _pairs(x: np.ndarray, y: np.ndarray):
    return zip(x.ravel(), y.ravel(), strict=True)


def _ridge(p: np.ndarray) -> np.ndarray:
    """Points of the ridge, one per y, by bisection."""
    points = []
    for y in np.linspace(-0.1, 1.1, 61):
        low, high = -0.7, 0.7
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if lead(p, middle, y) < 0.0 else (low, middle)
        points.append((low, y))
    return np.array(points).T
