"""Geometry of a wheelset on a track: rigid contact over the lateral shift.

    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    contact = wheelset.at(np.linspace(-0.01, 0.01, 201))
    contact.left.first.angle, contact.rolling_radius_difference, wheelset.jumps(-0.01, 0.01)

Track frame: x forward, y to the left, z up, origin on the track centre line at the height of the rail tops.
The lateral shift is positive to the left, where the left flange comes to its rail; roll is positive when the
left wheel rises. The contact angle is that of the tangent in the direction of +y: positive on the left tread.

Every wheel reports all points whose vertical gap is below `window`, the touching one first. Rigid bodies
touch in two points of one wheel only at isolated shifts, the jumps; points with a small gap are those that a
load would close.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel.contact.geometry.attitude import COLUMNS, Column, sweep
from klingel.contact.geometry.jumps import MOST_JUMPS, find_jumps
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.search import MOST_POINTS, Side, Status, build_side

POINT = np.dtype([(column.name.lower(), np.float64) for column in Column])
MIRRORED = ("wheel_y", "rail_y", "angle", "wheel_angle")  # change sign on the right side
NEAR = 1e-4  # gap below which a second point is reported [m]; loaded wheels approach by about this much
SMALLEST_JUMP = 1e-4  # way of a contact point that counts as a jump [m]
JUMP_GRID = 1e-4  # largest spacing of the shifts between which jumps are sought [m]

REASONS = {
    Status.EDGE: "must keep the contact on the profiles; it runs over the end of one",
    Status.OFF_RAIL: "must keep the wheels above the rails",
    Status.NO_ROLL: "must allow a roll at which both wheels touch",
}


class Roll(IntEnum):
    """NONE: each wheel comes down on its own, as in the reference method of EN 15302."""

    NONE, SOLVED = range(2)


class Hand(IntEnum):
    LEFT, RIGHT = range(2)


@dataclass(frozen=True)
class SideContacts:
    """Contact points of one wheel over the shifts; fields of `points` as in `attitude.Column`."""

    count: NDArray[np.int64]  # points with a gap below the window, shape (n,)
    points: np.recarray  # shape (n, MOST_POINTS), sorted by gap, nan where there is none

    @property
    def first(self) -> np.recarray:
        """The touching point, shape (n,)."""
        return self.points[:, 0]  # type: ignore[return-value]


@dataclass(frozen=True)
class ContactGeometry:
    shift: NDArray  # lateral, of the middle of the axle [m]
    yaw: float  # [rad]
    roll: NDArray  # [rad]
    height: NDArray  # of the middle of the axle above the rail tops [m]; mean of both wheels without roll
    left: SideContacts
    right: SideContacts

    @property
    def rolling_radius_difference(self) -> NDArray:
        """Left minus right [m]: positive for a shift to the left."""
        return self.left.first.radius - self.right.first.radius


@dataclass(frozen=True)
class Jump:
    shift: float  # [m], to 1e-9
    hand: Hand  # the wheel whose contact point jumps
    roll: float  # [rad]
    before: np.record  # contact point at smaller shift
    after: np.record  # contact point at larger shift


class WheelsetOnTrack:
    """Profiles in place, ready to be asked."""

    def __init__(self, wheels: WheelPair, rails: RailPair):
        self.wheels = wheels
        self.rails = rails
        self.left, self.right = (
            build_side(wheel, rail) for wheel, rail in zip(wheels.placed(), rails.placed(), strict=True)
        )

    def _sides(self) -> tuple[Side, Side]:
        """Own scratch for every call, so that one wheelset may serve several threads."""
        return tuple(side._replace(lifts=np.empty_like(side.lifts)) for side in (self.left, self.right))  # type: ignore[return-value]

    def at(
        self, shifts: ArrayLike, yaw: float = 0.0, roll: Roll = Roll.SOLVED, window: float = NEAR
    ) -> ContactGeometry:
        """Contact at lateral `shifts` [m] and one `yaw` angle [rad]."""
        shifts = np.ascontiguousarray(np.atleast_1d(shifts), dtype=float)
        n = shifts.size
        poses, counts = np.empty((n, 3)), np.zeros((n, 2), np.int64)
        points = np.full((2, n, MOST_POINTS, COLUMNS), np.nan)
        found = np.empty((MOST_POINTS, 3))
        left, right = self._sides()
        done, status = sweep(
            left,
            right,
            shifts,
            float(yaw),
            roll == Roll.SOLVED,
            window,
            poses,
            counts,
            points[0],
            points[1],
            found,
        )
        if done < n:
            raise InputError("lateral shift", float(shifts[done]), REASONS[status])
        height = poses[:, 1] if roll == Roll.SOLVED else 0.5 * (poses[:, 1] + poses[:, 2])
        sides = [SideContacts(counts[:, hand].copy(), _named(points[hand], hand)) for hand in Hand]
        return ContactGeometry(shifts, float(yaw), poses[:, 0].copy(), height, *sides)

    def jumps(
        self,
        low: float,
        high: float,
        yaw: float = 0.0,
        roll: Roll = Roll.SOLVED,
        smallest: float = SMALLEST_JUMP,
    ) -> tuple[Jump, ...]:
        """All jumps of a contact point between two shifts, in order, each located to 1e-9 m."""
        shifts = np.linspace(low, high, max(int(np.ceil((high - low) / JUMP_GRID)), 1) + 1)
        start = self.at(shifts, yaw, roll)
        where, points = np.empty((MOST_JUMPS, 4)), np.empty((MOST_JUMPS, 2, COLUMNS))
        left, right = self._sides()
        count = find_jumps(
            left, right, shifts, start.roll, float(yaw), roll == Roll.SOLVED, smallest, where, points
        )
        if count < 0:
            raise InputError("lateral shift", (low, high), "must not lose contact")
        if count == MOST_JUMPS:
            allowed = f"must give fewer than {MOST_JUMPS} jumps; smooth measured points (residual)"
            raise InputError("profiles", f"{self.wheels.left.name} on {self.rails.left.name}", allowed)
        return tuple(_jump(where[k], points[k]) for k in range(count))


def smooth_sections(
    jumps: Iterable[Jump], low: float, high: float, hand: Hand | None = None
) -> list[tuple[float, float]]:
    """Intervals of shift between the jumps of one wheel (or of both) from `low` to `high`."""
    inner = sorted(jump.shift for jump in jumps if hand is None or jump.hand == hand)
    bounds = [low, *(shift for shift in inner if low < shift < high), high]
    return list(pairwise(bounds))


def _named(points: NDArray, hand: int) -> np.recarray:
    """Columns by name, in the track frame."""
    table = np.ascontiguousarray(points).view(POINT)[..., 0]
    if hand == Hand.RIGHT:
        for name in MIRRORED:
            table[name] *= -1.0
    return table.view(np.recarray)


def _jump(where: NDArray, points: NDArray) -> Jump:
    hand = Hand(int(where[2]))
    before, after = _named(points, hand)
    return Jump(0.5 * float(where[0] + where[1]), hand, float(where[3]), before, after)
