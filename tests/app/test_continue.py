"""`klingel continue`: what it prints, stores and refuses."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app
from klingel.simulation.orbits.result import load_branch

SHORT = ["continue", "cooperrider", "--from", "66", "--to", "64.9"]


def told(*words: str):
    return CliRunner().invoke(app, list(words))


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    place = tmp_path_factory.mktemp("branch")
    out, picture = place / "branch.nc", place / "branch.png"
    found = told(*SHORT, "--points", "12", "--out", str(out), "--picture", str(picture), "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout), out, picture


def test_json(stored):
    document, out, picture = stored
    first = document["points"][0]
    assert set(first) >= {"parameter", "stable", "period", "amplitude", "multipliers"}
    assert first["stable"] is False
    assert first["amplitude"]["leading_front_wheelset.y"] == pytest.approx(1e-4, rel=0.5)
    assert len(first["multipliers"]) == 13  # without that of the time shift
    hopf = document["special"][0]
    assert hopf["type"] == "hopf"
    assert hopf["parameter"] == pytest.approx(65.290, abs=1e-3)
    assert document["files"] == [str(out), str(picture)]
    assert len(document["points"]) <= 12


def test_stored_branch_is_drawn(stored, tmp_path):
    document, out, picture = stored
    assert picture.stat().st_size > 5000
    assert load_branch(out).parameter.size == len(document["points"])
    drawn = told("plot", str(out), "--out", str(tmp_path / "again.png"))
    assert drawn.exit_code == 0, drawn.output
    assert (tmp_path / "again.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["continue", "cooperrider", "--from", "70"], "--to: must be given"),
        (["continue", "cooperrider", "--from", "40", "--to", "45"], "comes to rest"),
        (["continue", "cooperrider", "--parameter", "frame.colour", "--from", "1", "--to", "2", "--speed", "60"],
         "is no value of this vehicle"),
        (["continue", "cooperrider", "--from", "70kg", "--to", "50"], "--from"),
        (["continue", "hbbills311", "--parameter", "links", "--from", "1", "--to", "2", "--speed", "60"],
         "must be a number"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(words, said):
    found = told(*words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1


def test_track_must_be_straight(tmp_path):
    from klingel import Track
    from klingel.io.track.toml import to_toml

    file = tmp_path / "curve.toml"
    file.write_text(to_toml(Track.curve(radius=500.0)))
    found = told("continue", "cooperrider", "--from", "70", "--to", "50", "--track", str(file))
    assert found.exit_code == 2
    assert "must be straight" in found.stderr
