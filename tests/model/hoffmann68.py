"""Hoffmann's two-axle wagon as he printed it: 68 differential equations, friction and leaf forces as states.

A second implementation, independent of the engine: own kinematics, own sum of forces, own state machines, in one
flat parameter array. Only the spline coefficients of the left contact table are shared; the right wheel is their
mirror image. Symmetric load, straight track, no impacts (the guides at 22.5 mm are not reached in its runs).

    y 0-4, 5-9    x, y, z, roll, yaw of the front and the rear wheelset
    y 10-14       y, z, roll, pitch, yaw of the carbody
    y 15-20, 21-26, 27-31  their velocities, the spins D_beta last
    y 32-63       T_i / Q, [corner][x 4, y 4]
    y 64-67       F / Q, leaf springs

Corners: front left, front right, rear left, rear right. Stuck slider: dT/dt = -k_i du/dt; slipping: T constant.
Leaf spring: (2.31), near equilibrium without its term c z - F.

Source: Hoffmann (2006), equations 2.16, 2.19 to 2.24, 2.26, 2.27, 2.31, 2.33 to 2.40, 2.45 to 2.49. Corrected:
the rate of the carbody's yaw in (2.27), the spin equation with -Gamma/r0. Kept beyond his truncation: products of
roll in the penetration, the spin D_beta in the gyroscopic moments (as in 2.13 before the approximation).
"""

from enum import IntEnum
from math import inf, sqrt

import numpy as np

from klingel._jit import kernel
from klingel.contact.table.wheel_table import SHORT_ROW
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

CORNERS, SLIDERS = 4, 8
FIRST_T, FIRST_F, STATES = 32, 64, 68
# modes: 32 sliders, then per corner bracket, lateral guide, leaf spring, wheel
BRACKET, GUIDE, LEAF, WHEEL, MODES = 32, 36, 40, 44, 48
LEAF_GUARDS, WHEEL_GUARDS = LEAF, LEAF + 3 * CORNERS  # slider, bracket and guide have one guard each
GUARDS_ = WHEEL_GUARDS + 2 * CORNERS
STICK, SLIDE_POS, SLIDE_NEG = 0, 1, 2
IDLE, SPRING_POS, SPRING_NEG = 0, 1, 2
AUTO, LOADING_H, LOADING_HZ, UNLOADING_HZ, UNLOADING_H = range(5)


class P(IntEnum):
    SPEED, GAMMA, GRAVITY, WHEEL_MASS, IXX, IYY, IZZ, MASS, JXX, JYY, JZZ = range(11)
    HALF_BASE, ARM_Y, ARM_Z, RADIUS, LOAD = range(11, 16)
    PENDULUM = 16  # x, y
    SLIDER_K = 18  # x 4, y 4
    SLIDER_T = 26
    BRACKET_K, BRACKET_GAP, GUIDE_K, GUIDE_GAP, FRICTION, DAMPING = range(34, 40)
    C_H, C_Z, MU0, F_R, BETA, F_TOL, Z0, Z_STAR, Z_STATIC = range(40, 49)
    SECTIONS, TABLE = 49, 50  # then bounds, start, per_step, first, count, coefficients


@kernel(inner=True)
def corner_motion(p, y, corner, d, positions):
    """Delta r_d (2.26) or its rate (2.27) of a corner, d = 0, 1, 2."""
    axle, side = corner // 2, 1.0 - 2.0 * (corner % 2)
    w = 5 * axle if positions else 15 + 6 * axle
    c = 10 if positions else 27
    ahead = p[P.HALF_BASE] * (1.0 - 2.0 * axle)
    left, below = side * p[P.ARM_Y], -p[P.ARM_Z]
    if d == 0:
        return y[w] - left * y[w + 4] - (-left * y[c + 4] + below * y[c + 3])
    if d == 1:
        return y[w + 1] - (y[c] + ahead * y[c + 4] - below * y[c + 2])
    return y[w + 2] + left * y[w + 3] - (y[c + 1] - ahead * y[c + 3] + left * y[c + 2])


@kernel(inner=True)
def static_line(p, z, upper):
    return p[P.C_Z] * (z - p[P.Z_STAR]) if upper else p[P.C_H] * z


@kernel(inner=True)
def leaf_rate(p, state, z, v, force):
    """dF/dt (2.31) [N/s]."""
    upper = state in (LOADING_HZ, UNLOADING_HZ) or (state == AUTO and z > p[P.Z0])
    static = static_line(p, z, upper)
    width = p[P.MU0] * static + p[P.F_R]
    if state == AUTO:
        return v / p[P.BETA] * width
    sign = 1.0 if state in (LOADING_H, LOADING_HZ) else -1.0
    return v / p[P.BETA] * (sign * (static - force) + width)


@kernel(inner=True)
def contact(p, t, y, axle, side, part, state, out):
    """Force of one contact on its wheelset into out: track frame 3, moment in the body frame 3."""
    w, d = 5 * axle, 15 + 6 * axle
    lateral, height = side * y[w + 1], p[P.RADIUS] + y[w + 2]  # seen in the mirror by the right wheel
    roll, yaw = y[w + 3], y[w + 4]
    n = int(p[P.SECTIONS])
    bounds = P.TABLE + 0
    weight = 1.0
    if state % 2 == 1:
        upper = (lateral - p[bounds + state]) / (p[bounds + state + 1] - p[bounds + state])
        upper = min(max(upper, 0.0), 1.0)
        weight = upper if part == 1 else 1.0 - upper
    section = state // 2 + part
    start = bounds + 2 * n + section
    s = (lateral - p[start]) * p[start + n]
    j = min(max(int(s), 0), int(p[start + 3 * n]) - 1)
    s -= j
    at = bounds + 6 * n + 4 * SHORT_ROW * (int(p[start + 2 * n]) + j)
    for k in range(SHORT_ROW):
        out[6 + k] = (
            p[at + k]
            + s * p[at + SHORT_ROW + k]
            + s * s * p[at + 2 * SHORT_ROW + k]
            + s * s * s * p[at + 3 * SHORT_ROW + k]
        )
    sine, cosine = side * out[6], out[7]
    wy, wz, ry, rz = side * out[8], out[9], side * out[10], out[11]
    by = (1.0 - 0.5 * roll * roll) * (ry - y[w + 1]) + roll * (rz - height) - wy
    bz = (1.0 - 0.5 * roll * roll) * (rz - height) - roll * (ry - y[w + 1]) - wz
    q = -by * sine + bz * cosine
    v, vroll, vyaw = y[d + 1], y[d + 3], y[d + 4]
    q_rate = -((y[d + 2] + vroll * wy) * cosine - (v - vroll * wz) * sine)
    normal = weight * (out[12] * max(q, 0.0) ** 1.5 + p[P.DAMPING] * q_rate)
    for k in range(6):
        out[k] = 0.0
    if q <= 0.0 or normal <= 0.0:
        return
    speed = p[P.SPEED] + p[P.GAMMA] * t
    spin = speed / p[P.RADIUS] + y[d + 5]
    xi = 1.0 + (spin * wz - vyaw * wy) / speed
    eta = (v - speed * yaw - vroll * wz) / (speed * cosine)
    phi = (vyaw * cosine - spin * sine) / speed
    fx = -out[13] * weight * q * xi
    fy = -out[14] * weight * q * eta - out[15] * (weight * q) ** 1.5 * phi
    u = sqrt(fx * fx + fy * fy) / (p[P.FRICTION] * normal)
    scale = 1.0 - u / 3.0 + u * u / 27.0 if u < 3.0 else 1.0 / u
    fx, fy = scale * fx, scale * fy
    gx, gy, gz = fx, fy * cosine - normal * sine, fy * sine + normal * cosine
    out[0], out[1], out[2] = gx - yaw * gy, yaw * gx + gy - roll * gz, roll * gy + gz
    out[3], out[4], out[5] = wy * gz - wz * gy, wz * gx, -wy * gx


@kernel(inner=True)
def suspension_force(p, y, mode, corner, d):
    """Force on the wheelset, track frame."""
    u = corner_motion(p, y, corner, d, True)
    if d == 2:
        return -p[P.LOAD] * y[FIRST_F + corner]
    force = -p[P.PENDULUM + d] * u
    for k in range(4):
        force += y[FIRST_T + SLIDERS * corner + 4 * d + k]
    force *= p[P.LOAD]
    if d == 1:
        for engaged, at in ((mode[BRACKET + corner], P.BRACKET_K), (mode[GUIDE + corner], P.GUIDE_K)):
            if engaged == SPRING_POS:
                force -= p[at] * (u - p[at + 1])
            elif engaged == SPRING_NEG:
                force -= p[at] * (u + p[at + 1])
    return force


@kernel(signature=RHS)
def rhs(t, y, memory, mode, p, dy):
    for k in range(5):
        dy[k], dy[5 + k], dy[10 + k] = y[15 + k], y[21 + k], y[27 + k]
    for k in range(17):
        dy[15 + k] = 0.0
    out = memory  # scratch
    for axle in range(2):
        d, roll, yaw = 15 + 6 * axle, y[5 * axle + 3], y[5 * axle + 4]
        for wheel in range(2):
            side = 1.0 - 2.0 * wheel
            state = mode[WHEEL + 2 * axle + wheel]
            for part in range(1 + state % 2):
                contact(p, t, y, axle, side, part, state, out)
                dy[d] += out[0]
                dy[d + 1] += out[1]
                dy[d + 2] += out[2]
                dy[d + 3] += out[3]
                dy[d + 4] += out[5]
                dy[d + 5] += out[4]
            corner = 2 * axle + wheel
            fx, fy, fz = (
                suspension_force(p, y, mode, corner, 0),
                suspension_force(p, y, mode, corner, 1),
                suspension_force(p, y, mode, corner, 2),
            )
            dy[d] += fx
            dy[d + 1] += fy
            dy[d + 2] += fz
            dy[d + 3] += side * p[P.ARM_Y] * (fz - roll * fy)
            dy[d + 4] -= side * p[P.ARM_Y] * (fx + yaw * fy)
            rx, ry, rz = p[P.HALF_BASE] * (1.0 - 2.0 * axle), side * p[P.ARM_Y], -p[P.ARM_Z]
            phi, theta, psi = y[12], y[13], y[14]
            bx = -fx - psi * fy + theta * fz
            by = -fy + psi * fx - phi * fz
            bz = -fz - theta * fx + phi * fy
            dy[27] -= fy
            dy[28] -= fz
            dy[29] += ry * bz - rz * by
            dy[30] += rz * bx - rx * bz
            dy[31] += rx * by - ry * bx
        spin = p[P.IYY] * ((p[P.SPEED] + p[P.GAMMA] * t) / p[P.RADIUS] + y[d + 5])
        dy[d] = dy[d] / p[P.WHEEL_MASS] - p[P.GAMMA]
        dy[d + 1] /= p[P.WHEEL_MASS]
        dy[d + 2] = dy[d + 2] / p[P.WHEEL_MASS] - p[P.GRAVITY]
        dy[d + 3] = (dy[d + 3] + spin * y[d + 4]) / p[P.IXX]
        dy[d + 4] = (dy[d + 4] - spin * y[d + 3]) / p[P.IZZ]
        dy[d + 5] = dy[d + 5] / p[P.IYY] - p[P.GAMMA] / p[P.RADIUS]
    dy[27] /= p[P.MASS]
    dy[28] = dy[28] / p[P.MASS] - p[P.GRAVITY]
    dy[29] /= p[P.JXX]
    dy[30] /= p[P.JYY]
    dy[31] /= p[P.JZZ]
    for corner in range(CORNERS):
        for k in range(SLIDERS):
            at = SLIDERS * corner + k
            sticks = mode[at] == STICK
            dy[FIRST_T + at] = -p[P.SLIDER_K + k] * corner_motion(p, y, corner, k // 4, False) if sticks else 0.0
        z = p[P.Z_STATIC] + corner_motion(p, y, corner, 2, True)
        v = corner_motion(p, y, corner, 2, False)
        force = p[P.LOAD] * y[FIRST_F + corner]
        dy[FIRST_F + corner] = leaf_rate(p, mode[LEAF + corner], z, v, force) / p[P.LOAD]
    return 0


@kernel(inner=True)
def band_guard(state, u, gap, both, side):
    """Dead band: `both` directions, else right corners upwards, left corners downwards."""
    if state == SPRING_POS:
        return u - gap
    if state == SPRING_NEG:
        return -u - gap
    if both:
        return gap - abs(u)
    return gap - u if side < 0.0 else gap + u


@kernel(signature=GUARDS)
def guards(t, y, memory, mode, p, g):
    for corner in range(CORNERS):
        side = 1.0 - 2.0 * (corner % 2)
        for k in range(SLIDERS):
            at = SLIDERS * corner + k
            rate = corner_motion(p, y, corner, k // 4, False)
            if p[P.SLIDER_K + k] == 0.0:
                g[at] = inf
            elif mode[at] == STICK:
                g[at] = p[P.SLIDER_T + k] - abs(y[FIRST_T + at])
            else:
                g[at] = rate if mode[at] == SLIDE_POS else -rate
        u = corner_motion(p, y, corner, 1, True)
        g[BRACKET + corner] = band_guard(mode[BRACKET + corner], u, p[P.BRACKET_GAP], True, side)
        g[GUIDE + corner] = band_guard(mode[GUIDE + corner], u, p[P.GUIDE_GAP], False, side)
        z = p[P.Z_STATIC] + corner_motion(p, y, corner, 2, True)
        v = corner_motion(p, y, corner, 2, False)
        state, at = mode[LEAF + corner], LEAF_GUARDS + 3 * corner
        away = abs(static_line(p, z, z > p[P.Z0]) - p[P.LOAD] * y[FIRST_F + corner])
        loads = state in (LOADING_H, LOADING_HZ)
        g[at] = inf if state == AUTO else (v if loads else -v)
        g[at + 1] = inf
        if state == LOADING_H:
            g[at + 1] = p[P.Z0] - z
        elif state == UNLOADING_HZ:
            g[at + 1] = z - p[P.Z0]
        g[at + 2] = (p[P.F_TOL] - away) / p[P.LOAD] if state == AUTO else inf
        state, at = mode[WHEEL + corner], WHEEL_GUARDS + 2 * corner
        lateral = side * y[5 * (corner // 2) + 1]
        g[at] = lateral - p[P.TABLE + state]
        g[at + 1] = p[P.TABLE + state + 1] - lateral


@kernel(inner=True)
def after_turn(p, state, z, v, force):
    upper = state in (LOADING_HZ, UNLOADING_HZ)
    if abs(static_line(p, z, upper) - force) < p[P.F_TOL]:
        return AUTO
    if state in (LOADING_H, LOADING_HZ):
        return UNLOADING_HZ if upper else UNLOADING_H
    return LOADING_HZ if upper else LOADING_H


@kernel(inner=True)
def leaf_act(p, y, mode, fired, corner):
    z = p[P.Z_STATIC] + corner_motion(p, y, corner, 2, True)
    v = corner_motion(p, y, corner, 2, False)
    state, at = mode[LEAF + corner], LEAF_GUARDS + 3 * corner
    if fired[at]:
        mode[LEAF + corner] = after_turn(p, state, z, v, p[P.LOAD] * y[FIRST_F + corner])
    elif fired[at + 1]:
        mode[LEAF + corner] = LOADING_HZ if state == LOADING_H else UNLOADING_H
    elif fired[at + 2]:
        upper = z > p[P.Z0]
        if v >= 0.0:
            mode[LEAF + corner] = LOADING_HZ if upper else LOADING_H
        else:
            mode[LEAF + corner] = UNLOADING_HZ if upper else UNLOADING_H


@kernel(signature=ACT)
def act(t, y, memory, mode, p, fired):
    stop = 0
    for corner in range(CORNERS):
        for k in range(SLIDERS):
            at = SLIDERS * corner + k
            if not fired[at]:
                continue
            if mode[at] == STICK:
                pushed = y[FIRST_T + at] < 0.0
                mode[at] = SLIDE_POS if pushed else SLIDE_NEG
                y[FIRST_T + at] = -p[P.SLIDER_T + k] if pushed else p[P.SLIDER_T + k]
            else:
                mode[at] = STICK
        u = corner_motion(p, y, corner, 1, True)
        for first in (BRACKET, GUIDE):
            if fired[first + corner]:
                engages = SPRING_POS if u > 0.0 else SPRING_NEG
                mode[first + corner] = engages if mode[first + corner] == IDLE else IDLE
        leaf_act(p, y, mode, fired, corner)
        at = WHEEL_GUARDS + 2 * corner
        if fired[at] or fired[at + 1]:
            lateral = (1.0 - 2.0 * (corner % 2)) * y[5 * (corner // 2) + 1]
            state = 0
            while state < 2 * int(p[P.SECTIONS]) - 2 and lateral >= p[P.TABLE + state + 1]:
                state += 1
            mode[WHEEL + corner] = state
    return stop


def wagon68(p: np.ndarray, mode: np.ndarray) -> HybridProblem:
    """Ready for `integrate`."""
    owner = [*range(LEAF)]
    for corner in range(CORNERS):
        owner += [LEAF + corner] * 3
    for corner in range(CORNERS):
        owner += [WHEEL + corner] * 2
    return HybridProblem(
        rhs, p, tuple(f"y{k + 1}" for k in range(STATES)), guards=guards, act=act,
        guard_names=tuple(f"g{k}" for k in range(GUARDS_)), guard_owner=tuple(owner),
        mode_names=tuple(f"m{k}" for k in range(MODES)), memory=np.zeros(6 + SHORT_ROW), mode=mode,
    )  # fmt: skip
