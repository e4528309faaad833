"""Rows of the event loop: 100 s of the impact oscillator at equal accuracy, against SciPy and CVODE.

Equal accuracy: for every solver the loosest tolerance of a list (a third of a decade apart) with which its
largest error in x over the output grid stays below `ACCURACY`, measured against a run at 1e-13.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from klingel.bench.peers import run_cvode, run_scipy
from klingel.bench.row import Row, best_time
from klingel.literature.impact_oscillator.system import impact_oscillator
from klingel.numerics.integrate import integrate

DURATION = 100.0  # [s]
TRIAL = 5.0  # [s]
GRID_STEP = 0.1  # [s]
ACCURACY = 1e-6  # largest error in x [m]
TOLERANCES = [10.0 ** (-k / 3) for k in range(9, 40)]


def _ours(problem, method, rtol, duration=DURATION):
    run = integrate(
        problem, [0.0, 0.0], duration, method=method, rtol=rtol, atol=1e-3 * rtol, output_step=GRID_STEP
    )
    return run.x


def _peer(run, problem, grid, method, rtol, duration=DURATION):
    points = round(duration / GRID_STEP) + 1
    return run(problem, [0.0, 0.0], duration, grid[:points], method, rtol, 1e-3 * rtol)[0]


def loosest(run: Callable[..., np.ndarray], reference: np.ndarray) -> float | None:
    """Loosest tolerance with which a solver is accurate enough, or None; short runs sort out the hopeless ones."""
    for rtol in TOLERANCES:
        if all(_error(run(rtol, duration), reference) < ACCURACY for duration in (TRIAL, DURATION)):
            return rtol
    return None


def _error(x: np.ndarray, reference: np.ndarray) -> float:
    return float(np.nanmax(np.abs(x[:, 0] - reference[: len(x)])))


def rows(report: Callable[[str], None] = lambda text: None) -> Iterator[Row]:
    problem = impact_oscillator()
    grid = GRID_STEP * np.arange(round(DURATION / GRID_STEP) + 1)
    reference = _ours(problem, "verner65", 1e-13)[:, 0]
    report("impact oscillator: looking for tolerances of equal accuracy")
    best: tuple[float, str] | None = None
    for method in ("dopri54", "cashkarp54", "verner65"):
        run = partial(_ours, problem, method)
        rtol = loosest(run, reference)
        if rtol is not None:
            time = best_time(partial(run, rtol))
            best = min(best, (time, method)) if best else (time, method)
    if best is None:
        raise RuntimeError("no method of ours reaches the accuracy")
    ours, method = best
    peers = [
        ("SciPy solve_ivp RK45 with events", run_scipy, "RK45", 100.0),
        ("SciPy solve_ivp DOP853 with events", run_scipy, "DOP853", 100.0),
        ("CVODE Adams, roots and restarts", run_cvode, "Adams", 5.0),
        ("CVODE BDF, roots and restarts", run_cvode, "BDF", 5.0),
    ]
    for name, runner, kind, aim in peers:
        report(f"impact oscillator: {name}")
        yield _against(name, runner, kind, aim, ours, method, problem, grid, reference)


def _against(name, runner, kind, aim, ours, method, problem, grid, reference) -> Row:
    title = f"impact oscillator, 100 s, error below 1 um ({method})"
    run = partial(_peer, runner, problem, grid, kind)
    try:
        rtol = loosest(run, reference)
    except ImportError:
        return Row(title, ours, name, None, aim, "s", "peer not installed")
    if rtol is None:
        return Row(title, ours, name, None, aim, "s", "peer does not reach this accuracy")
    return Row(title, ours, name, best_time(partial(run, rtol), 1), aim, "s", f"rtol {rtol:.1e}")
