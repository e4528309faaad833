"""`klingel continue`: what it prints, stores and refuses."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.vehicle.toml import to_toml
from klingel.simulation.orbits.result import load_branch

SHORT = ["continue", "cooperrider", "--from", "66", "--to", "64.9"]
LONG = ["continue", "cooperrider", "--from", "66", "--to", "110"]


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
        (["continue", "cooperrider", "--from", "70", "--to", "60", "--switch", "9"], "switch: must lie between"),
        (["continue", "cooperrider", "--from", "70", "--to", "60", "--resume"], "resume: must come with the file"),
        (["continue", "cooperrider", "--from", "70", "--to", "60", "--start", "nowhere.nc"], "nowhere.nc"),
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


def arguments(out, asked) -> list[str]:
    return [sys.executable, "-m", "klingel", *asked, "--out", str(out)]


def lines(path) -> int:
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def hear_interrupts() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ended_early(out, how: int, asked=(*SHORT, "--points", "12")) -> int:
    """Exit code of a branch that was sent a signal after a few points; it is nice, so that we see it begin."""
    kept = out.with_name(out.name + ".journal")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "preexec_fn": hear_interrupts}
    with subprocess.Popen(["nice", "-n", "19", *arguments(out, asked)], **quiet) as process:
        while lines(kept) < 3 and process.poll() is None:
            time.sleep(0.01)
        os.kill(process.pid, how)
        return process.wait(120)


def test_killed_and_gone_on_with_it_is_the_same_branch(stored, tmp_path):
    _, whole, _ = stored
    out = tmp_path / "branch.nc"
    assert ended_early(out, signal.SIGKILL) == -signal.SIGKILL
    assert not out.exists()
    refused = told(*SHORT, "--points", "12", "--out", str(out))
    assert refused.exit_code == 2
    assert "has an unfinished branch" in refused.stderr
    other = told(*SHORT, "--points", "13", "--out", str(out), "--resume")
    assert other.exit_code == 2
    assert "was begun with other settings (points)" in other.stderr
    assert told(*SHORT, "--points", "12", "--out", str(out), "--resume").exit_code == 0
    assert not out.with_name("branch.nc.journal").exists()
    again, first = load_branch(out), load_branch(whole)
    assert again.special == first.special
    for name in first.data:
        assert np.allclose(again[str(name)], first[str(name)], rtol=1e-12, atol=1e-15, equal_nan=True)


def test_interrupted_branch_keeps_what_there_is(tmp_path):
    """Sent while most of it is still to come."""
    out = tmp_path / "branch.nc"
    assert ended_early(out, signal.SIGINT, LONG) == 130
    found = load_branch(out)
    assert found.status == "interrupted"
    assert 1 <= found.parameter.size < 400
    assert found.ended.startswith("interrupted after")
    assert out.with_name("branch.nc.journal").exists()


def test_from_a_stored_branch(stored):
    """From an unstable orbit in the middle of it, which no run would find."""
    _, whole, _ = stored
    found = told("continue", "cooperrider", "--from", "65.2", "--to", "65.0", "--start", str(whole), "--json")
    assert found.exit_code == 0, found.output
    points = json.loads(found.stdout)["points"]
    assert points[0]["parameter"] == pytest.approx(65.2, abs=0.1)
    assert not any(point["stable"] for point in points)
    assert points[-1]["parameter"] < 65.0


def test_another_value_than_the_speed_from_its_hopf_point():
    """At 65 m/s a frame of 3058 kg loses its stability; the branch grows from there."""
    found = told(
        "continue", "cooperrider", "--parameter", "leading_frame.mass", "--from", "2900", "--to", "3200",
        "--speed", "65", "--points", "8", "--json",
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    (hopf,) = [s for s in document["special"] if s["type"] == "hopf"]
    assert hopf["parameter"] == pytest.approx(3058.10569, abs=1e-3)
    sizes = [point["amplitude"]["leading_front_wheelset.y"] for point in document["points"]]
    away = [abs(point["parameter"] - hopf["parameter"]) for point in document["points"]]
    assert sizes == sorted(sizes)
    assert sizes[1] / away[1] == pytest.approx(sizes[3] / away[3], rel=0.2)  # grows linearly, not by a square root


def test_a_smooth_branch_stores_the_vehicle_as_given(tmp_path):
    out = tmp_path / "smooth.nc"
    words = ("--points", "2", "--out", str(out), "--locate", "smooth", "--smooth-length", "0.1mm")
    found = told(*SHORT, *words)
    assert found.exit_code == 0, found.output
    settings = load_branch(out).settings
    assert settings["vehicle"] == to_toml(kg.load_vehicle("cooperrider"))
    assert (settings["locate"], settings["smooth_length"]) == ("smooth", 1e-4)


def test_smooth_needs_a_width():
    found = told(*SHORT, "--locate", "smooth")
    assert found.exit_code == 2
    assert found.stderr.startswith("klingel: ")
    assert "smooth" in found.stderr
    assert found.stderr.count("\n") == 1
