"""Contact tables from the geometry of a wheelset on its track.

Each wheel gets its own sections. They end at the jumps of its contact point, where neighbours overlap, and
at the jumps of the *other* wheel: there roll and height have a kink, and with them every column, but nothing
jumps, so that the overlap has no width. The nodes of a section are equally spaced, its ends included; at a
jump the end nodes hold the two contact points found by the location of the jump.

Hertz takes A = cos(delta)/(2 r) along the rail and B = half the sum of both profile curvatures, each averaged
over `smoothing`, with a floor under the sum: where root and rail corner fit each other exactly the
half-space has no answer. Rigid contact, no yaw in the curvatures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from klingel._arguments import check_number
from klingel._errors import InputError
from klingel.contact.geometry.wheelset_on_track import Hand, Jump, Roll, WheelsetOnTrack
from klingel.contact.profiles.mean_curvature import MeanCurvature
from klingel.contact.table.contact_table import COLUMNS, Column, Conditions, ContactTable, physical_columns
from klingel.contact.table.sections import OVERLAP, Section, Sections, overlap_widths

RANGE = 0.010  # of the lateral shift, to both sides [m]
STEP = 1e-4  # largest spacing of the nodes [m]
SMOOTHING = 4e-3  # length of arc over which profile curvatures are averaged [m]
FLOOR = 0.1  # least sum of the lateral curvatures of wheel and rail [1/m]
WIDEST = 0.1  # range of the lateral shift, to either side [m]
MOST_NODES = 50_000  # of a table; some fifty seconds
LARGEST_RANGE = 0.025  # of the shift, where flanges are worn thin [m]
SMALLEST_RANGE = 0.004  # a shorter table is no use [m]
COARSE, FINE = 5e-4, 1e-4  # spacings of the shifts at which flanges are sought [m]
FLANGE = 0.5  # contact angle that only a flange has [rad]
FLANGE_MARGIN = 1e-3  # of shift that a table goes on after the flange touched [m]
MERGE = 1e-6  # a kink closer than this to a jump of the wheel itself is part of it [m]


@dataclass(frozen=True)
class Grid:
    low: float = -RANGE  # lateral shift [m]
    high: float = RANGE
    step: float = STEP  # largest spacing of the nodes [m]
    overlap: float | Sequence[float] = OVERLAP  # one width for all jumps or one for each, left to right [m]
    smoothing: float = SMOOTHING  # [m]
    floor: float = FLOOR  # [1/m]

    def __post_init__(self):
        for name in ("low", "high", "step", "smoothing", "floor"):
            check_number(name, getattr(self, name))
        if self.low < -WIDEST or self.high > WIDEST:
            raise InputError(
                "reach", max(-self.low, self.high), f"must be at most {WIDEST:g} m: rails are not wider"
            )
        if not self.low < self.high:
            raise InputError("lateral shift", (self.low, self.high), "must be a range that grows")
        if not 0.0 < self.step <= self.high - self.low:
            raise InputError("step", self.step, "must be positive and not larger than the range")
        if not (self.high - self.low) / self.step <= MOST_NODES:
            least = (self.high - self.low) / MOST_NODES
            raise InputError("step", self.step, f"must be at least {least:.3g} m: {MOST_NODES} nodes")
        if self.smoothing < 0.0 or not self.floor > 0.0:
            raise InputError("smoothing, floor", (self.smoothing, self.floor), "must be >= 0 and > 0")


def shift_range(wheelset: WheelsetOnTrack) -> tuple[float, float]:
    """Lateral shifts a table should cover [m]: RANGE to both sides, more where a worn flange comes later.

    Less where the profiles end before: a wheel measured without the tip of its flange.
    """
    low, high = (_reach(wheelset, sign) for sign in (-1.0, 1.0))
    if low == high == RANGE:
        return -RANGE, RANGE
    while True:  # a wheel on the tip of a thin flange has several rolls, not all of which can be followed
        try:
            wheelset.jumps(-low, high)
            return -low, high
        except InputError:
            if min(low, high) - COARSE < SMALLEST_RANGE:
                raise
            low, high = (max(end - COARSE, min(end, SMALLEST_RANGE)) for end in (low, high))


def _reach(wheelset: WheelsetOnTrack, sign: float) -> float:
    shifts, angles = _angles(wheelset, sign, RANGE, COARSE)
    if shifts[-1] == RANGE and np.any(angles[shifts <= RANGE - FLANGE_MARGIN] > FLANGE):
        return RANGE
    shifts, angles = _angles(wheelset, sign, LARGEST_RANGE, FINE)
    steep = shifts[angles > FLANGE]
    wanted = max(float(steep[0]) + FLANGE_MARGIN, RANGE) if steep.size else RANGE
    return min(wanted, float(shifts[-1]))


def _angles(wheelset: WheelsetOnTrack, sign: float, end: float, step: float) -> tuple[NDArray, NDArray]:
    """Shifts to one side as far as contact is found, and the contact angles of the wheel that comes nearer."""
    shifts = np.linspace(0.0, end, round(end / step) + 1)
    try:
        contact = wheelset.at(sign * shifts, window=0.0)
    except InputError as error:
        shifts = shifts[shifts < abs(float(str(error.given))) - 0.5 * step]
        if shifts.size == 0:
            raise
        contact = wheelset.at(sign * shifts, window=0.0)
    side = contact.left if sign > 0.0 else contact.right
    return shifts, abs(side.first.angle)


def _edges(
    jumps: Sequence[Jump], hand: Hand, widths: NDArray
) -> tuple[list[float], list[float], list[Jump | None]]:
    """Inner edges of the sections of one wheel, overlap widths, and its own jump there, if it is one."""
    own = [jump.shift for jump in jumps if jump.hand == hand]
    kept = [
        (jump, width)
        for jump, width in zip(jumps, widths, strict=True)
        if jump.hand == hand or all(abs(jump.shift - shift) > MERGE for shift in own)
    ]
    shifts = [jump.shift for jump, _ in kept]
    overlaps = [width if jump.hand == hand else 0.0 for jump, width in kept]
    return shifts, overlaps, [jump if jump.hand == hand else None for jump, _ in kept]


def _geometry_columns(points: np.recarray, values: NDArray) -> None:
    values[:, Column.ANGLE] = points.wheel_angle
    values[:, Column.WHEEL_Y] = points.wheel_y
    values[:, Column.RAIL_Y] = points.rail_y
    values[:, Column.WHEEL_Z] = points.wheel_z
    values[:, Column.RAIL_Z] = points.rail_z


def _side(wheelset: WheelsetOnTrack, hand: Hand, jumps: Sequence[Jump], widths: NDArray, grid: Grid,
          conditions: Conditions) -> Sections:  # fmt: skip
    inner, overlaps, own = _edges(jumps, hand, widths)
    edges = np.array([grid.low, *inner, grid.high])
    counts = [max(round(length / grid.step), 1) + 1 for length in np.diff(edges)]
    shifts = [np.linspace(a, b, n) for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)]
    contact = wheelset.at(np.concatenate(shifts), conditions.yaw, Roll.SOLVED, window=0.0)
    points = (contact.left if hand == Hand.LEFT else contact.right).first
    ends = np.cumsum(counts)
    for jump, end in zip(own, ends[:-1], strict=True):
        if jump is not None:
            points[end - 1], points[end] = jump.before, jump.after

    values = np.zeros((len(points), COLUMNS))
    values[:, Column.SHIFT] = contact.shift
    _geometry_columns(points, values)
    placed = wheelset.left if hand == Hand.LEFT else wheelset.right
    wheel, rail = (MeanCurvature(curve, grid.smoothing) for curve in (placed.wheel, placed.rail))
    bend = wheel.at_parameter(points.wheel_t) + rail.at_lateral(np.abs(points.rail_y))
    along = np.cos(points.wheel_angle) / (2.0 * points.radius)
    physical_columns(values, along, 0.5 * np.maximum(bend, grid.floor), conditions)
    parts = tuple(
        Section(float(shift[0]), float((shift[-1] - shift[0]) / (len(shift) - 1)), block)
        for shift, block in zip(shifts, np.split(values, ends[:-1]), strict=True)
    )
    return Sections(parts, np.array(inner), np.array(overlaps), grid.low, grid.high)


def contact_table(
    wheelset: WheelsetOnTrack, conditions: Conditions | None = None, grid: Grid | None = None
) -> ContactTable:
    """Table of both wheels over the lateral shift.

    `conditions` brings load, material and yaw; names and dimensions are taken from the wheelset.
    """
    grid = grid or Grid()
    wheels, rails = wheelset.wheels, wheelset.rails
    conditions = replace(
        conditions or Conditions(),
        wheel=wheels.left.name if wheels.right is None else f"{wheels.left.name}, right {wheels.right.name}",
        rail=rails.left.name,
        inclination=rails.inclination,
        gauge=rails.gauge,
        radius=wheels.radius,
        flange_back=wheels.flange_back,
        spacing=2.0 * wheels.arm,
    )
    jumps = wheelset.jumps(grid.low, grid.high, conditions.yaw)
    widths = overlap_widths(jumps, grid.overlap)
    left, right = (_side(wheelset, hand, jumps, widths, grid, conditions) for hand in Hand)
    return ContactTable(left, right, conditions)
