"""The chain wheelset - frame - carbody: on cones against an independent model, on profiles by its symmetries."""

from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.options import with_settings
from klingel.simulation.linear_critical_speed import linearised
from tests.model.passenger_car import linear_matrix

PART = """
[[parts]]
kind = "cooperrider_bogie"
at = "{at} m"
prefix = "{prefix}"
carrier = "carbody"
"""
CAR = (
    'name = "car"\n'
    + PART.format(at=7.5, prefix="leading")
    + PART.format(at=-7.5, prefix="trailing")
    + """
[bodies.carbody]
mass = "44388 kg"
inertia = ["2.8e5 kg m2", "5e5 kg m2", "5e5 kg m2"]
position = ["0 m", "0 m", "2.0918 m"]
free = ["y", "roll", "yaw"]
"""
)


def alike(ours, others):
    """Largest distance of an eigenvalue to its partner; each has one partner."""
    left, most = list(others), 0.0
    for value in ours:
        near = min(left, key=lambda other: abs(other - value))
        left.remove(near)
        most = max(most, abs(near - value) / max(1.0, abs(value)))
    return most


@pytest.mark.parametrize("speed", [20.0, 60.0, 120.0])
def test_car_on_cones_has_the_eigenvalues_of_an_independent_lateral_model(speed):
    ours = linearised(parse_vehicle(CAR), speed).eigenvalues()
    assert len(ours) == 34
    assert alike(ours, np.linalg.eigvals(linear_matrix(speed))) < 1e-6


def test_the_comparison_sees_a_lever_that_is_a_millimetre_off():
    ours = linearised(with_settings(parse_vehicle(CAR), ["leading.secondary.height=0.6594m"]), 60.0).eigenvalues()
    assert alike(ours, np.linalg.eigvals(linear_matrix(60.0))) > 1e-5


@pytest.mark.parametrize(
    ("damping", "speed", "digits"), [("0 Nms/rad", 65.290, 1e-3), ("500 Nms/rad", 65.308, 1e-3),
                                     ("500 kNms/rad", 97.675, 1e-3)]
)  # fmt: skip
def test_hopf_speed_of_a_bogie_under_a_held_body(damping, speed, digits):
    """From the fourteen equations written by hand; yaw spring 2.71 MNm/rad."""
    bogie = parse_vehicle(f'name = "b"\n{PART.format(at=0, prefix="leading")}'.replace('"carbody"', '"track"'))
    bogie = with_settings(bogie, [f"leading.pivot.damping={damping}"])
    found = kg.linear_critical_speed(bogie, slowest=50.0, fastest=120.0)
    assert found is not None
    assert found.speed == pytest.approx(speed, abs=digits)


@cache
def on_profiles(kick, rtol=1e-9):
    start = {"leading_front_wheelset.y": kick, "trailing_rear_wheelset.y": -0.5 * kick, "carbody.roll": 0.5 * kick}
    return kg.simulate(
        load_vehicle("bigoni"),
        kg.Track.straight(),
        60.0,
        1.0,
        start,
        rtol=rtol,
        atol=1e-2 * rtol,
        output_step=None,
    )


def test_car_on_profiles_has_sixty_six_equations():
    lin = linearised(load_vehicle("bigoni"), 40.0)
    assert len(lin.states) == 66
    assert lin.eigenvalues()[0].real < 0.0


def test_wheel_loads_are_the_static_ones():
    run = on_profiles(4e-3)
    wheels = [f"{b}_{a}_wheelset.{s}.Q" for b in ("leading", "trailing") for a in ("front", "rear")
              for s in ("left", "right")]  # fmt: skip
    weight = 9.81 * (44388.0 + 2 * 2918.9 + 4 * 1022.0)
    quiet = kg.simulate(load_vehicle("bigoni"), kg.Track.straight(), 60.0, 0.05)
    assert sum(float(quiet[name][0]) for name in wheels) == pytest.approx(weight, rel=1e-9)
    assert max(float(run[name].max()) for name in wheels) > 1.2 * weight / 8  # and the run is a lively one


def test_energy_balance_of_the_car_on_profiles():
    found = kg.energy_balance(on_profiles(4e-3))
    assert found.relative < 1e-6
    own = sum(np.ptp(found.work[part]) for part in ("gravity", "suspension"))
    assert np.abs(found.residual).max() < 2e-5 * own


def test_the_car_in_the_mirror():
    one, other = on_profiles(4e-3), on_profiles(-4e-3)
    times = np.linspace(0.0, 0.9, 50)
    across = ("leading_front_wheelset.y", "leading_frame.yaw", "carbody.roll")
    along = ("carbody.z", "trailing_frame.pitch", "trailing_rear_wheelset.z")
    for name, sign in ((name, -1.0 if name in across else 1.0) for name in (*across, *along)):
        ours = np.interp(times, one["time"], one[name])
        theirs = sign * np.interp(times, other["time"], other[name])
        np.testing.assert_allclose(ours, theirs, atol=1e-6 * max(1e-3, np.abs(ours).max()), err_msg=name)


def test_a_curve_of_infinite_radius_is_straight():
    start = {"leading_front_wheelset.y": 3e-3}
    tracks = [kg.Track.curve(radius, lead_in=2.0, transition=10.0, length=30.0) for radius in (1e9, 1e11)]
    straight = kg.simulate(load_vehicle("bigoni"), kg.Track.straight(), 40.0, 1.0, start, rtol=1e-8)
    apart = []
    for track in tracks:
        run = kg.simulate(load_vehicle("bigoni"), track, 40.0, 1.0, start, rtol=1e-8)
        names = ("leading_front_wheelset.y", "leading_frame.y", "carbody.y", "carbody.roll")
        apart.append(max(float(np.abs(run[n].to_numpy() - straight[n].to_numpy()).max()) for n in names))
    assert apart[0] < 2e-6  # unbalanced acceleration 1.6e-6 m/s2 on a body that sways at a quarter of a hertz
    assert apart[1] < 3e-8  # a hundred times flatter: down to the tolerance of the runs


@pytest.mark.parametrize(("radius", "cant", "speed"), [(1200.0, 0.1, 35.0), (-1500.0, 0.0, 30.0)])
def test_rails_carry_the_fictitious_and_weight_forces_of_a_curve(radius, cant, speed):
    """Sum of the wheel forces of a car that has come to rest in a canted curve: equations 5 and 6 of the paper.

    m (v^2 / R cos - g sin) across and m (g cos + v^2 / R sin) down, with the angle cant / 1.5 m. They take the car
    for one point; bogies 15 m apart have frames of their own, which is 3e-4 of the centrifugal force here.
    """
    car = load_vehicle("bigoni")
    track = kg.Track.curve(radius, cant=cant, length=np.inf)
    run = kg.simulate(car, track, speed, 16.0, distance=500.0, output_step=0.02)
    wheels = [name for name in run.variables if name.endswith((".left.Y", ".right.Y"))]
    late = slice(-200, None)  # a sway of the carbody: 4 s
    across = sum(run[name].to_numpy()[late].mean() for name in wheels)
    down = sum(run[f"{name[:-1]}Q"].to_numpy()[late].mean() for name in wheels)
    mass, angle, pull = sum(body.mass for body in car.bodies), np.copysign(cant / 1.5, radius), speed**2 / radius
    assert len(wheels) == 8
    assert across == pytest.approx(mass * (pull * np.cos(angle) - 9.81 * np.sin(angle)), rel=1e-3)
    assert down == pytest.approx(mass * (9.81 * np.cos(angle) + pull * np.sin(angle)), rel=1e-4)
