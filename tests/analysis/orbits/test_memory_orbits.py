"""Orbits of a system with a relay, a friction slider that remembers its anchor, and a stop."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.find_orbit import NoOrbit, Start, find_near, run_from
from klingel.analysis.orbits.validity import check
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem, Remembered
from klingel.numerics.trajectory import IntegrationError
from tests.analysis.orbits.test_tangent_run import PROBLEM

PERIOD = 2.0 * np.pi / 1.2


def settled(relay: float, stop: float, drive: float = 1.5):
    problem = replace(PROBLEM, parameters=np.array([2.0, 0.5, drive, 1.2, relay, 4.0, 0.2, stop, 0.8]))
    family = Family(lambda _: problem, drive=lambda _: PERIOD)
    run = integrate(problem, [0.01, 0.0, 0.0, 0.0], 120 * PERIOD, method="verner65", rtol=1e-9, atol=1e-11)
    return family, find_near(family, 0.0, Start(run.x[-1], run.memory[-1], run.mode[-1]), PERIOD)


@pytest.mark.parametrize(("relay", "stop"), [(0.0, 5.0), (0.1, 5.0), (0.1, 0.4)])
def test_slipping_slider_forgets(relay, stop):
    """One multiplier is zero by structure; the others are those of the whole map, differenced."""
    family, orbit = settled(relay, stop)
    assert check(orbit).valid
    assert len(orbit.segments) > 5
    assert np.abs(orbit.multipliers[-1]) == 0.0
    assert orbit.stable
    first = orbit.segments[0]
    step, columns = 2e-5, []
    inside = 0.3 * orbit.durations[0]  # away from the event at the start, which neighbours meet earlier or later
    start = Start(orbit.start[:4], orbit.start[4:], first.mode, orbit.phase)
    begin = run_from(family, 0.0, start, inside)
    x = np.concatenate([begin.x[-1], begin.memory[-1]])
    for j in range(5):
        ends = []
        for side in (1.0, -1.0):
            z = x.copy()
            z[j] += side * step
            run = run_from(family, 0.0, Start(z[:4], z[4:], first.mode, orbit.phase + inside), PERIOD)
            ends.append(np.concatenate([run.x[-1], run.memory[-1]]))
        columns.append((ends[0] - ends[1]) / (2.0 * step))
    values = np.linalg.eigvals(np.column_stack(columns))
    known = np.sort(np.abs(values))[::-1]
    assert np.abs(orbit.multipliers) == pytest.approx(known, abs=1e-6)


def test_stuck_slider_keeps_its_anchor():
    """A family of orbits: the anchor stays where it was, and is not solved for."""
    _, orbit = settled(0.0, 5.0, drive=0.01)
    assert orbit.start.size == orbit.equations.size == 4
    assert all(segment.memory[0] == 0.0 for segment in orbit.segments)
    assert orbit.multipliers.size == 4


def _leaf_rates(t, x, memory, mode, p, dx):
    """A mass on a leaf spring: its force goes to the envelope by exp(-du/beta) from where a stroke began."""
    rising = 1.0 if mode[0] == 0 else -1.0
    limit = 1.0 * x[0] + 0.2 * rising
    force = limit + (memory[0] - 1.0 * memory[1] - 0.2 * rising) * np.exp(-rising * (x[0] - memory[1]) / p[1])
    dx[0] = x[1]
    dx[1] = p[0] * np.cos(0.8 * t) - force


def _leaf_turn(t, x, memory, mode, p, g):
    g[0] = x[1] if mode[0] == 0 else -x[1]


def _leaf_act(t, x, memory, mode, p, fired):
    if fired[0]:
        rising = 1.0 if mode[0] == 0 else -1.0
        carried = memory[0] - 1.0 * memory[1] - 0.2 * rising
        memory[0] = 1.0 * x[0] + 0.2 * rising + carried * np.exp(-rising * (x[0] - memory[1]) / p[1])
        memory[1] = x[0]
        x[1] = 0.0
        mode[0] = 1 - mode[0]


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_leaf_forgets_by_its_stroke(beta):
    """A change of the force alone, where a stroke begins, is exp(-du/beta) of itself where it ends."""
    problem = HybridProblem(
        _leaf_rates, np.array([0.5, beta]), ("x", "v"), guards=_leaf_turn, act=_leaf_act, guard_names=("turn",),
        guard_owner=(0,), mode_names=("stroke",), mode=np.array([1]), memory=np.array([0.0, 0.0]),
        remembered=(Remembered("force", unit="N"), Remembered("place", unit="m")),
    )  # fmt: skip
    period = 2.0 * np.pi / 0.8
    family = Family.of_one(problem, drive=period)
    run = integrate(family.at(0.0), [0.5, 0.0], 80 * period, method="verner65", rtol=1e-9, atol=1e-11)
    begin = Start(run.x[-1], run.memory[-1], run.mode[-1], float(run.t[-1]) % period)
    orbit = find_near(family, 0.0, begin, period)
    assert check(orbit).valid
    assert len(orbit.segments) == 2
    event = orbit.derivatives.crossings[orbit.equations.pieces[0] - 1]
    stroke = abs(event.after[3] - orbit.start[3])
    assert stroke > 0.5
    assert event.after_z[2, 2] == pytest.approx(np.exp(-stroke / beta), abs=1e-8)
    assert event.after_z[3] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=1e-9)  # where it turned: nothing older
    known = np.sort(np.abs(np.linalg.eigvals(differenced(family, orbit, 1e-5))))[::-1]
    assert np.abs(orbit.multipliers) == pytest.approx(known, abs=2e-6)
    assert np.abs(orbit.multipliers[-1]) == 0.0  # the velocity at a turning point is known


def differenced(family, orbit, step: float) -> np.ndarray:
    """Derivative of the whole map by centred differences of plain runs, from inside the first segment."""
    first, n = orbit.segments[0], orbit.equations.flow(orbit.parameter).n
    inside = 0.37 * orbit.durations[0]
    memory = first.memory.copy()
    at = orbit.family.at(orbit.parameter).memory_coordinates
    memory[at] = orbit.start[n:]
    begin = run_from(family, orbit.parameter, Start(orbit.start[:n], memory, first.mode, orbit.phase), inside)
    z = np.concatenate([begin.x[-1], begin.memory[-1][at]])
    columns = []
    for j in range(z.size):
        ends = []
        for side in (1.0, -1.0):
            moved, kept = z.copy(), begin.memory[-1].copy()
            moved[j] += side * step
            kept[at] = moved[n:]
            start = Start(moved[:n], kept, first.mode, orbit.phase + inside)
            run = run_from(family, orbit.parameter, start, orbit.period)
            ends.append(np.concatenate([run.x[-1], run.memory[-1][at]]))
        columns.append((ends[0] - ends[1]) / (2.0 * step))
    return np.column_stack(columns)


@settings_of(max_examples=12, deadline=None, derandomize=True)
@given(
    st.tuples(
        st.floats(1.0, 4.0), st.floats(0.2, 1.5), st.floats(0.6, 2.0), st.floats(0.0, 0.3), st.floats(2.0, 6.0),
        st.floats(0.1, 0.3), st.sampled_from([0.3, 0.5, 5.0]), st.floats(0.4, 0.9),
    )
)  # fmt: skip
def test_random_orbits_are_motions_with_the_multipliers_of_the_whole_map(parameters):
    """Relay, slider and stop: what is reported returns in a plain run at a tenth of the tolerance, to 1e-6."""
    spring, between, drive, relay, hold, level, stop, restitution = parameters
    values = np.array([spring, between, drive, 1.2, relay, hold, level, stop, restitution])
    problem = replace(PROBLEM, parameters=values)
    family = Family(lambda _: problem, drive=lambda _: PERIOD)
    try:
        run = integrate(problem, [0.01, 0.0, 0.0, 0.0], 60 * PERIOD, method="verner65", rtol=1e-9, atol=1e-11)
        begin = Start(run.x[-1], run.memory[-1], run.mode[-1], float(run.t[-1]) % PERIOD)
        orbit = find_near(family, 0.0, begin, PERIOD)
    except (NoOrbit, IntegrationError):
        assume(False)
    assume(check(orbit).valid and not orbit.grazes)
    first, n = orbit.segments[0], 4
    memory = first.memory.copy()
    memory[orbit.family.at(0.0).memory_coordinates] = orbit.start[n:]
    plain = replace(problem, mode=first.mode, memory=memory)
    size = orbit.equations.scale[:n].max()
    again = integrate(
        plain, orbit.start[:n], orbit.phase + orbit.period, t_start=orbit.phase, method="verner65", rtol=1e-11,
        atol=1e-12, redo_events=True,
    )  # fmt: skip
    assert np.abs(again.x[-1] - orbit.start[:n]).max() < 1e-6 * size
    exact = np.sort(np.abs(orbit.multipliers))[::-1]
    rates = np.abs(orbit.crossing_rates).min(initial=np.inf)
    assume(exact.max(initial=0.0) < 3.0 and rates > 0.05 and orbit.durations.min() > 0.02)  # else differences fail
    known = np.sort(np.abs(np.linalg.eigvals(differenced(family, orbit, 2e-5))))[::-1]
    assert exact == pytest.approx(known[: exact.size], abs=2e-6)
