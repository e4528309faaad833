"""Contact tables of wheels that sink into their rails: another generator, to test how much the first one decides.

A rigid wheel jumps between two points of its tread where the gap between them is some micrometres; under load
it sinks deeper than that and touches both at once. Here the contact point is the centroid of the zone in which the
profiles overlap when the wheel sinks by SHARE of Hertz' approach, weighted by the depth. Jumps next to the track
centre disappear, the conicity of small motions falls; jumps at the flange stay as they are.

Source of the zone and of SHARE: Kik and Piotrowski (1996), virtual penetration.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from klingel.contact.geometry.search import RAIL_STEP
from klingel.contact.geometry.wheelset_on_track import Roll, WheelsetOnTrack
from klingel.contact.patch.hertz import ellipse
from klingel.contact.profiles.mean_curvature import MeanCurvature
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import COLUMNS, Column, ContactTable, mirrored, physical_columns
from klingel.contact.table.sections import Section, Sections
from klingel.io.contact.cache import cached_table

SHARE = 0.55  # of the approach
NEAR = 4e-3  # jumps closer to the track centre are those of the tread [m]


class _Tread:
    """The left wheel above its rail, sampled: all arrays along the wheel profile."""

    def __init__(self, wheelset: WheelsetOnTrack, table: ContactTable, load: float):
        side, self.grid = wheelset.left, Grid()
        self.t, self.arm, self.radius, d_arm, d_radius = side.samples.T
        self.angle = np.arctan2(-d_radius, d_arm)
        self.length = np.hypot(np.gradient(self.arm), np.gradient(self.radius))
        self.rail_y = side.breaks[0] + RAIL_STEP * np.arange(len(side.heights))
        self.rail_z = side.heights
        self.wheel, self.rail = (MeanCurvature(curve, self.grid.smoothing) for curve in (side.wheel, side.rail))
        self.load = load
        self.modulus = table.conditions.shear_modulus / (1.0 - table.conditions.poisson)

    def approach(self, point: np.record) -> float:
        bend = float(self.wheel.at_parameter(point.wheel_t) + self.rail.at_lateral(abs(point.rail_y)))
        along = np.cos(point.wheel_angle) / (2.0 * point.radius)
        return ellipse(self.load, along, 0.5 * max(bend, self.grid.floor), self.modulus).approach

    def row(self, shift: float, roll: float, height: float, point: np.record) -> tuple[NDArray, float]:
        """Geometry of the zone as a row of the table, and the sum of the lateral curvatures [1/m]."""
        y = shift + self.arm * np.cos(roll) + self.radius * np.sin(roll)
        z = height + self.arm * np.sin(roll) - self.radius * np.cos(roll)
        over = (y > self.rail_y[0]) & (y < self.rail_y[-1])
        gap = np.where(over, z - np.interp(y, self.rail_y, self.rail_z), np.inf)
        gap -= gap.min()
        depth = np.maximum(SHARE * self.approach(point) - gap, 0.0) * self.length
        share = depth / depth.sum()
        zone = share > 0.0

        def mean(values: NDArray) -> float:
            return float(share[zone] @ values[zone])

        values = np.zeros(COLUMNS)
        values[Column.SHIFT] = shift
        values[Column.ANGLE] = mean(self.angle)
        values[Column.WHEEL_Y], values[Column.WHEEL_Z] = mean(self.arm), -mean(self.radius)
        values[Column.RAIL_Y], values[Column.RAIL_Z] = mean(y), mean(z - gap)
        bend = share[zone] @ (self.wheel.at_parameter(self.t[zone]) + self.rail.at_lateral(np.abs(y[zone])))
        return values, max(float(bend), self.grid.floor)


def _left(wheelset: WheelsetOnTrack, table: ContactTable, load: float) -> Sections:
    """Sections that meet at a jump next to the track centre become one."""
    side = table.left
    inner = np.flatnonzero(np.abs(side.jumps) < NEAR)
    first, last = inner[0], inner[-1] + 1
    low, high = float(side.edges[first]), float(side.edges[last + 1])
    shifts = np.linspace(low, high, round((high - low) / Grid().step) + 1)
    contact = wheelset.at(shifts, 0.0, Roll.SOLVED, window=0.0)
    tread = _Tread(wheelset, table, load)
    rows = [
        tread.row(*place) for place in zip(shifts, contact.roll, contact.height, contact.left.first, strict=True)
    ]
    values, bend = np.array([row for row, _ in rows]), np.array([sum_ for _, sum_ in rows])
    along = np.cos(values[:, Column.ANGLE]) / (-2.0 * values[:, Column.WHEEL_Z])
    physical_columns(values, along, 0.5 * bend, replace(table.conditions, load=load))
    merged = Section(low, (high - low) / (len(shifts) - 1), values)
    kept = np.abs(side.jumps) >= NEAR
    parts = (*side.parts[:first], merged, *side.parts[last + 1 :])
    return Sections(parts, side.jumps[kept], side.overlaps[kept], side.low, side.high)


def soft_table(wheelset: WheelsetOnTrack, load: float) -> tuple[Sections, Sections]:
    """Both wheels, under a static wheel load [N]; profiles and track symmetric."""
    left = _left(wheelset, cached_table(wheelset), load)
    return left, mirrored(left)
