"""Contact over the lateral shift by Newton's method and continuation in arclength: de Pater (3-41) to (3-52).

Where wheel and rail touch, the seven unknowns (shift, height, roll and two coordinates for each wheel) form
a curve. It is followed with a tangent predictor and a Newton corrector in the plane normal to it, so that
it may turn back in the shift: between the turning points P1 and P2 the wheel would penetrate the rail
elsewhere. The sign of the tangent is the one that goes on, (3-52).

Profiles are followed piece by piece. When a contact coordinate reaches the end of its piece, the curve is
continued to that end exactly, the next piece takes over, and the coordinate goes on in the same direction;
curvature may jump there, and with it the direction in the shift.

This route shares with the minimum-distance search the evaluation of a profile piece, and takes its start
there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.geometry.equations import FIRST, HEIGHT, SHIFT, ContactSystem, Equations
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack

TOLERANCE = 1e-14  # of a Newton step [m, rad]
LARGEST_STEP = 5e-4  # arclength, nearly all of it way of the contact points [m]
SMALLEST_STEP = 1e-9
FLAT = 1e-9  # slope of the shift along the curve below which it stands still: two equal arcs on each other
NEARBY = 1e-6  # a start may lie this far beyond the end of its piece [m]
MOST_STEPS = 20000


@dataclass(frozen=True)
class TurningPoint:
    unknowns: NDArray  # shift, height, roll, s and u left, s and u right
    index: int  # place in the path


@dataclass(frozen=True)
class Branch:
    """Part of a path on which the shift grows."""

    unknowns: NDArray  # shape (n, 7)
    contacts: NDArray  # pieces, shape (n, 2, 3)


@dataclass(frozen=True)
class Path:
    system: ContactSystem
    unknowns: NDArray  # shape (n, 7), in the order of the arclength
    contacts: NDArray  # pieces of each point, shape (n, 2, 3)
    turning: tuple[TurningPoint, ...]  # P1, P2, P1, ... in order

    def branches(self) -> list[Branch]:
        """Parts with growing shift: up to P1, from P2 to the next P1, and so on."""
        bounds = [0, *(point.index for point in self.turning), len(self.unknowns) - 1]
        parts = []
        for low, high in zip(bounds[::2], bounds[1::2], strict=True):
            parts.append(Branch(self.unknowns[low : high + 1], self.contacts[low : high + 1]))
        return parts

    def at(self, shift: float) -> NDArray:
        """Unknowns at a shift: of all branches there, the one on which nothing penetrates: the highest."""
        found = [solved for branch in self.branches() if (solved := self.on(branch, shift)) is not None]
        if not found:
            raise InputError("lateral shift", shift, "must lie on the path that was followed")
        return max(found, key=lambda x: x[HEIGHT])

    def on(self, branch: Branch, shift: float) -> NDArray | None:
        """Unknowns at a shift on one branch; None if it does not reach there."""
        v = branch.unknowns[:, SHIFT]
        if not v[0] <= shift <= v[-1]:
            return None
        k = min(int(np.searchsorted(v, shift, side="right")) - 1, len(v) - 2)
        part = (shift - v[k]) / (v[k + 1] - v[k]) if v[k + 1] > v[k] else 0.0
        guess = (1.0 - part) * branch.unknowns[k] + part * branch.unknowns[k + 1]
        row = np.zeros(7)
        row[SHIFT] = 1.0
        return newton(self.system, guess, branch.contacts[k + 1], row, shift)


def newton(system: ContactSystem, x: NDArray, contacts: NDArray, row: NDArray, value: float) -> NDArray | None:
    """Solve the equations together with row . x = value; None if it does not converge."""
    x = x.copy()
    for _ in range(12):
        f, jac = system.evaluate(x, contacts)
        try:
            step = np.linalg.solve(np.vstack([jac, row]), np.append(f, row @ x - value))
        except np.linalg.LinAlgError:
            return None
        x -= step
        if not np.all(np.isfinite(x)) or np.max(abs(step)) > 0.02:
            return None
        if np.max(abs(step)) < TOLERANCE:
            return x
    # rounding of profile values may keep the last steps above the tolerance
    return x if np.max(abs(step)) < 1e-12 else None


def tangent(system: ContactSystem, x: NDArray, contacts: NDArray, along: NDArray) -> NDArray:
    """Unit tangent of the solution curve with a positive component along `along`."""
    _, jac = system.evaluate(x, contacts)
    right = np.zeros(x.size)
    right[-1] = 1.0
    t = np.linalg.solve(np.vstack([jac, along]), right)
    return t / np.linalg.norm(t)


def follow(wheelset: WheelsetOnTrack, start: float, end: float, variant: Equations = Equations.EXACT) -> Path:
    """Follow the contact from shift `start` until the shift reaches `end` > `start`."""
    return _Follower(wheelset, variant).run(start, end)


class _Follower:
    def __init__(self, wheelset: WheelsetOnTrack, variant: Equations):
        self.wheelset = wheelset
        self.system = ContactSystem(wheelset, variant)
        self.unknowns: list[NDArray] = []
        self.contacts: list[NDArray] = []
        self.turning: list[TurningPoint] = []
        self.way = 1.0  # sign of the last definite change of the shift

    def run(self, start: float, end: float) -> Path:
        x, contacts = _first_contact(self.system, self.wheelset, start)
        t = tangent(self.system, x, contacts, np.eye(7)[SHIFT])
        self._keep(x, contacts)
        step = 0.1 * LARGEST_STEP
        for _ in range(MOST_STEPS):
            if x[SHIFT] >= end:
                return Path(self.system, np.array(self.unknowns), np.array(self.contacts), tuple(self.turning))
            ahead = self._step(x, contacts, t, step)
            if ahead is None:
                step *= 0.5
                if step < SMALLEST_STEP:
                    break
                continue
            x, contacts, t = ahead
            step = min(1.5 * step, LARGEST_STEP)
        allowed = f"must be reached on the profiles; the contact ends at {x[SHIFT]:.6g} m"
        raise InputError("lateral shift", end, allowed)

    def _keep(self, x: NDArray, contacts: NDArray) -> None:
        self.unknowns.append(x)
        self.contacts.append(contacts)

    def _step(self, x: NDArray, contacts: NDArray, t: NDArray, step: float):
        new = newton(self.system, x + step * t, contacts, t, float(t @ x) + step)
        if new is None or np.linalg.norm(new - x) > 2.0 * step:
            return None
        crossing = self._crossing(x, new, contacts)
        if crossing is not None:
            return self._joint(x, new, contacts, t, *crossing)
        t_new = tangent(self.system, new, contacts, t)
        self._watch(x, t, t_new, contacts, step)
        self._keep(new, contacts)
        return new, contacts, t_new

    def _crossing(self, x: NDArray, new: NDArray, contacts: NDArray) -> tuple[int, float, int] | None:
        """First coordinate that leaves its piece on the way: (place in x, end of the piece, direction)."""
        first, found = 2.0, None
        for j, contact in enumerate(contacts):
            for place in range(2):
                k = FIRST + 2 * j + place
                low, high = self.system.interval(contact, place)
                for bound, way in ((low, -1), (high, 1)):
                    if way * (new[k] - bound) > 0.0 and way * (new[k] - x[k]) > 0.0:
                        part = (bound - x[k]) / (new[k] - x[k])
                        if part < first:
                            first, found = part, (k, bound, way)
        return found

    def _joint(self, x: NDArray, new: NDArray, contacts: NDArray, t: NDArray, k: int, bound: float, way: int):
        """Go to the end of the piece, change to the next, go on in the same direction of coordinate `k`."""
        row = np.eye(7)[k]
        part = np.clip((bound - x[k]) / (new[k] - x[k]), 0.0, 1.0)
        there = newton(self.system, x + part * (new - x), contacts, row, bound)
        if there is None:
            return None
        self._watch(x, t, tangent(self.system, there, contacts, t), contacts, float(np.linalg.norm(there - x)))
        self._keep(there, contacts)
        j, place = divmod(k - FIRST, 2)
        contacts = contacts.copy()
        contacts[j, 1 + place] += way
        if not 0 <= contacts[j, 1 + place] < self.system.count(contacts[j], place):
            raise InputError("lateral shift", float(there[SHIFT]), "must keep the contact on the profiles")
        beyond = newton(self.system, there, contacts, row, bound)
        if beyond is None:
            return None
        t_new = tangent(self.system, beyond, contacts, way * row)
        if abs(t_new[SHIFT]) > FLAT and t_new[SHIFT] * self.way < 0.0:
            self._turn(beyond)
        self._keep(beyond, contacts)
        return beyond, contacts, t_new

    def _watch(self, x: NDArray, t: NDArray, t_new: NDArray, contacts: NDArray, step: float) -> None:
        """Locate a turning point between `x` and the next point, if the shift changes its direction."""
        if abs(t_new[SHIFT]) <= FLAT or t_new[SHIFT] * self.way > 0.0:
            return
        if abs(t[SHIFT]) <= FLAT:
            self._turn(x)
            return

        def at(distance: float) -> NDArray:
            found = newton(self.system, x + distance * t, contacts, t, float(t @ x) + distance)
            return x if found is None else found

        from scipy.optimize import brentq  # slow to load, and most starts find their tables made

        ends = [tangent(self.system, at(d), contacts, t)[SHIFT] for d in (0.0, step)]
        if ends[0] * ends[1] < 0.0:
            distance = brentq(lambda d: tangent(self.system, at(d), contacts, t)[SHIFT], 0.0, step, xtol=1e-15)
            x = at(float(distance))  # type: ignore[arg-type]
            self._keep(x, contacts)
        self._turn(x)

    def _turn(self, x: NDArray) -> None:
        """`x` is the turning point: the last point kept, or the one that is kept next."""
        self.way = -self.way
        last = len(self.unknowns) - 1
        index = last if np.array_equal(self.unknowns[last], x) else last + 1
        self.turning.append(TurningPoint(x, index))


def _first_contact(system: ContactSystem, wheelset: WheelsetOnTrack, shift: float) -> tuple[NDArray, NDArray]:
    """Newton's iteration at fixed shift, begun where the distance search finds the contact."""
    found = wheelset.at([shift])
    left, right = found.left.first, found.right.first
    x = np.array([shift, found.height[0], found.roll[0], left.wheel_y[0], left.rail_y[0], -right.wheel_y[0],
                  -right.rail_y[0]])  # fmt: skip
    row = np.eye(7)[SHIFT]
    for _ in range(10):
        contacts = system.pieces(x, np.arange(2))
        solved = newton(system, x, contacts, row, shift)
        if solved is None:
            break
        if np.array_equal(system.pieces(solved, np.arange(2)), contacts) or np.max(abs(solved - x)) < NEARBY:
            return solved, contacts
        x = solved
    raise InputError("lateral shift", shift, "must be a place where Newton's iteration finds a contact")
