"""The link alone against closed forms: loop areas, the virgin curve, the decay of a free sway."""

from math import acos, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.dry_friction import Mode
from klingel.elements.link_sets import LINK_SETS, LinkLaw, link_law
from klingel.literature.links.link import (
    GRAVITY,
    Drive,
    backbone,
    loop_energy,
    restoring,
    shaken_link,
    shaken_path,
    slider_forces,
    swaying_mass,
)
from klingel.numerics.integrate import integrate

EXACT = {"rtol": 1e-11, "atol": 1e-14, "redo_events": True}
ALL = [(name, direction) for name in LINK_SETS for direction in "xy"]


@pytest.mark.parametrize(("name", "direction"), ALL)
@pytest.mark.parametrize("amplitude", [0.004, 0.03])
def test_energy_lost_per_cycle_is_the_closed_form(name, direction, amplitude):
    law = link_law(name, direction)
    run = integrate(shaken_link(law, amplitude), [0.0], 2.25, output_step=0.25, **EXACT)
    lost = run["work"][9] - run["work"][5]  # from one upper reversal to the next
    scale = law.rolling_stiffness * amplitude**2
    assert lost == pytest.approx(loop_energy(law, amplitude), abs=1e-9 * scale)


def test_first_loading_follows_the_backbone_and_the_loop_is_symmetric():
    law, amplitude = link_law("ASZ", "y"), 0.03
    run = integrate(shaken_link(law, amplitude), [0.0], 2.5, output_step=1 / 256, **EXACT)
    u = shaken_path(run.t, amplitude)
    force = restoring(u, run.memory)
    assert force[:65] == pytest.approx(backbone(law, u[:65]), abs=1e-10)
    assert force[64:192] == pytest.approx(-force[192:320], abs=1e-10)
    assert np.max(np.abs(slider_forces(law, u, run.memory, run.mode)), axis=0) == pytest.approx([0.04, 0.064])


def test_rolling_alone_loses_nothing():
    """Below the first break-out the loop is a line, and a free sway keeps its amplitude."""
    law = link_law("MP", "y")
    reach = min(limit / stiffness for stiffness, limit in law.sliders)
    run = integrate(swaying_mass(law, 0.9 * reach), [0.9 * reach, 0.0], 20.0, rtol=1e-10, atol=1e-15)
    assert len(run.events) == 0
    energy = run["speed"] ** 2 / GRAVITY + law.rolling_stiffness * run["displacement"] ** 2
    assert energy == pytest.approx(energy[0], rel=1e-7)


def _energy(law, run):
    u, v = run["displacement"], run["speed"]
    springs = [
        T**2 / k for (k, _), T in zip(law.sliders, slider_forces(law, u, run.memory, run.mode).T, strict=True)
    ]
    beyond = np.maximum(np.abs(u) - law.bracket_gap, 0.0)
    return 0.5 * (v**2 / GRAVITY + law.stiffness * u**2 + law.bracket_stiffness * beyond**2 + sum(springs))


@pytest.mark.parametrize(("name", "direction"), ALL)
def test_free_sway_only_loses_energy_and_ends_rolling(name, direction):
    law = link_law(name, direction)
    run = integrate(swaying_mass(law, 0.06), [0.06, 0.0], 30.0, rtol=1e-10, atol=1e-13)
    energy = _energy(law, run)
    assert np.all(np.diff(energy) <= 1e-10 * energy[0])
    slipping = np.any(run.mode[:, 1:] != Mode.STICK, axis=1)
    lost = -np.diff(energy)[~slipping[:-1] & ~slipping[1:]]
    assert np.max(np.abs(lost)) <= 1e-10 * energy[0]


def _next_peak(a, k, k1, limit):
    """Half a swing from the reversal at `a` with the slider at its limit, by the energy balance.

    The slider follows first 2 T/k1 elastically, then gives T all the way; at the far peak
    k (a^2 - b^2)/2 = T (a + b - 2 T/k1) as long as it slips at all (a + b > 2 T/k1).
    """
    roots = np.roots([0.5 * k, limit, limit * a - 2 * limit**2 / k1 - 0.5 * k * a * a])
    return float(np.max(roots))


def test_peaks_of_the_technical_pendulum_by_the_energy_balance():
    k, k1, limit = 3.406, 2.0, 0.004
    law = LinkLaw(k, ((k1, limit),))
    run = integrate(swaying_mass(law, 0.05), [0.05, 0.0], 20.0, rtol=1e-12, atol=1e-15, redo_events=True)
    turns = np.concatenate([run.events.of("slider_1.v_low"), run.events.of("slider_1.v_high")])
    peaks = np.abs(np.interp(np.sort(turns), run.t, run["displacement"]))
    expected = [0.05]
    while expected[-1] + _next_peak(expected[-1], k, k1, limit) > 2 * limit / k1 + 1e-6:
        expected.append(_next_peak(expected[-1], k, k1, limit))
    count = min(len(peaks), len(expected) - 1)
    assert count >= 10
    assert peaks[:count] == pytest.approx(expected[1 : count + 1], abs=1e-9)
    assert peaks[-1] >= limit / k1 - 1e-9  # what is left rolls for ever


def _exact_sway(law, start, times):
    """Event to event: in each mode u is a harmonic about the centre of an affine law; angles by acos."""
    (k1, limit), k = law.sliders[0], law.stiffness
    mode, anchor, u, v, t = "stick", start - limit / k1, start, 0.0, 0.0
    out, rest = [], list(times)
    while rest:
        slope = k + k1 if mode == "stick" else k
        force = {"stick": -k1 * anchor, "pos": limit, "neg": -limit}[mode]
        omega, centre = sqrt(GRAVITY * slope), -force / slope
        radius, phase = hypot(u - centre, v / omega), atan2(-v / omega, u - centre)
        if mode == "stick":  # the wall ahead is on the side the motion goes to
            wall, angle = None, 2 * pi
            for side in (-1, 1):
                reached = (anchor + side * limit / k1 - centre) / radius
                if abs(reached) < 1:
                    at = acos(reached) if side < 0 else -acos(reached)  # leaving downwards: sin > 0
                    ahead = (at - phase) % (2 * pi)
                    if 1e-9 < ahead < angle and (side < 0) == (sin(at) > 0):
                        wall, angle = side, ahead
        else:
            angle = ((0.0 if mode == "pos" else pi) - phase) % (2 * pi)
        end = t + angle / omega
        while rest and rest[0] <= end:
            out.append(centre + radius * cos(phase + omega * (rest.pop(0) - t)))
        u, v = centre + radius * cos(phase + angle), -radius * omega * sin(phase + angle)
        if mode == "stick" and wall is not None:
            mode = "pos" if wall > 0 else "neg"
        elif mode != "stick":
            anchor, v = u - (limit if mode == "pos" else -limit) / k1, 0.0
            mode = "stick"
        t = end
    return np.array(out)


@pytest.mark.parametrize("method", ["dopri54", "verner65", "esdirk34"])
def test_free_sway_against_the_exact_solution(method):
    law, start = LinkLaw(3.406, ((2.0, 0.004),)), 0.05
    run = integrate(swaying_mass(law, start), [start, 0.0], 15.0, method=method, output_step=0.05, **EXACT)
    assert run["displacement"] == pytest.approx(_exact_sway(law, start, run.t), abs=1e-8)


def test_driven_mass_balances_work_and_loss():
    law = LinkLaw(5.0, ((12.0, 0.012), (4.0, 0.016)), 5.0, 0.01)
    drive = Drive(0.045, 1.0, 24.0)
    run = integrate(swaying_mass(law, 0.0, drive), [0.0, 0.0], 20.0, rtol=1e-10, atol=1e-13, output_step=1e-3)
    last = slice(-1001, None)
    t, u, v = run.t[last], run["displacement"][last], run["speed"][last]
    power = drive.pull * (drive.amplitude * np.sin(2 * pi * t) - u) * v / GRAVITY
    assert np.ptp(u) > 0.02
    assert u[-1] == pytest.approx(u[0], abs=1e-6)  # settled
    assert np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t)) == pytest.approx(
        loop_energy(law, 0.5 * np.ptp(u)), rel=1e-4
    )


def test_amplitude_must_be_positive():
    with pytest.raises(InputError, match="amplitude"):
        shaken_link(link_law("PTP", "x"), 0.0)
