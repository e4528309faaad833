"""Parts: placed, named and joined; what stands at a place or under a name that is taken is refused."""

import numpy as np
import pytest

import klingel as kg
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.options import with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.registry import registered
from klingel.vehicles.values import value, values
from tests.vehicles.trolley import FILE, TROLLEY

TWO = """
name = "train"

[[parts]]
kind = "trolley"
at = "3 m"
prefix = "leading"
axle_mass = "1200 kg"
height = "0.9 m"
springs = "soft"
frame.mass = "2 t"
sources.frame = "weighed"

[[parts]]
kind = "trolley"
at = "-3 m"
prefix = "trailing"
axle_mass = "1200 kg"
height = "0.9 m"
springs = "stiff"
load = "stones"
frame.mass = "2 t"
loads.stones.mass = "3 t"

[connections.coupling]
inner = "trailing_frame"
outer = "leading_frame"
point = ["0 m", "0 m", "0.9 m"]

[elements.coupling.side]
law = "spring"
direction = "y"
stiffness = "1 kN/m"
"""


@pytest.fixture(autouse=True)
def _entry():
    with registered(TROLLEY):
        yield


def test_parts_have_their_place_names_parameters_and_sources():
    train = parse_vehicle(TWO)
    assert [body.name for body in train.bodies] == [
        "leading_axle", "leading_frame", "trailing_axle", "trailing_frame",
    ]  # fmt: skip
    assert [body.position[0] for body in train.bodies] == [3.0, 3.0, -3.0, -3.0]
    assert (value(train, "leading_left.point.x"), value(train, "trailing_left.up.stiffness")) == (3.0, 8e5)
    assert (value(train, "leading_frame.mass"), value(train, "trailing_frame.mass")) == (2e3, 5e3)
    assert train.sources == {"leading_frame.mass": "weighed"}
    assert value(with_settings(train, ["leading_frame.mass=3t"]), "leading_frame.mass") == 3e3


def test_the_expansion_reads_back():
    train = parse_vehicle(TWO)
    again = parse_vehicle(to_toml(train))
    assert (values(again), again.sources) == (values(train), train.sources)
    assert "parts" not in to_toml(train)


def test_uncoupled_parts_move_as_one_alone():
    """Nothing joins them, so each is the trolley of its own file."""
    text = TWO.partition("[connections")[0].replace('load = "stones"\n', "").replace('"stiff"', '"soft"')
    kick = {"leading_axle.y": 2e-3, "trailing_axle.y": 2e-3}
    train = kg.simulate(parse_vehicle(text), kg.Track.straight(), 10.0, 0.3, kick, rtol=1e-8)
    alone = kg.simulate(parse_vehicle(FILE), kg.Track.straight(), 10.0, 0.3, {"axle.y": 2e-3}, rtol=1e-8)
    for name in ("axle.y", "frame.y", "axle.yaw"):
        for prefix in ("leading", "trailing"):
            np.testing.assert_allclose(train[f"{prefix}_{name}"], alone[name], atol=2e-9)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"-3 m"', '"3 m"', "parts.trailing.at: must be another place: that of leading_axle is taken"),
        ('"trailing"', '"leading"', "parts.leading.prefix: must make names that are not taken, got leading_axle"),
        (
            'kind = "trolley"',
            'kind = "troley"',
            "parts.leading.kind: did you mean trolley? must be one of",
        ),
        ('prefix = "leading"\n', "", "parts 1.prefix: must be given, a word its names begin with"),
        ('at = "3 m"', 'at = "3 kg"', "parts 1.at: must be a length in m, mm, cm"),
        ('"1200 kg"', '"-1 kg"', "parts.leading.axle_mass: must be positive, got -1 kg"),
        ('"0.9 m"', '"9 m"', "parts.leading.height: must not be above 3 m: a trolley falls over"),
        ("axle_mass", "axel_mass", "parts.leading.axel_mass: is not a known key; did you mean axle_mass?"),
        ('load = "stones"', 'load = "stone"', "parts.trailing.load: did you mean stones? must be one of empty,"),
        ('"trailing_frame"', '"trailing_fram"', "coupling.inner: is no body; did you mean trailing_frame?"),
    ],
)
def test_bad_parts_get_one_line(old, new, line):
    with pytest.raises(FileError) as refused:
        parse_vehicle(TWO.replace(old, new, 1), "train.toml")
    assert str(refused.value).startswith(f"train.toml: {line}")
    assert "\n" not in str(refused.value)


def test_parts_that_are_no_tables():
    for text in ("parts = 3", "parts = [3]", "[[parts]]", "parts = [[]]"):
        with pytest.raises(FileError):
            parse_vehicle(f'name = "x"\n{text}\n')
