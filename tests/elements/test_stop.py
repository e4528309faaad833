"""Damped stop: never pulls, its modes agree with the mode-free law, the energy of an impact adds up."""

import itertools
from math import atan2, cos, exp, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.elements import piece, stop
from klingel.elements.stop import TRANSITIONS, Exit, Mode, Stop


def exits(mode, u, v, parameters):
    """All margins of a mode by the number of their exit."""
    p = stop.piece(mode, *parameters)
    low, high, _, _ = piece.margins(p, u, v)
    return {Exit.U_LOW: low, Exit.U_HIGH: high, Exit.FORCE: stop.push(mode, u, v, *parameters)}


@st.composite
def motions(draw):
    """Two sine waves: a smooth rate-dependent history around the gap."""
    waves = [(draw(st.floats(0.2, 1.0)), draw(st.floats(1.0, 9.0)), draw(st.floats(0.0, 6.0))) for _ in range(2)]

    def motion(t):
        u = sum(a * sin(w * t + p) for a, w, p in waves)
        v = sum(a * w * cos(w * t + p) for a, w, p in waves)
        return u, v

    return motion


@settings(deadline=None, max_examples=15)
@given(motions(), st.floats(-0.5, 0.5), st.floats(0.0, 2.0))
def test_modes_follow_the_law_and_never_pull(motion, gap, damping):
    parameters = (gap, 10.0, damping)
    mode = stop.mode_at(*motion(0.0), *parameters)
    times = np.linspace(0.0, 4.0, 201)
    for before, t in itertools.pairwise(times):
        for _ in range(4):
            violated = [e for e, m in exits(mode, *motion(t), parameters).items() if m < 0.0]
            if not violated:
                break
            roots = []
            for e in violated:
                if exits(mode, *motion(before), parameters)[e] > 0.0:
                    guard = lambda s, e=e, mode=mode: exits(mode, *motion(s), parameters)[e]  # noqa: E731
                    roots.append((brentq(guard, before, t, xtol=1e-15), e))
            mode = stop.leave(mode, min(roots)[1] if roots else violated[0])
        u, v = motion(t)
        expected = stop.force(u, v, *parameters)
        assert piece.force(stop.piece(mode, *parameters), u, v) == pytest.approx(expected, abs=1e-9)
        assert expected >= 0.0
        assert mode == stop.settle(mode, u, v, *parameters)


def impact(mass, speed, gap, stiffness, damping):
    """A mass on the stop until release: speed after, work of the damper, spring energy left."""

    def slope(t, x):
        force = piece.force(stop.piece(Mode.CONTACT, gap, stiffness, damping), x[0], x[1])
        return [x[1], -force / mass, damping * x[1] ** 2]

    def release(t, x):
        return stop.push(Mode.CONTACT, x[0], x[1], gap, stiffness, damping)

    release.terminal, release.direction = True, -1.0
    run = solve_ivp(slope, (0.0, 10.0), [gap, speed, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, events=release)
    u, v, lost = run.y_events[0][0]
    return v, lost, 0.5 * stiffness * (u - gap) ** 2


@pytest.mark.parametrize("zeta", [0.05, 0.3, 0.7, 0.9])
def test_impact_matches_the_closed_form_and_dissipates(zeta):
    mass, speed, gap, stiffness = 1000.0, 0.4, 0.02, 4e5
    omega = sqrt(stiffness / mass)
    v, lost, left = impact(mass, speed, gap, stiffness, 2.0 * zeta * omega * mass)
    damped = omega * sqrt(1.0 - zeta**2)
    # the force k u + d v of the free vibration first vanishes where tan(w_d t) = -2 zeta sqrt(1-zeta^2) /
    # (1-2 zeta^2)
    t = (pi - atan2(2.0 * zeta * sqrt(1.0 - zeta**2), 1.0 - 2.0 * zeta**2)) / damped
    exact = speed * exp(-zeta * omega * t) * (cos(damped * t) - zeta * omega / damped * sin(damped * t))
    assert v == pytest.approx(exact, rel=1e-9)
    assert -speed < v < 0.0
    assert lost + left == pytest.approx(0.5 * mass * (speed**2 - v**2), rel=1e-9)
    assert left > 0.0


def integrate_rate(waves, gap, stiffness, damping, times):
    """Force at `times` from dF/dt = rate + d dv/dt: it starts with d v at the gap and ends where F falls to 0."""

    def wave(order, t):
        return sum(a * w**order * sin(w * t + p + 0.5 * pi * order) for a, w, p in waves)

    def slope(t, f):
        return [stop.rate(wave(0, t), wave(1, t), np.inf, gap, stiffness) + damping * wave(2, t)]

    def off(t):
        """What keeps the stop from pushing, below 0 where nothing does."""
        u, v = wave(0, t), wave(1, t)
        return max(gap - u, stop.push(Mode.RELEASED, u, v, gap, stiffness, damping) / stiffness)

    def ends(t, f):
        return f[0]

    ends.terminal, ends.direction = True, -1.0
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12 * stiffness, "events": ends}
    force, forces = 0.0, [0.0]
    for begin, end in itertools.pairwise(times):
        if force == 0.0 and off(end) < 0.0:
            begin = brentq(off, begin, end, xtol=1e-15)
            at_the_gap = abs(wave(0, begin) - gap) < 1e-12
            force = damping * wave(1, begin) if at_the_gap else 0.0
        if off(end) < 0.0 or force > 0.0:
            run = solve_ivp(slope, (begin, end), [force], **options)
            force = 0.0 if run.status == 1 else float(run.y[0, -1])
        forces.append(force)
    return wave, forces


@pytest.mark.parametrize("damping", [0.1, 0.5, 2.0])
@pytest.mark.parametrize(
    "waves",
    [((1.0, 3.0, 4.0),), ((0.7, 2.0, 4.5), (0.3, 9.0, 0.3)), ((0.6, 1.3, 4.0), (0.25, 5.0, 2.0))],
)
def test_agrees_with_the_differential_form(waves, damping):
    """Also where a stop that has been left pushes again before its face is back at the gap."""
    gap, stiffness, times = 0.1, 10.0, np.linspace(0.0, 6.0, 601)
    wave, forces = integrate_rate(waves, gap, stiffness, damping, times)
    expected = [stop.force(wave(0, t), wave(1, t), gap, stiffness, damping) for t in times]
    assert max(expected) > 1.0
    assert expected[0] == 0.0
    assert np.max(np.abs(np.array(forces) - expected)) < 1e-8 * stiffness


def test_force_of_a_sine_falls_to_zero_before_the_gap_opens():
    """u = gap + A sin(w t): F starts with d A w and vanishes at w t = pi - atan(d w/k), found from dF/dt."""
    size, omega, gap, stiffness, damping = 0.01, 40.0, 0.02, 4e5, 5e3

    def slope(t, f):
        u, v = gap + size * sin(omega * t), size * omega * cos(omega * t)
        return [stop.rate(u, v, f[0], gap, stiffness) - damping * size * omega**2 * sin(omega * t)]

    def ends(t, f):
        return f[0]

    ends.terminal, ends.direction = True, -1.0
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-8, "events": ends}
    run = solve_ivp(slope, (1e-9, pi / omega), [damping * size * omega], **options)
    assert run.t_events[0][0] == pytest.approx((pi - atan2(damping * omega, stiffness)) / omega, abs=1e-7)


def test_undamped_stop_is_a_spring_that_leaves_through_its_wall():
    parameters = (0.02, 4e5, 0.0)
    assert stop.push(Mode.CONTACT, 0.03, -1.0, *parameters) == np.inf
    assert stop.leave(Mode.CONTACT, Exit.U_LOW) == Mode.FREE
    assert stop.rate(0.03, -1.0, 4e3, 0.02, 4e5) == -4e5
    assert stop.rate(0.01, -1.0, 0.0, 0.02, 4e5) == 0.0


def test_every_exit_leads_to_another_mode():
    for mode, name, following in TRANSITIONS:
        assert stop.leave(mode, Exit[name]) == following != mode
    armed = set()
    for mode in Mode:
        armed |= {(mode, e.name) for e, m in exits(mode, 0.01, 0.1, (0.0, 1e5, 1e3)).items() if np.isfinite(m)}
    assert armed == {(mode, name) for mode, name, _ in TRANSITIONS}


def test_force_is_continuous_except_at_first_contact():
    parameters = (0.0, 1e5, 1e3)
    for mode, name, following in TRANSITIONS:
        # on the wall u = gap, approached as the exit requires, or on the line of zero force beyond it
        u, v = {"U_HIGH": (0.0, 0.5), "U_LOW": (0.0, 0.0), "FORCE": (0.01, -1.0)}[name]
        here, there = (piece.force(stop.piece(m, *parameters), u, v) for m in (mode, following))
        jump = 1e3 * 0.5 if name == "U_HIGH" else 0.0
        assert there - here == pytest.approx(jump, abs=1e-9)


@pytest.mark.parametrize(("v", "expected"), [(0.3, Mode.CONTACT), (-5.0, Mode.RELEASED)])
def test_consistency_after_an_impact(v, expected):
    parameters = (0.0, 1e5, 1e3)
    for mode in (Mode.CONTACT, Mode.RELEASED):
        after = stop.settle(mode, 0.01, v, *parameters)
        assert after == expected
        assert min(exits(after, 0.01, v, parameters).values()) > 0.0
    assert stop.settle(Mode.FREE, -0.01, v, *parameters) == Mode.FREE


@pytest.mark.parametrize("bad", [(np.inf, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 1.0, -1.0)])
def test_refuses_bad_parameters(bad):
    with pytest.raises(InputError):
        Stop(*bad)
