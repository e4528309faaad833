"""What hangs on a port adds up to one affine piece with walls, rebuilt at events only.

A right-hand side then costs one multiply-add per port, and "has anything happened?" is a comparison of each port
with its four walls. Which element a wall belongs to is asked only when it is crossed.
"""

from math import inf

from klingel._jit import kernel
from klingel.elements.piece import Wall
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.system import Head, PortField

STILL = 1e-9  # rate of a port that is held, at most [m/s, rad/s]


@kernel(inner=True)
def field(p, name):
    """What a port is to be added to for one of its fields."""
    return p[1][Head.PORT_STATE] + LANES * name


@kernel(inner=True)
def clear(p):
    """No force and no walls on any port."""
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
def keep_still(p, port):
    """A port whose ends something else holds moves by errors of the steps alone, to and fro.

    A slider there would stick and slip at every step; it turns round when the port goes back faster than STILL.
    """
    f = p[0]
    low, high = field(p, PortField.V_LOW) + port, field(p, PortField.V_HIGH) + port
    if f[low] == 0.0:
        f[low] = -STILL
    if f[high] == 0.0:
        f[high] = STILL


@kernel(inner=True)
def wall_of(p, port, wall):
    """A wall of a port as its elements have it."""
    bound = p[0][field(p, PortField.U_LOW + wall) + port]
    return 0.0 if wall >= Wall.V_LOW and abs(bound) == STILL else bound


@kernel(inner=True)
def clear_own(p):
    """Forces of curved laws on their ports begin at zero; whole rows with leaf springs were written by these."""
    f, i = p
    for k in range(i[Head.OWNED]):
        f[field(p, PortField.OWN) + i[i[Head.OWNED_AT] + k]] = 0.0


@kernel(inner=True)
def add_own(p, port, force):
    """Force of a law that is not affine on its port."""
    p[0][field(p, PortField.OWN) + port] += force


@kernel(inner=True)
def intersect(p, low, high, k, a, b):
    """Intersect the interval that the quick scan allows entry k, bounded by two fields, with [a, b]."""
    f = p[0]
    f[field(p, low) + k] = max(f[field(p, low) + k], a)
    f[field(p, high) + k] = min(f[field(p, high) + k], b)


@kernel(inner=True)
def moved(p, port):
    """Deformation and rate of a port as they stand in the scratch."""
    f = p[0]
    return f[field(p, PortField.U) + port], f[field(p, PortField.V) + port]


def column(port: int) -> int:
    """Where a port stands in arrays over all ports, as `Layout.ports` counts them."""
    row, lane = divmod(int(port), PORT_ROW)
    return LANES * row + lane
