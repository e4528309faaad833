"""Identification gives back the law behind a record, with noise and a late accelerometer in it."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import link_law
from klingel.literature.links.identification import LinkMeasurement, SetUp, identify, restoring_force
from klingel.literature.links.link import GRAVITY
from klingel.literature.links.rig import SYNTHETIC_LAW, Rig, pendulum_record, rig_record

QUIET = Rig(displacement_noise=0.0, acceleration_noise=0.0, force_noise=0.0, sensor_frequency=1e4)


def test_perfect_sensors_give_the_law_back():
    """What remains is the smoothing of the displacement and the sampling."""
    found = identify(rig_record(rig=QUIET), sliders=2)
    assert found.delay == pytest.approx(QUIET.delay, abs=2e-5)
    assert found.gain == pytest.approx(1.0, abs=1e-4)
    assert found.law.stiffness == pytest.approx(5.0, rel=1e-3)
    assert found.law.bracket_stiffness == pytest.approx(5.0, rel=5e-3)
    assert np.array(found.law.sliders) == pytest.approx(np.array(SYNTHETIC_LAW.sliders), rel=0.01)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noisy_late_record_within_the_stated_accuracy(seed):
    """Stated in docs/theory: k 1 %, k_sb 3 %, k_i and T_0i 6 %, delay 0.5 ms."""
    found = identify(rig_record(seed=seed))
    assert found.delay == pytest.approx(Rig().delay, abs=5e-4)
    assert found.law.stiffness == pytest.approx(5.0, rel=0.01)
    assert found.law.bracket_stiffness == pytest.approx(5.0, rel=0.03)
    assert len(found.law.sliders) == 2
    assert np.array(found.law.sliders) == pytest.approx(np.array(SYNTHETIC_LAW.sliders), rel=0.06)
    noise = np.hypot(Rig().acceleration_noise / GRAVITY, Rig().force_noise / (Rig().mass * GRAVITY))
    assert found.fit.rms == pytest.approx(noise, rel=0.1)


def test_without_the_correction_the_loop_is_too_narrow():
    """A late acceleration takes pi A^2 omega^2 sin(omega tau) / g off the area of the loop (first harmonic)."""
    record = rig_record()
    found = identify(record)
    u, omega = found.displacement, 2 * np.pi
    cycle = slice(1000, 1201)
    closed = (found.restoring - found.restoring_raw)[cycle]
    area = np.sum(0.5 * (closed[1:] + closed[:-1]) * np.diff(u[cycle]))
    swing = np.max(u)
    assert area == pytest.approx(np.pi * (swing * omega) ** 2 * np.sin(omega * found.delay) / GRAVITY, rel=0.1)
    late = identify(record, delay=0.0)
    assert late.delay == 0.0
    assert abs(late.law.stiffness - 5.0) > 0.5
    assert late.fit.rms > 1.1 * found.fit.rms


def test_four_close_sliders_are_found_as_their_sum():
    law = link_law("MP", "y")
    found = identify(rig_record(law)).law
    assert found.stiffness == pytest.approx(law.stiffness, rel=0.01)
    assert found.breakout == pytest.approx(law.breakout, rel=0.02)
    assert found.rolling_stiffness == pytest.approx(law.rolling_stiffness, rel=0.1)


def test_swaying_pendulum_by_its_angle():
    law = link_law("PTP", "x")
    rig = replace(QUIET, sampling=400.0)
    found = identify(pendulum_record(law, 0.05, 0.18, rig), direction="x", sliders=4)
    assert found.delay == 0.0
    assert found.fit.rms < 1e-4
    assert found.law.stiffness == pytest.approx(law.stiffness, rel=0.02)
    assert found.law.breakout == pytest.approx(law.breakout, rel=0.02)


def test_equations_of_both_set_ups():
    t = np.linspace(0.0, 1.0, 5)
    m = LinkMeasurement(t, 0 * t, 0 * t, 0 * t, 100.0)
    driven = restoring_force(m, 0 * t, np.full(5, 2.0), np.full(5, 300.0), 10.0)
    assert driven == pytest.approx((300.0 - 200.0) / 1000.0)  # -(m eta - F) / (m g), (2.37)
    swaying = replace(m, setup=SetUp.PENDULUM, arm=0.5)
    gamma, phi = 0.3, np.arctan(0.1 / 0.5)
    eta = 10.0 * (np.tan(gamma) * np.cos(phi) - np.sin(phi))
    assert restoring_force(swaying, 0 * t + 0.1, 0 * t + eta, 0 * t, 10.0) == pytest.approx(np.tan(gamma))


def test_bracket_is_left_out_where_it_cannot_be_seen():
    record = rig_record(rig=replace(Rig(), motor_amplitude=0.015))
    found = identify(record)
    assert np.max(np.abs(record.displacement)) < 0.01
    assert found.law.bracket_stiffness == 0.0


def test_bad_requests_are_refused():
    record = rig_record(duration=4.0)
    with pytest.raises(InputError, match="direction"):
        identify(record, direction="z")
    short = replace(
        record, **{f: getattr(record, f)[:60] for f in ("time", "displacement", "acceleration", "force")}
    )
    with pytest.raises(InputError, match="record"):
        identify(short)
