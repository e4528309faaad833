"""Rows of elastic friction faces, and the loads their limits follow.

The end of slip needs the rate of the load. Where the load port has springs and gaps only it is stiffness times
rate; where a damper or a curved law presses it depends on accelerations, and `load_rates` differentiates the load
along the motion. A stuck face needs its load alone, which springs and dampers give without accelerations.
"""

from enum import IntEnum

from klingel._jit import kernel
from klingel.elements.elastic_friction import Mode
from klingel.elements.friction_limit import kinetic_limit
from klingel.model.bodies.motion import LANES, force_at
from klingel.model.kinds.registry import Kind, places
from klingel.model.port_pieces import moved
from klingel.model.system import NONE, Head, PortField

COUNT, ROWS, AT = places(Kind.ELASTIC_FRICTION, Head.KINDS)


class Row(IntEnum):
    """Scratch: LOAD and anchor of the last right-hand side, LOAD_RATE of the last differentiation."""

    STIFFNESS, LIMIT, FRICTION, STATIC, LOAD, LOAD_RATE, ANCHOR, ACROSS = range(8)
    SIZE = 8


class At(IntEnum):
    """PLANE: the port of the second direction or NONE; CURVED: 1 where a law that is not affine presses."""

    PORT, PLANE, LOAD, CURVED, MODE, STATE, SLOT = range(7)
    SIZE = 7


@kernel(inner=True)
def is_curved(p, k):
    """Whether a law that is not affine presses: the load is known after a right-hand side only."""
    return p[1][p[1][AT] + At.SIZE * k + At.CURVED] > 0


@kernel(inner=True)
def is_damped(p, k):
    """Whether a damper presses: the rate of the load depends on accelerations."""
    f, i = p
    port = i[i[AT] + At.SIZE * k + At.LOAD]
    return port != NONE and f[i[Head.PORT_STATE] + LANES * PortField.DAMPING + port] != 0.0


@kernel(inner=True)
def count_probed(p, mode):
    """How many faces ask for the rate of their load, or for a load that only a right-hand side knows."""
    i = p[1]
    count = 0.0
    for k in range(i[COUNT]):
        slides = mode[i[i[AT] + At.SIZE * k + At.MODE]] != Mode.STICK
        if is_curved(p, k) or (slides and is_damped(p, k)):
            count += 1.0
    return count


@kernel(inner=True)
def count_curved(p):
    count = 0
    for k in range(p[1][COUNT]):
        if is_curved(p, k):
            count += 1
    return count


@kernel(inner=True)
def load_of(p, k):
    """Force of the laws that press, without friction.

    Curved laws are read before friction adds to the same port.
    """
    f, i = p
    at = i[AT] + At.SIZE * k
    if i[at + At.LOAD] == NONE:
        return 0.0
    o = i[Head.PORT_STATE] + i[at + At.LOAD]
    load = force_at(f, o)
    return load if i[at + At.CURVED] > 0 else load - f[o + LANES * PortField.OWN]


@kernel(inner=True)
def read_loads(p):
    f, i = p
    for k in range(i[COUNT]):
        f[i[ROWS] + Row.SIZE * k + Row.LOAD] = load_of(p, k)


@kernel(inner=True)
def note_rates(p, part):
    """Add a part of the loads just read to their rates; a part of zero begins them anew."""
    f, i = p
    for k in range(i[COUNT]):
        o = i[ROWS] + Row.SIZE * k
        if part == 0.0:
            f[o + Row.LOAD_RATE] = 0.0
        else:
            f[o + Row.LOAD_RATE] += part * f[o + Row.LOAD]


@kernel(inner=True)
def limit_of(p, k):
    """Kinetic limit and its rate at the deformations in the scratch; the rate is for faces that slide."""
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    if i[at + At.LOAD] == NONE:
        return f[o + Row.LIMIT], 0.0
    load = f[o + Row.LOAD] if is_curved(p, k) else load_of(p, k)
    if is_curved(p, k) or is_damped(p, k):
        rate = f[o + Row.LOAD_RATE]
    else:
        _, v = moved(p, i[at + At.LOAD])
        rate = f[i[Head.PORT_STATE] + LANES * PortField.SLOPE + i[at + At.LOAD]] * v
    if load <= 0.0:
        rate = 0.0
    return kinetic_limit(load, f[o + Row.LIMIT], f[o + Row.FRICTION]), f[o + Row.FRICTION] * rate
