"""Whether a figure of speed is bought with a bias: statistics of many chaotic runs against those of fine ones.

Single trajectories of flange-to-flange motion part after a second; means over many starts may not. Compared are
the r.m.s. and the frequency of the front wheelset's lateral motion and the events per second of friction sliders,
each as a difference of means over its standard error.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from klingel.bench.row import Row
from klingel.model.builder import Compiled
from klingel.numerics.trajectory import Trajectory
from klingel.simulation.integration import Solving, Start, bare_run, rest_of, start_from_rest

STARTS = 120
TRANSIENT, DURATION, STEP = 2.0, 10.0, 0.005  # [s]
REFERENCE = Solving("dopri54", 1e-7, locate="all")
NAMES = ("rms", "frequency", "friction events")


def starts(compiled: Compiled, kick: Mapping[str, float], count: int = STARTS) -> list[Start]:
    """The kick, scaled by a tenth up and down."""
    rest = rest_of(compiled)
    return [
        start_from_rest(compiled, rest, {name: scale * value for name, value in kick.items()}, "bare")
        for scale in np.linspace(0.9, 1.1, count)
    ]


def statistics(compiled: Compiled, run: Trajectory) -> tuple[float, float, float]:
    """R.m.s. [m], frequency [1/s] and friction events per second of one run."""
    rows = run.t >= TRANSIENT
    y = run.x[rows, compiled.layout.state(f"{compiled.layout.wheelsets[0]}.y")]
    y = y - y.mean()
    upwards = np.count_nonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    friction = [k for k, kind in enumerate(compiled.layout.mode_types) if kind.__module__.endswith("dry_friction")]
    events = np.isin(run.events.owner, friction) & (run.events.time >= TRANSIENT)
    span = DURATION - TRANSIENT
    return float(np.sqrt(np.mean(y**2))), upwards / span, float(events.sum()) / span


def samples(compiled: Compiled, begins: list[Start], solving: Solving) -> np.ndarray:
    """Statistics of all starts, [start][quantity]."""
    return np.array([statistics(compiled, bare_run(compiled, b, DURATION, solving, STEP)) for b in begins])


def deviations(found: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Difference of the means over its standard error."""
    error = np.sqrt(found.var(axis=0, ddof=1) / len(found) + reference.var(axis=0, ddof=1) / len(reference))
    return (found.mean(axis=0) - reference.mean(axis=0)) / np.where(error > 0.0, error, 1.0)


def rows(name: str, compiled: Compiled, kick: Mapping[str, float], tolerances: Sequence[float]) -> Iterator[Row]:
    """One row for each tolerance, against one set of fine runs."""
    begins = starts(compiled, kick)
    fine = samples(compiled, begins, REFERENCE)
    for rtol in tolerances:
        found = samples(compiled, begins, Solving("auto", rtol))
        off = deviations(found, fine)
        told = "; ".join(
            f"{quantity} {here:.4g} against {there:.4g}, {d:+.1f}"
            for quantity, here, there, d in zip(NAMES, found.mean(axis=0), fine.mean(axis=0), off, strict=True)
        )
        title = f"{name}: largest bias over {STARTS} starts at rtol = {rtol:g}, in standard errors"
        yield Row(title, float(np.abs(off).max()), "", None, 2.0, "", told)
