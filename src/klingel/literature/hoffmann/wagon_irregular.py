"""Kbps with SPP links on 1/30: what kind of chaos, how broad its spectrum, how sensitive to its start.

The thesis knows two kinds: small variations on top of a periodic motion, and a very irregular pattern. A motion
is of the second kind here if some maxima of the front wheelset lie below half of the largest. Seeded starts at
each speed, because a chain of speeds falls to rest by chance. Source: Hoffmann (2006), section 5.2 and chapter 7.
"""

from math import inf

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

THESIS = "Hoffmann 2006, "
WIDE = 1e-3  # least width of a motion that is not near rest [m]
KICK = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}  # [m]
FRONT = "front_wheelset.y"
FULL = "full"  # reading of AUTO
PAIRS = 5
KIND_SPEEDS = tuple(float(v) for v in range(35, 53))  # [m/s]
KIND_STARTS = 4


def _very_irregular(reading: str | None, seed: int) -> tuple[float, str]:
    """Lowest speed from which on most motions have maxima below half of the largest; what moves at each speed."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting("kbps", "SPP", 1 / 30, leaf_model=reading))
    low, told = inf, []
    for speed in sorted(KIND_SPEEDS, reverse=True):
        kinds = []
        for k in range(KIND_STARTS):
            y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
            begin = {FRONT: float(y[0]), "rear_wheelset.y": float(y[1])}
            piece = stand.hold(speed, stand.start(speed, begin), 40.0).last(20.0)
            if piece.amplitude(FRONT) > WIDE:
                peaks = local_maxima(piece[FRONT])
                kinds.append(bool(peaks.min() < 0.5 * peaks.max()))
        told.append(f"{speed:g}: {sum(kinds)}/{len(kinds)}")
        if 2 * sum(kinds) <= len(kinds):
            break
        low = speed
    return low, ", ".join(told)


def local_maxima(y: np.ndarray) -> np.ndarray:
    return y[1:-1][(y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:])]


def kinds(seed: int) -> dict[str, Result]:
    speed, told = _very_irregular(None, seed)
    other, other_told = _very_irregular(FULL, seed)
    note = f"very irregular of those that move, at m/s {told}; with the other reading of AUTO from {other:g} m/s "
    note += f"({other_told})"
    return {"kbps-chaos": Outcome(speed, note)}


def spectrum(seed: int) -> dict[str, Result]:
    """Lines of the power spectrum that hold 90 % of it, at 55 and at 32 m/s, where the motion is periodic."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting("kbps", "SPP", 1 / 30))
    lines = []
    for speed in (55.0, 32.0):
        y = stand.hold(speed, stand.start(speed, KICK), 60.0).last(40.0)[FRONT]
        power = np.sort(np.abs(np.fft.rfft((y - y.mean()) * np.hanning(y.size))) ** 2)[::-1]
        lines.append(int(np.searchsorted(np.cumsum(power), 0.9 * power.sum())) + 1)
    return {"kbps-broad": Outcome(lines[0] / lines[1], f"{lines[0]} and {lines[1]} lines of 1/40 Hz")}


def sensitivity(seed: int) -> dict[str, Result]:
    """Pairs of runs at 50 m/s, the front wheelset 1e-6 m apart at the start; median over seeded starts."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting("kbps", "SPP", 1 / 30))
    ratios, when = [], []
    for k in range(PAIRS):
        y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
        begin = {FRONT: float(y[0]), "rear_wheelset.y": float(y[1])}
        first = stand.hold(50.0, stand.start(50.0, begin), 20.0)
        second = stand.hold(50.0, stand.start(50.0, {**begin, FRONT: begin[FRONT] + 1e-6}), 20.0)
        apart = np.abs(first[FRONT] - second[FRONT])
        late = first.t > 15.0
        ratios.append(float(np.sqrt(np.mean(apart[late] ** 2)) / np.std(first[FRONT][late])))
        when += first.t[apart > 1e-3][:1].tolist()
    note = f"{PAIRS} pairs; 1 mm apart after {', '.join(f'{t:.1f}' for t in when)} s"
    if len(when) < PAIRS:
        note += "; the others are on a motion of period three that exists beside the chaotic one"
    return {"kbps-sensitivity": Outcome(float(np.median(ratios)), note)}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-chaos-kinds",
        kinds,
        (
            Claim(
                "kbps-chaos",
                THESIS + "figures 5.29-5.31, chapter 7",
                "second kind of chaos, 'a very irregular pattern', from",
                46.0,
                "m/s",
                1.5,
                "printed integer, and steps of 1 m/s here",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-spectrum",
        spectrum,
        (
            Claim(
                "kbps-broad",
                THESIS + "figure 5.25",
                "lines that hold 90 % of the power of the front wheelset, 55 m/s over 32 m/s",
                (2.0, inf),
                "",
                0.0,
                "'a broad spectrum': at least twice as many as for a periodic motion",
            ),
        ),
        fast=False,
    ),
    Study(
        "wagon-sensitivity",
        sensitivity,
        (
            Claim(
                "kbps-sensitivity",
                THESIS + "figure 5.27",
                "distance of two motions over their size, from 15 to 20 s",
                (0.7, inf),
                "",
                0.0,
                "'completely different': unrelated motions give the square root of two",
            ),
        ),
        fast=False,
    ),
)
