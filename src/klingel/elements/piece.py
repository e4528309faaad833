"""A mode as an affine piece with walls: the contract of an element without curvature.

    force = offset + slope u + damping v      while  u_low <= u <= u_high  and  v_low <= v <= v_high

`u` is the deformation of the port [m], `v` its rate [m/s]. A positive force resists a positive `u`: the
system subtracts it from the body that moves with +u. Elements in parallel on one port add up to one piece
whose box is the intersection of theirs, so that a right-hand side costs one multiply-add per port and the
question "has anything happened?" is a scan of intervals. The wall that was crossed names the transition.
"""

from enum import IntEnum
from math import inf
from typing import NamedTuple

from klingel._jit import kernel


class Wall(IntEnum):
    """Side of the box through which a mode is left; the order of `margins`."""

    U_LOW, U_HIGH, V_LOW, V_HIGH = range(4)


class Piece(NamedTuple):
    """force = offset + slope u + damping v, valid while u and v stay between the walls."""

    offset: float  # [N]
    slope: float  # [N/m]
    damping: float  # [N s/m]
    u_low: float  # [m]
    u_high: float  # [m]
    v_low: float  # [m/s]
    v_high: float  # [m/s]


NOTHING = Piece(0.0, 0.0, 0.0, -inf, inf, -inf, inf)  # neutral element of `add`


@kernel
def force(piece, u, v):
    return piece.offset + piece.slope * u + piece.damping * v


@kernel
def add(a, b):
    """Two elements on one port: forces add, boxes intersect."""
    return Piece(
        a.offset + b.offset,
        a.slope + b.slope,
        a.damping + b.damping,
        max(a.u_low, b.u_low),
        min(a.u_high, b.u_high),
        max(a.v_low, b.v_low),
        min(a.v_high, b.v_high),
    )


@kernel
def mirrored(piece):
    """The same element the other way round: u, v and the force change their sign."""
    return Piece(
        -piece.offset, piece.slope, piece.damping, -piece.u_high, -piece.u_low, -piece.v_high, -piece.v_low
    )  # fmt: skip


@kernel
def margins(piece, u, v):
    """Distances to the four walls in the order of `Wall`: positive inside, inf where there is no wall."""
    return u - piece.u_low, piece.u_high - u, v - piece.v_low, piece.v_high - v


@kernel
def write_margins(piece, u, v, g, first):
    """The four margins into the guard vector, from index `first`."""
    g[first] = u - piece.u_low
    g[first + 1] = piece.u_high - u
    g[first + 2] = v - piece.v_low
    g[first + 3] = piece.v_high - v


@kernel
def crossed(piece, u, v):
    """The wall that (u, v) lies farthest beyond, each measured in its own unit, or -1 inside the box."""
    worst, wall = 0.0, -1
    low, high, slow, fast = margins(piece, u, v)
    if low < worst:
        worst, wall = low, 0
    if high < worst:
        worst, wall = high, 1
    if slow < worst:
        worst, wall = slow, 2
    if fast < worst:
        wall = 3
    return wall
