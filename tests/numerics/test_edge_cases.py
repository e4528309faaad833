"""Corners of the event loop: coinciding instants, grazing, far and negative times, guards that are no numbers."""

from dataclasses import replace
from math import inf, nan, pi

import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS
from klingel.numerics.trajectory import IntegrationError
from tests.numerics.small_problems import bouncing_ball, level_crossing, pushed_mass, rotate

METHODS = ["esdirk34", "bs32", "dopri54", "verner65", "auto"]


@kernel(signature=RHS)
def drift(t, x, memory, mode, p, dx):
    dx[0] = 1.0
    return 0


@kernel(signature=GUARDS)
def line_guard(t, x, memory, mode, p, g):
    g[0] = p[0] - x[0] if mode[0] == 0 else inf


@kernel(signature=ACT)
def note_line_and_instant(t, x, memory, mode, p, fired):
    """memory: calls of the action, times the line fired, times the instant did."""
    memory[0] += 1.0
    if fired[0]:
        memory[1] += 1.0
        mode[0] = 1
    if fired[1]:
        memory[2] += 1.0
    return 0


def line_at(place, instant):
    """x' = 1 reaches `place`; a known instant besides."""
    return HybridProblem(
        drift,
        np.array([place]),
        ("x",),
        guards=line_guard,
        act=note_line_and_instant,
        guard_names=("line",),
        guard_owner=(0,),
        memory=np.zeros(3),
        mode=np.zeros(1, np.int8),
        time_events=(instant,),
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("early", [0.0, 1e-16, 1e-15, 1e-12, -1e-16, -1e-12])
def test_guard_and_known_instant_together(method, early):
    """Whichever is first by a rounding error: both fire once, and the run goes on."""
    run = integrate(line_at(1.0 - early, 1.0), [0.0], 2.0, method=method)
    assert run.status == Status.DONE
    assert run.memory[-1, 1] == 1.0
    assert run.memory[-1, 2] == 1.0
    np.testing.assert_allclose(run.events.time, 1.0, atol=2e-12)
    np.testing.assert_allclose(run.x[-1], 2.0, rtol=1e-12)


def test_guard_reached_at_the_end_of_the_run():
    """The boundary reached at t_end is not crossed; passed by a rounding error before it, it is."""
    touched = integrate(line_at(1.0, 9.0), [0.0], 1.0)
    assert touched.status == Status.DONE
    assert touched.t[-1] == 1.0
    crossed = integrate(line_at(1.0 - 1e-14, 9.0), [0.0], 1.0)
    assert crossed.memory[-1, 1] == 1.0
    assert crossed.t[-1] == 1.0


@pytest.mark.parametrize(("start", "instant", "fires"), [(0.0, 0.0, 1), (0.5, 0.2, 0), (-2.0, -1.5, 1)])
def test_known_instant_at_or_before_the_start(start, instant, fires):
    """An instant that lies before the start is past; one at the start is acted upon there."""
    run = integrate(line_at(9.0, instant), [0.0], start + 1.0, t_start=start)
    assert run.status == Status.DONE
    assert np.all(np.diff(run.t) >= 0.0)
    assert run.memory[-1, 2] == fires
    np.testing.assert_allclose(run.x[-1], 1.0, rtol=1e-12)


@pytest.mark.parametrize("start", [-7.3, 1e6])
def test_shifted_time_changes_nothing_but_the_time(start):
    problem = level_crossing(2.0, 0.3)
    here = integrate(problem, [0.0, 1.0], 20.0, rtol=1e-8, atol=1e-10)
    there = integrate(problem, [0.0, 1.0], start + 20.0, t_start=start, rtol=1e-8, atol=1e-10)
    assert len(here.events) == len(there.events)
    np.testing.assert_allclose(there.events.time - start, here.events.time, atol=1e-6)


def test_long_run_keeps_every_event():
    """A hundred thousand turns: two crossings in each."""
    turns = 100_000
    run = integrate(
        level_crossing(1.0, 0.5),
        [0.0, 1.0],
        2 * pi * turns,
        method="verner65",
        rtol=1e-9,
        atol=1e-11,
        output_step=pi,
    )
    assert len(run.events) == 2 * turns


@pytest.mark.parametrize(("t_end", "step", "rows"), [(0.3, 0.1, 4), (0.7, 0.1, 8), (0.35, 0.1, 4), (1.2, 0.4, 4)])
def test_output_grid_includes_the_end(t_end, step, rows):
    """3 times 0.1 is larger than 0.3 in floating point; the row is wanted all the same."""
    run = integrate(level_crossing(1.0, 0.2), [0.0, 1.0], t_end, output_step=step)
    assert run.t.size == rows
    assert run.t[-1] <= t_end
    np.testing.assert_allclose(run.t, step * np.arange(rows), rtol=1e-15)


@kernel(signature=ACT)
def stop_here(t, x, memory, mode, p, fired):
    return 1


def test_run_stopped_at_its_first_instant_has_a_row():
    problem = replace(level_crossing(1.0, 0.0), act=stop_here)
    run = integrate(problem, [0.0, 1.0], 1.0)
    assert run.status == Status.STOPPED
    np.testing.assert_array_equal(run.x, [[0.0, 1.0]])


@kernel(signature=GUARDS)
def nan_guard(t, x, memory, mode, p, g):
    g[0] = 2.0 - t
    g[1] = (p[1] - x[0]) ** 0.5


@pytest.mark.parametrize("level", [0.5, -0.5])
def test_guard_that_is_no_number_is_named(level):
    """Ignoring it would lose its events in silence; at the start (level -0.5) as later."""
    problem = replace(
        level_crossing(1.0, level), guards=nan_guard, guard_names=("calm", "root"), guard_owner=(0, 0)
    )
    with pytest.raises(IntegrationError, match="guard root is not a number"):
        integrate(problem, [0.0, 1.0], 1.5)


@kernel(signature=RHS)
def cubic_clock(t, x, memory, mode, p, dx):
    dx[0] = p[0] + t * (p[1] + t * p[2])
    return 0


@kernel(signature=GUARDS)
def positive(t, x, memory, mode, p, g):
    g[0] = x[0] if mode[0] == 0 else inf


@kernel(signature=ACT)
def leave(t, x, memory, mode, p, fired):
    mode[0] = 1
    return 0


@pytest.mark.parametrize("method", ["dopri54", "verner65", "esdirk34", "bs32"])
@pytest.mark.parametrize("start", [0.0, 0.01])
def test_guard_that_rises_first_and_then_dips(method, start):
    """x = start + 0.3 t - t^2 + 0.75 t^3 rises, dips below zero and is inside again at the end of one step.

    Every method here integrates cubics exactly, so the instant is known.
    """
    problem = HybridProblem(
        cubic_clock,
        np.array([0.3, -2.0, 2.25]),
        ("x",),
        guards=positive,
        act=leave,
        guard_names=("zero",),
        guard_owner=(0,),
        mode=np.zeros(1, np.int8),
    )
    run = integrate(problem, [start], 1.0, method=method, first_step=1.0, rtol=1.0, atol=1.0)
    roots = np.roots([0.75, -1.0, 0.3, start]).real
    assert len(run.events) == 1
    assert run.events.time[0] == pytest.approx(min(r for r in roots if r > 1e-9), abs=1e-9)


@kernel(signature=RHS)
def stiff_pair(t, x, memory, mode, p, dx):
    dx[0] = p[0] * x[1]
    dx[1] = -p[0] * x[0]
    dx[2] = -p[2] * (x[2] - x[0])
    return 0


@kernel(signature=GUARDS)
def level_of_the_stiff_one(t, x, memory, mode, p, g):
    g[0] = p[1] - x[2] if mode[0] == 0 else x[2] - p[1]


@pytest.mark.parametrize("method", ["esdirk34", "auto"])
def test_stiff_component_with_events(method):
    """x2 follows sin t with lag 1/k; its crossings of a level are known."""
    k, level, turns = 1e5, 0.3, 10
    problem = replace(
        level_crossing(1.0, level),
        rhs=stiff_pair,
        guards=level_of_the_stiff_one,
        parameters=np.array([1.0, level, k]),
        state_names=("x", "y", "z"),
    )
    run = integrate(problem, [0.0, 1.0, 0.0], 2 * pi * turns, method=method, rtol=1e-7, atol=1e-9)
    times = 2 * pi * np.arange(turns)
    expected = np.sort(np.concatenate([times + np.arcsin(level), times + pi - np.arcsin(level)])) + 1.0 / k
    assert len(run.events) == 2 * turns
    np.testing.assert_allclose(run.events.time, expected, atol=2e-4)


@kernel(signature=RHS)
def to_rest(t, x, memory, mode, p, dx):
    dx[0] = -p[0] * (x[0] - p[1]) + p[2] * (x[1] - p[3])
    dx[1] = -p[0] * (x[1] - p[3])
    return 0


def test_newton_at_rest_is_not_confused_by_rounding():
    """At rest every update of the iteration is rounding; their quotient says nothing about contraction."""
    problem = HybridProblem(to_rest, np.array([1e7, 1.0 / 3.0, 3e6, 1e3 / 7.0]), ("x", "y"))
    run = integrate(problem, [1.0 / 3.0 + 1e-16, 1e3 / 7.0], 10.0, method="esdirk34", rtol=1e-9, atol=1e-12)
    assert run.stats.accepted < 60
    assert run.stats.rejected == 0


@kernel(signature=RHS)
def decay(t, x, memory, mode, p, dx):
    dx[0] = -p[0] * x[0]
    return 0


def test_far_end_does_not_forbid_small_steps_now():
    """A transient of a nanosecond at the start of a run of a thousand years."""
    problem = HybridProblem(decay, np.array([1e9]), ("x",))
    run = integrate(problem, [1.0], 3e10, method="esdirk34", first_step=1e-11, rtol=1e-6, atol=1e-12)
    assert abs(run.x[-1, 0]) < 1e-9


def test_first_step_obeys_the_longest():
    run = integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 1.0, first_step=0.5, max_step=0.01)
    assert np.diff(run.t).max() <= 0.01 * (1 + 1e-9)


@kernel(signature=GUARDS)
def domino_guards(t, x, memory, mode, p, g):
    """The first falls at x = 0.5; each of the others when its neighbour has fallen."""
    g[0] = 0.5 - x[0] if mode[0] == 0 else inf
    for i in range(1, mode.size):
        g[i] = (1.0 if mode[i - 1] == 0 else -1.0) if mode[i] == 0 else inf


@kernel(signature=ACT)
def fall_over(t, x, memory, mode, p, fired):
    for i in range(mode.size):
        if fired[i]:
            mode[i] = 1
    return 0


@pytest.mark.parametrize("method", ["dopri54", "esdirk34"])
def test_cascade_falls_at_one_instant(method):
    n = 8
    problem = HybridProblem(
        drift,
        np.zeros(1),
        ("x",),
        guards=domino_guards,
        act=fall_over,
        guard_names=tuple(f"domino {i}" for i in range(n)),
        guard_owner=tuple(range(n)),
        mode=np.zeros(n, np.int8),
    )
    run = integrate(problem, [0.0], 1.0, method=method)
    assert [e.guard for e in run.events] == [f"domino {i}" for i in range(n)]
    assert np.all(run.events.time == run.events.time[0])
    assert run.stats.stops == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("over", [0.0, 1e-10, 1e-7])
def test_grazing_never_loops(method, over):
    """A level touched or passed by a hair at the top of a sine: zero or two events in a turn, no failure."""
    run = integrate(level_crossing(1.0, 1.0 - over), [0.0, 1.0], 12 * pi, method=method, rtol=1e-10, atol=1e-12)
    assert run.status == Status.DONE
    assert len(run.events) % 2 == 0
    assert len(run.events) <= 12


@pytest.mark.parametrize("method", METHODS)
def test_redone_steps_are_where_they_say(method):
    """State and time of a redone event belong together: the ball's energy between impacts is constant."""
    run = integrate(
        bouncing_ball(0.9), [1.0, 0.0], 4.0, method=method, redo_events=True, rtol=1e-9, atol=1e-11, max_step=0.2
    )
    energy = 0.5 * run["speed"] ** 2 + 9.81 * run["height"]
    jumps = np.flatnonzero(np.abs(np.diff(energy)) > 1e-7)
    assert jumps.size == len(run.events)


@kernel(signature=GUARDS)
def kinked_guard(t, x, memory, mode, p, g):
    """A guard so crooked at its boundary that a secant iteration does not settle."""
    d = p[1] - x[0]
    g[0] = (abs(d) ** 0.2) * (1.0 if d > 0.0 else -1.0) if mode[0] == 0 else inf


@pytest.mark.parametrize("method", ["dopri54", "bs32"])
def test_redo_that_does_not_settle_falls_back_on_the_interpolant(method):
    problem = replace(level_crossing(1.0, 0.5), guards=kinked_guard, act=leave)
    run = integrate(problem, [0.0, 1.0], 1.0, method=method, redo_events=True, rtol=1e-8, atol=1e-10)
    assert run.events.time[0] == pytest.approx(pi / 6, abs=1e-6)
    at = np.flatnonzero(np.diff(run.t) == 0.0)[0]
    np.testing.assert_allclose(run.x[at], [np.sin(run.t[at]), np.cos(run.t[at])], atol=1e-6)


BAD = [
    ({"time_events": (nan,)}, "time_events"),
    ({"guard_tolerance": (-1.0,)}, "guard_tolerance"),
    ({"guard_tolerance": (nan,)}, "guard_tolerance"),
    ({"memory": [0.0]}, None),
    ({"mode": [0]}, None),
    ({"time_events": (1.0,), "time_names": ("a", "b")}, "time_names"),
]


@pytest.mark.parametrize(("change", "field"), BAD, ids=[str(c) for c, _ in BAD])
def test_more_bad_problems(change, field):
    """Lists will do for arrays; numbers that make no sense are named."""
    problem = replace(level_crossing(1.0, 0.5), **change)
    if field is None:
        assert integrate(problem, [0.0, 1.0], 1.0).status == Status.DONE
        return
    with pytest.raises(InputError, match=f"^{field}: "):
        integrate(problem, [0.0, 1.0], 2.0)


def test_unknown_guard_of_the_log_is_named():
    run = integrate(level_crossing(1.0, 0.5), [0.0, 1.0], 1.0)
    with pytest.raises(InputError, match=r"^guard: "):
        run.events.of("nonsense")


def test_known_instant_in_the_log_by_name():
    run = integrate(pushed_mass((0.3, 0.7), (1.0, 0.0)), [0.0, 0.0], 1.0)
    assert run.events.of("push 1") == [0.7]


def test_rotation_without_guards_or_actions():
    run = integrate(HybridProblem(rotate, np.array([1.0]), ("x", "y")), [0.0, 1.0], 1.0, t_start=-1.0)
    assert run.t[0] == -1.0
    assert len(run.events) == 0
