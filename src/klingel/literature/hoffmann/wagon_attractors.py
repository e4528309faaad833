"""Motions that exist side by side: several attractors, broken symmetry, rest with a width, weak effect of inertia.

Source: Hoffmann (2006), figures 5.1-5.3, 5.11, 5.14-5.16, 5.34, 5.35. Motions of a wheelset are told apart by
half their peak-to-peak width after a minute: small (below 1 mm), medium, flange to flange (beyond 5 mm to both
sides). They are sought from small kicks, from anywhere between the flanges, and from hunting at higher speed,
of both wheelsets or of one.
"""

from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import Setting

THESIS = "Hoffmann 2006, "
BODIES = ("front_wheelset", "rear_wheelset")
SMALL = 1e-3  # [m]
WIDE_STARTS = 16
MINUTE = 60.0  # [s]
KICKS = (2e-5, 1e-4, 1e-3, 3e-3)  # of both wheelsets [m]
FRICTION = (("front_left", 0.1), ("front_right", 0.3), ("rear_left", 0.5), ("rear_right", 0.2))


def _wide_start(rng: np.random.Generator) -> dict[str, float]:
    """Anywhere between the flanges, some millirad of yaw, the carbody off centre as well."""
    span = {"y": 6e-3, "yaw": 4e-3}
    found = {f"{body}.{name}": rng.uniform(-most, most) for body in BODIES for name, most in span.items()}
    carbody = {"y": 1e-2, "yaw": 3e-3, "roll": 1e-2}
    return found | {f"carbody.{name}": rng.uniform(-most, most) for name, most in carbody.items()}


def _kind(width: float, flange: bool) -> str:
    return "flange" if flange else "small" if width < SMALL else "medium"


def _attractors(setting: "Setting", seed: int) -> dict[str, list[float]]:
    """Settled motions at 40 m/s, as what front and rear wheelset do, with the widths of the front one [mm]."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, hunting_states, touches_flanges, wagon

    stand = wagon(setting)
    begins = [stand.start(40.0, {FRONT: kick, REAR: kick}) for kick in KICKS]
    begins += [stand.start(40.0, _wide_start(np.random.default_rng([seed, k]))) for k in range(WIDE_STARTS)]
    begins += hunting_states(stand, 60.0, seed, 3)
    for alone in (FRONT, REAR):
        begin = {FRONT: 1e-4, REAR: 1e-4} | {alone: 6e-3, alone.replace(".y", ".yaw"): 3e-3}
        begins += [stand.hold(v, stand.start(v, begin), 4.0).end for v in (45.0, 50.0)]
    found: dict[str, list[float]] = {}
    for state in begins:
        piece = stand.hold(40.0, state, MINUTE)
        widths = [piece.last(5.0).amplitude(name) for name in (FRONT, REAR)]
        kinds = [_kind(w, touches_flanges(piece, name)) for w, name in zip(widths, (FRONT, REAR), strict=True)]
        found.setdefault(" and ".join(kinds), []).append(1e3 * widths[0])
    return dict(sorted(found.items()))


def _different(widths: list[float]) -> int:
    """How many of them a figure of the front wheelset would tell apart: by a tenth."""
    ordered = sorted(widths)
    return 1 + sum(after > 1.1 * before for before, after in pairwise(ordered))


def coexisting(seed: int) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import EMPTY_WHEEL, Setting

    base = Setting("hbbills311", "PTP", 1 / 40)
    variants = {
        "": base,
        "sections overlapping by 0.6 mm": replace(base, overlap=0.6e-3),
        "soft contact next to the track centre": replace(base, soft=EMPTY_WHEEL),
    }
    told, count = [], 0.0
    for name, setting in variants.items():
        found = _attractors(setting, seed)
        count = count or float(_different([float(np.mean(mm)) for mm in found.values()]))
        shown = ", ".join(f"{kinds} ({np.mean(mm):.2f} mm)" for kinds, mm in found.items())
        told.append(f"{name}: {shown}" if name else f"front and rear wheelset (width of the front one): {shown}")
    return {"attractors-at-40": Outcome(count, "; ".join(told))}


def broken_symmetry(seed: int) -> dict[str, Result]:
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, Setting, hunting_states, touches_flanges, wagon

    stand = wagon(Setting("hbbills311", "PTP", 1 / 40, friction=FRICTION))
    pieces = [stand.hold(37.0, state, 15.0) for state in hunting_states(stand, 60.0, seed, 6)]
    front = [touches_flanges(piece, FRONT) for piece in pieces]
    rear = [touches_flanges(piece, REAR) for piece in pieces]
    alone = sum(a and not b for a, b in zip(front, rear, strict=True))
    other = sum(b and not a for a, b in zip(front, rear, strict=True))
    return {
        "front-alone-at-37": Outcome(alone / len(pieces), f"{len(pieces)} starts; the rear one alone in {other}")
    }


def yaw_inertia(seed: int) -> dict[str, Result]:
    """Half as much again of I_zz."""
    from klingel.literature.hoffmann.wagon_resonance import widest_speed
    from klingel.literature.hoffmann.wagon_runs import Setting

    speeds = []
    for factor in (1.0, 1.5):
        setting = Setting("hbbills311", "PTP", 1 / 40, values=(("carbody.inertia.z", 413250.0 * factor),))
        speeds.append(widest_speed(setting, 16.0, 6.0, seed, 0.5).value or np.nan)
    return {"resonance-inertia": Outcome(speeds[1] / speeds[0], f"{speeds[0]:g} and {speeds[1]:g} m/s")}


def rest_width(seed: int) -> dict[str, Result]:
    """Kbps at 10 m/s: from a kick with neutral sliders, and after hunting at 50 m/s."""
    from klingel.literature.hoffmann.wagon_runs import CARBODY, FRONT, REAR, Setting, wagon

    stand = wagon(Setting("kbps", "SPP", 1 / 30))
    names = (FRONT, REAR, CARBODY)
    piece = stand.hold(10.0, stand.start(10.0, {FRONT: 1e-3, REAR: 1e-3}), 40.0)
    neutral = max(abs(float(piece[name][-1])) for name in names)
    begin = stand.start(50.0, {FRONT: 3e-3, REAR: 3e-3})
    chain = list(stand.chain((50.0, 40.0, 30.0, 20.0, 10.0, 10.0), begin, 12.0))
    last = chain[-1][1]
    off = max(abs(float(last[name].mean())) for name in names)
    still = max(last.last(4.0).amplitude(name) for name in names)
    return {
        "rest-neutral": 1e3 * neutral,
        "rest-off-centre": Outcome(1e3 * off, f"moves by {1e3 * still:.3f} mm to either side"),
    }


def stability_of_rest(seed: int) -> dict[str, Result]:
    """Linear critical speed with all sliders stuck, as for motions too small to slip."""
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.track.track import Track

    wagon = load_vehicle("hbbills311", links="PTP")
    results: dict[str, Result] = {}
    for n in (40, 30, 20):
        found = linear_critical_speed(
            wagon, Track.straight(inclination=1 / n), slowest=3.0, fastest=90.0, step=3.0
        )
        note = f"{found.frequency:.2f} Hz" if found else "stable up to 90 m/s"
        results[f"rest-1in{n}"] = Outcome(found.speed if found else 90.0, note)
    return results


_REST = "speed at which rest loses its stability, Hbbills 311 PTP"
_DRAWN = "a word, no number: below a third, or beyond two thirds, of the speeds shown (5 to 60 m/s)"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-rest-stability",
        stability_of_rest,
        (
            Claim("rest-1in20", THESIS + "figure 5.1", f"{_REST}, 1/20: 'high'", (41.0, inf), "m/s", 0.0, _DRAWN),
            Claim(
                "rest-1in30",
                THESIS + "chapter 7",
                f"{_REST}, 1/30: not up to 120 km/h",
                (33.3, inf),
                "m/s",
                0.05,
                "'stable within the operating speed range (60 - 120 km/h)'",
                "by simulation 32 to 33, on soft contact 28 to 30 m/s; wheel friction has no effect",
            ),
            Claim(
                "rest-1in40", THESIS + "figure 5.3", f"{_REST}, 1/40: 'very low'", (0.0, 23.0), "m/s", 0.0, _DRAWN
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-coexisting",
        coexisting,
        (
            Claim(
                "attractors-at-40",
                THESIS + "figure 5.11",
                "different motions of the front wheelset at 40 m/s, Hbbills 311 empty PTP 1/40",
                3.0,
                "",
                0.0,
                "a count; told apart by a tenth of their width, ours",
                "the wagon has four; which three the thesis shows is not known, and no small one is among these",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-broken-symmetry",
        broken_symmetry,
        (
            Claim(
                "front-alone-at-37",
                THESIS + "figure 5.15",
                "share of starts with the front wheelset alone from flange to flange, 37 m/s, unequal friction",
                (0.5, 1.0),
                "",
                0.0,
                "'occurs': in at least half of the starts",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-inertia",
        yaw_inertia,
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
        fast=False,
    ),
    Study(
        "wagon-rest-width",
        rest_width,
        (
            Claim(
                "rest-neutral",
                THESIS + "figure 5.34",
                "off centre after a kick, neutral sliders, Kbps 10 m/s",
                0.0,
                "mm",
                0.05,
                "a line of a figure that spans some millimetres",
            ),
            Claim(
                "rest-off-centre",
                THESIS + "figure 5.35",
                "off centre after hunting, largest of the bodies, Kbps 10 m/s",
                (0.05, inf),
                "mm",
                0.0,
                "visibly off centre; how far depends on the motion before",
            ),
        ),
        fast=False,
    ),
)
