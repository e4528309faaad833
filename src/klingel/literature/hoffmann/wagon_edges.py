"""Motions on the border between two motions of the Hbbills 311: bisection from far states, then an orbit.

The two wheelsets hunt nearly each by itself: beside rest the wagon has a motion of the front wheelset, one of the
rear wheelset and one of both. Between two of them `kg.edge_motion` finds the motion on the border, by plain runs
and without knowing any orbit. Where that repeats, Newton's method closes it to an orbit, which must have one real
multiplier beyond 1 and the same widths. Undamped bounce and pitch of the carbody, which runs keep for minutes, are
taken out of the state the search for the orbit begins with.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import klingel as kg
from klingel._errors import InputError
from klingel.analysis.orbits.arclength import NoConvergence
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, find_near
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.validity import check
from klingel.literature.hoffmann.wagon_orbits import (
    BODIES,
    FRONT,
    LARGE,
    MIXED,
    REAR,
    RTOL,
    VehicleFamily,
    family,
)
from klingel.simulation.integration import Start as State
from klingel.simulation.integration import bare_run
from klingel.simulation.irregular.edge_motion import EdgeMotion
from klingel.simulation.request.parts import Solving

SETTLES = 150.0  # [s]
ALONG = 40.0  # time along the border, at least [s]
WAY, LONGER = 20.0, 1.0  # of a window [m], which is longer than a period [s]
NEAR, APART = 1e-5, 1e-2
PIECES = (4, 2)  # of an orbit, tried one after the other
PHASES = (0.0, 0.3, 0.6)  # of its period, at which it is begun
SAME = 0.05  # of its widths: an orbit farther from the motion on the border is another one
UNDAMPED = ("carbody.z", "carbody.pitch")
Kick = dict[str, float]


@dataclass(frozen=True)
class Pair:
    """Two starts that settle to different motions, and what tells these apart."""

    speed: float  # [m/s]
    small: Kick
    large: Kick
    coordinate: str
    told: str


FRONT_MOVES, REST_AND_FRONT, FRONT_AND_BOTH = {FRONT: 4e-3}, "rest and front wheelset", "front wheelset and both"
PAIRS: dict[float, tuple[Pair, ...]] = {
    40.0: (
        *(
            Pair(speed, {FRONT: 1e-3}, MIXED, REAR, FRONT_AND_BOTH)
            for speed in (9.05, 9.1, 9.15, 9.2, 9.25, 9.3, 9.35)
        ),
        *(Pair(speed, {}, {FRONT: 1e-3}, FRONT, REST_AND_FRONT) for speed in (8.0, 9.2)),
        Pair(10.0, {}, MIXED, FRONT, "rest and both wheelsets"),
    ),
    30.0: tuple(Pair(speed, {}, FRONT_MOVES, FRONT, REST_AND_FRONT) for speed in (17.0, 19.0, 21.0, 23.0, 25.0)),
    20.0: tuple(
        Pair(speed, {}, LARGE, REAR, "rest and both wheelsets")
        for speed in (40.0, 40.2, 40.4, 40.5, 40.6, 40.7, 41.0, 41.5)
    ),
}


def edges(inclination: float) -> list[dict[str, Any]]:
    """What is found at every pair: widths [mm] on the border, of the orbit if there is one, or why not."""
    return [edge(inclination, pair) for pair in PAIRS[inclination]]


def edge(inclination: float, pair: Pair) -> dict[str, Any]:
    told: dict[str, Any] = {"speed": pair.speed, "between": pair.told, "edge": None, "orbit": None}
    vehicle, track = kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1.0 / inclination)
    try:
        found = kg.edge_motion(
            vehicle, track, speed=pair.speed, small=pair.small, large=pair.large, coordinate=pair.coordinate,
            settling=SETTLES, duration=ALONG, window=max(WAY / pair.speed, LONGER), near=NEAR, apart=APART,
        )  # fmt: skip
    except InputError as error:
        return told | {"reason": str(error)}
    told |= {"edge": _mm(found.amplitude), "error": _mm(found.error), "kind": found.kind}
    of = family(inclination, pair.speed)
    orbit, reason = closed(of, found)
    if orbit is None:
        return told | {"reason": reason}
    z = orbit.nodes(finer=4, rates=False)[1]
    rows = np.vstack([z, z @ orbit.equations.mirror.T])
    widths = {name: 500.0 * float(np.ptp(rows[:, of.layout.state(name)])) for name in BODIES}
    if any(abs(widths[name] - told["edge"][name]) > SAME * widths[name] for name in BODIES):
        sizes = ", ".join(f"{name} {size:.4f} mm" for name, size in widths.items())
        return told | {"reason": f"closes to another orbit: {sizes}"}
    plus, minus, pairs = orbit.outside
    multiplier = float(np.abs(orbit.multipliers[0]))
    return told | {
        "orbit": widths, "period": orbit.period, "multiplier": multiplier, "outside": [plus, minus, pairs],
        "others": float(np.abs(orbit.multipliers[1])),
    }  # fmt: skip


def closed(of: VehicleFamily, found: EdgeMotion) -> tuple[Orbit | None, str]:
    """The orbit near a motion on the border, over its whole period; else why there is none."""
    if found.frequency is None:
        return None, "the motion on the border has no frequency"
    compiled, rest = of.at(found.speed)
    period, reason = 1.0 / found.frequency, ""
    for phase, pieces in product(PHASES, PIECES):
        begin = found.start
        if phase:
            run = bare_run(compiled, begin, phase * period, Solving(rtol=RTOL), None)
            begin = State(run.x[-1], run.memory[-1], run.mode[-1])
        x = begin.x.copy()
        for name in UNDAMPED:
            x[of.layout.state(name)], x[of.layout.rate_of(name)] = rest.x[of.layout.state(name)], 0.0
        try:
            start = Start(x, begin.memory.copy(), begin.mode.copy())
            orbit = find_near(of.family, found.speed, start, period, Settings(pieces=pieces, rtol=RTOL))
        except (NoConvergence, NoOrbit, FlowError) as error:
            reason = str(error)
            continue
        verdict = check(orbit)
        if verdict.valid:
            return orbit, ""
        reason = verdict.reason
    return None, reason


def _mm(sizes: dict[str, float]) -> dict[str, float]:
    return {name: 1e3 * sizes[name] for name in BODIES}
