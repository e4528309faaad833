"""Springs given as points, and the parts of a suspension that are made of laws which were there before."""

from math import pi, sqrt

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.spring import Spring
from klingel.elements.table_spring import TableSpring
from klingel.model.builder import compile_vehicle
from klingel.model.description import Body, Connection, Element, Vehicle
from klingel.model.kinds.slow_path import along
from klingel.model.linearise import linearise
from klingel.model.output import energies, outputs
from klingel.model.standing.equilibrium import find_rest
from tests.model.kinds.moving_ground import blocks

MASS = 2.0
TABLE = TableSpring(((-0.02, -60.0), (-0.005, -10.0), (0.01, 20.0), (0.03, 100.0)))


def hung(*elements: Element, free=("z",)):
    return blocks({"block": MASS}, {"foot": ("track", "block")}, *elements, free=free)


def test_force_along_the_table_and_beyond_its_ends():
    u = np.array([-0.05, -0.02, -0.01, 0.0, 0.01, 0.02, 0.05])
    beyond = [-60.0 - 0.03 * 50.0 / 0.015, 100.0 + 0.02 * 80.0 / 0.02]
    expected = [beyond[0], -60.0, -10.0 - 0.005 * 50.0 / 0.015, 0.0, 20.0, 60.0, beyond[1]]
    assert along(TABLE, u) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_a_block_swings_over_the_corners_in_the_time_of_the_closed_form():
    """Bilinear: half a period on k1 until the corner g, an arc on k2 beyond it."""
    k1, k2, g, v = 100.0, 900.0, 0.05, 1.0
    table = TableSpring(((-1.0, -k1), (g, k1 * g), (1.0, k1 * g + k2 * (1.0 - g))))
    group = (Spring(k1, 0.0, 0.0), DeadBand(-np.inf, g, k2 - k1))  # spring group with a gap: the same curve
    w1, w2 = sqrt(k1 / MASS), sqrt(k2 / MASS)
    up = np.arcsin(g * w1 / v) / w1  # to the corner
    rate, force = sqrt(v**2 - (g * w1) ** 2), k1 * g
    arc = (pi - 2.0 * np.arctan2(force / k2 * w2, rate)) / w2  # and back to it
    runs = []
    for parts in (
        [Element("foot.table", "foot", "z", table)],
        [Element(f"foot.part_{n}", "foot", "z", law) for n, law in enumerate(group)],
    ):
        rig = hung(*parts)
        run = rig.run({"block.z_dot": v}, 2.0 * up + arc + pi / w1 + 1e-9)
        assert np.unique(run.events.time) == pytest.approx([up, up + arc], abs=1e-9)
        assert run.x[-1] == pytest.approx([0.0, v], abs=1e-8)
        out = energies(rig.compiled, run.t, run.x, run.memory, run.mode)
        total = 0.5 * MASS * run.x[:, 1] ** 2 + out.stored.sum(axis=1)
        assert total == pytest.approx(np.full(run.t.size, total[0]), rel=1e-9)
        forces = outputs(rig.compiled, run.t, run.x, run.memory, run.mode).element.sum(axis=1)
        assert forces == pytest.approx(along(table, run.x[:, 0]), abs=1e-9)
        runs.append(run.x[-1])
    assert runs[0] == pytest.approx(runs[1], abs=1e-9)


def test_rest_and_linearisation_on_a_piece():
    body = Body("block", MASS, (1.0, 1.0, 1.0), (0.0, 0.0, 1.0), ("z",))
    link = Connection("foot", "block", "track", (0.0, 0.0, 1.0))  # pressed down, u grows
    vehicle = Vehicle("hung", (body,), (link,), (Element("foot.table", "foot", "z", TABLE),), (), 20.0)
    compiled = compile_vehicle(vehicle, {}, 1.0)
    rest = find_rest(compiled)
    assert rest.x[0] == pytest.approx(-0.015, abs=1e-12)  # 40 N, on the last piece
    assert linearise(compiled, rest).matrix[1, 0] == pytest.approx(-4000.0 / MASS, rel=1e-8)


def test_bad_tables_are_told_in_one_line():
    for points, text in (
        (((0.0, 0.0),), "points: must be 2 to 100 points"),
        (((0.0, 0.0), (0.0, 1.0)), "points: must have rising deformations"),
        (((0.0, 0.0), (1.0, np.inf)), "points: must be finite"),
    ):
        with pytest.raises(InputError, match=text):
            TableSpring(points)


def test_an_anti_roll_bar_is_a_spring_about_x_and_a_traction_rod_one_along_x():
    """Two bodies: roll with k = both springs at +-b and the bar, x with the rod alone."""
    inertia, half, spring, bar, rod = 5.0, 0.8, 300.0, 200.0, 700.0
    body = Body("body", MASS, (inertia, 1.0, 1.0), (0.0, 0.0, 0.0), ("x", "z", "roll"))
    links = [Connection(n, "track", "body", (0.0, y, 0.0)) for n, y in (("left", half), ("right", -half))]
    middle = Connection("middle", "track", "body", (0.0, 0.0, 0.0))
    parts = [Element(f"{n}.spring", n, "z", Spring(spring, 0.0, 0.0)) for n in ("left", "right")]
    parts += [Element("middle.bar", "middle", "roll", Spring(bar, 0.0, 0.0))]
    parts += [Element("middle.rod", "middle", "x", Spring(rod, 0.0, 0.0))]
    vehicle = Vehicle("body", (body,), (*links, middle), tuple(parts), (), 0.0)
    compiled = compile_vehicle(vehicle, {}, 1.0)
    linear = linearise(compiled, find_rest(compiled))
    found = sorted(abs(value.imag) for value in linear.eigenvalues() if value.imag > 0.0)
    expected = [sqrt(2.0 * spring / MASS), sqrt(rod / MASS), sqrt((2.0 * spring * half**2 + bar) / inertia)]
    assert found == pytest.approx(sorted(expected), rel=1e-8)
