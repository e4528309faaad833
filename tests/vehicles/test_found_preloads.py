"""A template whose springs state no preload: its load cases sink from where the empty vehicle stands."""

from dataclasses import replace

import pytest

from klingel.io.vehicle.files import load_vehicle
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.setup import put_on_track
from klingel.simulation.standing import try_standing
from klingel.track.track import Track
from klingel.vehicles.registry import registered
from klingel.vehicles.values import value, with_value
from tests.vehicles.trolley import FILE, GRAVITY, SPRINGS, TROLLEY, trolley

SOFT = 2.0 * SPRINGS["soft"]


def without_preloads(p):
    made = trolley(p)
    elements = tuple(replace(e, law=replace(e.law, preload=None)) for e in made.elements)
    return replace(made, elements=elements)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    with registered(replace(TROLLEY, expand=without_preloads)):
        yield path


def height(vehicle):
    compiled = put_on_track(vehicle, Track.straight(), 20.0)
    x = dict(zip(compiled.layout.states, find_rest(compiled).x, strict=True))
    return x["axle.z"] - x["frame.z"]


def test_the_empty_vehicle_stands_where_it_is_drawn(file):
    empty = load_vehicle(file)
    assert value(empty, "left.up.preload") == "found"
    assert height(empty) == pytest.approx(0.0, abs=1e-9)


def test_load_cases_sink_by_what_is_added(file):
    loaded = load_vehicle(file, load="stones")
    assert value(loaded, "left.up.preload") == pytest.approx(0.5 * 2e3 * GRAVITY)
    assert height(loaded) == pytest.approx(3e3 * GRAVITY / SOFT, rel=1e-6)
    assert try_standing(file).problems == ()


def test_other_springs_are_made_for_the_empty_vehicle(file):
    """An option of the caller changes what is drawn; only the load sinks."""
    assert height(load_vehicle(file, springs="stiff")) == pytest.approx(0.0, abs=1e-9)
    assert height(load_vehicle(file, springs="stiff", load="stones")) == pytest.approx(
        1.5e3 * GRAVITY / SOFT, rel=1e-6
    )


def test_a_value_of_the_template_changed_by_name(file):
    """The vehicle is drawn anew with its frame; a load case keeps the springs it was put on."""
    heavy = with_value(load_vehicle(file), "frame.mass", 4e3)
    assert value(heavy, "left.up.preload") == "found"
    assert height(heavy) == pytest.approx(0.0, abs=1e-9)
    loaded = with_value(load_vehicle(file, load="stones"), "axle.mass", 1500.0)
    assert value(loaded, "left.up.preload") == pytest.approx(0.5 * 2e3 * GRAVITY)
    assert height(loaded) == pytest.approx(3e3 * GRAVITY / SOFT, rel=1e-6)
