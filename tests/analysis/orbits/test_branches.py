"""Branches of orbits: folds, period doublings, grazings, where closed forms or other programs put them."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.extremes import extremes
from klingel.analysis.orbits.find_orbit import Settings, find_near
from klingel.analysis.orbits.special_points import FOLD, GRAZING, PERIOD_DOUBLING, SYMMETRY
from klingel.analysis.orbits.switching import switched
from klingel.analysis.orbits.validity import check
from klingel.numerics.integrate import integrate
from tests.analysis.orbits.small_systems import (
    BANG_BANG,
    DUFFING,
    HOPF_AND_FOLD,
    LURE,
    STICK_SLIP,
    impact_oscillator,
    start,
)

IMPACT_AT_DOUBLING = {  # speed before the impact, phase of the drive
    0.7: (0.1115656248, 0.089829179), 0.9: (0.7789417419, 0.081702688), 1.1: (6.7604231253, 0.058373437),
    2.1: (0.3754311119, 3.051488187), 2.5: (4.8589292341, 2.976039343),
}  # fmt: skip


def test_fold_of_the_normal_form():
    orbit = find_near(HOPF_AND_FOLD, -0.2, start(0.54, 0.0), 6.2)
    branch = follow(orbit, Range(-0.3, 0.1), Settings(parameter_scale=0.3), rising=False)
    (fold,) = branch.of_kind(FOLD)
    assert fold.parameter == pytest.approx(-0.25, abs=1e-10)
    assert float(fold.orbit.start @ fold.orbit.start) == pytest.approx(0.5, abs=1e-6)
    assert branch.orbits[-1].parameter > 0.1
    for found in branch.orbits:
        r = float(found.start @ found.start)
        assert found.parameter == pytest.approx(r**2 - r, abs=1e-8)
        assert found.time_shift == pytest.approx(1.0, abs=1e-6)


def test_folds_of_a_duffing_oscillator():
    period = 2.0 * np.pi / 1.03
    run = integrate(DUFFING.at(1.03), [0.0, 0.0], 60.0 * period, rtol=1e-8)
    orbit = find_near(DUFFING, 1.03, start(*run.x[-1]), period)
    branch = follow(orbit, Range(1.02, 1.07), Settings(parameter_scale=0.05), rising=True)
    first, second = (special.parameter for special in branch.of_kind(FOLD))
    assert first == pytest.approx(1.049262399236, abs=1e-8)
    assert second == pytest.approx(1.043913708797, abs=1e-8)


def test_period_doubling_of_a_lure_system():
    orbit = find_near(LURE, 0.8, start(0.5, 0.0, -0.4), 6.3)
    branch = follow(orbit, Range(0.6, 0.85), Settings(parameter_scale=0.3), rising=False)
    (doubling,) = branch.of_kind(PERIOD_DOUBLING)
    assert doubling.parameter == pytest.approx(0.6303020062, abs=1e-8)
    assert doubling.orbit.period == pytest.approx(6.364071339, abs=1e-7)
    assert np.sort(doubling.orbit.multipliers.real) == pytest.approx([-1.0, -0.0181101], abs=1e-6)


def test_fold_and_grazing_of_the_impact_oscillator_lie_apart():
    """3e-5 apart: the order along the branch is fold, then grazing at exactly 0.1."""
    family = impact_oscillator()
    orbit = find_near(family, 1.0, start(1.0, -0.8 * 1.6957, mode=(0,), t=0.07595), 2.0 * np.pi)
    branch = follow(orbit, Range(0.05, 1.1), Settings(), rising=False)
    assert [special.kind for special in branch.special] == [FOLD, GRAZING]
    fold, grazing = branch.special
    assert fold.parameter == pytest.approx(0.0999707536283133, abs=1e-11)
    assert fold.orbit.crossing_rates[0] == pytest.approx(-0.0041115306439451, abs=1e-7)
    assert grazing.parameter == pytest.approx(0.1, abs=1e-11)
    assert branch.ended.startswith("grazing")
    assert all(check(found).valid for found in branch.orbits)
    for found in branch.orbits:
        assert np.linalg.det(found.monodromy) == pytest.approx(0.341432378298306, abs=1e-8)
    for amplitude, speed, phase, multiplier in (
        (0.10001, 0.0088745039651461, 1.5185943923051, -0.0044894352 + 0.584304906j),
        (0.099975, 0.0056780991365771, 1.5373936712887, 0.3236211497 + 0.486520020j),
        (0.09999, 0.00077625978419704, 1.5662313276453, 12.12402531),
    ):
        way = np.sign(speed + fold.orbit.crossing_rates[0])  # farther from the fold: Newton does not go over it
        beyond = [o for o in branch.orbits if way * (-o.crossing_rates[0] - speed) > 0.0]
        near = min(beyond or branch.orbits, key=lambda o, v=speed: abs(o.crossing_rates[0] + v))
        orbit = replace(near, unknowns=np.append(near.unknowns[:-1], amplitude)).corrected(1e-10)
        assert -orbit.crossing_rates[0] == pytest.approx(speed, abs=1e-9)
        assert orbit.phase % (2.0 * np.pi) == pytest.approx(phase, abs=1e-8)
        assert orbit.multipliers[0] == pytest.approx(multiplier, abs=5e-7, rel=2e-6)


@pytest.mark.parametrize(
    ("omega", "amplitude", "speed", "phase", "doubling", "second"),
    [
        (0.7, 0.6, 0.3, 0.09, 0.526850214991, -0.26083037),
        (0.9, 0.8, 1.1, 0.08, 0.570728766513, -0.31840892),
        (1.1, 4.6, 7.4, 0.06, 4.244565574469, -0.36150270),
        (2.1, 3.55, 0.45, 3.03, 3.506188447846, -0.47450344),
        (2.5, 13.5, 4.9, 2.976, 12.829843287616, -0.49777131),
    ],
)
def test_period_doubling_of_the_impact_oscillator(omega, amplitude, speed, phase, doubling, second):
    family = impact_oscillator(omega)
    begin = start(1.0, -0.8 * speed, mode=(0,), t=phase / omega)
    orbit = find_near(family, amplitude, begin, 2.0 * np.pi / omega)
    within = Range(0.9 * doubling, 1.1 * amplitude)
    branch = follow(orbit, within, Settings(parameter_scale=amplitude), rising=False)
    (found,) = branch.of_kind(PERIOD_DOUBLING)
    assert found.parameter == pytest.approx(doubling, rel=1e-8)
    assert np.sort(found.orbit.multipliers.real) == pytest.approx([-1.0, second], abs=1e-6)
    speed, phase = IMPACT_AT_DOUBLING[omega]
    assert found.orbit.crossing_rates[0] == pytest.approx(-speed, abs=1e-7)
    assert found.orbit.phase * omega % (2.0 * np.pi) == pytest.approx(phase, abs=1e-7)


@pytest.mark.parametrize("omega", [0.7, 0.9, 1.0, 1.1, 2.1, 2.5])
def test_grazing_of_the_impact_oscillator_at_other_frequencies(omega):
    """The orbit that never strikes grazes at A = sqrt((1 - w^2)^2 + (0.1 w)^2) exactly."""
    exact = np.hypot(1.0 - omega**2, 0.1 * omega)
    settings = Settings(parameter_scale=exact)
    moved = 0.9 * exact / (1.0 - omega**2 + 0.1j * omega)
    begin = start(moved.real, (1j * omega * moved).real, mode=(0,))
    orbit = find_near(impact_oscillator(omega), 0.9 * exact, begin, 2.0 * np.pi / omega, settings)
    branch = follow(orbit, Range(0.5 * exact, 1.5 * exact), settings, rising=True)
    assert branch.of_kind(GRAZING)[0].parameter == pytest.approx(exact, abs=1e-9 * exact)


def test_symmetry_breaking_is_not_taken_for_a_fold():
    """A symmetric orbit that loses its symmetry has the multiplier +1 over its period, as at a fold."""
    begin = start(1.28180974, -12.38462995, mode=(0,))
    orbit = find_near(BANG_BANG, 1.3, begin, 2.0 * np.pi / 1.3, Settings(half=True))
    assert orbit.floquet.values[0] == pytest.approx(-0.14409948 + 0.77198872j, abs=1e-7)
    settings = Settings(parameter_scale=0.5, half=True)
    branch = follow(orbit, Range(0.8, 1.35), settings, rising=False)
    lost = branch.of_kind(SYMMETRY)
    assert [special.parameter for special in lost] == pytest.approx([1.07596791, 0.85439927], abs=1e-8)
    assert lost[0].orbit.floquet.values.real == pytest.approx([-1.0, -0.557687], abs=1e-6)
    assert branch.of_kind(FOLD)[0].parameter == pytest.approx(0.81948777, abs=1e-8)
    places = [(0.5435146, 0.0655880), (0.9589958, 7.9819265), (1.4989615, 11.6535566)]
    for special, place in zip([*lost, branch.of_kind(FOLD)[0]], places, strict=True):
        assert sorted(_at_the_start_of_the_negative_half(special.orbit)) == pytest.approx(sorted(place), abs=2e-6)

    other, along = switched(lost[0], settings)
    asymmetric = follow(other, Range(0.9, 1.1), Settings(parameter_scale=0.5), along)
    folds = [special.parameter for special in asymmetric.of_kind(FOLD)]
    assert folds == pytest.approx([1.01586320, 1.06409163], abs=1e-8)
    (doubling,) = asymmetric.of_kind(PERIOD_DOUBLING)
    assert doubling.parameter == pytest.approx(0.99131249, abs=1e-8)
    assert np.sort(doubling.orbit.multipliers.real) == pytest.approx([-1.0, -0.281492], abs=1e-6)


def _at_the_start_of_the_negative_half(orbit):
    """State where the push becomes negative; a half orbit that starts with the other push starts at its mirror."""
    return orbit.start if orbit.segments[0].mode[0] == 0 else -orbit.start


def test_asymmetric_orbits_join_both_symmetry_points():
    """From the other end, the same folds; the branch meets the symmetric one again, which is no fold."""
    begin = start(1.28180974, -12.38462995, mode=(0,))
    settings = Settings(parameter_scale=0.5, half=True)
    orbit = find_near(BANG_BANG, 1.3, begin, 2.0 * np.pi / 1.3, settings)
    lost = follow(orbit, Range(0.84, 1.35), settings, rising=False).of_kind(SYMMETRY)
    other, along = switched(lost[1], settings)
    asymmetric = follow(other, Range(0.8, 1.1), Settings(parameter_scale=0.5), along)
    folds = [special.parameter for special in asymmetric.of_kind(FOLD)]
    assert folds[:2] == pytest.approx([1.06409163, 1.01586320], abs=1e-8)
    assert asymmetric.of_kind(SYMMETRY)[0].parameter == pytest.approx(1.07596791, abs=1e-6)


def test_branch_of_doubled_period():
    """Beside the doubling the new orbit takes two periods of the drive, and is stable where the old one is not."""
    family, omega = impact_oscillator(0.9), 0.9
    begin = start(1.0, -0.8 * 1.1, mode=(0,), t=0.08 / omega)
    orbit = find_near(family, 0.8, begin, 2.0 * np.pi / omega)
    branch = follow(orbit, Range(0.5, 0.9), Settings(parameter_scale=0.8), rising=False)
    (doubling,) = branch.of_kind(PERIOD_DOUBLING)
    other, _ = switched(doubling, Settings(parameter_scale=0.8))
    assert other.period == pytest.approx(4.0 * np.pi / omega, abs=1e-9)
    assert len(other.segments) == 2
    assert abs(other.durations[0] - other.durations[1]) > 1e-3
    assert check(other).valid


def test_grazing_on_an_unstable_orbit():
    """No simulation finds this orbit: one of its multipliers is 1.43."""
    orbit = find_near(STICK_SLIP, 0.3, start(0.0, 0.05, 0.0, mode=(0,)), np.pi / 0.92)
    branch = follow(orbit, Range(0.2, 0.9), Settings(parameter_scale=0.5), rising=True)
    (grazing,) = branch.of_kind(GRAZING)
    assert grazing.parameter == pytest.approx(0.587516250415, abs=1e-9)
    values = np.sort(np.abs(grazing.orbit.multipliers))
    assert values == pytest.approx([np.exp(-np.pi / 0.92), 0.61035041, 1.42922317], abs=1e-6)
    low, high = extremes(grazing.orbit)
    assert (low[1], high[1]) == pytest.approx((0.251251, 0.5), abs=1e-6)
    t, z, _ = grazing.orbit.nodes(200)
    assert (0.92 * t[np.argmax(z[:, 1])]) % np.pi == pytest.approx(3.1320523485, abs=0.01)
