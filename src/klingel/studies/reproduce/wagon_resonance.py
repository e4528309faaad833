"""Resonance of the wheelsets' motion with yaw and roll of the carbody: estimates (5.1), (5.2), and simulations.

    f_yaw = 1/(2 pi) sqrt(4 a^2 k_y / I_zz)        f_w = V/(2 pi) sqrt(lambda / (b_0 r_0))              (5.1)
    f_roll = 1/(2 pi) sqrt(4 (L_1^2 k_z + L_2^2 k_y) / I_xx)                                            (5.2)

with k_y = (k + sum T_0i / 10 mm) Q of one corner under its load Q, the secant of its links at 10 mm; lambda the
equivalent conicity at 3 mm, the amplitude of EN 15302 (the thesis states none); k_z = (mu_0 Q + F_r) / beta the
dynamic stiffness of a leaf spring. Simulated resonance is where the wheelsets swing widest when the speed goes
down step by step. Source: Hoffmann (2006), section 5.1.
"""

from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from klingel.studies.reproduce.claim import Claim, Outcome, Result, Study

if TYPE_CHECKING:
    from klingel.studies.reproduce.wagon_runs import Setting

THESIS = "Hoffmann 2006, "
SECANT = 0.010  # deformation of the links [m]
AMPLITUDE = 0.003  # of the equivalent conicity [m]
B0, R0 = 0.75, 0.46  # [m]
HOLD = 12.0  # at each speed, the second half is measured [s]
STARTS = 3
ROLL_SPEEDS = tuple(float(v) for v in range(16, 45, 2))  # [m/s]


def link_stiffness(links: str, load: float) -> float:
    """Secant of the lateral links of one corner [N/m]."""
    from klingel.elements.link_sets import LINK_SETS

    law = LINK_SETS[links]["y"]
    return (law.stiffness + sum(limit for _, limit in law.sliders) / SECANT) * load


def estimates(seed: int) -> dict[str, Result]:
    from klingel.contact.table_conicity import equivalent_conicity
    from klingel.elements.leaf_spring import PARABOLIC
    from klingel.io.contact_cache import cached_table, wheelset_on_track
    from klingel.io.vehicle_files import load_vehicle

    results: dict[str, Result] = {}
    empty = load_vehicle("hbbills311", links="PTP").meta["parameters"]
    load = 0.25 * empty.carbody_mass * empty.gravity
    yaw = sqrt(empty.wheelbase**2 * link_stiffness("PTP", load) / empty.carbody_inertia[2]) / (2.0 * pi)
    for n, published in ((40, 12.0), (30, 18.0), (20, 49.0)):
        table = cached_table(wheelset_on_track("S1002", "UIC60", 1 / n, 1.435, R0, 1.36))
        conicity = {a: equivalent_conicity(table, 1e-3 * a) for a in (2.0, 2.5, 3.0, 4.0, 5.0)}
        implied = B0 * R0 * (2.0 * pi * yaw / published) ** 2
        shown = ", ".join(f"{a:g} mm: {value:.3f}" for a, value in conicity.items())
        speed = 2.0 * pi * yaw * sqrt(B0 * R0 / conicity[1e3 * AMPLITUDE])
        results[f"yaw-estimate-1in{n}"] = Outcome(
            speed, f"yaw {yaw:.2f} Hz; the published speed implies a conicity of {implied:.3f}; here {shown}"
        )
    loaded = load_vehicle("hbbills311", links="PTP", load="loaded_high").meta["parameters"]
    load = 0.25 * loaded.carbody_mass * loaded.gravity
    vertical = (PARABOLIC.friction * load + PARABOLIC.residual) / PARABOLIC.decay

    def roll(height: float, k_z: float) -> float:
        lateral = (height - R0) ** 2 * link_stiffness("PTP", load)
        return sqrt(4.0 * (k_z + lateral) / loaded.carbody_inertia[0]) / (2.0 * pi)

    main = PARABOLIC.friction * PARABOLIC.stiffness * PARABOLIC.static_deflection(load) + PARABOLIC.residual
    note = f"{roll(1.6, vertical):.2f} Hz with the centre of mass at 1.6 m, and there "
    note += f"{roll(1.6, main / PARABOLIC.decay):.2f} Hz with the stiffness of the main leaves alone in k_z"
    results["roll-estimate"] = Outcome(roll(loaded.carbody_height, vertical), note)
    return results


def widest_speed(setting: "Setting", high: float, low: float, seed: int, step: float = 1.0) -> Outcome:
    """Where wheelsets swing widest, over chains from high to low speed; median of several starts."""
    from klingel.studies.reproduce.wagon_runs import FRONT, REAR, peak_frequency, wagon

    stand = wagon(setting)
    found = []
    for k in range(STARTS):
        y = np.random.default_rng([seed, k]).uniform(-4e-3, 4e-3, 2)
        begin = stand.start(high, {FRONT: float(y[0]), REAR: float(y[1])})
        best = (0.0, high, 0.0)
        for speed, piece in stand.chain(np.arange(high, low - 0.5 * step, -step).tolist(), begin, HOLD):
            part = piece.last(0.5 * HOLD)
            wide = max(part.amplitude(FRONT), part.amplitude(REAR))
            best = max(best, (wide, speed, peak_frequency(part.t, part[FRONT])))
        found.append(best)
    shown = ", ".join(f"{v:g} m/s {1e3 * a:.1f} mm {f:.2f} Hz" for a, v, f in found)
    return Outcome(float(np.median([v for _, v, _ in found])), shown)


def simulated(seed: int) -> dict[str, Result]:
    from klingel.studies.reproduce.wagon_runs import Setting

    return {
        "resonance-1in40": widest_speed(Setting("hbbills311", "PTP", 1 / 40), 25.0, 6.0, seed),
        "resonance-1in30": widest_speed(Setting("hbbills311", "PTP", 1 / 30), 35.0, 8.0, seed),
        "resonance-spp": widest_speed(Setting("hbbills311", "SPP", 1 / 40), 25.0, 8.0, seed),
        "resonance-loaded": widest_speed(Setting("hbbills311", "PTP", 1 / 40, "loaded"), 25.0, 8.0, seed),
    }


def _roll_peak(overlap: float | None) -> tuple[float, str]:
    """Speed of the widest motion of wheelsets started together, above the yaw resonance."""
    from klingel.studies.reproduce.wagon_runs import FRONT, REAR, Setting, peak_frequency, wagon

    stand = wagon(Setting("hbbills311", "PTP", 1 / 40, "loaded_high", overlap=overlap))
    found = []
    for speed in ROLL_SPEEDS:
        piece = stand.hold(speed, stand.start(speed, {FRONT: 3e-3, REAR: 3e-3}), 20.0).last(8.0)
        found.append((piece.amplitude(FRONT), speed, peak_frequency(piece.t, piece["carbody.roll"])))
    wide, speed, f = max(found)
    at_33 = min(found, key=lambda row: abs(row[1] - 33.0))[0]
    return speed, f"{1e3 * wide:.1f} mm, roll {f:.2f} Hz; near 33 m/s {1e3 * at_33:.1f} mm"


def roll(seed: int) -> dict[str, Result]:
    from klingel.studies.reproduce.wagon_runs import FRONT, REAR, Setting, correlation, wagon

    speed, note = _roll_peak(None)
    other, other_note = _roll_peak(0.6e-3)
    results: dict[str, Result] = {
        "resonance-roll": Outcome(
            speed, f"{note}; contact sections overlapping by 0.6 mm: {other:g} m/s, {other_note}"
        )
    }
    stand = wagon(Setting("hbbills311", "PTP", 1 / 40, "loaded_high"))
    for v in (14.0, 33.0):
        found = []
        for k in range(STARTS):
            y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
            piece = stand.hold(v, stand.start(v, {FRONT: float(y[0]), REAR: float(y[1])}), 25.0).last(10.0)
            found.append(correlation(piece[FRONT], piece[REAR]))
        shown = ", ".join(f"{value:.2f}" for value in found)
        results[f"wagon-phase-{v:g}"] = Outcome(float(np.median(found)), f"{STARTS} starts: {shown}")
    return results


_READ = "read off the crossing of two lines in figure 5.4, printed as an integer: 1 m/s"
_NEAR = "an integer, 'near': 1 m/s, and steps of 1 m/s here"
_YAW = "speed of resonance by (5.1)"
_WIDE = "speed of the widest resonance motion"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-estimates",
        estimates,
        (
            Claim("yaw-estimate-1in40", THESIS + "(5.1), figure 5.4", f"{_YAW}, 1/40", 12.0, "m/s", 1.0, _READ),
            Claim(
                "yaw-estimate-1in30",
                THESIS + "(5.1), figure 5.4",
                f"{_YAW}, 1/30",
                18.0,
                "m/s",
                1.0,
                _READ,
                "conicity rises steeply around 2.5 mm, the first jump",
            ),
            Claim(
                "yaw-estimate-1in20",
                THESIS + "(5.1), figure 5.4",
                f"{_YAW}, 1/20",
                49.0,
                "m/s",
                1.0,
                _READ,
                "a difference of 0.002 in a conicity of 0.01",
            ),
            Claim(
                "roll-estimate",
                THESIS + "(5.2)",
                "roll frequency, loaded, centre of mass at 2.1 m",
                3.3,
                "Hz",
                0.1,
                "'about', printed to 0.1 Hz",
            ),
        ),
        fast=True,
    ),
    Study(
        "wagon-resonance",
        simulated,
        (
            Claim("resonance-1in40", THESIS + "figures 5.3, 5.10", f"{_WIDE}, PTP 1/40", 12.0, "m/s", 2.0, _NEAR),
            Claim(
                "resonance-1in30",
                THESIS + "figure 5.2",
                f"{_WIDE}, PTP 1/30",
                18.0,
                "m/s",
                2.0,
                _NEAR,
                "the branch bends to lower speeds, as the thesis says of its own",
            ),
            Claim("resonance-spp", THESIS + "figure 5.12", f"{_WIDE}, SPP 1/40", 18.0, "m/s", 2.0, _NEAR),
            Claim(
                "resonance-loaded",
                THESIS + "figure 5.17",
                f"{_WIDE}, loaded PTP 1/40",
                12.0,
                "m/s",
                2.0,
                _NEAR,
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-roll",
        roll,
        (
            Claim(
                "resonance-roll",
                THESIS + "figure 5.18",
                "speed of the widest motion above the yaw resonance, loaded high, 1/40",
                33.0,
                "m/s",
                2.0,
                "'a speed interval around 33 m/s', and steps of 2 m/s here",
            ),
            Claim(
                "wagon-phase-14",
                THESIS + "figure 5.19",
                "correlation of the wheelsets' motions at 14 m/s",
                (-1.0, 0.5),
                "-",
                0.0,
                "'with a phase shift': not in phase",
            ),
            Claim(
                "wagon-phase-33",
                THESIS + "figure 5.20",
                "correlation of the wheelsets' motions at 33 m/s",
                (0.8, 1.0),
                "-",
                0.0,
                "'in phase'",
            ),
        ),
        fast=False,
    ),
)
