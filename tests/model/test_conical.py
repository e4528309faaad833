"""The classical models on the engine: their equations come out to rounding, nothing else is added."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.elements.dead_band import Mode
from klingel.io.vehicle.files import load_vehicle
from klingel.model import assembly
from klingel.model.builder import compile_vehicle
from klingel.model.equilibrium import find_rest
from klingel.model.problem import displaced
from tests.model.cooperrider_equations import NAMES, bogie_accelerations, wheelset_accelerations

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
