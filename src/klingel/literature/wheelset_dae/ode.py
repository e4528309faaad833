"""The constrained wheelset as an underlying ordinary differential equation of 11 unknowns p, v, beta.

The second, independent route to the solution of `wheelset_dae`. For a cone on a circle the contact
variables have a closed form, which the DAE formulation does not use:

    g2b:   st sp cos(psi) + ct sin(psi) = R' st cp                        -> psi, R' = -+tan(delta_0) being
    constant g2a:   G' = -(R' ct cp - ct sp cos(psi) + st sin(psi)) / (R' sp + cp cos(psi)) rail:  |s| = a_0
    + rho_1 sin(delta_0) -+ rho_1 G'/sqrt(1 + G'^2)       -> xi, linear in s

(st, ct, sp, cp: sine and cosine of theta and phi). Differentiating them gives d(b)/dt exactly; the
multipliers follow from b v' + (db/dt) v = 0, two equations solved by Newton's method. g1 and b v are
invariants.
"""

from math import asin, atan2, cos, sin, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.literature.wheelset_dae.equations import LEFT, RIGHT, P, accelerations, contact
from klingel.literature.wheelset_dae.problem import STATE_NAMES, Wheelset, gaps, rolling
from klingel.numerics.dae.problem import DaeProblem
from klingel.numerics.signatures import RHS

MAX_NEWTON = 20
DIFFERENCE = 1e-6  # increment of the multipliers for their Jacobian
FINE = 1e-15  # correction of a multiplier that only moves the last digit


@kernel(inner=True)
def contact_variables(u, side, p):
    """psi and xi of one side, and G'."""
    st, ct, sp, cp = sin(u[3]), cos(u[3]), sin(u[4]), cos(u[4])
    dr = -side * p[P.SLOPE]
    psi = asin(dr * st * cp / sqrt(st * st * sp * sp + ct * ct)) - atan2(st * sp, ct)
    ss, cs = sin(psi), cos(psi)
    dg = -(dr * ct * cp - ct * sp * cs + st * ss) / (dr * sp + cp * cs)
    reach = p[P.GAUGE] + p[P.RAIL_RADIUS] * p[P.SIN_CONE]
    s = side * reach - p[P.RAIL_RADIUS] * dg / sqrt(1.0 + dg * dg)
    lean = ct * sp * cs - st * ss
    axle = p[P.RADIUS] + p[P.SLOPE] * p[P.GAUGE]
    return psi, (s - u[0] - axle * lean) / (ct * cp + dr * lean), dg


@kernel(inner=True)
def curvature_term(u, side, psi, xi, dg, p):
    """(db/dt) v of one side."""
    st, ct, sp, cp, ss, cs = sin(u[3]), cos(u[3]), sin(u[4]), cos(u[4]), sin(psi), cos(psi)
    xd, th, ph = u[5], u[8], u[9]
    dr = -side * p[P.SLOPE]
    r = p[P.RADIUS] + p[P.SLOPE] * p[P.GAUGE] + dr * xi
    # rates of psi, G', xi and R
    ps = -((dr * ct * cp - ct * sp * cs + st * ss) * th - (dr * st * sp + st * cp * cs) * ph) / (
        st * sp * ss - ct * cs
    )
    den, num = dr * sp + cp * cs, dr * ct * cp - ct * sp * cs + st * ss
    den_t = (dr * cp - sp * cs) * ph - cp * ss * ps
    num_t = (-dr * st * cp + st * sp * cs + ct * ss) * th - (dr * ct * sp + ct * cp * cs) * ph
    num_t += (ct * sp * ss + st * cs) * ps
    dg_t = -(num_t * den - num * den_t) / (den * den)
    slope = 1.0 + dg * dg
    s_t = -dg_t * p[P.RAIL_RADIUS] / (slope * sqrt(slope))
    lean = ct * sp * cs - st * ss
    lean_t = -(st * sp * cs + ct * ss) * th + ct * cp * cs * ph - (ct * sp * ss + st * cs) * ps
    xi_t = (s_t - xd + xi * (st * cp * th + ct * sp * ph) - r * lean_t) / (ct * cp + dr * lean)
    r_t = dr * xi_t
    # rates of b4 and b5
    arm = r * (ct * ss + cs * sp * st) + xi * cp * st
    arm_t = r_t * (ct * ss + cs * sp * st) + xi_t * cp * st + (xi * cp * ct - r * (st * ss - cs * sp * ct)) * th
    arm_t += (r * cs * cp - xi * sp) * st * ph + r * (ct * cs - ss * sp * st) * ps
    lift = r * cs * cp - xi * sp
    lift_t = r_t * cs * cp - xi_t * sp - (r * cs * sp + xi * cp) * ph - r * ss * cp * ps
    b4_t = -dg_t * arm - dg * arm_t
    b5_t = -r_t * cs * sp - xi_t * cp + (xi * sp - r * cs * cp) * ph + r * ss * sp * ps
    b5_t += (dg_t * ct - dg * st * th) * lift + dg * ct * lift_t
    return dg_t * xd + b4_t * th + b5_t * ph


@kernel(inner=True)
def contact_point(u, side, p):
    """Contact tuple of one side, its xi and psi, and (db/dt) v."""
    psi, xi, dg = contact_variables(u, side, p)
    here = contact(u[0], u[1], sin(u[3]), cos(u[3]), sin(u[4]), cos(u[4]), psi, xi, p)
    return here, psi, xi, curvature_term(u, side, psi, xi, dg, p)


@kernel(inner=True)
def constraint_acceleration(u, left, right, xi_l, xi_r, lam_l, lam_r, extra_l, extra_r, f, p):
    """b v' + (db/dt) v of both sides for given multipliers; leaves the accelerations in f."""
    st, ct, sp, cp = sin(u[3]), cos(u[3]), sin(u[4]), cos(u[4])
    accelerations(u, xi_l, xi_r, st, ct, sp, cp, left, right, lam_l, lam_r, f, p)
    return rolling(left, f) + extra_l, rolling(right, f) + extra_r


@kernel(inner=True)
def multipliers(u, left, right, xi_l, xi_r, extra_l, extra_r, f, p):
    """lambda of both sides from the static loads by Newton; accelerations in f; nonzero when it fails."""
    lam_l = lam_r = -0.5 * p[P.MASS] * p[P.GRAVITY] / p[P.SCALE]
    for _ in range(MAX_NEWTON):
        a, b = constraint_acceleration(u, left, right, xi_l, xi_r, lam_l, lam_r, extra_l, extra_r, f, p)
        e = DIFFERENCE
        a_l, b_l = constraint_acceleration(u, left, right, xi_l, xi_r, lam_l + e, lam_r, extra_l, extra_r, f, p)
        a_r, b_r = constraint_acceleration(u, left, right, xi_l, xi_r, lam_l, lam_r + e, extra_l, extra_r, f, p)
        k11, k12, k21, k22 = (a_l - a) / e, (a_r - a) / e, (b_l - b) / e, (b_r - b) / e
        det = k11 * k22 - k12 * k21
        d_l, d_r = (k22 * a - k12 * b) / det, (k11 * b - k21 * a) / det
        lam_l -= d_l
        lam_r -= d_r
        if abs(d_l) + abs(d_r) < FINE:
            constraint_acceleration(u, left, right, xi_l, xi_r, lam_l, lam_r, extra_l, extra_r, f, p)
            return 0, lam_l, lam_r
    return 1, lam_l, lam_r


@kernel(signature=RHS)
def rhs(t, u, memory, mode, p, f):
    left, _, xi_l, extra_l = contact_point(u, LEFT, p)
    right, _, xi_r, extra_r = contact_point(u, RIGHT, p)
    for i in range(5):
        f[i] = u[5 + i]
    failed, _, _ = multipliers(u, left, right, xi_l, xi_r, extra_l, extra_r, f, p)
    return failed


@kernel(signature=RHS)
def manifold(t, u, memory, mode, p, r):
    """g1 and b v of both sides."""
    left, _, _, _ = contact_point(u, LEFT, p)
    right, _, _, _ = contact_point(u, RIGHT, p)
    r[0] = left.g1 - p[P.GAP_LEFT]
    r[1] = right.g1 - p[P.GAP_RIGHT]
    r[2] = rolling(left, u)
    r[3] = rolling(right, u)
    return 0


@kernel
def complete(u, f, p, full):
    """All 17 components from the first 11."""
    left, psi_l, xi_l, extra_l = contact_point(u, LEFT, p)
    right, psi_r, xi_r, extra_r = contact_point(u, RIGHT, p)
    failed, lam_l, lam_r = multipliers(u, left, right, xi_l, xi_r, extra_l, extra_r, f, p)
    for i in range(11):
        full[i] = u[i]
    full[11], full[12], full[13], full[14], full[15], full[16] = psi_r, xi_r, psi_l, xi_l, lam_l, lam_r
    return failed


def problem(wheelset: Wheelset, start: np.ndarray) -> DaeProblem:
    """Ordinary differential equation with four invariants; `start` is a consistent 17-component start."""
    p = wheelset.vector()
    p[P.GAP_LEFT], p[P.GAP_RIGHT] = gaps(p, start)
    return DaeProblem(
        rhs=rhs,
        parameters=p,
        state_names=STATE_NAMES[:11],
        mass=np.ones(11),
        index=(1,) * 11,
        invariants=manifold,
        invariant_names=("gap_left", "gap_right", "rolling_left", "rolling_right"),
    )


def all_components(case: DaeProblem, u: np.ndarray) -> np.ndarray:
    """The 17 components of the DAE at a state of the differential equation."""
    full, f = np.zeros(17), np.zeros(11)
    complete(np.asarray(u, float), f, case.parameters, full)
    return full
