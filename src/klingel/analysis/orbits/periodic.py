"""`find_orbit` and `floquet`: a periodic orbit of a hybrid problem, and its multipliers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from klingel._arguments import check_array, check_flag, check_kind, check_number
from klingel._errors import InputError
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, find_near
from klingel.analysis.orbits.monodromy import Multipliers
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.validity import check
from klingel.numerics.options import check_problem, check_start
from klingel.numerics.problem import HybridProblem


def find_orbit(
    problem: HybridProblem | Family,
    x0: ArrayLike,
    period: float,
    *,
    value: float = 0.0,
    drive: float | Callable[[float], float] | None = None,
    t_start: float = 0.0,
    symmetry: ArrayLike | None = None,
    half: bool = False,
    rtol: float = Settings.rtol,
) -> Orbit:
    """The periodic orbit near the motion from a state.

    Parameters
    ----------
    problem : HybridProblem or Family
        Its `memory` and `mode` belong to the start; of a family at the value given.
    x0 : array of float
        A state near the orbit.
    period : float
        About how long until the motion returns [s].
    drive : float, optional
        Period of what drives the system, which is then that of the orbit; without it the system is autonomous [s].
    symmetry, half
        Matrix, or signs, over states and memory coordinates; `half` closes the orbit after half of its period on
        its mirror image.

    Returns
    -------
    Orbit
        With `period`, `start`, `durations`, `multipliers`, `stable`; its residual is below 1e-9 of its size and
        no guard is violated along it.

    Raises
    ------
    InputError
        Bad argument, or no orbit there.
    """
    check_number("period", period, "s")
    check_flag("half", half)
    if not period > 0.0:
        raise InputError("period", period, "must be a positive time in s")
    if isinstance(problem, Family):
        family = problem
    else:
        check_problem(check_kind("problem", problem, HybridProblem, "a HybridProblem, or a Family"))
        signs = None if symmetry is None else check_array("symmetry", symmetry)
        fixed = drive if callable(drive) or drive is None else lambda _: float(drive)
        family = Family(lambda _: problem, fixed, signs)
    at = family.at(value)
    x = check_start(at, x0)
    try:
        orbit = find_near(
            family, value, Start(x, at.memory, at.mode, t_start), period, replace(Settings(), half=half, rtol=rtol)
        )
    except NoOrbit as error:
        raise InputError("x0", np.asarray(x0).tolist(), f"must be near a periodic orbit: {error}") from error
    verdict = check(orbit)
    if not verdict.valid:
        allowed = f"must be near a periodic orbit; the one found is no motion of the system: {verdict.reason}"
        raise InputError("x0", np.asarray(x0).tolist(), allowed)
    return orbit


def floquet(orbit: Orbit) -> Multipliers:
    """Multipliers of an orbit, the largest first, and the logarithms of their moduli, however small.

    Of a symmetric orbit those of the half map. Multipliers that follow from structure (time shift, kept memory)
    are not among them.
    """
    check_kind("orbit", orbit, Orbit, "an orbit, as kg.find_orbit gives it")
    return orbit.fine_floquet
