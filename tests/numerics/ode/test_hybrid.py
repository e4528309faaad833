"""Events against closed forms: instants, order of firing, double crossings, boundaries entered on."""

from dataclasses import replace
from math import asin, inf, pi

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS
from tests.numerics.small_problems import (
    GRAVITY,
    bounce_times,
    bouncing_ball,
    level_crossing,
    pushed_mass,
    rotate,
    thrown_ball,
)

METHODS = ["esdirk34", "erkf34", "bs32", "cashkarp54", "dopri54", "verner65", "chain34", "auto"]


@pytest.mark.parametrize("method", METHODS)
def test_impacts_of_a_bouncing_ball(method):
    # events are located to 2e-12 of a step; the parabola itself is integrated exactly
    run = integrate(bouncing_ball(0.9), [1.0, 0.0], 5.0, method=method, max_step=0.1)
    expected = bounce_times(1.0, 0.9, len(run.events))
    assert len(run.events) == 8
    np.testing.assert_allclose(run.events.time, expected, rtol=0, atol=1e-11)
    assert run.status == Status.DONE
    assert run.t[-1] == 5.0


def test_energy_is_lost_only_at_impacts():
    run = integrate(bouncing_ball(0.8), [2.0, 0.0], 4.0, rtol=1e-10, atol=1e-12)
    energy = 0.5 * run["speed"] ** 2 + 9.81 * run["height"]
    jumps = np.flatnonzero(np.abs(np.diff(energy)) > 1e-9)
    assert jumps.size == len(run.events)
    np.testing.assert_allclose(energy[jumps + 1] / energy[jumps], 0.64, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-9])
def test_boundary_crossed_twice_within_one_step_is_seen(method, depth):
    """A thrown ball passes a level just below its highest point and comes back within one long step.

    The flight is a parabola, which every method integrates exactly, so the instants are known.
    """
    problem = replace(thrown_ball(), parameters=np.array([0.0, 0.5 * 4.0**2 / GRAVITY - depth]))
    run = integrate(problem, [0.0, 4.0], 0.8, method=method, first_step=0.39, max_step=0.39)
    half = (2 * depth / GRAVITY) ** 0.5
    assert 2 * half < 0.12 * 0.39
    assert [(e.old, e.new) for e in run.events] == [("BELOW", "ABOVE"), ("ABOVE", "BELOW")]
    np.testing.assert_allclose(run.events.time, 4.0 / GRAVITY + np.array([-half, half]), atol=1e-9 / half * 1e-4)


def test_a_dip_that_stays_inside_is_no_event():
    run = integrate(level_crossing(1.0, 1.0 + 1e-4), [0.0, 1.0], 7.0, rtol=1e-8, atol=1e-10, max_step=0.3)
    assert len(run.events) == 0


@pytest.mark.parametrize("method", METHODS)
def test_mode_entered_on_its_own_boundary_neither_bounces_nor_sticks(method):
    """Each crossing enters the mode whose guard is the boundary just crossed: exactly two per turn."""
    run = integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 40 * pi, method=method, rtol=1e-7, atol=1e-9)
    turns = 2 * pi * np.arange(20)
    expected = np.sort(np.concatenate([turns + asin(0.5), turns + pi - asin(0.5)]))
    assert len(run.events) == 40
    np.testing.assert_allclose(run.events.time, expected, atol=2e-4)


def test_start_on_the_boundary_leaving_fires_at_once_and_entering_does_not():
    leaving = integrate(level_crossing(1.0, 0.0), [0.0, 1.0], 1.0)
    assert leaving.events.time[0] == 0.0
    entering = integrate(level_crossing(1.0, 0.0), [0.0, -1.0], 1.0)
    assert len(entering.events) == 0


@pytest.mark.parametrize("chunk", [1, 3, 50])
@pytest.mark.parametrize("method", ["dopri54", "esdirk34", "auto"])
def test_chunked_run_is_bit_identical(chunk, method):
    problem = level_crossing(3.0, 0.4)
    whole = integrate(problem, [0.0, 1.0], 20.0, method=method)
    pieces = integrate(problem, [0.0, 1.0], 20.0, method=method, chunk_steps=chunk)
    for name in ("t", "x", "memory", "mode"):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name))
    assert np.array_equal(whole.events.time, pieces.events.time)
    assert whole.stats.rhs == pieces.stats.rhs


def test_records_grow_without_changing_the_run():
    """More steps and events than the first records hold."""
    run = integrate(level_crossing(50.0, 0.5), [0.0, 1.0], 100.0, rtol=1e-9, atol=1e-11)
    assert run.t.size > 3 * 4096
    assert np.all(np.diff(run.t) >= 0.0)
    assert run.memory[-1, 0] == len(run.events)
    assert len(run.events) == 2 * round(50.0 * 100.0 / (2 * pi))


@pytest.mark.parametrize("method", METHODS)
def test_output_grid(method):
    run = integrate(
        level_crossing(2.0, 0.3), [0.0, 1.0], 3.0, method=method, output_step=0.01, rtol=1e-9, atol=1e-11
    )
    np.testing.assert_array_equal(run.t, 0.01 * np.arange(301))
    np.testing.assert_allclose(run["x"], np.sin(2.0 * run.t), atol=3e-7)
    # the mode of a row is the one that held at that time
    assert np.array_equal(run.mode[:, 0] == 1, np.sin(2.0 * run.t) > 0.3)


@kernel(signature=GUARDS)
def _two_levels(t, x, memory, mode, p, g):
    g[0] = p[1] - x[0] if mode[0] == 0 else inf
    g[1] = p[2] - x[0] if mode[1] == 0 else inf


@kernel(signature=ACT)
def _note_together(t, x, memory, mode, p, fired):
    memory[0] += 1.0
    memory[1] = max(memory[1], 1.0 * fired[0] + 1.0 * fired[1])
    if fired[0]:
        mode[0] = 1
    if fired[1]:
        mode[1] = 1
    return 0


@pytest.mark.parametrize(("gap", "calls"), [(0.0, 1), (1e-12, 1), (1e-3, 2)])
def test_simultaneous_events_act_together(gap, calls):
    problem = HybridProblem(
        rotate,
        np.array([1.0, 0.5, 0.5 + gap]),
        ("x", "y"),
        guards=_two_levels,
        act=_note_together,
        guard_names=("first", "second"),
        guard_owner=(0, 1),
        memory=np.zeros(2),
        mode=np.zeros(2, np.int8),
    )
    run = integrate(problem, [0.0, 1.0], 2.0)
    assert run.memory[-1, 0] == calls
    assert run.memory[-1, 1] == 3 - calls


def test_known_instants_are_hit_exactly():
    times, forces = (0.3, 0.7, 1.0), (1.0, -2.0, 0.0)
    run = integrate(pushed_mass(times, forces), [0.0, 0.0], 2.0)
    assert tuple(run.events.time) == times
    assert [e.guard for e in run.events] == ["push 0", "push 1", "push 2"]
    v = 0.4 * 1.0 - 0.3 * 2.0
    x = 0.5 * 0.4**2 + 0.4 * 0.3 - 0.3**2 + v * 1.0
    np.testing.assert_allclose(run.x[-1], [x, v], atol=1e-12)


def test_after_step_sees_the_inside_of_the_step():
    run = integrate(pushed_mass((0.5,), (-1.0,)), [0.0, 1.0], 3.0, max_step=0.5)
    # up to t = 0.5 at unit speed, then decelerated by 1: the top is 0.5 + 1/2
    assert run.memory[-1, 1] == pytest.approx(1.0, abs=2e-3)


@kernel(signature=RHS)
def _root_of_x(t, x, memory, mode, p, dx):
    if x[0] < 0.0:
        return 1
    dx[0] = -2.0 * x[0] ** 0.5
    return 0


@kernel(signature=GUARDS)
def _stay_above(t, x, memory, mode, p, g):
    g[0] = x[0] - p[0]


@kernel(signature=ACT)
def _stop(t, x, memory, mode, p, fired):
    return 1


def test_steps_refused_by_a_law_are_retried_smaller():
    """x = (1 - t)^2 cannot be evaluated below zero; the first steps tried go there."""
    problem = HybridProblem(
        _root_of_x, np.array([1e-4]), ("x",), guards=_stay_above, act=_stop, guard_names=("near zero",)
    )
    run = integrate(problem, [1.0], 2.0, first_step=1.9, rtol=1e-9, atol=1e-12)
    assert run.stats.refused > 0
    assert run.status == Status.STOPPED
    assert run.events.time[-1] == pytest.approx(0.99, abs=1e-7)


def test_redone_event_step_ends_on_the_far_side():
    problem = level_crossing(1.0, 0.5)
    run = integrate(problem, [0.0, 1.0], 6.0, redo_events=True, rtol=1e-6, atol=1e-8)
    at_event = np.flatnonzero(np.diff(run.t) == 0.0)
    assert at_event.size == 2
    assert run["x"][at_event[0]] >= 0.5 - 1e-12
    assert run["x"][at_event[1]] <= 0.5 + 1e-12


def test_interruption_keeps_what_was_computed():
    seen = []

    def stop_soon(progress):
        seen.append(progress.t)
        return len(seen) == 3

    run = integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 100.0, chunk_steps=10, on_chunk=stop_soon)
    assert not run.complete
    assert run.t[-1] == seen[-1] < 100.0
    assert "interrupted" in run.ended


def test_keyboard_interrupt_returns_the_partial_run():
    def press(progress):
        raise KeyboardInterrupt

    run = integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 100.0, chunk_steps=10, on_chunk=press)
    assert not run.complete
    assert run.t.size > 5


def test_memory_and_modes_of_the_problem_are_not_changed():
    problem = level_crossing(1.0, 0.5)
    integrate(problem, [0.0, 1.0], 3.0)
    assert problem.memory[0] == 0.0
    assert problem.mode[0] == 0
    again = replace(problem, mode=np.ones(1, np.int8))
    assert integrate(again, [0.9, 0.1], 0.05).mode[0, 0] == 1
