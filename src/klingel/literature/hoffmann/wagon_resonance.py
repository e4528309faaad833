"""Resonance of the wheelsets' motion with yaw of the carbody, simulated: where they swing widest on the way down.

A chain of speeds, 10 s each; on 1/20 the wheelsets go from flange to flange at resonance, and the carbody is
looked at, for every seed by itself. What the thesis says of the medium motion in words is measured on the same
chains. Source: Hoffmann (2006), section 5.1; the estimates (5.1) are in `wagon_estimates`.
"""

from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, of_seeds

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import Setting

THESIS = "Hoffmann 2006, "
HOLD = 10.0  # at each speed, the second half is measured [s]
STARTS = 2  # of periodic motions
FLAT_SPEEDS = (10.0, 15.0, 20.0, 25.0, 30.0)  # [m/s]
STILL = 1e-4  # a motion smaller than this is at rest [m]
RTOL = 1e-4


Row = tuple[float, float, float, float]  # widest wheelset [m], speed [m/s], frequency [Hz], carbody [m]


def descents(setting: "Setting", high: float, low: float, step: float = 1.0) -> list[list[Row]]:
    """What the motion is at each speed from high to low, for several starts."""
    from klingel.literature.hoffmann.wagon_runs import CARBODY, FRONT, REAR, peak_frequency, wagon

    stand = wagon(setting)
    found = []
    for generator in setting.case.generators(STARTS):
        y = generator.uniform(-4e-3, 4e-3, 2)
        begin = stand.start(high, {FRONT: float(y[0]), REAR: float(y[1])})
        rows = []
        for speed, piece in stand.chain(np.arange(high, low - 0.5 * step, -step).tolist(), begin, HOLD):
            part = piece.last(0.5 * HOLD)
            wide = max(part.amplitude(FRONT), part.amplitude(REAR))
            rows.append((wide, speed, peak_frequency(part.t, part[FRONT]), part.amplitude(CARBODY)))
        found.append(rows)
    return found


def widest(found: list[list[Row]]) -> Outcome:
    """Speed of the widest motion, median of the starts."""
    best = [max(rows) for rows in found]
    shown = ", ".join(f"{v:g} m/s {1e3 * a:.1f} mm {f:.2f} Hz" for a, v, f, _ in best)
    return Outcome(float(np.median([v for _, v, _, _ in best])), shown)


def widest_speed(setting: "Setting", high: float, low: float, step: float = 1.0) -> Outcome:
    return widest(descents(setting, high, low, step))


def growth(found: list[list[Row]]) -> float:
    """Width at the own resonance over that at the highest speed, median of the starts."""
    return float(np.median([max(rows)[0] / rows[0][0] for rows in found]))


def simulated(case: Case) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import Setting

    steep = descents(Setting(case, "hbbills311", "PTP", 1 / 40), 24.0, 7.0)
    middle = descents(Setting(case, "hbbills311", "PTP", 1 / 30), 32.0, 10.0)
    measured = descents(Setting(case, "hbbills311", "MP", 1 / 40), 16.0, 7.0)
    ratio = np.median([max(rows)[0] for rows in measured]) / np.median([max(rows)[0] for rows in steep])
    return {
        "resonance-1in40": widest(steep),
        "resonance-1in30": widest(middle),
        "resonance-spp": widest_speed(Setting(case, "hbbills311", "SPP", 1 / 40), 25.0, 11.0),
        "resonance-loaded": widest_speed(Setting(case, "hbbills311", "PTP", 1 / 40, "loaded"), 22.0, 8.0),
        "resonance-mp-small": Outcome(float(ratio), widest(measured).note),
        "medium-grows-1in40": growth(steep),
        "medium-grows-1in30": growth(middle),
    }


def flat(case: Case) -> dict[str, Result]:
    """1/20: the carbody on the way down from flange-to-flange motion; what becomes of starts of medium size."""
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        REAR,
        SLOW,
        Setting,
        hunting_states,
        touches_flanges,
        wagon,
    )

    stand = wagon(Setting(case, "hbbills311", "PTP", case.number("inclination", 1 / 20)))
    best: list[tuple[float, float]] = []
    for state in hunting_states(stand, 60.0, case, wide=True):
        rows = [(0.0, nan)]
        for speed, piece in stand.chain(np.arange(60.0, 36.0, -2.0).tolist(), state, HOLD) if state else ():
            if touches_flanges(piece, FRONT, SLOW):
                rows.append((piece.last(0.5 * HOLD).amplitude(CARBODY), speed))
        best.append(max(rows))
    moving = 0
    for speed in FLAT_SPEEDS:
        piece = stand.hold(speed, stand.start(speed, {FRONT: 3e-3, REAR: -3e-3}), 40.0).last(5.0)
        moving += piece.amplitude(FRONT) > STILL
    shown = ", ".join(f"{1e3 * a:.1f} mm at {v:g}" for a, v in best)
    return {
        "resonance-1in20": of_seeds([v for _, v in best], f"carbody {shown} m/s"),
        "no-medium-1in20": float(moving),
    }


_NEAR = "an integer (0.5 m/s), and steps of 1 m/s here"
_COARSE = "an integer (0.5 m/s), and half of the steps of 2 m/s here"
_WIDE = "speed of the widest resonance motion"
_GROWS = "'increasing amplitude for decreasing speed', no number"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-resonance",
        simulated,
        failing(
            (
                Claim(
                    "resonance-1in40", THESIS + "figures 5.3, 5.10", f"{_WIDE}, PTP 1/40", 12.0, "m/s", 1.5, _NEAR
                ),
                Claim(
                    "resonance-1in30",
                    THESIS + "figure 5.2",
                    f"{_WIDE}, PTP 1/30",
                    18.0,
                    "m/s",
                    1.5,
                    _NEAR,
                    "the branch bends to lower speeds, as the thesis says of its own",
                ),
                Claim("resonance-spp", THESIS + "figure 5.12", f"{_WIDE}, SPP 1/40", 18.0, "m/s", 1.5, _NEAR),
                Claim(
                    "resonance-loaded",
                    THESIS + "figure 5.17",
                    f"{_WIDE}, loaded PTP 1/40",
                    12.0,
                    "m/s",
                    1.5,
                    _NEAR,
                ),
                Claim(
                    "resonance-mp-small",
                    THESIS + "figure 5.13",
                    "widest resonance motion with MP links over that with PTP links, 1/40",
                    (-inf, 1.0),
                    "",
                    0.0,
                    "'seen to be small': smaller than with PTP",
                ),
                Claim(
                    "medium-grows-1in40",
                    THESIS + "figure 5.3",
                    "width of the medium motion at its own resonance over that at 24 m/s, PTP 1/40",
                    (1.0, inf),
                    "",
                    0.0,
                    _GROWS,
                ),
                Claim(
                    "medium-grows-1in30",
                    THESIS + "figure 5.2",
                    "width of the medium motion at its own resonance over that at 32 m/s, PTP 1/30",
                    (1.0, inf),
                    "",
                    0.0,
                    _GROWS,
                ),
            ),
            "vehicle.wheelbase",
            0.5,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
    Study(
        "wagon-resonance-1in20",
        flat,
        failing(
            (
                Claim(
                    "resonance-1in20",
                    THESIS + "figure 5.1",
                    "speed at which the carbody swings widest on flange-to-flange motion, PTP 1/20",
                    49.0,
                    "m/s",
                    1.5,
                    _COARSE,
                    "there is no peak: where it is widest is chance",
                ),
                Claim(
                    "no-medium-1in20",
                    THESIS + "section 5.1",
                    "speeds from 10 to 30 m/s at which a medium start does not come to rest, PTP 1/20",
                    0.0,
                    "",
                    0.0,
                    "a count",
                ),
            ),
            "inclination",
            0.5,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
)
