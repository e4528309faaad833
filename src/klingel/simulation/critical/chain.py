"""One descent: a motion of a family followed down to its lowest speed, in one way of computing, from one seed."""

from dataclasses import dataclass, replace

import numpy as np

from klingel.analysis.descents.descent import Held, Steps, confirmed, descend
from klingel.analysis.descents.motion_sizes import Rank
from klingel.analysis.motion_kinds import UNSETTLED, Motion
from klingel.simulation.critical.ride import Carried, Ride
from klingel.simulation.critical.scan import Hit
from klingel.simulation.critical.settings import FINEST_STEP, FIRST_STEP, LONG
from klingel.simulation.lateral_motion import lateral_names

SHAKEN = 2e-4  # standard deviation of what seeds turn the wheelsets by [rad]


@dataclass(frozen=True)
class Chain:
    """What a descent found; speed None where the motion was lost at once."""

    rank: Rank
    way: str
    seed: int
    speed: float | None  # lowest [m/s]
    below: float | None = None  # next speed asked that did not keep it; None if none was slow enough [m/s]
    kind: str = ""
    amplitude: float = 0.0  # half of peak to peak of the wheelset that moves most [m]
    frequency: float | None = None  # [Hz]
    passed: tuple[tuple[float, float], ...] = ()  # speed and width on the way [m/s], [m]
    simulated: float = 0.0  # [s]


def follow_down(ride: Ride, rank: Rank, way: str, seed: int, hits: list[Hit]) -> Chain:
    """From the lowest of the hits that keeps the motion after a shake; `hits` from the slowest on."""
    settings, solving = ride.asked.settings, ride.asked.solving(way)
    patience, simulated = ride.asked.patience(way), 0.0
    motions: dict[float, Motion] = {}  # of long holds, by speed
    failed: list[float] = []  # speeds of holds that did not keep the family

    def hold(speed: float, state: Carried, times: float = 1.0) -> Held:
        nonlocal simulated
        duration = times * patience * settings.hold_at(speed)
        simulated += duration
        held, rows = ride.hold(speed, state, duration, solving)
        if times != 1.0 and rows is not None:
            motions[speed] = ride.judged(rows)
            if motions[speed].kind == UNSETTLED:  # a motion that grows or decays is none
                held = replace(held, rank=Rank.STILL)
        if held.rank != rank:
            failed.append(speed)
        return held

    steps = Steps(FIRST_STEP, FINEST_STEP, settings.slowest)
    passed: list[tuple[float, float]] = []
    for hit in tries(hits):
        begin = hold(hit.held.value, shaken(ride, hit.held.state, seed))
        if begin.rank < rank:
            continue
        kept = descend(hold, begin, rank, steps)
        passed += [(held.value, held.width) for held in kept]
        found = confirmed(lambda speed, state: hold(speed, state, LONG), kept, rank)
        if found is None:
            continue
        motion = motions[found.value]
        names = lateral_names(ride.layout.state_info, ride.layout.rolling)
        leader = max(names, key=lambda name: motion.amplitude[name])
        below = max((speed for speed in failed if speed < found.value), default=None)
        return Chain(
            rank, way, seed, found.value, below, motion.kind, motion.amplitude[leader], motion.frequency[leader],
            tuple(passed), simulated,
        )  # fmt: skip
    return Chain(rank, way, seed, None, passed=tuple(passed), simulated=simulated)


def tries(hits: list[Hit]) -> list[Hit]:
    """Motions a descent may begin with: one at each speed, the slowest first, then farther and farther up.

    Just below where a motion begins its last oscillations decay slowly and look like it.
    """
    each = list({hit.held.value: hit for hit in reversed(hits)}.values())[::-1]
    places = [2**k - 1 for k in range(len(each).bit_length()) if 2**k - 1 < len(each)]
    return [each[k] for k in dict.fromkeys([*places, len(each) - 1])] if each else []


def shaken(ride: Ride, state: Carried, seed: int) -> Carried:
    """With its wheelsets turned a little: a motion that repeats finds back, an irregular one goes elsewhere."""
    rng = np.random.default_rng((ride.asked.settings.seed, seed))
    offset = state.offset.copy()
    for body in ride.layout.rolling:
        turned = SHAKEN * rng.standard_normal()
        if f"{body}.yaw" in ride.layout.states:
            offset[ride.layout.state(f"{body}.yaw")] += turned
    return state._replace(offset=offset)
