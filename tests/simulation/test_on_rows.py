"""Rows told while a run goes on are all rows of it, once each, and telling them changes nothing."""

import numpy as np

import klingel as kg
from klingel.simulation import recording


def test_rows_as_they_come(monkeypatch, tmp_path):
    monkeypatch.setattr(recording, "WATCHED", 0.0)  # a pause after every chunk of steps
    request = kg.RunRequest(
        "hbbills311", speed=18.0, duration=60.0, start={"initial": {"front_wheelset.y": 0.005}}
    )
    pieces = []
    run = kg.simulate(request, on_rows=lambda rows: pieces.append(rows["front_wheelset.y"][1].copy()))
    plain = kg.simulate(request)
    assert len(pieces) > 1
    np.testing.assert_array_equal(np.concatenate(pieces), plain["front_wheelset.y"])
    assert run.data.equals(plain.data.assign(checkpoint=run.data["checkpoint"]))


def test_rows_of_a_run_that_goes_on():
    first = kg.simulate(kg.RunRequest("hbbills311", speed=18.0, duration=0.5))
    pieces = []
    whole = kg.continue_run(first, 1.0, on_rows=lambda rows: pieces.append(rows["time"][1].copy()))
    np.testing.assert_array_equal(np.concatenate([first.time, *pieces]), whole.time)
