"""`klingel irregular`: what it prints, draws and refuses."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app

KICK = ["--kick", "leading_front_wheelset.y=12mm"]
HUNTS = ["irregular", "cooperrider", "--speed", "68", "--duration", "8s", "--transient", "4s", *KICK]


def told(*words: str):
    return CliRunner().invoke(app, list(words))


def test_json_and_picture(tmp_path):
    """A motion that repeats: every rise of the section at the same place, and no growth that its error allows."""
    picture = tmp_path / "section.png"
    found = told(*HUNTS, "--picture", str(picture), "--json")
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    assert document["files"] == [str(picture)]
    assert picture.stat().st_size > 5000
    assert document["speed"] == 68.0
    assert document["lyapunov"]["exponent"] < 0.5


def test_words_for_people():
    found = told(*HUNTS, "--no-exponent", "--starts", "2", "--cap", "4s", "--settle", "2s")
    assert found.exit_code == 0, found.output
    lines = found.stdout.strip().splitlines()
    assert lines[0].startswith("at 68 m/s")
    assert "rises of leading_front_wheelset.y through zero" in lines[0]
    assert any("starts" in line for line in lines[1:])


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["irregular"], "VEHICLE"),
        (["irregular", "cooperrider"], "speed"),
        ([*HUNTS, "--duration", "3kg"], "--duration"),
        ([*HUNTS, "--duration", "-1s"], "duration"),
        ([*HUNTS, "--least", "2s"], "--least"),
        ([*HUNTS, "--coordinate", "frame.w"], "coordinate"),
        ([*HUNTS, "--starts", "-1"], "starts"),
        ([*HUNTS, "--picture", "section.xyz"], "xyz"),
        ([*HUNTS, "--start", "no_such_run.nc"], "no_such_run.nc"),
        ([*HUNTS, "--set", "no.such.value=3"], "no.such.value"),
    ],
)
def test_bad_input_is_one_line(words, named):
    found = told(*words)
    assert found.exit_code == 2, found.output
    assert len(found.stderr.strip().splitlines()) == 1
    assert named in found.stderr


def test_start_that_comes_to_rest():
    """Its exponent is the rate of the slowest decay."""
    found = told("irregular", "cooperrider", "--speed", "20", "--duration", "4s", "--json", *KICK)
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    assert document["lyapunov"]["exponent"] < 0.0
