"""Elastic dry friction: exact walk against the differential form, energy, bounds, consistency."""

import itertools
from math import cos, pi, sin
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from klingel._errors import InputError
from klingel.elements import dry_friction, piece
from klingel.elements.dry_friction import TRANSITIONS, DryFriction, Mode
from klingel.elements.piece import Wall

# the walk of conftest.py with the arguments of this element
ELEMENT = SimpleNamespace(
    piece=lambda mode, anchor, p: dry_friction.piece(mode, anchor, *p),
    leave=lambda mode, wall, u, v, anchor, p: dry_friction.leave(mode, wall, u, v, anchor, *p),
    settle=lambda mode, u, v, anchor, p: dry_friction.settle(mode, u, v, anchor, *p),
)


@st.composite
def histories(draw):
    """Parameters (k, T) and turning points, in units of the sliding distance T/k."""
    stiffness = 10.0 ** draw(st.floats(0.0, 7.0))
    limit = 10.0 ** draw(st.floats(-2.0, 5.0))
    turns = [0.0]
    for u in draw(st.lists(st.floats(-6.0, 6.0), min_size=2, max_size=8)):
        if abs(u - turns[-1]) > 1e-6:
            turns.append(u)
    turns = [u * limit / stiffness for u in turns]
    return (stiffness, limit), turns


@settings(deadline=None, max_examples=150)
@given(histories())
def test_work_is_stored_or_dissipated(reference, history):
    (k, limit), turns = history
    legs, mode, anchor = reference.walk(ELEMENT, turns, Mode.STICK, 0.0, (k, limit))
    slipped = sum(abs(leg.end - leg.begin) for leg in legs if leg.mode != Mode.STICK)
    final = dry_friction.force(mode, turns[-1], anchor, k, limit)
    balance = dry_friction.stored_energy(final, k) + limit * slipped
    assert reference.work(legs) == pytest.approx(balance, rel=1e-9, abs=1e-12 * limit**2 / k)


@settings(deadline=None, max_examples=150)
@given(histories())
def test_force_is_bounded_and_continuous(reference, history):
    (k, limit), turns = history
    legs, _, _ = reference.walk(ELEMENT, turns, Mode.STICK, 0.0, (k, limit))
    before = 0.0
    for leg in legs:
        first, last = (piece.force(leg.piece, u, leg.v) for u in (leg.begin, leg.end))
        assert first == pytest.approx(before, abs=1e-9 * limit)
        assert max(abs(first), abs(last)) <= limit * (1 + 1e-12)
        before = last


@settings(deadline=None, max_examples=100)
@given(histories(), st.floats(-6.0, 6.0))
def test_closed_loops_never_create_energy(reference, history, start):
    (k, limit), turns = history
    turns = [*turns, 0.0] if turns[-1] != 0.0 else turns
    if len(turns) < 3:
        return
    # the second round starts with the memory the first one left: the loop closes in u and in force
    legs, mode, anchor = reference.walk(ELEMENT, turns, Mode.STICK, start * limit / k / 6.0, (k, limit))
    for _ in range(2):
        legs, mode, anchor = reference.walk(ELEMENT, turns, mode, anchor, (k, limit))
    assert reference.work(legs) >= -1e-9 * limit**2 / k


@settings(deadline=None, max_examples=50)
@given(histories(), st.floats(1e-6, 1e6))
def test_path_does_not_depend_on_speed(reference, history, speed):
    (k, limit), turns = history
    slow = reference.walk(ELEMENT, turns, Mode.STICK, 0.0, (k, limit))
    fast = reference.walk(ELEMENT, turns, Mode.STICK, 0.0, (k, limit), speed)
    assert [(leg.mode, leg.begin, leg.end) for leg in slow[0]] == [
        (leg.mode, leg.begin, leg.end) for leg in fast[0]
    ]
    assert slow[1:] == fast[1:]


def integrate_rate(turns, k, limit, duration):
    """Force at each turning point from the differential form along half sine waves."""
    force, forces = 0.0, []
    for a, b in itertools.pairwise(turns):
        direction = 1.0 if b > a else -1.0

        def u(t, a=a, b=b):
            return 0.5 * (a + b) + 0.5 * (a - b) * cos(pi * t / duration)

        def v(t, a=a, b=b):
            return 0.5 * (b - a) * pi / duration * sin(pi * t / duration)

        def slope(t, f, u=u, v=v):
            return [dry_friction.rate(u(t), v(t), f[0], k, np.inf)]

        def reaches_limit(t, f, direction=direction):
            return limit - direction * f[0]

        reaches_limit.terminal = True
        if reaches_limit(0.0, [force]) > 0.0:
            options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12 * limit, "events": reaches_limit}
            run = solve_ivp(slope, (0.0, duration), [force], **options)
            force = direction * limit if run.status == 1 else run.y[0, -1]
        if force == direction * limit:
            assert dry_friction.rate(b, direction, force, k, limit) == 0.0
        forces.append(force)
    return forces


@settings(deadline=None, max_examples=25)
@given(histories(), st.floats(1e-2, 1e2))
def test_agrees_with_the_differential_form(reference, history, duration):
    (k, limit), turns = history
    if len(turns) < 2:
        return
    expected = integrate_rate(turns, k, limit, duration)
    for i, force in enumerate(expected, 2):
        _, mode, anchor = reference.walk(ELEMENT, turns[:i], Mode.STICK, 0.0, (k, limit))
        assert dry_friction.force(mode, turns[i - 1], anchor, k, limit) == pytest.approx(force, abs=1e-9 * limit)


def test_steady_loop_has_the_closed_form_area(reference):
    k, limit, amplitude = 400e3, 3200.0, 0.02
    legs, mode, anchor = reference.walk(ELEMENT, [0.0, -amplitude], Mode.STICK, 0.0, (k, limit))
    legs, _, _ = reference.walk(ELEMENT, [-amplitude, amplitude, -amplitude], mode, anchor, (k, limit))
    assert reference.work(legs) == pytest.approx(4.0 * limit * (amplitude - limit / k), rel=1e-12)


@settings(deadline=None, max_examples=300)
@given(
    st.floats(-1.0, 1.0),
    st.floats(1.0, 1e8),
    st.floats(1e-3, 1e6),
    st.sampled_from([Mode.SLIP_POS, Mode.SLIP_NEG]),
)
def test_sticking_slider_is_inside_its_own_wall(u, k, limit, slip):
    """It stands on the wall it will leave through if the motion turns again: never beyond it."""
    wall = Wall.V_LOW if slip == Mode.SLIP_POS else Wall.V_HIGH
    mode, anchor = dry_friction.leave(slip, wall, u, 0.0, 0.0, k, limit)
    p = dry_friction.piece(mode, anchor, k, limit)
    assert mode == Mode.STICK
    assert min(piece.margins(p, u, 0.0)) >= 0.0
    scale = limit + k * abs(u)
    held = limit if slip == Mode.SLIP_POS else -limit
    assert piece.force(p, u, 0.0) == pytest.approx(held, abs=1e-14 * scale)


def test_every_exit_leads_to_another_mode():
    for mode, wall, following in TRANSITIONS:
        got, _ = dry_friction.leave(mode, Wall[wall], 0.01, 0.0, 0.0, 1e5, 1e3)
        assert got == following != mode
    armed = {
        (mode, wall.name)
        for mode in Mode
        for wall in Wall
        if np.isfinite(piece.margins(dry_friction.piece(mode, 0.0, 1e5, 1e3), 0.0, 0.0)[wall])
    }
    assert armed == {(mode, wall) for mode, wall, _ in TRANSITIONS}


@pytest.mark.parametrize(("mode", "v"), [(Mode.STICK, 0.0), (Mode.SLIP_POS, 0.1), (Mode.SLIP_NEG, -0.1)])
def test_margins_are_positive_inside(mode, v):
    assert min(piece.margins(dry_friction.piece(mode, 0.0, 1e5, 1e3), 0.002, v)) > 0.0


@pytest.mark.parametrize(
    ("mode", "v", "expected"),
    [
        (Mode.SLIP_POS, 0.3, Mode.SLIP_POS),
        (Mode.SLIP_POS, -0.3, Mode.STICK),
        (Mode.SLIP_NEG, 0.3, Mode.STICK),
        (Mode.SLIP_NEG, -0.3, Mode.SLIP_NEG),
        (Mode.STICK, 0.3, Mode.STICK),
        (Mode.STICK, -0.3, Mode.STICK),
    ],
)
def test_consistency_after_an_impact(mode, v, expected):
    """Algorithms 1 and 3: a reversed rate makes a sliding element stick, and its force does not jump."""
    u, k, limit, anchor = 0.012, 1e5, 800.0, 0.007
    after, memory = dry_friction.settle(mode, u, v, anchor, k, limit)
    assert after == expected
    force = dry_friction.force(mode, u, anchor, k, limit)
    assert dry_friction.force(after, u, memory, k, limit) == pytest.approx(force, rel=1e-12)
    assert min(piece.margins(dry_friction.piece(after, memory, k, limit), u, v)) >= 0.0


def test_start_anchor_carries_the_given_force():
    anchor = dry_friction.anchor_for(-250.0, 0.01, 1e5)
    assert dry_friction.force(Mode.STICK, 0.01, anchor, 1e5, 800.0) == pytest.approx(-250.0, rel=1e-13)


def test_dissipated_power_is_the_slope_of_the_slip_work():
    assert dry_friction.dissipated_power(Mode.STICK, 0.3, 800.0) == 0.0
    assert dry_friction.dissipated_power(Mode.SLIP_NEG, -0.3, 800.0) == pytest.approx(240.0)


@pytest.mark.parametrize("bad", [(0.0, 1.0), (1.0, -1.0), (float("nan"), 1.0)])
def test_refuses_bad_parameters(bad):
    with pytest.raises(InputError):
        DryFriction(*bad)
