"""Descriptions that are no vehicle: each defect is found and named, and only that one."""

from dataclasses import replace
from math import nan

import pytest

from klingel._errors import InputError
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.series_damper import SeriesDamper
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset
from klingel.vehicles.checks import check, problems
from klingel.vehicles.two_axle import two_axle
from tests.vehicles.test_two_axle import HBBILLS

WAGON = two_axle(HBBILLS)
CARBODY = WAGON.bodies[2]
LEAVES = tuple(element for element in WAGON.elements if element.direction == "z")


def with_body(**changes) -> Vehicle:
    return replace(WAGON, bodies=(*WAGON.bodies[:2], replace(CARBODY, **changes)))


def with_element(element: Element) -> Vehicle:
    return replace(WAGON, elements=(*WAGON.elements, element))


SPRING = Spring(1e3)
DAMPER = SeriesDamper(1e6, 1e4)
DEFECTS = {
    "too much friction": (
        replace(WAGON, wheelsets=(replace(WAGON.wheelsets[0], friction=30.0), *WAGON.wheelsets[1:])),
        ["front_wheelset.friction: must not be above 1"],
    ),
    "no wheels": (replace(WAGON, wheelsets=()), ["wheelsets: a vehicle needs wheels"]),
    "no bodies": (
        Vehicle("empty", (), (), (), ()),
        ["bodies: a vehicle needs", "wheelsets: a vehicle needs wheels"],
    ),
    "mass": (with_body(mass=0.0), ["carbody.mass: must be finite and positive"]),
    "not a number": (with_body(position=(0.0, nan, 1.5)), ["carbody.position: must be three finite lengths"]),
    "inertia": (with_body(inertia=(1.0, 0.0, 1.0)), ["carbody.inertia.y: must be finite and positive"]),
    "coordinate": (with_body(free=("z", "rol")), ["carbody.free: is no coordinate; did you mean roll?"]),
    "pitch and spin": (with_body(free=("z", "pitch", "spin")), ["carbody.free: must hold pitch or spin"]),
    "twice": (replace(WAGON, bodies=(*WAGON.bodies, CARBODY)), ["carbody: must be the name of one body only"]),
    "track": (
        replace(WAGON, bodies=(*WAGON.bodies, Body("track", 1.0, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), ("y",)))),
        ["track: stands for the track itself"],
    ),
    "unknown body": (
        replace(WAGON, connections=(*WAGON.connections, Connection("rod", "carbodi", "track", (0.0, 0.0, 0.0)))),
        ["rod.inner: is no body; did you mean carbody?"],
    ),
    "same body": (
        replace(WAGON, connections=(*WAGON.connections, Connection("rod", "carbody", "carbody", (0.0, 0.0, 0.0)))),
        ["rod.outer: must be another body than inner"],
    ),
    "unknown connection": (
        with_element(Element("rod.spring", "rod", "x", SPRING)),
        ["rod.spring.connection: is no connection"],
    ),
    "name of an element": (
        with_element(Element("rod.spring", "front_left", "x", SPRING)),
        ["rod.spring: must begin with its connection: front_left."],
    ),
    "direction": (
        with_element(Element("front_left.rod", "front_left", "up", SPRING)),
        ["front_left.rod.direction: is no direction"],
    ),
    "no law": (
        with_element(Element("front_left.rod", "front_left", "x", 3.0)),
        ["front_left.rod.law: must be one of"],
    ),
    "one direction only": (
        with_element(Element("front_left.rod", "front_left", "x", SPRING, also=("y",))),
        ["front_left.rod.direction: must be 1 direction, got 'x, y'"],
    ),
    "direction twice": (
        with_element(Element("front_left.damper", "front_left", "x", DAMPER, also=("x",))),
        ["front_left.damper.direction: must name each direction once"],
    ),
    "load": (
        with_element(Element("front_left.damper", "front_left", "x", DAMPER, load="front_left.up")),
        ["front_left.damper.load: is no connection and direction"],
    ),
    "friction without a load": (
        with_element(Element("front_left.face", "front_left", "x", RigidFriction(friction=0.3))),
        ["front_left.face.load: must name the connection and direction that presses on it"],
    ),
    "its own load": (
        with_element(Element("front_left.damper", "front_left", "x", DAMPER, load="front_left.x")),
        ["front_left.damper.load: must be another direction than its own"],
    ),
    "wheels of nothing": (
        replace(WAGON, wheelsets=(*WAGON.wheelsets, Wheelset("middle_wheelset"))),
        ["wheelsets.middle_wheelset: is no body"],
    ),
    "floating wheels": (
        replace(WAGON, wheelsets=(replace(WAGON.wheelsets[0], radius=0.4), WAGON.wheelsets[1])),
        ["front_wheelset.position.z: must be the wheel radius 0.4 m"],
    ),
    "nothing carries": (
        replace(WAGON, elements=tuple(element for element in WAGON.elements if element not in LEAVES)),
        ["carbody: may move in z but nothing carries it"],
    ),
    "gravity": (replace(WAGON, gravity=-9.81), ["gravity: must be finite and not negative"]),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defect_is_named(defect):
    vehicle, lines = DEFECTS[defect]
    found = [str(problem) for problem in problems(vehicle)]
    assert len(found) == len(lines)
    for text, line in zip(found, lines, strict=True):
        assert text.startswith(line)
    with pytest.raises(InputError):
        check(vehicle)


def test_a_single_suspended_wheelset_is_a_vehicle():
    wheelset = Body("wheelset", 1000.0, (600.0, 60.0, 600.0), (0.0, 0.0, 0.46), ("y", "z", "roll", "yaw", "spin"))
    vehicle = Vehicle(
        "wheelset",
        (wheelset,),
        (Connection("left", "track", "wheelset", (0.0, 1.0, 0.46)),),
        (Element("left.spring", "left", "y", SPRING), Element("left.yaw_spring", "left", "yaw", SPRING)),
        (Wheelset("wheelset"),),
    )
    assert check(vehicle) is vehicle
