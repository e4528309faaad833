"""`klingel rest`: what it prints, stores and refuses."""

import json

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app

BOGIE = ["rest", "true_asmund_yaw"]


def told(*words: str):
    return CliRunner().invoke(app, list(words))


def test_json_and_file(tmp_path):
    out = tmp_path / "rest.json"
    found = told(*BOGIE, "--json", "--out", str(out))
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    assert set(document) == {"vehicle", "rest_set", "final", "left", "parts", "files"}
    assert document["vehicle"] == "true_asmund_yaw"
    assert document["files"] == [str(out)]
    for low, high in document["rest_set"].values():
        assert low == pytest.approx(-high, rel=1e-6)
        assert high > 0.0
    again = kg.load_rest_set(out)
    assert {name: list(ends) for name, ends in again.extent.items()} == document["rest_set"]


def test_words_for_people():
    found = told(*BOGIE, "--coordinate", "wheelset.y")
    assert found.exit_code == 0, found.output
    (line,) = found.stdout.strip().splitlines()
    assert line.startswith("wheelset.y")
    assert line.endswith("mm")


def test_leaf_springs_on_their_line():
    """With their friction the carbody rests over a height, without it at one."""
    words = ["rest", "hbbills311", "--coordinate", "carbody.z", "--json"]
    wide, narrow = (
        json.loads(told(*words, flag).stdout)["rest_set"]["carbody.z"]
        for flag in ("--leaf-friction", "--no-leaf-friction")
    )
    assert wide[1] - wide[0] > 5e-3
    assert narrow[1] - narrow[0] < 1e-3


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["rest"], "VEHICLE"),
        (["rest", "no_such_wagon"], "no_such_wagon"),
        ([*BOGIE, "--coordinate", "frame.w"], "coordinates"),
        ([*BOGIE, "--set", "no.such.value=3"], "no.such.value"),
        ([*BOGIE, "--inclination", "steep"], "inclination"),
        ([*BOGIE, "--out", "no/such/folder/rest.json"], "no/such/folder"),
    ],
)
def test_bad_input_is_one_line(words, named):
    found = told(*words)
    assert found.exit_code == 2
    assert len(found.stderr.strip().splitlines()) == 1
    assert named in found.stderr


def test_track_must_be_straight(tmp_path):
    track = tmp_path / "curve.toml"
    track.write_text('stage = [{length = "100 m", radius = "1000 m"}]\n')
    found = told(*BOGIE, "--track", str(track))
    assert found.exit_code == 2
    assert "straight" in found.stderr
