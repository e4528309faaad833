"""Runs of the classical models: named outputs that add up, flange contact, storage, the command line."""

import json
from functools import cache

import numpy as np
import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.simulation.settled import settled
from klingel.track.irregularity import Shift

KICK = {"leading_front_wheelset.y": 0.012}


@cache
def flange_run():
    return kg.simulate(kg.load_vehicle("cooperrider"), kg.Track.straight(), 70.0, 1.0, KICK, rtol=1e-8)


def test_newton_for_the_front_wheelset():
    run = flange_run()
    boxes = ("leading_front_left", "leading_front_right")
    lateral = sum(run[f"{box}.primary_y.force"] for box in boxes) + run["leading_front_rails.flange.force"]
    lateral = lateral + sum(run[f"leading_front_wheelset.{side}.Y"] for side in ("left", "right"))
    np.testing.assert_allclose(lateral, 1022.0 * run["leading_front_wheelset.y_ddot"], atol=1e-8 * 1022.0 * 100.0)
    yaw = sum(s * 0.62 * run[f"{box}.primary_x.force"] for s, box in zip((-1, 1), boxes, strict=True))
    yaw = yaw + sum(s * 0.716 * run[f"leading_front_wheelset.{w}.X"] for s, w in ((-1, "left"), (1, "right")))
    np.testing.assert_allclose(yaw, 678.0 * run["leading_front_wheelset.yaw_ddot"], atol=1e-8 * 678.0 * 100.0)


def test_creep_forces_oppose_the_creepages_and_saturate():
    run = flange_run()
    for side in ("left", "right"):
        wheel = f"leading_rear_wheelset.{side}"
        power = run[f"{wheel}.X"] * run[f"{wheel}.creepage_x"] + run[f"{wheel}.Y"] * run[f"{wheel}.creepage_y"]
        assert float(power.max()) <= 0.0
        assert float(np.hypot(run[f"{wheel}.X"], run[f"{wheel}.Y"]).max()) <= 10e3 * (1 + 1e-12)


def test_kick_beyond_the_flange_begins_in_contact():
    run = flange_run()
    assert int(run["leading_front_rails.flange.mode"][0]) == 1
    assert float(run["leading_front_rails.flange.force"][0]) == pytest.approx(
        -14.6e6 * (0.012 - 0.0091), rel=1e-12
    )
    assert run.events.iloc[0]["new"] == "FREE"
    assert set(run.events["element"]) <= {"leading_front_rails.flange", "leading_rear_rails.flange"}


def test_small_kick_dies_below_the_critical_speed():
    run = kg.simulate(kg.load_vehicle("cooperrider"), kg.Track.straight(), 40.0, 12.0, {"leading_frame.y": 1e-4})
    assert settled(run).kind == "rest"


@pytest.mark.parametrize(
    "track", [kg.Track.curve(1000.0, lead_in=20.0), kg.Track.straight(irregularity=(Shift(0.008, at=20.0),))]
)
def test_cones_know_no_curves_and_no_irregular_rails(track):
    """Their law has neither, so they would run through them as on straight track."""
    with pytest.raises(kg.InputError, match="track: must be straight, level and smooth for conical wheelsets"):
        kg.simulate(kg.load_vehicle("cooperrider"), track, 40.0, 1.0)


def test_stored_run_is_read_back(tmp_path):
    again = kg.load_run(flange_run().save(tmp_path / "run.nc"))
    assert again.vehicle == kg.load_vehicle("cooperrider")
    np.testing.assert_array_equal(again["leading_frame.roll"], flange_run()["leading_frame.roll"])
    more = kg.simulate(again.vehicle, again.track, 70.0, 0.1, initial=again)
    assert more["leading_frame.y"][0] == again["leading_frame.y"][-1]


def test_command_line():
    arguments = [
        "run",
        "cooperrider",
        "--speed",
        "70",
        "--duration",
        "2",
        "--kick",
        "leading_frame.y=5mm",
        "--json",
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["status"] == "done"
    assert document["extremes"]["leading_frame.y"][1] == pytest.approx(5e-3, abs=1e-4)
    result = CliRunner().invoke(app, ["run", "single_wheelset", "--speed", "100", "--kick", "wheelset.y=1mm"])
    assert result.exit_code == 0, result.stderr
    assert "last third: rest" in result.stdout
