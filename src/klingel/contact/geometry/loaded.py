"""A loaded wheel does not jump: two elastic patches share the load on both sides of a rigid jump.

At a jump of the contact point two points of one wheel touch at once. A lateral distance x away from it one
of them has opened by s |x|, with s the difference of the rates at which the two points lift the axle,

    rate = tan(gamma) - (y_c + tan(gamma) z_c) d(roll)/dy,    s = rate_after - rate_before > 0

(gamma contact angle in the track frame, y_c, z_c contact point relative to the axle; the rate of roll
changes at the jump, so s has one value on each side of it). Under the vertical load W the wheel sinks by d;
each patch obeys Hertz for its own penetration:

    W = K_1 (d - gap_1)^1.5 + K_2 (d - gap_2)^1.5,    K = C cos(gamma)^2.5,   gaps not below zero

The second patch first touches at x = -d_1/s and the first leaves at x = d_2/s, d_i = (W/K_i)^(2/3): the
jump has become a transfer whose width grows with the load. First order about the jump: patches, angles and
curvatures are those of the jump. Where the two ellipses would meet each other, as in the flat trough
between the two tread contacts of the S1002 on an inclined UIC60, Hertz overestimates the width.
"""

from dataclasses import dataclass
from math import cos, tan

import numpy as np
from numpy.typing import NDArray

from klingel._jit import kernel
from klingel.contact.geometry.wheelset_on_track import Hand, Jump, WheelsetOnTrack
from klingel.contact.patch.hertz import hertz_constant
from klingel.contact.profiles.mean_curvature import MeanCurvature
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import Conditions

ROLL_STEP = 1e-5  # to both sides of a jump, for the rate of roll [m]
_MAX_TURNS = 50  # Newton from above on a convex function takes five or six


@dataclass(frozen=True)
class Transfer:
    """Two patches at one jump: what is needed to share a load."""

    shift: float  # of the rigid jump [m]
    hand: Hand
    rate_low: float  # s at smaller shift: how fast the patch after the jump closes there [-]
    rate_high: float  # s at larger shift: how fast the patch before the jump opens
    before: float  # K of the patch at smaller shift [N/m^1.5]
    after: float  # K of the patch at larger shift

    def reach(self, load: float) -> tuple[float, float]:
        """Shifts between which both patches carry the vertical `load` [m]."""
        alone = [(load / k) ** (2.0 / 3.0) for k in (self.before, self.after)]
        return self.shift - alone[0] / self.rate_low, self.shift + alone[1] / self.rate_high

    def shares(self, shifts: NDArray, load: float) -> NDArray:
        """Parts of the load on the patch before and after the jump, shape (n, 2)."""
        out = np.empty((len(shifts), 2))
        for row, y in zip(out, shifts, strict=True):
            x = y - self.shift
            gaps = max(self.rate_high * x, 0.0), max(-self.rate_low * x, 0.0)
            row[:] = share_load(*gaps, self.before, self.after, load)[:2]
        return out


@kernel
def share_load(gap_1, gap_2, k_1, k_2, load):
    """Parts of the load on two patches, and how far the wheel sinks [m]; one of the gaps is zero."""
    nearer = k_1 if gap_1 <= gap_2 else k_2
    sunk = (load / nearer) ** (2.0 / 3.0)
    part_1 = 0.0
    part_2 = 0.0
    for _ in range(_MAX_TURNS):
        q_1 = max(sunk - gap_1, 0.0)
        q_2 = max(sunk - gap_2, 0.0)
        part_1 = k_1 * q_1**1.5
        part_2 = k_2 * q_2**1.5
        step = (part_1 + part_2 - load) / (1.5 * (k_1 * q_1**0.5 + k_2 * q_2**0.5))
        sunk -= step
        if abs(step) <= 1e-14 * sunk:
            break
    total = part_1 + part_2
    return part_1 / total, part_2 / total, sunk


def _stiffness(point: np.record, wheel: MeanCurvature, rail: MeanCurvature, grid: Grid, modulus: float) -> float:
    bend = wheel.at_parameter(point.wheel_t) + rail.at_lateral(abs(point.rail_y))
    along = cos(point.wheel_angle) / (2.0 * point.radius)
    constant = hertz_constant(along, 0.5 * max(float(bend), grid.floor), modulus)
    return constant * cos(point.angle) ** 2.5


def _rate(point: np.record, roll_rate: float) -> float:
    slope = tan(point.angle)
    return float(slope - (point.wheel_y + slope * point.wheel_z) * roll_rate)


def transfers(
    wheelset: WheelsetOnTrack, jumps: tuple[Jump, ...], conditions: Conditions, grid: Grid | None = None
) -> tuple[Transfer, ...]:
    """One transfer for each rigid jump, in their order."""
    grid = grid or Grid()
    modulus = conditions.shear_modulus / (1.0 - conditions.poisson)
    curves = [
        (MeanCurvature(side.wheel, grid.smoothing), MeanCurvature(side.rail, grid.smoothing))
        for side in (wheelset.left, wheelset.right)
    ]
    out = []
    for jump in jumps:
        shifts = jump.shift + ROLL_STEP * np.array([-2.0, -1.0, 1.0, 2.0])
        turn = np.diff(wheelset.at(shifts, conditions.yaw).roll) / ROLL_STEP
        low, high = (_rate(jump.after, r) - _rate(jump.before, r) for r in (turn[0], turn[2]))
        wheel, rail = curves[jump.hand]
        k = [_stiffness(p, wheel, rail, grid, modulus) for p in (jump.before, jump.after)]
        out.append(Transfer(jump.shift, jump.hand, low, high, k[0], k[1]))
    return tuple(out)


def loaded_overlaps(all_transfers: tuple[Transfer, ...], load: float) -> list[float]:
    """Width of the transfer at each jump under a vertical wheel load, for `Grid.overlap` [m]."""
    return [high - low for low, high in (t.reach(load) for t in all_transfers)]
