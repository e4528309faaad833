"""A vehicle on curved, canted and irregular track: the track at each body, and what it does to links and contacts.

The engine calls these passes, and those of `inertia` and `corners`, under `if i[Head.HAS_TRACK]`; on straight,
level, smooth track they do not run.

    sample         the track at each body's own distance s0 + V t + Gamma t^2/2 + nominal x
    link_offsets   what the turning of the outer body's frame against the inner one's adds to deformations, rates
    contact_shift  what a contact sees besides the motion of the wheelset in its frame

Deformations. With the angle rho between the frames (components in the inner frame: Omega with rates replaced by
differences), the chord (0, l, h) from the inner to the outer origin, and the nominal point n of the outer body,

    u += rho x n + (0, l, h) + rise,      l = T_h,j - T_h,i - a beta_i,   h = T_v,j - T_v,i + a theta_i  (tilted)

with a the nominal distance. Rates are exact derivatives of this, second derivatives (which only contacts that stay
closed ask for) lack products of three rates. Products of rho with displacements of the bodies
are dropped, as all products of small displacements are.

Contacts see the wheelset relative to the rails, whose irregularities shift (eta), lift (zeta) and roll (chi) them
about the centre of the track; eta' also turns their direction. The frame's own turning enters the yaw rate of the
creepages only: Omega_x and Omega_y cancel at the height of the rails, where the slip is. In the untilted frame
cant is a roll and a lift of the rails; the lateral place of the wheels is not corrected by it.

Source: Hoffmann (2006), sections 2.1.5, 2.1.7, 2.2.2, extended to a frame that tilts with the cant.
"""

from klingel._jit import kernel
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.on_track.frames import Place, cosine, read_alignment, sine, turn_frame
from klingel.model.system import BodyField, Head, PortField, Run
from klingel.track import alignment, irregularity
from klingel.track.alignment import Value

SHIFTS = 10  # of one body, in the order of `elements.wheel_contact.WheelMotion`


@kernel(inner=True)
def speed_at(p, t):
    f, i = p
    run = i[Head.RUN]
    return f[run + Run.SPEED] + f[run + Run.ACCELERATION] * t


@kernel(inner=True)
def distance_of(p, t, b):
    """Distance of body b along the track [m]."""
    f, i = p
    run = i[Head.RUN]
    way = t * (f[run + Run.SPEED] + 0.5 * t * f[run + Run.ACCELERATION])
    return f[run + Run.DISTANCE] + way + f[i[Head.BODY] + BodyField.SIZE * b + BodyField.X]


@kernel(inner=True)
def sample_body(p, t, b, stage):
    f, i = p
    run = i[Head.RUN]
    o = i[Head.PLACE] + Place.SIZE * b
    s = distance_of(p, t, b)
    read_alignment(f, o, i[Head.ALIGNMENT], stage, s)
    if f[i[Head.BODY] + BodyField.SIZE * b + BodyField.RADIUS] > 0.0:
        irregularity.sample(
            f, i[Head.IRREGULARITY], s, f[o + Place.IRREGULARITY : o + Place.IRREGULARITY + irregularity.VALUES]
        )
    turn_frame(f, o, speed_at(p, t), f[run + Run.ACCELERATION], f[run + Run.GRAVITY], f[run + Run.TILTED])


@kernel(inner=True)
def sample(p, t, memory):
    """The track at every body, in the stage the body is in."""
    i = p[1]
    for b in range(i[Head.BODIES]):
        sample_body(p, t, b, int(memory[i[Head.STAGE] + b]))


@kernel(inner=True)
def chord(p, t, inner, apart, first, last):
    """From the origin of one frame to that of another, stage by stage: yaw, l, pitch, h, cant angle and rise.

    Differences of beta_C, T_h, ... are the same, but those are numbers of metres: their rounding would show in
    rates of guards, which are differences over fractions of a step.
    """
    f, i = p
    table = i[Head.ALIGNMENT] + 1
    yaw, l, pitch, h, roll, rise = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    s, stage = distance_of(p, t, inner), first
    left = apart
    while True:
        step = 1 if last > stage else (-1 if last < stage else 0)
        d = left
        if step != 0:
            d = f[table + alignment.ROW_SIZE * (stage + (1 if step > 0 else 0)) + alignment.S] - s
        row = table + alignment.ROW_SIZE * stage
        if stage >= 0:
            from_start = s - f[row + alignment.S]
            slope = f[row + alignment.DK]
            k = f[row + alignment.K] + slope * from_start
            l += d * (yaw + d * (0.5 * k + d * slope / 6.0))
            yaw += d * (k + 0.5 * d * slope)
            slope = f[row + alignment.DKV]
            k = f[row + alignment.KV] + slope * from_start
            h -= d * (pitch + d * (0.5 * k + d * slope / 6.0))
            pitch += d * (k + 0.5 * d * slope)
            roll += d * f[row + alignment.DPHI]
            rise += d * f[row + alignment.DPHI] * f[row + alignment.HALF]
        else:
            l += d * yaw
            h -= d * pitch
        if step == 0:
            return yaw, l, pitch, h, roll, rise
        s += d
        left -= d
        stage += step


@kernel(inner=True)
def link_offset(p, t, memory, link, inner, outer):
    """Deformations and rates of one link by the frames of its two bodies."""
    f, i = p
    speed, gamma, tilted = speed_at(p, t), f[i[Head.RUN] + Run.ACCELERATION], f[i[Head.RUN] + Run.TILTED]
    a, b = i[Head.PLACE] + Place.SIZE * inner, i[Head.PLACE] + Place.SIZE * outer
    apart = f[i[Head.BODY] + BodyField.SIZE * outer + BodyField.X]
    apart -= f[i[Head.BODY] + BodyField.SIZE * inner + BodyField.X]
    first, last = int(memory[i[Head.STAGE] + inner]), int(memory[i[Head.STAGE] + outer])
    yaw, l, pitch, h, roll, rise = chord(p, t, inner, apart, first, last)

    # frame of the outer body against that of the inner one: angles, rates (_v), accelerations (_a)
    c, s = cosine(f[a + Place.TILT]), sine(f[a + Place.TILT])
    ct, st = cosine(f[a + Value.GRADIENT]), sine(f[a + Value.GRADIENT])
    tilting, pitching = f[a + Place.TILT_RATE], speed * f[a + Value.VERTICAL_CURVATURE]
    tilting_a = gamma * tilted * f[a + Value.CANT_ANGLE_SLOPE]
    pitching_a = gamma * f[a + Value.VERTICAL_CURVATURE] + speed * speed * f[a + Value.VERTICAL_CURVATURE_SLOPE]
    roll, roll_v = tilted * roll, f[b + Place.TILT_RATE] - tilting
    roll_a = gamma * tilted * (f[b + Value.CANT_ANGLE_SLOPE] - f[a + Value.CANT_ANGLE_SLOPE])
    bend = f[b + Value.VERTICAL_CURVATURE] - f[a + Value.VERTICAL_CURVATURE]
    bend_slope = f[b + Value.VERTICAL_CURVATURE_SLOPE] - f[a + Value.VERTICAL_CURVATURE_SLOPE]
    pitch_v, pitch_a = speed * bend, speed * speed * bend_slope + gamma * bend
    bend = f[b + Value.CURVATURE] - f[a + Value.CURVATURE]
    bend_slope = f[b + Value.CURVATURE_SLOPE] - f[a + Value.CURVATURE_SLOPE]
    yaw_v, yaw_a = speed * bend, speed * speed * bend_slope + gamma * bend
    up, up_v, up_a = ct * yaw, ct * yaw_v - st * pitching * yaw, ct * yaw_a - 2.0 * st * pitching * yaw_v
    up_a -= (st * pitching_a + ct * pitching * pitching) * yaw
    rx, rx_v = roll - st * yaw, roll_v - st * yaw_v - ct * pitching * yaw
    rx_a = roll_a - st * yaw_a - 2.0 * ct * pitching * yaw_v - (ct * pitching_a - st * pitching * pitching) * yaw
    ry = c * pitch + s * up
    ry_v = c * pitch_v + s * up_v + tilting * (c * up - s * pitch)
    rz = c * up - s * pitch
    ry_a = (
        c * pitch_a + s * up_a + 2.0 * tilting * (c * up_v - s * pitch_v) + tilting_a * rz - tilting * tilting * ry
    )
    rz_v = c * up_v - s * pitch_v - tilting * (s * up + c * pitch)
    rz_a = (
        c * up_a - s * pitch_a - 2.0 * tilting * (s * up_v + c * pitch_v) - tilting_a * ry - tilting * tilting * rz
    )

    # chord between the origins
    turn, dip = yaw - apart * f[a + Value.CURVATURE], pitch - apart * f[a + Value.VERTICAL_CURVATURE]
    l_v, h_v = speed * turn, -speed * dip
    l_a = speed * (yaw_v - apart * speed * f[a + Value.CURVATURE_SLOPE]) + gamma * turn
    h_a = -speed * (pitch_v - apart * speed * f[a + Value.VERTICAL_CURVATURE_SLOPE]) - gamma * dip
    y, z = c * l + s * h, c * h - s * l
    y_v = c * l_v + s * h_v + tilting * z
    z_v = c * h_v - s * l_v - tilting * y + f[b + Place.RISE_RATE] - f[a + Place.RISE_RATE]
    y_a = c * l_a + s * h_a + 2.0 * tilting * (c * h_v - s * l_v) + tilting_a * z - tilting * tilting * y
    z_a = c * h_a - s * l_a - 2.0 * tilting * (c * l_v + s * h_v) - tilting_a * y - tilting * tilting * z
    z_a += gamma * tilted * (f[b + Value.RISE_SLOPE] - f[a + Value.RISE_SLOPE])
    z += tilted * rise

    # nominal point of the outer body in its frame
    arm = i[Head.ARM] + 6 * link + 3
    body = i[Head.BODY] + BodyField.SIZE * outer
    nx, ny = f[arm], f[body + BodyField.Y] + f[arm + 1]
    nz, nz_v = f[body + BodyField.Z] + f[arm + 2] + f[b + Place.RISE], f[b + Place.RISE_RATE]
    nz_a = gamma * tilted * f[b + Value.RISE_SLOPE]
    turn = i[Head.TURN_PORTS]
    o = i[Head.PORT_STATE] + PORT_ROW * link + LANES * PortField.U_TRACK
    f[o] = ry * nz - rz * ny
    f[o + 1] = rz * nx - rx * nz + y
    f[o + 2] = rx * ny - ry * nx + z
    f[o + turn], f[o + turn + 1], f[o + turn + 2] = rx, ry, rz
    o += LANES
    f[o] = ry_v * nz - rz_v * ny + ry * nz_v
    f[o + 1] = rz_v * nx - rx_v * nz - rx * nz_v + y_v
    f[o + 2] = rx_v * ny - ry_v * nx + z_v
    f[o + turn], f[o + turn + 1], f[o + turn + 2] = rx_v, ry_v, rz_v
    o += LANES
    f[o] = ry_a * nz - rz_a * ny + 2.0 * ry_v * nz_v + ry * nz_a
    f[o + 1] = rz_a * nx - rx_a * nz - 2.0 * rx_v * nz_v - rx * nz_a + y_a
    f[o + 2] = rx_a * ny - ry_a * nx + z_a
    f[o + turn], f[o + turn + 1], f[o + turn + 2] = rx_a, ry_a, rz_a


@kernel(inner=True)
def link_offsets(p, t, memory):
    """All links; one that ends at the track goes with the frame of its other body, so nothing is added."""
    i = p[1]
    bodies = i[Head.BODIES]
    for link in range(i[Head.LINKS]):
        inner, outer = i[i[Head.LINK_BODY] + 2 * link], i[i[Head.LINK_BODY] + 2 * link + 1]
        if inner < bodies and outer < bodies:
            link_offset(p, t, memory, link, inner, outer)


@kernel(inner=True)
def contact_shift(p, t):
    """Corrections to the motion of every wheelset as its contacts see it."""
    f, i = p
    speed = speed_at(p, t)
    untilted = 1.0 - f[i[Head.RUN] + Run.TILTED]
    for b in range(i[Head.BODIES]):
        body = i[Head.BODY] + BodyField.SIZE * b
        if f[body + BodyField.RADIUS] <= 0.0:
            continue
        o = i[Head.PLACE] + Place.SIZE * b
        k = o + Place.IRREGULARITY
        height = f[body + BodyField.Z]
        lateral, lateral_slope, vertical, vertical_slope = f[k], f[k + 1], f[k + 2], f[k + 3]
        roll, roll_slope = f[k + 4], f[k + 5]
        at = i[Head.CONTACT_SHIFT] + SHIFTS * b
        f[at] = 0.0
        f[at + 1] = height * roll - lateral
        f[at + 2] = -vertical - untilted * f[o + Value.RISE]
        f[at + 3] = -roll - untilted * f[o + Value.CANT_ANGLE]
        f[at + 4] = -lateral_slope
        f[at + 5] = speed * (height * roll_slope - lateral_slope)
        f[at + 6] = -speed * (vertical_slope + untilted * f[o + Value.RISE_SLOPE])
        f[at + 7] = -speed * (roll_slope + untilted * f[o + Value.CANT_ANGLE_SLOPE])
        f[at + 8] = f[o + Place.TURN + 2]
        f[at + 9] = 0.0


@kernel(inner=True)
def follow_track(p, t, memory):
    """Where every body is, and what its place does to links and contacts."""
    if p[1][Head.HAS_TRACK]:
        sample(p, t, memory)
        link_offsets(p, t, memory)
        contact_shift(p, t)
