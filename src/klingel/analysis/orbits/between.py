"""Orbits on the curve between two neighbours of a branch, and the one at which a test is zero."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from klingel.analysis.orbits.arclength import NoConvergence, correct
from klingel.analysis.orbits.find_orbit import Settings, remeshed
from klingel.analysis.orbits.orbit import Orbit

BESIDE = (0.0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3)  # of the step between two points
FARTHER = (1e-2, -1e-2, 3e-2, -3e-2)  # where the parameter turns: it changes by the square of that only
LOCATED = 1e-13  # of the step between two points
TURNED = 1e-9  # of it where the parameter turns, which is its square near there
ROUNDING: Any = 1e-12  # relative, of a search
SHIFTED = 1e-7  # distance of the time-shift multiplier from 1 that asks for a mesh of the orbit itself


class Between:
    """Orbits on the curve between two neighbours that have the same unknowns."""

    def __init__(self, a: Orbit, b: Orbit, tolerance: float):
        self.a, self.b, self.tolerance = a, b, tolerance
        self.weights = b.equations.weights
        step = (b.unknowns - a.unknowns) / self.weights
        self.size = float(np.linalg.norm(step))
        self.across = step / self.size
        self._known: dict[float, Orbit] = {1.0: b}

    def at(self, s: float) -> Orbit:
        if s not in self._known:
            guess = self.a.unknowns + s * (self.b.unknowns - self.a.unknowns)
            found = correct(self.b.equations, guess, self.across, self.tolerance, self.b.jacobian)
            self._known[s] = replace(self.b, unknowns=found.u)
        return self._known[s]

    def located(self, test: Callable[[Orbit], float], settings: Settings, turns: bool = False) -> Orbit | None:
        """As `locate`, once more on a mesh of the orbit found where that of the far end does not suit it."""
        found = self.locate(test, turns)
        if found is None or not needs_own_mesh(found):
            return found
        fine = remeshed(found, settings)
        far = fine.equations.weights
        ends = [correct(fine.equations, o.unknowns, self.across * self.weights / far, self.tolerance).u
                for o in (self.at(0.0), self.b)]  # fmt: skip
        a, b = (replace(fine, unknowns=u) for u in ends)
        return Between(a, b, self.tolerance).locate(test, turns) or found

    def locate(self, test: Callable[[Orbit], float], turns: bool = False) -> Orbit | None:
        """Orbit at which the test is zero; None where it has the same sign at both ends.

        Where the parameter `turns` an orbit a little farther away will do.
        """
        tries = (*BESIDE, *FARTHER) if turns else BESIDE
        try:
            if not test(self.at(0.0)) * test(self.at(1.0)) < 0.0:
                return None
            near: Any = TURNED if turns else LOCATED
            s = brentq(lambda s: test(self._beside(s, tries)), 0.0, 1.0, xtol=near, rtol=ROUNDING, maxiter=60)
            return self._beside(float(s), tries)  # type: ignore[arg-type]
        except (RuntimeError, ValueError):  # no orbit there, or a test that jumps
            return None

    def _beside(self, s: float, tries: tuple[float, ...]) -> Orbit:
        """At a place, or so near to it as orbits are found: where branches cross the equations are singular."""
        for away in tries:
            with suppress(NoConvergence):
                return self.at(min(max(s + away, 0.0), 1.0))
        return self.at(s)


def needs_own_mesh(orbit: Orbit) -> bool:
    """Whether its mesh, made for a neighbour, does not suit an orbit: its time-shift multiplier is not 1."""
    finer = not orbit.family.driven and orbit.family.tangent < 1.0  # see `Family.tangent`
    return finer and abs(orbit.time_shift - 1.0) > SHIFTED
