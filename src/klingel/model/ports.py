"""What hangs on a port: springs, sliders and dead bands add up to one affine piece with walls.

The sum is rebuilt at events only. A right-hand side then costs one multiply-add per port, and "has anything
happened?" is a comparison of each port with its four walls. Which element a wall belongs to is asked only when
it is crossed: those whose own wall is the crossed one leave their mode.
"""

from math import inf

from klingel._jit import kernel
from klingel.elements import dead_band, dry_friction, leaf_spring, spring
from klingel.elements.piece import Wall
from klingel.model.bodies.motion import LANES, PORT_ROW, add_row, write_row
from klingel.model.system import BAND_SIZE, SLIDER_SIZE, SPRING_SIZE, Head, PortField

LEAF_SIZE = leaf_spring.LAW_SIZE + 1  # the law, then the static compression


@kernel(inner=True)
def field(p, name):
    """What a port is to be added to for one of its fields."""
    return p[1][Head.PORT_STATE] + LANES * name


@kernel(inner=True)
def add_piece(p, port, piece):
    f = p[0]
    f[field(p, PortField.OFFSET) + port] += piece.offset
    f[field(p, PortField.SLOPE) + port] += piece.slope
    f[field(p, PortField.DAMPING) + port] += piece.damping
    low, high = field(p, PortField.U_LOW) + port, field(p, PortField.U_HIGH) + port
    f[low] = max(f[low], piece.u_low)
    f[high] = min(f[high], piece.u_high)
    low, high = field(p, PortField.V_LOW) + port, field(p, PortField.V_HIGH) + port
    f[low] = max(f[low], piece.v_low)
    f[high] = min(f[high], piece.v_high)


@kernel(inner=True)
def slider_piece(p, k, memory, mode):
    f, i = p
    at, o = i[Head.SLIDER_AT] + 3 * k, i[Head.SLIDER] + SLIDER_SIZE * k
    return dry_friction.piece(mode[i[at + 1]], memory[i[at + 2]], f[o], f[o + 1])


@kernel(inner=True)
def band_piece(p, k, mode):
    f, i = p
    at, o = i[Head.BAND_AT] + 2 * k, i[Head.BAND] + BAND_SIZE * k
    return dead_band.piece(mode[i[at + 1]], f[o], f[o + 1], f[o + 2])


@kernel(inner=True)
def rebuild(p, memory, mode):
    """The affine piece and the walls of every port, from the present modes."""
    f, i = p
    for row in range(i[Head.PORT_ROWS]):
        o = i[Head.PORT_STATE] + PORT_ROW * row
        for k in range(3 * LANES):  # offset, slope, damping
            f[o + k] = 0.0
        for k in range(LANES):
            f[o + LANES * PortField.U_LOW + k] = -inf
            f[o + LANES * PortField.U_HIGH + k] = inf
            f[o + LANES * PortField.V_LOW + k] = -inf
            f[o + LANES * PortField.V_HIGH + k] = inf
    for k in range(i[Head.SPRINGS]):
        s = i[Head.SPRING] + SPRING_SIZE * k
        add_piece(p, i[i[Head.SPRING_AT] + k], spring.piece(f[s], f[s + 1], f[s + 2]))
    for k in range(i[Head.SLIDERS]):
        add_piece(p, i[i[Head.SLIDER_AT] + 3 * k], slider_piece(p, k, memory, mode))
    for k in range(i[Head.BANDS]):
        add_piece(p, i[i[Head.BAND_AT] + 2 * k], band_piece(p, k, mode))


@kernel(merged=True)
def leaf_forces(p, memory):
    """Forces of all leaf springs, as whole rows: a single number would make the load of its row wait."""
    f, i = p
    for k in range(i[Head.LEAVES]):
        at, lane = i[Head.LEAF_AT] + 3 * k, i[Head.LEAF_LANE] + LANES * k
        z = f[i[Head.LEAF] + LEAF_SIZE * k + leaf_spring.LAW_SIZE] + f[field(p, PortField.U) + i[at]]
        force = leaf_spring.force(leaf_spring.read_branch(memory, i[at + 2]), z)
        a, b, c, d = force * f[lane], force * f[lane + 1], force * f[lane + 2], force * f[lane + 3]
        own = field(p, PortField.OWN) + i[i[Head.LEAF_ROW] + 2 * k]
        if i[i[Head.LEAF_ROW] + 2 * k + 1]:
            add_row(f, own, a, b, c, d)
        else:
            write_row(f, own, a, b, c, d)


@kernel(inner=True)
def leave_wall(p, port, wall, memory, mode):
    """Every slider and band of this port whose own wall is the crossed one goes to its next mode."""
    f, i = p
    bound = f[field(p, PortField.U_LOW + wall) + port]
    u, v = f[field(p, PortField.U) + port], f[field(p, PortField.V) + port]
    for k in range(i[Head.SLIDERS]):
        at, o = i[Head.SLIDER_AT] + 3 * k, i[Head.SLIDER] + SLIDER_SIZE * k
        if i[at] == port and slider_piece(p, k, memory, mode)[3 + wall] == bound:
            mode[i[at + 1]], memory[i[at + 2]] = dry_friction.leave(
                mode[i[at + 1]], wall, u, v, memory[i[at + 2]], f[o], f[o + 1]
            )
    for k in range(i[Head.BANDS]):
        at = i[Head.BAND_AT] + 2 * k
        if i[at] == port and wall <= Wall.U_HIGH and band_piece(p, k, mode)[3 + wall] == bound:
            mode[i[at + 1]] = dead_band.leave(mode[i[at + 1]], wall)
