"""Alignment: piecewise linear curvature and cant along the distance s.

The track is a chain of stages. Within a stage, d = s - s_i, with the horizontal curvature k (left curve > 0), the
vertical curvature k_v (crest > 0) and the cant angle phi all linear in d:

    1/rho_h = k + k' d                                   1/rho_v = k_v + k_v' d
    beta_C  = beta + k d + k' d^2/2                      theta_C = theta + k_v d + k_v' d^2/2
    T_h     = T + beta d + k d^2/2 + k' d^3/6            T_v     = T_v - (theta d + k_v d^2/2 + k_v' d^3/6)

beta_C is the yaw of the track (left > 0), theta_C its pitch (downhill > 0), T_v therefore its height, and T_h its
lateral position as long as beta_C is small; the equations of motion need only their derivatives and differences.
These are (2.1), (2.2) and the polynomials after (2.17) in Hoffmann (2006), written about the start of the stage.

Cant is the height of the right rail over the left one (left curve > 0): phi_SE = -cant / (2 b0). The lower rail
keeps its level, so the centre of the track rises by |phi_SE| b0.

Before its first stage the track is straight, level and without cant; after its last it goes on as it ended.
"""

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from math import isfinite

import numpy as np

from klingel._arguments import check_array, check_kind, check_number
from klingel._errors import InputError
from klingel._jit import kernel

# The contact theory is plane: it neglects the yaw of the wheelset against the rail, the longitudinal shift of the
# flange contact and the spin moment. Hoffmann (2006, section 2.2) limits that to radii above 500 m, where a
# wheelset on a 10 m wheelbase stands at 10 mrad and its flange contact is 13 mm ahead of the axle.
MINIMUM_RADIUS = 500.0  # [m]
WHY_NOT_TIGHTER = "the limit of the plane contact theory"
MAXIMUM_CANT = 0.3  # roll of 0.2 rad; the theory is of first order in the angles [m]
MAXIMUM_GRADIENT = 0.1  # the same for the pitch of the track [rad]
MAXIMUM_RAMP = 0.01  # several times the steepest ramp laid (2.5 mm/m); more is a step in the rail [m/m]

ROW_SIZE = 12  # numbers per stage of a table: start, then the values there and the slopes
S, K, DK, YAW, T_H, KV, DKV, PITCH, T_V, PHI, DPHI, HALF = range(ROW_SIZE)


class Value(IntEnum):
    """What `sample` fills in, in this order."""

    CURVATURE = 0  # 1/rho_h [1/m]
    CURVATURE_SLOPE = 1  # its derivative by s [1/m2]
    YAW = 2  # beta_C [rad]
    T_H = 3  # [m]
    VERTICAL_CURVATURE = 4  # 1/rho_v [1/m]
    VERTICAL_CURVATURE_SLOPE = 5  # [1/m2]
    GRADIENT = 6  # theta_C [rad]
    T_V = 7  # [m]
    CANT_ANGLE = 8  # phi_SE [rad]
    CANT_ANGLE_SLOPE = 9  # [rad/m]
    RISE = 10  # of the centre of the track by cant, |phi_SE| b0 [m]
    RISE_SLOPE = 11  # [m/m]


VALUES = len(Value)


@dataclass(frozen=True)
class Stage:
    """One stage: values at its start and at its end, linear in between."""

    length: float  # [m]
    curvature: tuple[float, float] = (0.0, 0.0)  # 1/rho_h, left curve > 0 [1/m]
    cant: tuple[float, float] = (0.0, 0.0)  # right rail over left rail [m]
    vertical_curvature: tuple[float, float] = (0.0, 0.0)  # 1/rho_v, crest > 0 [1/m]

    def __post_init__(self) -> None:
        check_number("length", self.length, "m", finite=False)
        for field in ("curvature", "cant", "vertical_curvature"):
            if check_array(field, getattr(self, field), "two numbers, at start and end").shape != (2,):
                raise InputError(field, getattr(self, field), "must be two numbers, at start and end")
        if not (isfinite(self.length) and self.length > 0.0):
            raise InputError("length", self.length, "must be positive and finite")
        for field in ("curvature", "vertical_curvature"):
            for value in getattr(self, field):
                if not abs(value) <= (1.0 + 1e-12) / MINIMUM_RADIUS:
                    allowed = f"must be at least {MINIMUM_RADIUS:g} m, {WHY_NOT_TIGHTER}"
                    raise InputError(field.replace("curvature", "radius"), radius(value), allowed)
        for value in self.cant:
            if not abs(value) <= MAXIMUM_CANT:
                raise InputError("cant", value, f"must lie within ±{MAXIMUM_CANT:g} m")
        if abs(self.cant[1] - self.cant[0]) > MAXIMUM_RAMP * self.length:
            ramp = (self.cant[1] - self.cant[0]) / self.length
            raise InputError("cant", ramp, f"must change by at most {MAXIMUM_RAMP:g} m per m")

    def split(self, share: float) -> tuple["Stage", "Stage"]:
        """The two parts before and after `share` of the length."""
        fields = ("curvature", "cant", "vertical_curvature")
        ends = {f: getattr(self, f) for f in fields}
        middle = {f: a + share * (b - a) for f, (a, b) in ends.items()}
        head = {f: (ends[f][0], middle[f]) for f in fields}
        tail = {f: (middle[f], ends[f][1]) for f in fields}
        return Stage(share * self.length, **head), Stage((1.0 - share) * self.length, **tail)


@dataclass(frozen=True)
class Alignment:
    """Stages one after the other from the distance `start`; without stages the track is straight."""

    stages: tuple[Stage, ...] = ()
    start: float = 0.0  # [m]

    def __post_init__(self) -> None:
        check_number("start", self.start, "m", finite=False)
        for stage in check_kind("stages", self.stages, (tuple, list), "a tuple of stages"):
            check_kind("stages", stage, Stage, "a tuple of stages")
        if not isfinite(self.start):
            raise InputError("start", self.start, "must be finite")
        cant = 0.0
        for number, stage in enumerate(self.stages, 1):
            if abs(stage.cant[0] - cant) > 1e-9:
                raise InputError(f"stage {number}: cant", stage.cant[0], f"must begin at {cant:g} m, where it was")
            cant = stage.cant[1]
        if self.stages and self.stages[-1].vertical_curvature[1] != 0.0:
            given = radius(self.stages[-1].vertical_curvature[1])
            raise InputError(f"stage {len(self.stages)}: vertical_radius", given, "must be infinite at the end")
        steepest = _steepest(self.table()[1:].reshape(-1, ROW_SIZE))
        if steepest > MAXIMUM_GRADIENT:
            raise InputError("gradient", steepest, f"must stay within ±{MAXIMUM_GRADIENT:g} rad")

    @property
    def end(self) -> float:
        """Distance of the end of the last stage [m]."""
        return self.start + sum(stage.length for stage in self.stages)

    def table(self, cant_reference: float = 1.5) -> np.ndarray:
        """Flat array for `sample`: the number of rows, then per row the start of a stage and its coefficients.

        The last row is the endless continuation. Stages whose cant changes sign are cut there, since the rise of
        the centre has a corner.
        """
        rows = _rows(self.start, _cut_at_level(self.stages), cant_reference)
        return np.concatenate([[len(rows)], *rows]) if rows else np.zeros(1)

    def values(self, distances: np.ndarray, cant_reference: float = 1.5) -> np.ndarray:
        """One row of `Value`s per distance."""
        out = np.empty((len(distances), VALUES))
        sample_along(self.table(cant_reference), 0, np.asarray(distances, dtype=float), out)
        return out

    def coordinates(self, distances: np.ndarray) -> np.ndarray:
        """x, y, z of the centre line without cant in the frame of the first point of the track, by quadrature [m].

        dx = cos(beta_C) cos(theta_C) ds, dy = sin(beta_C) cos(theta_C) ds, dz = -sin(theta_C) ds.
        """
        s = np.asarray(distances, dtype=float)
        knots = np.union1d(s, np.append(self.corners(), 0.0))
        # Gauss of five points: exact to rounding when the track turns by less than 0.1 rad per interval
        fill = [np.linspace(a, b, 2 + int((b - a) / 20.0))[:-1] for a, b in pairwise(knots)]
        knots = np.append(np.concatenate([*fill, []]), knots[-1])
        nodes, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * np.diff(knots)
        values = self.values((knots[:-1, None] + half[:, None] * (1.0 + nodes)).ravel()).reshape(-1, 5, VALUES)
        yaw, pitch = values[:, :, Value.YAW], values[:, :, Value.GRADIENT]
        rates = np.stack([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), -np.sin(pitch)], axis=2)
        steps = half[:, None] * np.einsum("j,ijc->ic", weights, rates)
        points = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
        points -= points[np.searchsorted(knots, 0.0)]
        return points[np.searchsorted(knots, s)]

    def corners(self) -> np.ndarray:
        """Distances at which a curvature, a cant or one of their slopes changes: events of each body [m]."""
        rows = self.table()[1:].reshape(-1, ROW_SIZE)
        if not len(rows):
            return np.empty(0)
        before = np.vstack([np.zeros(ROW_SIZE), rows[:-1]])
        before[0, S] = rows[0, S]
        length = rows[:, S] - before[:, S]
        changes = np.zeros(len(rows), dtype=bool)
        for value, slope in ((K, DK), (KV, DKV), (PHI, DPHI)):
            changes |= np.abs(before[:, value] + before[:, slope] * length - rows[:, value]) > 1e-12
            changes |= before[:, slope] != rows[:, slope]
        changes[1:] |= (before[1:, HALF] != rows[1:, HALF]) & (rows[1:, DPHI] != 0.0)
        return rows[changes, S]


def radius(curvature: float) -> float:
    """Radius of a curvature; infinite for none [m]."""
    return 1.0 / curvature if curvature != 0.0 else float("inf")


def _cut_at_level(stages: tuple[Stage, ...]) -> list[Stage]:
    parts: list[Stage] = []
    for stage in stages:
        a, b = stage.cant
        # a part of less than a billionth is rounding, not a stage
        crosses = a * b < 0.0 and 1e-9 < a / (a - b) < 1.0 - 1e-9
        parts.extend(stage.split(a / (a - b)) if crosses else (stage,))
    return parts


def _steepest(rows: np.ndarray) -> float:
    """Largest |theta_C|: at the ends of the stages or where the vertical curvature passes through zero."""
    steepest = np.max(np.abs(rows[:, PITCH]), initial=0.0)
    for row, after in pairwise(rows):
        if row[DKV] != 0.0 and 0.0 < -row[KV] / row[DKV] < after[S] - row[S]:
            steepest = max(steepest, abs(row[PITCH] - 0.5 * row[KV] ** 2 / row[DKV]))
    return float(steepest)


def _rows(start: float, stages: list[Stage], cant_reference: float) -> list[list[float]]:
    rows = []
    s, yaw, t_h, pitch, t_v = start, 0.0, 0.0, 0.0, 0.0
    for stage in stages:
        d = stage.length
        (k, k_end), (kv, kv_end) = stage.curvature, stage.vertical_curvature
        phi, phi_end = (-cant / cant_reference for cant in stage.cant)
        dk, dkv, dphi = (k_end - k) / d, (kv_end - kv) / d, (phi_end - phi) / d
        half = np.copysign(0.5 * cant_reference, phi + phi_end)
        rows.append([s, k, dk, yaw, t_h, kv, dkv, pitch, t_v, phi, dphi, half])
        t_h += d * (yaw + d * (k / 2 + d * dk / 6))
        t_v -= d * (pitch + d * (kv / 2 + d * dkv / 6))
        yaw += d * (k + d * dk / 2)
        pitch += d * (kv + d * dkv / 2)
        s += d
    if stages:
        last = stages[-1]
        phi = -last.cant[1] / cant_reference
        half = np.copysign(0.5 * cant_reference, phi)
        rows.append([s, last.curvature[1], 0.0, yaw, t_h, 0.0, 0.0, pitch, t_v, phi, 0.0, half])
    return rows


@kernel
def stage_at(p, first, s):
    """Row of the table at p[first] that holds `s`; -1 before the first. A start belongs to its own stage."""
    low = -1
    high = int(p[first])
    while high - low > 1:
        middle = (low + high) >> 1
        if s >= p[first + 1 + middle * ROW_SIZE + S]:
            low = middle
        else:
            high = middle
    return low


@kernel
def sample_stage(p, first, stage, s, out):
    """Values of the given stage at `s`, continued beyond its ends; fills out[:VALUES], see `Value`."""
    if stage < 0:
        for i in range(VALUES):
            out[i] = 0.0
        return
    i = first + 1 + stage * ROW_SIZE
    d = s - p[i + S]
    k, slope = p[i + K], p[i + DK]
    out[0] = k + d * slope
    out[1] = slope
    out[2] = p[i + YAW] + d * (k + d * (0.5 * slope))
    out[3] = p[i + T_H] + d * (p[i + YAW] + d * (0.5 * k + d * (slope / 6.0)))
    k, slope = p[i + KV], p[i + DKV]
    out[4] = k + d * slope
    out[5] = slope
    out[6] = p[i + PITCH] + d * (k + d * (0.5 * slope))
    out[7] = p[i + T_V] - d * (p[i + PITCH] + d * (0.5 * k + d * (slope / 6.0)))
    slope, half = p[i + DPHI], p[i + HALF]
    phi = p[i + PHI] + d * slope
    out[8] = phi
    out[9] = slope
    out[10] = half * phi
    out[11] = half * slope


@kernel
def sample(p, first, s, out):
    """Values of the track at distance `s` from the table at p[first]; fills out[:VALUES], see `Value`."""
    sample_stage(p, first, stage_at(p, first, s), s, out)


@kernel
def sample_along(p, first, s, out):
    """`sample` for many distances: out[i] belongs to s[i]."""
    for i in range(s.shape[0]):
        sample(p, first, s[i], out[i])
