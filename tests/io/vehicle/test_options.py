"""Options changed afterwards are the options of the loader; values set before stay set."""

import pickle

import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import LINK_SETS
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.options import read_property, with_property, with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.values import value, values


@pytest.mark.parametrize(
    ("name", "word", "option"),
    [
        *(("links", word, {"links": word}) for word in LINK_SETS),
        *(("load", word, {"load": word}) for word in ("empty", "loaded", "loaded_high")),
        ("leaf", "trapezoidal", {"leaf": "trapezoidal"}),
        ("leaf_model", "linear", {"leaf_model": "linear"}),
        ("link_friction", 0.2, {"friction": 0.2}),
    ],
)
def test_an_option_changed_is_the_option_chosen_at_the_start(name, word, option):
    changed = with_property(load_vehicle("hbbills311", links="PTP"), name, word)
    assert to_toml(changed) == to_toml(load_vehicle("hbbills311", **{"links": "PTP", **option}))


def test_options_are_independent_and_values_stay():
    wagon = with_settings(load_vehicle("kbps", links="SPP"), ["carbody.mass=16t", "front_wheelset.friction=0.2"])
    changed = with_property(with_property(wagon, "leaf", "parabolic"), "links", "MP")
    assert value(changed, "carbody.mass") == 16e3
    assert value(changed, "front_wheelset.friction") == 0.2
    told = with_settings(load_vehicle("kbps", links="MP", leaf="parabolic"), ["carbody.mass=16t"])
    expected = {**values(told), "front_wheelset.friction": 0.2}
    assert values(changed) == expected


def test_a_pendulum_carries_the_load_of_another_case():
    empty = load_vehicle("hbbills311", links="PTP")
    loaded = with_property(empty, "load", "loaded")
    name = "front_left.link_y.pendulum.stiffness"
    ratio = value(loaded, "carbody.mass") / value(empty, "carbody.mass")
    assert value(loaded, name) / value(empty, name) == pytest.approx(ratio, rel=1e-12)


def test_settings_of_the_command_line_know_options():
    wagon = with_settings(load_vehicle("hbbills311"), ["links=SPP", "leaf_model=linear", "link_friction=20%"])
    assert wagon.meta["links"] == "SPP"
    assert value(wagon, "link_friction.rear_left") == 0.2
    assert read_property(wagon, "carbody.mass", "16 t") == 16e3
    assert read_property(wagon, "links", " MP ") == "MP"


def test_a_wagon_travels_to_workers_with_its_options():
    wagon = pickle.loads(pickle.dumps(load_vehicle("hbbills311")))
    assert with_property(wagon, "links", "ASZ").meta["links"] == "ASZ"


@pytest.mark.parametrize(
    ("name", "new", "line"),
    [
        ("links", "PTB", "links: did you mean PTP? must be one of PTP, SPP, INP, ASZ, MP"),
        ("links", 3.0, "links: must be a word"),
        ("load", "full", "load: must be one of empty, loaded"),
        ("leaf_model", "cubic", "leaf_model: must be one of"),
        ("link_friction", -1.0, "link_friction: must be positive"),
        ("lnks", "PTP", "lnks: is no value of this vehicle; did you mean links?"),
        ("carbody.mas", 1.0, "carbody.mas: is no value of this vehicle; did you mean carbody.mass?"),
        ("carbody.mass", "heavy", "carbody.mass: must be a number"),
    ],
)
def test_bad_properties_are_one_line(name, new, line):
    with pytest.raises(InputError) as caught:
        with_property(load_vehicle("hbbills311"), name, new)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_wrong_units_and_full_descriptions_are_refused():
    wagon = load_vehicle("hbbills311")
    with pytest.raises(InputError, match=r"carbody\.mass: must be a mass in kg"):
        read_property(wagon, "carbody.mass", "14 mm")
    with pytest.raises(InputError, match="links: is an option of wagons made by a template"):
        with_property(parse_vehicle(to_toml(wagon)), "links", "PTP")
    set_before = with_settings(wagon, ["front_left.link_x.slider_4.limit=1kN"])
    with pytest.raises(InputError, match=r"links: leaves no front_left\.link_x\.slider_4\.limit, which was set"):
        with_property(set_before, "links", "SPP")
