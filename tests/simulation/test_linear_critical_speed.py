"""Hopf speeds of the classical models to every printed digit; what cannot be answered is refused."""

from math import pi

import pytest

from klingel._errors import InputError
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.linear_critical_speed import eigenvalues_over_speed, linear_critical_speed, linearised
from klingel.vehicles.values import value, with_value

WHEELSETS = ("leading_front_wheelset", "leading_rear_wheelset")


def changed(vehicle, settings):
    for name, new in settings.items():
        vehicle = with_value(vehicle, name, new)
    return vehicle


def on_both(field, new):
    return {f"{wheelset}.cone.{field}": new for wheelset in WHEELSETS}


def wheelbase(half):
    """Points of wheelsets, axle boxes and flanges moved to the new half wheelbase."""
    names = [f"{wheelset}.position.x" for wheelset in WHEELSETS]
    names += [f"leading_{end}_{what}.point.x" for end in ("front", "rear") for what in ("left", "right", "rails")]
    return {name: half if "front" in name else -half for name in names}


# variant -> settings, Hopf speed with three decimals as computed from the fourteen equations
VARIANTS = {
    "reference": ({}, 65.290),
    "creep stiffness from its factors": (on_both("creep_stiffness", 8.08e10 * pi * 6.578e-3 * 3.934e-3), 65.285),
    "weak yaw damper": ({"leading_pivot.yaw_spring.damping": 500.0}, 65.308),
    "yaw damper": ({"leading_pivot.yaw_spring.damping": 500e3}, 97.675),
    "b = 1.2 m": (wheelbase(1.2), 68.635),
    "b = 1.5 m": (wheelbase(1.5), 74.876),
    "psi and phi swapped": ({**on_both("psi", 0.60252), **on_both("phi", 0.54219)}, 68.644),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_hopf_speed_of_the_cooperrider_bogie(variant):
    settings, printed = VARIANTS[variant]
    found = linear_critical_speed(changed(load_vehicle("cooperrider"), settings), slowest=50.0, step=5.0)
    assert found is not None
    assert round(found.speed, 3) == printed


def test_mode_that_loses_its_damping():
    bogie = load_vehicle("cooperrider")
    found = linear_critical_speed(bogie, slowest=20.0, step=5.0)
    assert found is not None
    assert round(found.frequency, 3) == 3.809
    assert found.growth > 0.0
    assert max(abs(size) for name, size in found.mode.items() if not name.endswith("_dot")) == pytest.approx(1.0)
    below, above = eigenvalues_over_speed(bogie, [found.speed - 0.01, found.speed + 0.01])[:, 0].real
    assert below < 0.0 < above
    assert (above - below) / 0.02 == pytest.approx(found.growth, rel=1e-4)


# single wheelset: settings of each spring as a factor, half gauge, printed speed with two decimals
@pytest.mark.parametrize(
    ("factor", "half_gauge", "printed"), [(1.0, 0.716, 159.33), (0.5, 0.716, 112.61), (1.0, 0.75, 162.79)]
)
def test_hopf_speed_of_the_single_wheelset(factor, half_gauge, printed):
    wheelset = load_vehicle("single_wheelset")
    springs = [f"{side}.primary_{d}.stiffness" for side in ("left", "right") for d in "xy"]
    settings = {name: factor * float(value(wheelset, name)) for name in springs}
    found = linear_critical_speed(
        changed(wheelset, {**settings, "wheelset.cone.half_gauge": half_gauge}), slowest=80.0, step=5.0
    )
    assert found is not None
    assert round(found.speed, 2) == printed
    if factor == 1.0 and half_gauge == 0.716:
        assert round(found.frequency, 3) == 9.904


def test_no_crossing_and_bad_input():
    bogie = load_vehicle("cooperrider")
    assert linear_critical_speed(bogie, slowest=20.0, fastest=60.0, step=10.0) is None
    with pytest.raises(InputError, match="slowest: must be a speed at which rest is stable"):
        linear_critical_speed(bogie, slowest=80.0)
    with pytest.raises(InputError, match="fastest"):
        linear_critical_speed(bogie, slowest=50.0, fastest=40.0)
    with pytest.raises(InputError, match="step"):
        linear_critical_speed(bogie, step=0.0)
    with pytest.raises(InputError, match="speeds"):
        eigenvalues_over_speed(bogie, [])
    with pytest.raises(InputError, match="speed"):
        linearised(bogie, -1.0)


@pytest.mark.slow
def test_undamped_modes_of_a_stuck_wagon_are_not_its_critical_speed():
    """Wheelsets rolling against each other on their links are never damped; a lateral mode is lost first."""
    wagon = load_vehicle("hbbills311")
    neutral = linearised(wagon, 8.0).vibrations()
    assert abs(neutral.values[0].real) < 100.0 * neutral.errors[0]
    found = linear_critical_speed(wagon, slowest=8.0, fastest=20.0, step=2.0)
    assert found is not None
    assert found.growth > 1e-3
    assert abs(found.mode["front_wheelset.x"]) < 0.1 * abs(found.mode["front_wheelset.y"])
    before, after = (linearised(wagon, found.speed + dv).eigenvalues() for dv in (-0.01, 0.01))
    assert before[0].real < 1e-9 < 1e-4 < after[0].real
