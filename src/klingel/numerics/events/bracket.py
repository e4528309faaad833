"""Root location on the unit interval by interpolate-truncate-project (ITP).

The caller evaluates the function; this module only proposes where. That keeps it free
of callbacks, so one compiled copy serves guards, Poincare sections and branch events.
Guards of nonsmooth systems may have a kink at the root, where secant methods crawl;
ITP never needs more than one probe beyond bisection.

Reference: Oliveira and Takahashi, ACM Trans. Math. Softw. 47 (2020) 5.
"""

from math import ceil, copysign, log2
from typing import NamedTuple

from klingel._jit import kernel

TOLERANCE = 1e-12  # half-width of the final bracket, as a fraction of the step
MAX_PROBES = ceil(log2(0.5 / TOLERANCE)) + 1


class Bracket(NamedTuple):
    """Ends of the interval, values of opposite sign there, probes spent so far."""

    lo: float
    g_lo: float
    hi: float
    g_hi: float
    count: int


@kernel
def probe(b):
    """Next abscissa to evaluate."""
    width = b.hi - b.lo
    middle = b.lo + 0.5 * width
    secant = b.lo + b.g_lo * width / (b.g_lo - b.g_hi)
    toward = copysign(1.0, middle - secant)
    guess = secant + toward * min(0.2 * width**2, abs(middle - secant))
    radius = max(TOLERANCE * 2.0 ** (MAX_PROBES - b.count) - 0.5 * width, 0.0)
    return guess if abs(guess - middle) <= radius else middle - toward * radius


@kernel
def narrow(b, s, g):
    """Keep the half with the sign change."""
    if (g > 0.0) == (b.g_lo > 0.0):
        return Bracket(s, g, b.hi, b.g_hi, b.count + 1)
    return Bracket(b.lo, b.g_lo, s, g, b.count + 1)
