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


def test_missing_file():
    result = run("nowhere.toml")
    assert (result.exit_code, result.stderr) == (2, "klingel: file: must exist, got 'nowhere.toml'\n")
