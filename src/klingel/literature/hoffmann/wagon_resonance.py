"""Resonance of the wheelsets' motion with yaw of the carbody, simulated: where they swing widest on the way down.

A chain of speeds, 12 s each; on 1/20 the wheelsets go from flange to flange at resonance, and the carbody is
looked at. What the thesis says of the medium motion in words is measured on the same chains. Source: Hoffmann
(2006), section 5.1; the estimates (5.1) are in `wagon_estimates`.
"""

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import Setting

THESIS = "Hoffmann 2006, "
HOLD = 12.0  # at each speed, the second half is measured [s]
STARTS = 3
FLAT_SPEEDS = (10.0, 15.0, 20.0, 25.0, 30.0)  # [m/s]
STILL = 1e-4  # a motion smaller than this is at rest [m]


Row = tuple[float, float, float, float]  # widest wheelset [m], speed [m/s], frequency [Hz], carbody [m]


def descents(setting: "Setting", high: float, low: float, seed: int, step: float = 1.0) -> list[list[Row]]:
    """What the motion is at each speed from high to low, for several starts."""
    from klingel.literature.hoffmann.wagon_runs import CARBODY, FRONT, REAR, peak_frequency, wagon

    stand = wagon(setting)
    found = []
    for k in range(STARTS):
        y = np.random.default_rng([seed, k]).uniform(-4e-3, 4e-3, 2)
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


def widest_speed(setting: "Setting", high: float, low: float, seed: int, step: float = 1.0) -> Outcome:
    return widest(descents(setting, high, low, seed, step))


def growth(found: list[list[Row]], slow: float, fast: float) -> float:
    """Width at one speed over that at another, median of the starts."""
    at = [{speed: wide for wide, speed, _, _ in rows} for rows in found]
    return float(np.median([one[slow] / one[fast] for one in at]))


def simulated(seed: int) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import EMPTY_WHEEL, Setting

    steep = descents(Setting("hbbills311", "PTP", 1 / 40), 25.0, 6.0, seed)
    middle = descents(Setting("hbbills311", "PTP", 1 / 30), 35.0, 8.0, seed)
    soft = widest_speed(Setting("hbbills311", "PTP", 1 / 30, soft=EMPTY_WHEEL), 35.0, 8.0, seed)
    soft_steep = descents(Setting("hbbills311", "PTP", 1 / 40, soft=EMPTY_WHEEL), 25.0, 6.0, seed)
    measured = descents(Setting("hbbills311", "MP", 1 / 40), 16.0, 6.0, seed)
    bend = widest(middle)
    ratio = np.median([max(rows)[0] for rows in measured]) / np.median([max(rows)[0] for rows in steep])
    return {
        "resonance-1in40": widest(steep),
        "resonance-1in30": Outcome(bend.value, f"{bend.note}; with soft contact: {soft.note}"),
        "resonance-spp": widest_speed(Setting("hbbills311", "SPP", 1 / 40), 25.0, 8.0, seed),
        "resonance-loaded": widest_speed(Setting("hbbills311", "PTP", 1 / 40, "loaded"), 25.0, 8.0, seed),
        "resonance-mp-small": Outcome(float(ratio), widest(measured).note),
        "medium-grows-1in40": Outcome(
            growth(steep, 12.0, 24.0),
            f"with soft contact {growth(soft_steep, 12.0, 24.0):.1f}, and widest {widest(soft_steep).note}",
        ),
        "medium-grows-1in30": growth(middle, 18.0, 35.0),
    }


def flat(seed: int) -> dict[str, Result]:
    """1/20: the carbody on the way down from flange-to-flange motion; what becomes of starts of medium size."""
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        REAR,
        Setting,
        hunting_states,
        touches_flanges,
        wagon,
    )

    stand = wagon(Setting("hbbills311", "PTP", 1 / 20))
    best = []
    for state in hunting_states(stand, 60.0, seed, 2 * STARTS, opposite=True):
        rows = []
        for speed, piece in stand.chain(np.arange(60.0, 36.0, -1.0).tolist(), state, HOLD):
            if touches_flanges(piece, FRONT):
                rows.append((piece.last(0.5 * HOLD).amplitude(CARBODY), speed))
        best += [max(rows)] if rows else []
    moving = 0
    for speed in FLAT_SPEEDS:
        piece = stand.hold(speed, stand.start(speed, {FRONT: 3e-3, REAR: -3e-3}), 40.0).last(5.0)
        moving += piece.amplitude(FRONT) > STILL
    shown = ", ".join(f"{1e3 * a:.1f} mm at {v:g}" for a, v in best)
    return {
        "resonance-1in20": Outcome(float(np.median([v for _, v in best])), f"carbody {shown} m/s"),
        "no-medium-1in20": float(moving),
    }


_NEAR = "an integer (0.5 m/s), and steps of 1 m/s here"
_WIDE = "speed of the widest resonance motion"
_GROWS = "'increasing amplitude for decreasing speed', no number"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-resonance",
        simulated,
        (
            Claim("resonance-1in40", THESIS + "figures 5.3, 5.10", f"{_WIDE}, PTP 1/40", 12.0, "m/s", 1.5, _NEAR),
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
                (0.0, 1.0),
                "",
                0.0,
                "'seen to be small': smaller than with PTP",
            ),
            Claim(
                "medium-grows-1in40",
                THESIS + "figure 5.3",
                "width of the medium motion at 12 m/s, the printed resonance, over that at 24 m/s, PTP 1/40",
                (1.0, inf),
                "",
                0.0,
                _GROWS,
            ),
            Claim(
                "medium-grows-1in30",
                THESIS + "figure 5.2",
                "width of the medium motion at 18 m/s, the printed resonance, over that at 35 m/s, PTP 1/30",
                (1.0, inf),
                "",
                0.0,
                _GROWS,
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-resonance-1in20",
        flat,
        (
            Claim(
                "resonance-1in20",
                THESIS + "figure 5.1",
                "speed at which the carbody swings widest on flange-to-flange motion, PTP 1/20",
                49.0,
                "m/s",
                1.5,
                _NEAR,
                "10 to 13 mm from 36 to 60 m/s without a peak: where it is widest is chance",
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
        fast=False,
    ),
)
