"""A kick starts on the rails: wheel loads at the first instant, no lift-off; rules for what is named."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.contact.table.wheel_table import ROW, Row, evaluate
from klingel.elements.dry_friction import DryFriction
from klingel.model.description import Element
from klingel.model.output import Contact, Wheel, outputs
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.integration import start_from_rest
from klingel.simulation.setup import put_on_track
from tests.model.wagon import contact_tables

TRACK = kg.Track.straight(inclination=1 / 40)
HALF = 1.0  # where the leaf springs stand [m]
WAGONS = ("empty", "loaded")


def made(load):
    vehicle = kg.load_vehicle("hbbills311", load=load)
    model = put_on_track(vehicle, TRACK, 30.0)
    return vehicle, model, find_rest(model)


def row_of(model, start):
    return outputs(model, np.zeros(1), start.x[None], start.memory[None], start.mode[None])


def _arm(contacts):
    """Where the vertical force of a wheel acts, of one contact or two [m]."""
    up = np.nan_to_num(contacts[:, Contact.NORMAL] * np.sqrt(1.0 - contacts[:, Contact.ANGLE_SIN] ** 2))
    return (up * np.nan_to_num(contacts[:, Contact.WHEEL_Y])).sum() / up.sum()


def _height(model, start, wheel, contacts, table):
    """Of the lateral force of a wheel, of one contact or two, in the frame of the wheelset [m]."""
    state = dict(zip(model.layout.modes, start.mode.tolist(), strict=False))[wheel]
    y = start.x[model.layout.state(f"{model.layout.wheelset_of(wheel)}.y")]
    across, moment = 0.0, 0.0
    for part, contact in enumerate(contacts):
        if not np.isnan(contact[Contact.NORMAL]):
            here = np.zeros(ROW)
            assert evaluate(table, state // 2 + part, y, ROW, here)
            force = contact[Contact.CREEP_Y] * here[Row.COS] - contact[Contact.NORMAL] * here[Row.SIN]
            across, moment = across + force, moment + here[Row.WHEEL_Z] * force
    return moment / across


def quasi_static(vehicle, model, start, row, rest, inclination=1 / 40):
    """Vertical loads of the front wheels from balance alone: weight, leaf springs, lateral forces."""
    x = dict(zip(model.layout.states, start.x - rest.x, strict=True))
    stiffness = {e.connection: e.law for e in vehicle.elements if e.direction == "z"}
    loads = []
    for side, y in (("front_left", HALF), ("front_right", -HALF)):
        law, static = stiffness[side], model.statics.found[f"{side}.leaf"]
        rise = x["front_wheelset.z"] + y * x["front_wheelset.roll"]
        c = law.stiffness_second if static > law.stiffness * law.second_leaf else law.stiffness
        loads.append(static + c * rise)
    wheelset = vehicle.bodies[0]
    total = sum(loads) + wheelset.mass * vehicle.gravity
    # about x through the centre: leaf springs, and lateral forces where wheels and rails touch
    moment = HALF * (loads[0] - loads[1])
    for w, table in enumerate(contact_tables(inclination)):
        moment += row.wheel[0, w, Wheel.Y] * _height(
            model, start, model.layout.wheels[w], row.contact[0, w], table
        )
    left, right = (_arm(row.contact[0, w]) for w in (0, 1))
    q_left = (moment - right * total) / (left - right)
    return np.array([q_left, total - q_left])


@pytest.mark.parametrize("yaw", [0.0, 5e-3])
@pytest.mark.parametrize("load", WAGONS)
def test_wheel_loads_at_the_first_instant_and_no_lift_off(load, yaw):
    vehicle, model, rest = made(load)
    for y in (1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 6.25e-3):
        kick = {"front_wheelset.y": y, "front_wheelset.yaw": yaw}
        start = start_from_rest(model, rest, kick)
        row = row_of(model, start)
        here, expected = row.wheel[0, :2, Wheel.Q], quasi_static(vehicle, model, start, row, rest)
        assert np.abs(here / expected - 1.0).max() < 0.01, (y, here, expected)
        run = kg.simulate(vehicle, TRACK, 30.0, 0.05, kick, output_step=None)
        loads = np.array([run[f"front_wheelset.{side}.Q"].to_numpy() for side in ("left", "right")])
        print(f"{load} {1e3 * y:g} mm {1e3 * yaw:g} mrad: first {here / 1e3} kN, peak {loads.max() / 1e3:.1f} kN")
        assert loads.min() > 0.0
        assert loads.max() < 2.0 * row_of(model, rest).wheel[0, :, Wheel.Q].max()


@pytest.mark.parametrize("inclination", [20, 40])
@pytest.mark.parametrize("load", WAGONS)
def test_wheel_loads_at_the_first_instant_of_every_start_on_the_tread(load, inclination):
    """Up to where the flange takes over; beyond, rigid wheels say what the loads are (`test_let_go`)."""
    vehicle = kg.load_vehicle("hbbills311", load=load)
    model = put_on_track(vehicle, kg.Track.straight(inclination=1 / inclination), 30.0)
    rest = find_rest(model)
    held = 6.38e-3 if inclination == 20 else 6.25e-3
    for yaw in (-5e-3, 0.0, 2.5e-3, 5e-3):
        for y in [*np.arange(1e-3, 6e-3, 2.5e-4), *np.arange(6.05e-3, held, 5e-5), held]:
            start = start_from_rest(model, rest, {"front_wheelset.y": y, "front_wheelset.yaw": yaw})
            row = row_of(model, start)
            here = row.wheel[0, :2, Wheel.Q]
            expected = quasi_static(vehicle, model, start, row, rest, 1 / inclination)
            assert np.abs(here / expected - 1.0).max() < 0.005, (yaw, y, here, expected)


def test_speeds_follow_the_rails():
    """No damping force: the wheel points do not move along their contact normals."""
    _, model, rest = made("empty")
    still = start_from_rest(model, rest, {"front_wheelset.y": 4e-3})
    moving = start_from_rest(model, rest, {"front_wheelset.y": 4e-3, "front_wheelset.y_dot": 0.1})
    halted = moving.x.copy()
    halted[[model.layout.rate_of(f"front_wheelset.{c}") for c in ("y", "z", "roll")]] = 0.0
    starts = moving, moving._replace(x=halted)
    normal = [np.nansum(row_of(model, s).contact[0, :, :, Contact.NORMAL], axis=1) for s in starts]
    assert normal[0] == pytest.approx(normal[1], rel=1e-5)
    ahead = start_from_rest(model, rest, {"front_wheelset.y": 4e-3 + 1e-5})
    for coordinate in ("z", "roll"):
        name = f"front_wheelset.{coordinate}"
        slope = (ahead.x - still.x)[model.layout.state(name)] / 1e-5
        assert moving.x[model.layout.rate_of(name)] == pytest.approx(0.1 * slope, rel=0.05, abs=1e-5)


def test_what_is_named_is_taken_as_typed():
    _, model, rest = made("empty")
    kick = {"front_wheelset.y": 3e-3, "front_wheelset.roll": 1e-4}
    typed, bare = (start_from_rest(model, rest, kick, placing) for placing in ("rails", "bare"))
    assert (typed.x == bare.x).all()
    body = start_from_rest(model, rest, {"carbody.roll": 5e-3})
    assert (body.x != rest.x).sum() == 1


def test_sliders_are_unloaded_dragged_or_left():
    vehicle, model, rest = made("empty")
    kick = {"front_wheelset.y": 5e-3}
    force = {}
    for placing in ("rails", "dragged", "bare"):
        row = row_of(model, start_from_rest(model, rest, kick, placing))
        force[placing] = row.element[0, model.layout.slots["front_left.link_y.slider_1"]]
    law = next(e.law for e in vehicle.elements if e.name == "front_left.link_y.slider_1")
    assert abs(force["rails"]) < 1e-6
    assert force["dragged"] == pytest.approx(min(law.limit, law.stiffness * 5e-3), rel=0.02)
    assert force["bare"] == pytest.approx(law.stiffness * 5e-3, rel=1e-6)


def test_vertical_sliders_carry_nothing():
    """Held in y the wheelset has no acceleration in z and roll, with sliders that would carry half its load."""
    vehicle = kg.load_vehicle("hbbills311")
    more = tuple(
        Element(f"front_{side}.rub", f"front_{side}", "z", DryFriction(5e7, 2e4)) for side in ("left", "right")
    )
    model = put_on_track(replace(vehicle, elements=vehicle.elements + more), TRACK, 30.0)
    start = start_from_rest(model, find_rest(model), {"front_wheelset.y": 5e-3})
    row = row_of(model, start)
    assert np.abs(row.element[0, [model.layout.slots[e.name] for e in more]]).max() < 1e-6
    for coordinate in ("z", "roll"):
        assert abs(row.acceleration[0, model.layout.rate_of(f"front_wheelset.{coordinate}")]) < 1e-3


def test_a_shift_beyond_the_table_gets_one_line():
    _, model, rest = made("empty")
    with pytest.raises(InputError, match="initial: must leave every wheel on its rail"):
        start_from_rest(model, rest, {"front_wheelset.y": 0.08})
    with pytest.raises(InputError, match="placing: must be one of rails, dragged, bare"):
        kg.simulate(kg.load_vehicle("hbbills311"), TRACK, 30.0, 0.1, {"front_wheelset.y": 1e-3}, placing="air")


def test_cones_have_no_height():
    model = put_on_track(kg.load_vehicle("single_wheelset"), kg.Track.straight(), 30.0)
    rest = find_rest(model)
    start = start_from_rest(model, rest, {"wheelset.y": 2e-3})
    assert (start.x != rest.x).sum() == 1
