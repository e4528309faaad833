"""Pieces on one port add up, and the margins say where the box ends."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.elements import piece, spring
from klingel.elements.piece import NOTHING, Piece, Wall

number = st.floats(-10.0, 10.0)


@st.composite
def boxes(draw):
    """A piece whose box holds the origin, any wall possibly missing."""
    low = st.one_of(st.just(-inf), st.floats(-5.0, -0.1))
    high = st.one_of(st.just(inf), st.floats(0.1, 5.0))
    return Piece(draw(number), draw(number), draw(number), draw(low), draw(high), draw(low), draw(high))


@settings(deadline=None, max_examples=100)
@given(boxes(), boxes(), number, number)
def test_forces_add_and_boxes_intersect(a, b, u, v):
    both = piece.add(a, b)
    assert piece.force(both, u, v) == pytest.approx(piece.force(a, u, v) + piece.force(b, u, v), abs=1e-12)
    together = [min(m) for m in zip(piece.margins(a, u, v), piece.margins(b, u, v), strict=True)]
    assert list(piece.margins(both, u, v)) == pytest.approx(together, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(boxes())
def test_adding_nothing_changes_nothing(a):
    assert piece.add(a, NOTHING) == a


def test_margin_of_a_missing_wall_is_infinite():
    assert piece.margins(NOTHING, 1e300, -1e300) == (inf, inf, inf, inf)


@pytest.mark.parametrize(
    ("u", "v", "wall"),
    [
        (0.0, 0.0, -1),
        (-1.5, 0.0, Wall.U_LOW),
        (2.5, 0.0, Wall.U_HIGH),
        (0.0, -4.0, Wall.V_LOW),
        (0.0, 5.0, Wall.V_HIGH),
    ],
)
def test_crossed_names_the_wall(u, v, wall):
    box = Piece(0.0, 1.0, 0.0, -1.0, 2.0, -3.0, 4.0)
    assert piece.crossed(box, u, v) == wall
    inside = [m > 0 for m in piece.margins(box, u, v)]
    assert inside == [i != wall for i in range(4)]


def test_spring_piece_is_the_law():
    p = spring.piece(3.0, 0.5, 2.0)
    assert piece.force(p, 4.0, -2.0) == 2.0 + 3.0 * 4.0 - 0.5 * 2.0
    assert spring.stored_energy(4.0, 3.0, 2.0) == 2.0 * 4.0 + 0.5 * 3.0 * 4.0**2
    assert spring.rate(4.0, -2.0, 0.0, 3.0) == -6.0


@pytest.mark.parametrize("bad", [{"stiffness": -1.0}, {"stiffness": 1.0, "damping": inf}])
def test_spring_refuses_bad_parameters(bad):
    with pytest.raises(InputError):
        spring.Spring(**bad)
