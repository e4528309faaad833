"""The same hybrid systems in the peers' integrators: events by their own root finding, then a restart.

Both peers call the same compiled right-hand side and guards as our loop does; what differs is the integrator
around them. The actions at an event follow the rules of `klingel.numerics.events.switching`, written in Python.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from klingel.numerics.problem import GUARD_TOLERANCE, HybridProblem

NEAR = 1e-7  # time over which "on the boundary and leaving" is judged [s]


class _State:
    """State, memory and modes of a run, with the consistency checks of an event."""

    def __init__(self, problem: HybridProblem, x0):
        self.problem = problem
        self.x = np.array(x0, float)
        self.memory = problem.memory.astype(float)
        self.mode = problem.mode.astype(np.int8)
        n = len(problem.guard_names)
        self.g, self.g_next, self.dx = np.zeros(n), np.zeros(n), np.zeros(self.x.size)
        self.tolerance = np.array(problem.guard_tolerance or (GUARD_TOLERANCE,) * n)
        self.argument = np.zeros(self.x.size)
        self.evaluations = 0

    def rhs(self, t, x, dx):
        self.evaluations += 1
        self.argument[:] = x  # peers may hand over read-only views
        self.problem.rhs(t, self.argument, self.memory, self.mode, self.problem.parameters, dx)

    def guards(self, t, x, g):
        assert self.problem.guards is not None
        self.argument[:] = x
        self.problem.guards(t, self.argument, self.memory, self.mode, self.problem.parameters, g)

    def switch(self, t: float, fired: np.ndarray) -> None:
        assert self.problem.act is not None
        for _ in range(20):
            self.problem.act(t, self.x, self.memory, self.mode, self.problem.parameters, fired)
            self.rhs(t, self.x, self.dx)
            self.guards(t, self.x, self.g)
            self.guards(t + NEAR, self.x + NEAR * self.dx, self.g_next)
            on = np.abs(self.g) <= 1e3 * self.tolerance  # the peers locate less sharply
            fired = (self.g < -1e3 * self.tolerance) | (on & (self.g_next < -self.tolerance))
            if not fired.any():
                return
        raise RuntimeError(f"modes contradict each other at t = {t}")


def run_scipy(problem: HybridProblem, x0, t_end: float, grid: np.ndarray, method: str, rtol: float, atol: float):
    """`scipy.integrate.solve_ivp` with terminal events, restarted after each; states on the grid."""
    from scipy.integrate import solve_ivp

    state = _State(problem, x0)
    n = len(problem.guard_names)
    dx = np.zeros(state.x.size)

    def slope(t, x):
        state.rhs(t, x, dx)
        return dx.copy()

    def event(i: int) -> Callable[[float, np.ndarray], float]:
        def value(t, x):
            state.guards(t, x, state.g)
            return min(state.g[i], 1e3)  # SciPy cannot take infinities

        value.terminal, value.direction = True, -1
        return value

    events = [event(i) for i in range(n)]
    t, rows = 0.0, np.full((grid.size, state.x.size), np.nan)
    while t < t_end:
        wanted = np.flatnonzero((grid >= t) & (grid <= t_end))
        run = solve_ivp(
            slope, (t, t_end), state.x, method=method, rtol=rtol, atol=atol, events=events, t_eval=grid[wanted]
        )
        if len(run.t):
            rows[wanted[: len(run.t)]] = np.asarray(run.y).T
        if run.status != 1:
            break
        fired = np.array([times.size > 0 for times in run.t_events])
        first = int(np.argmax(fired))
        t, state.x = float(run.t_events[first][0]), run.y_events[first][0].copy()
        state.switch(t, fired)
    return rows, state.evaluations


def run_cvode(problem: HybridProblem, x0, t_end: float, grid: np.ndarray, method: str, rtol: float, atol: float):
    """SUNDIALS CVODE with root finding through scikit-sundae, restarted after each event."""
    CVODE = import_module("sksundae.cvode").CVODE  # an extra; its absence is reported in the row

    state = _State(problem, x0)
    n = len(problem.guard_names)

    def slope(t, x, dx):
        state.rhs(t, x, dx)

    def events(t, x, g):
        state.guards(t, x, g)
        np.minimum(g, 1e3, out=g)

    events.terminal, events.direction = [True] * n, [-1] * n
    options: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "max_num_steps": 1_000_000}
    t, rows = 0.0, np.full((grid.size, state.x.size), np.nan)
    while t < t_end:
        solver = CVODE(slope, eventsfn=events, num_events=n, **options)
        wanted = np.flatnonzero((grid > t) & (grid < t_end))
        asked = np.concatenate([[t], grid[wanted], [t_end]])
        run = solver.solve(asked, state.x)
        inside = min(run.t.size - 1, wanted.size)
        rows[wanted[:inside]] = run.y[1 : 1 + inside]
        if run.i_events is None or not len(run.i_events):
            break
        t, state.x = float(run.t_events[-1]), np.array(run.y_events[-1], float)
        state.switch(t, np.asarray(run.i_events[-1]) != 0)
    return rows, state.evaluations
