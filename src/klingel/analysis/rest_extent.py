"""How far the set of rest states reaches when friction forces may take any value within limits.

At rest  a(q) + F(q) f = 0  with  |f_j| <= limit_j:  a(q) are the forces without friction, F what a unit of each
friction force adds. The extreme of a coordinate is found by a sequence of linear programmes,

    max c dq    subject to    J dq + F f = -a(q),   |f| <= limits,   |dq| <= radius,

each about the last rest. After each one the positions are corrected by Newton's method with its friction forces;
where that does not come to a rest the radius is halved. Where a is linear a programme within the radius is exact.
The set is followed from a start within it: parts that do not hang together with it are not seen.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

STEPS = 120  # programmes for one extreme; at the largest radius they go farther than NOT_HELD
RADIUS = 1e-3  # of the largest step, in units of the coordinates
SMALLEST = 1e-8  # radius at which the sequence has ended, and step
NOT_HELD = 0.1  # in units of the coordinates: one that goes so far is held by nothing
CORRECTIONS = 8  # of Newton's method
LEFT = 1e-8  # of a + F f at a rest, in units of the rows
ENDED = 1e-6  # promised by a programme, of its radius
GROWS = 1.5  # radius after a step that went well
AGAIN, ASIDE, AGAIN_RADIUS = 3, 0.05, 2e-4  # tries at a kink: how many, how far their aim is turned, radius


class Resting(Protocol):
    """What is asked of a system."""

    limits: np.ndarray  # of the friction forces
    units: np.ndarray  # of the coordinates

    def residual(self, q: np.ndarray) -> np.ndarray:
        """a(q), every row in its unit; not a number where the model does not hold."""
        ...

    def jacobian(self, q: np.ndarray) -> np.ndarray: ...

    def friction(self, q: np.ndarray) -> np.ndarray:
        """F(q), [row][friction force]."""
        ...


@dataclass(frozen=True)
class Extreme:
    value: float  # of the coordinate; infinite where nothing holds it
    q: np.ndarray
    forces: np.ndarray  # of friction
    left: float  # largest entry of a + F f
    final: bool  # no programme promises more; else a kink of the forces stopped it, and it is a bound from inside


class _Turned:
    """The system in p of  q = start + sign p,  its friction forces and residual turned likewise.

    Both extremes are then sought upwards by the same programmes, and are mirror images where a is odd about the
    start: which of several optima a programme finds depends on the way it is turned.
    """

    def __init__(self, of: Resting, start: np.ndarray, sign: float):
        self.of, self.start, self.sign = of, start, sign
        self.limits, self.units = of.limits, of.units

    def residual(self, q: np.ndarray) -> np.ndarray:
        return self.sign * self.of.residual(self.start + self.sign * q)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        return self.of.jacobian(self.start + self.sign * q)

    def friction(self, q: np.ndarray) -> np.ndarray:
        return self.of.friction(self.start + self.sign * q)


def extreme(of: Resting, start: np.ndarray, coordinate: int, sign: float) -> Extreme:
    """Farthest rest in one direction of a coordinate.

    The end is tried again with a little of other coordinates in the aim: a kink may have stopped the sequence, or
    a place from which the coordinate goes on in second order only.
    """
    turned = _Turned(of, start, sign)
    rng = np.random.default_rng(coordinate)
    aim, unit = np.zeros(start.size), of.units[coordinate]
    aim[coordinate] = 1.0
    p, pushes, final = _followed(turned, np.zeros(start.size), np.zeros(of.limits.size), aim, RADIUS)
    for count in range(AGAIN):
        if (final and count > 0) or p[coordinate] > NOT_HELD * unit:
            break
        aside = aim + ASIDE * rng.standard_normal(start.size)
        moved, carried, _ = _followed(turned, p, pushes, aside, AGAIN_RADIUS)
        moved, carried, found = _followed(turned, moved, carried, aim, AGAIN_RADIUS)
        if moved[coordinate] - p[coordinate] > ENDED * RADIUS * unit:
            p, pushes, final = moved, carried, found and count > 0
    q, forces = start + sign * p, sign * pushes
    if p[coordinate] > NOT_HELD * unit:
        return Extreme(sign * np.inf, q, forces, 0.0, True)
    left = of.residual(q) + of.friction(q) @ forces
    return Extreme(float(q[coordinate]), q, forces, float(np.abs(left).max(initial=0.0)), final)


def _followed(
    of: Resting, start: np.ndarray, forces: np.ndarray, aim: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Rest states farther and farther in a direction; whether the last programme promised nothing more."""
    q, weights = start.copy(), aim / of.units
    for _ in range(STEPS):
        step, wanted = _programme(of, q, aim, radius)
        ahead = None if step is None else _corrected(of, q + step, wanted)
        if ahead is None or weights @ (ahead - q) < 0.0:
            radius *= 0.5
        else:
            q, forces, radius = ahead, wanted, min(GROWS * radius, RADIUS)
            if weights @ (q - start) > NOT_HELD:
                return q, forces, True
        if step is not None and weights @ step < ENDED * radius:
            return q, forces, True
        if radius < SMALLEST:
            break
    return q, forces, False


def _programme(of: Resting, q: np.ndarray, aim: np.ndarray, radius: float) -> tuple[np.ndarray | None, np.ndarray]:
    """Step and friction forces of one programme; None where nothing within the radius is at rest."""
    from scipy.optimize import linprog

    rows = np.hstack([of.jacobian(q) * (radius * of.units), of.friction(q) * of.limits])
    scale = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-30)
    cost = np.zeros(rows.shape[1])
    cost[: q.size] = -aim
    found = linprog(
        cost, A_eq=rows / scale[:, None], b_eq=-of.residual(q) / scale, bounds=(-1.0, 1.0), method="highs"
    )
    if not found.success:
        return None, np.zeros(of.limits.size)
    return found.x[: q.size] * radius * of.units, found.x[q.size :] * of.limits


def _corrected(of: Resting, q: np.ndarray, forces: np.ndarray) -> np.ndarray | None:
    """Positions at rest with these friction forces, near q; None where Newton's method finds none."""
    for _ in range(CORRECTIONS):
        left = of.residual(q) + of.friction(q) @ forces
        if not np.isfinite(left).all():
            return None
        if np.abs(left).max(initial=0.0) <= LEFT:
            return q
        matrix = of.jacobian(q) * of.units
        scale = np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-30)[:, None]
        q = q - of.units * np.linalg.lstsq(matrix / scale, left / scale[:, 0], rcond=1e-9)[0]
    return None
