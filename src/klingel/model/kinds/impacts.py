"""Clearances with rigid stops: gaps, impacts, contacts that stay closed.

A clearance has two sides. The gap of side s = +1 or -1 is `clearance - s u`, its rate a constant row of the free
speeds. Impacts are an action of the whole system: all closed gaps take part in one complementarity problem
(`elements.impact`). A gap that stays closed becomes a constraint: its force is found with the accelerations, and
it opens when the force would pull. On bent track the frames of the two bodies turn against each other, which moves
gaps as well (`carried`).
"""

from enum import IntEnum

from klingel._jit import kernel
from klingel.elements import impact
from klingel.model.bodies.motion import LANES
from klingel.model.kinds.registry import Kind, places
from klingel.model.system import Head, PortField

DRIFT = 1e-6  # penetration of a contact that rested, from the errors of its steps, at most [m]
STILL = 1e-9  # rate of a gap that an impact without rebound leaves behind, to rounding [m/s]
VECTORS = 6  # over the gaps, at the beginning of the scratch
COUNT, ROWS, AT = places(Kind.GUIDE, Head.KINDS)


class Row(IntEnum):
    """Of one side of a clearance."""

    CLEARANCE, RESTITUTION, RESTING_SPEED = range(3)
    SIZE = 3


class At(IntEnum):
    PORT, MODE, MINUS, SLOT = range(4)  # MINUS: 1 for the side of negative deformations
    SIZE = 4


@kernel(inner=True)
def gap(p, k):
    f, i = p
    at = i[AT] + At.SIZE * k
    u = i[Head.PORT_STATE] + LANES * PortField.U
    deformation = f[u + i[at]]
    return f[i[ROWS] + Row.SIZE * k] + (deformation if i[at + At.MINUS] > 0 else -deformation)


@kernel(inner=True)
def free_gap(p, k):
    """Guard of a side that does not rest: its gap, but positive also while one opens that is closed by a little.

    A contact that rested has drifted by the error of its steps; when it opens, that is no new impact. One that is
    deeper was struck and has turned round within one step. The guard rises with the gap: one that fell would look
    as if it were to close.
    """
    f, i = p
    at = i[AT] + At.SIZE * k
    v = f[i[Head.PORT_STATE] + LANES * PortField.V + i[at]]
    opening = v if i[at + At.MINUS] > 0 else -v
    width = gap(p, k)
    return width + 2.0 * DRIFT if -DRIFT < width < 0.0 and opening > -STILL else width


@kernel(inner=True)
def carried(p, k, order):
    """What the turning of the track frames does to a gap: its rate (order 1) or acceleration (2)."""
    f, i = p
    if not i[Head.HAS_TRACK]:
        return 0.0
    at = i[AT] + At.SIZE * k
    offset = f[i[Head.PORT_STATE] + LANES * (PortField.U_TRACK + order) + i[at]]
    return offset if i[at + At.MINUS] > 0 else -offset


@kernel(inner=True)
def carry(p, w, inverse, velocity, vectors, work):
    """Speeds that move every gap as the track frames do; they are added, and their forces left in vector 3."""
    for k in range(p[1][COUNT]):
        vectors[0, k] = 1.0
        vectors[4, k] = -carried(p, k, 1)
    impact.hold(w, inverse, vectors[0], vectors[4], vectors[3], work)
    impact.add_forces(w, inverse, vectors[3], velocity)


@kernel(inner=True)
def count_resting(p, mode):
    i = p[1]
    count = 0.0
    for k in range(i[COUNT]):
        if mode[i[i[AT] + At.SIZE * k + At.MODE]] == impact.Mode.RESTING:
            count += 1.0
    return count


@kernel(inner=True)
def vector(p, k):
    """First entry of the k-th of VECTORS vectors over the gaps; the rest of the scratch follows them."""
    i = p[1]
    return i[Head.IMPACT] + k * i[COUNT]


@kernel(merged=True)
def views(p):
    """Rates of the gaps per speed, inverse mass matrix, vectors over the gaps, room to work."""
    f, i = p
    n, m = i[COUNT], i[Head.SPEEDS]
    w = f[i[Head.GUIDE_ROW] : i[Head.GUIDE_ROW] + m * n].reshape(m, n)
    inverse = f[i[Head.WEIGHT] : i[Head.WEIGHT] + m * m].reshape(m, m)
    vectors = f[vector(p, 0) : vector(p, VECTORS)].reshape(VECTORS, n)
    work = f[vector(p, VECTORS) : i[Head.IMPACT] + i[Head.IMPACT_SIZE]]
    return w, inverse, vectors, work


@kernel(inner=True)
def hold_resting(p, mode, dx):
    """Add the forces of resting contacts to the accelerations; they stand in the fourth vector afterwards."""
    i = p[1]
    first = i[Head.POSITIONS]
    w, inverse, vectors, work = views(p)
    resting, free, force = vectors[0], vectors[1], vectors[3]
    acceleration = dx[first : first + i[Head.SPEEDS]]
    for k in range(i[COUNT]):
        resting[k] = 1.0 if mode[i[i[AT] + At.SIZE * k + At.MODE]] == impact.Mode.RESTING else 0.0
        free[k] = impact.gap_rate(w, acceleration, k) + carried(p, k, 2)
    impact.hold(w, inverse, resting, free, force, work)
    impact.add_forces(w, inverse, force, acceleration)


@kernel(inner=True)
def strike(p, x, mode, fired, first_guard):
    """All gaps that are closed, or fire together, hit; returns 0 when the impact problem is solved."""
    f, i = p
    first = i[Head.POSITIONS]
    w, inverse, vectors, work = views(p)
    closed, restitution, impulse, after, slowest = vectors[0], vectors[1], vectors[2], vectors[4], vectors[5]
    velocity = x[first : first + i[Head.SPEEDS]]
    if i[Head.HAS_TRACK]:
        carry(p, w, inverse, velocity, vectors, work)
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        touching = gap(p, k) <= 0.0 or fired[first_guard + k]
        closed[k] = 1.0 if touching or mode[i[at + At.MODE]] == impact.Mode.RESTING else 0.0
        restitution[k] = f[i[ROWS] + Row.SIZE * k + Row.RESTITUTION]
        slowest[k] = f[i[ROWS] + Row.SIZE * k + Row.RESTING_SPEED]
    status = impact.strike(w, inverse, closed, restitution, slowest, velocity, impulse, after, work)
    if i[Head.HAS_TRACK]:
        for k in range(i[COUNT]):
            vectors[3, k] = -vectors[3, k]
        impact.add_forces(w, inverse, vectors[3], velocity)
    return status


@kernel(inner=True)
def settle_contacts(p, mode, dx):
    """After an impact: contacts that touch and no longer move become resting when they are pressed.

    Returns 0 when it could be told which of them are.
    """
    i = p[1]
    first = i[Head.POSITIONS]
    w, inverse, vectors, work = views(p)
    touching, free, force, acceleration, after = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    for k in range(i[COUNT]):
        touching[k] = 1.0 if touching[k] > 0.5 and abs(after[k]) <= STILL else 0.0
        free[k] = impact.gap_rate(w, dx[first : first + i[Head.SPEEDS]], k) + carried(p, k, 2)
    status = impact.press(w, inverse, touching, free, force, acceleration, work)
    for k in range(i[COUNT]):
        at = i[AT] + At.SIZE * k
        rests = touching[k] > 0.5 and force[k] > 0.0
        mode[i[at + At.MODE]] = impact.Mode.RESTING if rests else impact.Mode.FREE
    return status
