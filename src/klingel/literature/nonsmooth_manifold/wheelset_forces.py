"""Forces on the rigid wheelset and its accelerations under its constraints.

    m qdd = f + N lambda,    N^T qdd = D^2 h(qd, qd)    ->    (N^T m^-1 N) lambda = D^2 h - N^T m^-1 f

with q = (y, z, roll, yaw), m = diag(mass, mass, roll inertia, yaw inertia), the columns of N the normals of the
constraints. A normal force in the contact plane of slope tan(gamma) is lambda/cos(gamma).

Creep: the wheel turns at Omega = V/r0; with the sliding velocity w = sd + omega x r of the contact point and the
creepages w_x/V, w_t/V along and across the rail, Vermeulen and Johnson's law

    F = -(f11 w_x, f22 w_t)/V phi(u),   u = |(f11 w_x, f22 w_t)|/(V mu N),
    phi = 1 - u/3 + u^2/27 for u < 3, 1/u beyond.

Spin creepage is left out. Normal and creep forces depend on each other on a steep flange: they are iterated.
Suspension: springs and dampers on y and yaw; the axle load acts at the centre. Gyroscopic moments of the spin.
"""

from enum import IntEnum
from math import sqrt

from klingel._jit import kernel
from klingel.literature.nonsmooth_manifold.wheelset_contact import SINGLE, Point, Row

FORCE_ROUNDS = 100  # gain a factor of mu tan(gamma) each: 0.4 on a steep flange
FORCE_TOLERANCE = 1e-13  # of the axle load


class P(IntEnum):
    """Places in the parameter array."""

    MASS, ROLL_INERTIA, YAW_INERTIA, SPIN_INERTIA, LOAD, SPEED, RADIUS = range(7)
    LATERAL_FORCE, LATERAL_STIFFNESS, LATERAL_DAMPING, YAW_STIFFNESS, YAW_DAMPING = range(7, 12)
    CREEP_ALONG, CREEP_ACROSS, FRICTION = range(12, 15)
    LAW, NUMBER, NU, RESTING = range(15, 19)
    WHEEL_ROWS, RAIL_ROWS = range(19, 21)
    POINTS = 21  # scratch: 4 contact points
    ROWS = 73  # scratch: 4 constraints
    WORK = 97  # scratch: vectors and small matrices
    SECTIONS = 169  # four sections, from and to
    TABLES = 177  # wheel pieces, rail pieces, rail breaks


@kernel
def suspension(p, y, yaw, v, force):
    """Springs, dampers, load and gyroscopic moments; v = (y_dot, z_dot, roll_dot, yaw_dot)."""
    spin = p[P.SPIN_INERTIA] * p[P.SPEED] / p[P.RADIUS]
    force[0] = p[P.LATERAL_FORCE] - p[P.LATERAL_STIFFNESS] * y - p[P.LATERAL_DAMPING] * v[0]
    force[1] = -p[P.LOAD]
    force[2] = spin * v[3]
    force[3] = -p[P.YAW_STIFFNESS] * yaw - p[P.YAW_DAMPING] * v[3] - spin * v[2]


@kernel
def sliding(p, q, v, x, y, z, slope):
    """Sliding velocity of a contact point along and across the rail, and along the normal (zero in contact)."""
    turn = p[P.SPEED] / p[P.RADIUS]
    wx = -turn * q.sy * q.cr + v[2] * q.cy
    wy = turn * q.cy * q.cr + v[2] * q.sy
    wz = turn * q.sr + v[3]
    along = p[P.SPEED] + wy * z - wz * y
    side, up = v[0] + wz * x - wx * z, v[1] + wx * y - wy * x
    c = 1.0 / sqrt(1.0 + slope * slope)
    return along, (side + slope * up) * c, (up - slope * side) * c


@kernel
def creep(p, along, across, normal):
    """Tangential forces from sliding velocities and the normal force."""
    fx = p[P.CREEP_ALONG] * along / p[P.SPEED]
    ft = p[P.CREEP_ACROSS] * across / p[P.SPEED]
    most = p[P.FRICTION] * max(normal, 0.0)
    size = sqrt(fx * fx + ft * ft)
    if size >= 3.0 * most:
        factor = most / size if size > 0.0 else 0.0
    else:
        u = size / most
        factor = 1.0 - u / 3.0 + u * u / 27.0
    return -fx * factor, -ft * factor


@kernel
def add_creep(p, q, v, point, force):
    """Generalised creep force of one contact point with the normal force stored there."""
    side = point[Point.SIDE]
    x, y, z, slope = point[Point.X], side * point[Point.Y], point[Point.Z], side * point[Point.SLOPE]
    along, across, _ = sliding(p, q, v, x, y, z, slope)
    fx, ft = creep(p, along, across, point[Point.FORCE])
    c = 1.0 / sqrt(1.0 + slope * slope)
    fy, fz = ft * c, ft * slope * c
    force[0] += fy
    force[1] += fz
    force[2] += (y * fz - z * fy) * q.cy + (z * fx - x * fz) * q.sy
    force[3] += x * fy - y * fx


@kernel
def _solve_lambda(p, rows, count, force, gram, right):
    """(N^T m^-1 N) lambda = D^2 h - N^T m^-1 f by elimination; the matrix is positive definite."""
    for i in range(count):
        right[i] = rows[i, Row.BEND]
        for k in range(4):
            right[i] -= rows[i, k] * force[k] / _inertia(p, k)
        for j in range(count):
            total = 0.0
            for k in range(4):
                total += rows[i, k] * rows[j, k] / _inertia(p, k)
            gram[i, j] = total
    for i in range(count):
        for j in range(i + 1, count):
            factor = gram[j, i] / gram[i, i]
            for k in range(i, count):
                gram[j, k] -= factor * gram[i, k]
            right[j] -= factor * right[i]
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            right[i] -= gram[i, j] * right[j]
        right[i] /= gram[i, i]


@kernel
def _inertia(p, k):
    return p[P.MASS] if k < 2 else p[P.ROLL_INERTIA + k - 2]


@kernel
def forces(p, q, yaw, v, mode, points, rows, count, force, applied, gram, right):
    """All forces in equilibrium with each other: fills `applied`, lambda in `rows`, normal forces in `points`.

    Returns whether the iteration of normal and creep forces has ended.
    """
    suspension(p, q.y, yaw, v, force)
    for i in range(4):
        points[i, Point.FORCE] = 0.5 * p[P.LOAD]
    for _ in range(FORCE_ROUNDS):
        for k in range(4):
            applied[k] = force[k]
        for wheel in range(2):
            for k in range(2 if mode[wheel] >= SINGLE else 1):
                add_creep(p, q, v, points[2 * wheel + k], applied)
        _solve_lambda(p, rows, count, applied, gram, right)
        change = 0.0
        for wheel in range(2):
            for k in range(2 if mode[wheel] >= SINGLE else 1):
                point = points[2 * wheel + k]
                share = point[Point.WEIGHT] * right[int(point[Point.CONSTRAINT])]
                normal = share * sqrt(1.0 + point[Point.SLOPE] ** 2)
                change = max(change, abs(normal - point[Point.FORCE]))
                point[Point.FORCE] = normal
        if change <= FORCE_TOLERANCE * p[P.LOAD]:
            break
    for i in range(count):
        rows[i, Row.FORCE] = right[i]
    return change <= 1e3 * FORCE_TOLERANCE * p[P.LOAD]


@kernel
def acceleration(p, rows, count, applied, k):
    """qdd_k."""
    total = applied[k]
    for i in range(count):
        total += rows[i, k] * rows[i, Row.FORCE]
    return total / _inertia(p, k)


@kernel
def mobility_beside(p, rows, count, skip_from, skip_to, gram, mobility):
    """m^-1 restricted to motions that keep all constraints but those from `skip_from` to `skip_to`.

    The constraints kept are those of one wheel, one or two; they are taken out one after the other.
    """
    for i in range(4):
        for j in range(4):
            mobility[i, j] = 1.0 / _inertia(p, i) if i == j else 0.0
    for row in range(count):
        if skip_from <= row < skip_to:
            continue
        square = 0.0
        for i in range(4):
            gram[0, i] = 0.0
            for j in range(4):
                gram[0, i] += mobility[i, j] * rows[row, j]
            square += gram[0, i] * rows[row, i]
        for i in range(4):
            for j in range(4):
                mobility[i, j] -= gram[0, i] * gram[0, j] / square


@kernel
def kinetic_energy(p, v):
    """Of y, z, roll and yaw [J]."""
    total = 0.0
    for k in range(4):
        total += 0.5 * _inertia(p, k) * v[k] * v[k]
    return total
