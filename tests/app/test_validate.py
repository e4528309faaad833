"""`klingel validate`: every problem on its own line, code 2, one JSON document."""

import json

from typer.testing import CliRunner

from klingel.app.cli import app
from klingel.io.vehicle.files import library_text


def run(*arguments: str):
    return CliRunner().invoke(app, ["validate", *arguments])


def test_good_file(tmp_path):
    (tmp_path / "mine.toml").write_text(library_text("g69"))
    result = run(str(tmp_path / "mine.toml"))
    assert (result.exit_code, result.stdout) == (0, "mine.toml: a good vehicle file\n")


def test_broken_file(tmp_path):
    text = library_text("g69").replace('"1570 kg"', '"-1570 kg"').replace('"8860 kg"', '"8860 kN"')
    (tmp_path / "mine.toml").write_text(text)
    result = run(str(tmp_path / "mine.toml"), "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout) == {
        "ok": False,
        "kind": "vehicle",
        "problems": [
            {"where": "wheelset.mass", "given": "-1570 kg", "allowed": "must be positive"},
            {"where": "carbody.mass", "given": "8860 kN", "allowed": "must be a mass in kg, t, g"},
        ],
        "warnings": [],
    }
    assert result.stderr.splitlines() == [
        "mine.toml: wheelset.mass: must be positive, got -1570 kg",
        "mine.toml: carbody.mass: must be a mass in kg, t, g, got 8860 kN",
    ]


def test_a_profile_that_does_not_say_what_it_is_is_told_what_to_write(tmp_path):
    (tmp_path / "worn.txt").write_text("y z\n-70 10\n0 0\n60 -2\n")
    (line,) = run(str(tmp_path / "worn.txt")).stderr.splitlines()
    assert line.startswith("worn.txt: must say whether it is a wheel or a rail: a first line `# body: wheel`")


def test_missing_file():
    result = run("nowhere.toml")
    assert (result.exit_code, result.stderr) == (2, "klingel: file: must exist, got 'nowhere.toml'\n")


def test_a_vehicle_that_cannot_stand_is_told_what_is_missing(tmp_path):
    text = library_text("single_wheelset")
    body = """
[bodies.box]
mass = "2 t"
inertia = ["900 kg m2", "900 kg m2", "900 kg m2"]
position = ["0 m", "0.3 m", "1 m"]
free = ["z", "roll"]

[connections.seat]
inner = "box"
outer = "wheelset"
point = ["0 m", "0 m", "0.8 m"]

[elements.seat.up]
law = "spring"
direction = "z"
stiffness = "1 MN/m"
"""
    at = text.index("[connections")
    (tmp_path / "mine.toml").write_text(text[:at] + body.strip() + "\n\n" + text[at:])
    result = run(str(tmp_path / "mine.toml"))
    assert result.exit_code == 2
    line = "mine.toml: box.roll: must be balanced at rest, but 5.89 kNm are missing: it needs elements in z left"
    assert result.stderr.startswith(line)
