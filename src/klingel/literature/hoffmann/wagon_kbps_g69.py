"""Other wagons: Kbps with SPP links on 1/40, G69 with INP links on 1/20.

The thesis says of them that they behave as the Hbbills 311 does on the same inclination; its figures 5.21 and
5.24 have no printed number. So the claims here are those that distinguish the inclinations: on 1/40 the carbody
hardly moves while wheelsets go from flange to flange, on 1/20 it swings with them. Source: Hoffmann (2006),
section 5.2.
"""

from math import inf

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

THESIS = "Hoffmann 2006, "
STARTS = 3
SPEEDS = tuple(float(v) for v in range(69, 11, -1))  # gone through, downwards [m/s]
HOLD = 6.0  # [s]


def _descent(name: str, links: str, inclination: float, seed: int) -> tuple[float | None, str]:
    """Median amplitude of the carbody while the front wheelset goes from flange to flange [mm]; its end."""
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        Setting,
        hunting_states,
        touches_flanges,
        wagon,
    )

    stand = wagon(Setting(name, links, inclination))
    wide, ends = [], []
    for state in hunting_states(stand, 70.0, seed, STARTS, opposite=inclination > 1 / 30):
        alive = []
        for speed, piece in stand.chain(SPEEDS, state, HOLD):
            if not touches_flanges(piece, FRONT):  # resonance, further down, may reach the flanges again
                break
            alive.append((speed, piece.last(0.5 * HOLD).amplitude(CARBODY)))
        wide += [1e3 * amplitude for _, amplitude in alive]
        ends += [min((speed for speed, _ in alive), default=np.nan)]
    shown = ", ".join(f"{end:g}" for end in ends)
    return (float(np.median(wide)) if wide else None), f"flange to flange down to {shown} m/s"


def others(seed: int) -> dict[str, Result]:
    return {
        "kbps-1in40": Outcome(*_descent("kbps", "SPP", 1 / 40, seed)),
        "g69-1in20": Outcome(*_descent("g69", "INP", 1 / 20, seed)),
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
                (0.5, 2.0),
                "mm",
                0.0,
                "as the Hbbills 311 on 1/40, 'around 1 mm': half to twice as much",
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
    ),
)
