"""Flange-to-flange motion of empty and loaded wagons: where it ends, how fast it swings, what the carbody does.

Source: Hoffmann (2006), sections 5.1 and 5.2. There the end is read off decelerating runs. The motion is
irregular, and near its end it dies by chance, so here it is followed by several wagons: seeded flange-to-flange
motions of a high speed go down by 1 m/s, each speed is held for 10 s, and a wagon is out when neither of its
wheelsets still goes from flange to flange in the last second. The end is the lowest speed that at least half of
the wagons reach. Sudden drops to the speed of interest would not do: they throw most motions off.
"""

from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import Setting, State, Wagon

THESIS = "Hoffmann 2006, "
STARTS = 6
HOLD = 10.0  # [s]
STEP = 1.0  # [m/s]
LOWEST = 10.0  # [m/s]
MEASURED = 10.0  # of a motion whose frequency and amplitude are asked for [s]

# name of the case -> wagon, links, load; speed where the motion begins [m/s]
CASES = {
    "ptp": ("hbbills311", "PTP", "empty", 60.0),
    "spp": ("hbbills311", "SPP", "empty", 80.0),
    "mp": ("hbbills311", "MP", "empty", 60.0),
    "g69": ("g69", "PTP", "empty", 45.0),
    "loaded": ("hbbills311", "PTP", "loaded", 90.0),
    "loaded-high": ("hbbills311", "PTP", "loaded_high", 90.0),
}
READING = "an integer read off a decelerating run (0.5 m/s), and steps of 1 m/s here"


def _setting(case: str, inclination: float = 1 / 40) -> "Setting":
    from klingel.literature.hoffmann.wagon_runs import Setting

    name, links, load, _ = CASES[case]
    return Setting(name, links, inclination, load)


def descent(stand: "Wagon", state: "State", high: float) -> tuple[float, float]:
    """Lowest speed at which a motion goes from flange to flange: with the front wheelset, with any wheelset."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, touches_flanges

    front = any_one = inf
    for speed, piece in stand.chain(np.arange(high, LOWEST, -STEP).tolist(), state, HOLD):
        touching = touches_flanges(piece, FRONT), touches_flanges(piece, REAR)
        if not any(touching):
            break
        any_one = speed
        front = speed if touching[0] else front
    return front, any_one


def end_speed(setting: "Setting", high: float, seed: int) -> Outcome:
    """Lowest speed that at least half of the wagons reach on flange-to-flange motion, with any wheelset."""
    from klingel.literature.hoffmann.wagon_runs import hunting_states, wagon

    stand = wagon(setting)
    found = [descent(stand, state, high) for state in hunting_states(stand, high, seed, STARTS)]
    found = [pair for pair in found if pair[1] < inf]  # the others were not on the motion at `high` either
    if not found:
        return Outcome(None, f"no motion from flange to flange at {high:g} m/s")
    shown = ", ".join(f"{end:g}" if end == front else f"{end:g} (front {front:g})" for front, end in found)
    ends = sorted(end for _, end in found)
    return Outcome(ends[(len(ends) + 1) // 2 - 1], f"{len(found)} starts end at {shown} m/s")


def ends(case: str, seed: int) -> dict[str, Result]:
    return {f"wagon-ends-{case}": end_speed(_setting(case), CASES[case][3], seed)}


def _end_study(case: str, published: float | tuple[float, float], source: str, what: str, note: str = "") -> Study:
    quantity = f"flange-to-flange motion ends, {what}"
    claim = Claim(f"wagon-ends-{case}", THESIS + source, quantity, published, "m/s", 1.5, READING, note)
    return Study(f"wagon-end-{case}", partial(ends, case), (claim,), fast=False)


def _settled(inclination: float, speed: float, seed: int, count: int) -> list[tuple[float, float]]:
    """Frequency of the front wheelset and amplitude of the carbody of motions that are alive at a speed."""
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        REAR,
        hunting_states,
        peak_frequency,
        touches_flanges,
        wagon,
    )

    stand = wagon(_setting("ptp", inclination))
    found = []
    for state in hunting_states(stand, 60.0, seed, count, opposite=inclination > 1 / 30):
        piece = stand.hold(speed, state, 5.0 + MEASURED)
        if touches_flanges(piece, FRONT) and touches_flanges(piece, REAR):
            part = piece.last(MEASURED)
            found.append((peak_frequency(part.t, part[FRONT]), part.amplitude(CARBODY)))
    return found


def frequencies(seed: int) -> dict[str, Result]:
    results: dict[str, Result] = {}
    for name, inclination, speed in (("1in40", 1 / 40, 45.0), ("1in20", 1 / 20, 50.0)):
        found = [f for f, _ in _settled(inclination, speed, seed, 4)]
        note = f"{len(found)} motions, {min(found):.2f} to {max(found):.2f} Hz" if found else "no motion survived"
        results[f"hunting-frequency-{name}"] = Outcome(float(np.median(found)) if found else None, note)
    return results


def carbody(seed: int) -> dict[str, Result]:
    results: dict[str, Result] = {}
    for name, inclination in (("1in40", 1 / 40), ("1in30", 1 / 30), ("1in20", 1 / 20)):
        found = [1e3 * a for v in (46.0, 50.0, 54.0, 58.0) for _, a in _settled(inclination, v, seed, 2)]
        note = f"{len(found)} motions at 46 to 58 m/s, {min(found):.1f} to {max(found):.1f} mm" if found else ""
        results[f"hunting-carbody-{name}"] = Outcome(float(np.median(found)) if found else None, note)
    return results


def from_the_centre(seed: int) -> dict[str, Result]:
    """Small starts at 50 m/s, a minute each."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, touches_flanges, wagon

    stand = wagon(_setting("ptp"))
    reached, widths = 0, []
    for k in range(STARTS):
        y = np.random.default_rng([seed, k]).uniform(1e-4, 5e-4, 2)
        piece = stand.hold(50.0, stand.start(50.0, {FRONT: float(y[0]), REAR: float(y[1])}), 60.0)
        reached += touches_flanges(piece, FRONT)
        widths.append(1e3 * piece.last(5.0).amplitude(FRONT))
    shown = ", ".join(f"{width:.1f}" for width in widths)
    return {"centre-to-flange-50": Outcome(float(reached), f"{STARTS} starts, widths after a minute {shown} mm")}


def bracket(seed: int) -> dict[str, Result]:
    """Largest lateral deformation of the front left links on 1/20 at 60 m/s."""
    from klingel.io.vehicle.files import load_vehicle
    from klingel.literature.hoffmann.wagon_runs import flange_start
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    begin = flange_start(np.random.default_rng([seed, 0]), opposite=True)
    track = Track.straight(inclination=1 / 20)
    run = simulate(load_vehicle("hbbills311", links="PTP"), track, 60.0, 10.0, begin, rtol=1e-4, placing="bare")
    y = run["front_left.link_y.deformation"].to_numpy()[run.time > 5.0]
    return {"bracket-reached": 1e3 * float(np.abs(y).max())}


_PRINTED = "half of the printed digit, and as much for the width of the peak of an aperiodic motion"
_CARBODY = "'around 1 mm' is an order of magnitude: half to twice as much"

_G69 = (
    "a decelerating run lags: braked by 0.25 m/s2 the motion dies at 23.1, by 1 m/s2 at 22 m/s (deceleration not "
    "printed); 24 in nearly every variant: wheel friction 0.35 and 0.4, other reading of AUTO, soft contact, "
    "overlap 0.6 mm, contact damping 500 kN s/m, MP links; linear leaf springs 28, wheels of 0.46 m 25"
)
_SPP = (
    "dies by chance over several m/s: the published run is one draw; braked by 0.25 m/s2 it dies at 65 "
    "to 68, by 1 m/s2 at 62 m/s"
)

STUDIES: tuple[Study, ...] = (
    _end_study("ptp", (38.0, 38.7), "text and figure 5.9; VOCOLIN figure 5.43", "Hbbills 311 empty PTP 1/40"),
    _end_study("spp", 66.0, "figure 5.12", "Hbbills 311 empty SPP 1/40", _SPP),
    _end_study("mp", 35.0, "figure 5.13", "Hbbills 311 empty MP 1/40"),
    _end_study("g69", 22.0, "figure 5.23", "G69 empty PTP 1/40", _G69),
    _end_study("loaded", (60.0, inf), "figure 5.17", "Hbbills 311 loaded PTP 1/40"),
    _end_study("loaded-high", (60.0, inf), "figure 5.18", "Hbbills 311 loaded, high centre of mass, PTP 1/40"),
    Study(
        "wagon-frequencies",
        frequencies,
        (
            Claim(
                "hunting-frequency-1in40",
                THESIS + "figure 5.6",
                "front wheelset, 45 m/s, 1/40",
                6.4,
                "Hz",
                0.1,
                _PRINTED,
            ),
            Claim(
                "hunting-frequency-1in20",
                THESIS + "figure 5.5",
                "front wheelset, 50 m/s, 1/20",
                1.3,
                "Hz",
                0.1,
                _PRINTED,
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-carbody",
        carbody,
        (
            Claim(
                "hunting-carbody-1in40",
                THESIS + "section 5.1",
                "carbody on flange-to-flange motion, 1/40, half of peak to peak",
                (0.5, 2.0),
                "mm",
                0.0,
                _CARBODY,
            ),
            Claim(
                "hunting-carbody-1in30",
                THESIS + "section 5.1",
                "carbody on flange-to-flange motion, 1/30, half of peak to peak",
                (0.5, 2.0),
                "mm",
                0.0,
                _CARBODY,
                "0.1 to 2 mm on any contact table, with either reading of AUTO; wheel friction 0.4: 0.2 to 1.5, "
                "0.2: 3 to 5 mm",
            ),
            Claim(
                "hunting-carbody-1in20",
                THESIS + "section 5.1",
                "carbody on flange-to-flange motion, 1/20, half of peak to peak",
                (5.0, inf),
                "mm",
                0.0,
                "'violently oscillating' against 1 mm: at least five times as much",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-from-centre",
        from_the_centre,
        (
            Claim(
                "centre-to-flange-50",
                THESIS + "figure 5.45",
                "small starts that end up on flange-to-flange motion, 50 m/s, PTP 1/40",
                (1.0, float(STARTS)),
                "",
                0.0,
                "one is shown: at least one",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-bracket",
        bracket,
        (
            Claim(
                "bracket-reached",
                THESIS + "figure 5.36",
                "lateral deformation of the front left links on flange-to-flange motion, PTP 1/20, 60 m/s",
                (10.0, inf),
                "mm",
                0.0,
                "'larger than 10 mm', where the bracket begins",
            ),
        ),
        fast=False,
    ),
)
