"""Exact linearisation: two uncoupled parts, difference quotients, kinematic limit, growth of runs."""

from dataclasses import replace
from math import sin, sqrt, tan

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.de_pater.geometry import tread
from klingel.literature.de_pater.linear import (
    LATERAL,
    SYMMETRIC,
    creep_in_centre,
    critical_speed,
    hunting_mode,
    symmetric_matrix,
    whole_matrix,
)
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.literature.de_pater.runs import linearisation_error, measured_mode, small_motion

W = DePaterWheelset()
CRITICAL = critical_speed(W, 10.0, 150.0)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"speed": 70.0, "contact_angle": 0.12},
        {"stiffness_z": 5e6, "box_base": 1.2, "inertia": 500.0},
        {"friction": 0.15, "load": 60e3, "wheel_hollow": 0.35},
        {"stiffness_x": 0.0, "stiffness_y": 0.0, "spin_inertia": 300.0},
    ],
    ids=str,
)
def test_matrix_is_the_derivative_of_the_nonlinear_equations(change):
    assert linearisation_error(replace(W, **change)) < 1e-6


def test_parts_are_uncoupled():
    a = whole_matrix(W)
    assert not a[np.ix_(SYMMETRIC, LATERAL)].any()
    assert not a[np.ix_(LATERAL, SYMMETRIC)].any()


def test_load_in_the_centre():
    law = creep_in_centre(W)
    angle = W.contact_angle
    assert 2.0 * (law.load * np.cos(angle) - law.lateral * sin(angle)) == pytest.approx(W.load, rel=1e-14)


def test_symmetric_part_without_creep_is_the_mass_on_its_spring_with_rolling_wheel():
    """Infinite creep stiffness: (m + I_y/r^2) on c_x; finite ones damp it a little."""
    w = replace(W, shear_modulus=1e15)
    values = np.linalg.eigvals(symmetric_matrix(w))
    expected = sqrt(w.stiffness_x / (w.mass + w.spin_inertia / w.radius**2)) / w.speed
    assert np.abs(values.imag).max() == pytest.approx(expected, rel=1e-6)
    assert values.real.max() < 1e-9


def test_slow_soft_hunting_is_klingels_motion():
    """Pure rolling: psi' = -zeta*_v v/(r b), v' = psi (b - r t)/b."""
    w = replace(W, speed=1.0, stiffness_x=1.0, stiffness_y=1.0, stiffness_z=1.0, load=10.0)
    p, h = w.flat(), 1e-6
    grows = (tread(h, p).radius_1 - tread(-h, p).radius_1) / (2 * h)
    arm = w.half_base - w.radius * tan(w.contact_angle)
    assert hunting_mode(w).imag == pytest.approx(sqrt(grows * arm / w.radius) / w.half_base, rel=2e-3)


def test_growth_vanishes_at_the_critical_speed():
    assert abs(hunting_mode(replace(W, speed=CRITICAL)).real) < 1e-10
    assert (
        hunting_mode(replace(W, speed=0.99 * CRITICAL)).real
        < 0.0
        < hunting_mode(replace(W, speed=1.01 * CRITICAL)).real
    )


@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_nonlinear_run_grows_like_the_eigenvalue(factor):
    w = replace(W, speed=factor * CRITICAL)
    linear, measured = hunting_mode(w), measured_mode(w, "dopri54")
    assert measured.real == pytest.approx(linear.real, abs=1e-7)
    assert measured.imag == pytest.approx(linear.imag, abs=1e-7)
    assert (measured.real > 0.0) == (factor > 1.0)


@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_linear_and_nonlinear_motion_of_a_tenth_of_a_millimetre(factor):
    found = small_motion(replace(W, speed=factor * CRITICAL), "dopri54")
    assert found.difference < 0.01
    assert found.s[-1] * found.mode.imag > 12.0 * 6.28


def test_no_change_of_stability_is_refused():
    with pytest.raises(InputError, match="speeds: must enclose a change of stability"):
        critical_speed(W, 10.0, 20.0)
