"""Spring with a dead band whose corners are rounded by a hyperbolic cosine: smooth, no modes, no memory.

    F(u) = k (s(u - gap_high) - s(gap_low - u)),      s(z) = (z + w ln(2 cosh(z / w))) / 2

s is the ramp max(z, 0) rounded over `width` w: above it by w ln(2) / 2 in the corner, by less than
w exp(-2 |z| / w) / 2 elsewhere. The force tends to that of `dead_band` with w, the slope in a corner is k / 2.
Width zero is the sharp law with nobody told of its corners: steps go across them, as in a run that ignores them.

Stored is the integral of the force, k (S(u - gap_high) + S(gap_low - u)), with S(z) = w^2 / 4 times the integral
of ln(1 + exp(x)) up to x = 2 z / w, a dilogarithm.

Source: the smoothing is that which True, Engsig-Karup and Bigoni (2013), section 3, tell of the flange of
Cooperrider's bogie; they print no formula.
"""

from dataclasses import dataclass
from math import exp, isfinite, log1p, pi

from klingel._errors import InputError
from klingel._jit import kernel

# of the integral of t / (1 - exp(-t)): 1, 1/4, then B_n / (n! (n + 1)) for n = 2, 4, ... 14
SERIES = (1.0 / 36.0, -1.0 / 3600.0, 1.0 / 211680.0, -1.0 / 10886400.0, 5.0 / 2634508800.0,
          -691.0 / 16999766784000.0, 7.0 / 7846046208000.0)  # fmt: skip


@dataclass(frozen=True)
class SmoothDeadBand:
    gap_low: float  # lower end of the free play [m], may be -inf
    gap_high: float  # upper end of the free play [m], may be +inf
    stiffness: float  # k [N/m]
    width: float  # w, of the rounding [m]

    def __post_init__(self) -> None:
        if not (isfinite(self.stiffness) and self.stiffness >= 0.0):
            raise InputError("stiffness", self.stiffness, "must be finite and not negative")
        if not self.gap_low < self.gap_high:
            raise InputError("gap_high", self.gap_high, f"must lie above gap_low = {self.gap_low}")
        if not (isfinite(self.width) and self.width >= 0.0):
            raise InputError("width", self.width, "must be finite and not negative")


@kernel
def ramp(z, width):
    """max(z, 0), rounded."""
    if not width > 0.0:
        return max(z, 0.0)
    return max(z, 0.0) + 0.5 * width * log1p(exp(-2.0 * abs(z) / width))


@kernel
def force(u, gap_low, gap_high, stiffness, width):
    return stiffness * (ramp(u - gap_high, width) - ramp(gap_low - u, width))


@kernel
def area_below(x):
    """Integral of ln(1 + exp(s)) over s from -infinity to x <= 0."""
    q = log1p(exp(x))
    square, power, total = q * q, q * q * q, q + 0.25 * q * q
    for term in SERIES:
        total += term * power
        power *= square
    return total


@kernel
def area(z, width):
    """Integral of the rounded ramp from -infinity to z."""
    if not width > 0.0:
        return 0.5 * max(z, 0.0) ** 2
    x = 2.0 * z / width
    unit = area_below(-abs(x))
    if x > 0.0:
        unit = pi * pi / 6.0 + 0.5 * x * x - unit
    return 0.25 * width * width * unit


@kernel
def stored_energy(u, gap_low, gap_high, stiffness, width):
    """Energy [J]; nothing is dissipated."""
    high = area(u - gap_high, width) if isfinite(gap_high) else 0.0
    low = area(gap_low - u, width) if isfinite(gap_low) else 0.0
    return stiffness * (high + low)
