"""A motion is judged only where the track is the same all along."""

import pytest

import klingel as kg
from klingel.simulation.settled import TRANSIENT, settled
from klingel.track.irregularity import Shift


@pytest.mark.parametrize(("at", "changes"), [(25.0, True), (5.0, False)])
def test_track_that_changes_is_transient(at, changes):
    """20 m/s for 1.5 s: the last third lies between 20 and 30 m, wheelsets 4 m ahead and behind."""
    track = kg.Track.straight(irregularity=(Shift(0.001, at=at),))
    run = kg.simulate(kg.load_vehicle("g69"), track, speed=20.0, duration=1.5)
    assert (settled(run).kind == TRANSIENT) == changes
