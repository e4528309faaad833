"""Kbps with SPP links on 1/30: periodic, chaotic, and at rest, by the recipe of figures 5.29-5.31.

The recipe: at each speed 20 s, then the next 20 maxima, steps of 0.2 m/s, up and down. A point is periodic if
its maxima of the front wheelset lie within 0.1 mm, as close as a figure shows one point, and of period n if every
n-th of them does. Source: Hoffmann (2006), section 5.2.
"""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

if TYPE_CHECKING:
    from klingel.simulation.sweep.result import Sweep

THESIS = "Hoffmann 2006, "
ONE_POINT = 1e-4  # spread of maxima [m]
WIDE = 1e-3  # least width of a motion that is not near rest [m]
KICK = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}  # [m]
FRONT = "front_wheelset.y"
MOST_PERIODS = 5
SHORTEST = 0.5  # window that is told of [m/s]
FULL = "full"  # reading of AUTO
RTOL = 1e-4


def _sweep(
    first: float, last: float, direction: str, start: dict[str, float], reading: str | None = None
) -> "Sweep":
    from klingel.analysis.transients import THESIS as RECIPE
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.sweep.sweep import sweep
    from klingel.track.track import Track

    speeds = np.round(np.arange(first, last + 0.1, 0.2), 1)
    wagon = load_vehicle("kbps", links="SPP", leaf_model=reading)
    track = Track.straight(inclination=1 / 30)
    return sweep(
        wagon, track, speeds, direction, starts=start, transient=RECIPE, rtol=RTOL, workers=1, placing="bare"
    )  # fmt: skip


class _Diagram(NamedTuple):
    """One way through the speeds, sorted by speed."""

    speed: np.ndarray
    maxima: list[np.ndarray]  # of the front wheelset [m]
    periodic: np.ndarray  # all maxima one point
    repeating: np.ndarray  # of period n up to MOST_PERIODS
    moving: np.ndarray


def _way(found: "Sweep", way: str) -> _Diagram:
    chosen = np.array([direction == way for direction in found.directions])
    places = np.flatnonzero(chosen)[np.argsort(found.parameter[chosen])]
    width = found[f"{FRONT}.amplitude"].to_numpy()[places]
    everything = found.maxima(FRONT)
    maxima = [np.asarray(everything[k]) for k in places]
    spread = np.array([float(np.ptp(values)) if values.size else 0.0 for values in maxima])
    moving, again = width > WIDE, np.array([_repeats(values) for values in maxima])
    return _Diagram(found.parameter[places], maxima, (spread < ONE_POINT) & moving, again & moving, moving)


def _repeats(maxima: np.ndarray) -> bool:
    """Whether every n-th maximum is the same, as a diagram shows it, for some small n."""
    return any(
        maxima.size > 2 * n and float(np.abs(maxima[n:] - maxima[:-n]).max()) < ONE_POINT
        for n in range(1, MOST_PERIODS + 1)
    )


def _hysteresis(up: _Diagram) -> tuple[float, float]:
    """Largest difference of the maxima of periodic motions up to 34 m/s going up and down [m], and its speed."""
    down = _way(_sweep(30.0, 36.0, "down", KICK), "down")
    up = up._replace(speed=up.speed[: down.speed.size], maxima=up.maxima[: down.speed.size])
    both = up.periodic[: down.speed.size] & down.periodic & (down.speed <= 34.0)
    apart = [(abs(float(a.mean() - b.mean())), float(v))
             for v, a, b, ok in zip(up.speed, up.maxima, down.maxima, both, strict=True) if ok]  # fmt: skip
    return max(apart, default=(0.0, 0.0))


def _other_reading() -> str:
    """Periodic windows if the leaf springs keep their full law near rest."""
    way = _way(_sweep(34.0, 44.0, "up", KICK, FULL), "up")
    ends = np.flatnonzero(np.diff(np.concatenate([[0], way.repeating.astype(int), [0]])))
    windows = [(way.speed[a], way.speed[b - 1]) for a, b in ends.reshape(-1, 2)]
    shown = ", ".join(f"{a:g} to {b:g}" for a, b in windows if b - a > SHORTEST)
    return f"periodic with the other reading of AUTO: {shown} m/s"


def diagram(seed: int) -> dict[str, Result]:
    up = _way(_sweep(30.0, 55.0, "up", KICK), "up")
    stops = np.flatnonzero(~up.periodic)
    end = float(up.speed[max(stops[0] - 1, 0)]) if stops.size else float(up.speed[-1])
    window = (up.speed >= 39.0) & (up.speed <= 41.0)
    resting = up.speed[~up.moving]
    told = f"going up: irregular from {end:g} m/s"
    told += f", at rest from {resting[0]:g} to {resting[-1]:g} m/s" if resting.size else ""
    jump, at = _hysteresis(up)
    near = [np.abs(values).min() for v, values, moves in zip(up.speed, up.maxima, up.moving, strict=True)
            if 40.0 <= v <= 45.0 and moves and values.size]  # fmt: skip
    return {
        "kbps-periodic": Outcome(end, told),
        "kbps-window": Outcome(float(up.repeating[window].mean()), f"{told}; {_other_reading()}"),
        "kbps-hysteresis": Outcome(1e3 * jump, f"at {at:g} m/s"),
        "kbps-centre-peaks": Outcome(1e3 * float(min(near)) if near else None, f"{len(near)} speeds that move"),
    }


def rest(seed: int) -> dict[str, Result]:
    """Rest followed upwards; a chain at rest is nudged by 0.05 mm at every speed."""
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.track.track import Track

    found = _sweep(44.0, 54.0, "up", {FRONT: 5e-5, "rear_wheelset.y": 5e-5})
    moving = np.flatnonzero(found[f"{FRONT}.amplitude"].to_numpy() > WIDE)
    end = float(found.parameter[moving[0]]) if moving.size else inf
    wagon, track = load_vehicle("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    linear = linear_critical_speed(wagon, track, slowest=30.0, fastest=70.0, step=4.0)
    note = f"linear critical speed with stuck sliders {linear.speed:.1f} m/s" if linear else ""
    return {"kbps-rest": Outcome(end, note)}


_DIAGRAM = "printed integer, and steps of 0.2 m/s"

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
                0.7,
                _DIAGRAM,
                "35.6 to 36.2 on any contact table and with the other reading of AUTO; wheel friction 0.4: 35.0, "
                "0.2: 36.6; linear leaf springs: 45.8",
            ),
            Claim(
                "kbps-window",
                THESIS + "figures 5.29-5.31",
                "share of points of period 1 to 5 from 39 to 41 m/s",
                (0.8, 1.0),
                "",
                0.0,
                "'a periodic window'; its ends are blurred",
            ),
            Claim(
                "kbps-hysteresis",
                THESIS + "figures 5.29-5.31",
                "largest difference of the maxima going up and down, periodic motion at 30 to 34 m/s",
                (0.05, inf),
                "mm",
                0.0,
                "'a minor jump, and hysteresis': as much as a diagram of some millimetres shows",
            ),
            Claim(
                "kbps-centre-peaks",
                THESIS + "figure 5.29",
                "maximum of the front wheelset nearest to the track centre, 40 to 45 m/s",
                (0.0, 1.0),
                "mm",
                0.0,
                "'peaks near the centre of the track': within a millimetre of it",
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
                0.7,
                _DIAGRAM,
                "growth is slow: in 40 s a kick of 0.05 mm gets away from 48.5 m/s on, of 0.01 mm from 49.5 on",
            ),
        ),
        fast=False,
    ),
)
