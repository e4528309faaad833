"""Equivalent conicity and its relatives, from the rolling radius difference.

Klingel's kinematic motion of a wheelset is y'' + dr(y) / (e r0) = 0 along the track, with e the distance of
the running circles. With S the integral of dr, a motion between y_min and y_max (equal S, 2A apart) has the
wavelength

    lambda = 2 int dy / sqrt((2 / (e r0)) (S(y_max) - S(y))),     tan(gamma_e) = (pi / lambda)^2 2 e r0,

and tan(gamma_e) is the equivalent conicity at amplitude A: that of the cone with the same wavelength. EN
15302 and UIC 519; the reference results of the standard neglect the roll of the wheelset (`Roll.NONE`).

On hollow wheels dr may fall through zero in the middle: the wheelset leaves it and moves about one of two places
beside it, and only large motions go over both. `turning_shifts` finds the motion of an amplitude whose middle is
nearest to that of the track; amplitudes that no motion has are refused, with the harmonic conicity, which may be
negative, for an answer.

dr is taken as piecewise linear between its nodes, with two nodes at the same shift where it jumps. Then S
is piecewise quadratic and every interval has a closed form: no end singularity, no step to choose.

Other linearisations over the same amplitude: the harmonic one (describing function), and the regression line.
The contact angle parameter is the harmonic slope of (e/2) (tan(delta_left) + tan(delta_right)) / 2, the roll
parameter that of (e/2) phi; delta_right is negative on the tread, so both are odd functions of the shift.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import asin, atan, atanh, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from klingel._errors import InputError
from klingel.contact.geometry.wheelset_on_track import Roll, WheelsetOnTrack

NODE_SPACING = 2e-5  # of characteristics computed from profiles [m]
BESIDE = 1e-9  # distance of the two nodes of a jump from it [m]; jumps are known to this


@dataclass(frozen=True)
class Characteristic:
    """A quantity over the lateral shift, linear between nodes; two nodes at one shift are a jump."""

    shift: NDArray  # [m], not falling
    value: NDArray

    def __post_init__(self) -> None:
        if self.shift.shape != self.value.shape or self.shift.size < 2 or np.any(np.diff(self.shift) < 0.0):
            raise InputError("shift", "nodes", "must be at least two, in order, with one value each")

    @classmethod
    def odd(cls, shift: ArrayLike, value: ArrayLike) -> "Characteristic":
        """From its right half, shift from 0 on."""
        y, f = np.asarray(shift, dtype=float), np.asarray(value, dtype=float)
        return cls(np.concatenate([-y[:0:-1], y]), np.concatenate([-f[:0:-1], f]))

    def part(self, low: float, high: float) -> tuple[NDArray, NDArray]:
        """Nodes of the part between two shifts."""
        if low < self.shift[0] - 1e-12 or high > self.shift[-1] + 1e-12:
            allowed = f"must lie within the shifts {self.shift[0]:.6g} to {self.shift[-1]:.6g} m"
            raise InputError("amplitude", 0.5 * (high - low), allowed)
        first = int(np.searchsorted(self.shift, low, side="right"))
        last = int(np.searchsorted(self.shift, high, side="left"))
        y = np.concatenate([[low], self.shift[first:last], [high]])
        # at a jump the part begins with the value after it and ends with the value before it
        ends = self._between(max(first - 1, 0), low), self._between(min(last, self.shift.size - 1) - 1, high)
        return y, np.concatenate([ends[:1], self.value[first:last], ends[1:]])

    def _between(self, k: int, y: float) -> float:
        """Value at `y` on the line through nodes k and k + 1."""
        width = self.shift[k + 1] - self.shift[k]
        part = (y - self.shift[k]) / width if width > 0.0 else 0.0
        return float((1.0 - part) * self.value[k] + part * self.value[k + 1])

    def integral(self, y: float) -> float:
        """Integral from the first node to `y`."""
        nodes, values = self.part(float(self.shift[0]), y)
        return float(np.sum(np.diff(nodes) * 0.5 * (values[1:] + values[:-1])))

    def integrals(self, y: NDArray) -> NDArray:
        """As `integral` at many shifts."""
        steps = np.diff(self.shift)
        total = np.concatenate([[0.0], np.cumsum(0.5 * steps * (self.value[1:] + self.value[:-1]))])
        k = np.clip(np.searchsorted(self.shift, y, side="right") - 1, 0, steps.size - 1)
        into = y - self.shift[k]
        slope = np.divide(np.diff(self.value), steps, out=np.zeros_like(steps), where=steps > 0.0)
        return total[k] + into * (self.value[k] + 0.5 * into * slope[k])

    def zeros(self) -> NDArray:
        """The shifts at which the value rises through zero."""
        f = self.value
        rising = np.flatnonzero((f[:-1] <= 0.0) & (f[1:] > 0.0))
        if rising.size == 0:
            raise InputError("rolling radius difference", "no zero", "must rise through zero somewhere")
        width = np.diff(self.shift)[rising]
        places = self.shift[rising] - f[rising] * width / (f[rising + 1] - f[rising])
        return places

    def zero(self) -> float:
        """The shift nearest to 0 at which the value rises through zero."""
        places = self.zeros()
        return float(places[np.argmin(abs(places))])


@dataclass(frozen=True)
class Characteristics:
    """What the geometry of a wheelset on its track says about its lateral motion."""

    radius_difference: Characteristic  # left minus right rolling radius [m]
    mean_slope: Characteristic  # (tan of left + tan of right contact angle) / 2
    roll: Characteristic  # [rad]
    spacing: float  # e, distance of the running circles [m]
    radius: float  # r0 [m]


def characteristics(
    wheelset: WheelsetOnTrack, reach: float, roll: Roll = Roll.NONE, step: float = NODE_SPACING
) -> Characteristics:
    """Characteristics for shifts from -reach to +reach [m], with nodes on both sides of every jump."""
    jumps = [jump.shift for jump in wheelset.jumps(-reach, reach, roll=roll)]
    bounds = np.array([-reach, *jumps, reach])
    parts = []
    for low, high in zip(bounds[:-1] + BESIDE, bounds[1:] - BESIDE, strict=True):
        if high > low:
            parts.append(np.linspace(low, high, max(int(np.ceil((high - low) / step)), 1) + 1))
    shift = np.concatenate(parts)
    contact = wheelset.at(shift, roll=roll)
    slope = 0.5 * (np.tan(contact.left.first.angle) + np.tan(contact.right.first.angle))
    return Characteristics(
        Characteristic(shift, contact.rolling_radius_difference),
        Characteristic(shift, slope),
        Characteristic(shift, contact.roll),
        2.0 * wheelset.wheels.arm,
        wheelset.wheels.radius,
    )


def wavelength(difference: Characteristic, amplitude: float, spacing: float, radius: float) -> float:
    """Wavelength of the kinematic motion [m]."""
    if not amplitude > 0.0:
        raise InputError("amplitude", amplitude, "must be positive")
    y, dr, depth = _well(difference, *turning_shifts(difference, amplitude))
    depth = np.maximum(depth, 0.0)
    width = np.diff(y)
    half = sum(_inverse_root(width[i], depth[i], depth[i + 1], dr[i], dr[i + 1]) for i in range(width.size))
    return 2.0 * sqrt(0.5 * spacing * radius) * half


def equivalent_conicity(difference: Characteristic, amplitude: float, spacing: float, radius: float) -> float:
    """tan(gamma_e) at `amplitude` [m] by EN 15302."""
    return (pi / wavelength(difference, amplitude, spacing, radius)) ** 2 * 2.0 * spacing * radius


def conicity_over(known: Characteristics, amplitudes: ArrayLike) -> NDArray:
    """tan(gamma_e) at many amplitudes [m], NaN where no motion has them."""
    values = []
    for amplitude in np.atleast_1d(np.asarray(amplitudes, dtype=float)):
        try:
            values.append(equivalent_conicity(known.radius_difference, amplitude, known.spacing, known.radius))
        except InputError:
            values.append(np.nan)
    return np.array(values)


def _well(difference: Characteristic, low: float, high: float) -> tuple[NDArray, NDArray, NDArray]:
    """Nodes, dr and S(y_max) - S(y) at the nodes of the part between two shifts."""
    y, dr = difference.part(low, high)
    area = np.diff(y) * 0.5 * (dr[1:] + dr[:-1])
    # summed from the nearer end: small depths keep their digits
    from_low, from_high = -np.cumsum(area), np.cumsum(area[::-1])[::-1]
    return y, dr, np.concatenate([[0.0], np.where(dr[1:-1] < 0.0, from_low[:-1], from_high[1:]), [0.0]])


def _is_motion(difference: Characteristic, low: float, high: float) -> bool:
    """Whether S stays below its value at both ends: a hill between them would hold the wheelset back."""
    y, dr, depth = _well(difference, low, high)
    if y.size == 2:  # one straight line
        return bool(dr[0] < 0.0 < dr[1])
    # between two nodes S is highest where dr falls through zero
    top = np.flatnonzero((dr[:-1] > 0.0) & (dr[1:] < 0.0) & (np.diff(y) > 0.0))
    hills = depth[top] - 0.5 * dr[top] ** 2 * np.diff(y)[top] / (dr[top] - dr[top + 1])
    least = 1e-12 * depth.max(initial=0.0)
    # a node that is a turning point itself, to rounding, is as high as the ends
    apart = np.minimum(y[1:-1] - low, high - y[1:-1]) > 1e-10 * (high - low)
    return bool(np.all(depth[1:-1][apart] > least) and np.all(hills > least))


def turning_shifts(difference: Characteristic, amplitude: float) -> tuple[float, float]:
    """y_min and y_max of the kinematic motion: equal potential, two amplitudes apart, nothing higher between [m].

    Of several the one whose middle is nearest to that of the track.
    """
    from scipy.optimize import brentq  # slow to load

    centres = difference.zeros()

    def tilt(high: float) -> float:
        return difference.integral(high) - difference.integral(high - 2.0 * amplitude)

    first, last = float(difference.shift[0]) + 2.0 * amplitude, float(difference.shift[-1])
    if centres.size == 1:
        low, high = max(float(centres[0]), first), min(float(centres[0]) + 2.0 * amplitude, last)
        if not low < high or tilt(low) > 0.0 or tilt(high) < 0.0:
            allowed = "must keep the motion inside the known shifts, with restoring rolling radius difference"
            raise InputError("amplitude", amplitude, allowed)
        end = float(brentq(tilt, low, high, xtol=1e-15))  # type: ignore[arg-type]
        if _is_motion(difference, end - 2.0 * amplitude, end):
            return end - 2.0 * amplitude, end
    ends = _equal_potentials(difference, amplitude, first, last, tilt)
    # of a pair on both sides of the track, equally far but for rounding, the left one
    for end in sorted(ends, key=lambda end: (round(1e9 * abs(end - amplitude)), -end)):
        if _is_motion(difference, end - 2.0 * amplitude, end):
            return float(end - 2.0 * amplitude), float(end)
    raise InputError("amplitude", amplitude, _no_motion(difference, amplitude))


def _equal_potentials(
    difference: Characteristic, amplitude: float, first: float, last: float, tilt: Callable[[float], float]
) -> list[float]:
    """Every y_max with S(y_max) = S(y_max - 2 amplitude): sought from node to node of both ends."""
    from scipy.optimize import brentq

    if not first < last:
        return []
    nodes = np.concatenate([difference.shift, difference.shift + 2.0 * amplitude, [first, last, amplitude]])
    at = np.unique(nodes[(nodes >= first) & (nodes <= last)])
    integrals = difference.integrals(at) - difference.integrals(at - 2.0 * amplitude)
    rises = np.flatnonzero((integrals[:-1] <= 0.0) & (integrals[1:] > 0.0))
    ends = []
    for k in rises:
        low, high = float(at[k]), float(at[k + 1])
        # sums taken in another order may round to the other sign
        if tilt(low) < 0.0 < tilt(high):
            ends.append(float(brentq(tilt, low, high, xtol=1e-15)))  # type: ignore[arg-type]
        else:
            ends.append(low if abs(integrals[k]) <= abs(integrals[k + 1]) else high)
    return ends


def _no_motion(difference: Characteristic, amplitude: float) -> str:
    """What to say of an amplitude that no kinematic motion has."""
    slope = 0.5 * harmonic_slope(difference, amplitude)
    return (
        "must be that of a kinematic motion: the rolling radius difference drives the wheelset away from the "
        f"middle (hollow wheels); take a larger or smaller amplitude, or the harmonic conicity, {slope:.4f}"
    )


def _inverse_root(width: float, q_low: float, q_high: float, dr_low: float, dr_high: float) -> float:
    """Integral of dx / sqrt(q) over an interval, q quadratic with q' = -dr; stable for every curvature."""
    if width <= 0.0:
        return 0.0
    bend = -0.5 * (dr_high - dr_low) / width
    sum_of_roots = sqrt(q_low) + sqrt(q_high)
    if sum_of_roots == 0.0:
        return pi / sqrt(-bend)  # one interval holds the whole motion
    ratio = width / sum_of_roots
    scaled = sqrt(abs(bend)) * ratio
    if scaled < 1e-6:
        return 2.0 * ratio
    return 2.0 / sqrt(abs(bend)) * (atan(scaled) if bend < 0.0 else atanh(min(scaled, 1.0 - 1e-16)))


def harmonic_slope(characteristic: Characteristic, amplitude: float) -> float:
    """Slope of the describing function: (1 / (pi A)) int f(A sin t) sin t dt over a period."""
    y, f = characteristic.part(-amplitude, amplitude)
    root = np.sqrt(np.maximum(amplitude**2 - y**2, 0.0))
    angle = np.array([asin(min(max(value / amplitude, -1.0), 1.0)) for value in y])
    total = 0.0
    for i in range(y.size - 1):
        if y[i + 1] > y[i]:
            slope = (f[i + 1] - f[i]) / (y[i + 1] - y[i])
            offset = f[i] - slope * y[i]
            flat = root[i] - root[i + 1]
            sector = amplitude**2 * (angle[i + 1] - angle[i]) - (y[i + 1] * root[i + 1] - y[i] * root[i])
            total += offset * flat + 0.5 * slope * sector
    return 2.0 / (pi * amplitude**2) * total


def regression_slope(characteristic: Characteristic, amplitude: float) -> float:
    """Slope of the line through 0 that fits best between -A and A."""
    y, f = characteristic.part(-amplitude, amplitude)
    a, b, fa, fb = y[:-1], y[1:], f[:-1], f[1:]
    moment = np.sum((b - a) * (2.0 * a * fa + a * fb + b * fa + 2.0 * b * fb) / 6.0)
    return float(moment / (2.0 * amplitude**3 / 3.0))


def harmonic_conicity(difference: Characteristic, amplitude: float) -> float:
    return 0.5 * harmonic_slope(difference, amplitude)


def contact_angle_parameter(known: Characteristics, amplitude: float) -> float:
    """(e/2) times the harmonic slope of the mean contact slope, dimensionless."""
    return 0.5 * known.spacing * harmonic_slope(known.mean_slope, amplitude)


def roll_parameter(known: Characteristics, amplitude: float) -> float:
    """(e/2) times the harmonic slope of the roll, dimensionless."""
    return 0.5 * known.spacing * harmonic_slope(known.roll, amplitude)
