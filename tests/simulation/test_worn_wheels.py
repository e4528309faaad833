"""Worn wheels in a vehicle: files with smoothing, unlike wheels, many sections, twenty profiles on three rails."""

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model.rolling_line import difference
from klingel.model.standing.balance import Balance, without_memory
from klingel.model.standing.equilibrium import RESIDUAL, find_rest
from klingel.model.standing.missing import what_is_missing
from klingel.simulation.setup import contact_sides, put_on_track
from klingel.vehicles.values import with_value
from tests.worn_profiles import TWENTY, Wear, worn_points

KICK = {"front_wheelset.y": 3e-3}


def written(folder, wear):
    path = folder / f"{wear.name}.txt"
    np.savetxt(path, 1e3 * worn_points(wear), fmt="%.5f")
    return path


def wagon_on(path, residual, right=""):
    vehicle = kg.load_vehicle("hbbills311")
    for name, value in (("profile", str(path)), ("profile_residual", residual), ("profile_right", right)):
        vehicle = with_value(vehicle, name, value)
    return vehicle


@pytest.mark.slow
def test_twenty_worn_wheels_run_on_three_inclinations(tmp_path):
    """Each gives finite numbers, or one line that says what to do; most must run."""
    ran, refused = 0, {}
    for wear in TWENTY:
        vehicle = wagon_on(written(tmp_path, wear), wear.noise or 1e-6)
        for inclination in (1 / 40, 1 / 30, 1 / 20):
            track = kg.Track.straight(inclination)
            try:
                run = kg.simulate(vehicle, track, 25.0, 5.0, KICK)
            except InputError as error:
                refused[wear.name, inclination] = str(error)
                continue
            ran += 1
            assert run.status == "done", (wear.name, inclination, run.status)
            for name in run.data:
                if str(name).endswith((".y", ".normal_force")) and "second" not in str(name):
                    assert np.isfinite(run.data[name]).all(), (wear.name, name)
            wheels = [f"{w}_wheelset.{s}" for w in ("front", "rear") for s in ("left", "right")]
            second = [f"{w}.second" for w in wheels if f"{w}.second.normal_force" in run.data]
            forces = [np.nan_to_num(run[f"{w}.normal_force"])[-200:] for w in (*wheels, *second)]
            weight = 9.81 * sum(body.mass for body in vehicle.bodies)
            assert np.sum(forces, axis=0).mean() == pytest.approx(weight, rel=0.05), (wear.name, inclination)
    assert ran + len(refused) == 3 * len(TWENTY)
    assert len(refused) <= 3, refused
    assert all("\n" not in line and "must" in line for line in refused.values())


def test_many_sections_run_and_have_names(tmp_path):
    """Noise that is hardly smoothed: more than ten sections, whose names are in the event log."""
    wear = Wear(noise=2e-5, seed=5)
    vehicle = wagon_on(written(tmp_path, wear), 1.4e-5)
    track = kg.Track.straight(1 / 40)
    compiled = put_on_track(vehicle, track, 20.0)
    states = compiled.layout.mode_types[compiled.layout.modes.index("front_wheelset.left")]
    assert len(states) > 2 * 10
    run = kg.simulate(vehicle, track, 20.0, 0.5, {"front_wheelset.y": 5e-3})
    assert run.status == "done"
    meanings = run.data["front_wheelset.left.mode"].attrs["flag_meanings"].split()
    assert meanings == [state.name for state in states]
    names = set(run.events[run.events["element"] == "front_wheelset.left"]["new"])
    assert names <= set(meanings)


def test_points_that_are_not_smoothed_are_refused_with_the_remedy(tmp_path):
    vehicle = wagon_on(written(tmp_path, Wear(noise=5e-5, seed=1)), 0.0)
    with pytest.raises(InputError, match="residual") as error:
        kg.simulate(vehicle, kg.Track.straight(), 20.0, 0.1)
    assert "\n" not in str(error.value)


def test_files_hold_smoothing_and_unlike_wheels(tmp_path):
    """Read, written and read again; names of files are found beside the vehicle file."""
    path = written(tmp_path, Wear(hollow=0.001))
    vehicle = kg.load_vehicle("hbbills311")
    assert "profile_residual = " not in to_toml(vehicle)
    text = to_toml(wagon_on(path.name, 2e-6, "S1002"))
    assert 'profile_right = "S1002"' in text
    read = parse_vehicle(text, folder=tmp_path)
    wheels = read.wheelsets[0]
    assert (wheels.profile, wheels.profile_right, wheels.profile_residual) == (str(path.resolve()), "S1002", 2e-6)
    assert parse_vehicle(to_toml(read)).wheelsets == read.wheelsets
    left, right = contact_sides(wheels, kg.Track.straight())
    new = contact_sides(vehicle.wheelsets[0], kg.Track.straight())
    assert not np.array_equal(left.bounds, new[0].bounds)
    assert right.coefficients.shape != left.coefficients.shape or not np.array_equal(
        right.bounds, -left.bounds[::-1]
    )


def test_a_hollow_wheel_beside_a_new_one_runs_off_the_middle(tmp_path):
    """The wheelset with unlike wheels moves to where both have the same rolling radius."""
    vehicle = wagon_on(written(tmp_path, Wear(hollow=0.0008)), 1e-6, "S1002")
    run = kg.simulate(vehicle, kg.Track.straight(1 / 40), 15.0, 2.0)
    assert run.status == "done"
    assert abs(run["front_wheelset.y"][-1]) > 1e-4


@pytest.mark.parametrize("inclination", [1 / 20, 1 / 30, 1 / 40])
def test_a_worn_wheel_beside_a_new_one_rests_where_it_does_not_steer(tmp_path, inclination):
    """No yaw moment is left; radii are equal there, or pass each other in the jump it rests on."""
    for hollow in (0.0003, 0.0008, 0.002):
        vehicle = wagon_on(written(tmp_path, Wear(hollow=hollow)), 1e-6, "S1002")
        compiled = put_on_track(vehicle, kg.Track.straight(inclination), 25.0)
        rest = find_rest(compiled)
        y = rest.x[compiled.layout.state("front_wheelset.y")]
        assert rest.residual < RESIDUAL
        apart = [difference(compiled, 0, y + d) for d in (-3e-4, 3e-4)]
        assert abs(y) > 1e-4
        assert min(apart) < 0.0 < max(apart), (hollow, y, apart)


def test_what_is_said_where_a_wheelset_steers_aside(tmp_path):
    unlike = wagon_on(written(tmp_path, Wear(hollow=0.0008)), 1e-6, "S1002")
    lines = []
    for vehicle in (unlike, kg.load_vehicle("hbbills311")):
        compiled = put_on_track(vehicle, kg.Track.straight(1 / 20), 25.0)
        state = np.zeros(len(compiled.layout.states)), np.zeros(compiled.memory_size), compiled.mode.copy()
        lines.append(str(what_is_missing(Balance(without_memory(compiled), *state))))
    assert "front_wheelset.yaw: must come to rest, but its wheels roll on radii that differ by 0.2" in lines[0]
    assert "equal at a shift of 2.7 mm only: it needs wheels that are more alike" in lines[0]
    assert "roll on radii" not in lines[1]


def test_negative_smoothing_is_refused():
    with pytest.raises(InputError, match="profile_residual"):
        with_value(kg.load_vehicle("hbbills311"), "front_wheelset.profile_residual", -1e-6)
    with pytest.raises(InputError, match="rail_residual"):
        kg.Track.straight(rail_residual=-1e-6)
