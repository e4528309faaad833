"""Dry friction under a drive: continuous sliding in closed form, where sticking begins, orbits that stick."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import Settings, Start, find_near
from klingel.analysis.orbits.special_points import SEQUENCE
from klingel.analysis.orbits.validity import AT_ONCE, check
from klingel.numerics.integrate import integrate
from tests.analysis.orbits.small_systems import _rubbed_guards, rubbed

ONSET = 0.722679194438  # of sticking, static friction as kinetic: closed form, 12 digits
SETTINGS = Settings(parameter_scale=0.3, half=True)


def closed_form(omega: float) -> tuple[float, float]:
    """Largest displacement and phase of the drive there, of the symmetric orbit that never sticks.

    Half a period with friction +1 is linear: (X, 0) goes to (-X, 0) under 1.5 cos(omega t + phi).
    """
    matrix, half = np.array([[0.0, 1.0], [-1.0, -0.1]]), np.pi / omega
    carried = expm(matrix * half)
    gain = np.linalg.inv(1j * omega * np.eye(2) - matrix) @ np.array([0.0, 1.5])  # response to exp(i omega t)
    # (X, 0) = (1, 0) + p + k, and -(X, 0) = (1, 0) - p + carried k, with p = Re(gain exp(i phi))
    rest = np.linalg.solve(np.eye(2) + carried, carried - np.eye(2)) @ np.array([1.0, 0.0])
    size, turn = abs(gain[1]), np.angle(gain[1])
    options = []
    for sign in (1.0, -1.0):
        phi = sign * np.arccos(np.clip(-rest[1] / size, -1.0, 1.0)) - turn
        options.append((float(rest[0] + (gain[0] * np.exp(1j * phi)).real), float(phi)))
    return max(options)


@pytest.fixture(scope="module")
def branch(sliding):
    return follow(sliding, Range(0.65, 0.95), SETTINGS, rising=False)


@pytest.fixture(scope="module")
def sliding():
    family, omega = rubbed(), 0.9
    run = integrate(family.at(omega), [0.5, 0.1], 40.0 * 2.0 * np.pi / omega, rtol=1e-9)
    begin = Start(run.x[-1], run.memory[-1], run.mode[-1], float(run.t[-1]) % (2.0 * np.pi / omega))
    return find_near(family, omega, begin, 2.0 * np.pi / omega, SETTINGS)


def phase_of(orbit) -> float:
    """Of the drive at the largest displacement, from -pi to pi; the orbit starts there, or at its mirror image."""
    turned = orbit.parameter * orbit.phase + (0.0 if orbit.start[0] > 0.0 else np.pi)
    return (turned + np.pi) % (2.0 * np.pi) - np.pi


def test_continuous_sliding(sliding):
    """X, phi and driving force at the turning point, also by the closed form."""
    assert abs(sliding.start[0]) == pytest.approx(2.4202363506, abs=1e-9)
    phi = phase_of(sliding)
    assert -1.5 * np.cos(phi) + abs(sliding.start[0]) == pytest.approx(1.9238109947, abs=1e-9)
    assert phi - np.pi * np.sign(phi) == pytest.approx(-1.9081067069, abs=1e-9)
    assert abs(sliding.start[0]) == pytest.approx(closed_form(0.9)[0], abs=1e-9)
    assert check(sliding).valid
    turned = (1.9238109947 - 1.0) / (1.9238109947 + 1.0)  # rates after and before the turning point
    exact = turned * np.exp(-0.1 * np.pi / 0.9)
    assert np.prod(sliding.floquet.values).real == pytest.approx(exact, rel=1e-8)


def test_sticking_begins_where_the_closed_form_says(branch):
    """The mass turns and is no longer pulled away: located, and the branch goes on with orbits that stick."""
    (onset,) = branch.of_kind(SEQUENCE)
    assert onset.parameter == pytest.approx(ONSET, abs=1e-11)
    assert abs(onset.orbit.start[0]) == pytest.approx(2.012072953, abs=1e-8)
    assert branch.ended == "reached the end of the range"
    sticking = [orbit for orbit in branch.orbits if orbit.parameter < onset.parameter]
    assert all(2 in {int(s.mode[0]) for s in orbit.segments} for orbit in sticking)
    assert all(len(orbit.segments) == 1 for orbit in branch.orbits if orbit.parameter > onset.parameter)
    for orbit in sticking[:: max(len(sticking) // 4, 1)]:  # at rest a velocity is lost, and where it was
        assert np.abs(orbit.multipliers[-1]) == 0.0
        problem = orbit.family.at(orbit.parameter)
        plain = replace(problem, mode=orbit.segments[0].mode)
        run = integrate(
            plain, orbit.start, orbit.phase + orbit.period, t_start=orbit.phase, rtol=1e-11, atol=1e-12,
            method="verner65", redo_events=True,
        )  # fmt: skip
        assert np.abs(run.x[-1] - orbit.start).max() < 1e-6 * abs(orbit.start[0])


def test_turning_where_it_would_be_driven_back_is_no_motion(branch):
    """The equations of the sliding orbit have solutions beyond the onset; none of them is a motion."""
    orbit = min((o for o in branch.orbits if len(o.segments) == 1), key=lambda o: o.parameter)
    beyond = replace(orbit, unknowns=np.append(orbit.unknowns[:-1], 0.722)).corrected(1e-9)
    assert check(orbit).valid
    verdict = check(beyond)
    assert not verdict.valid
    assert verdict.reason == AT_ONCE or "guard turn is violated" in verdict.reason
    assert min(entry.rate for entry in verdict.entries) < 0.0 < min(e.rate for e in check(orbit).entries)


@pytest.mark.parametrize("static", [1.0, 1.1])
def test_rest_is_a_set(static):
    """Without a drive the mass rests wherever the spring does not beat friction: width 2 eta."""
    inside, outside = 0.999 * static, 1.001 * static
    margins = np.zeros(3)
    problem = rubbed(static).at(1.0)
    for displaced, holds in ((inside, True), (-inside, True), (outside, False), (-outside, False)):
        x = np.array([displaced + 1.5, 0.0])  # at t = 0 the drive pulls by 1.5
        _rubbed_guards(0.0, x, problem.memory, np.array([2], np.int8), problem.parameters, margins)
        assert bool(np.all(margins[1:] > 0.0)) == holds
