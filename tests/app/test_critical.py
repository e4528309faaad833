"""`klingel critical`: what it prints, stores and refuses."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app

STABLE = ["critical", "cooperrider", "--slowest", "20", "--fastest", "30", "--seeds", "1", "--workers", "1"]
MOVES = ["critical", "cooperrider", "--slowest", "60", "--fastest", "68", "--seeds", "1", "--workers", "1"]


def told(*words: str):
    return CliRunner().invoke(app, list(words))


def test_json_of_a_stable_vehicle(tmp_path):
    out = tmp_path / "critical.json"
    found = told(*STABLE, "--json", "--out", str(out))
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    assert set(document) == {
        "vehicle", "verdict", "reason", "linear", "motions", "protocols", "rest_set", "evidence", "files",
    }  # fmt: skip
    assert document["verdict"] == "none"
    assert document["linear"] == {"stuck": None, "slipping": None}
    assert document["files"] == [str(out)]
    assert all(set(line) == {"what", "value"} for line in document["evidence"])
    assert set(document["protocols"]) == {"initial disturbance", "falling speed", "steps of speed"}
    again = told(*STABLE, "--out", str(out))
    assert again.exit_code == 2
    assert len(again.stderr.strip().splitlines()) == 1


@pytest.mark.slow
def test_page_and_words(tmp_path):
    found = told(*MOVES, "--report", str(tmp_path / "page"))
    assert found.exit_code == 0, found.output
    assert "flange to flange of both wheelsets" in found.stdout
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "klingel critical cooperrider --slowest 60 --fastest 68" in page
    assert "data:image/png" in page
    document = json.loads(told(*MOVES, "--json").stdout)
    headline = document["motions"][0]
    assert {"family", "speed", "low", "high", "kind", "amplitude", "frequency"} <= set(headline)
    assert headline["low"] <= headline["speed"] <= headline["high"]
    assert (tmp_path / "page" / "critical.json").is_file()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["critical"], "VEHICLE"),
        (["critical", "no_such_wagon"], "no_such_wagon"),
        (["critical", "cooperrider", "--threshold", "0.5kg"], "--threshold"),
        (["critical", "cooperrider", "--fastest", "2"], "fastest"),
        (["critical", "cooperrider", "--hold", "fast"], "--hold"),
        (["critical", "cooperrider", "--other-method", "euler"], "euler"),
        (["critical", "cooperrider", "--set", "no.such.value=3"], "no.such.value"),
        (["critical", "cooperrider", "--out", "no/such/folder/x.json"], "--out"),
    ],
)
def test_bad_input_is_one_line(words, named):
    found = told(*words)
    assert found.exit_code == 2
    lines = found.stderr.strip().splitlines()
    assert len(lines) == 1
    assert named in lines[0]
