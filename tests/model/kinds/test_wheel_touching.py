"""Wheels that come down on their rails: fewer steps, the same motion."""

from dataclasses import replace

import numpy as np

import klingel as kg
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, LANES, Lane
from klingel.model.problem import Locate, vehicle_problem
from klingel.model.system import Head
from klingel.numerics.integrate import integrate
from klingel.simulation.integration import rest_of, start_from_rest
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import put_on_track

KICK = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": 5.5e-3, "front_wheelset.yaw": 3e-3}


def runs(rtol, duration):
    """With breaks and without, from flange to flange: rows of 10 ms."""
    compiled = put_on_track(kg.load_vehicle("hbbills311"), kg.Track.straight(1 / 40), 50.0)
    start = start_from_rest(compiled, rest_of(compiled), KICK, "bare")
    atol = Solving("dopri54", rtol).tolerance(compiled.layout.state_info)
    pair = []
    for without in ({}, {"breaks": None}):
        problem = replace(vehicle_problem(compiled, start.memory, start.mode, locate=Locate.NEEDED), **without)
        pair.append(integrate(problem, start.x, duration, rtol=rtol, atol=atol, output_step=0.01))
    return compiled, pair


def test_fewer_steps_in_a_second():
    compiled, (held, blind) = runs(1e-6, 1.0)
    assert held.stats.rejected < 0.8 * blind.stats.rejected
    assert held.stats.rhs < 0.92 * blind.stats.rhs
    i, f = compiled.system.i, compiled.system.f
    first = int(i[Head.LANES])
    lanes = f[first : first + BLOCK * int(i[Head.BLOCKS])].reshape(-1, Lane.SIZE, LANES)
    assert np.all(lanes[:, Lane.MOST] == 1.0)


def test_the_same_motion():
    """Before chaos sets in; both to the tolerance of many steps."""
    compiled, (held, blind) = runs(1e-7, 0.1)
    np.testing.assert_array_equal(held.events.guard, blind.events.guard)
    rates = int(compiled.system.i[Head.POSITIONS])
    np.testing.assert_allclose(held.x[-1, :rates], blind.x[-1, :rates], rtol=0.0, atol=1e-6)
    np.testing.assert_allclose(held.x[-1, rates:], blind.x[-1, rates:], rtol=0.0, atol=2e-4)


def test_tight_tolerances_go_without():
    """Steps are cut on interpolants of lower order than the steps have."""
    _, (held, blind) = runs(1e-9, 0.1)
    np.testing.assert_array_equal(held.x, blind.x)
