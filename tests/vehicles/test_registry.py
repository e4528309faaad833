"""A template the package does not know is read, checked, changed, swept and run through its entry alone."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel._errors import InputError
from klingel.app.cli import app
from klingel.io.toml_tables import FileError
from klingel.io.units import DIMENSIONS
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.options import read_property, with_property, with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.fields import Choice, Each, Group, Named, Quantity, Rows
from klingel.vehicles.registry import find_template, register, registered, templates
from klingel.vehicles.template import Template
from klingel.vehicles.values import template_values, value, values, with_value
from tests.vehicles.trolley import FILE, SPRINGS, TROLLEY

SOURCE = Path(kg.__file__).parent


@pytest.fixture(autouse=True)
def _entry():
    with registered(TROLLEY):
        yield


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


def command(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_it_is_read_with_its_options_and_sources(file):
    plain, stiff = load_vehicle(file), load_vehicle(file, springs="stiff", load="stones")
    assert value(plain, "left.up.stiffness") == SPRINGS["soft"]
    assert value(stiff, "left.up.stiffness") == SPRINGS["stiff"]
    assert (value(plain, "frame.mass"), value(stiff, "frame.mass")) == (2e3, 5e3)
    assert plain.sources == {"frame.mass": "weighed"}
    assert (stiff.meta["load"], stiff.meta["springs"], stiff.meta["title"]) == ("stones", "stiff", "a trolley")
    own = parse_vehicle(FILE.replace('"soft"', '{stiffness = "1 MN/m", damping = "5 kNs/m"}'))
    assert (value(own, "right.up.stiffness"), own.meta["springs"]) == (1e6, "own")


def test_values_options_and_single_elements_are_set_by_name(file):
    changed = with_settings(
        load_vehicle(file), ["frame.mass=3t", "right.across.damping=1kNs/m", "springs=stiff", "spacing=1.9m"]
    )
    assert template_values(changed)["frame.mass"] == 3e3
    assert value(changed, "left.up.preload") == pytest.approx(0.5 * 3e3 * 9.81)
    assert (value(changed, "right.across.damping"), value(changed, "left.across.damping")) == (1e3, 4e3)
    assert (value(changed, "left.up.stiffness"), value(changed, "left.point.y")) == (SPRINGS["stiff"], 0.95)
    assert read_property(changed, "axle.mass", "1.3t") == 1300.0
    assert with_property(changed, "load", "stones").bodies[1].mass == 3e3  # what was set goes before
    assert with_value(changed, "frame.mass", 1e3).sources["right.across.damping"] == "changed by the user"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"2 t"', '"2 kN"', "frame.mass: must be a mass in kg, t, g, got 2 kN"),
        ('"0.9 m"', '"9 m"', "height: must not be above 3 m: a trolley falls over, got 9.0"),
        ('"soft"', '"sof"', "springs: did you mean soft? must be one of soft, stiff, got sof"),
        ('"soft"', "3", "springs: must be one of soft, stiff, or a table with stiffness and damping, got 3"),
        ("axle_mass", "axel_mass", "axel_mass: is not a known key; did you mean axle_mass?"),
        ("frame = ", "farme = ", "sources.farme: is not a known key; did you mean frame?"),
        ('template = "trolley"', "", 'template: must be given, "trolley": these are its keys'),
        ('"trolley"', '"troley"', "template: did you mean trolley? must be one of two_axle, cooperrider_bogie,"),
        ("[loads.stones]", "[loads.empty]", "loads.empty: is the vehicle as it stands"),
    ],
)
def test_a_bad_file_gets_one_line_and_validate_says_the_same(tmp_path, old, new, line):
    (tmp_path / "mine.toml").write_text(FILE.replace(old, new, 1))
    with pytest.raises(FileError) as refused:
        load_vehicle(tmp_path / "mine.toml")
    assert str(refused.value).startswith(f"mine.toml: {line}")
    result = command("validate", tmp_path / "mine.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"mine.toml: {line.partition(' (')[0]}")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"springs": "sof"}, "springs: did you mean soft? must be one of soft, stiff, got 'sof'"),
        ({"load": "stone"}, "load: did you mean stones? must be one of empty, stones, got 'stone'"),
        ({"links": "PTP"}, "links: is no option of trolley; known: load, springs, got 'PTP'"),
        ({"spring": "soft"}, "spring: is no option of trolley; did you mean springs?"),
    ],
)
def test_bad_options_get_one_line(file, options, line):
    with pytest.raises(InputError) as refused:
        load_vehicle(file, **options)
    assert str(refused.value).startswith(line)


def test_commands_know_it(file):
    assert command("validate", file).exit_code == 0
    told = command("vehicles", file, "--set", "springs=stiff")
    assert "load empty, springs stiff" in told.stdout
    assert "weighed: frame.mass" in told.stdout
    document = json.loads(command("vehicles", file, "--json").stdout)
    assert (document["springs"], document["template"]["axle.mass"]) == ("soft", 1200.0)
    text = command("vehicles", file, "--toml", "--set", "springs=stiff").stdout
    assert values(parse_vehicle(text)) == values(load_vehicle(file, springs="stiff"))
    rows = {row["name"]: row for row in json.loads(command("vehicles", "--templates", "--json").stdout)}
    assert {"two_axle", "trolley"} <= set(rows)
    assert rows["trolley"]["options"]["springs"] == "soft or stiff"


def test_it_runs_and_is_swept_by_word(file):
    vehicle = load_vehicle(file)
    run = kg.simulate(vehicle, kg.Track.straight(), 10.0, 0.5, {"axle.y": 2e-3}, rtol=1e-5)
    y = run["axle.y"].to_numpy()
    assert abs(y[0] - 2e-3) < 1e-9
    assert y.min() < 1e-3  # steers back
    assert abs(run["frame.z"].to_numpy()).max() < 2e-3  # the preload carries the frame
    assert values(run.vehicle) == values(vehicle)
    found = kg.sweep(
        vehicle, kg.Track.straight(), parameter="springs", values=["soft", "stiff"], speed=10.0,
        transient=kg.FixedTransient(0.5, 2, piece=0.5, cap=1.0), workers=1,
    )  # fmt: skip
    assert list(found.parameter) == ["soft", "stiff"]


def test_commands_run_and_sweep_it(file, tmp_path):
    arguments = (file, "--speed", "10", "--set", "springs=stiff", "--kick", "axle.y=2mm")
    done = command("run", *arguments, "--duration", "0.2s", "--out", tmp_path / "run.nc")
    assert done.exit_code == 0, done.stderr
    assert value(kg.load_run(tmp_path / "run.nc").vehicle, "left.up.stiffness") == SPRINGS["stiff"]
    over = ("--parameter", "springs", "--values", "soft,stiff", "--workers", "1")
    rule = ("--transient", "0.3s", "--maxima", "1", "--cap", "1s", "--json")
    done = command("sweep", file, "--speed", "10", "--kick", "axle.y=2mm", *over, *rule)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["parameter"] == ["soft", "stiff"]


def test_full_description_takes_the_options_of_no_template(file):
    with pytest.raises(InputError, match="springs: is an option of wagons made by a template"):
        with_property(parse_vehicle(to_toml(load_vehicle(file))), "springs", "stiff")


def test_a_name_is_taken_once():
    with pytest.raises(InputError, match="template: is in the registry already"):
        register(TROLLEY)
    assert find_template("trolley") is TROLLEY


def test_keys_of_the_meta_data_of_a_file_are_no_template(file):
    text = to_toml(load_vehicle(file)) + "\n[meta.more]\na = 1\n"
    text = text.replace("[meta]\n", '[meta]\ntemplate = "two_axle"\nparameters = "none"\norigin = "here"\n', 1)
    vehicle = parse_vehicle(text)
    assert template_values(vehicle) == {}
    with pytest.raises(InputError, match="links: is an option of wagons made by a template"):
        with_property(vehicle, "links", "PTP")


def _quantities(field):
    inner = {Group: lambda f: f.fields.values(), Named: lambda f: [f.group], Choice: lambda f: [f.own],
             Each: lambda f: [f.quantity], Rows: lambda f: f.columns}  # fmt: skip
    if isinstance(field, Quantity):
        yield field
    for part in inner.get(type(field), lambda f: ())(field):
        yield from _quantities(part)


@pytest.mark.parametrize("entry", templates().values(), ids=lambda entry: entry.name)
def test_entries_are_complete(entry: Template):
    for field in entry.fields.values():
        for quantity in _quantities(field):
            assert quantity.dimension in DIMENSIONS
            assert quantity.sign in ("", "positive", "not negative", "fraction")
    for option in entry.options:
        assert not option.field or option.field in entry.fields
    assert all(target.format(**place) for targets in entry.reaches.values() for target in targets
               for place in entry.places)  # fmt: skip


def test_nothing_outside_the_registry_knows_a_template_by_name():
    layers = ("io", "plots", "simulation", "app", "reports", "bench", "model", "analysis")
    files = [path for layer in layers for path in (SOURCE / layer).rglob("*.py")]
    assert [path.name for path in files if "two_axle" in path.read_text() or "TwoAxle" in path.read_text()] == []
