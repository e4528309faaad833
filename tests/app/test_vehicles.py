"""`klingel vehicles`: what it prints can be used again."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app
from klingel.io.vehicle.files import library, library_text, load_vehicle, parse_vehicle
from klingel.vehicles.values import values


def run(*arguments: str):
    return CliRunner().invoke(app, ["vehicles", *arguments])


def test_library_is_listed():
    lines = run().stdout.splitlines()
    assert [line.split()[0] for line in lines] == library()
    rows = json.loads(run("--json").stdout)
    assert [row["name"] for row in rows] == library()
    loads = {row["name"]: row["loads"] for row in rows}
    assert loads["cooperrider"] == []
    assert loads["hbbills311"] == ["empty", "loaded", "loaded_high", "loaded_off_centre"]


def test_printed_files_are_the_vehicle():
    text = run("hbbills311", "--toml", "--links", "SPP", "--load", "loaded").stdout
    assert values(parse_vehicle(text)) == values(load_vehicle("hbbills311", links="SPP", load="loaded"))
    assert run("kbps", "--template").stdout == library_text("kbps")


def test_one_vehicle_with_a_changed_value():
    document = json.loads(run("kbps", "--json", "--set", "carbody.mass=16t").stdout)
    assert document["values"]["carbody.mass"] == document["template"]["carbody.mass"] == 16e3
    assert document["values"]["front_left.guide_y.gap_high"] == "inf"
    assert document["sources"]["carbody.mass"] == "changed by the user"
    shown = run("kbps", "--set", "carbody.mass=16t").stdout
    assert "carbody.mass                     16000 kg" in shown
    assert "Hoffmann (2006), table 2.7" in shown


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["kbbs"], "klingel: vehicle: did you mean kbps?"),
        (["kbps", "--links", "ABC"], "klingel: --links: must be one of"),
        (["kbps", "--load", "loaded"], "klingel: --load: must be one of empty, got 'loaded'"),
        (["kbps", "--set", "carbody.mass"], "klingel: --set: must be name=value"),
        (["kbps", "--set", "carbody.mass=16kN"], "klingel: carbody.mass: must be a mass in kg, t, g, got '16kN'"),
        (
            ["mine", "--template"],
            "klingel: --template: works on the library: bigoni, cooperrider, cooperrider_smooth, ",
        ),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, line):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_places_that_share_a_source_are_told_once():
    told = run("true_asmund").stdout
    assert "wheelsets.mass, wheelsets.inertia, sides.point.y" in told
    assert "wheelsetss" not in told
