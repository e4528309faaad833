"""Kbps with SPP links on 1/30: what kind of chaos, how broad its spectrum, how sensitive to its start.

The thesis knows two kinds: small variations on top of a periodic motion, and a very irregular pattern. A motion
is of the second kind here if some maxima of the front wheelset lie below half of the largest, and of period n if
every n-th of its maxima is the same within 0.1 mm. Seeded starts at each speed, because a chain of speeds falls to
rest by chance. Source: Hoffmann (2006), section 5.2 and chapter 7.
"""

from math import inf, nan

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Result, Study, failing, of_seeds

THESIS = "Hoffmann 2006, "
WIDE = 1e-3  # least width of a motion that is not near rest [m]
NEAR = 1e-3  # from the track centre [m]
ONE_POINT = 1e-4  # spread of maxima [m]
FRONT, REAR = "front_wheelset.y", "rear_wheelset.y"
MOST_PERIODS = 5
SPEEDS = (36.0, *(float(v) for v in range(38, 49)), 50.0, 52.0)  # [m/s]
WINDOW, CENTRE, BEFORE = (39.0, 41.0), (40.0, 45.0), (36.0, 39.0)  # [m/s]
RTOL = 1e-4


def _start(generator: np.random.Generator) -> dict[str, float]:
    y = generator.uniform(2e-3, 4e-3, 2)
    return {FRONT: float(y[0]), REAR: float(y[1])}


def _maxima(case: Case) -> list[dict[float, np.ndarray]]:
    """For each seed the maxima of the front wheelset at each speed at which it moves [m]."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting(case, "kbps", "SPP", 1 / 30))
    found: list[dict[float, np.ndarray]] = []
    for generator in case.generators():
        begin, mine = _start(generator), {}
        for speed in SPEEDS:
            piece = stand.hold(speed, stand.start(speed, begin), 30.0).last(15.0)
            if piece.amplitude(FRONT) > WIDE:
                mine[speed] = local_maxima(piece[FRONT])
        found.append(mine)
    return found


def local_maxima(y: np.ndarray) -> np.ndarray:
    return y[1:-1][(y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:])]


def repeats(maxima: np.ndarray) -> bool:
    """Whether every n-th maximum is the same, as a diagram shows it, for some small n."""
    return any(
        maxima.size > 2 * n and float(np.abs(maxima[n:] - maxima[:-n]).max()) < ONE_POINT
        for n in range(1, MOST_PERIODS + 1)
    )


def _very_irregular_from(maxima: dict[float, np.ndarray]) -> float:
    """Lowest speed from which on every motion has maxima below half of the largest."""
    low = inf
    for speed in sorted(maxima, reverse=True):
        if maxima[speed].min() >= 0.5 * maxima[speed].max():
            break
        low = speed
    return low


def _share(maxima: dict[float, np.ndarray], part: tuple[float, float], near: bool) -> float:
    """Of the speeds of a range at which it moves: with a maximum near the track centre, or of period n."""
    chosen = [values for speed, values in maxima.items() if part[0] <= speed <= part[1]]
    if not chosen:
        return nan
    return float(np.mean([np.abs(v).min() < NEAR if near else repeats(v) for v in chosen]))


def kinds(case: Case) -> dict[str, Result]:
    found = _maxima(case)
    periodic = [[f"{speed:g}" for speed, values in mine.items() if repeats(values)] for mine in found]
    told = "of period 1 to 5 at m/s: " + "; ".join(", ".join(mine) or "none" for mine in periodic)
    peaks = [_share(mine, CENTRE, near=True) - _share(mine, BEFORE, near=True) for mine in found]
    return {
        "kbps-chaos": of_seeds([_very_irregular_from(mine) for mine in found]),
        "kbps-window": of_seeds([_share(mine, WINDOW, near=False) for mine in found], told),
        "kbps-centre-peaks": of_seeds(peaks),
        "kbps-irregular": of_seeds([1.0 - _share(mine, (SPEEDS[0], SPEEDS[-1]), near=False) for mine in found]),
    }


def spectrum(case: Case) -> dict[str, Result]:
    """Lines of the power spectrum that hold 90 % of it, at 55 and at 32 m/s, where the motion is periodic."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting(case, "kbps", "SPP", 1 / 30))
    ratios = []
    for generator in case.generators():
        begin, lines = _start(generator), []
        for speed in (55.0, 32.0):
            y = stand.hold(speed, stand.start(speed, begin), 60.0).last(40.0)[FRONT]
            power = np.sort(np.abs(np.fft.rfft((y - y.mean()) * np.hanning(y.size))) ** 2)[::-1]
            lines.append(int(np.searchsorted(np.cumsum(power), 0.9 * power.sum())) + 1)
        ratios.append(lines[0] / lines[1])
    return {"kbps-broad": of_seeds(ratios)}


def sensitivity(case: Case) -> dict[str, Result]:
    """Pairs of runs at 50 m/s, the front wheelset 1e-6 m apart at the start."""
    from klingel.literature.hoffmann.wagon_runs import Setting, wagon

    stand = wagon(Setting(case, "kbps", "SPP", 1 / 30))
    ratios, when = [], []
    for generator in case.generators():
        begin = _start(generator)
        first = stand.hold(50.0, stand.start(50.0, begin), 20.0)
        second = stand.hold(50.0, stand.start(50.0, {**begin, FRONT: begin[FRONT] + 1e-6}), 20.0)
        apart = np.abs(first[FRONT] - second[FRONT])
        late = first.t > 15.0
        ratios.append(float(np.sqrt(np.mean(apart[late] ** 2)) / np.std(first[FRONT][late])))
        when += first.t[apart > 1e-3][:1].tolist()
    return {"kbps-sensitivity": of_seeds(ratios, f"1 mm apart after {', '.join(f'{t:.1f}' for t in when)} s")}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-chaos-kinds",
        kinds,
        failing(
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
                Claim(
                    "kbps-window",
                    THESIS + "figures 5.29-5.31",
                    "share of speeds from 39 to 41 m/s with a motion of period 1 to 5",
                    (0.6, 1.0),
                    "",
                    0.0,
                    "'a periodic window'; its ends are blurred: two of three speeds",
                ),
                Claim(
                    "kbps-centre-peaks",
                    THESIS + "figure 5.29",
                    "share of speeds with a maximum within 1 mm of the track centre, 40 to 45 minus 36 to 39 m/s",
                    (0.5, inf),
                    "",
                    0.0,
                    "'peaks exist near the centre ... in the range 40 m/s to 45 m/s', so there and not below",
                ),
                Claim(
                    "kbps-irregular",
                    THESIS + "figure 5.22",
                    "share of speeds from 36 to 52 m/s with a motion not of period 1 to 5",
                    (0.5, inf),
                    "",
                    0.0,
                    "'an irregular pattern at high speeds (35 - 55 m/s)': at most of them",
                ),
            ),
            "vehicle.wheelbase",
            0.7,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
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
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
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
        leaf_springs=True,
        rtol=RTOL,
        regular=False,
    ),
)
