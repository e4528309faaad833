"""What moving frames and split gravity add to the accelerations of every body.

With the centre of mass at r = (x, Y + y, Z + z + rise) and rotations v in its frame,

    r.. = F/m + gravity - (Gamma, V Omega_z, -V Omega_y) - Omega. x r - Omega x (Omega x r) - 2 Omega x r. - rise..
    v.. = I^-1 (M - w x L) - Omega. + v. x Omega + v x Omega.,    w = Omega + v. - v x Omega,  L = I w + spin

The engine has -Gamma, gravity -g and the gyroscopic couple of the spin already; only what exceeds them is added,
so it is exactly zero where the track is straight and level. The translation is exact; rotations are of first order
in v, and products of v with v. are dropped.

Forces of links are laws in the frame of the inner body. The outer body feels them turned into its own frame: the
vertical load times the twist of the track is as large as the lateral forces of the links.

Source: Hoffmann (2006), section 2.1.6, with the terms he drops and a frame that tilts.
"""

from klingel._jit import kernel
from klingel.model.bodies.motion import (
    AXES,
    LANES,
    LOAD_ROW,
    MOMENT,
    PITCH,
    PORT_ROW,
    RATES,
    ROLL,
    ROW,
    SPIN,
    YAW,
)
from klingel.model.on_track.frames import Place, cross
from klingel.model.on_track.track_at_bodies import speed_at
from klingel.model.system import NONE, BodyField, Head, PortField, Run
from klingel.track.alignment import Value


@kernel(inner=True)
def turn_forces(p):
    """Loads on outer bodies: a force F of the inner frame has the components F - rho x F in the outer one."""
    f, i = p
    bodies = i[Head.BODIES]
    for link in range(i[Head.LINKS]):
        inner, outer = i[i[Head.LINK_BODY] + 2 * link], i[i[Head.LINK_BODY] + 2 * link + 1]
        if inner >= bodies or outer >= bodies:
            continue
        row = i[Head.PORT_STATE] + PORT_ROW * link
        o = row + i[Head.TURN_PORTS] + LANES * PortField.U_TRACK
        force = row + LANES * PortField.FORCE
        # minus rho x F, and F on the outer body is minus the port force
        fx, fy, fz = cross(f[o], f[o + 1], f[o + 2], f[force], f[force + 1], f[force + 2])
        arm = i[Head.ARM] + 6 * link + 3
        mx, my, mz = cross(f[arm], f[arm + 1], f[arm + 2], fx, fy, fz)
        load = i[Head.LOAD] + LOAD_ROW * outer
        f[load] += fx
        f[load + 1] += fy
        f[load + 2] += fz
        f[load + MOMENT] += mx
        f[load + MOMENT + 1] += my
        f[load + MOMENT + 2] += mz


@kernel(inner=True)
def add_rate(i, slot, axis, dx, value):
    at = i[slot + AXES + axis]
    if at != NONE:
        dx[at] += value


@kernel(inner=True)
def inertia(p, t, dx):
    """Add to dx what moving frames and split gravity do to every body; the motion must have been gathered."""
    for b in range(p[1][Head.BODIES]):
        move_origin(p, t, b, dx)
        turn_body(p, t, b, dx)


@kernel(inner=True)
def move_origin(p, t, b, dx):
    f, i = p
    run = i[Head.RUN]
    speed, gravity = speed_at(p, t), f[run + Run.GRAVITY]
    o, m = i[Head.PLACE] + Place.SIZE * b, i[Head.MOTION] + ROW * b
    body, slot = i[Head.BODY] + BodyField.SIZE * b, i[Head.SLOT] + 12 * b
    wx, wy, wz = f[o + Place.TURN], f[o + Place.TURN + 1], f[o + Place.TURN + 2]
    rx, ry = f[m], f[body + BodyField.Y] + f[m + 1]
    rz = f[body + BodyField.Z] + f[m + 2] + f[o + Place.RISE]
    vx, vy, vz = f[m + RATES], f[m + RATES + 1], f[m + RATES + 2] + f[o + Place.RISE_RATE]
    ux, uy, uz = cross(wx, wy, wz, rx, ry, rz)
    # Omega x (Omega x r + 2 r.)
    ax, ay, az = cross(wx, wy, wz, ux + 2.0 * vx, uy + 2.0 * vy, uz + 2.0 * vz)
    ex, ey, ez = cross(f[o + Place.TURN_RATE], f[o + Place.TURN_RATE + 1], f[o + Place.TURN_RATE + 2], rx, ry, rz)
    lifting = f[run + Run.TILTED] * f[run + Run.ACCELERATION] * f[o + Value.RISE_SLOPE]
    add_rate(i, slot, 0, dx, f[o + Place.GRAVITY] - ax - ex)
    add_rate(i, slot, 1, dx, f[o + Place.GRAVITY + 1] - speed * wz - ay - ey)
    add_rate(i, slot, 2, dx, f[o + Place.GRAVITY + 2] + gravity + speed * wy - az - ez - lifting)


@kernel(inner=True)
def turn_body(p, t, b, dx):
    f, i = p
    o, m = i[Head.PLACE] + Place.SIZE * b, i[Head.MOTION] + ROW * b
    body, slot = i[Head.BODY] + BodyField.SIZE * b, i[Head.SLOT] + 12 * b
    ix, iy, iz = f[body + BodyField.INERTIA_X], f[body + BodyField.INERTIA_Y], f[body + BodyField.INERTIA_Z]
    radius = f[body + BodyField.RADIUS]
    wx, wy, wz = f[o + Place.TURN], f[o + Place.TURN + 1], f[o + Place.TURN + 2]
    ex, ey, ez = f[o + Place.TURN_RATE], f[o + Place.TURN_RATE + 1], f[o + Place.TURN_RATE + 2]
    roll, pitch, yaw = f[m + ROLL], f[m + PITCH], f[m + YAW]
    p_, q_, r_ = f[m + RATES + ROLL], f[m + RATES + PITCH], f[m + RATES + YAW]
    momentum = 0.0
    if radius > 0.0:  # the frame of a wheelset does not pitch; its spin is relative to the track frame
        momentum = iy * (speed_at(p, t) / radius + f[m + SPIN])
        pitch, q_ = 0.0, 0.0
    tx, ty, tz = cross(roll, pitch, yaw, wx, wy, wz)
    ox, oy, oz = wx + p_ - tx, wy + q_ - ty, wz + r_ - tz
    gx, gy, gz = cross(ox, oy, oz, ix * ox, iy * oy + momentum, iz * oz)
    hx, hy, hz = cross(p_, q_, r_, ix * p_, iy * q_ + momentum, iz * r_)
    ax, ay, az = cross(p_, q_, r_, wx, wy, wz)
    bx, by, bz = cross(roll, pitch, yaw, ex, ey, ez)
    add_rate(i, slot, 3, dx, (hx - gx) / ix - ex + ax + bx)
    add_rate(i, slot, 4, dx, (hy - gy) / iy - ey + ay + by)
    add_rate(i, slot, 5, dx, (hz - gz) / iz - ez + az + bz)
