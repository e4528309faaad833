"""Creepages against rigid-body kinematics, the creep law's limits, and the printed contact data."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.contact.creep.creepage import Creepage
from klingel.contact.patch.hertz import contact_modulus, ellipse
from klingel.contact.patch.kalker import kalker
from klingel.elements import dead_band
from klingel.literature.constrained_wheelset.forces import applied_wrench, creep_force, creepage
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, stand, wheel_parameter, wheel_point
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset
from tests.literature.constrained_wheelset.cases import STEEP, UNSUSPENDED, about_x, about_z

POISSON = 0.27  # printed


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_creepages_are_the_velocity_of_the_contact_point(side):
    """To first order in the disturbances, with the vertical motion that keeps the contact closed."""
    w, e = STEEP, 1e-5
    yaw, y_dot, roll_dot, yaw_dot, beta = e * np.array([0.7, 60.0, -30.0, 40.0, 90.0])
    point = np.array([0.0, side * 0.77, -0.455])
    spin = w.speed / w.nominal_radius + beta
    frame = about_z(yaw) @ about_x(side * w.conicity)  # axes of the contact, roll angle zero
    omega = about_z(yaw) @ np.array([roll_dot, spin, 0.0]) + np.array([0.0, 0.0, yaw_dot])
    velocity = np.array([w.speed, y_dot, 0.0]) + np.cross(omega, about_z(yaw) @ point)
    normal = frame[:, 2]
    velocity[2] -= velocity @ normal / normal[2]
    xi = creepage(side, point[1], point[2], yaw, y_dot, roll_dot, yaw_dot, beta, w.flat())
    exact = frame.T @ velocity / w.speed
    np.testing.assert_allclose(xi[:2], exact[:2], rtol=0, atol=3e-9)
    assert xi.phi == pytest.approx(omega @ normal / w.speed, abs=3e-9)


def test_small_creep_is_kalkers_linear_law():
    w = UNSUSPENDED
    n = 8.0 * w.reference_load  # both semi-axes double
    a, b = 2 * w.ellipse_a, 2 * w.ellipse_b
    xi = Creepage(2e-9, -1e-9, 3e-7)
    tx, ty = creep_force(xi, n, w.flat())
    assert tx == pytest.approx(-a * b * w.shear_modulus * w.c11 * xi.xi, rel=1e-5)
    lateral = w.c22 * xi.eta + np.sqrt(a * b) * w.c23 * xi.phi
    assert ty == pytest.approx(-a * b * w.shear_modulus * lateral, rel=1e-5)


def test_large_creep_is_coulomb_friction_against_the_linear_force():
    w = replace(UNSUSPENDED, c22=UNSUSPENDED.c11)
    t = creep_force(Creepage(0.03, 0.04, 0.0), 4000.0, w.flat())
    np.testing.assert_allclose(t, -0.3 * 4000.0 * np.array([0.6, 0.8]), rtol=1e-14)


def test_saturation_is_twice_smooth_where_it_ends():
    """|F|/(mu N) = u - u^2/3 + u^3/27: value 1, slope and curvature 0 at u = 3."""
    w = UNSUSPENDED
    full = 3 * w.friction * w.reference_load / (w.ellipse_a * w.ellipse_b * w.shear_modulus * w.c11)
    t = [-creep_force(Creepage(full * u / 3, 0.0, 0.0), w.reference_load, w.flat())[0] for u in (2.97, 3.0, 3.03)]
    limit = w.friction * w.reference_load
    assert t[1] == t[2] == pytest.approx(limit, rel=1e-14)
    assert t[0] == pytest.approx(limit * (1 - 0.03**3 / 27), rel=1e-12)


def test_no_load_no_force():
    assert creep_force(Creepage(1e-3, 1e-3, 0.1), 0.0, UNSUSPENDED.flat()) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("mode", "y", "push"),
    [
        (dead_band.Mode.FREE, 0.005, 0.0),
        (dead_band.Mode.UPPER, 0.0101, -14.6e3),
        (dead_band.Mode.LOWER, -0.0101, 14.6e3),
    ],
)
def test_flange_pushes_back_at_the_height_of_its_contact_point(mode, y, push):
    wrench = applied_wrench(mode, y, 0.0, 0.0, 0.0, -0.45, -0.46, UNSUSPENDED.flat())
    height = -0.45 if mode == dead_band.Mode.UPPER else -0.46
    assert wrench.y == pytest.approx(push, abs=1e-9)
    assert wrench.roll == pytest.approx(-height * push, abs=1e-9)


def test_printed_ellipse_is_that_of_hertz():
    """Wheel radius at the contact point on a rail of 0.21 m: the printed ratio a/b is Hertz's to its digits.

    Both printed axes are 0.2 % larger than ours, as from a tabulated coefficient.
    """
    w = ConstrainedWheelset()
    p = w.flat()
    radius = -wheel_point(LEFT, wheel_parameter(LEFT, 0.0, stand(0.0, p).z, 0.0, p), p)[1]
    young = 2 * w.shear_modulus * (1 + POISSON)
    own = ellipse(
        w.reference_load, 0.5 / radius, 0.5 / w.rail_radius, contact_modulus(young, POISSON, young, POISSON)
    )
    assert own.a / own.b == pytest.approx(w.ellipse_a / w.ellipse_b, rel=5e-4)
    assert own.a == pytest.approx(w.ellipse_a, rel=2.5e-3)


def test_printed_creep_coefficients_are_kalkers():
    """The printed four digits against the interpolated table, whose own accuracy is about 0.5 %."""
    w = ConstrainedWheelset()
    own = kalker(w.ellipse_a / w.ellipse_b, POISSON)
    assert own[:3] == pytest.approx((w.c11, w.c22, w.c23), rel=5e-3)


def test_reference_load_is_the_static_wheel_load():
    w = ConstrainedWheelset()
    static = w.mass * w.gravity / (2 * np.cos(w.conicity))
    assert static == pytest.approx(w.reference_load, abs=0.5)
