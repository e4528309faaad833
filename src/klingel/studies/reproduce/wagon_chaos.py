"""Kbps with SPP links on 1/30: periodic, chaotic, and at rest, by the recipe of figures 5.29-5.31; sensitivity.

The recipe: at each speed 20 s, then the next 20 maxima, steps of 0.2 m/s, up and down. A point is periodic if
its maxima of the front wheelset lie within 0.1 mm, as close as a figure shows one point. Source: Hoffmann
(2006), section 5.2.
"""

from math import inf

import numpy as np

from klingel.studies.reproduce.claim import Claim, Outcome, Result, Study

THESIS = "Hoffmann 2006, "
ONE_POINT = 1e-4  # spread of maxima [m]
WIDE = 1e-3  # least width of a motion that is not near rest [m]
KICK = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}  # [m]
FRONT = "front_wheelset.y"
RTOL = 1e-4
PAIRS = 5


def _sweep(first: float, last: float, direction: str, start: dict[str, float]):
    from klingel.io.vehicle_files import load_vehicle
    from klingel.simulation.sweep import sweep
    from klingel.simulation.transients import THESIS as RECIPE
    from klingel.track.track import Track

    speeds = np.round(np.arange(first, last + 0.1, 0.2), 1)
    wagon, track = load_vehicle("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    return sweep(wagon, track, speeds, direction, starts=start, transient=RECIPE, rtol=RTOL, workers=1)


def diagram(seed: int) -> dict[str, Result]:
    found = _sweep(30.0, 55.0, "both", KICK)
    width = found[f"{FRONT}.amplitude"].to_numpy()
    spread = np.array([float(np.ptp(values)) if values.size else 0.0 for values in found.maxima(FRONT)])
    up = np.array([way == "up" for way in found.directions])
    periodic, moving = (spread < ONE_POINT) & (width > WIDE), width > WIDE
    order = np.argsort(found.parameter[up])
    speed, is_periodic, is_moving = (part[up][order] for part in (found.parameter, periodic, moving))
    stops = np.flatnonzero(~is_periodic)
    end = float(speed[max(stops[0] - 1, 0)]) if stops.size else float(speed[-1])
    quiet = np.flatnonzero(~is_moving | is_periodic)
    chaos = float(speed[min(quiet[-1] + 1, speed.size - 1)]) if quiet.size else float(speed[0])
    window = (speed >= 39.0) & (speed <= 41.0)
    resting = speed[~is_moving]
    told = f"going up: irregular from {end:g} m/s"
    told += f", at rest from {resting[0]:g} to {resting[-1]:g} m/s" if resting.size else ""
    return {
        "kbps-periodic": Outcome(end, told),
        "kbps-window": Outcome(float(is_periodic[window].mean()), told),
        "kbps-chaos": Outcome(chaos, told),
    }


def rest(seed: int) -> dict[str, Result]:
    """Rest followed upwards; a chain at rest is nudged by 0.05 mm at every speed."""
    from klingel.io.vehicle_files import load_vehicle
    from klingel.simulation.linear_stability import linear_critical_speed
    from klingel.track.track import Track

    found = _sweep(44.0, 54.0, "up", {FRONT: 5e-5, "rear_wheelset.y": 5e-5})
    moving = np.flatnonzero(found[f"{FRONT}.amplitude"].to_numpy() > WIDE)
    end = float(found.parameter[moving[0]]) if moving.size else inf
    wagon, track = load_vehicle("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    linear = linear_critical_speed(wagon, track, slowest=30.0, fastest=70.0, step=4.0)
    note = f"linear critical speed with stuck sliders {linear.speed:.1f} m/s" if linear else ""
    return {"kbps-rest": Outcome(end, note)}


def sensitivity(seed: int) -> dict[str, Result]:
    """Pairs of runs at 50 m/s, the front wheelset 1e-6 m apart at the start; median over seeded starts."""
    from klingel.studies.reproduce.wagon_runs import Setting, wagon

    stand = wagon(Setting("kbps", "SPP", 1 / 30))
    ratios, when = [], []
    for k in range(PAIRS):
        y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
        begin = {FRONT: float(y[0]), "rear_wheelset.y": float(y[1])}
        first = stand.hold(50.0, stand.start(50.0, begin), 20.0)
        second = stand.hold(50.0, stand.start(50.0, {**begin, FRONT: begin[FRONT] + 1e-6}), 20.0)
        apart = np.abs(first[FRONT] - second[FRONT])
        late = first.t > 15.0
        ratios.append(float(np.sqrt(np.mean(apart[late] ** 2)) / np.std(first[FRONT][late])))
        when += first.t[apart > 1e-3][:1].tolist()
    note = f"{PAIRS} pairs; 1 mm apart after {', '.join(f'{t:.1f}' for t in when)} s"
    if len(when) < PAIRS:
        note += "; the others are on a motion of period three that exists beside the chaotic one"
    return {"kbps-sensitivity": Outcome(float(np.median(ratios)), note)}


_CHANCE = (
    "the motion falls to rest somewhere above 41 m/s, by chance, and leaves it again where rest gets unstable"
)
_DIAGRAM = "an integer read off a diagram of many points: 1 m/s"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-chaos",
        diagram,
        (
            Claim(
                "kbps-periodic",
                THESIS + "figures 5.29-5.31",
                "periodic from 30 m/s up to",
                34.0,
                "m/s",
                1.0,
                _DIAGRAM,
                "tested: the same with the other reading of AUTO and an overlap of 0.02 mm, 36 with 0.6 mm; "
                "with a linear leaf spring periodic beyond 42 m/s: damping of small vertical motions decides",
            ),
            Claim(
                "kbps-window",
                THESIS + "figures 5.29-5.31",
                "share of periodic points from 39 to 41 m/s",
                (0.8, 1.0),
                "",
                0.0,
                "'a periodic window'; its ends are blurred",
                "a window of period three from 50 to 52 m/s is found instead",
            ),
            Claim(
                "kbps-chaos",
                THESIS + "figures 5.29-5.31",
                "chaotic from (going up)",
                46.0,
                "m/s",
                1.0,
                _DIAGRAM,
                _CHANCE,
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-chaos-rest",
        rest,
        (
            Claim(
                "kbps-rest",
                THESIS + "section 5.2",
                "rest stable up to, going up",
                49.0,
                "m/s",
                1.0,
                "printed integer",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-sensitivity",
        sensitivity,
        (
            Claim(
                "kbps-sensitivity",
                THESIS + "figure 5.27",
                "distance of two motions over their size, from 15 to 20 s",
                (0.7, inf),
                "",
                0.0,
                "'completely different': unrelated motions give the square root of two",
            ),
        ),
        fast=False,
    ),
)
