"""Radau IIA: orders on the pendulum, invariants, events, output, general mass matrices."""

from math import inf

import numba
import numpy as np
import pytest

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature import pendulum
from klingel.numerics.dae import solve as dae_solve
from klingel.numerics.dae.problem import DaeProblem, Treatment
from klingel.numerics.dae.radau import method as radau
from klingel.numerics.dae.run import DaeError
from klingel.numerics.signatures import ACT, GUARDS, JACOBIAN, RHS

BEGIN = 0.2  # everything moves there [s]


def run(index, duration, **settings):
    changes = settings.pop("changes", {})
    start = pendulum.exact(BEGIN)
    return radau.solve(pendulum.problem(index, **changes), start, BEGIN + duration, t0=BEGIN, **settings)


def fixed_step_errors(index, steps):
    """Errors of position, velocity and multiplier after one second in equal steps."""
    options = radau.Options(newton_tolerance=1e-11, max_newton=100, reuse_rate=0.0)
    done = run(index, 1.0, rtol=1e-3, atol=1.0, h0=1 / steps, h_max=1 / steps, options=options)
    assert done.stats.accepted == steps
    error = np.abs(done.end - pendulum.exact(BEGIN + 1.0))
    return np.array([error[:2].max(), error[2:4].max(), error[4]])


@pytest.mark.parametrize(
    ("index", "orders", "coarse"),
    [(1, (5, 5, 5), 20), (2, (5, 5, 3), 40), (3, (5, 3, 2), 20)],
)
def test_observed_orders(index, orders, coarse):
    observed = np.log2(fixed_step_errors(index, coarse) / fixed_step_errors(index, 2 * coarse))
    assert np.all(np.abs(observed - orders) < 0.25), observed


@pytest.mark.parametrize("index", [1, 2, 3])
def test_error_follows_the_tolerance(index):
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8):
        done = run(index, 2.0, rtol=tolerance, atol=tolerance)
        errors.append(np.abs(done.end - pendulum.exact(BEGIN + 2.0))[:2].max())
        assert errors[-1] < 30 * tolerance
    assert errors[2] < 1e-2 * errors[0]


def test_projection_and_stabilisation_remove_the_drift():
    """Index 2 leaves the circle; both treatments bring it back, to rounding or to Newton's tolerance."""
    settings = {"rtol": 1e-5, "atol": 1e-5}
    drift = {kind: run(2, 5.0, treatment=kind, **settings).drift["length"] for kind in Treatment}
    assert drift[Treatment.REPORT] > 1e-9
    assert drift[Treatment.PROJECT] < 1e-14
    assert drift[Treatment.STABILISE] < 0.1 * drift[Treatment.REPORT]


def test_energy_of_the_index_3_pendulum():
    done = run(3, 10.0, rtol=1e-9, atol=1e-9)
    energy = 0.5 * (done["vx"] ** 2 + done["vy"] ** 2) + pendulum.GRAVITY * done["y"]
    assert np.max(np.abs(energy - energy[0])) < 1e-5


@kernel(signature=JACOBIAN)
def jacobian_2(t, x, memory, mode, p, j):
    for a in range(5):
        for b in range(5):
            j[a, b] = 0.0
    j[0, 2] = j[1, 3] = 1.0
    j[2, 0] = j[3, 1] = -x[4]
    j[2, 4], j[3, 4] = -x[0], -x[1]
    j[4, 0], j[4, 1], j[4, 2], j[4, 3] = x[2], x[3], x[0], x[1]
    return 0


def test_given_jacobian_saves_right_hand_sides_and_changes_nothing_else():
    by_differences = run(2, 1.0, rtol=1e-8, atol=1e-8)
    given = run(2, 1.0, rtol=1e-8, atol=1e-8, changes={"jacobian": jacobian_2})
    assert given.stats.rhs_jacobian == 0
    assert given.stats.rhs < by_differences.stats.rhs
    assert np.allclose(given.end, by_differences.end, rtol=0, atol=1e-7)


@kernel(signature=GUARDS)
def above_the_middle(t, x, memory, mode, p, g):
    g[0] = x[0] if mode[0] == 0 else -x[0]
    g[1] = inf


@kernel(signature=ACT)
def other_side(t, x, memory, mode, p, fired):
    mode[0] = 1 - mode[0]
    memory[0] += 1.0
    return 0


GUARDED = {
    "guards": above_the_middle,
    "guard_names": ("passes the middle", "never"),
    "guard_owner": (0, 0),
    "mode": np.zeros(1, np.int8),
    "memory": np.zeros(1),
}


@pytest.mark.parametrize("index", [1, 2, 3])
def test_guard_stops_at_the_middle(index):
    done = run(index, 3.0, rtol=1e-9, atol=1e-9, changes=GUARDED)
    assert done.ended.startswith("stopped by passes the middle")
    assert abs(done.t[-1] - pendulum.period() / 4) < 1e-7
    assert -1e-10 < done.end[0] <= 0.0


def test_action_goes_on_and_events_are_half_a_period_apart():
    done = run(2, 2.5 * pendulum.period(), rtol=1e-9, atol=1e-9, changes={**GUARDED, "act": other_side})
    times = np.array([event.time for event in done.events])
    expected = pendulum.period() * (0.25 + 0.5 * np.arange(times.size))
    assert times.size == 5
    assert done.memory[-1, 0] == 5.0
    assert np.max(np.abs(times - expected)) < 1e-6


def test_output_grid_and_small_buffers(monkeypatch):
    whole = run(2, 1.0, rtol=1e-8, atol=1e-8, output_step=0.01)
    assert np.allclose(whole.t, BEGIN + 0.01 * np.arange(101), rtol=0, atol=1e-12)
    exact = np.array([pendulum.exact(t) for t in whole.t])
    assert np.max(np.abs(whole.x[:, :2] - exact[:, :2])) < 1e-6
    monkeypatch.setattr(dae_solve, "CHUNK_STEPS", 4)
    pieces = run(2, 1.0, rtol=1e-8, atol=1e-8, output_step=0.01)
    assert np.array_equal(whole.x, pieces.x)


@kernel(signature=RHS)
def rotated(t, x, memory, mode, p, f):
    """M x' = f with M = [[1, 2], [0, 1]] and x' = (-x_0, -2 x_1)."""
    f[0] = -x[0] - 4.0 * x[1]
    f[1] = -2.0 * x[1]
    return 0


def test_full_mass_matrix():
    mass = np.array([[1.0, 2.0], [0.0, 1.0]])
    problem = DaeProblem(rotated, np.zeros(0), ("a", "b"), mass)
    end = radau.solve(problem, np.array([1.0, 1.0]), 1.0, rtol=1e-9, atol=1e-9).end
    assert np.allclose(end, [np.exp(-1), np.exp(-2)], rtol=0, atol=1e-8)


@kernel(signature=RHS)
def stiff(t, x, memory, mode, p, f):
    """Prothero and Robinson: x' = p (x - cos t) - sin t."""
    f[0] = p[0] * (x[0] - np.cos(t)) - np.sin(t)
    return 0


def test_stiff_problem_takes_few_steps():
    problem = DaeProblem(stiff, np.array([-1e6]), ("x",), np.ones(1))
    done = radau.solve(problem, np.ones(1), 10.0, rtol=1e-6, atol=1e-6)
    assert abs(done.end[0] - np.cos(10.0)) < 1e-6
    assert done.stats.accepted < 100


def decay(t, x, memory, mode, p, f):
    f[0] = -p[0] * x[0]


def test_plain_python_function_is_compiled():
    problem = DaeProblem(decay, np.array([2.0]), ("x",), np.ones(1))
    done = radau.solve(problem, np.ones(1), 1.0, rtol=1e-9, atol=1e-9, check=False)
    assert abs(done.end[0] - np.exp(-2.0)) < 1e-8


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_function_that_cannot_be_compiled_is_refused():
    def broken(t, x, memory, mode, p, f):
        f[0] = open("nothing")  # noqa: SIM115

    problem = DaeProblem(broken, np.zeros(1), ("x",), np.ones(1))
    with pytest.raises(InputError, match="rhs: must compile"):
        radau.solve(problem, np.ones(1), 1.0, h0=0.1, check=False)


@kernel(signature=RHS)
def forbidden(t, x, memory, mode, p, f):
    f[0] = -1.0
    return 0 if x[0] > 0.5 else 1


def test_refusal_that_cannot_be_avoided_ends_the_run():
    problem = DaeProblem(forbidden, np.zeros(0), ("depth",), np.ones(1))
    with pytest.raises(DaeError, match="step size fell below rounding"):
        radau.solve(problem, np.ones(1), 1.0)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"rtol": 0.0}, "rtol"),
        ({"atol": -1.0}, "atol"),
        ({"treatment": Treatment.PROJECT}, "treatment"),
    ],
)
def test_bad_settings_are_named(settings, field):
    with pytest.raises(InputError, match=field):
        run(3, 1.0, **settings)
    with pytest.raises(InputError, match="t_end"):
        run(3, -1.0)
