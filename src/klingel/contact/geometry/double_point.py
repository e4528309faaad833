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

from klingel.contact.geometry.continuation import Branch, Path
from klingel.contact.geometry.equations import FIRST, HEIGHT, ROLL, SHIFT
from klingel.contact.geometry.wheelset_on_track import Hand

APART = 1e-5  # two contact points of a wheel closer than this are one [m]
NEIGHBOURHOOD = 1e-3  # way from the start beyond which Newton's iteration found something else [m, rad]


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
    shift = _refined(path, one, two, nodes[k : k + 2], (rolls[1] - rolls[0])[k : k + 2])
    a, b = path.on(one, shift), path.on(two, shift)
    point = None if a is None or b is None else _solved(path, a, b)
    return point if point is not None and low - 1e-12 <= point.shift <= high + 1e-12 else None


def _refined(path: Path, one: Branch, two: Branch, ends: NDArray, gaps: NDArray) -> float:
    """Regula falsi on the difference of the rolls; the interpolated nodes are the start."""
    low, high = (float(value) for value in ends)
    g_low, g_high = (float(value) for value in gaps)
    shift = low
    for _ in range(12):
        last, shift = shift, low - g_low * (high - low) / (g_high - g_low)
        a, b = path.on(one, shift), path.on(two, shift)
        if a is None or b is None or abs(shift - last) < 1e-12:
            break
        gap = float(b[ROLL] - a[ROLL])
        if gap * g_low > 0.0:
            low, g_low = shift, gap
        elif gap * g_high > 0.0:
            high, g_high = shift, gap
        else:
            break
    return shift


def _solved(path: Path, a: NDArray, b: NDArray) -> DoublePoint | None:
    """Newton's iteration on the nine equations; None if it leaves the neighbourhood of its start."""
    apart = [abs(a[FIRST + 2 * hand] - b[FIRST + 2 * hand]) for hand in Hand]
    hand = Hand(int(np.argmax(apart)))
    if apart[hand] < APART:
        return None
    first = FIRST + 2 * hand
    start = x = np.concatenate([a, b[first : first + 2]])
    for _ in range(5):
        contacts = path.system.pieces(x, np.array([Hand.LEFT, Hand.RIGHT, hand]))
        x = _newton(path, x, contacts)
        if x is None or np.max(abs(x - start)) > NEIGHBOURHOOD:
            return None
        if np.array_equal(path.system.pieces(x, contacts[:, 0]), contacts):
            break
    wheel, rail = (float(x[first]), float(x[7])), (float(x[first + 1]), float(x[8]))
    return DoublePoint(float(x[SHIFT]), float(x[HEIGHT]), float(x[ROLL]), hand, wheel, rail)


def _newton(path: Path, x: NDArray, contacts: NDArray) -> NDArray | None:
    for _ in range(20):
        f, jac = path.system.evaluate(x, contacts)
        try:
            step = np.linalg.solve(jac, f)
        except np.linalg.LinAlgError:
            return None
        x = x - step
        if not np.all(np.isfinite(x)):
            return None
        if np.max(abs(step)) < 1e-14:
            return x
    return x if np.max(abs(step)) < 1e-12 else None
