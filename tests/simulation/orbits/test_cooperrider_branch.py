"""Cooperrider's bogie: from the Hopf point over the fold onto the hunting cycle, in one call."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.orbits.orbit import Orbit
from klingel.numerics.integrate import integrate
from klingel.simulation.orbits.continue_orbit import continue_orbit
from klingel.simulation.orbits.result import load_branch

FRONT, REAR = "leading_front_wheelset.y", "leading_rear_wheelset.y"


@pytest.fixture(scope="module")
def followed():
    orbits: list[Orbit] = []
    branch = continue_orbit(kg.load_vehicle("cooperrider"), first=70.0, last=50.0, on_point=orbits.append)
    return branch, orbits


def test_hopf_and_fold(followed):
    branch, _ = followed
    (hopf,), (fold,) = branch.of_type("hopf"), branch.of_type("fold")
    assert hopf.parameter == pytest.approx(65.290, abs=5e-4)
    assert 1.0 / hopf.period == pytest.approx(3.809, abs=5e-4)
    assert fold.parameter == pytest.approx(63.62514874, abs=1e-7)
    assert branch.parameter[-1] > 70.0
    assert branch.ended == "reached the end of the range"


def test_flanges_touch_one_after_the_other(followed):
    branch, _ = followed
    borders = [(s.detail.split(".")[0], s.parameter) for s in branch.of_type("sequence")]
    assert [name for name, _ in borders[:2]] == ["leading_front_rails", "leading_rear_rails"]
    first = branch.of_type("sequence")[0]
    assert first.amplitude[FRONT] == pytest.approx(0.0091, abs=1e-9)
    second = branch.of_type("sequence")[1]
    assert second.amplitude[REAR] == pytest.approx(0.0091, abs=1e-9)


def test_unstable_below_the_fold_stable_above(followed):
    branch, _ = followed
    (fold,) = branch.of_type("fold")
    small = branch[f"{FRONT}.amplitude"].to_numpy() < fold.amplitude[FRONT]
    assert not branch.stable[small].any()
    assert branch.stable[~small].all()
    for k in range(branch.parameter.size):
        assert int(np.sum(np.abs(branch.multipliers(k)) > 1.0)) == (0 if branch.stable[k] else 1)


def test_time_shift_multiplier_is_one_on_every_orbit(followed):
    branch, _ = followed
    assert np.abs(branch["time_shift"].to_numpy()).max() < 1e-6


def test_every_orbit_returns_in_a_plain_run(followed):
    """Recomputed by `integrate`, with located events, at a tolerance ten times tighter."""
    _, orbits = followed
    for orbit in orbits:
        e = orbit.equations
        first = orbit.segments[0]
        problem = replace(orbit.family.at(orbit.parameter), mode=first.mode, memory=first.memory)
        run = integrate(
            problem, orbit.start, orbit.period, method="verner65", rtol=1e-11, atol=1e-11 * e.scale,
            redo_events=True,
        )  # fmt: skip
        assert np.abs((run.x[-1] - orbit.start) / e.scale).max() < 1e-6


def test_stored_and_read_again(followed, tmp_path):
    branch, _ = followed
    again = load_branch(branch.save(tmp_path / "branch.nc"))
    assert np.array_equal(again.parameter, branch.parameter)
    assert again.special == branch.special
    assert np.array_equal(again.multipliers(3), branch.multipliers(3))


def test_backwards_from_a_run(followed):
    """From the stable cycle down to the fold: the same fold, met from the other side."""
    branch, _ = followed
    vehicle = kg.load_vehicle("cooperrider")
    run = kg.simulate(vehicle, kg.Track.straight(), speed=66.0, duration=10.0, initial={FRONT: 0.012})
    down = continue_orbit(vehicle, first=66.0, last=63.0, start=run)
    assert down.stable[0]
    (fold,) = down.of_type("fold")
    assert fold.parameter == pytest.approx(branch.of_type("fold")[0].parameter, abs=1e-8)


def test_smooth_flange():
    """The same branch with rounded corners: no events, the fold 6 mm/s later; numbers also by AUTO-07p."""
    branch = continue_orbit(kg.load_vehicle("cooperrider_smooth"), first=70.0, last=50.0)
    (hopf,), (fold,) = branch.of_type("hopf"), branch.of_type("fold")
    assert hopf.parameter == pytest.approx(65.290, abs=5e-4)
    assert fold.parameter == pytest.approx(63.631062446, abs=1e-7)
    assert fold.period == pytest.approx(0.27458240048, abs=1e-9)
    assert np.abs(branch["time_shift"].to_numpy()).max() < 1e-6
    assert not branch["events"].any()


def test_orbits_grow_linearly_from_the_hopf_point(followed):
    """Creep saturates with the size of the slip, not with its square: no square root law."""
    branch, _ = followed
    (hopf,) = branch.of_type("hopf")
    size, away = branch[f"{FRONT}.amplitude"].to_numpy(), hopf.parameter - branch.parameter
    near = (size > 3e-4) & (size < 1.5e-3) & ~branch.stable
    ratio = size[near] / away[near]
    assert near.sum() >= 3
    assert np.ptp(ratio) < 0.1 * ratio.mean()  # a square root would change it by more than half


@pytest.mark.parametrize(
    ("name", "value", "hopf"),
    [("leading_frame.mass", 2500.0, None), ("leading_front_rails.flange.stiffness", 7.3e6, 65.2896)],
)
def test_variants(name, value, hopf):
    """Another value of the vehicle: another branch, with its own Hopf point; the flange does not move it."""
    from klingel.io.vehicle.options import with_property

    vehicle = with_property(kg.load_vehicle("cooperrider"), name, value)
    branch = continue_orbit(vehicle, first=70.0, last=60.0, points=6)
    (found,) = branch.of_type("hopf")
    assert found.parameter == pytest.approx(
        kg.linear_critical_speed(vehicle, slowest=60.0, fastest=70.0).speed if hopf is None else hopf, abs=1e-4
    )
    assert abs(branch.parameter[0] - found.parameter) < 0.1


def test_bad_input():
    vehicle = kg.load_vehicle("cooperrider")
    with pytest.raises(kg.InputError, match="straight"):
        continue_orbit(vehicle, kg.Track.curve(radius=500.0), first=70.0, last=50.0)
    with pytest.raises(kg.InputError, match="is no value of this vehicle"):
        continue_orbit(vehicle, first=1.0, last=2.0, parameter="leading_frame.colour", speed=60.0)
    with pytest.raises(kg.InputError, match="comes to rest"):
        continue_orbit(vehicle, first=40.0, last=45.0)
    with pytest.raises(kg.InputError, match="must differ"):
        continue_orbit(vehicle, first=70.0, last=70.0)
    with pytest.raises(kg.InputError, match="must be given when"):
        continue_orbit(vehicle, first=1.0, last=2.0, parameter="leading_frame.mass")
