"""Forces of a wheelset that is let go at rest on its rails: neither wheel point accelerates along its normal.

A wheelset held at a lateral shift is balanced in z and roll. On a flange that says little of what comes next:
nothing holds it there, the flange throws it back, and it falls as it goes. The normal forces of a wheelset that is
let go are those of rigid wheels on rigid rails, at rest: with the acceleration a that they give it,

    N >= 0,    g a >= 0,    N g a = 0    for each wheel,

where g a is the acceleration of its gap, for two contacts weighted with their forces. Forces are nearly linear in
N, so the complementarity problem of two wheels is solved a few times with its matrix from differences; z and roll
are those at which the wheels press so much.

In the overlap of tread and flange the two contacts of a wheel share its load by the shift alone: a wheelset held
there squeezes its flange, which pushes it back as soon as it is let go. Where it is `squeezed` the wheelset stands
on its flange alone, higher, as rigid wheels would.
"""

from typing import NamedTuple

import numpy as np

from klingel.model.output import Contact, outputs
from klingel.model.standing.balance import Balance

ITERATIONS = 12
PLACINGS = 20
STEP = 1e-8  # for slopes [m, rad]
SMALL_STEP = 1e-7  # along the acceleration, for that of the gaps [m, rad]
PLACED = 1e-11  # of a penetration [m]
AT_REST = 1e-3  # acceleration of a gap that may be left [m/s2]
PART = 0.01  # of a normal force, for the slope of the accelerations
PAIRS = ([0, 1], [0], [1], [])  # wheels that press
LIGHT = 0.02  # of a wheel's load, with which the search on the flange alone begins


class LetGo(NamedTuple):
    x: np.ndarray
    normal: np.ndarray  # of the two wheels, both contacts of an overlap together [N]


class Wheels:
    """Two wheels of one wheelset: `places` of y, z and roll among the states, `rows` of their accelerations."""

    def __init__(self, balance: Balance, x: np.ndarray, wheels: list[int], places: list[int], rows: list[int]):
        self.balance, self.wheels, self.places, self.rows = balance, wheels, places, rows
        balance.settle(x)
        normal, penetration = self.contacts(x)
        self.normal = np.nansum(normal, axis=1)
        self.per_depth = self.normal ** (2.0 / 3.0) / np.nanmax(penetration, axis=1)  # after Hertz

    def contacts(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Normal forces and penetrations [wheel][contact] in the present modes; NaN without a second contact."""
        b = self.balance
        row = outputs(b.compiled, np.zeros(1), x[None], b.memory[None], b.mode[None]).contact[0, self.wheels]
        return row[:, :, Contact.NORMAL], row[:, :, Contact.PENETRATION]

    def depths(self, x: np.ndarray) -> np.ndarray:
        """Penetrations that go with the normal forces; negative in the air."""
        normal, penetration = self.contacts(x)
        total = np.nansum(normal, axis=1)
        return np.where(
            total > 0.0, total ** (2.0 / 3.0) / self.per_depth, np.minimum(np.nanmax(penetration, axis=1), 0.0)
        )

    def place(self, x: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
        """z and roll at which the wheels press with these forces."""
        wanted = normal ** (2.0 / 3.0) / self.per_depth
        for _ in range(PLACINGS):
            left = self.depths(x) - wanted
            if np.abs(left).max() < PLACED:
                self.balance.settle(x)
                return x
            slope = np.column_stack([self.slope(x, k) for k in self.places[1:]])
            if not np.isfinite(slope).all() or abs(np.linalg.det(slope)) < 1e-6:
                return None
            x = x.copy()
            x[self.places[1:]] -= np.linalg.solve(slope, left)
        return None

    def slope(self, x: np.ndarray, k: int) -> np.ndarray:
        ahead, behind = x.copy(), x.copy()
        ahead[k], behind[k] = x[k] + STEP, x[k] - STEP
        return (self.depths(ahead) - self.depths(behind)) / (2.0 * STEP)

    def opening(self, x: np.ndarray) -> np.ndarray:
        """Accelerations of the gaps, were the wheelset let go at x."""
        acceleration = self.balance.accelerations(x)[self.rows]
        step = SMALL_STEP / max(float(np.abs(acceleration).max()), 1e-300)
        ahead, behind = x.copy(), x.copy()
        ahead[self.places] += step * acceleration
        behind[self.places] -= step * acceleration
        change = (self.contacts(ahead)[1] - self.contacts(behind)[1]) / (2.0 * step)
        weight = np.maximum(self.contacts(x)[0], 1e-9)
        return -np.nansum(weight * change, axis=1) / np.nansum(weight, axis=1)


def squeezed(wheels: Wheels, x: np.ndarray) -> float:
    """Largest force of the steeper one of two contacts, of the force on the other one."""
    wheels.balance.settle(x)
    normal = wheels.contacts(x)[0]
    across, up = (wheels.contacts(_moved(x, k, STEP))[1] - wheels.contacts(x)[1] for k in wheels.places[:2])
    angle = np.arctan2(np.abs(across), np.abs(up))
    worst = 0.0
    for force, steep in zip(normal, angle, strict=True):
        if (force > 0.0).sum() > 1:
            flange = int(np.argmax(steep))
            worst = max(worst, float(force[flange] / force[1 - flange]))
    return worst


def _moved(x: np.ndarray, k: int, step: float) -> np.ndarray:
    ahead = x.copy()
    ahead[k] += step
    return ahead


def let_go_higher(wheels: Wheels, x: np.ndarray) -> LetGo | None:
    """From x, where a wheel has two contacts: with one of them open; None if it is not found."""
    shared = (wheels.contacts(x)[0] > 0.0).sum(axis=1) > 1
    if not shared.any():
        return None
    found = let_go(wheels, x, np.where(shared, LIGHT, 1.0) * wheels.normal)
    return None if found is None or ((wheels.contacts(found.x)[0] > 0.0).sum(axis=1) > 1).any() else found


def let_go(wheels: Wheels, x: np.ndarray, first: np.ndarray | None = None) -> LetGo | None:
    """From x, where both wheels press, with these forces at `first`; None if it is not found."""
    normal = (wheels.normal if first is None else first).copy()
    step = PART * wheels.normal
    for _ in range(ITERATIONS):
        here = wheels.place(x, normal)
        if here is None:
            return None
        x, opening = here, wheels.opening(here)
        if ((np.abs(opening) < AT_REST) | ((normal == 0.0) & (opening > 0.0))).all():
            return LetGo(x, normal)
        slope = np.empty((2, 2))
        for k in (0, 1):
            more = normal.copy()
            more[k] += step[k]
            placed = wheels.place(x, more)
            if placed is None:
                return None
            slope[:, k] = (wheels.opening(placed) - opening) / step[k]
        solved = _complementary(slope, opening - slope @ normal)
        if solved is None:
            return None
        normal = solved
    return None


def _complementary(matrix: np.ndarray, at_zero: np.ndarray) -> np.ndarray | None:
    """Forces N >= 0 of two contacts with openings w = matrix N + at_zero >= 0 of which N w = 0."""
    for pressed in PAIRS:
        found = np.zeros(2)
        if pressed:
            part = matrix[np.ix_(pressed, pressed)]
            if abs(np.linalg.det(part)) < 1e-300:
                continue
            found[pressed] = np.linalg.solve(part, -at_zero[pressed])
        if (found >= 0.0).all() and (matrix @ found + at_zero >= -AT_REST).all():
            return found
    return None
