"""The drawing of a vehicle has its points where the description has them, whatever the vehicle."""

from dataclasses import replace

import pytest

import klingel as kg
from klingel.io.vehicle.files import library, parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model.description import Body
from klingel.vehicles.drawing import drawing, inertia_box
from klingel.vehicles.registry import drawing_of, registered
from klingel.vehicles.template import TEMPLATE
from tests.vehicles.trolley import FILE, TROLLEY


@pytest.mark.parametrize("name", library())
def test_every_body_point_wheel_and_element_is_there(name):
    vehicle = kg.load_vehicle(name)
    drawn = drawing_of(vehicle)
    assert {p.name: p.position for p in drawn.points} == {c.name: c.point for c in vehicle.connections}
    assert {p.name: p.position for p in drawn.centres} == {b.name: b.position for b in vehicle.bodies}
    assert [mark.name for mark in drawn.marks] == [element.name for element in vehicle.elements]
    wheeled = [wheels.body for wheels in (*vehicle.wheelsets, *vehicle.conical_wheelsets)]
    assert [wheel.name for wheel in drawn.wheels[::2]] == wheeled
    for wheel in drawn.wheels:  # stands on the rails
        assert wheel.centre[2] == pytest.approx(wheel.radius, abs=1e-3)
    assert {box.name for box in drawn.boxes} == {body.name for body in vehicle.bodies} - set(wheeled)
    assert drawing(parse_vehicle(to_toml(vehicle))) == drawn  # a full description is drawn the same


def test_the_inertia_box_is_the_box():
    mass, (l, w, h) = 1000.0, (16.0, 2.9, 2.4)
    inertia = tuple(mass / 12 * (a * a + b * b) for a, b in ((w, h), (l, h), (l, w)))
    box = inertia_box(Body("body", mass, inertia, (1.0, 0.0, 2.0), ("y",)))
    assert box is not None
    assert [b - a for a, b in zip(box.low, box.high, strict=True)] == pytest.approx([l, w, h])
    assert [0.5 * (a + b) for a, b in zip(box.low, box.high, strict=True)] == pytest.approx([1.0, 0.0, 2.0])
    assert inertia_box(Body("body", mass, (1.0, 1.0, 3.0), (0.0, 0.0, 0.0), ("y",))) is None  # no such body
    assert inertia_box(Body("body", mass, (1.0, 0.0, 1.0), (0.0, 0.0, 0.0), ("y",))) is None  # not given


def test_a_point_in_millimetres_stands_out():
    wagon = kg.load_vehicle("hbbills311")
    first, *others = wagon.connections
    wrong = replace(wagon, connections=(replace(first, point=(5000.0, 1.0, 0.46)), *others))
    low, high = drawing(wrong).extent()
    assert high[0] - low[0] > 100 * (drawing(wagon).extent()[1][0] - drawing(wagon).extent()[0][0])


def test_a_template_may_have_a_drawing_of_its_own():
    own = replace(TROLLEY, drawing=lambda vehicle: replace(drawing(vehicle), name="by hand"))
    with registered(own):
        vehicle = parse_vehicle(FILE)
        assert vehicle.meta[TEMPLATE] == "trolley"
        assert drawing_of(vehicle).name == "by hand"
