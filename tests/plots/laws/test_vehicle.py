"""The picture of a vehicle: every point of its drawing is named once, side by side or in the key."""

from dataclasses import replace

import pytest

import klingel as kg
from klingel.io.vehicle.files import library
from klingel.model.description import Body, Vehicle
from klingel.plots.catalogue import draw
from klingel.plots.laws.vehicle import ODD, shared
from klingel.vehicles.parts import Part, joined
from tests import many_axles
from tests.plots.layout import complaints, rendered


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


def test_a_point_10_m_off_is_ringed_and_told():
    wagon = kg.load_vehicle("hbbills311")
    first, *others = wagon.connections
    x, y, z = first.point
    fig = draw("vehicle", replace(wagon, connections=(replace(first, point=(x + 10.0, y, z)), *others)))
    assert "front left: 10 m ahead of front wheelset" in fig._suptitle.get_text()  # pyright: ignore
    side = fig.axes[0]
    assert side.get_xlim()[1] > x + 10.0  # inside the picture
    assert any(line.get_color() == ODD and line.get_xdata()[0] == x + 10.0 for line in side.lines)
    assert complaints(rendered(fig)) == []


def test_a_wrong_wheel_is_ringed_and_told():
    wagon = kg.load_vehicle("hbbills311")
    front, rear = wagon.wheelsets
    told = draw("vehicle", replace(wagon, wheelsets=(replace(front, radius=0.40), rear)))._suptitle  # pyright: ignore
    assert "its wheels end 60 mm above the rail tops" in told.get_text()
    assert "radius 0.4 m, other wheels have 0.46 m" in told.get_text()


@pytest.mark.parametrize("name", [*library(), 4, 8])
def test_a_sound_vehicle_has_no_rings(name):
    vehicle = kg.load_vehicle(name) if isinstance(name, str) else many_axles.vehicle(name)
    assert draw("vehicle", vehicle)._suptitle is None  # pyright: ignore
