"""Starts on a flange: forces of a wheelset let go there, against rigid wheels on rigid rails computed apart."""

import numpy as np
import pytest

import klingel as kg
from klingel.contact.table.wheel_table import Row
from klingel.model.output import Contact, Wheel, outputs
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.let_go import _complementary
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import contact_sides, put_on_track
from tests.model.standing.rigid_wheelset import RigidWheelset
from tests.model.standing.test_standing import places

TRACK = kg.Track.straight(inclination=1 / 40)
WAGONS = ("empty", "loaded")
FOOT = 6.36e-3  # of the flange: here its contact begins to share the load with the tread [m]


class Case:
    def __init__(self, load, friction=0.3):
        vehicle = kg.with_value(kg.load_vehicle("hbbills311", load=load), "front_wheelset.friction", friction)
        self.model = put_on_track(vehicle, TRACK, 30.0)
        self.rest = find_rest(self.model)
        sides = contact_sides(vehicle.wheelsets[0], TRACK)
        self.rigid = RigidWheelset(vehicle, sides, places(self.model, self.rest.x), self.model.statics.found)
        self.moving = [self.model.layout.state(f"front_wheelset.{c}") for c in ("y", "z", "roll")]

    def start(self, y, yaw=0.0):
        start = start_from_rest(self.model, self.rest, {"front_wheelset.y": y, "front_wheelset.yaw": yaw})
        return start, outputs(self.model, np.zeros(1), start.x[None], start.memory[None], start.mode[None])

    def stiffness(self, start, row):
        """Of the left contact after Hertz, by the mass it feels [1/s2]."""
        place, contact = start.x[self.moving], row.contact[0, 0, 0]
        free = -(self.rigid.slopes(place) / self.rigid.mass) @ self.rigid.normals(place).T
        return 1.5 * contact[Contact.NORMAL] / contact[Contact.PENETRATION] * free[0, 0]

    def creep(self, place, yaw, row):
        """What the creep forces, taken as they are, do to y, z and roll."""
        total = np.zeros(3)
        for w in (0, 1):
            table, contact = self.rigid.row(w, place[0]), row.contact[0, w, self.rigid.part[w]]
            across, up = contact[Contact.CREEP_Y] * table[Row.COS], contact[Contact.CREEP_Y] * table[Row.SIN]
            turned = across + yaw * contact[Contact.CREEP_X] - place[2] * up, up + place[2] * across
            total += [*turned, table[Row.WHEEL_Y] * up - table[Row.WHEEL_Z] * across]
        return total


@pytest.mark.parametrize("yaw", [0.0, 5e-3])
@pytest.mark.parametrize("load", WAGONS)
def test_first_forces_are_those_of_rigid_wheels_let_go(load, yaw):
    case = Case(load)
    static = outputs(case.model, np.zeros(1), *(r[None] for r in (case.rest.x, case.rest.memory, case.rest.mode)))
    for y in (6.4e-3, 6.5e-3, 6.7e-3, 7e-3):
        start, row = case.start(y, yaw)
        place = start.x[case.moving]
        normal = row.contact[0, :2, 0, Contact.NORMAL]
        expected = case.rigid.let_go(place, case.creep(place, yaw, row))
        print(f"{load} {1e3 * y:g} mm {1e3 * yaw:g} mrad: first Q {row.wheel[0, :2, Wheel.Q] / 1e3} kN")
        assert np.abs(normal - expected).max() < 1e-3 * static.wheel[0, 0, Wheel.Q], (y, normal, expected)
        assert normal.min() > 0.0


@pytest.mark.parametrize("yaw", [0.0, 5e-3])
@pytest.mark.parametrize("load", WAGONS)
def test_in_the_overlap_a_wheelset_stands_on_its_flange_alone(load, yaw):
    """Held on both contacts it would squeeze the flange; rigid wheels have one there, the tread is open."""
    case = Case(load)
    case.rigid.part = [1, 0]
    static = outputs(case.model, np.zeros(1), *(r[None] for r in (case.rest.x, case.rest.memory, case.rest.mode)))
    heights = []
    for y in (6.32e-3, 6.33e-3, 6.34e-3, 6.35e-3):
        start, row = case.start(y, yaw)
        place = start.x[case.moving]
        assert row.contact[0, 0, 0, Contact.NORMAL] == 0.0
        assert row.contact[0, 0, 0, Contact.PENETRATION] < 0.0
        normal = row.contact[0, [0, 1], [1, 0], Contact.NORMAL]
        expected = case.rigid.let_go(place, case.creep(place, yaw, row))
        assert np.abs(normal - expected).max() < 1e-3 * static.wheel[0, 0, Wheel.Q], (y, normal, expected)
        heights.append(place[1])
    case.rigid.part = [0, 0]
    heights.append(case.start(6.36e-3, yaw)[0].x[case.moving[1]])
    rise = np.diff(heights)
    assert rise.min() > 0.0  # and on into the flange without a jump
    assert rise.max() < 1.5 * rise.min()


@pytest.mark.parametrize("load", WAGONS)
@pytest.mark.parametrize("y", [6.7e-3, 7e-3])
def test_a_wheelset_let_go_high_on_its_flange_leaves_it(load, y):
    """Rigid and frictionless the flange would have to pull: lift-off is no defect of the start.

    An elastic contact opens later than a rigid one, by no more than a quarter of its period.
    """
    case = Case(load, friction=1e-3)
    start, row = case.start(y)
    time, _, force = case.rigid.slide(start.x[case.moving], FOOT)
    assert force[0].min() > 0.0
    assert force[:, 0].min() < -0.3 * force[0, 0]
    lost = time[np.argmax(force[:, 0] < 0.0)]
    run = bare_run(case.model, start, 0.05, Solving(), None)
    normal = outputs(case.model, run.t, run.x, run.memory, run.mode).contact[:, 0, :, Contact.NORMAL]
    lifted = run.t[np.argmax(np.nansum(normal, axis=1) == 0.0)]
    at_foot = run.t[np.argmax(run.x[:, case.moving[0]] < FOOT)]
    quarter = 0.5 * np.pi / np.sqrt(case.stiffness(start, row))
    print(f"{load} {1e3 * y:g} mm: rigid wheels part at {1e3 * lost:.2f} ms, these at {1e3 * lifted:.2f} ms, "
          f"quarter of a period {1e3 * quarter:.2f} ms, at the foot after {1e3 * at_foot:.2f} ms")  # fmt: skip
    assert lost < lifted < lost + quarter
    assert lifted < at_foot


@pytest.mark.parametrize("load", WAGONS)
def test_forces_stay_near_the_first_ones(load):
    """A start with other forces than these swings at once: elastic contacts would ring at some hundred hertz."""
    case = Case(load)
    start, row = case.start(7e-3)
    run = bare_run(case.model, start, 2e-3, Solving(), None)
    normal = np.nansum(
        outputs(case.model, run.t, run.x, run.memory, run.mode).contact[:, :2, :, Contact.NORMAL], axis=2
    )
    assert np.ptp(normal, axis=0).max() < 0.15 * row.contact[0, :2, 0, Contact.NORMAL].max()


def test_complementarity_of_two_wheels():
    rng = np.random.default_rng(3)
    for _ in range(200):
        factor = rng.normal(size=(2, 2))
        matrix, at_zero = factor @ factor.T + 0.1 * np.eye(2), rng.normal(size=2)
        force = _complementary(matrix, at_zero)
        assert force is not None
        opening = matrix @ force + at_zero
        assert force.min() >= 0.0
        assert opening.min() > -2e-3
        assert abs(force @ opening) < 1e-9
