"""Roll of the loaded wagon with the high centre of mass: where wheelsets excite it, and how they move then.

The wheelsets start together, 3 mm off centre, at each speed. Everything is computed again with contact points
that do not jump next to the track centre (`soft_contact`), because the conicity of motions of a millimetre decides
where they meet the roll: on a table made for the wheel load of the loaded wagon, and on one made for the empty
wagon (the thesis does not say for which load its tables are); and with leaf springs that keep their full law near
rest, which damps it. Source: Hoffmann (2006), section 5.1.
"""

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

THESIS = "Hoffmann 2006, "
SPEEDS = tuple(float(v) for v in range(16, 45, 2))  # [m/s]
ROLLING = 3.0  # yaw is below 2 Hz, roll near 4 Hz
STARTS = 3
PHASE_SPEEDS = (14.0, 33.0)  # [m/s]


def _wagon(**other: object):
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    return wagon(Setting("hbbills311", "PTP", 1 / 40, "loaded_high", **other))  # type: ignore[arg-type]


def peak(**other: object) -> tuple[float | None, str]:
    """Speed of the widest motion in which the carbody rolls at its own frequency, not at that of yaw."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, peak_frequency

    stand = _wagon(**other)
    found = []
    for speed in SPEEDS:
        piece = stand.hold(speed, stand.start(speed, {FRONT: 3e-3, REAR: 3e-3}), 20.0).last(8.0)
        f = peak_frequency(piece.t, piece["carbody.roll"])
        if f > ROLLING:
            found.append((piece.amplitude(FRONT), speed, f))
    if not found:
        return None, "no roll"
    wide, speed, f = max(found)
    at_33 = min(found, key=lambda row: abs(row[1] - 33.0))[0]
    return speed, (
        f"{1e3 * wide:.1f} mm at {speed:g} m/s, roll {f:.2f} Hz, from {found[0][1]:g} m/s on; "
        f"near 33 m/s {1e3 * at_33:.1f} mm"
    )


def phases(seed: int, speed: float, **other: object) -> list[float]:
    """Correlation of the wheelsets' motions, seeded starts to the same side."""
    from klingel.literature.hoffmann.wagon_runs import FRONT, REAR, correlation

    stand = _wagon(**other)
    found = []
    for k in range(STARTS):
        y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
        piece = stand.hold(speed, stand.start(speed, {FRONT: float(y[0]), REAR: float(y[1])}), 25.0).last(10.0)
        found.append(correlation(piece[FRONT], piece[REAR]))
    return found


def _variants() -> dict[str, dict[str, object]]:
    from klingel.literature.hoffmann.wagon_runs import EMPTY_WHEEL, LOADED_WHEEL

    return {
        "soft contact, table of the loaded wagon": {"soft": LOADED_WHEEL},
        "soft contact, table of the empty wagon": {"soft": EMPTY_WHEEL},
        "the same and the other reading of AUTO": {"soft": EMPTY_WHEEL, "leaf_model": "full"},
        "the other reading of AUTO": {"leaf_model": "full"},
        "sections overlapping by 0.6 mm": {"overlap": 0.6e-3},
    }


def roll(seed: int) -> dict[str, Result]:
    speed, note = peak()
    variants = _variants()
    others = [f"{name}: {peak(**other)[1]}" for name, other in variants.items()]
    results: dict[str, Result] = {"resonance-roll": Outcome(speed, "; ".join([note, *others]))}
    for v in PHASE_SPEEDS:
        here = phases(seed, v)
        there = {name: phases(seed, v, **other) for name, other in variants.items()}
        shown = {name: ", ".join(f"{value:.2f}" for value in found) for name, found in {"": here, **there}.items()}
        told = "; ".join(f"{name}: {values}" if name else values for name, values in shown.items())
        results[f"wagon-phase-{v:g}"] = Outcome(float(np.median(here)), f"{STARTS} starts: {told}")
    return results


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-roll",
        roll,
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
