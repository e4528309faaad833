"""SciPy's Radau and LSODA and SUNDIALS' CVODE on the wagon's own compiled right-hand side, at equal accuracy.

A quiet run without events, so nothing but the integrators differs. Each peer gets the loosest tolerance of a
ladder whose error during the run, against a tight reference, is no larger than five micrometres; so does each of
our methods, of which the fastest counts and is named.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from time import process_time

import numpy as np

from klingel.bench.row import Row, best_time
from klingel.model.builder import Compiled
from klingel.model.layout import Moves
from klingel.model.problem import vehicle_problem
from klingel.simulation.integration import Solving, Start, bare_run

DURATION = 2.0  # [s]
GRID = np.linspace(0.0, DURATION, 201)
ACCURACY = 5e-6  # largest error of all positions and angles [m, rad]
LADDER = tuple(float(f"{rtol:.1e}") for rtol in np.geomspace(1e-3, 1e-8, 21))  # four to a decade
METHODS = ("auto", "chain34", "ros34pw2", "chain34/ros34pw2", "rosw43", "chain34/rosw43")  # of ours
PEER_REPEATS, REPEATS = 5, 200  # ours is short next to its set-up, which is taken off
AIMS = {"SciPy Radau": 30.0, "SciPy LSODA": 30.0, "CVODE (scikit-sundae)": 15.0}

Integrator = Callable[[float, np.ndarray], np.ndarray]  # relative and absolute tolerances -> states on the grid


def _slope(compiled: Compiled, start: Start):
    problem = vehicle_problem(compiled, start.memory, start.mode)
    argument = np.zeros_like(start.x)

    def slope(t, x, dx):
        argument[:] = x
        problem.rhs(t, argument, start.memory, start.mode, compiled.system, dx)

    return slope


def _scipy(compiled: Compiled, start: Start, method: str) -> Integrator:
    from scipy.integrate import solve_ivp

    slope, dx = _slope(compiled, start), np.zeros_like(start.x)

    def value(t, x):
        slope(t, x, dx)
        return dx.copy()

    def run(rtol, atol):
        solution = solve_ivp(value, (0.0, DURATION), start.x, method=method, rtol=rtol, atol=atol, t_eval=GRID)
        return np.asarray(solution.y).T

    return run


def _cvode(compiled: Compiled, start: Start) -> Integrator:
    CVODE = import_module("sksundae.cvode").CVODE
    slope = _slope(compiled, start)

    def run(rtol, atol):
        solver = CVODE(slope, method="BDF", rtol=rtol, atol=atol, max_num_steps=1_000_000)
        return solver.solve(GRID, start.x).y

    return run


def _peers(compiled: Compiled, start: Start) -> Iterator[tuple[str, Integrator | None]]:
    yield "SciPy Radau", _scipy(compiled, start, "Radau")
    yield "SciPy LSODA", _scipy(compiled, start, "LSODA")
    try:
        yield "CVODE (scikit-sundae)", _cvode(compiled, start)
    except ImportError:
        yield "CVODE (scikit-sundae)", None


def _accurate(run: Integrator, compiled: Compiled, reference: np.ndarray) -> tuple[float, float]:
    """Tolerance and error of the first run of the ladder that is accurate enough."""
    states = compiled.layout.state_info
    positions = [k for k, state in enumerate(states) if state.moves == Moves.POSITION]
    for rtol in LADDER:
        rows = run(rtol, Solving(rtol=rtol).tolerance(states))
        if rows.shape != reference.shape:
            continue
        error = float(np.abs(rows - reference)[:, positions].max())
        if error <= ACCURACY:
            return rtol, error
    return LADDER[-1], float("nan")


def _our_best(compiled: Compiled, start: Start, reference: np.ndarray, cpu_of_run: Callable[..., float]):
    """CPU time, method, tolerance and error of the fastest of our methods that is accurate enough."""

    def candidate(method: str) -> tuple[float, str, float, float]:
        def run(rtol, atol):
            return bare_run(compiled, start, DURATION, Solving(method, rtol), GRID[1]).x

        rtol, error = _accurate(run, compiled, reference)
        return cpu_of_run(compiled, start, DURATION, Solving(method, rtol), REPEATS), method, rtol, error

    return min(found for found in map(candidate, METHODS) if found[-1] <= ACCURACY)


def rows(compiled: Compiled, start: Start, cpu_of_run: Callable[..., float]) -> Iterator[Row]:
    states = compiled.layout.state_info
    reference = bare_run(compiled, start, DURATION, Solving("dopri54", 1e-9), GRID[1]).x
    cpu, method, ours, error = _our_best(compiled, start, reference, cpu_of_run)
    label = f"Hbbills 311, quiet at 20 m/s for {DURATION:g} s, error below {ACCURACY:g} m ({method})"
    for name, run in _peers(compiled, start):
        if run is None:
            yield Row(label, cpu, name, None, AIMS[name], "s", "not installed")
            continue
        rtol, error_there = _accurate(run, compiled, reference)
        atol = Solving(rtol=rtol).tolerance(states)
        theirs = best_time(lambda run=run, rtol=rtol, atol=atol: run(rtol, atol), PEER_REPEATS, process_time)
        note = f"rtol {ours:g} against {rtol:g}, errors {error:.1e} and {error_there:.1e} m"
        yield Row(label, cpu, name, theirs, AIMS[name], "s", note)
