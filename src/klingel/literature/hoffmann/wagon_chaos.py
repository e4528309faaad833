"""Kbps with SPP links on 1/30: where it is periodic and where at rest, by the recipe of figures 5.29-5.31.

The recipe: at each speed 20 s, then the next 20 maxima, up and down; in steps of 0.2 m/s there, of 0.4 here. A
point is periodic if its maxima of the front wheelset lie within 0.1 mm, as close as a figure shows one point.
Source: Hoffmann (2006), section 5.2.
"""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

if TYPE_CHECKING:
    from klingel.simulation.sweep.result import Sweep

THESIS = "Hoffmann 2006, "
ONE_POINT = 1e-4  # spread of maxima [m]
WIDE = 1e-3  # least width of a motion that is not near rest [m]
KICK = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}  # [m]
FRONT = "front_wheelset.y"
STEP = 0.4  # [m/s]
RTOL = 1e-4


def _sweep(case: Case, first: float, last: float, direction: str, start: dict[str, float]) -> "Sweep":
    from klingel.analysis.transients import THESIS as RECIPE
    from klingel.simulation.sweep.sweep import sweep
    from klingel.track.track import Track

    speeds = np.round(np.arange(first, last + 0.1, STEP), 1)
    wagon, track = case.wagon("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    rtol = case.rtol(RTOL)
    return sweep(wagon, track, speeds, direction, starts=start, transient=RECIPE, rtol=rtol, workers=1)


class _Diagram(NamedTuple):
    """One way through the speeds, sorted by speed."""

    speed: np.ndarray
    maxima: list[np.ndarray]  # of the front wheelset [m]
    periodic: np.ndarray  # all maxima one point


def _way(found: "Sweep", way: str) -> _Diagram:
    chosen = np.array([direction == way for direction in found.directions])
    places = np.flatnonzero(chosen)[np.argsort(found.parameter[chosen])]
    width = found[f"{FRONT}.amplitude"].to_numpy()[places]
    everything = found.maxima(FRONT)
    maxima = [np.asarray(everything[k]) for k in places]
    spread = np.array([float(np.ptp(values)) if values.size else 0.0 for values in maxima])
    return _Diagram(found.parameter[places], maxima, (spread < ONE_POINT) & (width > WIDE))


def _hysteresis(up: _Diagram, down: _Diagram) -> tuple[float, float]:
    """Largest difference of the maxima of periodic motions up to 34 m/s going up and down [m], and its speed."""
    both = up.periodic & down.periodic & (down.speed <= 34.0)
    apart = [(abs(float(a.mean() - b.mean())), float(v))
             for v, a, b, ok in zip(up.speed, up.maxima, down.maxima, both, strict=True) if ok]  # fmt: skip
    return max(apart, default=(0.0, 0.0))


def diagram(case: Case) -> dict[str, Result]:
    up, down = (_way(_sweep(case, 30.0, 38.0, way, KICK), way) for way in ("up", "down"))
    stops = np.flatnonzero(~up.periodic)
    end = float(up.speed[max(stops[0] - 1, 0)]) if stops.size else float(up.speed[-1])
    jump, at = _hysteresis(up, down)
    return {"kbps-periodic": end, "kbps-hysteresis": Outcome(1e3 * jump, f"at {at:g} m/s")}


def rest(case: Case) -> dict[str, Result]:
    """Rest followed upwards; a chain at rest is nudged by 0.05 mm at every speed."""
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.track.track import Track

    found = _sweep(case, 44.0, 54.0, "up", {FRONT: 5e-5, "rear_wheelset.y": 5e-5})
    moving = np.flatnonzero(found[f"{FRONT}.amplitude"].to_numpy() > WIDE)
    end = float(found.parameter[moving[0]]) if moving.size else inf
    wagon, track = case.wagon("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    linear = linear_critical_speed(wagon, track, slowest=30.0, fastest=70.0, step=4.0)
    note = f"linear critical speed with stuck sliders {linear.speed:.1f} m/s" if linear else ""
    return {"kbps-rest": Outcome(end, note)}


_DIAGRAM = "printed integer (0.5 m/s), and half of the steps of 0.4 m/s"
_SLOW = (
    "printed integer (0.5 m/s), and 1 m/s for the disturbance, which is not printed: growth is so slow that in 40 "
    "s a kick of 0.05 mm gets away from 48.5 m/s on, of 0.01 mm from 49.5 on"
)

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-chaos",
        diagram,
        failing(
            (
                Claim(
                    "kbps-periodic",
                    THESIS + "figures 5.29-5.31",
                    "periodic from 30 m/s up to",
                    34.0,
                    "m/s",
                    0.7,
                    _DIAGRAM,
                    "35.6 to 36.2 on any contact table; wheel friction 0.4: 35.0, 0.2: 36.6; linear leaf springs: "
                    "45.8",
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
            ),
            "vehicle.wheelbase",
            0.7,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
    Study(
        "wagon-chaos-rest",
        rest,
        failing(
            (
                Claim(
                    "kbps-rest",
                    THESIS + "section 5.2",
                    "rest stable up to, going up",
                    49.0,
                    "m/s",
                    1.5,
                    _SLOW,
                ),
            ),
            "vehicle.wheelbase",
            0.7,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
)
