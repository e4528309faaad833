"""The short list of passes: right-hand side, guards, action, soft update of any vehicle.

rhs     gather -> ports -> contacts -> leaf springs, forces of links, wheels and conical wheelsets on bodies
        -> accelerations
        (-> resting contacts)
guards  [port walls 4 each][leaf springs 3 each][wheels 2 each][gaps 1 each]
act     elements whose wall was crossed leave their mode; leaf springs; wheels search their state; impacts;
        then the port sums are rebuilt
"""

from numba import types

from klingel._jit import kernel
from klingel.elements import impact, leaf_spring
from klingel.model import conical, guides, ports, scan, wheels
from klingel.model.bodies import inertia
from klingel.model.bodies.motion import (
    LANES,
    accelerate,
    clear_loads,
    deform_links,
    gather,
    load_bodies,
    move_links,
    write_velocities,
)
from klingel.model.on_track import stages as corners
from klingel.model.on_track import track_at_bodies
from klingel.model.system import Head, PortField, Run, System
from klingel.numerics import signatures

SYSTEM = types.NamedTuple((types.Array(types.float64, 1, "C"), types.Array(types.uint32, 1, "C")), System)
PORT_GUARDS, LEAF_GUARDS, WHEEL_GUARDS = 4, 3, 2
# A wheel that leaves its state together with another one may lie on the bound to rounding, on either side of it.
BEYOND = 2e-12  # [m]; above the tolerance of guards


@kernel(inner=True)
def enter_modes(p, memory, mode):
    """What is kept until modes or memory change: port sums and walls, states of the wheels."""
    ports.rebuild(p, memory, mode)
    wheels.enter_states(p, mode)
    p[0][p[1][Head.RUN] + Run.RESTING] = guides.count_resting(p, mode)
    scan.forget(p)


@kernel(merged=True)
def forces(t, x, memory, mode, p, dx):
    """Accelerations without resting contacts; 1 when a wheel left its table.

    The links do their work while the roots and divisions of the contacts go on.
    """
    if p[1][Head.HAS_TRACK]:
        track_at_bodies.follow_track(p, t, memory)
    gather(p, x)
    write_velocities(p, x, dx)
    clear_loads(p)
    deform_links(p)
    if not wheels.press_wheels(p, t, mode):
        return 1
    ports.leaf_forces(p, memory)
    load_bodies(p)
    wheels.load_wheelsets(p)
    if p[1][Head.HAS_TRACK]:
        inertia.turn_forces(p)
    if p[1][Head.CONES] > 0:
        conical.add_forces(p, t)
    accelerate(p, t, dx)
    if p[1][Head.HAS_TRACK]:
        inertia.inertia(p, t, dx)
    return 0


@kernel(signature=signatures.rhs_signature(SYSTEM), rows=True)
def rhs(t, x, memory, mode, p, dx):
    if forces(t, x, memory, mode, p, dx) != 0:
        return 1
    if p[0][p[1][Head.RUN] + Run.RESTING] > 0.0:
        guides.hold_resting(p, mode, dx)
    scan.note_state(p, t, x)
    return 0


@kernel(inner=True)
def free_forces(t, x, memory, mode, p, dx):
    """As `forces`, for those who call it seldom."""
    return forces(t, x, memory, mode, p, dx)


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
    if free_forces(t, x, memory, mode, p, dx) == 0:
        guides.hold_resting(p, mode, dx)
    for k in range(i[Head.GUIDES]):
        resting = mode[i[i[Head.GUIDE_AT] + guides.GUIDE_INTS * k + 1]] == impact.Mode.RESTING
        g[at + k] = 1e-3 * f[guides.vector(p, 3) + k] if resting else guides.free_gap(p, k)


@kernel(signature=signatures.guards_signature(SYSTEM), rows=True)
def guards(t, x, memory, mode, p, g):
    f, i = p
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)
    at = 0
    for j in range(i[Head.PORTS]):
        port = i[Head.PORT_STATE] + i[i[Head.PORT] + j]
        u, v = f[port + LANES * PortField.U], f[port + LANES * PortField.V]
        g[at] = u - f[port + LANES * PortField.U_LOW]
        g[at + 1] = f[port + LANES * PortField.U_HIGH] - u
        g[at + 2] = v - f[port + LANES * PortField.V_LOW]
        g[at + 3] = f[port + LANES * PortField.V_HIGH] - v
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
    if f[i[Head.RUN] + Run.RESTING] > 0.0:
        resting_guards(t, x, memory, mode, p, g, at)
        return
    for k in range(i[Head.GUIDES]):
        g[at + k] = guides.free_gap(p, k)


@kernel(signature=signatures.scan_signature(SYSTEM), rows=True)
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
    move_links(p, x)
    for k in range(i[Head.LEAVES]):
        where = i[Head.LEAF_AT] + 3 * k
        z, v, branch, law = leaf_state(p, k, memory, mode)
        mode[i[where + 1]], branch = leaf_spring.settle(mode[i[where + 1]], branch, z, v, law)
        leaf_spring.write_branch(branch, memory, i[where + 2])
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    if free_forces(t, x, memory, mode, p, dx) == 0:
        status = guides.settle_contacts(p, mode, dx)
    return status


@kernel(signature=signatures.act_signature(SYSTEM))
def act(t, x, memory, mode, p, fired):
    f, i = p
    if i[Head.HAS_TRACK]:
        corners.pass_corners(p, t, x, memory)
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)
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
    enter_modes(p, memory, mode)
    return stop


@kernel(inner=True)
def leaf_shape(t, h, memory, p, port, shape, z_shape, v_shape):
    """Interpolant of a port's deformation and rate: linear in the state, what the track adds linear in time."""
    f = p[0]
    at = ports.field(p, PortField.U_TRACK) + port
    track_at_bodies.follow_track(p, t + h, memory)
    z_end, v_end = f[at], f[at + LANES]
    track_at_bodies.follow_track(p, t, memory)
    for k in range(shape.shape[0]):
        move_links(p, shape[k])
        z_shape[k] = f[ports.field(p, PortField.U) + port] - f[at]
        v_shape[k] = f[ports.field(p, PortField.V) + port] - f[at + LANES]
    z_shape[0] += z_end - f[at]
    v_shape[0] += v_end - f[at + LANES]


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
        track_at_bodies.follow_track(p, t + h, memory)
        move_links(p, x_new)
        _, v_end, branch, law = leaf_state(p, k, memory, mode)
        if law.reading != leaf_spring.Reading.FULL or branch.kappa * v_end <= 0.0:
            continue
        leaf_shape(t, h, memory, p, i[where], shape, z_shape, v_shape)
        move_links(p, x)
        z, v, branch, law = leaf_state(p, k, memory, mode)
        moved, branch = leaf_spring.after_step(mode[i[where + 1]], branch, z, v, z_shape, v_shape, law)
        if moved != 0:
            leaf_spring.write_branch(branch, memory, i[where + 2])
            changed = 1
    if changed == 1:
        scan.forget(p)
    return changed


@kernel
def prepare(p, memory, mode):
    """What follows from the modes of the start; called once before a run."""
    enter_modes(p, memory, mode)


@kernel
def wheel_depth(t, x, memory, mode, p, w):
    """Penetration of the (first) contact of wheel w [m]."""
    f, i = p
    track_at_bodies.follow_track(p, t, memory)
    gather(p, x)
    block = w // wheels.LANES
    wheels.press_block(p, t, mode, block, 0)
    return f[i[Head.LANES] + wheels.BLOCK * block + wheels.LANES * wheels.Lane.PENETRATION + w % wheels.LANES]


@kernel
def state_of_wheel(p, w, shift):
    """Contact state of wheel w at a lateral shift."""
    return wheels.state_at(p, w, shift)


@kernel
def rolling_radius(p, w, shift):
    """Radius at the contact point of wheel w at a lateral shift [m]."""
    return wheels.rolling_radius(p, w, shift)
