"""Preloads found over all storeys, the four vehicles that once could not stand, a bogie wagon of 66 equations."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import klingel as kg
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import TRAPEZOIDAL
from klingel.elements.spring import Spring
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset
from klingel.model.output import Wheel, outputs
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.statics import static_loads, with_stated_preloads
from klingel.simulation.setup import put_on_track
from klingel.vehicles.values import value, with_value

G = 9.81
ON_RAILS, GUIDED = ("y", "z", "roll", "yaw", "spin"), ("y", "z", "roll", "pitch", "yaw")
TRACK = kg.Track.straight(inclination=1 / 40)
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "own-wagon.md"


PRIMARY, SECONDARY = Spring(1.2e6, 1e4), Spring(0.6e6, 3e4)


def bogie_wagon(shift=(0.0, 0.0), primary=PRIMARY, secondary=SECONDARY):
    """Carbody on two frames on two wheelsets each."""
    bodies = [Body("carbody", 30e3, (6e4, 1.2e6, 1.2e6), (*shift, 1.9), GUIDED)]
    connections, elements, wheelsets = [], [], []

    def pair(upper, lower, x, z, law):
        for side, y in (("left", 1.0), ("right", -1.0)):
            name = f"{lower}_{side}"
            connections.append(Connection(name, upper, lower, (x, y, z)))
            across = {"x": Spring(6e6, 1e4), "y": Spring(4e6, 1e4)}
            if lower.endswith("frame"):
                across = {"x": Spring(1.5e5, 5e3), "y": Spring(1.5e5, 1e4)}
            for direction, own in {**across, "z": law}.items():
                elements.append(Element(f"{name}.{direction}", name, direction, own))

    for bogie, at in (("leading", 6.0), ("trailing", -6.0)):
        frame = f"{bogie}_frame"
        bodies.append(Body(frame, 2600.0, (1700.0, 1500.0, 3000.0), (at, 0.0, 0.6), GUIDED))
        pair("carbody", frame, at, 0.9, secondary)
        for place, x in (("front", at + 0.9), ("rear", at - 0.9)):
            axle = f"{bogie}_{place}"
            bodies.append(Body(axle, 1500.0, (900.0, 90.0, 900.0), (x, 0.0, 0.46), ON_RAILS))
            wheelsets.append(Wheelset(axle))
            pair(frame, axle, x, 0.46, primary)
    return Vehicle("bogie_wagon", tuple(bodies), tuple(connections), tuple(elements), tuple(wheelsets))


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.9, 0.12)])
def test_bogie_wagon_of_66_equations_stands_and_runs_without_a_preload(shift):
    wagon = bogie_wagon(shift)
    assert 'preload = "found"' in to_toml(wagon)
    wagon = parse_vehicle(re.sub(r"preload = .*\n", "", to_toml(wagon)))
    model = put_on_track(wagon, TRACK, 25.0)
    assert len(model.layout.states) == 66
    rest = find_rest(model)
    found = model.statics.found
    xc, yc = shift
    for bogie, at in (("leading", 6.0), ("trailing", -6.0)):
        for side, y in (("left", 1.0), ("right", -1.0)):
            upper = 30e3 * G / 4 * (1.0 + xc * at / 36.0 + yc * y)
            assert found[f"{bogie}_frame_{side}.z"] == pytest.approx(upper, rel=1e-12)
            for place in ("front", "rear"):
                assert found[f"{bogie}_{place}_{side}.z"] == pytest.approx(0.5 * upper + 2600.0 * G / 4, rel=1e-12)
    row = outputs(model, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    axle = {name: row.wheel[0, 2 * k : 2 * k + 2, Wheel.Q].sum() for k, name in enumerate(model.layout.wheelsets)}
    for name, at in (("leading_front", 6.0), ("leading_rear", 6.0), ("trailing_front", -6.0)):
        by_hand = (30e3 * (0.25 + xc * at / 144.0) + 1300.0 + 1500.0) * G
        assert axle[name] == pytest.approx(by_hand, rel=1e-4)  # it sinks with the wheels, unevenly
    run = kg.simulate(wagon, TRACK, 25.0, 1.0, {"leading_front.y": 3e-3}, rtol=1e-5)
    assert run.status == "done"
    assert np.abs(run["carbody.z"].to_numpy()).max() < 2e-3


def stands(wagon):
    model = put_on_track(wagon, TRACK, 20.0)
    rest = find_rest(model)
    weight = sum(body.mass for body in wagon.bodies) * wagon.gravity
    row = outputs(model, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    assert row.wheel[0, :, Wheel.Q].sum() == pytest.approx(weight, rel=1e-9)
    return dict(zip(model.layout.states, rest.x, strict=True))


def test_carbody_over_frames_on_free_lengths():
    x = stands(bogie_wagon(primary=Spring(1.2e6, preload=0.0), secondary=Spring(0.6e6, preload=0.0)))
    frame = (30e3 / 2 + 2600.0) * G / (4 * 1.2e6)
    assert x["leading_frame.z"] == pytest.approx(-frame + x["leading_front.z"], abs=1e-6)
    assert x["carbody.z"] - x["leading_frame.z"] == pytest.approx(-30e3 * G / (4 * 0.6e6), abs=1e-6)


def test_soft_springs_sink_by_65_millimetres():
    soft = Spring(0.3e6, preload=0.0)
    x = stands(replace_mass(bogie_wagon(secondary=soft), 4 * 0.3e6 * 0.065 / G))
    assert x["leading_frame.z"] - x["carbody.z"] == pytest.approx(0.065, abs=1e-5)


def replace_mass(wagon, mass):
    return replace(wagon, bodies=(replace(wagon.bodies[0], mass=mass), *wagon.bodies[1:]))


def test_stiff_sliders_beside_soft_springs_are_unloaded():
    wagon = bogie_wagon(secondary=Spring(1e6, preload=0.0))
    sliders = tuple(
        Element(f"{c.name}.slider", c.name, "z", DryFriction(1e7, 5e3))
        for c in wagon.connections
        if c.inner == "carbody"
    )
    x = stands(replace(wagon, elements=wagon.elements + sliders))
    assert x["leading_frame.z"] - x["carbody.z"] == pytest.approx(30e3 * G / 4e6, abs=1e-6)


def test_the_wagon_of_the_page_with_its_load_off_centre(tmp_path):
    text = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[0]
    assert 'shift = ["0.1 m", "0 m"]' in text
    (tmp_path / "mine.toml").write_text(text.replace('shift = ["0.1 m", "0 m"]', 'shift = ["0.1 m", "50 mm"]'))
    stands(kg.load_vehicle(tmp_path / "mine.toml", load="full"))


def test_redundant_supports_share_by_stiffness():
    """A beam on three springs: least elastic energy is a plane of deflections."""
    places, stiffness = np.array([-2.0, 0.5, 2.0]), np.array([1e6, 4e6, 2e6])
    body = Body("beam", 1000.0, (1.0, 1.0, 1.0), (0.2, 0.0, 1.0), ("z", "pitch"))
    links = tuple(Connection(f"c{k}", "beam", "track", (x, 0.0, 0.5)) for k, x in enumerate(places))
    springs = tuple(Element(f"c{k}.z", f"c{k}", "z", Spring(float(s))) for k, s in enumerate(stiffness))
    force = np.array(list(static_loads(Vehicle("beam", (body,), links, springs, ())).found.values()))
    assert force.sum() == pytest.approx(1000.0 * G)
    assert force @ (places - 0.2) == pytest.approx(0.0, abs=1e-6)
    plane = np.polyfit(places, force / stiffness, 1)
    assert np.polyval(plane, places) == pytest.approx(force / stiffness, rel=1e-9)


def test_leaf_springs_carry_all_storeys():
    statics = static_loads(bogie_wagon(primary=TRAPEZOIDAL))
    assert statics.found["leading_front_left.z"] == pytest.approx((30e3 / 8 + 2600.0 / 4) * G)


def test_other_loads_sink_from_the_position_drawn():
    drawn = bogie_wagon()
    heavy = with_value(drawn, "carbody.mass", 50e3)
    assert value(drawn, "leading_frame_left.z.preload") == "found"
    assert value(heavy, "leading_frame_left.z.preload") == pytest.approx(30e3 * G / 4)
    x = stands(heavy)
    assert x["leading_frame.z"] - x["carbody.z"] == pytest.approx(20e3 * G / (4 * 0.6e6), rel=1e-3)
    stated = with_stated_preloads(drawn)
    assert static_loads(stated).found == {n: 0.0 for n in static_loads(stated).found}


def test_words_for_a_preload():
    text = to_toml(bogie_wagon())
    free = parse_vehicle(text.replace('preload = "found"', 'preload = "free length"'))
    assert value(free, "leading_frame_left.z.preload") == 0.0
    changed = with_value(free, "leading_frame_left.z.preload", "found")
    assert value(changed, "leading_frame_left.z.preload") == "found"
    assert value(with_value(changed, "leading_frame_left.z.preload", 5e3), "leading_frame_left.z.preload") == 5e3
