"""Kinematics and dynamics of rigid bodies in the track-following frame: state -> ports, forces -> accelerations.

Angles and displacements are small: rotations are vectors (roll, pitch, yaw), the point P of a body moves by

    (x - yaw y_P + pitch z_P,  y + yaw x_P - roll z_P,  z - pitch x_P + roll y_P)

and a force of the track frame has in the body's frame the components F - rotation x F: this second-order term is
kept in the moments, because the static load times the roll angle is a sizeable stiffness. A body that spins
(wheelset) does not pitch; its spin on top of V/r0 is kept apart.

Source: Hoffmann (2006), sections 2.1.5 and 2.1.6; the spin equation with its term -Gamma/r0 restored.
"""

from klingel._jit import kernel
from klingel.model.system import LINK_INTS, LOAD_ROW, SPIN_MOMENT, BodyField, Head, MotionField, PortField, Run

AXES = 6
ROW = MotionField.SIZE.value
RATES = MotionField.VELOCITY.value
SPIN = MotionField.SPIN.value
ACCELERATION = MotionField.ACCELERATION.value
OFFSETS = 18  # of a link by the track: six deformations, six rates, six accelerations


@kernel(inner=True)
def gather(p, x):
    """Positions and velocities of all bodies from the state; prescribed ones stay zero."""
    f, i = p
    motion, place = i[Head.MOTION], i[Head.MOTION_OF]
    for k in range(x.size):
        f[motion + i[place + k]] = x[k]


@kernel(inlined=True)
def point_motion(f, m, px, py, pz):
    """Displacement or velocity (m: where its six components begin) of the point P of a body."""
    roll, pitch, yaw = f[m + 3], f[m + 4], f[m + 5]
    return (
        f[m] - yaw * py + pitch * pz,
        f[m + 1] + yaw * px - roll * pz,
        f[m + 2] - pitch * px + roll * py,
        roll,
        pitch,
        yaw,
    )


@kernel(inner=True)
def deform_ports(p):
    """Relative displacement and rate of all six directions of every link: outer minus inner."""
    f, i = p
    n = AXES * i[Head.LINKS]
    for link in range(i[Head.LINKS]):
        at, arm = i[Head.LINK_AT] + LINK_INTS * link, i[Head.ARM] + 6 * link
        u = i[Head.PORT_STATE] + PortField.U * n + AXES * link
        inner, outer = i[at], i[at + 1]
        ax, ay, az = f[arm], f[arm + 1], f[arm + 2]
        bx, by, bz = f[arm + 3], f[arm + 4], f[arm + 5]
        a0, a1, a2, a3, a4, a5 = point_motion(f, inner, ax, ay, az)
        b0, b1, b2, b3, b4, b5 = point_motion(f, outer, bx, by, bz)
        c0, c1, c2, c3, c4, c5 = point_motion(f, inner + RATES, ax, ay, az)
        d0, d1, d2, d3, d4, d5 = point_motion(f, outer + RATES, bx, by, bz)
        f[u], f[u + 1], f[u + 2] = b0 - a0, b1 - a1, b2 - a2
        f[u + 3], f[u + 4], f[u + 5] = b3 - a3, b4 - a4, b5 - a5
        v = u + n
        f[v], f[v + 1], f[v + 2] = d0 - c0, d1 - c1, d2 - c2
        f[v + 3], f[v + 4], f[v + 5] = d3 - c3, d4 - c4, d5 - c5
        if i[Head.HAS_TRACK]:
            offset = i[Head.LINK_OFFSET] + OFFSETS * link
            for d in range(AXES):
                f[u + d] += f[offset + d]
                f[v + d] += f[offset + AXES + d]


@kernel(inlined=True)
def add_load(f, m, load, fx, fy, fz, mx, my, mz, px, py, pz):
    """Force of the track frame at the point P and moment on the body whose motion and load rows are given."""
    roll, pitch, yaw = f[m + 3], f[m + 4], f[m + 5]
    bx = fx + yaw * fy - pitch * fz
    by = fy - yaw * fx + roll * fz
    bz = fz + pitch * fx - roll * fy
    l0, l1, l2 = f[load] + fx, f[load + 1] + fy, f[load + 2] + fz
    l3 = f[load + 3] + mx + py * bz - pz * by
    l4 = f[load + 4] + my + pz * bx - px * bz
    l5 = f[load + 5] + mz + px * by - py * bx
    f[load], f[load + 1], f[load + 2] = l0, l1, l2
    f[load + 3], f[load + 4], f[load + 5] = l3, l4, l5


@kernel(inner=True)
def load_bodies(p):
    """Forces of all ports on their bodies; clears the loads first.

    A port force resists positive deformation: it pulls the outer body back.
    """
    f, i = p
    load = i[Head.LOAD]
    for k in range(LOAD_ROW * (i[Head.BODIES] + 1)):
        f[load + k] = 0.0
    n = AXES * i[Head.LINKS]
    for link in range(i[Head.LINKS]):
        at, arm = i[Head.LINK_AT] + LINK_INTS * link, i[Head.ARM] + 6 * link
        o = i[Head.PORT_STATE] + PortField.FORCE * n + AXES * link
        f0, f1, f2, f3, f4, f5 = f[o], f[o + 1], f[o + 2], f[o + 3], f[o + 4], f[o + 5]
        ax, ay, az = f[arm], f[arm + 1], f[arm + 2]
        bx, by, bz = f[arm + 3], f[arm + 4], f[arm + 5]
        add_load(f, i[at], i[at + 2], f0, f1, f2, f3, f4, f5, ax, ay, az)
        add_load(f, i[at + 1], i[at + 3], -f0, -f1, -f2, -f3, -f4, -f5, bx, by, bz)


@kernel(inner=True)
def accelerate(p, t, dx):
    """Velocities and accelerations of all free coordinates into dx."""
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
        x, y, z = f[load] * per_mass - gamma, f[load + 1] * per_mass, f[load + 2] * per_mass - gravity
        roll = (f[load + 3] + momentum * f[o + RATES + 5]) * f[body + BodyField.PER_INERTIA_X]
        pitch = f[load + 4] * per_y
        yaw = (f[load + 5] - momentum * f[o + RATES + 3]) * f[body + BodyField.PER_INERTIA_Z]
        f[a], f[a + 1], f[a + 2], f[a + 3], f[a + 4], f[a + 5] = x, y, z, roll, pitch, yaw
        f[o + MotionField.SPIN_RATE] = f[load + SPIN_MOMENT] * per_y - gamma * per_radius
    motion, place = i[Head.MOTION], i[Head.RATE_OF]
    for k in range(dx.size):
        dx[k] = f[motion + i[place + k]]
