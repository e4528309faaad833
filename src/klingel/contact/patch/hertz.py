"""Hertz: two bodies with undeformed distance A x^2 + B y^2 pressed together by the force N.

The contact is an ellipse with semi-axes a (along x, the rolling direction) and b (along y), pressure
p0 sqrt(1 - x^2/a^2 - y^2/b^2), p0 = 3 N / (2 pi a b). With k = b/a, K and E the complete elliptic
integrals at the parameter 1 - k^2 (negative where b > a) and D1, D2 the two positive integrals below,

    B / A        = D2(k) / D1(k)                                fixes k,
    c^3          = 3 N E / (2 pi E* (A + B) sqrt(k)),  c = sqrt(a b)
    approach q   = 3 N K / (2 pi E* a)
    D1 = (K - E)/(1 - k^2),  D2 = (E/k^2 - K)/(1 - k^2)

A = half the sum of the curvatures along x, B of those along y; a hollow body counts negative.
1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, for equal bodies E* = G/(1 - nu).

`ellipse` solves for k to rounding. `ellipse_fast` takes ln k from a fitted polynomial: the axis ratio is
off by less than FAST_ERROR for |ln(B/A)| <= FAST_RANGE (a/b between 1/210 and 210), the semi-axes and the
approach by less; outside it falls back on the exact solution.

Reference: Johnson, Contact Mechanics (1985), section 4.2; de Pater (1997), equations (6-1) to (6-9), whose
(6-7) and (6-9) are misprinted (a/b = g, not e; cube root).
"""

from math import exp, log, pi, sqrt
from typing import NamedTuple

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.patch.elliptic import cel, first_kind, second_kind

FAST_ERROR = 2e-7  # relative error of a/b in `ellipse_fast`
FAST_RANGE = 9.0  # largest |ln(B/A)| of the fit

# ln(a/b) = u sum_i FIT[i] w^i, w = u^2/(u^2 + 45), u = ln(B/A): least largest error on |u| <= 9
_FIT = (
    0.666666538209,
    -0.138866382892,
    0.12077594223,
    -0.209614980601,
    0.305095901668,
    -0.388979328642,
    0.312859487621,
    -0.127909176253,
)
_SOLVED = 1e-15  # change of ln(a/b) at which the secant iteration stops
_MAX_TURNS = 40  # far more than the five or six it takes


class Ellipse(NamedTuple):
    """Contact ellipse under a given load."""

    a: float  # semi-axis along the rolling direction [m]
    b: float  # lateral semi-axis [m]
    approach: float  # of distant points, the penetration q [m]
    pressure: float  # largest, in the middle [Pa]


@kernel
def log_curvature_ratio(log_ratio):
    """ln(B/A) of an ellipse with ln(a/b) = log_ratio; odd and increasing, slope 3/2 at zero."""
    k = exp(-log_ratio)
    return log(cel(k, k * k, 0.0, 1.0) / cel(k, 1.0, 0.0, 1.0))


@kernel
def axis_ratio(curvature_x, curvature_y):
    """a/b from A and B, both positive, to rounding: a secant iteration on logarithms."""
    target = log(curvature_y / curvature_x)
    x0 = 0.0
    f0 = -target
    x1 = 2.0 / 3.0 * target
    for _ in range(_MAX_TURNS):
        f1 = log_curvature_ratio(x1) - target
        if f1 == f0:
            break
        step = f1 * (x1 - x0) / (f1 - f0)
        x0 = x1
        f0 = f1
        x1 -= step
        if abs(step) < _SOLVED * (1.0 + abs(x1)):
            break
    return exp(x1)


@kernel
def axis_ratio_fast(curvature_x, curvature_y):
    """a/b from A and B to FAST_ERROR."""
    u = log(curvature_y / curvature_x)
    if abs(u) > FAST_RANGE:
        return axis_ratio(curvature_x, curvature_y)
    w = u * u / (u * u + 45.0)
    s = _FIT[7]
    s = s * w + _FIT[6]
    s = s * w + _FIT[5]
    s = s * w + _FIT[4]
    s = s * w + _FIT[3]
    s = s * w + _FIT[2]
    s = s * w + _FIT[1]
    s = s * w + _FIT[0]
    return exp(u * s)


@kernel
def ellipse_with_ratio(a_over_b, load, curvature_sum, modulus):
    """The ellipse once a/b is known; curvature_sum = A + B [1/m], modulus = E* [Pa]."""
    k = 1.0 / a_over_b
    c = (1.5 * load * second_kind(k) / (pi * modulus * curvature_sum * sqrt(k))) ** (1.0 / 3.0)
    a = c * sqrt(a_over_b)
    b = c * c / a
    approach = 1.5 * load * first_kind(k) / (pi * modulus * a)
    return Ellipse(a, b, approach, 1.5 * load / (pi * a * b))


@kernel
def ellipse(load, curvature_x, curvature_y, modulus):
    """Contact ellipse under `load` > 0 [N]; A, B > 0 [1/m], E* [Pa]."""
    ratio = axis_ratio(curvature_x, curvature_y)
    return ellipse_with_ratio(ratio, load, curvature_x + curvature_y, modulus)


@kernel
def ellipse_fast(load, curvature_x, curvature_y, modulus):
    """As `ellipse`, the axis ratio to FAST_ERROR."""
    ratio = axis_ratio_fast(curvature_x, curvature_y)
    return ellipse_with_ratio(ratio, load, curvature_x + curvature_y, modulus)


@kernel
def hertz_constant(curvature_x, curvature_y, modulus):
    """C in N = C q^(3/2) [N/m^1.5]."""
    return ellipse(1.0, curvature_x, curvature_y, modulus).approach ** -1.5


@kernel
def penetration(load, constant):
    """q under `load`, the inverse of N = C q^(3/2); zero without load [m]."""
    return (load / constant) ** (2.0 / 3.0) if load > 0.0 else 0.0


@kernel
def normal_force(approach, constant):
    """N = C q^(3/2), zero when the bodies are apart [N]."""
    return constant * approach * sqrt(approach) if approach > 0.0 else 0.0


@kernel
def stiffness(approach, constant):
    """dN/dq [N/m]."""
    return 1.5 * constant * sqrt(approach) if approach > 0.0 else 0.0


def contact_modulus(young_1: float, poisson_1: float, young_2: float, poisson_2: float) -> float:
    """E* of two bodies [Pa]."""
    for name, young in (("young_1", young_1), ("young_2", young_2)):
        if not young > 0.0:
            raise InputError(name, young, "must be a positive modulus in Pa")
    for name, poisson in (("poisson_1", poisson_1), ("poisson_2", poisson_2)):
        if not 0.0 <= poisson <= 0.5:
            raise InputError(name, poisson, "must lie between 0 and 0.5")
    return 1.0 / ((1.0 - poisson_1**2) / young_1 + (1.0 - poisson_2**2) / young_2)
