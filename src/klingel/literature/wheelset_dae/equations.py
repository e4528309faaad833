"""Equations of motion of the constrained wheelset of the Bari test set (problem II.22), as kernels.

A wheelset with conical wheels rolls on two rigid rails of circular cross section. Track frame: z forward,
y up, x to the left; yaw theta about y, then roll phi about the yawed z axis. Unknowns

    u = (x, y, z, theta, phi | their rates | beta | psi_R, xi_R, psi_L, xi_L | lambda_1, lambda_2),

beta the deviation of the spin rate from omega_0 = v_0/rho_0, xi and psi axial coordinate and shift angle of
a contact point, lambda the multipliers of the left (x > 0) and right contact, negative under load.

Wheel      R(xi) = rho_0 + tan(delta_0)(a_0 - |xi|)
Rail       G(s) = w - rho_0 - rho_1 cos(delta_0),  w = sqrt(rho_1^2 - (|s| - a_0 - rho_1 sin(delta_0))^2)
           s = x + xi cos(th) cos(ph) + R (cos(th) sin(ph) cos(psi) - sin(th) sin(psi))
Position   g1  = G(s) - y - xi sin(ph) + R cos(ph) cos(psi) = 0                                  (each side)
Tangency   g2a = G'(s)(R' sin(ph) + cos(ph) cos(psi)) + R' cos(th) cos(ph)
                 - cos(th) sin(ph) cos(psi) + sin(th) sin(psi) = 0
           g2b = R' sin(th) cos(ph) - sin(th) sin(ph) cos(psi) - cos(th) sin(psi) = 0
Velocity   b . v = 0 with b = dg1/dp at fixed xi, psi (dg1/dq vanishes where g2 = 0)
Forces     normal forces from C b^T lambda, creep forces by a tanh law cut at the friction limit.

Source: Mazzia and Magherini, Test Set for IVP Solvers 2.4 (2008), II.22, with these corrections, without
which neither the published start nor the published end values fit: q = (psi_R, xi_R, psi_L, xi_L) with the
signs lost in print, +b^T C lambda instead of -, gamma with a minus sign, G' at s on both sides,
theta/cos(Delta) in place of theta inside the creep part, the factors -I_2, -I_1 of the gyroscopic brackets,
kappa in the last term of v_r3, and the wagon forces Q, M and the contact ellipse c, which are not printed
at all.

Longer than other files: one set of published equations, in its order.
"""

from enum import IntEnum
from math import cos, exp, factorial, nan, sin, sqrt
from typing import NamedTuple

from klingel._jit import kernel

LEFT = 1.0
RIGHT = -1.0


class P(IntEnum):
    """Entries of the parameter vector, SI."""

    MASS = 0  # m_R [kg]
    GRAVITY = 1  # [m/s2]
    SPEED = 2  # v_0 [m/s]
    TRACTION = 3  # F_A [N]
    TORQUE = 4  # L_A [N m]
    CURVATURE = 5  # kappa [1/m]
    SIN_CANT = 6  # of alpha
    SPIN = 7  # omega_0 [1/s]
    I_AXLE = 8  # I_1 [kg m2]
    I_YAW = 9  # I_2 [kg m2]
    WAGON_MASS = 10  # m_A [kg]
    WAGON_HEIGHT = 11  # h_A [m]
    C_X = 12  # [N/m]
    C_Z = 13  # [N/m]
    ARM = 14  # x_l [m]
    SLOPE = 15  # tan(delta_0)
    SIN_CONE = 16  # sin(delta_0)
    COS_CONE = 17  # cos(delta_0)
    RADIUS = 18  # rho_0 [m]
    GAUGE = 19  # a_0, half the gauge [m]
    RAIL_RADIUS = 20  # rho_1 [m]
    FRICTION = 21  # mu
    SHEAR = 22  # G [N/m2]
    C11 = 23
    C22 = 24
    C23 = 25
    ELLIPSE = 26  # c^3 (A + B)/N: 3 (1 - sigma) epsilon / (2 pi G sqrt(G hat)) [m2/N]
    CONE = 27  # sqrt(1 + tan(delta_0)^2)
    SCALE = 28  # C, of the multipliers [N]
    COS_CANT = 29
    GAP_LEFT = 30  # value of g1 that counts as contact: that of the start [m]
    GAP_RIGHT = 31
    SIZE = 32


class Contact(NamedTuple):
    """One contact point: wheel, rail, shift angle, constraint Jacobian (G', -1, 0, b4, b5), residuals."""

    r: float
    dr: float
    dg: float
    sin_psi: float
    cos_psi: float
    b4: float
    b5: float
    g1: float
    g2a: float
    g2b: float


# the original program's value; the published end values do not decide about it
PI = 3.1415926
RAIL_MARGIN = 1e-5  # contact closer than this to the edge of the rail's circle is a derailment [m]


SERIES_UP_TO = 0.5  # angle up to which the series below leave less than rounding [rad]
SINE = tuple((-1.0) ** k / factorial(2 * k + 1) for k in range(1, 8))
COSINE = tuple((-1.0) ** k / factorial(2 * k) for k in range(2, 9))


@kernel(inner=True)
def sine_cosine(angle):
    """Of small angles, as yaw, roll and shift angles are, by their series: no call, rounded as the library's."""
    if not abs(angle) < SERIES_UP_TO:
        return sin(angle), cos(angle)
    x = angle * angle
    s = SINE[0] + x * (SINE[1] + x * (SINE[2] + x * (SINE[3] + x * (SINE[4] + x * (SINE[5] + x * SINE[6])))))
    c = COSINE[4] + x * (COSINE[5] + x * COSINE[6])
    c = COSINE[0] + x * (COSINE[1] + x * (COSINE[2] + x * (COSINE[3] + x * c)))
    return angle + angle * x * s, 1.0 - x * (0.5 - x * c)


@kernel(inner=True)
def saturation(x):
    """tanh(x) to rounding of 1, at a third of the cost of the library's."""
    if abs(x) > 20.0:
        return 1.0 if x > 0.0 else -1.0
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


@kernel(inner=True)
def wheel_radius(xi, p):
    """R and R' of the conical wheel."""
    sign = 1.0 if xi > 0.0 else -1.0
    return p[P.RADIUS] + p[P.SLOPE] * (p[P.GAUGE] - abs(xi)), -sign * p[P.SLOPE]


@kernel(inner=True)
def rail_height(s, p):
    """G and G' of the rail; NaN where the wheel has left the rail's circle."""
    radius = p[P.RAIL_RADIUS]
    offset = abs(s) - p[P.GAUGE] - radius * p[P.SIN_CONE]
    if not abs(offset) < radius - RAIL_MARGIN:
        return nan, nan
    w = sqrt(radius * radius - offset * offset)
    sign = 1.0 if s > 0.0 else -1.0
    return w - p[P.RADIUS] - radius * p[P.COS_CONE], -sign * offset / w


@kernel(merged=True)
def contact(x, y, st, ct, sp, cp, psi, xi, p):
    """R, R', G', sin and cos of psi, b4, b5, g1, g2a, g2b of one side."""
    ss, cs = sine_cosine(psi)
    r, dr = wheel_radius(xi, p)
    g, dg = rail_height(x + xi * ct * cp + r * (ct * sp * cs - st * ss), p)
    b4 = -dg * (r * (ct * ss + cs * sp * st) + xi * cp * st)
    b5 = -r * cs * sp - xi * cp + dg * ct * (r * cs * cp - xi * sp)
    g1 = g - y - xi * sp + r * cp * cs
    g2a = dg * (dr * sp + cp * cs) + dr * ct * cp - ct * sp * cs + st * ss
    g2b = dr * st * cp - st * sp * cs - ct * ss
    return Contact(r, dr, dg, ss, cs, b4, b5, g1, g2a, g2b)


@kernel(inner=True)
def contact_angle(side, st, ct, sp, cp, here):
    """sin and cos of Delta."""
    ss, cs, dr = here.sin_psi, here.cos_psi, here.dr
    tangent = ((dr * cp - sp * cs) * ct + ss * st) / (-side * (dr * sp + cs * cp))
    c = 1.0 / sqrt(1.0 + tangent * tangent)
    return tangent * c, c


@kernel(inner=True)
def ellipse_size(normal, r, p):
    """c = sqrt(a b) of the Hertzian contact ellipse; A and B are half the curvatures of wheel and rail."""
    radius, rail = r * p[P.CONE], p[P.RAIL_RADIUS]  # A = 0.5/radius, B = 0.5/rail
    return (p[P.ELLIPSE] * abs(normal) * 2.0 * radius * rail / (radius + rail)) ** (1.0 / 3.0)


@kernel(merged=True)
def creepages(side, u, theta, sp, cp, r, ss, cs, xi, sd, cd, p):
    """nu_1, nu_2, phi_3; `theta` is theta/cos(Delta)."""
    S, K = sine_cosine(theta)
    x, y, z = u[0], u[1], u[2]
    xd, yd, zd, thd, phd = u[5], u[6], u[7], u[8], u[9]
    om = p[P.SPIN] + u[10]
    v0 = p[P.SPEED]
    turn = v0 * p[P.CURVATURE]
    sa, ca = p[P.SIN_CANT], p[P.COS_CANT]
    a = r * (S * sp * cs + K * ss) + xi * S * cp
    d = xi * sp - r * cp * cs
    e = xi * K * cp + r * (K * sp * cs - S * ss)
    vr1 = xd - thd * a - phd * K * d - om * r * (S * cs + sp * K * ss) + turn * ca * (a - z)
    vr2 = yd + phd * (xi * cp + r * sp * cs) + om * r * cp * ss + turn * sa * (z - a)
    vr3 = (
        zd + v0 + turn * (x * ca - y * sa) - thd * e + phd * S * d + om * r * (S * sp * ss - K * cs)
        - turn * sa * d + turn * ca * e
    )  # fmt: skip
    w1 = vr1 - 2.0 * xd + 2.0 * turn * z * ca
    w2 = vr2 - 2.0 * yd - 2.0 * turn * z * sa
    w3 = vr3 - 2.0 * zd - 2.0 * v0 - 2.0 * turn * (x * ca - y * sa)
    roll = 1.0 / (0.5 * sqrt(w1 * w1 + w2 * w2 + w3 * w3))
    nu1 = (S * vr1 + K * vr3) * roll
    nu2 = (K * cd * vr1 + side * sd * vr2 - S * cd * vr3) * roll
    phi3 = (-side * sd * (om - turn * sa) + cd * (thd - turn * ca)) * roll
    return nu1, nu2, phi3, S, K


@kernel(merged=True)
def creep_force(normal, c, nu1, nu2, phi3, p):
    """T1, T2 in the contact plane and the linear demand (T1^2 + T2^2)/(mu N)^2 before the cut."""
    limit = p[P.FRICTION] * normal
    if limit == 0.0:
        return 0.0, 0.0, 0.0
    stiff = p[P.SHEAR] * c * c / limit
    t1 = saturation(stiff * p[P.C11] * nu1)
    t2 = saturation(stiff * (p[P.C22] * nu2 + c * p[P.C23] * phi3))
    demand = t1 * t1 + t2 * t2
    if demand > 1.0:
        limit /= sqrt(demand)
    return -limit * t1, -limit * t2, demand


@kernel(merged=True)
def side_forces(side, normal, u, xi, sp, cp, sd, cd, st, ct, here, p):
    """Creep force in track axes, its moments in the yaw, roll and spin rows, and the demand."""
    r, ss, cs = here.r, here.sin_psi, here.cos_psi
    nu1, nu2, phi3, S, K = creepages(side, u, u[3] / cd, sp, cp, r, ss, cs, xi, sd, cd, p)
    c = ellipse_size(normal, r, p)
    t1, t2, demand = creep_force(normal, c, nu1, nu2, phi3, p)
    f1 = S * t1 + K * cd * t2
    f2 = side * sd * t2
    f3 = K * t1 - S * cd * t2
    yaw = -(xi * st + r * ss * ct * cp) * f1 - r * ss * sp * f2 + (-xi * ct + r * ss * st * cp) * f3
    roll = (
        -(xi * ct * sp - r * cs * ct * cp) * f1
        + (xi * cp + r * cs * sp) * f2
        + (xi * st * sp - r * cs * st * cp) * f3
    )
    spin = -r * (cs * st + ss * ct * sp) * f1 + r * ss * cp * f2 - r * (cs * ct - ss * st * sp) * f3
    return f1, f2, f3, yaw, roll, spin, demand


@kernel(inner=True)
def normal_forces(dg_l, dg_r, sd_l, cd_l, sd_r, cd_r, lam_l, lam_r, p):
    """N_L, N_R, positive under load."""
    w1 = p[P.SCALE] * (dg_l * lam_l + dg_r * lam_r)
    w2 = -p[P.SCALE] * (lam_l + lam_r)
    gamma = -1.0 / (sd_l * cd_r + sd_r * cd_l)
    return gamma * (cd_r * w1 - sd_r * w2), gamma * (-cd_l * w1 - sd_l * w2)


@kernel(inner=True)
def wagon(u, p):
    """Q1, Q2, Q3 and M2, M3 of the wagon body (M1 = 0)."""
    v0, sa, ca = p[P.SPEED], p[P.SIN_CANT], p[P.COS_CANT]
    bend = v0 * v0 * p[P.CURVATURE]
    q1 = p[P.WAGON_MASS] * (bend - p[P.GRAVITY] * sa / ca) / ca
    q2 = -p[P.WAGON_MASS] * (bend * sa + p[P.GRAVITY] * ca)
    q3 = -2.0 * p[P.C_Z] * u[2]
    m2 = -2.0 * p[P.ARM] * p[P.ARM] * p[P.C_Z] * u[3]
    return q1, q2, q3, m2, -p[P.WAGON_HEIGHT] * q1


@kernel(inner=True)
def add_translation(u, force, f, p):
    """Rows of x, y, z: inertia of the moving frame, springs, weight and `force`."""
    m, v0, kap = p[P.MASS], p[P.SPEED], p[P.CURVATURE]
    sa, ca = p[P.SIN_CANT], p[P.COS_CANT]
    x, y, z = u[0], u[1], u[2]
    xd, yd, zd = u[5], u[6], u[7]
    across = 2.0 * v0 * kap * zd + v0 * v0 * kap * (1.0 + kap * (x * ca - y * sa))
    f[5] = ca * across - p[P.GRAVITY] * sa + (force[0] - 2.0 * p[P.C_X] * x) / m
    f[6] = -sa * across - p[P.GRAVITY] * ca + force[1] / m
    f[7] = -2.0 * v0 * kap * (xd * ca - yd * sa) + v0 * v0 * kap * kap * z + force[2] / m


@kernel(inner=True)
def add_rotation(u, st, ct, sp, cp, moment, f, p):
    """Rows of theta, phi and beta: gyroscopic terms and `moment`, solved for the accelerations."""
    i1, i2 = p[P.I_AXLE], p[P.I_YAW]
    sa, ca = p[P.SIN_CANT], p[P.COS_CANT]
    turn = p[P.SPEED] * p[P.CURVATURE]
    thd, phd = u[8], u[9]
    om = p[P.SPIN] + u[10]
    o1 = thd * sp - turn * (ct * cp * sa + sp * ca)
    o2 = thd * cp + turn * (ct * sp * sa - cp * ca)
    o3 = phd - turn * st * sa
    yaw = -i2 * (-thd * phd * sp + turn * (phd * (sa * ct * cp + ca * sp) - thd * sa * st * sp))
    roll = i2 * thd * turn * sa * ct
    spin = -i1 * (thd * phd * cp - turn * (phd * (ca * cp - sa * ct * sp) - thd * sa * st * cp))
    f[8] = (yaw - i1 * om * o3 - (i1 - i2) * o1 * o3 + moment[0]) / (i2 * cp)
    f[9] = (roll + i1 * om * o2 + (i1 - i2) * o1 * o2 + moment[1]) / i2
    f[10] = (spin + moment[2]) / i1 - f[8] * sp


@kernel(inner=True)
def accelerations(u, xi_l, xi_r, st, ct, sp, cp, left, right, lam_l, lam_r, f, p):
    """f[5:11] from the state, the two contacts and the multipliers; returns the two creep demands."""
    sd_l, cd_l = contact_angle(LEFT, st, ct, sp, cp, left)
    sd_r, cd_r = contact_angle(RIGHT, st, ct, sp, cp, right)
    n_l, n_r = normal_forces(left.dg, right.dg, sd_l, cd_l, sd_r, cd_r, lam_l, lam_r, p)
    a = side_forces(LEFT, n_l, u, xi_l, sp, cp, sd_l, cd_l, st, ct, left, p)
    b = side_forces(RIGHT, n_r, u, xi_r, sp, cp, sd_r, cd_r, st, ct, right, p)
    q1, q2, q3, m2, m3 = wagon(u, p)
    pull_l, pull_r = p[P.SCALE] * lam_l, p[P.SCALE] * lam_r
    force = (
        a[0] + b[0] + q1 + left.dg * pull_l + right.dg * pull_r,
        a[1] + b[1] + q2 - pull_l - pull_r,
        a[2] + b[2] + q3 + p[P.TRACTION],
    )
    moment = (
        a[3] + b[3] + cp * m2 + st * sp * m3 + left.b4 * pull_l + right.b4 * pull_r,
        a[4] + b[4] + ct * m3 + left.b5 * pull_l + right.b5 * pull_r,
        a[5] + b[5] + sp * m2 - st * cp * m3 + p[P.TORQUE],
    )
    add_translation(u, force, f, p)
    add_rotation(u, st, ct, sp, cp, moment, f, p)
    return a[6], b[6]
