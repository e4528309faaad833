"""Verdicts from descents whose outcome is made up: found, refused with what would settle it, none."""

import pytest

from klingel.analysis.descents.motion_sizes import Rank
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.critical.chain import Chain
from klingel.simulation.critical.settings import (
    AS_ASKED,
    FINER_RTOL,
    FINEST_STEP,
    OTHER_METHOD,
    SLOWER_DESCENT,
    WAYS,
    Asked,
    Settings,
)
from klingel.simulation.critical.verdict import FOUND, NONE, REFUSED, verdict_of
from klingel.simulation.request.request import RunRequest


@pytest.fixture(scope="module")
def asked() -> Asked:
    return Asked(RunRequest.of(load_vehicle("cooperrider"), speed=60.0, duration=1.0, rtol=1e-5), Settings())


def chains(rank=Rank.MEDIUM, seeds=3, **ways: float | None) -> list[Chain]:
    """Every way ends at 20 m/s but those told otherwise."""
    speeds = {way: ways.get(way.replace(" ", "_").replace("/", "_"), 20.0) for way in WAYS}
    return [
        Chain(rank, way, seed, None if speed is None else speed + 0.01 * seed, "periodic", 2e-3, 1.5)
        for way, speed in speeds.items()
        for seed in range(seeds)
    ]


def test_found(asked):
    verdict, reason, motions = verdict_of(chains(rtol_10=20.3), 2, asked)
    assert verdict == FOUND
    assert len(motions) == 1
    assert motions[0].family == "medium"
    assert (motions[0].low, motions[0].high) == (pytest.approx(20.0 - FINEST_STEP), pytest.approx(20.32))
    assert motions[0].by_way[FINER_RTOL] == pytest.approx(20.31)
    assert "medium" in reason
    assert "\n" not in reason


@pytest.mark.parametrize(
    ("way", "hint"),
    [(FINER_RTOL, "--rtol 1e-06"), (OTHER_METHOD, "third method"), (SLOWER_DESCENT, "--hold 20s")],
)
@pytest.mark.parametrize("speed", [22.0, None])
def test_refused_says_what_would_settle_it(asked, way, hint, speed):
    verdict, reason, motions = verdict_of(chains(**{way.replace(" ", "_").replace("/", "_"): speed}), 2, asked)
    assert verdict == REFUSED
    assert hint in reason
    assert "\n" not in reason
    assert not motions[0].agrees


def test_chance_asks_for_more_seeds(asked):
    made = [Chain(Rank.EDGE, way, seed, 30.0 + seed, "irregular", 6e-3, 5.0) for way in WAYS for seed in range(5)]
    verdict, reason, _ = verdict_of(made, 2, asked)
    assert verdict == REFUSED
    assert "--seeds 20" in reason


def test_a_motion_that_no_way_keeps_is_none(asked):
    lost = [Chain(Rank.SMALL, way, seed, 5.0 if seed == 0 else None) for way in WAYS for seed in range(5)]
    verdict, reason, motions = verdict_of(lost, 2, asked)
    assert (verdict, motions) == (NONE, [])
    assert "below 70 m/s" in reason
    both = [*lost, *chains()]
    assert [motion.family for motion in verdict_of(both, 2, asked)[2]] == ["medium"]


def test_the_slowest_family_is_the_headline(asked):
    other = [Chain(Rank.EDGES, way, 0, 12.0, "periodic", 6e-3, 5.0) for way in WAYS]
    verdict, _, motions = verdict_of([*chains(), *other], 2, asked)
    assert verdict == FOUND
    assert [motion.speed for motion in motions] == [12.0, pytest.approx(20.01)]
    assert motions[0].family == "flange to flange of both wheelsets"
    assert AS_ASKED in motions[0].by_way
