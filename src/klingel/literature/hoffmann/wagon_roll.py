"""Roll of the loaded wagon with the high centre of mass: where wheelsets excite it, and how they move then.

The wheelsets start together, 3 mm off centre, at each speed. What other contact tables give is in the notes on
the reproduction (`soft_contact`). Source: Hoffmann (2006), section 5.1.
"""

from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, of_seeds

THESIS = "Hoffmann 2006, "
SPEEDS = tuple(float(v) for v in range(16, 45, 2))  # [m/s]
ROLLING = 3.0  # yaw is below 2 Hz, roll near 4 Hz
PHASE_SPEEDS = (14.0, 33.0)  # [m/s]
RTOL = 1e-4


def peak(case: Case, **other: object) -> Outcome:
    """Speed of the widest motion in which the carbody rolls at its own frequency, not at that of yaw."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, Setting, peak_frequency, wagon

    stand = wagon(Setting(case, "hbbills311", "PTP", 1 / 40, "loaded_high", **other))  # type: ignore[arg-type]
    found = []
    for speed in SPEEDS:
        piece = stand.hold(speed, stand.start(speed, {FRONT: 3e-3, REAR: 3e-3}), 20.0).last(8.0)
        f = peak_frequency(piece.t, piece["carbody.roll"])
        if f > ROLLING:
            found.append((piece.amplitude(FRONT), speed, f))
    if not found:
        return Outcome(None, "no roll")
    wide, speed, f = max(found)
    at_33 = min(found, key=lambda row: abs(row[1] - 33.0))[0]
    return Outcome(
        speed,
        f"{1e3 * wide:.1f} mm at {speed:g} m/s, roll {f:.2f} Hz, from {found[0][1]:g} m/s on; "
        f"near 33 m/s {1e3 * at_33:.1f} mm",
    )


def phases(case: Case, speed: float, **other: object) -> Outcome:
    """Correlation of the wheelsets' motions, seeded starts to the same side."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, Setting, correlation, wagon

    stand = wagon(Setting(case, "hbbills311", "PTP", 1 / 40, "loaded_high", **other))  # type: ignore[arg-type]
    found = []
    for generator in case.generators():
        y = generator.uniform(2e-3, 4e-3, 2)
        piece = stand.hold(speed, stand.start(speed, {FRONT: float(y[0]), REAR: float(y[1])}), 25.0).last(10.0)
        found.append(correlation(piece[FRONT], piece[REAR]))
    return of_seeds(found)


def roll(case: Case) -> dict[str, Result]:
    results: dict[str, Result] = {"resonance-roll": peak(case)}
    return results | {f"wagon-phase-{v:g}": phases(case, v) for v in PHASE_SPEEDS}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-roll",
        roll,
        failing(
            (
                Claim(
                    "resonance-roll",
                    THESIS + "figure 5.18",
                    "speed of the widest motion with the carbody rolling, loaded high, 1/40",
                    33.0,
                    "m/s",
                    2.0,
                    "'a speed interval around 33 m/s', and steps of 2 m/s here",
                ),
                Claim(
                    "wagon-phase-14",
                    THESIS + "figure 5.19",
                    "correlation of the wheelsets' motions at 14 m/s",
                    (-inf, 0.5),
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
            "vehicle.carbody.inertia.x",
            3.0,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
)
