"""The classical models on the engine: their equations come out to rounding, nothing else is added."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.elements.dead_band import Mode
from klingel.io.vehicle.files import load_vehicle
from klingel.model import assembly
from klingel.model.builder import compile_vehicle
from klingel.model.problem import displaced
from klingel.model.standing.equilibrium import find_rest
from tests.model.cooperrider_equations import (
    NAMES,
    REFERENCE,
    bogie_accelerations,
    creep,
    wheelset_accelerations,
)

SIZES = np.array([8e-3, 3e-3, 8e-3, 3e-3, 5e-3, 3e-3, 3e-3])  # flange contact in about half of the states [m, rad]


def accelerations(vehicle, names, q, v, speed, t=0.0, acceleration=0.0):
    model = compile_vehicle(vehicle, {}, speed, acceleration)
    rest = find_rest(model)
    offsets = dict(zip((*names, *(f"{name}_dot" for name in names)), (*q, *v), strict=True))
    x, mode = displaced(model, rest, offsets)
    assembly.prepare(model.system, rest.memory, mode)
    dx = np.empty_like(x)
    assert assembly.rhs(t, x, rest.memory, mode, model.system, dx) == 0
    for name, rate in zip(names, v, strict=True):
        assert dx[model.layout.state(name)] == rate
    return np.array([dx[model.layout.state(f"{name}_dot")] for name in names]), mode


@pytest.mark.parametrize("speed", [10.0, 70.0, 150.0])
def test_the_fourteen_equations_to_rounding(speed):
    bogie, rng = load_vehicle("cooperrider"), np.random.default_rng(14)
    touching = 0
    for _ in range(30):
        q, v = rng.normal(size=7) * SIZES, rng.normal(size=7) * 0.1
        computed, mode = accelerations(bogie, NAMES, q, v, speed)
        expected = bogie_accelerations(q, v, speed)
        np.testing.assert_allclose(computed, expected, rtol=0, atol=2e-15 * np.abs(expected).max())
        touching += (mode != Mode.FREE).any()
    assert 5 < touching < 30


def test_the_four_equations_of_one_wheelset():
    wheelset, rng = load_vehicle("single_wheelset"), np.random.default_rng(4)
    for _ in range(30):
        q, v = rng.normal(size=2) * SIZES[:2], rng.normal(size=2) * 0.1
        computed, _ = accelerations(wheelset, ("wheelset.y", "wheelset.yaw"), q, v, 100.0)
        expected = wheelset_accelerations(q, v, 100.0)
        # forces of displacements and of rates may cancel: rounding is that of each alone
        alone = [wheelset_accelerations(q, 0 * v, 100.0), wheelset_accelerations(0 * q, v, 100.0)]
        np.testing.assert_allclose(computed, expected, rtol=0, atol=2e-15 * np.abs(alone).sum(axis=0).max())


def test_weight_adds_nothing():
    bogie, rng = load_vehicle("cooperrider"), np.random.default_rng(1)
    q, v = rng.normal(size=7) * SIZES, rng.normal(size=7) * 0.1
    heavy, _ = accelerations(replace(bogie, gravity=100.0), NAMES, q, v, 60.0)
    light, _ = accelerations(bogie, NAMES, q, v, 60.0)
    np.testing.assert_array_equal(heavy, light)


def test_creepages_belong_to_the_present_speed():
    bogie, rng = load_vehicle("cooperrider"), np.random.default_rng(2)
    q, v = rng.normal(size=7) * SIZES, rng.normal(size=7) * 0.1
    braking, _ = accelerations(bogie, NAMES, q, v, 80.0, t=4.0, acceleration=-5.0)
    np.testing.assert_allclose(braking, bogie_accelerations(q, v, 60.0), rtol=0, atol=1e-12)


def test_rest_is_found_without_vertical_freedom():
    model = compile_vehicle(load_vehicle("cooperrider"), {}, 50.0)
    rest = find_rest(model)
    assert rest.residual == 0.0
    assert not rest.x.any()
    assert len(model.layout.states) == 14
    assert model.layout.cones == ("leading_front_wheelset", "leading_rear_wheelset")


def truck_accelerations(q, v, speed):
    """The four equations of the rigid truck, written out: two axles b ahead of and behind the middle."""
    p, b = REFERENCE, 1.074
    (y, yaw), (y_dot, yaw_dot) = q, v
    force, moment = -2.0 * p.c2 * y_dot - 2.0 * p.k4 * y, -p.k6 * yaw
    for ahead in (b, -b):
        at, rate = y + ahead * yaw, y_dot + ahead * yaw_dot
        fx, fy = creep(p, at, yaw, rate, yaw_dot, speed)
        flange = p.k0 * (max(at - p.delta, 0.0) - max(-p.delta - at, 0.0))
        force -= 2.0 * fy + flange
        moment -= 2.0 * p.a * fx + ahead * (2.0 * fy + flange)
    return np.array([force / 4963.0, moment / 8135.0])


def test_the_four_equations_of_the_simple_truck():
    truck, rng = load_vehicle("simple_truck"), np.random.default_rng(7)
    for _ in range(30):
        q, v = rng.normal(size=2) * SIZES[:2], rng.normal(size=2) * 0.1
        computed, _ = accelerations(truck, ("truck.y", "truck.yaw"), q, v, 70.0)
        alone = [truck_accelerations(q, 0 * v, 70.0), truck_accelerations(0 * q, v, 70.0)]
        expected = truck_accelerations(q, v, 70.0)
        np.testing.assert_allclose(computed, expected, rtol=0, atol=4e-15 * np.abs(alone).sum(axis=0).max())


def test_rest_of_the_simple_truck_is_lost_where_its_equations_say():
    found = kg.linear_critical_speed(load_vehicle("simple_truck"), slowest=50.0, step=5.0)
    assert found is not None
    assert found.speed == pytest.approx(66.741, abs=1e-3)


def test_a_smooth_flange_changes_the_flange_alone():
    sharp, smooth, rng = load_vehicle("cooperrider"), load_vehicle("cooperrider_smooth"), np.random.default_rng(3)
    corner = 0.5 * 14.6e6 * 20e-6 * np.log(2.0) / 1022.0  # the largest difference of forces, on a wheelset
    for _ in range(20):
        q, v = rng.normal(size=7) * SIZES, rng.normal(size=7) * 0.1
        one, _ = accelerations(sharp, NAMES, q, v, 70.0)
        other, _ = accelerations(smooth, NAMES, q, v, 70.0)
        assert np.abs(other - one)[[0, 2]].max() <= corner * (1.0 + 1e-9)
        np.testing.assert_allclose(np.delete(other, [0, 2]), np.delete(one, [0, 2]), rtol=0, atol=1e-12)
