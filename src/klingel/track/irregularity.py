"""Irregularities of the track: lateral, vertical and cross level as functions of the distance s.

A track carries any number of sources; their sum is what the wheels see:

- `Samples`: measured or computed values at equal spacing,
- `Shift`: the track is displaced once and stays so (Hoffmann 2006, figure 5.43: 8 mm to the side after 20 m),
  along the quintic 10 t^3 - 15 t^4 + 6 t^5, which is smooth to its second derivative,
- `Random`: z(s) = sum_k sqrt(2 S(O_k) dO) cos(O_k s + phi_k) with the density S of a spectrum, O_k = k dO within a
  band of wavelengths, dO = 2 pi / length and equally distributed phases phi_k from a seed.

Every source becomes a cubic spline: continuous to the second derivative, flat at both ends and constant beyond
them, so the rails have neither kinks nor steps. `sample` adds value and slope of all sources.

Signs: lateral to the left, vertical up; cross level is right rail over left rail, like cant, and comes out as the
angle -cross level / (2 b0), which adds to phi_SE.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import isfinite, pi

import numpy as np

from klingel._arguments import check_number
from klingel._errors import InputError
from klingel._jit import kernel
from klingel.track.spectrum import Channel, Sided, find_spectrum

CHANNELS = len(Channel)
HEAD_SIZE = 4  # numbers per source at the head of a table: address of its rows, intervals, start, 1/spacing
ROW_SIZE = 4 * CHANNELS  # coefficients per interval
POINTS_PER_WAVE = 12  # of the shortest wave: its spline is then good to 2e-4 of the amplitude, the slope to 1.2e-3
LARGEST = 1.0  # of a sample [m]
MAXIMUM_POINTS = 5_000_000  # 1250 km at the usual 0.25 m; more is a slip of a unit


class Value(IntEnum):
    """What `sample` fills in, in this order."""

    LATERAL = 0  # [m]
    LATERAL_SLOPE = 1  # derivative by s [m/m]
    VERTICAL = 2  # [m]
    VERTICAL_SLOPE = 3  # [m/m]
    ROLL = 4  # of the track by cross level [rad]
    ROLL_SLOPE = 5  # [rad/m]


VALUES = len(Value)


def smooth_step(t: np.ndarray) -> np.ndarray:
    """From 0 to 1 with two vanishing derivatives at both ends."""
    t = np.clip(t, 0.0, 1.0)
    return t**3 * (10.0 + t * (6.0 * t - 15.0))


@dataclass(frozen=True)
class Samples:
    """Values at start, start + spacing, …; channels left out are zero."""

    spacing: float  # [m]
    start: float = 0.0  # [m]
    lateral: tuple[float, ...] = field(default=(), repr=False)  # [m]
    vertical: tuple[float, ...] = field(default=(), repr=False)  # [m]
    cross_level: tuple[float, ...] = field(default=(), repr=False)  # [m]

    def __post_init__(self) -> None:
        _check_positive(self, "spacing")
        _check_finite(self, "start")
        lengths = {len(c) for c in (self.lateral, self.vertical, self.cross_level) if len(c)}
        if len(lengths) != 1 or min(lengths) < 3:
            given = sorted(lengths)
            raise InputError(
                "samples", given, "must have one channel or more, equally long, three values at least"
            )
        for name in ("lateral", "vertical", "cross_level"):
            values = np.asarray(getattr(self, name), dtype=float)
            if not np.all(np.isfinite(values)):
                raise InputError(name, float(values[~np.isfinite(values)][0]), "must be finite numbers")
            if np.any(np.abs(values) > LARGEST):
                largest = float(values[np.argmax(np.abs(values))])
                raise InputError(name, largest, f"must lie within ±{LARGEST:g} m")
            object.__setattr__(self, name, tuple(values.tolist()))

    def points(self) -> tuple[float, float, np.ndarray]:
        """Start, spacing and one row of channels per point [m]."""
        count = max(len(self.lateral), len(self.vertical), len(self.cross_level))
        values = np.zeros((count, CHANNELS))
        for channel, column in enumerate((self.lateral, self.vertical, self.cross_level)):
            if len(column):
                values[:, channel] = column
        return self.start, self.spacing, values


@dataclass(frozen=True)
class Shift:
    """The track moves by `size` between `at` and `at` + `length`."""

    size: float  # [m]
    at: float = 20.0  # [m]
    # not given in the source; short against a hunting wave, long enough for the wheels to follow
    length: float = 5.0  # [m]
    channel: Channel = Channel.LATERAL

    def __post_init__(self) -> None:
        _check_positive(self, "length")
        _check_finite(self, "at")
        _check_finite(self, "size")
        if not abs(self.size) <= 0.1:
            raise InputError("size", self.size, "must lie within ±0.1 m")

    def points(self) -> tuple[float, float, np.ndarray]:
        """Start, spacing and one row of channels per point [m]."""
        t = np.linspace(0.0, 1.0, 41)
        values = np.zeros((len(t), CHANNELS))
        values[:, self.channel] = self.size * smooth_step(t)
        return self.at, self.length / (len(t) - 1), values


@dataclass(frozen=True)
class Random:
    """One realisation of a spectrum, repeatable by its seed; the channels are independent of each other."""

    spectrum: str  # name out of SPECTRA
    seed: int
    length: float  # [m]
    start: float = 0.0  # [m]
    shortest: float = 3.0  # wavelengths within the band [m]
    longest: float = 100.0  # [m]
    taper: float = 50.0  # fades in and out over this distance [m]
    factor: float = 1.0  # of all amplitudes
    sided: Sided = Sided.ONE
    channels: tuple[Channel, ...] = tuple(Channel)

    def __post_init__(self) -> None:
        find_spectrum(self.spectrum)
        for name in ("length", "shortest", "longest", "factor"):
            _check_positive(self, name)
        for name in ("start", "taper"):
            _check_finite(self, name)
        if not (isinstance(self.seed, int) and self.seed >= 0):
            raise InputError("seed", self.seed, "must be a whole number, not negative")
        if not (isfinite(self.longest) and self.longest > self.shortest):
            raise InputError(
                "longest", self.longest, f"must be above the shortest wavelength, {self.shortest:g} m"
            )
        if not self.length >= 2.0 * self.longest:
            raise InputError("length", self.length, f"must hold the longest wave twice, {2 * self.longest:g} m")
        if not 0.0 <= self.taper <= 0.5 * self.length:
            raise InputError("taper", self.taper, f"must lie between 0 and half the length, {self.length / 2:g} m")
        if self.length / self.shortest * POINTS_PER_WAVE > MAXIMUM_POINTS:
            raise InputError("length", self.length, f"must need at most {MAXIMUM_POINTS} points")
        if not self.channels:
            raise InputError("channels", self.channels, "must name one channel or more")

    def points(self) -> tuple[float, float, np.ndarray]:
        """Start, spacing and one row of channels per point [m]."""
        count = int(np.ceil(self.length * POINTS_PER_WAVE / self.shortest))
        step = 2.0 * pi / self.length
        wave_number = step * np.arange(1, count // 2 + 1)
        inside = (wave_number >= 2 * pi / self.longest) & (wave_number <= 2 * pi / self.shortest)
        values = np.zeros((count + 1, CHANNELS))
        for channel in self.channels:
            # every wave number draws, so that a channel or a band less leaves the other phases as they were
            phase = 2.0 * pi * np.random.default_rng([self.seed, channel]).random(len(wave_number))
            density = find_spectrum(self.spectrum).density(channel, wave_number, self.sided)
            amplitude = self.factor * np.sqrt(2.0 * density * step) * inside
            modes = np.concatenate([[0.0], 0.5 * count * amplitude * np.exp(1j * phase)])
            values[:-1, channel] = np.fft.irfft(modes, count)
        values[-1] = values[0]
        if self.taper > 0.0:
            distance = np.linspace(0.0, self.length, count + 1)
            fade = smooth_step(distance / self.taper) * smooth_step((self.length - distance) / self.taper)
            values *= fade[:, None]
        return self.start, self.length / count, values


Source = Samples | Shift | Random


def compile_table(sources: Sequence[Source], cant_reference: float = 1.5) -> np.ndarray:
    """Flat array for `sample`: number of sources, a head per source, then the coefficients of the splines."""
    if not sources:
        return np.zeros(1)
    from scipy.interpolate import CubicSpline  # slow to load

    heads, rows = [], []
    address = 1 + HEAD_SIZE * len(sources)
    for source in sources:
        start, spacing, values = source.points()
        values = values * np.array([1.0, 1.0, -1.0 / cant_reference])
        spline = CubicSpline(np.arange(len(values), dtype=float), values, axis=0, bc_type="clamped")
        # interval, channel, ascending power
        coefficients = np.ascontiguousarray(spline.c[::-1].transpose(1, 2, 0)).ravel()
        heads.append([address, len(values) - 1, start, 1.0 / spacing])
        rows.append(coefficients)
        address += len(coefficients)
    return np.concatenate([[len(sources)], *heads, *rows]).astype(float)


def values(sources: Sequence[Source], distances: np.ndarray, cant_reference: float = 1.5) -> np.ndarray:
    """One row of `Value`s per distance."""
    out = np.empty((len(distances), VALUES))
    sample_along(compile_table(sources, cant_reference), 0, np.asarray(distances, dtype=float), out)
    return out


@kernel
def sample(p, first, s, out):
    """Values at distance `s` from the table at p[first]; fills out[:VALUES], see `Value`."""
    for i in range(VALUES):
        out[i] = 0.0
    for source in range(int(p[first])):
        head = first + 1 + source * HEAD_SIZE
        intervals = p[head + 1]
        rate = p[head + 3]
        x = (s - p[head + 2]) * rate
        if not x > 0.0:
            x = 0.0
            rate = 0.0
        elif x >= intervals:
            x = intervals
            rate = 0.0
        i = int(min(x, intervals - 1.0))
        t = x - i
        row = first + int(p[head]) + i * ROW_SIZE
        for c in range(CHANNELS):
            a = row + 4 * c
            out[2 * c] += p[a] + t * (p[a + 1] + t * (p[a + 2] + t * p[a + 3]))
            out[2 * c + 1] += rate * (p[a + 1] + t * (2.0 * p[a + 2] + t * (3.0 * p[a + 3])))


@kernel
def sample_along(p, first, s, out):
    """`sample` for many distances: out[i] belongs to s[i]."""
    for i in range(s.shape[0]):
        sample(p, first, s[i], out[i])


def _check_positive(source: object, name: str) -> None:
    value = check_number(name, getattr(source, name), finite=False)
    if not (isfinite(value) and value > 0.0):
        raise InputError(name, value, "must be positive and finite")


def _check_finite(source: object, name: str) -> None:
    value = check_number(name, getattr(source, name), finite=False)
    if not isfinite(value):
        raise InputError(name, value, "must be finite")
