"""Power spectral densities of track irregularities over the circular wave number O [rad/m].

    lateral      S = A_a Oc^2 / ((O^2 + Or^2)(O^2 + Oc^2))                                    [m^2/(rad/m)]
    vertical     S = A_v Oc^2 / ((O^2 + Or^2)(O^2 + Oc^2))
    cross level  S = 4 A_v Oc^2 O^2 / ((O^2 + Or^2)(O^2 + Oc^2)(O^2 + Os^2))   of the height difference

Two families have this form:

- ERRI (ORE) B176, "low" and "high" disturbance; form as in Claus and Schiehlen (1998). Its cross level is
  printed as an angle, A_v / b^2 instead of 4 A_v; a height is 2 b times an angle.
- FRA classes 1 (worst) to 6, after Garg and Dukkipati (1984) and Fryba (1996): Or = 0 and A = k A_printed with
  k = 0.25 and A_printed in cm^2 rad/m. A_v and Oc are confirmed by independent codes; A_a and Os are not.

The variance in a band is the integral of S over O > 0. Some authors read the same constants as two-sided, which
doubles it; `Sided` is the switch.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import pi

import numpy as np

from klingel._errors import InputError


class Channel(IntEnum):
    LATERAL = 0  # of the centre line, to the left > 0 [m]
    VERTICAL = 1  # of the centre line, up > 0 [m]
    CROSS_LEVEL = 2  # right rail over left rail, as cant [m]


class Sided(IntEnum):
    """How the constants are read: the one-sided density is this many times the formula."""

    ONE = 1
    TWO = 2


@dataclass(frozen=True)
class Spectrum:
    name: str
    lateral: float  # A_a [m2 rad/m]
    vertical: float  # A_v [m2 rad/m]
    break_cross: float  # Os [rad/m]
    break_low: float = 0.0  # Or [rad/m]
    break_high: float = 0.8246  # Oc [rad/m]

    def density(self, channel: Channel, wave_number: np.ndarray, sided: Sided = Sided.ONE) -> np.ndarray:
        """One-sided density of a channel; the wave numbers are positive [m2/(rad/m)]."""
        o2 = np.square(np.asarray(wave_number, dtype=float))
        shape = self.break_high**2 / ((o2 + self.break_low**2) * (o2 + self.break_high**2))
        if channel == Channel.LATERAL:
            return sided * self.lateral * shape
        if channel == Channel.VERTICAL:
            return sided * self.vertical * shape
        return sided * 4.0 * self.vertical * shape * o2 / (o2 + self.break_cross**2)

    def deviation(
        self, channel: Channel, shortest: float, longest: float, sided: Sided = Sided.ONE, points: int = 4001
    ) -> float:
        """Standard deviation in a band of wavelengths [m]."""
        u = np.linspace(np.log(2 * pi / longest), np.log(2 * pi / shortest), points)
        weighted = self.density(channel, np.exp(u), sided) * np.exp(u)
        return float(np.sqrt(np.trapezoid(weighted, u)))


def _b176(level: str, lateral: float, vertical: float) -> Spectrum:
    return Spectrum(f"B176 {level}", lateral, vertical, break_cross=0.4380, break_low=0.0206)


def _fra(track_class: int, lateral: float, vertical: float, break_cross: float) -> Spectrum:
    scale = 0.25e-4  # k, and cm2 to m2
    return Spectrum(f"FRA {track_class}", scale * lateral, scale * vertical, break_cross, break_high=0.8245)


SPECTRA = {
    spectrum.name: spectrum
    for spectrum in (
        _b176("low", 2.119e-7, 4.032e-7),
        _b176("high", 6.125e-7, 1.080e-6),
        _fra(1, 3.3634, 1.2107, 0.6046),
        _fra(2, 1.2107, 1.0181, 0.9308),
        _fra(3, 0.4128, 0.6816, 0.8520),
        _fra(4, 0.3027, 0.5376, 1.1312),
        _fra(5, 0.0762, 0.2095, 0.8209),
        _fra(6, 0.0339, 0.0339, 0.4380),
    )
}


def find_spectrum(name: str) -> Spectrum:
    if not isinstance(name, str) or name not in SPECTRA:
        raise InputError("spectrum", name, f"must be one of {', '.join(SPECTRA)}")
    return SPECTRA[name]
