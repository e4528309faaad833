"""Events of DAE runs: a pendulum that hits a wall, against the angle as an ODE in the hybrid loop."""

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.literature import pendulum
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.half_explicit.scheme import BRASEY_HAIRER_4, CASH_KARP_5, DORMAND_PRINCE_5
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.radau import method as radau
from klingel.numerics.dae.run import DaeError
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

BEGIN = 0.2  # [s]
WALL = float(np.sin(-0.3))  # x of the wall [m]
RESTITUTION = 0.8
P = np.array([pendulum.GRAVITY, WALL, RESTITUTION])
DURATION = 4.0  # several impacts [s]


@kernel(signature=GUARDS)
def gap(t, x, memory, mode, p, g):
    g[0] = x[0] - p[1]


@kernel(signature=ACT)
def bounce(t, x, memory, mode, p, fired):
    x[2] *= -p[2]
    x[3] *= -p[2]
    memory[0] += 1.0
    return 0


@kernel(signature=ACT)
def bounce_off_the_circle(t, x, memory, mode, p, fired):
    """A smooth vertical wall: only vx is reversed, which leaves the circle; the rod brings it back."""
    x[2] *= -p[2]
    return 0


@kernel(signature=RHS)
def angle_rhs(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -p[0] * np.sin(x[0])
    return 0


@kernel(signature=GUARDS)
def angle_gap(t, x, memory, mode, p, g):
    g[0] = np.sin(x[0]) - p[1]


@kernel(signature=ACT)
def angle_bounce(t, x, memory, mode, p, fired):
    x[1] *= -p[2]
    return 0


@kernel(signature=ACT)
def angle_bounce_off_the_circle(t, x, memory, mode, p, fired):
    c, s = np.cos(x[0]), np.sin(x[0])
    x[1] *= s * s - p[2] * c * c
    return 0


def angle_run(act, guards=angle_gap, duration=DURATION):
    problem = HybridProblem(
        angle_rhs, P, ("angle", "rate"), guards=guards, act=act, guard_names=("wall",), guard_tolerance=(1e-13,)
    )
    x, y, vx, vy, _ = pendulum.exact(BEGIN)
    start = [np.arctan2(x, -y), -y * vx + x * vy]
    settings = {"t_start": BEGIN, "method": "verner65", "rtol": 1e-13, "atol": 1e-13, "redo_events": True}
    return integrate(problem, start, BEGIN + duration, **settings)


def as_state(angle, rate):
    return np.array([np.sin(angle), -np.cos(angle), np.cos(angle) * rate, np.sin(angle) * rate])


def problem(index, act, **changes):
    fields = {"guards": gap, "act": act, "guard_names": ("wall",), "memory": np.zeros(1), "parameters": P}
    return pendulum.problem(index, **{**fields, **changes})


METHODS = {
    "Radau, index 1": (1, radau.solve, {"treatment": Treatment.PROJECT}),
    "Radau, index 2": (2, radau.solve, {}),
    "Radau, index 2 projected": (2, radau.solve, {"treatment": Treatment.PROJECT}),
    "Radau, stabilised": (2, radau.solve, {"treatment": Treatment.STABILISE}),
    "Radau, index 3": (3, radau.solve, {}),
    "Dormand-Prince": (2, half_explicit.solve, {"scheme": DORMAND_PRINCE_5}),
    "Cash-Karp, index 1": (1, half_explicit.solve, {"scheme": CASH_KARP_5}),
    "Brasey-Hairer": (2, half_explicit.solve, {"scheme": BRASEY_HAIRER_4}),
}


def run(name, act, duration=DURATION, changes=None, **settings):
    index, solve, method = METHODS[name]
    tolerance = {} if "rtol" in settings else {"rtol": 1e-10, "atol": 1e-10}
    start = pendulum.exact(BEGIN)
    case = problem(index, act, **(changes or {}))
    return solve(case, start, BEGIN + duration, t0=BEGIN, **method, **tolerance, **settings)


@pytest.mark.parametrize("name", METHODS)
def test_impacts_come_when_the_angle_says(name):
    reference, done = angle_run(angle_bounce), run(name, bounce)
    assert len(reference.events) == 3
    assert np.max(np.abs(done.events.time - reference.events.time)) < 1e-8
    assert np.max(np.abs(done.end[:4] - as_state(*reference.x[-1]))) < 1e-7
    assert done.memory[-1, 0] == 3.0


@pytest.mark.parametrize("name", [name for name in METHODS if "index 1" not in name])
def test_state_is_made_consistent_after_an_action_that_leaves_the_constraints(name):
    reference, done = angle_run(angle_bounce_off_the_circle), run(name, bounce_off_the_circle)
    assert np.max(np.abs(done.events.time - reference.events.time)) < 1e-8
    after = np.flatnonzero(np.diff(done.t) == 0.0) + 1
    assert after.size == len(reference.events)
    x, y, vx, vy, tension = done.x[after].T
    assert np.max(np.abs(x * vx + y * vy)) < 1e-9
    assert np.max(np.abs(tension - (vx**2 + vy**2 - pendulum.GRAVITY * y))) < 1e-5


@kernel(signature=ACT)
def stretch(t, x, memory, mode, p, fired):
    """Leaves the circle along its normal, and changes no velocity along it."""
    x[0] *= 1.001
    x[1] *= 1.001
    x[2] += 0.5 * x[0]
    x[3] += 0.5 * x[1]
    return 0


@pytest.mark.parametrize("name", ["Radau, index 3", "Radau, index 2 projected", "Dormand-Prince projected"])
def test_positions_and_velocities_go_back_where_they_were(name):
    """The rod acts along the normal only: the motion goes on as if nothing had happened."""
    solve, index = (half_explicit.solve, 2) if "Prince" in name else (radau.solve, 3 if "index 3" in name else 2)
    treatment = Treatment.REPORT if index == 3 else Treatment.PROJECT
    case = pendulum.problem(index, act=stretch, time_events=(0.6, 0.9))
    start, tolerance = pendulum.exact(BEGIN), {"rtol": 1e-10, "atol": 1e-10}
    done = solve(case, start, 1.2, t0=BEGIN, treatment=treatment, **tolerance)
    assert done.stats.stops == 2
    assert np.max(np.abs(done.end[:4] - pendulum.exact(1.2)[:4])) < 1e-8


@pytest.mark.parametrize(
    ("name", "order"),
    [("Radau, index 1", 5), ("Radau, index 2 projected", 5), ("Dormand-Prince", 5), ("Brasey-Hairer", 4)],
)
def test_order_survives_an_impact(name, order):
    reference = angle_run(angle_bounce, duration=1.2)
    steps, errors = np.array([20, 28, 40, 56, 80]), []
    options = {
        radau.solve: radau.Options(newton_tolerance=1e-11, max_newton=100, reuse_rate=0.0),
        half_explicit.solve: half_explicit.Options(linear_tolerance=1e-10, constraint_tolerance=1e-12),
    }[METHODS[name][1]]
    for n in steps:
        h = 1.2 / n
        done = run(name, bounce, 1.2, rtol=1e-3, atol=1.0, h0=h, h_max=h, options=options)
        assert len(done.events) == len(reference.events) == 1
        errors.append(np.max(np.abs(done.end[:4] - as_state(*reference.x[-1]))))
    observed = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert abs(observed - order) < 0.25, (observed, errors)


@kernel(signature=GUARDS)
def tension_limit(t, x, memory, mode, p, g):
    g[0] = 12.0 - x[4]


@kernel(signature=GUARDS)
def angle_tension_limit(t, x, memory, mode, p, g):
    g[0] = 12.0 - x[1] * x[1] - p[0] * np.cos(x[0])


@kernel(signature=ACT)
def stop(t, x, memory, mode, p, fired):
    return 1


@pytest.mark.parametrize("name", METHODS)
def test_guard_on_a_multiplier(name):
    """The rod's force passes 12 N/kg: located on real steps, where the multiplier is solved for."""
    expected = angle_run(stop, guards=angle_tension_limit).events.time[0]
    done = run(name, stop, changes={"guards": tension_limit})
    assert done.ended.startswith("stopped by wall")
    # of index 3 a multiplier is of order 2 and has the tolerance 1e-10 (1 + 12)/h^2 = 2e-4; it grows by 53 per s
    tolerance = 1e-6 if "index 3" in name else 1e-8
    assert abs(done.events.time[0] - expected) < tolerance


@kernel(signature=GUARDS)
def both_walls(t, x, memory, mode, p, g):
    g[0] = x[0] - p[1]
    g[1] = 2.0 * (x[0] - p[1])


@pytest.mark.parametrize("name", ["Radau, index 2", "Dormand-Prince"])
def test_simultaneous_events_act_together_and_instants_are_hit(name):
    changes = {"guards": both_walls, "guard_names": ("wall", "same wall"), "time_events": (0.9, 1.1)}
    done = run(name, bounce, duration=1.2, changes=changes)
    assert [event.guard for event in done.events] == ["wall", "same wall", "time 0", "time 1"]
    assert done.events.time[0] == done.events.time[1]
    assert list(done.events.time[2:]) == [0.9, 1.1]
    assert done.stats.stops == 3


@pytest.mark.parametrize("name", ["Radau, index 2", "Cash-Karp, index 1"])
def test_output_grid_across_impacts(name):
    done, reference = run(name, bounce, output_step=0.05), angle_run(angle_bounce)
    every = run(name, bounce)
    assert np.allclose(done.t, BEGIN + 0.05 * np.arange(81), rtol=0, atol=1e-12)
    assert np.array_equal(done.end, every.end)
    for k in (10, 37, 63):
        before = np.searchsorted(reference.t, done.t[k], side="right") - 1
        left, right = reference.t[before], reference.t[before + 1]
        assert left <= done.t[k] <= right
        # the angle at this instant, from a short run of the reference
        angle, rate = reference.x[before]
        if done.t[k] > left:
            free = HybridProblem(angle_rhs, P, ("angle", "rate"))
            angle, rate = integrate(free, [angle, rate], done.t[k], t_start=left, rtol=1e-12, atol=1e-12).x[-1]
        assert np.max(np.abs(done.x[k, :4] - as_state(angle, rate))) < 1e-6


@kernel(signature=ACT)
def do_nothing(t, x, memory, mode, p, fired):
    return 0


@kernel(signature=GUARDS)
def toggling(t, x, memory, mode, p, g):
    """The sign of a fast sine: fires every 1e-5 s."""
    g[0] = np.sin(3.14159e5 * t) if mode[0] == 0 else -np.sin(3.14159e5 * t)


@kernel(signature=ACT)
def toggle(t, x, memory, mode, p, fired):
    mode[0] = 1 - mode[0]
    return 0


@pytest.mark.parametrize("name", ["Radau, index 3", "Dormand-Prince"])
def test_failures_name_the_guard(name):
    with pytest.raises(DaeError, match="modes contradict each other: guard wall"):
        run(name, do_nothing)
    solve = METHODS[name][1]
    options = (radau.Options if solve is radau.solve else half_explicit.Options)(
        chatter_limit=20, chatter_window=1e-3
    )
    changes = {"guards": toggling, "mode": np.zeros(1, np.int8)}
    with pytest.raises(DaeError, match="event chatter of guard wall"):
        run(name, toggle, changes=changes, options=options, h_max=4e-6)
