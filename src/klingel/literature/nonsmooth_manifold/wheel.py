"""The admissible manifold of one S1002 wheel on one UIC60 rail: s3 = h(s2, roll, yaw) = max of four sections.

    h = max{h^l, l = FLANGE, ROOT, INNER_TREAD, OUTER_TREAD},      h^l as in `lift`

The profile is cut at places where the contact point never stays, for every roll and yaw that a wheelset can take
and every inclination of the rail from 1:40 to 1:20: it jumps over them. The fillet of 13 mm at the flange root is
left out altogether. It fits the 13 mm corner of the rail exactly: without yaw it touches along its whole length at
one single shift, with yaw only its ends do, which belong to the neighbours. So each h^l is continuously
differentiable, and the manifold has a ridge where the two largest are equal. OUTER_TREAD|INNER_TREAD is a
singularity inside the tread, INNER_TREAD|ROOT and ROOT|FLANGE are those of the flange.

Coordinates as on the left side of a track: s2 is the lateral position of the middle plane of the wheel, positive
outwards, 0 where a centred wheelset holds it; s3 the height of the wheel centre above the rail top; roll positive
when the outer side rises. Source of the description: Frischmuth (1995), section 2.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.curve import evaluate, parameter_at, piece_at
from klingel.contact.profiles.pieces import Pieces
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.literature.nonsmooth_manifold.lift import Pair, attitude, build_pair, gradient, summit, top

FILLET = 4  # piece of the S1002
CUTS = (-0.0225, -0.001)  # from the running circle [m]
LARGEST_SHIFT = 0.02  # [m]
LARGEST_ROLL = 0.03  # [rad]
LARGEST_YAW = 0.03  # [rad]


class Section(IntEnum):
    FLANGE, ROOT, INNER_TREAD, OUTER_TREAD = range(4)


class Column(IntEnum):
    """What is stored of a point of the manifold."""

    HEIGHT = 0  # s3 [m]
    SECTION = 1
    WHEEL_Y = 2  # contact point on the wheel, from the running circle [m]
    SLOPE = 3  # dh/ds2, the slope of the contact plane
    BY_ROLL = 4  # dh/droll [m]
    BY_YAW = 5  # dh/dyaw [m]


def check_inclination(inclination: float) -> None:
    """Flatter rails move the ends of ridges to where the profile is cut."""
    if not 1 / 40 - 1e-12 <= inclination <= 1 / 20 + 1e-12:
        raise InputError("inclination", inclination, "must lie between 1/40 and 1/20")


def wheel_pieces(wheels: WheelPair, shift: float) -> tuple[Pieces, NDArray]:
    """Placed left wheel moved by `shift`, and the wheel parameters (from, to) of its sections."""
    wheel = make.moved(wheels.placed()[0], shift, 0.0)
    joints = make.ends(wheel)[:, 0]
    cuts = []
    for cut in CUTS:
        y = wheels.arm + shift + cut
        i = piece_at(joints, y)
        cuts.append(i + parameter_at(wheel, i, y))
    starts = [0.0, FILLET + 1.0, *cuts]
    stops = [float(FILLET), *cuts, float(len(wheel))]
    return wheel, np.ascontiguousarray(np.column_stack([starts, stops]))


@kernel
def section_top(pair, sections, k, q):
    """`Top` of section `k`."""
    low, high = sections[k, 0], sections[k, 1]
    return top(pair, low, high, summit(pair, low, high, q), q)


@kernel
def highest(pair, sections, q):
    """The section that touches, and its `Top`."""
    best, point = 0, section_top(pair, sections, 0, q)
    for k in range(1, sections.shape[0]):
        other = section_top(pair, sections, k, q)
        if other.lift > point.lift:
            best, point = k, other
    return best, point


@kernel
def _fill(pair, sections, shifts, rolls, yaw, out):
    for j in range(rolls.size):
        for i in range(shifts.size):
            q = attitude(shifts[i], rolls[j], yaw)
            section, point = highest(pair, sections, q)
            out[j, i, Column.HEIGHT] = point.lift
            out[j, i, Column.SECTION] = section
            out[j, i, Column.WHEEL_Y] = evaluate(pair.wheel, point.t)[0]
            slope, by_roll, by_yaw = gradient(point, q)
            out[j, i, Column.SLOPE] = slope
            out[j, i, Column.BY_ROLL] = by_roll
            out[j, i, Column.BY_YAW] = by_yaw


@kernel
def _ridge_shift(pair, sections, a, b, low, high, roll, yaw):
    """Shift between `low` and `high` at which sections a (there higher) and b (here higher) lift equally."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        q = attitude(middle, roll, yaw)
        if section_top(pair, sections, a, q).lift > section_top(pair, sections, b, q).lift:
            low = middle
        else:
            high = middle
    return low, high


@dataclass(frozen=True)
class Ridge:
    """One singular line of a yaw-cut; arrays over roll."""

    before: Section  # at smaller shift
    after: Section
    roll: NDArray  # [rad]
    shift: NDArray  # s2 [m], to 1e-15
    height: NDArray  # s3 [m]
    wheel_y: NDArray  # contact points on the wheel before and after, shape (n, 2) [m]
    angle: NDArray  # contact angles before and after, shape (n, 2) [rad]

    @property
    def turning(self) -> NDArray:
        """How far the contact plane turns [rad]."""
        return self.angle[:, 1] - self.angle[:, 0]


class WheelManifold:
    """h(s2, roll, yaw) of one wheel; the profiles in place, ready to be asked."""

    def __init__(self, radius: float = 0.5, inclination: float = 1 / 40, gauge: float = 1.435):
        check_inclination(inclination)
        wheels = WheelPair(s1002(), radius=radius)
        rails = RailPair(uic60(), inclination=inclination, gauge=gauge)
        wheel, self.sections = wheel_pieces(wheels, -wheels.arm)
        self.pair: Pair = build_pair(wheel, make.moved(rails.placed()[0], -wheels.arm, 0.0))
        self.radius = radius

    def at(self, shifts: ArrayLike, rolls: ArrayLike, yaw: float = 0.0) -> NDArray:
        """Columns of `Column` over a grid, shape (rolls, shifts, columns)."""
        shifts = _checked("s2", shifts, LARGEST_SHIFT)
        rolls = _checked("roll", rolls, LARGEST_ROLL)
        yaw = float(_checked("yaw", yaw, LARGEST_YAW)[0])
        out = np.empty((rolls.size, shifts.size, len(Column)))
        _fill(self.pair, self.sections, shifts, rolls, yaw, out)
        return out

    def ridges(
        self,
        rolls: ArrayLike,
        yaw: float = 0.0,
        shifts: tuple[float, float] = (-0.012, 0.012),
        smallest: float = 1e-4,
    ) -> tuple[Ridge, ...]:
        """Singular lines between the two `shifts`, with kinks above `smallest` [rad], one point per roll."""
        rolls = _checked("roll", rolls, LARGEST_ROLL)
        grid = np.linspace(shifts[0], shifts[1], 121)
        touching = self.at(grid, rolls, yaw)[:, :, Column.SECTION].astype(int)
        rows: dict[tuple[int, int], list[list[float]]] = {}
        for j, i in zip(*np.nonzero(np.diff(touching, axis=1)), strict=True):
            two = int(touching[j, i]), int(touching[j, i + 1])
            row = self._crossing(two, float(grid[i]), float(grid[i + 1]), float(rolls[j]), yaw)
            if abs(row[-1] - row[-2]) > smallest:
                rows.setdefault(two, []).append(row)
        return tuple(_ridge(two, np.array(rows[two])) for two in sorted(rows, reverse=True))

    def _crossing(self, two: tuple[int, int], low: float, high: float, roll: float, yaw: float) -> list[float]:
        ends = _ridge_shift(self.pair, self.sections, *two, low, high, roll, yaw)
        tops = [
            section_top(self.pair, self.sections, section, attitude(shift, roll, yaw))
            for section, shift in zip(two, ends, strict=True)
        ]
        places = [evaluate(self.pair.wheel, point.t)[0] for point in tops]
        angles = [float(np.arctan(point.slope)) for point in tops]
        return [roll, ends[1], tops[1].lift, *places, *angles]


def _ridge(two: tuple[int, int], rows: NDArray) -> Ridge:
    roll, shift, height = rows[:, :3].T
    return Ridge(Section(two[0]), Section(two[1]), roll, shift, height, rows[:, 3:5], rows[:, 5:7])


def _checked(field: str, values: ArrayLike, largest: float) -> NDArray:
    values = np.ascontiguousarray(np.atleast_1d(values), dtype=float)
    worst = values[np.argmax(np.abs(values))] if values.size else nan
    if not abs(worst) <= largest:
        raise InputError(field, float(worst), f"must lie within {largest:g} of the centre")
    return values
