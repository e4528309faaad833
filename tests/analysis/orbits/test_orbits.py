"""Periodic orbits of small systems against closed forms and numbers computed by other means."""

import numpy as np
import pytest

from klingel.analysis.orbits.extremes import extremes
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, find_near
from klingel.analysis.orbits.validity import FROM_OUTSIDE, check
from klingel.numerics.integrate import integrate
from tests.analysis.orbits.small_systems import (
    BRUSSELATOR,
    HOPF_AND_FOLD,
    LINEAR,
    VAN_DER_POL,
    impact_oscillator,
    planar,
    start,
)


def settled(family, value: float, x, duration: float):
    run = integrate(family.at(value), x, duration, rtol=1e-9)
    return start(*run.x[-1])


@pytest.mark.parametrize(
    ("mu", "period", "largest", "log", "pieces"),
    [
        (0.1, 6.287111272289, 2.000103979873, -0.6291039210, 4),
        (1.0, 6.663286859323, 2.008619860875, -7.0589328088, 4),
        (2.0, 7.629874479675, 2.019891384667, -18.1786374792, 4),
        (5.0, 11.612230667720, 2.021508061562, -85.4520185449, 20),
        (10.0, 19.078369566939, 2.014285360926, -311.8442192862, 40),
    ],
)
def test_van_der_pol(mu, period, largest, log, pieces):
    """Multipliers as small as exp(-312) through the product form."""
    begin = settled(VAN_DER_POL, mu, [2.0, 0.0], 40.0)
    orbit = find_near(VAN_DER_POL, mu, begin, period, Settings(rtol=1e-12, pieces=pieces))
    assert orbit.period == pytest.approx(period, abs=2e-9)
    assert orbit.time_shift == pytest.approx(1.0, abs=1e-6)
    assert orbit.fine_floquet.logs == pytest.approx([log], rel=2e-7)
    assert extremes(orbit)[1][0] == pytest.approx(largest, abs=2e-7)  # of a cubic between rows
    assert orbit.stable


@pytest.mark.parametrize("stiffness", [0.5, 1.0, 3.0])
def test_forced_linear_has_no_time_shift_multiplier(stiffness):
    orbit = find_near(LINEAR, stiffness, start(0.1, 0.1), 2.0 * np.pi)
    below = stiffness**2 - 2.0 * stiffness + 2.0
    assert orbit.start == pytest.approx([(stiffness - 1.0) / below, 1.0 / below], abs=1e-9)
    exact = np.exp((-1.0 + np.array([1.0, -1.0]) * np.sqrt(complex(1.0 - 4.0 * stiffness))) * np.pi)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(np.sort_complex(exact), abs=1e-9)
    t, z, _ = orbit.nodes(40)
    norm = np.trapezoid(np.sum(z**2, axis=1), t)
    assert np.sqrt(norm) == pytest.approx(np.sqrt(2.0 * np.pi / below), rel=1e-4)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_stable_and_unstable_orbit_are_found_alike(sign):
    p1 = -0.2
    r = 0.5 * (1.0 + sign * np.sqrt(1.0 + 4.0 * p1))
    orbit = find_near(HOPF_AND_FOLD, p1, start(1.02 * np.sqrt(r), 0.0), 6.2)
    assert orbit.period == pytest.approx(2.0 * np.pi, abs=1e-9)
    assert float(orbit.start @ orbit.start) == pytest.approx(r, abs=1e-9)
    assert orbit.multipliers.real == pytest.approx([np.exp(2.0 * np.pi * (p1 + 3.0 * r - 5.0 * r**2))], rel=1e-8)
    assert orbit.stable == (sign > 0.0)


@pytest.mark.parametrize(
    ("b", "period", "multiplier", "least", "largest"),
    [
        (2.1, 6.32206566943, 0.5298829044, 0.709458877, 1.473120298),
        (2.5, 6.57728434190, 0.0318997379, 0.487652564, 2.506016275),
        (3.0, 7.15691992118, 2.516376e-4, 0.370552390, 3.751773911),
    ],
)
def test_brusselator(b, period, multiplier, least, largest):
    orbit = find_near(BRUSSELATOR, b, settled(BRUSSELATOR, b, [1.2, 2.0], 60.0), period)
    assert orbit.period == pytest.approx(period, abs=1e-9)
    assert orbit.multipliers.real == pytest.approx([multiplier], rel=1e-6)
    low, high = extremes(orbit)
    assert (low[0], high[0]) == pytest.approx((least, largest), abs=2e-6)  # of a cubic between rows


@pytest.mark.parametrize(
    ("alpha", "beta", "entering", "leaving", "period", "right", "multiplier"),
    [
        (1.0, 2.0, 1.934147003190, 1.021316191287, 4.810271605994, 1.668678952404, 0.0024305114),
        (1.0, 0.5, 0.583821306681, 0.970115433417, 5.574534498412, 2.432941844823, 0.0093108114),
        (1.0, 5.0, 4.905118551832, 1.035629758769, 4.199141383946, 1.057548730356, 0.0007481651),
        (2.0, 2.0, 1.998924266705, 1.022071982998, 5.012395340501, 1.870802686911, 0.0000401229),
    ],
)
def test_planar_orbit_of_two_segments(alpha, beta, entering, leaving, period, right, multiplier):
    orbit = find_near(planar(alpha), beta, start(-1.0, 0.2, mode=(0,)), period)
    assert len(orbit.segments) == 2
    assert orbit.period == pytest.approx(period, abs=1e-9)
    assert orbit.durations[0] == pytest.approx(right, abs=1e-9)
    assert abs(orbit.start[1]) == pytest.approx(leaving, abs=1e-9)
    e = orbit.equations
    second = e.unpack(orbit.unknowns)[0][e.owner.index(1)]
    assert second[1] == pytest.approx(entering, abs=1e-9)
    assert orbit.multipliers.real == pytest.approx([multiplier], abs=1e-9)
    assert orbit.time_shift == pytest.approx(1.0, abs=1e-7)
    assert check(orbit).valid


@pytest.mark.parametrize(
    ("amplitude", "speed", "phase", "multiplier"),
    [
        (1.0, 1.6957329375949, 0.075952164938312, -0.5842953143 + 0.005600351j),
        (0.5, 0.83701602319966, 0.17711235969066, -0.581165891 + 0.060651343j),
        (0.2, 0.29861285205633, 0.49924406726449, -0.5700236933 + 0.128473217j),
        (0.1055, 0.06141649807238, 1.2214205930191, -0.5031246379 + 0.297149755j),
        (0.1005, 0.021623651609085, 1.4439385442249, -0.3481372201 + 0.469289734j),
    ],
)
def test_impact_oscillator(amplitude, speed, phase, multiplier):
    """A wrong sign in the saltation matrix leaves speed, phase and determinant right; the multipliers show it."""
    family = impact_oscillator()
    orbit = find_near(family, amplitude, start(1.0, -0.8 * speed, mode=(0,), t=phase), 2.0 * np.pi)
    assert orbit.start[1] == pytest.approx(-0.8 * speed, abs=1e-9)
    assert orbit.phase % (2.0 * np.pi) == pytest.approx(phase, abs=1e-9)
    assert orbit.multipliers[0] == pytest.approx(multiplier, abs=5e-8, rel=2e-7)
    assert np.linalg.det(orbit.monodromy) == pytest.approx(0.64 * np.exp(-0.2 * np.pi), abs=1e-9)
    assert check(orbit).valid


def test_orbit_inside_its_stop_is_told():
    """The equations have a root on which the mass strikes from inside the wall."""
    family = impact_oscillator()
    orbit = find_near(family, 1.0, start(1.0, -0.8 * 1.6957, mode=(0,), t=0.075952), 2.0 * np.pi)
    other = orbit.equations.pack([np.array([1.0, 0.8 * 1.687509876307])] * 4, [2.0 * np.pi], 3.0172687635372, 1.0)
    flow = orbit.equations.flow(1.0)
    z, t, starts = np.array([1.0, 0.8 * 1.687509876307]), 3.0172687635372, []
    for k in range(4):
        starts.append(z)
        z = flow.end(t, 0.5 * np.pi, z, np.zeros(0), orbit.segments[0].mode, orbit.equations.meshes[k])
        t += 0.5 * np.pi
    other = orbit.equations.pack(starts, [2.0 * np.pi], 3.0172687635372, 1.0)
    found = type(orbit)(orbit.equations, other).corrected(1e-9)
    assert found.start[1] == pytest.approx(0.8 * 1.687509876307, abs=1e-8)
    verdict = check(found)
    assert not verdict.valid
    assert verdict.reason == FROM_OUTSIDE


def test_an_orbit_of_too_many_pieces_is_refused():
    """Before its matrix is made: 3000 pieces of two coordinates, and their durations."""
    with pytest.raises(NoOrbit, match="too many"):
        find_near(HOPF_AND_FOLD, -0.2, start(0.54, 0.0), 6.2, Settings(pieces=3000))
