"""The picture of a vehicle: every point of its drawing is named once, side by side or in the key."""

from dataclasses import replace

import pytest

import klingel as kg
from klingel.model.description import Body, Vehicle
from klingel.plots.catalogue import draw
from klingel.plots.laws.vehicle import shared
from klingel.vehicles.parts import Part, joined


def bogies(count: int) -> Vehicle:
    """A body over some bogies of Cooperrider."""
    bogie = kg.load_vehicle("cooperrider")
    body = Body("carbody", 32e3, (5.7e4, 1.97e6, 1.97e6), (0.0, 0.0, 1.8), ("y",))
    rest = Vehicle(f"{2 * count} axles", (body,), (), (), ())
    return joined([Part(f"bogie{k}", 5.0 * (k - 0.5 * (count - 1)), bogie) for k in range(count)], rest)


def test_two_axles_have_their_names_beside_them():
    side, above = draw("vehicle", kg.load_vehicle("hbbills311")).axes
    assert {text.get_text() for text in above.texts} == {
        "front left", "front right", "rear left", "rear right", "front wheelset", "rear wheelset", "carbody",
    }  # fmt: skip
    assert {text.get_text() for text in side.texts} >= {"front left/right", "carbody"}
    assert [ax.get_aspect() for ax in (side, above)] == [1.0, 1.0]


@pytest.mark.parametrize("count", [2, 4])
def test_many_axles_have_a_key(count):
    vehicle = bogies(count)
    fig = draw("vehicle", vehicle)
    key = [text.get_text() for text in fig.axes[2].texts]
    names = [body.name for body in vehicle.bodies] + [connection.name for connection in vehicle.connections]
    assert key == [f"{number}  {name.replace('_', ' ')}" for number, name in enumerate(names, 1)]
    told = {number for ax in fig.axes[:2] for text in ax.texts for number in text.get_text().split(",")}
    assert told == {line.split()[0] for line in key}


def test_wheels_are_where_the_wheelsets_are():
    wagon = kg.load_vehicle("kbps")
    moved = replace(wagon, bodies=(replace(wagon.bodies[0], position=(9.0, 0.0, 0.43)), *wagon.bodies[1:]))
    side = draw("vehicle", moved).axes[0]
    circles = {patch.get_center() for patch in side.patches if hasattr(patch, "get_radius")}
    assert (9.0, 0.43) in circles


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["front_left", "front_right"], "front left/right"),
        (["carbody"], "carbody"),
        (["left", "right"], "left/right"),
        (["a_secondary_left", "a_pivot"], "a secondary left/pivot"),
    ],
)
def test_names_behind_each_other(names, text):
    assert shared(names) == text
