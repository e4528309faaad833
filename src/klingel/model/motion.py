"""Kinematics and dynamics of rigid bodies in the track-following frame: state -> ports, forces -> accelerations.

Angles and displacements are small: rotations are vectors (roll, pitch, yaw), the point P of a body moves by

    (x - yaw y_P + pitch z_P,  y + yaw x_P - roll z_P,  z - pitch x_P + roll y_P)

and a force of the track frame has in the body's frame the components F - rotation x F: this second-order term is
kept in the moments, because the static load times the roll angle is a sizeable stiffness. A body that spins
(wheelset) does not pitch; its velocity in that place is the spin on top of V/r0.

Source: Hoffmann (2006), sections 2.1.5 and 2.1.6; the spin equation with its term -Gamma/r0 restored.
"""

from klingel._jit import kernel
from klingel.model.system import Axis, BodyField, Head, PortField, Run

AXES = 6
ROW = 12  # of the motion table: six positions, six velocities
OFFSETS = 18  # of a link by the track: six deformations, six rates, six accelerations


@kernel(inner=True)
def gather(p, x):
    """Positions and velocities of all bodies from the state; prescribed ones are zero."""
    f, i = p
    slot, motion = i[Head.SLOT], i[Head.MOTION]
    for k in range(ROW * i[Head.BODIES]):
        at = i[slot + k]
        f[motion + k] = x[at] if at >= 0 else 0.0


@kernel(inner=True)
def deform_ports(p):
    """Relative displacement and rate of all six directions of every link."""
    f, i = p
    motion, arm, link_body = i[Head.MOTION], i[Head.ARM], i[Head.LINK_BODY]
    n = AXES * i[Head.LINKS]
    u = i[Head.PORT_STATE] + PortField.U * n
    v = i[Head.PORT_STATE] + PortField.V * n
    body = i[Head.BODY]
    for link in range(i[Head.LINKS]):
        for d in range(AXES):
            f[u + AXES * link + d] = 0.0
            f[v + AXES * link + d] = 0.0
        if i[Head.HAS_TRACK]:
            offset = i[Head.LINK_OFFSET] + OFFSETS * link
            for d in range(AXES):
                f[u + AXES * link + d] = f[offset + d]
                f[v + AXES * link + d] = f[offset + AXES + d]
        for end in range(2):
            sign = 2.0 * end - 1.0  # deformation = outer - inner
            b = i[link_body + 2 * link + end]
            m = motion + ROW * b
            px, py, pz = (
                f[arm + 6 * link + 3 * end],
                f[arm + 6 * link + 3 * end + 1],
                f[arm + 6 * link + 3 * end + 2],
            )
            pitches = 0.0 if f[body + BodyField.SIZE * b + BodyField.RADIUS] > 0.0 else sign
            for rate in range(2):
                at = (v if rate == 1 else u) + AXES * link
                o = m + AXES * rate
                roll, pitch, yaw = sign * f[o + 3], pitches * f[o + 4], sign * f[o + 5]
                f[at] += sign * f[o] - yaw * py + pitch * pz
                f[at + 1] += sign * f[o + 1] + yaw * px - roll * pz
                f[at + 2] += sign * f[o + 2] - pitch * px + roll * py
                f[at + 3] += roll
                f[at + 4] += pitch
                f[at + 5] += yaw


@kernel(inner=True)
def apply_force(p, b, fx, fy, fz, px, py, pz):
    """Force in the track frame at the point P of body b."""
    f, i = p
    o = i[Head.MOTION] + ROW * b
    load = i[Head.LOAD] + AXES * b
    roll, yaw = f[o + Axis.ROLL], f[o + Axis.YAW]
    pitch = 0.0 if f[i[Head.BODY] + BodyField.SIZE * b + BodyField.RADIUS] > 0.0 else f[o + Axis.PITCH]
    bx = fx + yaw * fy - pitch * fz
    by = fy - yaw * fx + roll * fz
    bz = fz + pitch * fx - roll * fy
    f[load] += fx
    f[load + 1] += fy
    f[load + 2] += fz
    f[load + 3] += py * bz - pz * by
    f[load + 4] += pz * bx - px * bz
    f[load + 5] += px * by - py * bx


@kernel(inner=True)
def load_bodies(p):
    """Forces of all ports on their bodies; clears the loads first."""
    f, i = p
    arm, link_body = i[Head.ARM], i[Head.LINK_BODY]
    load = i[Head.LOAD]
    for k in range(AXES * (i[Head.BODIES] + 1)):
        f[load + k] = 0.0
    n = AXES * i[Head.LINKS]
    force = i[Head.PORT_STATE] + PortField.FORCE * n
    for link in range(i[Head.LINKS]):
        o = force + AXES * link
        for end in range(2):
            sign = 1.0 - 2.0 * end  # a port force resists positive deformation: it pulls the outer body back
            b = i[link_body + 2 * link + end]
            a = arm + 6 * link + 3 * end
            apply_force(p, b, sign * f[o], sign * f[o + 1], sign * f[o + 2], f[a], f[a + 1], f[a + 2])
            for d in range(3, 6):
                f[load + AXES * b + d] += sign * f[o + d]


@kernel(inner=True)
def accelerate(p, t, dx):
    """Velocities and accelerations of all free coordinates into dx."""
    f, i = p
    run = i[Head.RUN]
    gravity, gamma = f[run + Run.GRAVITY], f[run + Run.ACCELERATION]
    speed = f[run + Run.SPEED] + gamma * t
    for b in range(i[Head.BODIES]):
        body = i[Head.BODY] + BodyField.SIZE * b
        load = i[Head.LOAD] + AXES * b
        o = i[Head.MOTION] + ROW * b
        slot = i[Head.SLOT] + ROW * b
        mass, radius = f[body + BodyField.MASS], f[body + BodyField.RADIUS]
        inertia_y = f[body + BodyField.INERTIA_Y]
        momentum = inertia_y * (speed / radius + f[o + 10]) if radius > 0.0 else 0.0
        for k in range(AXES):
            at = i[slot + k]
            if at >= 0:
                dx[at] = f[o + AXES + k]
        put(i, slot, 0, dx, f[load] / mass - gamma)
        put(i, slot, 1, dx, f[load + 1] / mass)
        put(i, slot, 2, dx, f[load + 2] / mass - gravity)
        put(i, slot, 3, dx, (f[load + 3] + momentum * f[o + 11]) / f[body + BodyField.INERTIA_X])
        slowing = gamma / radius if radius > 0.0 else 0.0
        put(i, slot, 4, dx, f[load + 4] / inertia_y - slowing)
        put(i, slot, 5, dx, (f[load + 5] - momentum * f[o + 9]) / f[body + BodyField.INERTIA_Z])


@kernel(inner=True)
def put(i, slot, axis, dx, value):
    at = i[slot + AXES + axis]
    if at >= 0:
        dx[at] = value
