"""Flange-to-flange motion of empty and loaded wagons: how fast it swings, what the carbody does, what reaches it.

Source: Hoffmann (2006), sections 5.1 and 5.4. The motion is irregular: each seed is a start of its own, settled at
a high speed and taken down by and by. Where the motion ends is in `wagon_ends`.
"""

from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from klingel.literature.reproduce.case import Case, Wrong
from klingel.literature.reproduce.claim import Claim, Result, Study, failing, of_seeds

if TYPE_CHECKING:
    from klingel.literature.hoffmann.wagon_runs import Wagon

THESIS = "Hoffmann 2006, "
HIGH = 60.0  # where motions begin; for a frequency at 45 m/s 50 [m/s]
MEASURED = 10.0  # of a motion whose frequency and amplitude are asked for [s]
SPEEDS = (58.0, 54.0, 50.0, 46.0)  # at which the carbody is looked at, on the way down [m/s]
INCLINATIONS = {"1in40": 1 / 40, "1in30": 1 / 30, "1in20": 1 / 20}
RTOL = 1e-4

Row = tuple[float, float]  # frequency of the front wheelset [Hz], amplitude of the carbody [mm]


def _settled(
    case: Case, inclination: float, speeds: tuple[float, ...], bodies: int, high: float = HIGH
) -> list[list[Row]]:
    """For each seed what is measured where the front wheelset, or both, hunt; drawn again if that is nowhere."""
    from klingel.literature.hoffmann.wagon_runs import TRIES, Setting, wagon

    stand = wagon(Setting(case, "hbbills311", "PTP", inclination))
    found = []
    for generator in case.generators():
        rows: list[Row] = []
        for _ in range(TRIES):
            rows = _way_down(stand, generator, inclination > 1 / 30, (high, *speeds), bodies)
            if rows:
                break
        found.append(rows)
    return found


def _way_down(
    stand: "Wagon", generator: np.random.Generator, wide: bool, speeds: tuple[float, ...], bodies: int
) -> list[Row]:
    from klingel.literature.hoffmann.wagon_runs import (
        CARBODY,
        FRONT,
        QUICK,
        REAR,
        SLOW,
        followed,
        hunting_state,
        peak_frequency,
        touches_flanges,
    )

    state, before, rows = hunting_state(stand, speeds[0], generator, wide), speeds[0], []
    for speed in speeds[1:]:
        state, before = followed(stand, state, before, speed), speed
        if state is None:
            break
        piece = stand.hold(speed, state, 5.0 + MEASURED)
        if all(touches_flanges(piece, name, SLOW if wide else QUICK) for name in (FRONT, REAR)[:bodies]):
            part = piece.last(MEASURED)
            rows.append((peak_frequency(part.t, part[FRONT]), 1e3 * part.amplitude(CARBODY)))
    return rows


def frequencies(case: Case) -> dict[str, Result]:
    results: dict[str, Result] = {}
    for name, high, speed in (("1in40", 50.0, 45.0), ("1in20", HIGH, 50.0)):
        found = _settled(case, INCLINATIONS[name], (speed,), 1, high)
        results[f"hunting-frequency-{name}"] = of_seeds([rows[0][0] if rows else nan for rows in found])
    return results


def carbody(case: Case) -> dict[str, Result]:
    """Of each seed the median of the speeds."""
    results: dict[str, Result] = {}
    for name, inclination in INCLINATIONS.items():
        found = [[mm for _, mm in rows] for rows in _settled(case, inclination, SPEEDS, 2)]
        every = [mm for rows in found for mm in rows]
        note = f"{len(every)} motions at 46 to 58 m/s, {min(every):.1f} to {max(every):.1f} mm" if every else ""
        values = [float(np.median(rows)) if rows else nan for rows in found]
        results[f"hunting-carbody-{name}"] = of_seeds(values, note)
    return results


def from_the_centre(case: Case) -> dict[str, Result]:
    """Small starts at 50 m/s, a minute each."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, Setting, wagon

    stand = wagon(Setting(case, "hbbills311", "PTP"))
    widths = []
    for generator in case.generators():
        y = generator.uniform(1e-4, 5e-4, 2)
        piece = stand.hold(50.0, stand.start(50.0, {FRONT: float(y[0]), REAR: float(y[1])}), 60.0)
        widths.append(nan if piece.status else 1e3 * piece.last(5.0).amplitude(FRONT))
    return {"centre-to-flange-50": of_seeds(widths)}


def bracket(case: Case) -> dict[str, Result]:
    """Largest lateral deformation of the front left links on 1/20 at 60 m/s, in the last seconds."""
    from klingel.literature.hoffmann.wagon_runs import FLANGE, SLOW, WIDE_TRIES, flange_start
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    vehicle, track, rtol = (
        case.wagon("hbbills311", links="PTP"),
        Track.straight(inclination=1 / 20),
        case.rtol(RTOL),
    )
    farthest = []
    for generator in case.generators():
        found = nan
        for _ in range(WIDE_TRIES):
            run = simulate(vehicle, track, HIGH, 12.0, flange_start(generator, wide=True), rtol=rtol)
            late = run.time > run.time[-1] - SLOW
            y, links = (
                run[name].to_numpy()[late] for name in ("front_wheelset.y", "front_left.link_y.deformation")
            )
            if y.max() > FLANGE and y.min() < -FLANGE:
                found = 1e3 * float(np.abs(links).max())
                break
        farthest.append(found)
    return {"bracket-reached": of_seeds(farthest)}


_PRINTED = "half of the printed digit, and as much for the width of the peak of an aperiodic motion"
_AROUND = "'around 1 mm' is an order of magnitude: half to twice as much"
_AMPLITUDE = "carbody on flange-to-flange motion, {}, half of peak to peak, median of four speeds"
_UNKNOWN = (
    "the carbody of one seed is quiet at one speed and moves with the wheelsets at the next; that is so on every "
    "contact table and in both readings, and what decides is not known"
)

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-frequencies",
        frequencies,
        failing(
            (
                Claim(
                    "hunting-frequency-1in40",
                    THESIS + "figure 5.6",
                    "front wheelset, 45 m/s, 1/40",
                    6.4,
                    "Hz",
                    0.1,
                    _PRINTED,
                    wrong=Wrong("vehicle.wheelset.mass", 2.0),
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
            "vehicle.links.y.stiffness",
            3.0,
            "hunting-frequency-1in20",
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
    Study(
        "wagon-carbody",
        carbody,
        failing(
            (
                *(
                    Claim(
                        f"hunting-carbody-{name}",
                        THESIS + "section 5.1",
                        _AMPLITUDE.format(f"1/{name[3:]}"),
                        (0.5, 2.0),
                        "mm",
                        0.0,
                        _AROUND,
                        note,
                    )
                    for name, note in (("1in40", ""), ("1in30", _UNKNOWN))
                ),
                Claim(
                    "hunting-carbody-1in20",
                    THESIS + "section 5.1",
                    _AMPLITUDE.format("1/20"),
                    (5.0, inf),
                    "mm",
                    0.0,
                    "'violently oscillating' against 1 mm: at least five times as much",
                ),
            ),
            "vehicle.carbody.mass",
            0.3,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
    Study(
        "wagon-from-centre",
        from_the_centre,
        (
            Claim(
                "centre-to-flange-50",
                THESIS + "figure 5.45",
                "front wheelset a minute after a small start, half of peak to peak, 50 m/s, PTP 1/40",
                (5.0, inf),
                "mm",
                0.0,
                "'eventually ends up on a flange-to-flange attractor', 5 mm from the centre",
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
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
                "'displacements larger than 10 mm', where the bracket begins",
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
)
