"""Bogies of the registry: the library vehicles come out, parts are changed by name, bad files get a line."""

import json

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.options import read_property, with_property, with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.registry import drawing_of
from klingel.vehicles.values import template_values, value, values

BOGIE = """
name = "bogie"

[[parts]]
kind = "cooperrider_bogie"
at = "0 m"
prefix = "leading"
"""
# of a wheelset that only turns about z, and a frame that does not pitch: moments the library files leave at zero
UNUSED = (".inertia.x", ".inertia.y")


def differences(one, other):
    ours, theirs = values(one), values(other)
    return {n for n in ours.keys() | theirs.keys() if ours.get(n) != theirs.get(n) and not n.endswith(UNUSED)}


def test_the_templates_are_the_library_vehicles():
    assert differences(parse_vehicle(BOGIE), load_vehicle("cooperrider")) == set()
    single = parse_vehicle('name = "one"\ntemplate = "single_axle_bogie"\n')
    assert differences(single, load_vehicle("single_wheelset")) == set()


@pytest.mark.parametrize("name", ["bigoni"])
def test_the_expansion_reads_back_to_the_same_vehicle(name):
    car = load_vehicle(name)
    again = parse_vehicle(to_toml(car))
    assert (values(again), again.sources) == (values(car), car.sources)
    assert drawing_of(again).wheels == drawing_of(car).wheels
    assert len(drawing_of(car).wheels) == 8


def test_every_value_of_a_part_is_reached_by_name():
    car = load_vehicle("bigoni")
    changed = with_settings(car, ["leading.wheelbase=2.5m", "leading.wheel.friction=0.4", "trailing.at=-8m"])
    assert value(changed, "leading_front_wheelset.position.x") == pytest.approx(7.5 + 1.25)
    assert value(changed, "leading_front_left.point.x") == pytest.approx(7.5 + 1.25)
    assert value(changed, "trailing_rear_wheelset.position.x") == pytest.approx(-8.0 - 1.074)
    assert (
        value(changed, "leading_rear_wheelset.friction"),
        value(changed, "trailing_rear_wheelset.friction"),
    ) == (
        0.4,
        0.15,
    )
    assert changed.sources["leading_front_wheelset.mass"] == car.sources["leading_front_wheelset.mass"]
    assert read_property(car, "leading.yaw_links.stiffness", "1 MN/m") == 1e6
    assert template_values(changed)["leading.wheelbase"] == 2.5


def test_single_values_and_parameters_of_parts_keep_each_other():
    car = with_settings(
        load_vehicle("bigoni"), ["leading_frame.mass=3t", "leading.wheelbase=2.5m", "carbody.mass=40t"]
    )
    again = with_settings(car, ["trailing.wheelbase=2.4m"])
    assert (value(again, "leading_frame.mass"), value(again, "carbody.mass")) == (3e3, 40e3)
    assert value(again, "trailing_front_wheelset.position.x") == pytest.approx(-7.5 + 1.2)


def test_one_patch_for_all_contacts_of_a_wheel_hunts_alike():
    """The paper's approximation, by name; it acts where tread and flange both touch."""
    parts, watched = ("leading", "trailing"), "leading_front_wheelset.y"
    one = with_settings(load_vehicle("bigoni"), [f"{part}.wheel.patches=equivalent" for part in parts])
    runs = [
        kg.simulate(car, kg.Track.straight(), 120.0, 2.0, {watched: 4e-3}, rtol=1e-6, quantities=(watched,))
        for car in (load_vehicle("bigoni"), one)
    ]
    each, single = (float(abs(run[watched][-50:]).max()) for run in runs)
    assert each > 5e-3
    assert single == pytest.approx(each, rel=0.01)
    assert single != each


def test_load_cases_of_a_full_description():
    car, long = load_vehicle("bigoni"), load_vehicle("bigoni", load="long_car")
    assert value(long, "carbody.inertia.z") == 5.6e6
    assert value(long, "carbody.mass") == value(car, "carbody.mass")
    # springs are made for the car as it is drawn; with another inertia they carry the same
    assert value(long, "leading_secondary_left.spring_z.preload") == pytest.approx(44388 * 9.81 / 4)
    assert values(with_property(car, "load", "long_car")) == values(long)
    changed = with_property(with_settings(car, ["leading.wheelbase=2.5m"]), "load", "long_car")
    assert value(changed, "leading_front_left.point.x") == pytest.approx(8.75)
    with pytest.raises(kg.InputError, match="load: did you mean long_car"):
        load_vehicle("bigoni", load="long_cart")


def test_a_load_alone_is_a_box():
    text = (
        to_toml(load_vehicle("bigoni"))
        + """
[loads.goods.carbody.box]
mass = "10 t"
size = ["10 m", "2 m", "2 m"]
position = ["0 m", "0 m", "1.5 m"]
"""
    )
    loaded = parse_vehicle(text, options={"load": "goods"})
    assert value(loaded, "carbody.mass") == 54388.0
    assert value(loaded, "carbody.position.z") == pytest.approx((44388 * 2.0596 + 1e4 * 1.5) / 54388)


def test_commands_know_parts(tmp_path):
    def command(*arguments):
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    told = json.loads(command("vehicles", "bigoni", "--set", "leading.wheelbase=2.5m", "--json").stdout)
    assert told["template"]["leading.wheelbase"] == 2.5
    assert told["static_loads"]["leading_secondary_left.spring_z"] == pytest.approx(44388 * 9.81 / 4)
    rows = {row["name"]: row for row in json.loads(command("vehicles", "--templates", "--json").stdout)}
    assert {"two_axle", "cooperrider_bogie", "single_axle_bogie"} <= set(rows)
    assert "long_car" in command("vehicles").stdout
    (tmp_path / "bogie.toml").write_text(BOGIE)
    assert command("validate", tmp_path / "bogie.toml").exit_code == 0


def test_a_sweep_over_a_parameter_of_a_part(tmp_path):
    bogie, over = parse_vehicle(BOGIE), "leading.cone.conicity"
    found = kg.sweep(
        bogie, kg.Track.straight(), parameter=over, values=[0.03, 0.05], speed=40.0,
        transient=kg.FixedTransient(0.5, 2, piece=0.5, cap=1.0), workers=1,
    )  # fmt: skip
    assert sorted(found.parameter) == [0.03, 0.05]


CAR = f"""{BOGIE}
carrier = "carbody"

[bodies.carbody]
mass = "30 t"
inertia = [1e5, 1e6, 1e6]
position = [0, 0, 2]
free = ["y"]
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            BOGIE + 'carrier = "carbody"\n',
            "parts.leading.carrier: must be track or a body of the vehicle; there is none besides its parts",
        ),
        (CAR.replace('"carbody"', '"carbdy"', 1), "parts.leading.carrier: must be track or a body of the vehicle"),
        (
            BOGIE + 'wheels = "profile"\n',
            "parts.leading.wheels: must be one of cones, profiles",
        ),
        (BOGIE + "[parts.wheel]\nfriction = 0.3\n", "parts.leading.wheel: must be left out: wheels are cones"),
        (BOGIE + 'wheelbase = "0.5 m"\n', "parts.leading.wheelbase: must be more than two wheel radii"),
        (
            BOGIE + '[parts.yaw_links]\nstiffness = "1 MN/m"\nspacing = "3 m"\n[parts.pivot]\ndamping = 3\n',
            "parts.leading.pivot: must be left out where yaw_links are given",
        ),
        (BOGIE + '[parts.yaw_links]\nstiffness = "1 MN/m"\n', "parts.leading.yaw_links.spacing: must be given"),
        (BOGIE + "[parts.frame]\nmas = 3\n", "parts.leading.frame.mas: is not a known key; did you mean mass?"),
        (
            BOGIE + "[parts.cone]\nshear_modulus = 8e10\n",
            "parts.leading.cone.creep_stiffness: must be given, or shear_modulus and semi_axes",
        ),
        (
            CAR.replace("[bodies.carbody]", "[bodies.leading]"),
            "parts.leading.prefix: must not be the name of a body",
        ),
        (CAR + "[loads.full.carbdy]\nmass = 3\n", "loads.full.carbdy: is not a known key; did you mean carbody?"),
        (CAR + '[loads.full.carbody]\nmass = "3 m"\n', "loads.full.carbody.mass: must be a mass in kg"),
        (CAR + "[loads.empty.carbody]\nmass = 3\n", "loads.empty: is the vehicle as it stands"),
        (CAR + "[loads]\nfull = 3\n", "loads.full: must hold a table for each loaded body"),
        (
            'name = "x"\ntemplate = "single_axle_bogie"\n[friction]\nstiffness = 1e8\n',
            "friction: must have a lateral or a yaw limit",
        ),
    ],
)
def test_bad_parts_get_one_line(text, line):
    with pytest.raises(FileError) as refused:
        parse_vehicle(text, "mine.toml")
    assert str(refused.value).splitlines()[0].startswith(f"mine.toml: {line}")


def test_a_changed_part_may_not_meet_another():
    with pytest.raises(kg.InputError, match=r"trailing.at: must be another place"):
        with_settings(load_vehicle("bigoni"), ["trailing.at=7.5m"])


def test_a_rigidly_stuck_bogie_rests_where_it_is_left():
    """Springs pull with less than the limit: true stick, no creep; beyond it the bogie slides back."""
    bogie = load_vehicle("true_asmund")
    limit = 5e3 / (2 * 1.823e6)  # displacement that the friction holds [m]
    held = kg.simulate(bogie, kg.Track.straight(), 20.0, 2.0, {"wheelset.y": 0.0}, rtol=1e-8)
    assert float(abs(held["wheelset.y"]).max()) == 0.0
    let_go = kg.simulate(bogie, kg.Track.straight(), 20.0, 3.0, {"wheelset.y": 8 * limit}, rtol=1e-8)
    assert "SLIP_NEG" in set(let_go.events["new"])
    assert abs(float(let_go["wheelset.y"][-1])) < 1.05 * limit
    assert float(abs(let_go["wheelset.y"][-50:] - let_go["wheelset.y"][-1]).max()) < 1e-9  # at rest, not creeping
