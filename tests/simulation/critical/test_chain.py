"""Which of the motions met a descent begins with."""

from klingel.analysis.descents.descent import Held
from klingel.analysis.descents.motion_sizes import Rank
from klingel.simulation.critical.chain import tries
from klingel.simulation.critical.scan import Hit


def hits(*speeds: float) -> list[Hit]:
    return [Hit(Held(speed, Rank.SMALL, 1e-3, None), f"start {k}") for k, speed in enumerate(speeds)]


def test_one_at_each_speed_then_farther_and_farther_up():
    met = hits(7.0, 7.0, 7.0, 8.0, 9.0, 9.0, 10.0, 11.0, 12.0, 13.0)
    assert [hit.held.value for hit in tries(met)] == [7.0, 8.0, 10.0, 13.0]
    assert tries(met)[0].start == "start 0"


def test_few():
    assert tries([]) == []
    assert [hit.held.value for hit in tries(hits(5.0))] == [5.0]
    assert [hit.held.value for hit in tries(hits(5.0, 6.0))] == [5.0, 6.0]
    assert [hit.held.value for hit in tries(hits(5.0, 6.0, 7.0))] == [5.0, 6.0, 7.0]
