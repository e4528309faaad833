"""Orbits of a system with a relay, a friction slider that remembers its anchor, and a stop."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.find_orbit import Start, find_near, run_from
from klingel.analysis.orbits.validity import check
from klingel.numerics.integrate import integrate
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
