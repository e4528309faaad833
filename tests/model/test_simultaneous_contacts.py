"""Wheels that change their contact state at the same instant, on their bounds to rounding."""

import pytest

import klingel as kg


@pytest.mark.parametrize("rear", [5e-3, -5e-3])
@pytest.mark.parametrize("speed", [40.0, 50.0])
def test_symmetric_starts_run(speed, rear):
    track = kg.Track.straight(inclination=1 / 40)
    start = {"front_wheelset.y": 5e-3, "rear_wheelset.y": rear}
    run = kg.simulate(kg.load_vehicle("hbbills311"), track, speed, 0.05, start)
    assert run.status == "done"
    moved = run.events[run.events["element"].str.endswith((".left", ".right"))]
    assert len(moved) >= 4
