"""A reference driver: walks a piecewise monotone deformation exactly from wall to wall."""

import itertools
from types import SimpleNamespace

import pytest

from klingel.elements import piece as pieces
from klingel.elements.piece import Wall


def walk(element, turns, mode, memory, parameters, speed=1.0):
    """Legs of an element of affine pieces along straight runs between the deformations `turns`.

    `element.piece(mode, *memory, *parameters)` and `element.leave(...)` are those of the module under test.
    Returns the legs (mode, piece, u at begin, u at end) and the final (mode, memory).
    """
    legs = []
    for begin, end in itertools.pairwise(turns):
        v = speed if end > begin else -speed
        u = begin
        mode, memory = element.settle(mode, u, v, memory, parameters)
        while u != end:
            p = element.piece(mode, memory, parameters)
            wall, reach = (Wall.U_HIGH, p.u_high) if v > 0 else (Wall.U_LOW, p.u_low)
            stop = min(end, reach) if v > 0 else max(end, reach)
            legs.append(SimpleNamespace(mode=mode, piece=p, begin=u, end=stop, v=v))
            assert len(legs) < 50 * len(turns)
            u = stop
            if u != end:
                mode, memory = element.leave(mode, wall, u, v, memory, parameters)
    return legs, mode, memory


def work(legs):
    """Work put into the element, exact for affine pieces without damping."""
    total = 0.0
    for leg in legs:
        middle = 0.5 * (leg.begin + leg.end)
        total += pieces.force(leg.piece, middle, 0.0) * (leg.end - leg.begin)
    return total


@pytest.fixture(scope="session")
def reference():
    return SimpleNamespace(walk=walk, work=work)
