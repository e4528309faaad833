"""The short list of passes: right-hand side, guards, action, soft update of any vehicle.

rhs     gather -> ports -> affine forces, leaf springs -> bodies -> wheels, conical wheelsets -> accelerations
        (-> resting contacts)
guards  [port walls 4 each][leaf springs 3 each][wheels 2 each][gaps 1 each]
act     elements whose wall was crossed leave their mode; leaf springs; wheels search their state; impacts;
        then the port sums are rebuilt
"""

from numba import types

from klingel._jit import kernel
from klingel.elements import impact, leaf_spring
from klingel.model import conical, corners, guides, inertia, place, ports, scan, wheels
from klingel.model.motion import AXES, OFFSETS, accelerate, deform_ports, gather, load_bodies
from klingel.model.system import Head, PortField, System
from klingel.numerics import signatures

SYSTEM = types.NamedTuple((types.Array(types.float64, 1, "C"), types.Array(types.uint32, 1, "C")), System)
PORT_GUARDS, LEAF_GUARDS, WHEEL_GUARDS = 4, 3, 2
# A wheel that leaves its state together with another one may lie on the bound to rounding, on either side of it.
BEYOND = 2e-12  # [m]; above the tolerance of guards


@kernel(inner=True)
def forces(t, x, memory, mode, p, dx):
    """Accelerations without resting contacts; 1 when a wheel left its table."""
    place.follow_track(p, t, memory)
    gather(p, x)
    deform_ports(p)
    ports.affine_forces(p)
    ports.add_leaf_forces(p, memory)
    load_bodies(p)
    if p[1][Head.HAS_TRACK]:
        inertia.turn_forces(p)
    if not wheels.add_wheel_forces(p, t, mode):
        return 1
    if p[1][Head.CONES] > 0:
        conical.add_forces(p, t)
    accelerate(p, t, dx)
    if p[1][Head.HAS_TRACK]:
        inertia.inertia(p, t, dx)
    return 0


@kernel(signature=signatures.rhs_signature(SYSTEM))
def rhs(t, x, memory, mode, p, dx):
    if forces(t, x, memory, mode, p, dx) != 0:
        return 1
    if guides.any_resting(p, mode):
        guides.hold_resting(p, mode, dx)
    return 0


@kernel(inner=True)
def leaf_state(p, k, memory, mode):
    """Port, mode index, memory index, compression, rate, branch and law of leaf spring k."""
    f, i = p
    at, o = i[Head.LEAF_AT] + 3 * k, i[Head.LEAF] + ports.LEAF_SIZE * k
    z = f[o + leaf_spring.LAW_SIZE] + f[ports.field(p, PortField.U) + i[at]]
    v = f[ports.field(p, PortField.V) + i[at]]
    return z, v, leaf_spring.read_branch(memory, i[at + 2]), leaf_spring.read_law(f, o)


@kernel(inner=True)
def resting_guards(t, x, memory, mode, p, g, at):
    """Gaps of free sides; of resting ones the force, in units of a thousand newtons."""
    f, i = p
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    if forces(t, x, memory, mode, p, dx) == 0:
        guides.hold_resting(p, mode, dx)
    for k in range(i[Head.GUIDES]):
        resting = mode[i[i[Head.GUIDE_AT] + guides.GUIDE_INTS * k + 1]] == impact.Mode.RESTING
        g[at + k] = 1e-3 * f[guides.vector(p, 3) + k] if resting else guides.free_gap(p, k)


@kernel(signature=signatures.guards_signature(SYSTEM))
def guards(t, x, memory, mode, p, g):
    f, i = p
    place.follow_track(p, t, memory)
    gather(p, x)
    deform_ports(p)
    n = 6 * i[Head.LINKS]
    o = i[Head.PORT_STATE]
    at = 0
    for j in range(i[Head.PORTS]):
        port = o + i[i[Head.PORT] + j]
        u, v = f[port + 7 * n], f[port + 8 * n]
        g[at] = u - f[port + 3 * n]
        g[at + 1] = f[port + 4 * n] - u
        g[at + 2] = v - f[port + 5 * n]
        g[at + 3] = f[port + 6 * n] - v
        at += PORT_GUARDS
    for k in range(i[Head.LEAVES]):
        z, v, branch, law = leaf_state(p, k, memory, mode)
        leaf_spring.write_guards(mode[i[i[Head.LEAF_AT] + 3 * k + 1]], branch, z, v, law, g, at)
        at += LEAF_GUARDS
    for w in range(i[Head.WHEELS]):
        wheel = i[Head.WHEEL_AT] + wheels.WHEEL_INTS * w
        bound = i[wheel + 3] + mode[i[wheel + 1]]
        y = wheels.lateral_place(p, i[wheel])
        g[at] = y - f[bound]
        g[at + 1] = f[bound + 1] - y
        at += WHEEL_GUARDS
    if guides.any_resting(p, mode):
        resting_guards(t, x, memory, mode, p, g, at)
        return
    for k in range(i[Head.GUIDES]):
        g[at + k] = guides.free_gap(p, k)


@kernel(signature=signatures.scan_signature(SYSTEM))
def look(t, t_new, x, x_new, memory, mode, p):
    """0 when surely nothing happened in the step."""
    return scan.something_happened(p, t, t_new, x, x_new, memory, mode)


@kernel(inner=True)
def act_on_leaves(t, memory, mode, p, fired, at):
    i = p[1]
    for k in range(i[Head.LEAVES]):
        where = i[Head.LEAF_AT] + 3 * k
        for guard in range(LEAF_GUARDS):
            if fired[at + LEAF_GUARDS * k + guard]:
                z, v, branch, law = leaf_state(p, k, memory, mode)
                mode[i[where + 1]], branch = leaf_spring.leave(mode[i[where + 1]], guard, branch, z, v, law)
                leaf_spring.write_branch(branch, memory, i[where + 2])
                break


@kernel(inner=True)
def act_on_gaps(t, x, memory, mode, p, fired, at):
    """Impacts of gaps that closed; resting contacts whose force would pull are let go.

    Returns 0, or another number when the complementarity problem of an impact could not be solved.
    """
    f, i = p
    hit = False
    for k in range(i[Head.GUIDES]):
        if fired[at + k]:
            mode_at = i[i[Head.GUIDE_AT] + guides.GUIDE_INTS * k + 1]
            if mode[mode_at] == impact.Mode.RESTING:
                mode[mode_at] = impact.Mode.FREE
            else:
                hit = True
    if not hit:
        return 0
    status = guides.strike(p, x, mode, fired, at)
    if status != 0:
        return status
    gather(p, x)
    deform_ports(p)
    for k in range(i[Head.LEAVES]):
        where = i[Head.LEAF_AT] + 3 * k
        z, v, branch, law = leaf_state(p, k, memory, mode)
        mode[i[where + 1]], branch = leaf_spring.settle(mode[i[where + 1]], branch, z, v, law)
        leaf_spring.write_branch(branch, memory, i[where + 2])
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    if forces(t, x, memory, mode, p, dx) == 0:
        status = guides.settle_contacts(p, mode, dx)
    return status


@kernel(signature=signatures.act_signature(SYSTEM))
def act(t, x, memory, mode, p, fired):
    f, i = p
    if i[Head.HAS_TRACK]:
        corners.pass_corners(p, t, x, memory)
    place.follow_track(p, t, memory)
    gather(p, x)
    deform_ports(p)
    at = 0
    for j in range(i[Head.PORTS]):
        for wall in range(PORT_GUARDS):
            if fired[at + wall]:
                ports.leave_wall(p, i[i[Head.PORT] + j], wall, memory, mode)
        at += PORT_GUARDS
    act_on_leaves(t, memory, mode, p, fired, at)
    at += LEAF_GUARDS * i[Head.LEAVES]
    stop = 0
    for w in range(i[Head.WHEELS]):
        if fired[at] or fired[at + 1]:
            wheel = i[Head.WHEEL_AT] + wheels.WHEEL_INTS * w
            y = wheels.lateral_place(p, i[wheel]) + (-BEYOND if fired[at] else BEYOND)
            bound = i[wheel + 3]
            if y < f[bound] or y > f[bound + i[wheel + 4]]:
                stop = 1  # the contact table is left: derailment
            else:
                mode[i[wheel + 1]] = wheels.state_at(p, w, y)
        at += WHEEL_GUARDS
    if act_on_gaps(t, x, memory, mode, p, fired, at) != 0:
        stop = 1  # an impact without solution
    ports.rebuild(p, memory, mode)
    scan.forget(p)
    return stop


@kernel(inner=True)
def leaf_shape(t, h, memory, p, port, shape, z_shape, v_shape):
    """Interpolant of a port's deformation and rate: linear in the state, what the track adds linear in time."""
    f, i = p
    at = i[Head.LINK_OFFSET] + OFFSETS * (port // AXES) + port % AXES
    place.follow_track(p, t + h, memory)
    z_end, v_end = f[at], f[at + AXES]
    place.follow_track(p, t, memory)
    for k in range(shape.shape[0]):
        gather(p, shape[k])
        deform_ports(p)
        z_shape[k] = f[ports.field(p, PortField.U) + port] - f[at]
        v_shape[k] = f[ports.field(p, PortField.V) + port] - f[at + AXES]
    z_shape[0] += z_end - f[at]
    v_shape[0] += v_end - f[at + AXES]


@kernel(signature=signatures.after_step_signature(SYSTEM))
def after_step(t, h, x, shape, x_new, memory, mode, p):
    """Turning points of leaf springs near rest (Reading.FULL) move their reference without stopping the run."""
    f, i = p
    degree = shape.shape[0]
    changed = 0
    o = i[Head.ACCELERATION]
    z_shape, v_shape = f[o : o + degree], f[o + degree : o + 2 * degree]
    for k in range(i[Head.LEAVES]):
        where = i[Head.LEAF_AT] + 3 * k
        if mode[i[where + 1]] != leaf_spring.Mode.AUTO:
            continue
        place.follow_track(p, t + h, memory)
        gather(p, x_new)
        deform_ports(p)
        _, v_end, branch, law = leaf_state(p, k, memory, mode)
        if law.reading != leaf_spring.Reading.FULL or branch.kappa * v_end <= 0.0:
            continue
        leaf_shape(t, h, memory, p, i[where], shape, z_shape, v_shape)
        gather(p, x)
        deform_ports(p)
        z, v, branch, law = leaf_state(p, k, memory, mode)
        moved, branch = leaf_spring.after_step(mode[i[where + 1]], branch, z, v, z_shape, v_shape, law)
        if moved != 0:
            leaf_spring.write_branch(branch, memory, i[where + 2])
            changed = 1
    return changed


@kernel
def prepare(p, memory, mode):
    """Port sums of the start modes; called once before a run."""
    ports.rebuild(p, memory, mode)
    scan.forget(p)


@kernel
def wheel_depth(t, x, memory, mode, p, w):
    """Penetration of the (first) contact of wheel w [m]."""
    f, i = p
    place.follow_track(p, t, memory)
    gather(p, x)
    block = w // wheels.LANES
    wheels.gather_lanes(p, t, block)
    wheels.press_block(p, mode, block, 0)
    return f[i[Head.LANES] + wheels.BLOCK * block + wheels.LANES * wheels.Lane.PENETRATION + w % wheels.LANES]


@kernel
def state_of_wheel(p, w, shift):
    """Contact state of wheel w at a lateral shift."""
    return wheels.state_at(p, w, shift)


@kernel
def rolling_radius(p, w, shift):
    """Radius at the contact point of wheel w at a lateral shift [m]."""
    return wheels.rolling_radius(p, w, shift)
