"""The double-contact point P12: one wheel touches its rail in two points at once.

Where two branches of a followed path cross in shift, height and roll, the contact point jumps from one to
the other. The crossing is found from the difference of the rolls and then solved from the nine contact
equations of three contact points, with the nine unknowns v, z, phi, s_1..3, u_1..3 (de Pater, end of
section 3).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from klingel.contact.continuation import Branch, Path
from klingel.contact.equations import FIRST, HEIGHT, ROLL, SHIFT
from klingel.contact.geometry import Hand

APART = 1e-5  # two contact points of a wheel closer than this are one [m]


@dataclass(frozen=True)
class DoublePoint:
    shift: float  # v [m]
    height: float  # z [m]
    roll: float  # phi [rad]
    hand: Hand  # the wheel with two contacts
    wheel: tuple[float, float]  # their distances from the middle of the axle, before and after the jump [m]
    rail: tuple[float, float]  # their distances from the track centre [m]


def double_points(path: Path) -> list[DoublePoint]:
    """All points at which the contact jumps, in the order of the shift.

    Crossings below another branch are left out: there the wheel would penetrate the rail elsewhere.
    """
    found = []
    for one, two in combinations(path.branches(), 2):
        low = max(one.unknowns[0, SHIFT], two.unknowns[0, SHIFT])
        high = min(one.unknowns[-1, SHIFT], two.unknowns[-1, SHIFT])
        if low < high and (point := _crossing(path, one, two, low, high)) is not None:
            highest = path.at(point.shift)[HEIGHT]
            if point.height > highest - 1e-12:
                found.append(point)
    return sorted(found, key=lambda point: point.shift)


def _crossing(path: Path, one: Branch, two: Branch, low: float, high: float) -> DoublePoint | None:
    # on the nodes first: next to a turning point Newton's iteration at fixed shift has no good start
    nodes = np.sort(np.concatenate([branch.unknowns[:, SHIFT] for branch in (one, two)]))
    nodes = nodes[(nodes >= low) & (nodes <= high)]
    rolls = [np.interp(nodes, branch.unknowns[:, SHIFT], branch.unknowns[:, ROLL]) for branch in (one, two)]
    change = np.flatnonzero(np.diff(np.sign(rolls[1] - rolls[0])))
    if change.size == 0:
        return None
    k = int(change[0])
    gap = rolls[1] - rolls[0]
    shift = float(nodes[k] - gap[k] * (nodes[k + 1] - nodes[k]) / (gap[k + 1] - gap[k]))
    a, b = path.on(one, shift), path.on(two, shift)
    return None if a is None or b is None else _solved(path, a, b)


def _solved(path: Path, a: NDArray, b: NDArray) -> DoublePoint | None:
    """Newton's iteration on the nine equations."""
    apart = [abs(a[FIRST + 2 * hand] - b[FIRST + 2 * hand]) for hand in Hand]
    hand = Hand(int(np.argmax(apart)))
    if apart[hand] < APART:
        return None
    system = path.system
    third = b[FIRST + 2 * hand : FIRST + 2 * hand + 2]
    x = np.concatenate([a, third])
    contacts = system.pieces(x, np.array([Hand.LEFT, Hand.RIGHT, hand]))
    for _ in range(20):
        f, jac = system.evaluate(x, contacts)
        step = np.linalg.solve(jac, f)
        x = x - step
        if np.max(abs(step)) < 1e-14:
            break
    first = FIRST + 2 * hand
    wheel, rail = (float(x[first]), float(x[7])), (float(x[first + 1]), float(x[8]))
    return DoublePoint(float(x[SHIFT]), float(x[HEIGHT]), float(x[ROLL]), hand, wheel, rail)
