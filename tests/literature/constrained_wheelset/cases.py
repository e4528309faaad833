"""The three printed runs, random states, and the printed equations in plain NumPy as an oracle."""

from dataclasses import replace

import numpy as np

from klingel.literature.constrained_wheelset.constraints import X
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset

UNSUSPENDED = ConstrainedWheelset(speed=20.0, conicity=0.05, suspension_stiffness=0.0)
SUSPENDED = ConstrainedWheelset(speed=100.0, conicity=0.05, suspension_stiffness=1.823e6)
STEEP = replace(SUSPENDED, conicity=0.08)
PRINTED = {"unsuspended": UNSUSPENDED, "suspended": SUSPENDED, "steep": STEEP}


def rotation(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def constraints(w, q, s):
    """C(q, s) of B.9 as printed; takes complex numbers."""
    (y, z, phi), (s11, s21, s12, s32) = q, s
    tan, r = np.tan(w.conicity), w.rail_radius
    place, turn = np.array([y, w.nominal_radius + z]), rotation(phi)
    u11 = np.array([w.wheel_offset + s11, -w.nominal_radius + s11 * tan])
    u12 = np.array([-w.wheel_offset + s12, -w.nominal_radius - s12 * tan])
    u21 = np.array([w.rail_offset - r * np.sin(s21), r * (np.cos(s21) - 1.0)])
    u32 = np.array([-w.rail_offset - r * np.sin(s32), r * (np.cos(s32) - 1.0)])
    t11, t12 = np.array([1.0, tan]), np.array([1.0, -tan])
    n21 = np.array([r * np.sin(s21), -r * np.cos(s21)])  # the tangent (-r cos, -r sin) turned by 90 degrees
    n32 = np.array([r * np.sin(s32), -r * np.cos(s32)])
    return np.concatenate(
        [place + turn @ u11 - u21, place + turn @ u12 - u32, [n21 @ turn @ t11], [n32 @ turn @ t12]]
    )


def taylor(curve, order, radius=0.25, points=32):
    """The derivative of this order at 0 of an analytic curve, by Cauchy's integral: exact to rounding."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    values = np.array([curve(radius * z) for z in turn])
    factor = np.prod(np.arange(1, order + 1)) / radius**order
    return np.real(factor * np.mean(values * turn[:, None] ** -order, axis=0))


def external(w, x, f, flange_force=0.0):
    """F_ext (track axes) and M_ext (body axes) as printed, with 3-D matrices; normal forces with yaw neglected."""
    phi, psi, d = x[X.ROLL], x[X.YAW], w.conicity
    tan = np.tan(d)
    left = np.array([0.0, w.wheel_offset + x[X.S11], -w.nominal_radius + x[X.S11] * tan])
    right = np.array([0.0, -w.wheel_offset + x[X.S12], -w.nominal_radius - x[X.S12] * tan])
    force = np.array([0.0, -w.suspension_stiffness * x[X.Y], -w.mass * w.gravity])
    moment = np.zeros(3)
    for point, angle, tx, ty, n in (
        (left, d, f.tx_left, f.ty_left, f.n_left),
        (right, -d, f.tx_right, f.ty_right, f.n_right),
    ):
        tangential, normal = np.array([tx, ty, 0.0]), np.array([0.0, 0.0, n])
        force += about_z(psi) @ about_x(phi + angle) @ tangential + about_x(phi + angle) @ normal
        moment += np.cross(point, about_x(angle) @ (tangential + normal))
    if flange_force != 0.0:
        flange = np.array([0.0, flange_force, 0.0])
        force += about_z(psi) @ about_x(phi) @ flange
        moment += np.cross(left if flange_force < 0.0 else right, flange)
    return force, moment


def about_x(a):
    return np.array([[1.0, 0.0, 0.0], [0.0, np.cos(a), -np.sin(a)], [0.0, np.sin(a), np.cos(a)]])


def about_z(a):
    return np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
