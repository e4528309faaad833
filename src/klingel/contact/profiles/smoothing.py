"""Profiles from measured points: a parametric cubic smoothing spline with a stated residual.

Both coordinates are smoothed over the chord length with the same weight, so that a steep gauge face or an
overhang is no special case (a spline z(y) would need y to grow). The user states how far the curve may
leave the points, as root mean square distance; the smoothing weight follows from it. A residual of zero
interpolates.

Source: Reinsch, Numer. Math. 10 (1967) 177 (natural smoothing spline, residual prescribed).
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.profile import Body, Profile, Residual

if TYPE_CHECKING:  # SciPy is slow to load, and library profiles do without
    from scipy.interpolate import BSpline, PPoly

FEWEST_POINTS = 5  # what a natural smoothing spline needs
WEIGHTS = (-12.0, 12.0)  # decades of the smoothing weight, in units of the mean spacing cubed


def from_points(
    points: ArrayLike, body: Body, residual: float = 0.0, name: str = "points", source: str = ""
) -> Profile:
    """Profile through or near `points`, shape (n, 2), in metres, from the gauge side to the field side.

    Parameters
    ----------
    residual
        Root mean square distance [m] that smoothing may take; 0 interpolates.
    """
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < FEWEST_POINTS:
        raise InputError("points", points.shape, f"must be at least {FEWEST_POINTS} rows of y and z")
    if not np.all(np.isfinite(points)):
        raise InputError("points", "nan", "must be finite")
    if residual < 0.0:
        raise InputError("residual", residual, "must not be negative")
    steps = np.hypot(*np.diff(points, axis=0).T)
    if np.any(steps == 0.0):
        raise InputError("points", f"row {int(np.argmin(steps)) + 1} twice", "must differ from their neighbours")
    knots = np.concatenate([[0.0], np.cumsum(steps)]) / steps.mean()
    y, z, distance = _interpolated(knots, points) if residual == 0.0 else _smoothed(knots, points, residual)
    return Profile(name, body, make.cubic_spline(knots, y.c, z.c), source, distance)


def _interpolated(knots: NDArray, points: NDArray) -> "tuple[PPoly, PPoly, Residual]":
    from scipy.interpolate import CubicSpline

    return CubicSpline(knots, points[:, 0]), CubicSpline(knots, points[:, 1]), Residual(0.0, 0.0)


def _smoothed(knots: NDArray, points: NDArray, residual: float) -> "tuple[PPoly, PPoly, Residual]":
    from scipy.interpolate import make_smoothing_spline
    from scipy.optimize import brentq

    def fit(decade: float) -> "tuple[BSpline, BSpline, NDArray]":
        y, z = (make_smoothing_spline(knots, column, lam=10.0**decade) for column in points.T)
        return y, z, np.hypot(y(knots) - points[:, 0], z(knots) - points[:, 1])

    def excess(decade: float) -> float:
        return float(np.sqrt(np.mean(fit(decade)[2] ** 2))) - residual

    most = excess(WEIGHTS[1]) + residual
    if residual >= most:
        raise InputError("residual", residual, f"must be smaller than that of a straight line, {most:.3g} m")
    # below the rounding of the fit there is nothing to find: interpolate
    decade = brentq(excess, *WEIGHTS, xtol=1e-6) if excess(WEIGHTS[0]) < 0.0 else WEIGHTS[0]
    y, z, distance = fit(float(decade))  # type: ignore[arg-type]
    reached = Residual(float(np.sqrt(np.mean(distance**2))), float(distance.max()))
    return _powers(y, knots), _powers(z, knots), reached


def _powers(spline: "BSpline", knots: NDArray) -> "PPoly":
    """Power form on the data intervals; the conversion also makes empty pieces at the repeated end knots."""
    from scipy.interpolate import PPoly

    whole = PPoly.from_spline(spline)
    keep = np.diff(whole.x) > 0.0
    return PPoly(whole.c[:, keep], knots)
