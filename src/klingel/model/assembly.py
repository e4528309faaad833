"""The short list of passes: right-hand side, guards, action, soft update of any vehicle.

rhs     gather -> ports -> contacts -> leaf springs, dampers in series, forces of links, wheels and conical
        wheelsets on bodies -> accelerations
        (-> resting contacts)
guards  [port walls 4 each][leaf springs 3 each][wheels 2 each][gaps 1 each][stops 1 each]
        [rigid faces 2 or 3 each][elastic faces 2 each][relief valves 1 each]
act     elements whose wall was crossed leave their mode; leaf springs; wheels search their state; stops; impacts;
        then the port sums are rebuilt
report  force of every element, what it stores and heats

A kind of element is one line in each pass it has a part in; what the line does is in `kinds/<kind>.py`.

Longer than other files: every pass of a vehicle, one below the other.
"""

from numba import types

from klingel._jit import kernel
from klingel.elements import impact
from klingel.model import port_pieces, scan
from klingel.model.bodies import inertia
from klingel.model.bodies.motion import (
    LANES,
    accelerate,
    clear_loads,
    deform_links,
    gather,
    load_bodies,
    move_links,
    write_rates,
)
from klingel.model.kinds import (
    cone,
    dead_band,
    dry_friction,
    elastic_friction,
    friction_loads,
    guide,
    held_faces,
    impacts,
    leaf_spring,
    leaf_spring_after_step,
    rigid_friction,
    series_damper,
    smooth_dead_band,
    smooth_friction,
    spring,
    stop,
    table_spring,
)
from klingel.model.kinds.wheels import (
    wheel,
    wheel_creep,
    wheel_following,
    wheel_states,
    wheel_touching,
    wheel_turning,
)
from klingel.model.on_track import stages, track_at_bodies
from klingel.model.system import Head, PortField, Run, System
from klingel.numerics import signatures

SYSTEM = types.NamedTuple((types.Array(types.float64, 1, "C"), types.Array(types.uint32, 1, "C")), System)
PORT_GUARDS = 4
PROBE = 1e-5  # of the time over which loads are differentiated [s]


@kernel(inner=True)
def enter_modes(p, memory, mode):
    """What is kept until modes or memory change: port sums and walls, states of the wheels."""
    port_pieces.clear(p)
    spring.enter(p, memory, mode)
    dry_friction.enter(p, memory, mode)
    dead_band.enter(p, memory, mode)
    stop.enter(p, memory, mode)
    table_spring.enter(p, memory, mode)
    held_faces.keep_ports_still(p, mode)
    wheel.enter_states(p, mode)
    p[0][p[1][Head.RUN] + Run.RESTING] = held_faces.count_held(p, mode)
    p[0][p[1][Head.RUN] + Run.PROBED] = friction_loads.count_probed(p, mode)
    scan.forget(p)


@kernel(merged=True)
def forces(t, x, memory, mode, p, dx):
    """Accelerations without resting contacts; 1 when a wheel left its table.

    The links do their work while the roots and divisions of the contacts go on.
    """
    if p[1][Head.HAS_TRACK]:
        track_at_bodies.follow_track(p, t, memory)
    gather(p, x)
    clear_loads(p)
    deform_links(p)
    if not wheel.press_wheels(p, t, mode):
        return 1
    if p[1][Head.CREEP_WHEELS] > 0:
        wheel_turning.read_states(p, x)
        wheel_creep.renew_all(p, t)
        wheel_turning.rates(p, x, dx)
    leaf_spring.forces(p, x, memory, mode, dx)
    if p[1][Head.CURVED] > 0:
        port_pieces.clear_own(p)
        series_damper.forces(p, x, memory, mode, dx)
        smooth_dead_band.forces(p, x, memory, mode, dx)
        friction_loads.read_loads(p)
        rigid_friction.read_loads(p)
        smooth_friction.forces(p, x, memory, mode, dx)
        elastic_friction.forces(p, x, memory, mode, dx)
        rigid_friction.forces(p, x, memory, mode, dx)
    load_bodies(p)
    wheel.load_wheelsets(p)
    if p[1][Head.HAS_TRACK]:
        inertia.turn_forces(p)
    if p[1][Head.CONES] > 0:
        cone.add_forces(p, t)
    accelerate(p, t, dx)
    if p[1][Head.HAS_TRACK]:
        inertia.inertia(p, t, dx)
    return 0


@kernel(signature=signatures.rhs_signature(SYSTEM), rows=True)
def rhs(t, x, memory, mode, p, dx):
    if forces(t, x, memory, mode, p, dx) != 0:
        return 1
    if p[0][p[1][Head.RUN] + Run.RESTING] > 0.0:
        held_faces.hold_resting(p, mode, dx)
    scan.note_state(p, t, x)
    return 0


@kernel(inner=True)
def free_forces(t, x, memory, mode, p, dx):
    """As `forces`, for those who call it seldom."""
    return forces(t, x, memory, mode, p, dx)


@kernel(inner=True)
def probe_loads(t, x, memory, mode, p, rate):
    """Rates of loads that dampers and curved laws press with, by central differences along the motion.

    `rate` is that of the state. Springs and dampers need nothing but the motion of their bodies.
    """
    f, i = p
    n = i[Head.STATES]
    room = f[i[Head.PROBE] : i[Head.PROBE] + 2 * n].reshape(2, n)
    probe, unused = room[0], room[1]
    curved = friction_loads.count_curved(p) > 0
    for step in (-PROBE, PROBE):
        for k in range(n):
            probe[k] = x[k] + step * rate[k]
        if not curved:
            track_at_bodies.follow_track(p, t + step, memory)
            move_links(p, probe)
            friction_loads.read_loads(p)
        elif free_forces(t + step, probe, memory, mode, p, unused) != 0:
            friction_loads.note_rates(p, 0.0)  # half a difference is none
            return
        friction_loads.note_rates(p, 0.5 / step)


@kernel(inner=True)
def resting_forces(t, x, memory, mode, p, known):
    """Forces of contacts that are held closed and of stuck faces, rates of loads, into the scratch.

    Known: the accelerations in the scratch are those of this state, and all that is asked for.
    """
    f, i = p
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    probed, curved = f[i[Head.RUN] + Run.PROBED] > 0.0, friction_loads.count_curved(p) > 0
    if probed:
        friction_loads.note_rates(p, 0.0)
    if known and not curved:
        write_rates(p, dx)
    elif rhs(t, x, memory, mode, p, dx) != 0:
        return
    if not probed:
        return
    probe_loads(t, x, memory, mode, p, dx)
    if curved:
        rhs(t, x, memory, mode, p, dx)
        return
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)


@kernel(signature=signatures.guards_signature(SYSTEM), rows=True)
def guards(t, x, memory, mode, p, g):
    f, i = p
    held, probed = f[i[Head.RUN] + Run.RESTING] > 0.0, f[i[Head.RUN] + Run.PROBED] > 0.0
    known = probed and not held and i[Head.HAS_TRACK] == 0 and scan.holds(p, t, x)
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)
    at, ports, listed = 0, i[Head.PORT_STATE], i[Head.PORT]  # read once: a store might have changed them
    for j in range(i[Head.PORTS]):
        port = ports + i[listed + j]
        u, v = f[port + LANES * PortField.U], f[port + LANES * PortField.V]
        g[at] = u - f[port + LANES * PortField.U_LOW]
        g[at + 1] = f[port + LANES * PortField.U_HIGH] - u
        g[at + 2] = v - f[port + LANES * PortField.V_LOW]
        g[at + 3] = f[port + LANES * PortField.V_HIGH] - v
        at += PORT_GUARDS
    at = leaf_spring.guards(p, memory, mode, g, at)
    at = wheel_states.guards(p, memory, mode, g, at)
    if held or probed:
        resting_forces(t, x, memory, mode, p, known)
    at = guide.guards(p, memory, mode, g, at)
    at = stop.guards(p, memory, mode, g, at)
    at = rigid_friction.guards(p, memory, mode, g, at)
    at = elastic_friction.guards(p, x, memory, mode, g, at)
    series_damper.guards(p, x, memory, mode, g, at)


@kernel(signature=signatures.scan_signature(SYSTEM), rows=True)
def look(t, t_new, x, x_new, memory, mode, p):
    """0 when surely nothing happened in the step."""
    return scan.something_happened(p, t, t_new, x, x_new, memory, mode)


@kernel(signature=signatures.follow_signature(SYSTEM))
def follow(t, h, x, x_new, memory, mode, p, crossings):
    """Changes of contact states in a step of a run in which these follow the lateral shift."""
    first = PORT_GUARDS * p[1][Head.PORTS] + leaf_spring.GUARDS * p[1][leaf_spring.COUNT]
    return wheel_following.follow(p, t, h, x, x_new, memory, mode, first, crossings)


@kernel(signature=signatures.breaks_signature(SYSTEM), rows=True)
def breaks(task, t, x, memory, mode, p):
    """Where the right-hand side jumps without an event: wheels that come down on their rails."""
    return wheel_touching.breaks(task, t, x, memory, mode, p)


@kernel(inner=True)
def cross_wall(p, port, wall, memory, mode):
    """Every element of this port whose own wall is the crossed one goes to its next mode."""
    bound = port_pieces.wall_of(p, port, wall)
    u, v = port_pieces.moved(p, port)
    dry_friction.cross(p, port, wall, bound, u, v, memory, mode)
    dead_band.cross(p, port, wall, bound, u, v, memory, mode)
    stop.cross(p, port, wall, bound, u, v, memory, mode)
    table_spring.cross(p, port, wall, bound, u, v, memory, mode)


@kernel(inner=True)
def act_on_gaps(t, x, memory, mode, p, fired, at, passed):
    """Impacts of gaps that closed; resting contacts whose force would pull are let go.

    Where bodies have `passed` a corner of the track, rates of gaps may jump: those that rest are struck, or open.
    Returns 0, or another number when the complementarity problem of an impact could not be solved.
    """
    f, i = p
    hit = passed > 0 and impacts.count_resting(p, mode) > 0.0
    for k in range(i[guide.COUNT]):
        if fired[at + k]:
            mode_at = i[i[guide.AT] + guide.At.SIZE * k + guide.At.MODE]
            if mode[mode_at] == impact.Mode.RESTING:
                mode[mode_at] = impact.Mode.FREE
            else:
                hit = True
    if not hit:
        return 0
    status = impacts.strike(p, x, mode, fired, at)
    if status != 0:
        return status
    move_links(p, x)
    leaf_spring.settle(p, memory, mode)
    stop.settle(p, memory, mode)
    rigid_friction.settle(p, memory, mode)
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    if free_forces(t, x, memory, mode, p, dx) == 0:
        status = impacts.settle_contacts(p, mode, dx)
    return status


@kernel(inner=True)
def act_on_faces(t, x, memory, mode, p, fired, at):
    """Elastic faces change their modes; rigid ones whose slip has ended come to rest.

    Which of those at rest slide is decided together.
    """
    f, i = p
    o = i[Head.ACCELERATION]
    dx = f[o : o + i[Head.STATES]]
    if i[elastic_friction.COUNT] > 0:
        free_forces(t, x, memory, mode, p, dx)  # limits at this instant
        elastic_friction.act(p, x, memory, mode, fired, at + held_faces.count_guards(p))
    if i[rigid_friction.COUNT] == 0:
        return
    move_links(p, x)
    if held_faces.catch(p, x, memory, mode, fired, at):
        enter_modes(p, memory, mode)
        if free_forces(t, x, memory, mode, p, dx) == 0:
            held_faces.decide(p, memory, mode, dx)


@kernel(signature=signatures.act_signature(SYSTEM))
def act(t, x, memory, mode, p, fired):
    i = p[1]
    passed = stages.pass_corners(p, t, x, memory) if i[Head.HAS_TRACK] else 0
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)
    at = 0
    for j in range(i[Head.PORTS]):
        for wall in range(PORT_GUARDS):
            if fired[at + wall]:
                cross_wall(p, i[i[Head.PORT] + j], wall, memory, mode)
        at += PORT_GUARDS
    at = leaf_spring.act(p, memory, mode, fired, at)
    end = wheel_states.act(p, memory, mode, fired, at)  # derailment
    at += wheel_states.GUARDS * i[Head.WHEELS]
    gaps = at
    faces = stop.act(p, memory, mode, fired, gaps + i[guide.COUNT])
    if act_on_gaps(t, x, memory, mode, p, fired, gaps, passed) != 0:
        end = 1  # an impact without solution
    valves = faces + held_faces.count_guards(p) + elastic_friction.GUARDS * i[elastic_friction.COUNT]
    series_damper.act(p, memory, mode, fired, valves)
    act_on_faces(t, x, memory, mode, p, fired, faces)
    enter_modes(p, memory, mode)
    return end


@kernel(signature=signatures.after_step_signature(SYSTEM))
def after_step(t, h, x, shape, x_new, memory, mode, p):
    """Turning points of leaf springs near rest (Reading.FULL) move their reference without stopping the run.

    Velocities that rounding leaves to stuck faces are taken out.
    """
    changed = leaf_spring_after_step.after_step(t, h, x, shape, x_new, memory, mode, p)
    if p[1][Head.HELD_ROWS] > 0 and p[0][p[1][Head.RUN] + Run.RESTING] > 0.0:
        track_at_bodies.follow_track(p, t + h, memory)
        held_faces.keep(p, mode, x_new)
        scan.forget(p)
    if changed == 1:
        scan.forget(p)
    return changed


@kernel(inner=True)
def report_elements(p, x, memory, mode, force):
    """Force of every element in each of its directions."""
    spring.report(p, x, memory, mode, force)
    dry_friction.report(p, x, memory, mode, force)
    dead_band.report(p, x, memory, mode, force)
    leaf_spring.report(p, x, memory, mode, force)
    guide.report(p, x, memory, mode, force)
    stop.report(p, x, memory, mode, force)
    series_damper.report(p, x, memory, mode, force)
    table_spring.report(p, x, memory, mode, force)
    smooth_dead_band.report(p, x, memory, mode, force)
    smooth_friction.report(p, x, memory, mode, force)
    rigid_friction.report(p, x, memory, mode, force)
    elastic_friction.report(p, x, memory, mode, force)


@kernel(inner=True)
def report_energies(p, x, memory, mode, stored, heat):
    """What every element stores [J] and turns into heat [W]."""
    spring.energy(p, x, memory, mode, stored, heat)
    dry_friction.energy(p, x, memory, mode, stored, heat)
    dead_band.energy(p, x, memory, mode, stored, heat)
    leaf_spring.energy(p, x, memory, mode, stored, heat)
    guide.energy(p, x, memory, mode, stored, heat)
    stop.energy(p, x, memory, mode, stored, heat)
    series_damper.energy(p, x, memory, mode, stored, heat)
    table_spring.energy(p, x, memory, mode, stored, heat)
    smooth_dead_band.energy(p, x, memory, mode, stored, heat)
    smooth_friction.energy(p, x, memory, mode, stored, heat)
    rigid_friction.energy(p, x, memory, mode, stored, heat)
    if p[0][p[1][Head.RUN] + Run.PROBED] > 0.0:
        resting_forces(p[0][p[1][Head.RUN] + Run.EVALUATED], x, memory, mode, p, False)
    elastic_friction.energy(p, x, memory, mode, stored, heat)


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
    block = w // LANES
    wheel.press_block(p, t, mode, block, 0)
    return f[i[Head.LANES] + wheel.BLOCK * block + LANES * wheel.Lane.PENETRATION + w % LANES]


@kernel
def state_of_wheel(p, w, shift):
    """Contact state of wheel w at a lateral shift."""
    return wheel_states.state_at(p, w, shift)


@kernel
def rolling_radius(p, w, shift):
    """Radius at the contact point of wheel w at a lateral shift [m]."""
    return wheel_states.rolling_radius(p, w, shift)
