"""Rates of positions are the velocities of the state, and those of velocities the accelerations of their bodies.

They are written in rows of four; what is left over at the end, velocities, is written one by one.
"""

import numpy as np
import pytest

import klingel as kg
from klingel.model import assembly
from klingel.model.description import COORDINATES
from klingel.model.layout import Moves
from klingel.model.problem import vehicle_problem
from klingel.model.system import Head, MotionField
from klingel.simulation.integration import rest_of
from klingel.simulation.setup import put_on_track
from tests.test_generality import ahead, axle, coupled


def train():
    wagon = kg.load_vehicle("kbps")
    return coupled(ahead(wagon, "one.", 0.0), ahead(wagon, "two.", -20.0))


VEHICLES = {
    "hbbills311": lambda: kg.load_vehicle("hbbills311"),
    "y25_wagon": lambda: kg.load_vehicle("y25_wagon"),
    "cooperrider": lambda: kg.load_vehicle("cooperrider"),
    "wheelset": axle,
    "train": train,
}


FULL_ROWS = ("hbbills311", "train")


@pytest.mark.parametrize("name", VEHICLES)
def test_rates_are_those_of_the_bodies(name):
    compiled = put_on_track(VEHICLES[name](), kg.Track.straight(), 20.0)
    rest = rest_of(compiled)
    x = rest.x.copy()
    names = compiled.layout.states
    rng = np.random.default_rng(1)
    for k, state in enumerate(names):
        x[k] += rng.uniform(-1e-4, 1e-4) if state.endswith("_dot") else 0.0
    vehicle_problem(compiled, rest.memory, rest.mode)
    dx = np.full_like(x, np.nan)
    assert assembly.rhs(0.0, x, rest.memory, rest.mode, compiled.system, dx) == 0
    assert np.isfinite(dx).all()
    moving = [(k, names.index(f"{state}_dot")) for k, state in enumerate(names) if f"{state}_dot" in names]
    positions, velocities = np.array(moving).T
    np.testing.assert_array_equal(dx[positions], x[velocities])
    assert len(positions) >= 5
    bodies = list(dict.fromkeys(s.owner for s in compiled.layout.state_info if s.moves == Moves.RATE))
    left_over = False
    for k, state in enumerate(compiled.layout.state_info):
        if state.moves != Moves.RATE:
            continue
        first = int(compiled.system.i[Head.MOTION]) + MotionField.SIZE * bodies.index(state.owner)
        if state.coordinate == "spin":
            place = MotionField.SPIN_RATE
        else:
            axis = COORDINATES.index(state.coordinate)
            place = MotionField.ACCELERATION + axis + axis // 3  # rows of three and a zero
        assert dx[k] == compiled.system.f[first + place], state.name
        left_over = k % 4 != 3
    assert left_over or name in FULL_ROWS
    assert np.count_nonzero(dx) > 0.5 * dx.size
