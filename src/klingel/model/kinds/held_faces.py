"""Stuck faces of rigid friction as constraints of the whole vehicle, together with resting contacts.

Rows of the constraints: one per direction of a rigid face, then one per side of a guide. The kinematics of ports
are linear with constant rows J, so J, M^-1 J^T and A = J M^-1 J^T are tables. Every right-hand side solves for the
forces of the stuck rows; at the end of slip the same equations, for velocities, give the impulses that bring a
face to rest; after every step they take out the velocities that rounding has left (`keep`), so nothing creeps.
Vehicles without rigid faces have no rows here and their resting contacts are held by `impacts`.
"""

from math import sqrt

import numpy as np

from klingel._jit import kernel
from klingel.elements import impact, rigid_friction, stick_or_slip
from klingel.elements.rigid_friction import Guard, Mode
from klingel.elements.stick_or_slip import FACE, OUT, PUSH
from klingel.model import port_pieces
from klingel.model.bodies.motion import LANES
from klingel.model.bodies.rows import gap_rows, inverse_mass
from klingel.model.description import Vehicle
from klingel.model.kinds import impacts
from klingel.model.kinds.registry import Kind
from klingel.model.kinds.rigid_friction import AT, COUNT, ROWS, At, Row, slip
from klingel.model.rows import Rows
from klingel.model.system import NONE, Head, PortField
from klingel.model.tables import Tables

VECTORS = (
    8  # over the rows: chosen or play, size or static limit, free, force, width, kinetic limit, pushed, slips
)


def put_held(
    vehicle: Vehicle, rows: Rows, ends: np.ndarray, slot: np.ndarray, n_positions: int, tables: Tables
) -> None:
    """J, M^-1 J^T, A and their scratch; nothing where no face is rigid."""
    n_speeds = int((slot[:, 6:] != NONE).sum())
    faces = [at[e] for at in rows.ints[Kind.RIGID_FRICTION] for e in (At.PORT, At.PLANE) if at[e] != NONE]
    sides = [(at[impacts.At.PORT], bool(at[impacts.At.MINUS])) for at in rows.ints[Kind.GUIDE]] if faces else []
    ports = [(port, True) for port in faces] + sides  # the row of a minus side is the rate of its deformation
    j = gap_rows(tables, ports, ends, slot, n_positions, n_speeds)
    moved = inverse_mass(vehicle, slot, n_positions, n_speeds) @ j
    n = len(ports)
    tables.head[Head.HELD_ROWS] = n
    tables.put(Head.HELD_ROW, j)
    tables.put(Head.HELD_PUSH, moved)
    tables.put(Head.HELD_WEIGHT, j.T @ moved)
    tables.put_int(Head.HELD_AT, np.array(faces, np.int64))
    tables.put(Head.HELD, np.zeros(VECTORS * n + 3 * n + int(stick_or_slip.work_size(n))))


@kernel(merged=True)
def views(p):
    """J, M^-1 J^T [speed][row], A [row][row], vectors over the rows, room to work."""
    f, i = p
    n, m = i[Head.HELD_ROWS], i[Head.SPEEDS]
    j = f[i[Head.HELD_ROW] : i[Head.HELD_ROW] + m * n].reshape(m, n)
    push = f[i[Head.HELD_PUSH] : i[Head.HELD_PUSH] + m * n].reshape(m, n)
    a = f[i[Head.HELD_WEIGHT] : i[Head.HELD_WEIGHT] + n * n].reshape(n, n)
    o = i[Head.HELD]
    vectors = f[o : o + VECTORS * n].reshape(VECTORS, n)
    work = f[o + VECTORS * n : o + VECTORS * n + 3 * n + stick_or_slip.work_size(n)]
    return j, push, a, vectors, work


@kernel(inner=True)
def count_held(p, mode):
    """How many faces stick and contacts rest."""
    i = p[1]
    count = impacts.count_resting(p, mode)
    for k in range(i[COUNT]):
        if mode[i[i[AT] + At.SIZE * k + At.MODE]] == Mode.STICK:
            count += 1.0
    return count


@kernel(inner=True)
def keep_ports_still(p, mode):
    """Ports across which a contact rests or a face sticks."""
    i = p[1]
    for k in range(i[impacts.COUNT]):
        at = i[impacts.AT] + impacts.At.SIZE * k
        if mode[i[at + impacts.At.MODE]] == impact.Mode.RESTING:
            port_pieces.keep_still(p, i[at + impacts.At.PORT])
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        if mode[i[at + At.MODE]] == Mode.STICK:
            port_pieces.keep_still(p, i[at + At.PORT])
            if i[at + At.PLANE] != NONE:
                port_pieces.keep_still(p, i[at + At.PLANE])


@kernel(inner=True)
def count_guards(p):
    """Of all rigid faces."""
    i = p[1]
    count = 0
    for k in range(i[COUNT]):
        count += 2 if i[i[AT] + At.SIZE * k + At.PLANE] == NONE else 3
    return count


@kernel(inner=True)
def rates(p, j, values, order, chosen, out):
    """Rate (order 1) or acceleration (2) of the chosen rows, with what the track adds."""
    f, i = p
    n = i[Head.HELD_ROWS]
    faces = n - i[impacts.COUNT]
    for r in range(n):
        if chosen[r] < 0.5:
            out[r] = 0.0
            continue
        out[r] = impact.gap_rate(j, values, r)
        if i[Head.HAS_TRACK]:
            if r < faces:
                out[r] += f[i[Head.PORT_STATE] + LANES * (PortField.U_TRACK + order) + i[i[Head.HELD_AT] + r]]
            else:
                out[r] += impacts.carried(p, r - faces, order)


@kernel(inner=True)
def choose(p, mode, chosen, size):
    """Rows of stuck faces with their static limits, rows of resting contacts without a size."""
    f, i = p
    r = 0
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        sticks = mode[i[at + At.MODE]] == Mode.STICK
        for _ in range(1 if i[at + At.PLANE] == NONE else 2):
            chosen[r] = 1.0 if sticks else 0.0
            size[r] = f[o + Row.STATIC] * f[o + Row.NOW]
            r += 1
    for k in range(i[impacts.COUNT]):
        chosen[r] = (
            1.0 if mode[i[i[impacts.AT] + impacts.At.SIZE * k + impacts.At.MODE]] == impact.Mode.RESTING else 0.0
        )
        size[r] = -1.0
        r += 1


@kernel(inner=True)
def push_speeds(push, force, change):
    """change += M^-1 J^T force."""
    for r in range(push.shape[1]):
        if force[r] != 0.0:
            for s in range(push.shape[0]):
                change[s] += push[s, r] * force[r]


@kernel(inner=True)
def hold(p, mode, given, order):
    """Take out of the speeds (order 1) or accelerations (2) what moves held rows; leaves their forces."""
    i = p[1]
    j, push, a, vectors, work = views(p)
    chosen, size, free, force = vectors[0], vectors[1], vectors[2], vectors[3]
    first = i[Head.POSITIONS]
    moving = given[first : first + i[Head.SPEEDS]]
    choose(p, mode, chosen, size)
    rates(p, j, moving, order, chosen, free)
    stick_or_slip.hold(a, chosen, size, free, force, work)
    push_speeds(push, force, moving)


@kernel(inner=True)
def hold_resting(p, mode, dx):
    """Add the forces of stuck faces and resting contacts to the accelerations; they are left where guards look."""
    i = p[1]
    if i[Head.HELD_ROWS] == 0:
        impacts.hold_resting(p, mode, dx)
        return
    hold(p, mode, dx, 2)
    write_forces(p, mode)


@kernel(inner=True)
def write_forces(p, mode):
    """A face resists with minus the force on its row."""
    f, i = p
    force = views(p)[3][3]
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        if mode[i[at + At.MODE]] == Mode.STICK:
            r = i[at + At.HELD]
            f[o + Row.FORCE] = -force[r]
            if i[at + At.PLANE] != NONE:
                f[o + Row.ACROSS] = -force[r + 1]
    sides = i[impacts.COUNT]
    for k in range(sides):
        f[impacts.vector(p, 3) + k] = force[i[Head.HELD_ROWS] - sides + k]


@kernel(inner=True)
def keep(p, mode, x):
    """Take out of the speeds what moves stuck faces and resting contacts; the deformations must be those at x."""
    hold(p, mode, x, 1)


@kernel(inner=True)
def catch(p, x, memory, mode, fired, at):
    """Faces whose slip has ended, and all that are at rest besides, are brought to rest and count as stuck.

    Returns whether some face has to be decided upon.
    """
    f, i = p
    pushed = views(p)[3][6]
    asked = False
    for k in range(i[COUNT]):
        place, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        plane = i[place + At.PLANE] != NONE
        now = mode[i[place + At.MODE]]
        v, w = slip(p, k)
        pushed[i[place + At.HELD]] = 1.0 if fired[at + Guard.LIMIT] else 0.0
        asked = asked or fired[at + Guard.LIMIT] or fired[at + Guard.END]
        if plane and fired[at + Guard.AWAY] and now == Mode.START:
            mode[i[place + At.MODE]] = Mode.SLIP
        elif now != Mode.STICK:
            slow = rigid_friction.is_slow(now, v, w, f[o + Row.SPEED])
            if fired[at + Guard.END]:
                mode[i[place + At.MODE]] = Mode.STICK if slow else rigid_friction.slip_mode(v, plane)
            elif v * v + w * w <= rigid_friction.STILL**2:
                mode[i[place + At.MODE]] = Mode.STICK
        at += 3 if plane else 2
    if asked:
        keep(p, mode, x)
    return asked


@kernel(inner=True)
def decide(p, memory, mode, dx):
    """Who of the stuck faces slides; `dx` are the accelerations without their forces."""
    f, i = p
    j, _, a, vectors, work = views(p)
    play, static, free, force, width = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    kinetic, pushed, slips = vectors[5], vectors[6], vectors[7]
    first = i[Head.POSITIONS]
    choose(p, mode, play, static)
    rates(p, j, dx[first : first + i[Head.SPEEDS]], 2, play, free)
    for r in range(i[Head.HELD_ROWS]):
        width[r] = 1.0
        play[r] = OUT if play[r] < 0.5 else (PUSH if static[r] < 0.0 else FACE)
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        r = i[at + At.HELD]
        kinetic[r] = f[i[ROWS] + Row.SIZE * k + Row.NOW]
        if i[at + At.PLANE] != NONE:
            width[r], width[r + 1] = 2.0, 0.0
            kinetic[r + 1], pushed[r + 1] = kinetic[r], pushed[r]
    stick_or_slip.decide(a, play, width, static, kinetic, pushed, free, force, slips, work)
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        r = i[at + At.HELD]
        if slips[r] > 0.5 and mode[i[at + At.MODE]] == Mode.STICK:
            let_go(p, k, force, free, memory, mode)


@kernel(inner=True)
def let_go(p, k, force, free, memory, mode):
    """A stuck face slides where it is pushed to: against the force on it, without one as it is accelerated."""
    i = p[1]
    at = i[AT] + At.SIZE * k
    r, memory_at = i[at + At.HELD], i[at + At.MEMORY]
    if i[at + At.PLANE] == NONE:
        to = -force[r] if force[r] != 0.0 else free[r]
        mode[i[at + At.MODE]] = Mode.SLIP_POS if to > 0.0 else Mode.SLIP_NEG
        return
    a, b = -force[r], -force[r + 1]
    if a == 0.0 and b == 0.0:
        a, b = free[r], free[r + 1]
    length = max(sqrt(a * a + b * b), 1e-300)
    mode[i[at + At.MODE]] = Mode.START
    memory[memory_at], memory[memory_at + 1] = a / length, b / length
