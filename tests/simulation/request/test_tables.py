"""Requests as TOML and JSON: everything comes back, quantities may have units, mistakes have a place."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import klingel as kg
from klingel.simulation.request.parts import Outputs, Solving, Starting, StoredState, TrackChoice, VehicleChoice
from klingel.simulation.request.request import OPTIONS, PARTS

positive = st.floats(1e-9, 1e6)
finite = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
offsets = st.dictionaries(words, finite, max_size=4)
WAGON = kg.load_vehicle("g69", links="SPP")
CURVE = kg.Track.curve(600.0, cant=0.1, gauge=1.434)


@st.composite
def states(draw):
    x, mode = draw(st.lists(finite, max_size=4)), draw(st.lists(st.integers(-5, 5), max_size=3))
    return StoredState(
        tuple(draw(st.lists(words, min_size=len(x), max_size=len(x)))),
        tuple(draw(st.lists(words, min_size=len(mode), max_size=len(mode)))),
        tuple(x),
        tuple(draw(st.lists(st.floats(allow_nan=False), max_size=3))),  # a wall may be at infinity
        tuple(mode),
        draw(st.none() | finite),
        draw(words),
    )


vehicles = st.just(WAGON) | st.builds(
    VehicleChoice,
    words,
    st.fixed_dictionaries(
        {},
        optional={
            "links": words,
            "load": words,
            "height": finite,
            "shift": st.tuples(finite, finite),
            "friction": finite | st.dictionaries(words, finite, max_size=2),
        },
    ),
    st.dictionaries(words, finite | words, max_size=3),
)
tracks = (
    st.just(CURVE)
    | st.builds(TrackChoice, words)
    | st.builds(kg.Track.straight, st.floats(0.0, 0.1), gauge=st.floats(1.4, 1.45))
)
requests = st.builds(
    kg.RunRequest,
    vehicles,
    tracks,
    speed=st.floats(1e-9, 1000.0),
    duration=st.floats(1e-6, 1e3),
    acceleration=st.floats(0.0, 100.0),
    distance=st.none() | finite,
    start=st.builds(Starting, offsets | states() | words, offsets, st.sampled_from(["rest", "loading"])),
    solving=st.builds(
        Solving,
        st.sampled_from(["auto", "dopri54", "dopri54+ros34pw2"]),
        st.floats(1e-12, 0.01),
        st.none() | positive | st.lists(positive, min_size=1, max_size=5).map(tuple),
        st.integers(1, 10**12),
    ),
    outputs=st.builds(Outputs, st.none() | st.floats(1e-3, 10.0)),
)


@settings(max_examples=60, deadline=None)
@given(asked=requests)
def test_round_trip(asked):
    for again in (
        kg.RunRequest.from_toml(asked.to_toml()),
        kg.RunRequest.from_json(asked.to_json()),
        kg.RunRequest.from_dict(asked.as_dict()),
    ):
        assert again == asked
        assert (again.start, again.solving, again.outputs) == (asked.start, asked.solving, asked.outputs)
        for name in ("speed", "duration", "acceleration", "distance"):
            assert getattr(again, name) == getattr(asked, name)
        if isinstance(asked.vehicle, VehicleChoice):
            assert again.vehicle == asked.vehicle
    json.loads(asked.to_json(), parse_constant=pytest.fail)  # no NaN, no Infinity


def test_names_of_options_are_unique():
    """Or `changed` could not tell them apart."""
    parts = sum(len(part.__dataclass_fields__) for part in (kg.RunRequest, *PARTS.values()))
    assert len(OPTIONS) == parts


def test_descriptions_give_back_every_number():
    asked = kg.RunRequest(WAGON, CURVE, speed=20.0, duration=1.0)
    again = kg.RunRequest.from_toml(asked.to_toml())
    for name in ("bodies", "connections", "elements", "wheelsets", "gravity"):
        assert getattr(again.read_vehicle(), name) == getattr(WAGON, name)
    assert again.read_track() == CURVE


TEXT = """
speed = "108 km/h"
duration = "2 min"
acceleration = "0.1 m/s2"
distance = "1 km"
[vehicle]
name = "g69"
options = {links = "SPP", height = "1900 mm"}
changes = {"carbody.mass" = "11 t"}
[track]
inclination = "1/20"
[start]
initial = {"front_wheelset.y" = "5 mm", "rear_wheelset.yaw_dot" = "1 rad/s", "carbody.roll" = "1 deg"}
sliders = {"*.link_y" = "2 mm"}
[solving]
rtol = "1/1000"
[outputs]
output_step = "5 ms"
"""


def test_quantities_may_have_units():
    asked = kg.RunRequest.from_toml(TEXT)
    assert (asked.speed, asked.duration, asked.distance) == (pytest.approx(30.0), 120.0, 1000.0)
    assert asked.start.initial["carbody.roll"] == pytest.approx(0.0174533, abs=1e-7)
    assert asked.start.sliders == {"*.link_y": 2e-3}
    assert (asked.solving.rtol, asked.outputs.output_step) == (1e-3, 5e-3)
    assert asked.read_track().inclination == 1 / 20
    assert next(b.mass for b in asked.read_vehicle().bodies if b.name == "carbody") == 11e3
    assert kg.RunRequest.from_toml(TEXT.replace('"5 ms"', '"every step"')).outputs.output_step is None


def test_files_are_looked_for_beside_the_request(tmp_path):
    from klingel.io.track.toml import save_track
    from klingel.io.vehicle.toml import to_toml

    save_track(CURVE, tmp_path / "curve.toml")
    (tmp_path / "mine.toml").write_text(to_toml(WAGON))
    (tmp_path / "request.toml").write_text(
        'vehicle = "mine.toml"\ntrack = "curve.toml"\nspeed = 20\nduration = 1\nstart.run = "before.nc"\n'
    )
    asked = kg.RunRequest.load(tmp_path / "request.toml")
    assert asked.read_vehicle().bodies == WAGON.bodies
    assert asked.read_track() == CURVE
    assert asked.start.initial == "before.nc"  # is not there


HEAD = 'vehicle = "g69"\nspeed = 20\nduration = 1\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("speed = 20\nduration = 1", "vehicle: must be given"),
        ('vehicle = "g69"\nduration = 1', 'speed: must be given, like 45.0 or "160 km/h"'),
        ('vehicle = "g69"\nspeed = 1', "duration: must be given"),
        ('vehicle = "g69"\nspeed = "5 kg"\nduration = 1', "speed: must be a speed in m/s, mm/s, km/h, got 5 kg"),
        ("vehicle = 5\nspeed = 20\nduration = 1", "vehicle: must be the name of a vehicle, or a table"),
        ("vehicle = {}\nspeed = 20\nduration = 1", "vehicle: must have a name, or a description"),
        ("vehicle.name = 3\nspeed = 20\nduration = 1", "vehicle.name: must be a vehicle of the library"),
        ("vehicle.nmae = 3\nspeed = 20\nduration = 1", "vehicle.nmae: is not a known key; did you mean name?"),
        ("vehicle.description = 3\nspeed = 20\nduration = 1", "vehicle.description: must be a table, or the text"),
        (f"{HEAD}sped = 3", "sped: is not a known key; did you mean speed?"),
        (f"{HEAD}track = 3", "track: must be a track file, or a table as in one"),
        (f"{HEAD}track.gauge = '3 m'", "track.gauge: must lie between 0.5 m and 2 m"),
        (f"{HEAD}solving = 3", "solving: must be a table"),
        (f"{HEAD}solving.rtoll = 3", "solving.rtoll: is not a known key; did you mean rtol?"),
        (f"{HEAD}outputs.output_step = '3 kg'", "outputs.output_step: must be a time in s"),
        (f"{HEAD}start.initial = 3", "initial: must be a table of values by name"),
        (f"{HEAD}start.initial = {{'carbody.yaw' = '5 mm'}}", "initial.carbody.yaw: must be an angle"),
        (f"{HEAD}start.run = 3", "start.run: must be the file of a run"),
        (
            f"{HEAD}start = {{run = 'a.nc', initial = {{}}}}",
            "start.run: must not be given together with start",
        ),
        (f"{HEAD}start.state = 3", "start.state: must be a table"),
        (f"{HEAD}start.state = {{x = [1.0]}}", "start.state.states: must be given"),
        (f"{HEAD}speed = 3", "end of document: is not valid TOML"),
    ],
)
def test_mistakes_are_told_by_their_place(text, line):
    with pytest.raises(kg.InputError, match=f"^mine.toml: {line}"):
        kg.RunRequest.from_toml(text, "mine.toml")


def test_bad_json_is_one_line():
    with pytest.raises(kg.InputError, match=r"^request: request: is not valid JSON"):
        kg.RunRequest.from_json("{")
    with pytest.raises(kg.InputError, match=r"^request: request: must be a table"):
        kg.RunRequest.from_json("3")


def test_the_file_of_the_documentation_is_one():
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "run.md").read_text(encoding="utf-8")
    asked = kg.RunRequest.from_toml(page.partition("```toml\n")[2].partition("```")[0])
    assert (asked.vehicle.name, asked.vehicle.options["links"], asked.outputs.output_step) == (
        "hbbills311",
        "PTP",
        0.01,
    )
    asked.read_vehicle()
