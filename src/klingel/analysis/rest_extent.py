"""How far the set of rest states reaches when friction forces may take any value within limits.

At rest  a(q) + F L(q) g = 0:  a(q) are the forces without friction, F what a unit of each friction force adds, L
their limits, which may depend on q, and g their shares, |g| <= 1 for each friction face, of one or two components.
The extreme of a coordinate is found by a sequence of linear programmes about one rest after the other,

    max c dq    subject to    (J + F diag(g0) dL) dq + F L g = -a(q),   |g| <= 1,   |dq| <= radius,   w + W dq >= 0

After each one the positions are corrected by Newton's method with its friction shares; where that does not come to
a rest the radius is halved. Where a is linear a programme within the radius is exact. A face in a plane has a
circle of shares: a polygon within it, denser and denser towards where the last programme ended.

Forces are smooth in pieces (a gap open or closed, a contact in one section of its table) that end at walls w = 0.
Programmes stay within a piece. Where they promise nothing more and a wall is reached, the pieces beyond are tried,
each with its own derivatives, and those beyond these, as far as walls meet there. Only where none goes on it is an
extreme, a local one. The set is followed from a start within it; `near_rest` finds starts in other parts.

Longer than other files: programmes, corrections and pieces are one algorithm.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

STEPS = 160  # programmes for one extreme; at the largest radius they go farther than NOT_HELD
RADIUS = 1e-3  # of the largest step, in units of the coordinates
SMALLEST = 2e-7  # radius at which the sequence has ended
NOT_HELD = 0.1  # in units of the coordinates: one that goes so far is held by nothing
CORRECTIONS = 8  # of Newton's method
LEFT = 1e-8  # of a + F L g at a rest, in units of the rows
ENDED = 3e-5  # promised by a programme, of its radius
QUIET = 1e-3  # what a move costs, of the aim
PROMISING = 0.01  # of the radius: a quiet programme that promises less is asked without that cost
GROWS = 1.5  # radius after a step that went well
AGAIN, ASIDE, AGAIN_RADIUS = 3, 0.05, 2e-4  # tries at an end: how many, how far their aim is turned, radius
ASIDE_STEPS, AGAIN_STEPS = 4, 40
TOUCH = 3e-7  # of a wall that counts as reached
ACROSS = 1e-8  # how far beyond a wall its piece is asked for
MOST_PIECES = 24  # tried at one place
FAN = np.radians([0.1, 0.4, 1.5, 6.0, 22.5, 60.0, 110.0, 150.0])  # corners of a polygon beside the last direction
RESTORING, FALLS = 60, 0.999  # programmes that look for a rest, and factor by which each must come nearer


class Local(NamedTuple):
    rest: np.ndarray  # a(q), every row in its unit; not a number where the model does not hold
    limits: np.ndarray  # L(q) of each component of friction
    walls: np.ndarray  # distances to the ends of the piece, positive inside


class Slopes(NamedTuple):
    """Derivatives of the three by q."""

    rest: np.ndarray
    limits: np.ndarray
    walls: np.ndarray


class Resting(Protocol):
    """What is asked of a system."""

    units: np.ndarray  # of the coordinates
    friction: np.ndarray  # F, [row][component]
    faces: tuple[tuple[int, ...], ...]  # components that share a limit: one, or two of a plane

    def piece(self, q: np.ndarray) -> Hashable: ...

    def at(self, q: np.ndarray, piece: Hashable) -> Local: ...

    def slopes(self, q: np.ndarray, piece: Hashable) -> Slopes: ...


class Place(NamedTuple):
    """A rest."""

    q: np.ndarray
    shares: np.ndarray
    piece: Hashable


@dataclass(frozen=True)
class Extreme:
    value: float  # of the coordinate; infinite where nothing holds it
    q: np.ndarray
    forces: np.ndarray  # of friction
    left: float  # largest entry of a + F L g
    final: bool  # no piece around it goes on; else the search stopped, and it is a bound from inside
    piece: Hashable = None


class _Turned:
    """The system in p of  q = start + sign p,  its friction and residual turned likewise.

    Both extremes are then sought upwards by the same programmes, and are mirror images where a is odd about the
    start: which of several optima a programme finds depends on the way it is turned.
    """

    def __init__(self, of: Resting, start: np.ndarray, sign: float):
        self.of, self.start, self.sign = of, start, sign
        self.units, self.friction, self.faces = of.units, of.friction, of.faces

    def piece(self, q: np.ndarray) -> Hashable:
        return self.of.piece(self.start + self.sign * q)

    def at(self, q: np.ndarray, piece: Hashable) -> Local:
        found = self.of.at(self.start + self.sign * q, piece)
        return found._replace(rest=self.sign * found.rest)

    def slopes(self, q: np.ndarray, piece: Hashable) -> Slopes:
        found = self.of.slopes(self.start + self.sign * q, piece)
        return Slopes(found.rest, self.sign * found.limits, self.sign * found.walls)


def extreme(of: Resting, start: np.ndarray, coordinate: int, sign: float, at: Place | None = None) -> Extreme:
    """Farthest rest in one direction of a coordinate, from the rest `at`, or from the start without friction.

    The end is tried again with a little of other coordinates in the aim: from some places the coordinate goes on
    in second order only.
    """
    turned = _Turned(of, start, sign)
    rng = np.random.default_rng(coordinate)
    aim, unit = np.zeros(start.size), of.units[coordinate]
    aim[coordinate] = 1.0
    if at is None:
        place = Place(np.zeros(start.size), np.zeros(of.friction.shape[1]), of.piece(start))
    else:
        place = Place(sign * (at.q - start), sign * at.shares, at.piece)
    begin = float(place.q[coordinate])
    place, final = _followed(turned, place, aim, RADIUS)
    for _ in range(AGAIN):
        if place.q[coordinate] - begin > NOT_HELD * unit:
            break
        aside = aim + ASIDE * rng.standard_normal(start.size)
        moved, _ = _followed(turned, place, aside, AGAIN_RADIUS, ASIDE_STEPS)
        moved, found = _followed(turned, moved, aim, AGAIN_RADIUS, AGAIN_STEPS)
        if moved.q[coordinate] - place.q[coordinate] > ENDED * RADIUS * unit:
            place, final = moved, found
        elif final:
            break
    place = _least_loaded(turned, place)
    q, local = start + sign * place.q, turned.at(place.q, place.piece)
    forces = sign * local.limits * place.shares
    if place.q[coordinate] - begin > NOT_HELD * unit:
        return Extreme(sign * np.inf, q, forces, 0.0, True, place.piece)
    left = local.rest + of.friction @ (local.limits * place.shares)
    return Extreme(float(q[coordinate]), q, forces, float(np.abs(left).max(initial=0.0)), final, place.piece)


def _followed(of: Resting, place: Place, aim: np.ndarray, radius: float, steps: int = STEPS) -> tuple[Place, bool]:
    """Rest states farther and farther in a direction; whether nothing around the last one goes on."""
    weights, begin = aim / of.units, place.q
    for _ in range(steps):
        step, wanted = _programme(of, place, aim, radius, QUIET)
        if step is not None and weights @ step < PROMISING * radius:
            step, wanted = _programme(of, place, aim, radius)
        if step is not None and weights @ step < ENDED * radius:
            ahead = _beyond(of, place, aim)
            if ahead is None:
                return place, True
            place, radius = ahead, AGAIN_RADIUS
            continue
        q = None if step is None else _corrected(of, place.q + step, wanted, place.piece)
        if q is None or weights @ (q - place.q) < 0.0:
            radius *= 0.5
        else:
            place, radius = Place(q, wanted, place.piece), min(GROWS * radius, RADIUS)
            if weights @ (q - begin) > NOT_HELD:
                return place, True
        if radius < SMALLEST:
            ahead = _beyond(of, place, aim)
            if ahead is None:
                return place, False
            place, radius = ahead, AGAIN_RADIUS
    return place, False


def _programme(
    of: Resting, place: Place, aim: np.ndarray, radius: float, quiet: float = 0.0
) -> tuple[np.ndarray | None, np.ndarray]:
    """Step and shares of one programme; None where nothing within the radius and the piece is at rest.

    `quiet` is what a move of any coordinate costs: of many steps that go as far the shortest is wanted, else
    what is free is sent from wall to wall. Steps are differences of two numbers that are not negative.
    """
    from scipy.optimize import linprog

    q, shares, piece = place
    local, slopes = of.at(q, piece), of.slopes(q, piece)
    if not all(np.isfinite(part).all() for part in (local.rest, slopes.rest)):
        return None, shares
    matrix = slopes.rest + of.friction @ (shares[:, None] * slopes.limits)
    moves = matrix * (radius * of.units)
    rows = np.hstack([moves, -moves, of.friction * local.limits])
    scale = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-30)
    n, count = q.size, of.friction.shape[1]
    cost = np.concatenate([quiet - aim, quiet + aim, np.zeros(count)])
    above, most = _inequalities(of, place, local, slopes, radius)
    found = linprog(
        cost, A_eq=rows / scale[:, None], b_eq=-local.rest / scale, A_ub=above, b_ub=most,
        bounds=[(0.0, 1.0)] * (2 * n) + [(-1.0, 1.0)] * count, method="highs",
    )  # fmt: skip
    if not found.success:
        return None, shares
    return (found.x[:n] - found.x[n : 2 * n]) * radius * of.units, found.x[2 * n :]


def _least_loaded(of: Resting, place: Place) -> Place:
    """The same positions with friction shared such that the largest share is as small as can be."""
    from scipy.optimize import linprog

    local, count = of.at(place.q, place.piece), place.shares.size
    rows = of.friction * local.limits
    if count == 0 or not np.isfinite(rows).all():
        return place
    scale = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-30)[:, None]
    needed = np.hstack([rows / scale, np.zeros((rows.shape[0], 1))])
    room = np.concatenate([[SQUARE if len(face) == 2 else 1.0 for _ in face] for face in of.faces])
    above = np.vstack([np.hstack([sign * np.eye(count), -room[:, None]]) for sign in (1.0, -1.0)])
    found = linprog(
        np.append(np.zeros(count), 1.0), A_eq=needed, b_eq=(rows / scale) @ place.shares, A_ub=above,
        b_ub=np.zeros(2 * count), bounds=[(None, None)] * count + [(0.0, 1.0)], method="highs",
    )  # fmt: skip
    q = _corrected(of, place.q, found.x[:count], place.piece) if found.success else None
    near = q is not None and np.abs((q - place.q) / of.units).max() < TOUCH
    return Place(q, found.x[:count], place.piece) if q is not None and near else place


def _inequalities(of: Resting, place: Place, local: Local, slopes: Slopes, radius: float):
    """Walls within reach, and polygons of faces in a plane; None where there are none."""
    n, count = place.q.size, of.friction.shape[1]
    rows, most = [], []
    reach = np.abs(slopes.walls) @ (radius * of.units)
    for k in np.flatnonzero(np.isfinite(local.walls) & (local.walls < reach)):
        unit = max(reach[k], 1e-30)
        down = slopes.walls[k] * (radius * of.units) / unit
        rows.append(np.concatenate([-down, down, np.zeros(count)]))
        most.append(max(local.walls[k] / unit, -0.1))  # back to a wall that a correction has passed
    for face in of.faces:
        if len(face) == 2:
            one, two = face
            for normal, bound in _polygon(place.shares[one], place.shares[two]):
                row = np.zeros(2 * n + count)
                row[2 * n + one], row[2 * n + two] = normal
                rows.append(row)
                most.append(bound)
    return (np.array(rows), np.array(most)) if rows else (None, None)


def _polygon(one: float, two: float) -> Iterator[tuple[np.ndarray, float]]:
    """Sides of a polygon within the unit circle, a corner in the direction of the last shares."""
    ahead = np.arctan2(two, one)
    angles = np.sort(np.concatenate([[0.0], FAN, -FAN])) + ahead
    ends = np.append(angles, angles[0] + 2.0 * np.pi)
    for a, b in pairwise(ends.tolist()):
        middle = 0.5 * (a + b)
        yield np.array([np.cos(middle), np.sin(middle)]), float(np.cos(0.5 * (b - a)))


def _corrected(of: Resting, q: np.ndarray, shares: np.ndarray, piece: Hashable) -> np.ndarray | None:
    """Positions at rest with these shares, near q; None where Newton's method finds none in this piece."""
    for _ in range(CORRECTIONS):
        local = of.at(q, piece)
        left = local.rest + of.friction @ (local.limits * shares)
        if not np.isfinite(left).all():
            return None
        if np.abs(left).max(initial=0.0) <= LEFT:
            return q if (local.walls > -TOUCH).all() else None
        slopes = of.slopes(q, piece)
        matrix = (slopes.rest + of.friction @ (shares[:, None] * slopes.limits)) * of.units
        if not np.isfinite(matrix).all():
            return None
        scale = np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-30)[:, None]
        q = q - of.units * np.linalg.lstsq(matrix / scale, left / scale[:, 0], rcond=1e-9)[0]
    return None


def _beyond(of: Resting, place: Place, aim: np.ndarray) -> Place | None:
    """A rest farther on in a piece that meets the present one there; None if there is none."""
    weights, radius = aim / of.units, AGAIN_RADIUS
    seen, waiting = {place.piece}, [place.piece]
    while waiting and len(seen) < MOST_PIECES:
        for piece in _neighbours(of, place.q, waiting.pop(0)):
            if piece in seen:
                continue
            seen.add(piece)
            waiting.append(piece)
            there = place._replace(piece=piece)
            for part in (1.0, 0.05):
                step, wanted = _programme(of, there, aim, part * radius)
                if step is None or weights @ step < ENDED * part * radius:
                    continue
                q = _corrected(of, place.q + step, wanted, piece)
                if q is not None and weights @ (q - place.q) > ENDED * part * radius:
                    return Place(q, wanted, piece)
    return None


def _neighbours(of: Resting, q: np.ndarray, piece: Hashable) -> Iterator[Hashable]:
    """Pieces on the other side of every wall that is reached."""
    local = of.at(q, piece)
    reached = np.flatnonzero(np.abs(local.walls) < TOUCH)
    if reached.size == 0:
        return
    walls = of.slopes(q, piece).walls
    for k in reached:
        down = walls[k] * of.units**2
        steep = float(walls[k] @ down)
        if steep > 0.0:
            yield of.piece(q - (local.walls[k] + ACROSS) / steep * down)


def near_rest(of: Resting, q: np.ndarray) -> Place | None:
    """A rest near q, found by programmes that make what is left as small as they can; None if there is none."""
    from scipy.optimize import linprog

    shares, radius = np.zeros(of.friction.shape[1]), RADIUS
    piece = of.piece(q)
    size = _left(of, q, shares, piece)
    for _ in range(RESTORING):
        local, slopes = of.at(q, piece), of.slopes(q, piece)
        if not np.isfinite(local.rest).all() or not np.isfinite(slopes.rest).all():
            return None
        matrix = slopes.rest + of.friction @ (shares[:, None] * slopes.limits)
        rows = np.hstack([matrix * (radius * of.units), of.friction * local.limits])
        unit = max(size, LEFT)
        one = np.full((rows.shape[0], 1), unit)
        above = np.vstack([np.hstack([rows, -one]), np.hstack([-rows, -one])]) / unit
        cost = np.append(np.zeros(rows.shape[1]), 1.0)
        bounds = [
            *[(-1.0, 1.0)] * q.size,
            *[(-SQUARE, SQUARE) if len(f) == 2 else (-1.0, 1.0) for f in of.faces for _ in f],
            (0.0, None),
        ]
        found = linprog(
            cost, A_ub=above, b_ub=np.concatenate([-local.rest, local.rest]) / unit, bounds=bounds, method="highs"
        )
        if not found.success:
            return None
        ahead, wanted = q + found.x[: q.size] * radius * of.units, found.x[q.size : -1]
        piece = of.piece(ahead)
        left = _left(of, ahead, wanted, piece)
        if left < FALLS * size:
            q, shares, size, radius = ahead, wanted, left, min(GROWS * radius, RADIUS)
        else:
            radius, piece = 0.4 * radius, of.piece(q)
        if size <= 1e3 * LEFT and (rest := _corrected(of, q, shares, piece)) is not None:
            return Place(rest, shares, piece)
        if radius < SMALLEST:
            return None
    return None


SQUARE = 0.7071  # within a circle


def _left(of: Resting, q: np.ndarray, shares: np.ndarray, piece: Hashable) -> float:
    local = of.at(q, piece)
    left = np.abs(local.rest + of.friction @ (local.limits * shares)).max(initial=0.0)
    return float(left) if np.isfinite(left) else np.inf
