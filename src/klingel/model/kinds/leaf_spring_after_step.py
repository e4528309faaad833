"""Turning points of leaf springs near rest: their reference moves after the step, without an event."""

from klingel._jit import kernel
from klingel.elements import leaf_spring as law_of
from klingel.model.bodies.motion import LANES, move_links
from klingel.model.kinds.leaf_spring import AT, COUNT, At, state_of
from klingel.model.on_track import track_at_bodies
from klingel.model.port_pieces import field
from klingel.model.system import Head, PortField


@kernel(inner=True)
def port_shape(t, h, memory, p, port, shape, z_shape, v_shape):
    """Interpolant of a port's deformation and rate: linear in the state, what the track adds linear in time."""
    f = p[0]
    at = field(p, PortField.U_TRACK) + port
    track_at_bodies.follow_track(p, t + h, memory)
    z_end, v_end = f[at], f[at + LANES]
    track_at_bodies.follow_track(p, t, memory)
    for k in range(shape.shape[0]):
        move_links(p, shape[k])
        z_shape[k] = f[field(p, PortField.U) + port] - f[at]
        v_shape[k] = f[field(p, PortField.V) + port] - f[at + LANES]
    z_shape[0] += z_end - f[at]
    v_shape[0] += v_end - f[at + LANES]


@kernel(inner=True)
def after_step(t, h, x, shape, x_new, memory, mode, p):
    """1 when the branch of a spring has changed."""
    f, i = p
    degree = shape.shape[0]
    changed = 0
    o = i[Head.ACCELERATION]
    z_shape, v_shape = f[o : o + degree], f[o + degree : o + 2 * degree]
    for k in range(i[COUNT]):
        where = i[AT] + At.SIZE * k
        if mode[i[where + At.MODE]] != law_of.Mode.AUTO:
            continue
        track_at_bodies.follow_track(p, t + h, memory)
        move_links(p, x_new)
        _, v_end, branch, law = state_of(p, k, memory)
        if law.reading != law_of.Reading.FULL or branch.kappa * v_end <= 0.0:
            continue
        port_shape(t, h, memory, p, i[where + At.PORT], shape, z_shape, v_shape)
        move_links(p, x)
        z, v, branch, law = state_of(p, k, memory)
        moved, branch = law_of.after_step(mode[i[where + At.MODE]], branch, z, v, z_shape, v_shape, law)
        if moved != 0:
            law_of.write_branch(branch, memory, i[where + At.MEMORY])
            changed = 1
    return changed
