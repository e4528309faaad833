"""Motions that exist side by side: several attractors, broken symmetry, weak effect of inertia.

Source: Hoffmann (2006), figures 5.1-5.3, 5.11, 5.14-5.16. Motions of a wheelset are told apart by
half their peak-to-peak width: small (below 1 mm), medium, flange to flange (beyond 5 mm to both sides); a
motion of the wagon is what its two wheelsets do. They are sought from small kicks, from hunting of one wheelset
at higher speed, and, with every seed anew, from anywhere between the flanges and from hunting of both.
"""

from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.case import SEEDS, Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, of_seeds

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import State, Wagon

THESIS = "Hoffmann 2006, "
BODIES = ("front_wheelset", "rear_wheelset")
SMALL = 1e-3  # [m]
WIDE_STARTS = 4  # of each seed
SETTLED = 30.0  # [s]
KICKS = (2e-5, 1e-4, 1e-3, 3e-3)  # of both wheelsets [m]
FRICTION = (("front_left", 0.1), ("front_right", 0.3), ("rear_left", 0.5), ("rear_right", 0.2))
MORE_INERTIA = 1.5
RTOL = 1e-4


def _wide_start(rng: np.random.Generator) -> dict[str, float]:
    """Anywhere between the flanges, some millirad of yaw, the carbody off centre as well."""
    span = {"y": 6e-3, "yaw": 4e-3}
    found = {f"{body}.{name}": rng.uniform(-most, most) for body in BODIES for name, most in span.items()}
    carbody = {"y": 1e-2, "yaw": 3e-3, "roll": 1e-2}
    return found | {f"carbody.{name}": rng.uniform(-most, most) for name, most in carbody.items()}


def _kind(width: float, flange: bool) -> str:
    return "flange" if flange else "small" if width < SMALL else "medium"


def _motion(stand: "Wagon", state: "State") -> tuple[str, float]:
    """What front and rear wheelset do at 40 m/s, and the width of the front one [mm]."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, touches_flanges

    piece = stand.hold(40.0, state, SETTLED)
    widths = [piece.last(5.0).amplitude(name) for name in (FRONT, REAR)]
    kinds = [_kind(w, touches_flanges(piece, name)) for w, name in zip(widths, (FRONT, REAR), strict=True)]
    return " and ".join(kinds), 1e3 * widths[0]


def coexisting(case: Case) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, Setting, followed, hunting_states, wagon

    stand = wagon(Setting(case, "hbbills311", "PTP", case.number("inclination", 1 / 40)))
    begins = [stand.start(40.0, {FRONT: kick, REAR: kick}) for kick in KICKS]
    for alone in (FRONT, REAR):
        begin = {FRONT: 1e-4, REAR: 1e-4} | {alone: 6e-3, alone.replace(".y", ".yaw"): 3e-3}
        begins += [stand.hold(v, stand.start(v, begin), 4.0).end for v in (45.0, 50.0)]
    always = [_motion(stand, state) for state in begins]
    widths: dict[str, list[float]] = {}
    counts = []
    hunting_at_60 = hunting_states(stand, 60.0, case)
    for generator, state in zip(case.generators(), hunting_at_60, strict=True):
        hunting = followed(stand, state, 60.0, 40.0)
        states = [stand.start(40.0, _wide_start(generator)) for _ in range(WIDE_STARTS)]
        found = [*always, *(_motion(stand, begin) for begin in [*states, *([hunting] if hunting else [])])]
        for kinds, width in found:
            widths.setdefault(kinds, []).append(width)
        counts.append(float(len({kinds for kinds, _ in found})))
    shown = ", ".join(f"{kinds} ({np.mean(mm):.2f} mm)" for kinds, mm in sorted(widths.items()))
    return {"attractors-at-40": of_seeds(counts, f"front and rear wheelset (width of the front one): {shown}")}


def broken_symmetry(case: Case) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import (
        FRONT,
        REAR,
        Setting,
        followed,
        hunting_states,
        touches_flanges,
        wagon,
    )

    stand = wagon(Setting(case, "hbbills311", "PTP", 1 / 40, friction=FRICTION))
    alone = []
    for state in hunting_states(stand, 60.0, case):
        begin = followed(stand, state, 60.0, 37.0)
        if begin is None:
            alone.append(nan)
        else:
            piece = stand.hold(37.0, begin, 15.0)
            alone.append(float(touches_flanges(piece, FRONT)) - float(touches_flanges(piece, REAR)))
    return {"front-alone-at-37": of_seeds(alone, f"1: the front one alone, -1: the rear one; {SEEDS} starts")}


def yaw_inertia(case: Case) -> dict[str, Result]:
    """Half as much again of I_zz."""
    from klingel.literature.hoffmann.wagon_resonance import widest_speed
    from klingel.literature.hoffmann.wagon_runs import Setting

    speeds = []
    for factor in (1.0, case.number("factor on I_zz", MORE_INERTIA)):
        setting = Setting(case, "hbbills311", "PTP", 1 / 40, values=(("carbody.inertia.z", factor),))
        speeds.append(widest_speed(setting, 15.0, 7.0, 0.5).value or nan)
    return {"resonance-inertia": Outcome(speeds[1] / speeds[0], f"{speeds[0]:g} and {speeds[1]:g} m/s")}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-coexisting",
        coexisting,
        failing(
            (
                Claim(
                    "attractors-at-40",
                    THESIS + "figure 5.11",
                    "different motions of the wagon at 40 m/s, Hbbills 311 empty PTP 1/40",
                    3.0,
                    "",
                    0.0,
                    "a count",
                    "which three the thesis shows is not known",
                ),
            ),
            "inclination",
            2.0,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
    Study(
        "wagon-broken-symmetry",
        broken_symmetry,
        (
            Claim(
                "front-alone-at-37",
                THESIS + "figure 5.15",
                "front wheelset alone from flange to flange, 37 m/s, unequal friction",
                (0.5, inf),
                "",
                0.0,
                "'occurs': so in the starts that are judged",
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
    Study(
        "wagon-inertia",
        yaw_inertia,
        failing(
            (
                Claim(
                    "resonance-inertia",
                    THESIS + "figure 5.16",
                    "resonance speed with 1.5 I_zz over that with I_zz, PTP 1/40",
                    (0.816, 1.0),
                    "",
                    0.05,
                    "between the square root of (5.1) and no effect ('weak'); steps of 0.5 m/s here",
                ),
            ),
            "factor on I_zz",
            0.2,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
)
