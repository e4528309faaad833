"""Saltation over random small hybrid systems against centred differences of the whole map; Lyapunov exponents."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from klingel.analysis.chaos.lyapunov import largest_lyapunov
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.tangent_run import derivative
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem, Remembered
from klingel.numerics.trajectory import IntegrationError
from tests.analysis.chaos.maps import TENT
from tests.analysis.orbits.small_systems import VAN_DER_POL, impact_oscillator

OPTIONS = {"method": "verner65", "rtol": 1e-11, "atol": 1e-13, "redo_events": True}


def _rhs(t, x, memory, mode, p, dx):
    """Two masses: a relay and a slider with an anchor act on the first, a stop and a spring on the second."""
    relay = p[4] if mode[0] == 0 else -p[4]
    slider = p[5] * (x[0] - memory[0]) if mode[1] == 0 else (p[6] if mode[1] == 1 else -p[6])
    between = p[1] * (x[0] - x[2]) + 0.1 * (x[1] - x[3])
    dx[0] = x[1]
    dx[1] = -p[0] * x[0] - 0.15 * x[1] - between - slider + relay + p[2] * np.cos(p[3] * t)
    dx[2] = x[3]
    dx[3] = between - 0.2 * x[3] - 0.3 * x[2]


def _guards(t, x, memory, mode, p, g):
    g[0] = -x[2] + 0.1 * x[1] + 0.05 if mode[0] == 0 else x[2] - 0.1 * x[1] + 0.05
    g[1] = p[7] - x[2]
    if mode[1] == 0:
        g[2] = p[6] - p[5] * (x[0] - memory[0])
        g[3] = p[6] + p[5] * (x[0] - memory[0])
        g[4] = np.inf
    else:
        g[2] = np.inf
        g[3] = np.inf
        g[4] = x[1] if mode[1] == 1 else -x[1]


def _act(t, x, memory, mode, p, fired):
    if fired[0]:
        mode[0] = 1 - mode[0]
    if fired[1]:
        x[1] += 0.05 * x[3]
        x[3] = -p[8] * x[3]
    if fired[2]:
        mode[1] = 1
    if fired[3]:
        mode[1] = 2
    if fired[4]:
        memory[0] = x[0] - (p[6] if mode[1] == 1 else -p[6]) / p[5]
        mode[1] = 0


PLAIN = HybridProblem(
    _rhs, np.ones(9), ("x", "v", "y", "w"), guards=_guards, act=_act,
    guard_names=("relay", "stop", "slip up", "slip down", "stick"), guard_owner=(0, -1, 1, 1, 1),
    mode_names=("relay", "slider"), memory=np.zeros(1), remembered=(Remembered("anchor", unit="m"),),
    mode=np.array([0, 0]),
)  # fmt: skip


PROBLEM = Family.of_one(PLAIN).at(0.0)  # compiled once


def _end(problem, z, duration):
    moved = replace(problem, memory=z[4:].copy())
    run = integrate(moved, z[:4], duration, **OPTIONS)
    return np.concatenate([run.x[-1], run.memory[-1]]), run


@settings(max_examples=15, deadline=None)
@given(
    st.tuples(
        st.floats(0.5, 4.0), st.floats(0.2, 2.0), st.floats(0.5, 2.0), st.floats(0.7, 2.0), st.floats(0.05, 0.4),
        st.floats(2.0, 6.0), st.floats(0.1, 0.4), st.floats(0.1, 0.5), st.floats(0.4, 0.9),
    ),
    st.tuples(*(st.floats(-0.3, 0.3) for _ in range(4)), st.floats(-0.01, 0.01)),
    st.floats(2.0, 6.0),
)  # fmt: skip
def test_saltation_equals_differences_of_the_whole_map(parameters, z, duration):
    """To 1e-6 of the largest entry, wherever neighbours meet the same events and none is nearly a grazing."""
    problem = replace(PROBLEM, parameters=np.array(parameters))
    z = np.array(z)
    start = np.zeros(5)
    _guards(0.0, z[:4], z[4:], problem.mode, problem.parameters, start)
    assume(np.all(start > 1e-3))
    try:
        _, run = _end(problem, z, duration)
    except IntegrationError as error:
        assume("chatter" not in str(error))  # held at its stop it strikes ever faster
        raise
    events = run.events.fired.guard.tolist()
    assume(len(events) > 0)
    exact = derivative(replace(run, problem=replace(problem, memory=z[4:].copy())), np.full(5, 0.1), 1e-11)
    assume(np.abs(exact).max() < 30.0)  # larger where an event is nearly a grazing
    step = 3e-5
    for j in range(5):
        ahead, behind = z.copy(), z.copy()
        ahead[j] += step
        behind[j] -= step
        (high, first), (low, second) = _end(problem, ahead, duration), _end(problem, behind, duration)
        assume(first.events.fired.guard.tolist() == events == second.events.fired.guard.tolist())
        finer = []
        for side in (0.5, -0.5):
            moved = z.copy()
            moved[j] += side * step
            finer.append(_end(problem, moved, duration)[0])
        wide, narrow = (high - low) / (2.0 * step), (finer[0] - finer[1]) / step
        limit = (4.0 * narrow - wide) / 3.0
        assume(np.abs(wide - narrow).max() < 1e-4)
        assert np.abs(exact[:, j] - limit).max() < 1e-6 * max(1.0, np.abs(exact).max())


def test_exponent_of_a_striking_orbit():
    """On a stable orbit the largest exponent is the logarithm of its largest multiplier over the period."""
    problem = impact_oscillator().at(0.5)
    found = largest_lyapunov(problem, [0.9, 0.0], 400.0 * np.pi, transient=60.0 * np.pi)
    exact = np.log(abs(-0.581165891 + 0.060651343j)) / (2.0 * np.pi)
    assert found.exponent == pytest.approx(exact, abs=3e-3)  # the tangent turns; its ends do not cancel
    assert abs(found.exponent - exact) < 3.0 * found.error


@pytest.mark.parametrize("slope", [1.6, 1.9])
def test_exponent_of_a_map_made_of_events(slope):
    """Nothing moves between the strokes: all growth is in the actions, ln(slope) each."""
    found = largest_lyapunov(TENT.at(slope), [0.3, 0.5], 200.0, transient=10.0)
    assert found.exponent == pytest.approx(np.log(slope), rel=1e-5)
    assert found.error < 1e-5


def test_exponent_of_a_limit_cycle_is_zero():
    found = largest_lyapunov(VAN_DER_POL.at(1.0), [2.0, 0.0], 200.0, transient=20.0)
    assert abs(found.exponent) < 0.02


def _lorenz(t, x, memory, mode, p, dx):
    dx[0] = 10.0 * (x[1] - x[0])
    dx[1] = x[0] * (28.0 - x[2]) - x[1]
    dx[2] = x[0] * x[1] - 8.0 / 3.0 * x[2]


def test_exponent_of_the_lorenz_attractor():
    """0.9056 (Sprott, Chaos and Time-Series Analysis, 2003); the error told covers the difference."""
    problem = HybridProblem(_lorenz, np.zeros(1), ("x", "y", "z"))
    found = largest_lyapunov(problem, [1.0, 1.0, 20.0], 300.0, transient=20.0)
    assert abs(found.exponent - 0.9056) < 4.0 * found.error
    assert found.error < 0.05
