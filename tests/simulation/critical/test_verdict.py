"""Verdicts from descents whose outcome is made up: found, refused with what would settle it, none."""

import pytest

from klingel.analysis.descents.motion_sizes import Rank
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.critical.chain import Chain
from klingel.simulation.critical.settings import (
    AS_ASKED,
    FINER_RTOL,
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
        Chain(rank, way, seed, None, kind="periodic")
        if speed is None
        else Chain(rank, way, seed, speed + 0.01 * seed, speed - 0.5, "periodic", 2e-3, 1.5)
        for way, speed in speeds.items()
        for seed in range(seeds)
    ]


def test_found(asked):
    verdict, reason, motions = verdict_of(chains(rtol_10=20.3), 2, asked)
    assert verdict == FOUND
    assert len(motions) == 1
    assert motions[0].family == "medium"
    assert (motions[0].low, motions[0].high) == (pytest.approx(19.5), pytest.approx(20.32))
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
    made = [
        Chain(Rank.EDGE, way, seed, 30.0 + seed, 29.0, "irregular", 6e-3, 5.0) for way in WAYS for seed in range(5)
    ]
    verdict, reason, _ = verdict_of(made, 2, asked)
    assert verdict == REFUSED
    assert "--seeds 20" in reason


def test_a_motion_that_no_descent_keeps_is_none(asked):
    lost = [Chain(Rank.SMALL, way, seed, None) for way in WAYS for seed in range(5)]
    verdict, reason, motions = verdict_of(lost, 2, asked)
    assert (verdict, motions) == (NONE, [])
    assert "below 70 m/s" in reason
    both = [*lost, *chains()]
    assert [motion.family for motion in verdict_of(both, 2, asked)[2]] == ["medium"]


def test_a_motion_kept_from_few_seeds_leaves_no_verdict(asked):
    few = [Chain(Rank.SMALL, way, seed, 5.0 if seed == 0 else None, 4.5) for way in WAYS for seed in range(5)]
    for made in (few, [*few, *chains()]):
        verdict, reason, motions = verdict_of(made, 2, asked)
        assert verdict == REFUSED
        assert (motions[0].found, motions[0].asked) == (4, 20)
        assert "16 of 20 descents lose it" in reason


def test_starts_that_leave_the_rails_leave_no_verdict(asked):
    verdict, reason, motions = verdict_of([], 2, asked, [50.0, 41.5])
    assert (verdict, motions) == (REFUSED, [])
    assert "2 starts left the rails or broke off, the slowest at 41.5 m/s" in reason
    assert verdict_of(chains(), 2, asked, [50.0])[0] == FOUND


def test_a_motion_that_lasts_at_the_slowest_speed_has_no_lower_bound(asked):
    made = [Chain(Rank.SMALL, way, seed, 3.0, None, "periodic", 1e-3, 1.0) for way in WAYS for seed in range(3)]
    verdict, reason, motions = verdict_of(made, 2, asked)
    assert (verdict, motions[0].low) == (FOUND, 3.0)
    assert "lasts at the slowest speeds looked at" in reason


def test_the_slowest_family_is_the_headline(asked):
    other = [Chain(Rank.EDGES, way, 0, 12.0, 11.875, "periodic", 6e-3, 5.0) for way in WAYS]
    verdict, _, motions = verdict_of([*chains(), *other], 2, asked)
    assert verdict == FOUND
    assert [motion.speed for motion in motions] == [12.0, pytest.approx(20.01)]
    assert motions[0].family == "flange to flange of both wheelsets"
    assert AS_ASKED in motions[0].by_way
