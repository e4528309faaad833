"""Orbits of the Hbbills 311 over its speed: starts, branches, and borders between motions by bisection."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

import klingel as kg
from klingel._errors import InputError
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import Settings, Start, find_near
from klingel.analysis.orbits.orbit import Orbit
from klingel.numerics.trajectory import Trajectory
from klingel.simulation.integration import Start as State
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.orbits.orbit_starts import orbit_of_settled
from klingel.simulation.orbits.result import VehicleBranch, from_records, record, special_point
from klingel.simulation.orbits.vehicle_family import SPEED, VehicleFamily, vehicle_family
from klingel.simulation.request.parts import Solving

NOT_FOLLOWED = "not-followed.txt"
FRONT, REAR, CARBODY = "front_wheelset.y", "rear_wheelset.y", "carbody.y"
BODIES = (FRONT, REAR, CARBODY)
MIXED = {FRONT: 2e-3, REAR: -1e-3}
SAME = {FRONT: 4e-3, REAR: 4e-3, CARBODY: 5e-3}
LARGE = {FRONT: 5e-3, REAR: -5e-3, "front_wheelset.yaw": 3e-3, "rear_wheelset.yaw": -2e-3}
DOT_STARTS = ({FRONT: 2e-4, REAR: 1e-4}, MIXED, LARGE, SAME)
DOT_SPEEDS = np.arange(5.0, 66.0, 1.5)
SETTLED, JUDGED = 60.0, 10.0  # [s]
WINDOWS, VARIES, SMALL = 4, 0.03, 0.02  # a motion whose widths vary more from one to the next does not repeat [mm]
RTOL = 1e-8  # of meshes: contact tables are not smooth enough for less
ASIDE = 0.02  # of the size of an orbit: where plain runs leave it
FAR = 0.15  # of its size: between states as far from it as that the border is searched
LEFT = 0.02  # change of a width that tells that a run has left
BISECTIONS = 14
GROWN = 200.0  # how much a departure from an unstable orbit must have grown to be told
ROWS = 60  # of a period
LONGEST = 900.0  # of one run [s]


@dataclass(frozen=True)
class Seed:
    told: str
    speed: float  # [m/s]
    kick: dict[str, float]
    low: float
    high: float


STARTS = {
    40.0: (Seed("all sliders stuck", 9.0, MIXED, 6.0, 13.0),),
    30.0: (Seed("medium motion, lateral sliders slip", 21.0, SAME, 10.0, 45.0),),
    20.0: (Seed("wheelsets beside the middle", 27.0, LARGE, 15.0, 45.0),),
}


def family(inclination: float, speed: float) -> VehicleFamily:
    """The empty wagon with PTP links, which is how the library has it."""
    track = kg.Track.straight(inclination=1.0 / inclination)
    return vehicle_family(kg.load_vehicle("hbbills311"), track, SPEED, speed, speed)


def branches(folder: Path, inclination: float, points: int) -> list[VehicleBranch]:
    """Branches of all starts, both ways from where they begin; a start that does not close is told in a file."""
    found, told = [], folder / NOT_FOLLOWED
    told.unlink(missing_ok=True)
    for n, seed in enumerate(STARTS[inclination]):
        for way, rising in (("up", True), ("down", False)):
            path = folder / f"branch-{n + 1}-{way}.nc"
            if not path.exists():
                try:
                    _branch(inclination, seed, rising, points).save(path)
                except InputError as error:
                    with told.open("a", encoding="utf-8") as file:
                        file.write(f"{seed.told}: {error}\n")
                    break
            found.append(kg.load_branch(path))
    return found


def _branch(inclination: float, seed: Seed, rising: bool, points: int) -> VehicleBranch:
    of = family(inclination, seed.speed)
    settings = Settings(parameter_scale=seed.high - seed.low, pieces=2, rtol=RTOL)
    compiled, rest = of.at(seed.speed)
    run = bare_run(compiled, start_from_rest(compiled, rest, seed.kick), SETTLED, Solving(rtol=1e-6), None)
    begin = orbit_of_settled(of, seed.speed, State(run.x[-1], run.memory[-1], run.mode[-1]), settings)
    records = []
    within = Range(seed.low, seed.high, points, over_corners=True)
    branch = follow(begin.orbit, within, settings, None, rising, lambda o: records.append(record(o, of.layout)))
    special = [special_point(s, int(np.argmin(np.abs(branch.parameter - s.parameter))), of.layout)
               for s in branch.special]  # fmt: skip
    told = {"parameter": SPEED, "first": seed.speed, "last": seed.high if rising else seed.low,
            "inclination": inclination, "told": seed.told, "name": of.vehicle.name}  # fmt: skip
    parts = [{"ended": branch.ended}]
    return from_records(records, special, branch.ended, {**told, "parts": parts}, [0] * len(records))


def dots(inclination: float) -> list[dict]:
    """What plain runs from several starts have come to at many speeds."""
    of = family(inclination, 20.0)
    found = []
    for speed in DOT_SPEEDS:
        compiled, rest = of.at(float(speed))
        for kick in DOT_STARTS:
            run = bare_run(compiled, start_from_rest(compiled, rest, kick), SETTLED, Solving(rtol=1e-5), 0.01)
            found.append(
                {"speed": float(speed), "repeats": _repeats(of, run.t, run.x)} | _widths(of, run.t, run.x)
            )
    return found


def _widths(of: VehicleFamily, t: np.ndarray, x: np.ndarray) -> dict[str, float]:
    """Half of peak to peak at the end of a run [mm]."""
    late = x[t >= t[-1] - JUDGED]
    return {name: 500.0 * float(np.ptp(late[:, of.layout.state(name)])) for name in BODIES}


def _repeats(of: VehicleFamily, t: np.ndarray, x: np.ndarray) -> bool:
    """Whether widths are the same in windows one after the other, of a third of the time all together."""
    columns = [of.layout.state(name) for name in BODIES]
    ends = np.searchsorted(t, np.linspace(t[-1] * 2.0 / 3.0, t[-1], WINDOWS + 1))
    sizes = np.array([500.0 * np.ptp(x[a : b + 1, columns], axis=0) for a, b in pairwise(ends)])
    return bool(np.all(np.ptp(sizes, axis=0) < np.maximum(VARIES * sizes.max(axis=0), SMALL)))


def rest_band(inclination: float) -> dict[str, float]:
    """How far beside the middle friction holds the bodies [mm]."""
    track = kg.Track.straight(inclination=1.0 / inclination)
    found = kg.rest_set(kg.load_vehicle("hbbills311"), track, coordinates=[FRONT, CARBODY])
    return {name: 1e3 * float(found[name][1]) for name in (FRONT, CARBODY)}


def borders(branch: VehicleBranch, inclination: float, count: int) -> list[dict]:
    """Bisections at some of the orbits with one multiplier beyond +1, the most unstable ones."""
    outside = [int(np.sum(np.abs(branch.multipliers(k)) > 1.0001)) for k in range(branch.parameter.size)]
    real = [outside[k] == 1 and branch.multipliers(k)[0].real > 1.01 for k in range(len(outside))]
    known = np.flatnonzero(real)
    if count == 0 or known.size == 0:
        return []
    chosen = known[np.unique(np.linspace(0, known.size - 1, count + 1).astype(int)[1:])]
    of = family(inclination, float(branch.parameter[chosen[0]]))
    return [mark for k in chosen if (mark := border(of, _orbit(of, branch, int(k)))) is not None]


def _orbit(of: VehicleFamily, branch: VehicleBranch, k: int) -> Orbit:
    """A stored point as an orbit again."""
    x, memory, mode = (branch[name][k].to_numpy() for name in ("state", "memory", "mode"))
    start = Start(x, memory, mode)
    settings = Settings(half=bool(branch["half"][k]), pieces=2, rtol=RTOL)
    return find_near(of.family, float(branch.parameter[k]), start, float(branch["period"][k]), settings)


def border(of: VehicleFamily, orbit: Orbit) -> dict | None:
    """The border between the motions on both sides of an orbit with one unstable multiplier, by plain runs.

    Two runs leave the orbit on either side. Between a state of one and a state of the other, some way off, the
    border is bisected: to which side does a run go? The two runs nearest to it stay together for long, and what
    they do then is compared with the orbit. None where both sides go the same way.
    """
    e, compiled, n = orbit.equations, of.at(orbit.parameter)[0], len(of.layout.states)
    growth = float(np.log(np.abs(orbit.multipliers[0])) / orbit.period)
    first, memory = orbit.segments[0], orbit.segments[0].memory.copy()
    memory[orbit.family.at(orbit.parameter).memory_coordinates] = orbit.start[n:]
    _, z, _ = orbit.nodes(finer=4, rates=False)
    exact = _spread(of, np.vstack([z, z @ e.mirror.T]))
    long = min(LONGEST, (BISECTIONS * np.log(2.0) + np.log(GROWN)) / growth)

    def go(x: np.ndarray) -> Trajectory:
        begin = State(x.copy(), memory.copy(), first.mode.copy())
        return bare_run(compiled, begin, long, Solving(rtol=RTOL), orbit.period / ROWS)

    def leaves(run: Trajectory) -> np.ndarray | None:
        """How the widths of the bodies differ from those of the orbit when they begin to."""
        for k in range(0, run.t.size - 2 * ROWS, ROWS):
            change = _spread(of, run.x[k : k + 2 * ROWS]) / exact - 1.0
            if np.abs(change).max() > LEFT:
                return change
        return None

    away = ASIDE * _unstable_direction(orbit)[:n]
    ends = [go(orbit.start[:n] + side * away) for side in (1.0, -1.0)]
    ways = [leaves(run) for run in ends]
    if ways[0] is None or ways[1] is None or float(ways[0] @ ways[1]) > 0.0:
        return None
    states = [_farther(run, orbit, growth, n) for run in ends]
    low, high, kept = 0.0, 1.0, {}
    for _ in range(BISECTIONS):
        s = 0.5 * (low + high)
        run = go(states[0] + s * (states[1] - states[0]))
        way = leaves(run)
        if way is None:
            break
        which = int(way @ (ways[1] - ways[0]) > 0.0)
        kept[which] = run
        low, high = (s, high) if which == 0 else (low, s)
    if len(kept) < 2:
        return None
    apart = np.abs((kept[0].x - kept[1].x) / e.scale[:n]).max(axis=1)
    together = int(np.argmax(apart > ASIDE)) or apart.size
    near = _spread(of, kept[0].x[max(0, together - 2 * ROWS) : together])
    told = {"speed": orbit.parameter, "multiplier": float(np.abs(orbit.multipliers[0])),
            "together": float(kept[0].t[together - 1])}  # fmt: skip
    named = {key: dict(zip(BODIES, (500.0 * value).tolist(), strict=True)) for key, value in
             (("edge", near), ("orbit", exact))}  # fmt: skip
    return told | named


def _spread(of: VehicleFamily, x: np.ndarray) -> np.ndarray:
    """Peak to peak of the bodies [m]."""
    return np.ptp(x[:, [of.layout.state(name) for name in BODIES]], axis=0)


def _unstable_direction(orbit: Orbit) -> np.ndarray:
    e = orbit.equations
    values, vectors = np.linalg.eig(orbit.monodromy * e.scale[None, :] / e.scale[:, None])
    away = np.real(vectors[:, np.argmin(np.abs(values - orbit.floquet.values[0]))])
    return away / np.abs(away).max() * e.scale


def _farther(run: Trajectory, orbit: Orbit, growth: float, n: int) -> np.ndarray:
    """A state of a run that has left an orbit by FAR of its size, where it passes the start of the orbit."""
    begin = np.log(FAR / ASIDE) / growth
    rows = np.flatnonzero((run.t >= begin) & (run.t <= begin + 1.2 * orbit.period))
    scale = orbit.equations.scale[:n]
    return run.x[min(rows, key=lambda k: float(np.abs((run.x[k] - orbit.start[:n]) / scale).max()))]
