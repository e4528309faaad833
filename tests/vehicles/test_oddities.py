"""Mistakes in the geometry are found, and nothing is found where there is none."""

from dataclasses import replace

import pytest

import klingel as kg
from klingel.io.vehicle.files import library
from klingel.vehicles.oddities import oddities
from tests import many_axles


@pytest.mark.parametrize("name", [*library(), 4, 8])
def test_sound_vehicles(name):
    assert oddities(kg.load_vehicle(name) if isinstance(name, str) else many_axles.vehicle(name)) == []


@pytest.mark.parametrize(
    ("axis", "by", "text"),
    [
        (0, 10.0, "10.9 m ahead of leading frame"),
        (0, -10.0, "10 m behind leading front wheelset"),
        (1, 5.0, "6 m to the left of leading frame"),
        (2, 4.0, "4 m above leading front wheelset"),
    ],
)
def test_a_point_far_from_its_body(axis, by, text):
    vehicle = many_axles.vehicle(4)
    first, *others = vehicle.connections
    point = tuple(value + (by if k == axis else 0.0) for k, value in enumerate(first.point))
    found = oddities(replace(vehicle, connections=(replace(first, point=point), *others)))
    assert f"leading front left: {text}" in [one.text for one in found]
    assert {one.position for one in found} == {point}


def test_a_wrong_sign_leaves_points_alone():
    vehicle = many_axles.vehicle(8)
    first, *others = vehicle.connections
    x, y, z = first.point
    found = oddities(replace(vehicle, connections=(replace(first, point=(x, -y, z)), *others)))
    assert [one.text.split(": ")[0] for one in found] == ["bogie1 front left", "bogie1 front right"]
    assert all("nothing at the same place on the other side" in one.text for one in found)


def test_a_wheel_off_the_rails_and_one_of_another_size():
    vehicle = many_axles.vehicle(8)
    first, *others = vehicle.wheelsets
    found = oddities(replace(vehicle, wheelsets=(replace(first, radius=0.47), *others)))
    assert [one.text for one in found] == [
        "bogie1 front wheelset: its wheels end 10 mm below the rail tops",
        "bogie1 front wheelset: radius 0.47 m, other wheels have 0.46 m",
    ]
