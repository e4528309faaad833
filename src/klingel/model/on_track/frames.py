"""The track frame of one body: how it turns, where gravity points in it.

Every body has a frame of its own, which runs along the ideal centre line at the prescribed speed V: x along the
track, y to the left, z up. Its base is A_z(beta_C) A_y(theta_C) A_x(phi) with the cant angle phi = phi_SE in the
tilted frame and phi = 0 in Hoffmann's untilted one. In its own base it turns with

    Omega_x = phi. - beta. sin(theta)
    Omega_y = theta. cos(phi) + beta. cos(theta) sin(phi)
    Omega_z = beta. cos(theta) cos(phi) - theta. sin(phi)

with beta. = V/rho_h, theta. = V/rho_v, phi. = V phi', and gravity is g (sin(theta), -cos(theta) sin(phi),
-cos(theta) cos(phi)). Heights are measured from the plane of the rails, which cant lifts by the rise
|phi_SE| b0 along the frame's z. Sines and cosines are series to the fourth order: angles stay below 0.2 rad.

Source: Hoffmann (2006), sections 2.1.1 to 2.1.4, whose frame has phi = 0 and is of first order in the angles.
"""

from enum import IntEnum

from klingel._jit import kernel
from klingel.track import alignment, irregularity
from klingel.track.alignment import Value


class Place(IntEnum):
    """Scratch of one body: the track where it is."""

    ALIGNMENT = 0  # `alignment.Value`
    IRREGULARITY = 12  # `irregularity.Value`, wheelsets only
    TILT = 18  # phi of the frame [rad]
    TILT_RATE = 19  # [rad/s]
    RISE = 20  # of the rail plane over the origin of the frame [m]
    RISE_RATE = 21  # [m/s]
    TURN = 22  # Omega, three components [rad/s]
    TURN_RATE = 25  # its derivative [rad/s2]
    GRAVITY = 28  # three components [m/s2]
    SIZE = 31


assert len(Value) == Place.IRREGULARITY
assert Place.IRREGULARITY + irregularity.VALUES == Place.TILT


@kernel(inner=True)
def sine(angle):
    return angle * (1.0 - angle * angle / 6.0)


@kernel(inner=True)
def cosine(angle):
    square = angle * angle
    return 1.0 - 0.5 * square * (1.0 - square / 12.0)


@kernel(inner=True)
def cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel(inner=True)
def read_alignment(f, o, table, stage, s):
    """Values of the given stage, continued smoothly beyond its ends."""
    alignment.sample_stage(f, table, stage, s, f[o : o + alignment.VALUES])


@kernel(inner=True)
def turn_frame(f, o, speed, acceleration, gravity, tilted):
    """Fill everything behind the irregularities of the row at f[o] from the alignment in it."""
    tilt = tilted * f[o + Value.CANT_ANGLE]
    yaw_rate = speed * f[o + Value.CURVATURE]
    yaw_acc = speed * speed * f[o + Value.CURVATURE_SLOPE] + acceleration * f[o + Value.CURVATURE]
    pitch_rate = speed * f[o + Value.VERTICAL_CURVATURE]
    pitch_acc = (
        speed * speed * f[o + Value.VERTICAL_CURVATURE_SLOPE] + acceleration * f[o + Value.VERTICAL_CURVATURE]
    )
    roll_rate = tilted * speed * f[o + Value.CANT_ANGLE_SLOPE]
    roll_acc = tilted * acceleration * f[o + Value.CANT_ANGLE_SLOPE]
    c, s = cosine(tilt), sine(tilt)
    ct, st = cosine(f[o + Value.GRADIENT]), sine(f[o + Value.GRADIENT])
    up_rate = ct * yaw_rate
    up_acc = ct * yaw_acc - st * pitch_rate * yaw_rate
    f[o + Place.TILT] = tilt
    f[o + Place.TILT_RATE] = roll_rate
    f[o + Place.RISE] = tilted * f[o + Value.RISE]
    f[o + Place.RISE_RATE] = tilted * speed * f[o + Value.RISE_SLOPE]
    turn, rate, fall = o + Place.TURN, o + Place.TURN_RATE, o + Place.GRAVITY
    f[turn] = roll_rate - st * yaw_rate
    f[turn + 1] = c * pitch_rate + s * up_rate
    f[turn + 2] = c * up_rate - s * pitch_rate
    f[rate] = roll_acc - st * yaw_acc - ct * pitch_rate * yaw_rate
    f[rate + 1] = c * pitch_acc + s * up_acc + roll_rate * (c * up_rate - s * pitch_rate)
    f[rate + 2] = c * up_acc - s * pitch_acc - roll_rate * (s * up_rate + c * pitch_rate)
    f[fall] = gravity * st
    f[fall + 1] = -gravity * ct * s
    f[fall + 2] = -gravity * ct * c
