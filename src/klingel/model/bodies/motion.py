"""Kinematics and dynamics of rigid bodies in the track-following frame: state -> ports, forces -> accelerations.

Angles and displacements are small: rotations are vectors (roll, pitch, yaw), the point P of a body moves by

    (x - yaw y_P + pitch z_P,  y + yaw x_P - roll z_P,  z - pitch x_P + roll y_P)

and a force of the track frame has in the body's frame the components F - rotation x F: this second-order term is
kept in the moments, because the static load times the roll angle is a sizeable stiffness. A body that spins
(wheelset) does not pitch; its spin on top of V/r0 is kept apart.

Everything stands in rows of four, three components and a zero, which fit a vector register. Products with a point
are arranged so that no component has to change its place in the row: a rotation moves a point by a sum of three
constant rows, one per angle, and forces F at points P of a body are summed up as F and the three rows F x_P,
F y_P, F z_P. The sum of the moments follows from these sums alone,

    P x (F - r x F) = P x F - r (P . F) + F (P . r)

Source: Hoffmann (2006), sections 2.1.5 and 2.1.6; the spin equation with its term -Gamma/r0 restored.
"""

from math import nan

import numpy as np

from klingel._jit import kernel
from klingel.model.system import LINK_INTS, BodyField, Head, LoadField, MotionField, PortField, Run

AXES = 6
LANES = 4  # length of a row
ROW = MotionField.SIZE.value
ROTATION = MotionField.ROTATION.value
ROLL, PITCH, YAW = ROTATION, ROTATION + 1, ROTATION + 2
RATES = MotionField.VELOCITY.value
SPIN = MotionField.SPIN.value
ACCELERATION = MotionField.ACCELERATION.value
LOAD_ROW = LoadField.SIZE.value
MOMENT = LoadField.MOMENT.value
LEVERED = LoadField.LEVERED.value
LEVER_ROW = 6 * LANES
STATE_ROW = MotionField.ACCELERATION.value + 1  # positions, velocities, spin
PORT_ROW = LANES * PortField.SIZE.value  # scratch of a row of ports


def lever(arms: np.ndarray) -> np.ndarray:
    """[link][LEVER_ROW] from arms[link][inner 3, outer 3]: how far the outer point moves against the inner one.

    Rows for roll, pitch, yaw of the outer body, then of the inner one.
    """
    rows = np.zeros((len(arms), 2, 3, LANES))
    for end, sign in ((0, 1.0), (1, -1.0)):
        x, y, z = sign * arms[:, 3 - 3 * end : 6 - 3 * end].T
        rows[:, end, 0, 1], rows[:, end, 0, 2] = -z, y
        rows[:, end, 1, 0], rows[:, end, 1, 2] = z, -x
        rows[:, end, 2, 0], rows[:, end, 2, 1] = -y, x
    return rows


@kernel(merged=True)
def write_row(f, o, a, b, c, d):
    f[o], f[o + 1], f[o + 2], f[o + 3] = a, b, c, d


@kernel(merged=True)
def gather(p, x):
    """Positions and velocities of all bodies from the state; prescribed ones are zero.

    Whole rows are written, because loads of rows written number by number have to wait. A prescribed coordinate is
    any state times zero.
    """
    f, i = p
    f[i[Head.RUN] + Run.EVALUATED] = nan
    for b in range(i[Head.BODIES]):
        o, s, m = i[Head.MOTION] + ROW * b, i[Head.STATE_OF] + STATE_ROW * b, i[Head.FREE] + STATE_ROW * b
        for k in range(0, MotionField.ACCELERATION, LANES):
            first, second = x[i[s + k]] * f[m + k], x[i[s + k + 1]] * f[m + k + 1]
            third, fourth = x[i[s + k + 2]] * f[m + k + 2], x[i[s + k + 3]] * f[m + k + 3]
            write_row(f, o + k, first, second, third, fourth)
        f[o + SPIN] = x[i[s + STATE_ROW - 1]] * f[m + STATE_ROW - 1]


@kernel(merged=True)
def apart(f, inner, outer, c, d):
    """Component d of the displacement (or velocity) of a link's outer point against its inner one."""
    turned = (
        f[outer + ROLL] * f[c + d] + f[outer + PITCH] * f[c + LANES + d] + f[outer + YAW] * f[c + 2 * LANES + d]
    )
    c += 3 * LANES
    back = f[inner + ROLL] * f[c + d] + f[inner + PITCH] * f[c + LANES + d] + f[inner + YAW] * f[c + 2 * LANES + d]
    return (f[outer + d] - f[inner + d]) + (turned + back)


@kernel(merged=True)
def deform_links(p):
    """Relative displacement and rate of all six directions of every link: outer minus inner."""
    f, i = p
    ports, turn, u, v = i[Head.PORT_STATE], i[Head.TURN_PORTS], LANES * PortField.U, LANES * PortField.V
    for link in range(i[Head.LINKS]):
        at, c, o = i[Head.LINK_AT] + LINK_INTS * link, i[Head.LEVER] + LEVER_ROW * link, ports + PORT_ROW * link
        a, b = i[at], i[at + 1]
        u0, u1, u2, u3 = apart(f, a, b, c, 0), apart(f, a, b, c, 1), apart(f, a, b, c, 2), apart(f, a, b, c, 3)
        r, s = a + ROTATION, b + ROTATION
        u4, u5, u6, u7 = f[s] - f[r], f[s + 1] - f[r + 1], f[s + 2] - f[r + 2], f[s + 3] - f[r + 3]
        a, b = a + RATES, b + RATES
        v0, v1, v2, v3 = apart(f, a, b, c, 0), apart(f, a, b, c, 1), apart(f, a, b, c, 2), apart(f, a, b, c, 3)
        r, s = a + ROTATION, b + ROTATION
        v4, v5, v6, v7 = f[s] - f[r], f[s + 1] - f[r + 1], f[s + 2] - f[r + 2], f[s + 3] - f[r + 3]
        write_row(f, o + u, u0, u1, u2, u3)
        write_row(f, o + v, v0, v1, v2, v3)
        write_row(f, o + turn + u, u4, u5, u6, u7)
        write_row(f, o + turn + v, v4, v5, v6, v7)
    if i[Head.HAS_TRACK]:
        add_track(p)


@kernel(inner=True)
def add_track(p):
    """What the track adds to deformations and rates."""
    f, i = p
    for row in range(i[Head.PORT_ROWS]):
        o = i[Head.PORT_STATE] + PORT_ROW * row
        for d in range(LANES):
            f[o + LANES * PortField.U + d] += f[o + LANES * PortField.U_TRACK + d]
            f[o + LANES * PortField.V + d] += f[o + LANES * PortField.V_TRACK + d]


@kernel(inner=True)
def move_links(p, x):
    """The motion of all bodies and links at the state x."""
    gather(p, x)
    deform_links(p)


@kernel(merged=True)
def clear_loads(p):
    """Of all bodies; written row by row, because as a loop it would become a call."""
    f, i = p
    for b in range(i[Head.BODIES] + 1):
        o = i[Head.LOAD] + LOAD_ROW * b
        f[o], f[o + 1], f[o + 2], f[o + 3] = 0.0, 0.0, 0.0, 0.0
        f[o + 4], f[o + 5], f[o + 6], f[o + 7] = 0.0, 0.0, 0.0, 0.0
        f[o + 8], f[o + 9], f[o + 10], f[o + 11] = 0.0, 0.0, 0.0, 0.0
        f[o + 12], f[o + 13], f[o + 14], f[o + 15] = 0.0, 0.0, 0.0, 0.0
        f[o + 16], f[o + 17], f[o + 18], f[o + 19] = 0.0, 0.0, 0.0, 0.0
        f[o + LoadField.SPIN_MOMENT] = 0.0


@kernel(merged=True)
def force_at(f, o):
    """offset + slope u + damping v + own force of one port."""
    own = f[o] + f[o + LANES * PortField.OWN]
    elastic = f[o + LANES * PortField.SLOPE] * f[o + LANES * PortField.U]
    return own + elastic + f[o + LANES * PortField.DAMPING] * f[o + LANES * PortField.V]


@kernel(merged=True)
def add_row(f, o, a, b, c, d):
    a, b, c, d = f[o] + a, f[o + 1] + b, f[o + 2] + c, f[o + 3] + d
    f[o], f[o + 1], f[o + 2], f[o + 3] = a, b, c, d


@kernel(merged=True)
def add_load(f, load, arm, fx, fy, fz, f0, mx, my, mz, m0):
    """Force in the track frame at the point with this arm, and moment, on the body with this row of loads."""
    px, py, pz = f[arm], f[arm + 1], f[arm + 2]
    add_row(f, load, fx, fy, fz, f0)
    add_row(f, load + MOMENT, mx, my, mz, m0)
    add_row(f, load + LEVERED, px * fx, px * fy, px * fz, px * f0)
    add_row(f, load + LEVERED + LANES, py * fx, py * fy, py * fz, py * f0)
    add_row(f, load + LEVERED + 2 * LANES, pz * fx, pz * fy, pz * fz, pz * f0)


@kernel(merged=True)
def load_bodies(p):
    """Forces of all links on their bodies, which pull the outer body back against a positive deformation."""
    f, i = p
    for link in range(i[Head.LINKS]):
        at, arm = i[Head.LINK_AT] + LINK_INTS * link, i[Head.ARM] + 6 * link
        o = i[Head.PORT_STATE] + PORT_ROW * link
        r = o + i[Head.TURN_PORTS]
        x, y, z, w = force_at(f, o), force_at(f, o + 1), force_at(f, o + 2), force_at(f, o + 3)
        a, b, c, d = force_at(f, r), force_at(f, r + 1), force_at(f, r + 2), force_at(f, r + 3)
        write_row(f, o + LANES * PortField.FORCE, x, y, z, w)
        write_row(f, r + LANES * PortField.FORCE, a, b, c, d)
        add_load(f, i[at + 2], arm, x, y, z, w, a, b, c, d)
        add_load(f, i[at + 3], arm + 3, -x, -y, -z, -w, -a, -b, -c, -d)


@kernel(merged=True)
def link_moment(f, load, o):
    """Moment of all forces of the links, from their sums and the rotation of the body."""
    roll, pitch, yaw = f[o + ROLL], f[o + PITCH], f[o + YAW]
    a, b, c = load + LEVERED, load + LEVERED + LANES, load + LEVERED + 2 * LANES
    mx = (f[b + 2] - f[c + 1]) - roll * (f[b + 1] + f[c + 2]) + (pitch * f[b] + yaw * f[c])
    my = (f[c] - f[a + 2]) - pitch * (f[a] + f[c + 2]) + (roll * f[a + 1] + yaw * f[c + 1])
    mz = (f[a + 1] - f[b]) - yaw * (f[a] + f[b + 1]) + (roll * f[a + 2] + pitch * f[b + 2])
    return f[load + MOMENT] + mx, f[load + MOMENT + 1] + my, f[load + MOMENT + 2] + mz


@kernel(merged=True)
def write_rates(p, dx):
    """Rates of all free positions and velocities, as they stand in the scratch.

    In whole rows: sums of stages load whole rows, and those of numbers written one by one would wait. The product
    with a row of ones makes the compiler write them so.
    """
    f, i = p
    motion, place, count = i[Head.MOTION], i[Head.RATE_OF], i[Head.POSITIONS] + i[Head.SPEEDS]
    one = i[Head.RUN] + Run.ONES
    a, b, c, d = f[one], f[one + 1], f[one + 2], f[one + 3]
    rows = count // LANES
    for row in range(rows):
        k = LANES * row
        o = place + k
        first, second = f[motion + i[o]] * a, f[motion + i[o + 1]] * b
        third, fourth = f[motion + i[o + 2]] * c, f[motion + i[o + 3]] * d
        write_row(dx, k, first, second, third, fourth)
    for k in range(LANES * rows, count):
        dx[k] = f[motion + i[place + k]]


@kernel(merged=True)
def accelerate(p, t, dx):
    """Rates of all free coordinates and their velocities into dx."""
    f, i = p
    run = i[Head.RUN]
    gravity, gamma = f[run + Run.GRAVITY], f[run + Run.ACCELERATION]
    speed = f[run + Run.SPEED] + gamma * t
    for b in range(i[Head.BODIES]):
        body = i[Head.BODY] + BodyField.SIZE * b
        load = i[Head.LOAD] + LOAD_ROW * b
        o = i[Head.MOTION] + ROW * b
        a = o + ACCELERATION
        per_mass, per_radius = f[body + BodyField.PER_MASS], f[body + BodyField.PER_RADIUS]
        per_y = f[body + BodyField.PER_INERTIA_Y]
        # a body that does not spin has no radius, and no momentum here
        momentum = f[body + BodyField.INERTIA_Y] * (speed * per_radius + f[o + SPIN])
        mx, my, mz = link_moment(f, load, o)
        x, y, z = f[load] * per_mass - gamma, f[load + 1] * per_mass, f[load + 2] * per_mass - gravity
        roll = (mx + momentum * f[o + RATES + YAW]) * f[body + BodyField.PER_INERTIA_X]
        pitch = my * per_y
        yaw = (mz - momentum * f[o + RATES + ROLL]) * f[body + BodyField.PER_INERTIA_Z]
        spin = f[load + LoadField.SPIN_MOMENT] * per_y - gamma * per_radius
        f[a], f[a + 1], f[a + 2] = x, y, z
        f[a + ROLL], f[a + PITCH], f[a + YAW] = roll, pitch, yaw
        f[o + MotionField.SPIN_RATE] = spin
    write_rates(p, dx)
