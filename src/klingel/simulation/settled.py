"""What a run has settled to, judged by its last third.

===========  ====================================================================================================
kind         when
===========  ====================================================================================================
transient    the speed changes, or the run was broken off
rest         no coordinate moves by more than a micrometre or a microradian
unsettled    the amplitude of a wheelset's lateral motion differs by more than a tenth between the two halves
periodic     the lateral motion of every wheelset repeats: maxima and periods within 2 %
irregular    anything else: several frequencies, or chaos
===========  ====================================================================================================

A simple test on rows of output, not a proof: Poincaré sections and continuation of orbits tell more. Frequencies
are one over the mean time between upward crossings of the mean; None where there are fewer than three.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from klingel.simulation.run import DONE, Run

PART = 1 / 3  # of the run that is judged
STILL = 1e-6  # half of peak to peak [m, rad]
DRIFT = 0.1  # of the amplitude, between the halves
SPREAD = 0.02  # of maxima and periods of a periodic motion


@dataclass(frozen=True)
class Settled:
    kind: str
    start: float  # of the part judged [s]
    amplitude: dict[str, float]  # half of peak to peak [m, rad]
    frequency: dict[str, float | None]  # [Hz]

    def as_dict(self) -> dict:
        return {
            "kind": self.kind, "start": self.start, "amplitude": self.amplitude, "frequency": self.frequency
        }  # fmt: skip


def positions(run: Run) -> list[str]:
    """Names of all coordinates, without velocities."""
    return [name for name in run.names["states"] if not name.endswith("_dot")]


def settled(run: Run) -> Settled:
    """Kind, amplitudes and frequencies of the last third."""
    t = run.time
    rows = t >= t[-1] - PART * (t[-1] - t[0]) if t.size else np.zeros(0, bool)
    values = {name: run[name].to_numpy()[rows] for name in positions(run)}
    amplitude = {name: half_width(v) for name, v in values.items()}
    frequency = {name: _frequency(t[rows], v) for name, v in values.items()}
    wheelsets = dict.fromkeys(wheel.rpartition(".")[0] for wheel in run.names["wheels"])
    lateral = [values[f"{name}.y"] for name in wheelsets if f"{name}.y" in values]
    kind = _kind(run, t[rows], amplitude, lateral)
    return Settled(kind, float(t[rows][0]) if rows.any() else 0.0, amplitude, frequency)


def half_width(values: np.ndarray) -> float:
    return 0.5 * float(np.ptp(values)) if values.size else 0.0


def _kind(run: Run, t: np.ndarray, amplitude: dict[str, float], lateral: list[np.ndarray]) -> str:
    if run.options["acceleration"] != 0.0 or run.status != DONE:
        return "transient"
    if max(amplitude.values(), default=0.0) < STILL:
        return "rest"
    for v in lateral:
        first, second = half_width(v[: v.size // 2]), half_width(v[v.size // 2 :])
        if abs(first - second) > DRIFT * max(first, second):
            return "unsettled"
    return "periodic" if lateral and all(_repeats(t, v) for v in lateral) else "irregular"


def _crossings(t: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Times at which v rises through its middle, between rows by a straight line."""
    w = v - 0.5 * (v.max() + v.min())
    k = np.flatnonzero((w[:-1] < 0.0) & (w[1:] >= 0.0))
    return t[k] - w[k] * (t[k + 1] - t[k]) / (w[k + 1] - w[k])


def _frequency(t: np.ndarray, v: np.ndarray) -> float | None:
    if v.size < 3 or half_width(v) < STILL:
        return None
    times = _crossings(t, v)
    return float((times.size - 1) / (times[-1] - times[0])) if times.size > 2 else None


def _repeats(t: np.ndarray, v: np.ndarray) -> bool:
    times = _crossings(t, v)
    if times.size < 4:
        return False
    periods = np.diff(times)
    edges = np.searchsorted(t, times)
    maxima = np.array([v[a:b].max() for a, b in pairwise(edges)])
    size = half_width(v)
    return bool(np.ptp(periods) < SPREAD * periods.mean() and np.ptp(maxima) < SPREAD * size)
