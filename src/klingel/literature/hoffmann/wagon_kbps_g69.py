"""Other wagons: Kbps with SPP links on 1/40, G69 with INP links on 1/20.

The thesis says of them that they behave qualitatively as the Hbbills 311 does on the same inclination, with
quantitative differences; its figures 5.21 and 5.24 have no printed number. So the claims here are those that
distinguish the inclinations: on 1/20 the carbody swings violently with the wheelsets, on 1/40 it does not.
Source: Hoffmann (2006), section 5.2.
"""

from math import inf, nan

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Result, Study, of_seeds

THESIS = "Hoffmann 2006, "
SPEEDS = tuple(float(v) for v in range(68, 43, -8))  # gone through, downwards [m/s]
HOLD = 10.0  # [s]
RTOL = 1e-4


def _carbody(case: Case, name: str, links: str, inclination: float) -> list[float]:
    """Of each seed the median amplitude of the carbody while the front wheelset touches both flanges [mm]."""
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        QUICK,
        SLOW,
        Setting,
        hunting_states,
        touches_flanges,
        wagon,
    )

    stand = wagon(Setting(case, name, links, inclination))
    found = []
    wide = inclination > 1 / 30
    for state in hunting_states(stand, 70.0, case, wide=wide):
        alive = []
        for _, piece in stand.chain(SPEEDS, state, HOLD) if state is not None else ():
            if not touches_flanges(
                piece, FRONT, SLOW if wide else QUICK
            ):  # resonance, further down, may reach the flanges again
                break
            alive.append(1e3 * piece.last(0.5 * HOLD).amplitude(CARBODY))
        found.append(float(np.median(alive)) if alive else nan)
    return found


def others(case: Case) -> dict[str, Result]:
    return {
        "kbps-1in40": of_seeds(_carbody(case, "kbps", "SPP", 1 / 40)),
        "g69-1in20": of_seeds(_carbody(case, "g69", "INP", 1 / 20)),
    }


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-others",
        others,
        (
            Claim(
                "kbps-1in40",
                THESIS + "figure 5.21",
                "carbody on flange-to-flange motion, Kbps SPP 1/40, half of peak to peak",
                (-inf, 5.0),
                "mm",
                0.0,
                "as the Hbbills 311 'qualitatively': not 'violently', five times the 1 mm said of that wagon",
                "the stiff links carry it over: 1.7 mm with PTP links, 3 mm on the Hbbills 311 with SPP links",
            ),
            Claim(
                "g69-1in20",
                THESIS + "figure 5.24",
                "carbody on flange-to-flange motion, G69 INP 1/20, half of peak to peak",
                (5.0, inf),
                "mm",
                0.0,
                "as the Hbbills 311 on 1/20, 'violently oscillating': five times 1 mm",
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
)
