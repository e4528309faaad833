"""Conical wheelset: Klingel's motion creeps nowhere, forces oppose the slip, saturate, and start linear."""

from math import cos, hypot, pi, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from klingel._errors import InputError
from klingel.elements.conical_wheelset import Cone, creep_forces, creepages

CONICITY, RADIUS, HALF_GAUGE = 0.05, 0.4572, 0.716
STIFFNESS, PSI, PHI, LIMIT = 6.563e6, 0.54219, 0.60252, 10e3
LAW = (STIFFNESS, PSI, PHI, LIMIT)
CREEPAGE = st.floats(-0.05, 0.05)


@pytest.mark.parametrize("speed", [1.0, 40.0])
@pytest.mark.parametrize("s", [0.0, 0.3, 2.0, 7.1])
def test_klingel_motion_has_no_creepage(speed, s):
    """Pure rolling: y = A sin(ks), yaw = dy/ds, wavelength 2 pi sqrt(a r0 / lambda)."""
    k = sqrt(CONICITY / (HALF_GAUGE * RADIUS))
    y, yaw = 3e-3 * sin(k * s), 3e-3 * k * cos(k * s)
    yaw_dot = -speed * 3e-3 * k * k * sin(k * s)
    xi = creepages(y, yaw, speed * yaw, yaw_dot, speed, CONICITY, RADIUS, HALF_GAUGE)
    assert max(map(abs, xi)) < 1e-18
    assert 2.0 * pi / k == pytest.approx(2.0 * pi * sqrt(HALF_GAUGE * RADIUS / CONICITY))


@pytest.mark.parametrize(("u", "ratio"), [(1.5, 1.5 - 0.75 + 0.125), (3.0, 1.0), (7.0, 1.0)])
@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5])
def test_size_and_direction(u, ratio, angle):
    """Chosen u, resultant of the scaled creepages in a chosen direction."""
    xi_r = u * LIMIT / STIFFNESS
    x, y = creep_forces(PSI * xi_r * cos(angle), PHI * xi_r * sin(angle), *LAW)
    assert hypot(x, y) == pytest.approx(ratio * LIMIT, rel=1e-14)
    assert (x, y) == pytest.approx((ratio * LIMIT * cos(angle), ratio * LIMIT * sin(angle)), abs=1e-9)


def test_small_creepage_is_linear_and_zero_needs_no_care():
    assert creep_forces(0.0, 0.0, *LAW) == (0.0, 0.0)
    x, y = creep_forces(1e-12, 0.0, *LAW)
    assert x == pytest.approx(STIFFNESS * 1e-12 / PSI, rel=1e-8)
    x, y = creep_forces(0.0, 1e-12, *LAW)
    assert y == pytest.approx(STIFFNESS * 1e-12 / PHI, rel=1e-8)


@given(CREEPAGE, CREEPAGE)
@settings(deadline=None)
def test_dissipates_saturates_and_is_odd(xi_x, xi_y):
    x, y = creep_forces(xi_x, xi_y, *LAW)
    assert x * xi_x + y * xi_y >= 0.0
    assert hypot(x, y) <= LIMIT * (1.0 + 1e-14)
    assert creep_forces(-xi_x, -xi_y, *LAW) == (-x, -y)


def test_constants_of_the_directions():
    """Vermeulen and Johnson's psi and phi of the ellipse 6.578 x 3.934 mm, long side along the track."""
    g, nu = 3.934 / 6.578, 0.3
    root = lambda s: sqrt(1.0 - (1.0 - g * g) * sin(s) ** 2)  # noqa: E731
    c = quad(lambda s: (sin(s) * cos(s)) ** 2 / root(s) ** 3, 0.0, pi / 2)[0]
    d = quad(lambda s: sin(s) ** 2 / root(s), 0.0, pi / 2)[0]
    assert g * (d - nu * (d - c)) == pytest.approx(PSI, abs=2e-4)
    assert g * (d - nu * c) == pytest.approx(PHI, abs=2e-4)


@pytest.mark.parametrize("field", ["radius", "half_gauge", "psi", "phi", "adhesion_limit", "conicity"])
def test_bad_cone_is_refused(field):
    good = {
        "conicity": CONICITY, "radius": RADIUS, "half_gauge": HALF_GAUGE, "creep_stiffness": STIFFNESS,
        "psi": PSI, "phi": PHI, "adhesion_limit": LIMIT,
    }  # fmt: skip
    Cone(**good)
    with pytest.raises(InputError, match=field):
        Cone(**{**good, field: -1.0})
