"""Files written before there were requests: stored by that version, read and taken up by this one."""

import json
import shutil
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app

DATA = Path(__file__).parents[2] / "data"
INTERRUPTED = DATA / "interrupted_before_requests.nc"  # at 7.006 s of 10 s
FROM_ANOTHER = DATA / "from_another_run_before_requests.nc"


def test_a_stored_run_has_its_request():
    run = kg.load_run(INTERRUPTED)
    assert run.status == "interrupted"
    assert {name: run.options[name] for name in run.options if name != "atol"} == {
        "speed": 30.0,
        "duration": 10.0,
        "initial": {"front_wheelset.y": 2e-3},
        "sliders": {"*.link_y": 1e-3},
        "leaves": "loading",
        "acceleration": -0.1,
        "method": "auto",
        "rtol": 1e-8,
        "output_step": 2.0,
        "max_steps": 100_000_000,
        "locate": "all",
        "smooth_length": None,
        "smooth_speed": None,
        "distance": 0.0,
        "quantities": None,
        "precision": None,
    }
    assert len(run.options["atol"]) == len(run.names["states"])


def test_a_request_that_does_not_say_located_all_events(tmp_path):
    made = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0, 0.02, {"front_wheelset.y": 1e-3})
    assert made.request.solving.locate == "auto"
    asked = json.loads(made.sources["request"])
    del asked["solving"]["locate"]
    made.sources["request"] = json.dumps(asked)
    path = made.save(tmp_path / "older.nc")
    assert kg.load_run(path).request.solving.locate == "all"


def test_its_request_repeats_it():
    """Two seconds of it; the processor may be another one."""
    run = kg.load_run(INTERRUPTED)
    again = kg.simulate(run.request, duration=2.0)
    for name in ("front_wheelset.y", "rear_wheelset.yaw", "carbody.z", "front_left.link_y.force"):
        scale = float(np.abs(run[name]).max())
        np.testing.assert_allclose(again[name], run[name][:2], rtol=1e-4, atol=1e-4 * scale)


def test_the_command_goes_on_with_it(tmp_path):
    path = tmp_path / "run.nc"
    shutil.copy(INTERRUPTED, path)
    result = CliRunner().invoke(app, ["run", "--continue", str(path), "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["status"] == "done"
    before, after = kg.load_run(INTERRUPTED), kg.load_run(path)
    assert after.time.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    np.testing.assert_array_equal(after["carbody.y"][: before.time.size], before["carbody.y"])
    assert after.options == before.options
    assert after.request == before.request


def test_a_start_that_was_only_told_is_the_first_row():
    run = kg.load_run(FROM_ANOTHER)
    assert run.options["initial"] == "last row of another run, reached the end time 0.2 s"
    assert run.options["atol"] == 1e-8
    again = kg.simulate(run.request)
    np.testing.assert_allclose(again["wheelset.y"], run["wheelset.y"], rtol=1e-6, atol=1e-9)
    assert again.options == run.options
