"""One vehicle by three ways of handling its corners and impacts, and by several solvers at one tolerance.

locate  steps end at every event
ignore  steps go across corners; what strikes or sticks does so at the end of a step
smooth  corners are rounded by a hyperbolic cosine; vehicles with impacts have no smooth form and are refused

LSODA of SciPy, the solver of the studies told of in the paper, stands beside them: it knows of no events and gets
the right-hand side of the ways that have none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import process_time

import numpy as np

from klingel._errors import InputError
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.problem import vehicle_problem
from klingel.model.smoothing import corners_ignored, smoothed
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError
from klingel.simulation.integration import Start, rest_of, start_from_rest
from klingel.simulation.setup import put_on_track, tolerances
from klingel.track.track import Track

LOCATE, IGNORE, SMOOTH = "locate", "ignore", "smooth"
WAYS = (LOCATE, IGNORE, SMOOTH)
SOLVERS = ("erkf34", "cashkarp54", "verner65", "esdirk34")
PEER = "lsoda"
EXACT = {"method": "dopri54", "rtol": 1e-11, "atol": 1e-13}
STEP = 2e-3  # of the rows [s]
EARLY = 1.0  # time in which runs are compared, before chaos makes them differ [s]
SPEED_WIDTH = 1e-3  # over which the jump of dry friction is rounded [m/s]
SAME = 0.02  # of the amplitude: the same motion


class Ended(RuntimeError):
    """A run that did not come to its end."""


@dataclass(frozen=True)
class Setting:
    """A vehicle in motion; `watched` is one of its states."""

    vehicle: Vehicle
    speed: float  # [m/s]
    duration: float  # [s]
    initial: Mapping[str, float]
    watched: str
    width: float = 20e-6  # of the rounding [m]


@dataclass(frozen=True)
class Row:
    """One run. `error` is the largest difference of the watched state to the exact run in its first second."""

    way: str
    solver: str
    told: str  # the same motion, another one; or why there is none
    cpu: float = 0.0  # [s]
    evaluations: int = 0
    accepted: int = 0
    rejected: int = 0
    events: int = 0
    error: float = np.nan
    amplitude: float = np.nan  # of the last quarter
    time: np.ndarray | None = None
    y: np.ndarray | None = None


def of_way(vehicle: Vehicle, way: str, width: float) -> Vehicle:
    """The vehicle as a way has it; InputError where it has no smooth form."""
    if way == SMOOTH:
        return smoothed(vehicle, length=width, speed=SPEED_WIDTH)
    return corners_ignored(vehicle) if way == IGNORE else vehicle


def started(setting: Setting, way: str) -> tuple[Compiled, Start]:
    vehicle = of_way(setting.vehicle, way, setting.width)
    compiled = put_on_track(vehicle, Track.straight(), setting.speed)
    return compiled, start_from_rest(compiled, rest_of(compiled), setting.initial)


def exact(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Time and watched state with all events located, at a tight tolerance."""
    compiled, start = started(setting, LOCATE)
    problem = vehicle_problem(compiled, start.memory, start.mode)
    found = integrate(problem, start.x, setting.duration, output_step=STEP, **EXACT)
    return found.t, found.x[:, compiled.layout.state(setting.watched)]


def rows(setting: Setting, rtol: float, solvers: tuple[str, ...] = (*SOLVERS, PEER)) -> Iterator[Row]:
    """All ways by all solvers at one tolerance, after the exact run, which comes first."""
    t, y = exact(setting)
    amplitude = float(np.abs(y[t > 0.75 * setting.duration]).max())
    yield Row(LOCATE, "dopri54 at 1e-11", "exact", amplitude=amplitude, error=0.0, time=t, y=y)
    for way in WAYS:
        try:
            compiled, start = started(setting, way)
        except InputError as refusal:
            yield Row(way, "any", f"refused: {refusal.field}: {refusal.allowed}")
            continue
        for solver in solvers:
            if solver == PEER and len(compiled.layout.guards) > 0:
                continue
            yield _row(setting, way, solver, rtol, compiled, start, y)


def _row(
    setting: Setting, way: str, solver: str, rtol: float, compiled: Compiled, start: Start, expected: np.ndarray
) -> Row:
    began = process_time()
    try:
        run = _by_peer if solver == PEER else _by_us
        t, x, counts = run(setting, way, solver, rtol, compiled, start)
    except (IntegrationError, Ended) as error:
        return Row(way, solver, f"ended: {error}")
    cpu = process_time() - began
    y = x[:, compiled.layout.state(setting.watched)]
    late, early = t > 0.75 * setting.duration, t <= EARLY
    amplitude, wanted = (float(np.abs(values[late]).max()) for values in (y, expected))
    told = "same" if abs(amplitude - wanted) <= SAME * wanted else "another motion"
    error = float(np.abs(y - expected)[early].max())
    return Row(way, solver, told, cpu, *counts, error, amplitude, t, y)


def _by_us(setting: Setting, way: str, solver: str, rtol: float, compiled: Compiled, start: Start):
    problem = vehicle_problem(compiled, start.memory, start.mode)
    found = integrate(
        problem, start.x, setting.duration, method=solver, rtol=rtol, output_step=STEP, locate=way != IGNORE,
        atol=tolerances(compiled.layout.state_info, rtol),
    )  # fmt: skip
    if found.status != Status.DONE:
        raise Ended(found.ended)
    stats = found.stats
    return found.t, found.x, (stats.rhs, stats.accepted, stats.rejected, stats.events)


def _by_peer(setting: Setting, way: str, solver: str, rtol: float, compiled: Compiled, start: Start):
    """LSODA does not tell its rejected steps."""
    from scipy.integrate import solve_ivp

    assembly.prepare(compiled.system, start.memory, start.mode)
    dx = np.empty_like(start.x)

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        if assembly.rhs(t, x, start.memory, start.mode, compiled.system, dx) != 0:
            raise Ended(f"the model refuses a state at {t:.6g} s")
        return dx.copy()

    times = np.arange(round(setting.duration / STEP) + 1) * STEP
    atol = tolerances(compiled.layout.state_info, rtol)
    found = solve_ivp(rates, (0.0, times[-1]), start.x, "LSODA", dense_output=True, rtol=rtol, atol=atol)
    if not found.success or found.sol is None:  # beyond its last step `sol` would extrapolate
        raise Ended(f"{found.message} (at {found.t[-1]:.6g} s)")
    return times, found.sol(times).T, (int(found.nfev), len(found.t) - 1, 0, 0)
