"""SciPy's Radau and LSODA and SUNDIALS' CVODE on the wagon's own compiled right-hand side, at equal accuracy.

A quiet run without events, so nothing but the integrators differs. Each peer gets the loosest tolerance of a
ladder whose error after the run, against a tight reference, is no larger than five micrometres; so do we.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from time import process_time

import numpy as np

from klingel.bench.row import Row
from klingel.model.builder import Compiled
from klingel.model.layout import Moves
from klingel.model.problem import vehicle_problem
from klingel.simulation.integration import Solving, Start, bare_run

DURATION = 2.0  # [s]
GRID = np.linspace(0.0, DURATION, 201)
ACCURACY = 5e-6  # largest error of all positions and angles [m, rad]
LADDER = (1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7)
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


def _accurate(run: Integrator, compiled: Compiled, reference: np.ndarray) -> tuple[float, float, float]:
    """Tolerance, error and CPU time of the first run of the ladder that is accurate enough."""
    states = compiled.layout.state_info
    positions = [k for k, state in enumerate(states) if state.moves == Moves.POSITION]
    for rtol in LADDER:
        started = process_time()
        rows = run(rtol, Solving(rtol=rtol).tolerance(states))
        cpu = process_time() - started
        if rows.shape != reference.shape:
            continue
        error = float(np.abs(rows - reference)[:, positions].max())
        if error <= ACCURACY:
            return rtol, error, cpu
    return LADDER[-1], float("nan"), float("nan")


def rows(compiled: Compiled, start: Start, cpu_of_run: Callable[..., float]) -> Iterator[Row]:
    reference = bare_run(compiled, start, DURATION, Solving("dopri54", 1e-9), GRID[1]).x

    def ours(rtol, atol):
        return bare_run(compiled, start, DURATION, Solving("auto", rtol), GRID[1]).x

    rtol, error, _ = _accurate(ours, compiled, reference)
    cpu = cpu_of_run(compiled, start, DURATION, Solving("auto", rtol), 20)
    for name, run in _peers(compiled, start):
        label = f"Hbbills 311, quiet at 20 m/s for {DURATION:g} s, error below {ACCURACY:g} m"
        if run is None:
            yield Row(label, cpu, name, None, AIMS[name], "s", "not installed")
            continue
        theirs = _accurate(run, compiled, reference)
        note = f"rtol {rtol:g} against {theirs[0]:g}, errors {error:.1e} and {theirs[1]:.1e} m"
        yield Row(label, cpu, name, theirs[2], AIMS[name], "s", note)
