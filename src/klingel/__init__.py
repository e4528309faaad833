"""Nonsmooth railway vehicle dynamics.

    import klingel as kg

    wagon = kg.load_vehicle("hbbills311", links="PTP", load="empty")
    run = kg.simulate(wagon, kg.Track.straight(inclination=1 / 40), speed=45.0, duration=20.0)

Names are loaded when first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_HOMES = {
    "HybridProblem": "klingel.numerics.problem",
    "InputError": "klingel._errors",
    "IntegrationError": "klingel.numerics.trajectory",
    "FixedTransient": "klingel.analysis.transients",
    "Run": "klingel.simulation.run",
    "RunRequest": "klingel.simulation.request.request",
    "SimulationError": "klingel.simulation.run",
    "Sweep": "klingel.simulation.sweep.result",
    "Track": "klingel.track.track",
    "Trajectory": "klingel.numerics.trajectory",
    "UntilSettled": "klingel.analysis.transients",
    "contact_table": "klingel.io.contact.cache",
    "continue_orbit": "klingel.simulation.orbits.continue_orbit",
    "continue_run": "klingel.simulation.continue_run",
    "critical_speed": "klingel.simulation.critical.critical_speed",
    "edge_motion": "klingel.simulation.irregular.edge_motion",
    "energy_balance": "klingel.simulation.energy",
    "equivalent_conicity": "klingel.contact.table.table_conicity",
    "integrate": "klingel.numerics.integrate",
    "irregular_motion": "klingel.simulation.irregular.irregular_motion",
    "kernel": "klingel._jit",
    "largest_lyapunov": "klingel.analysis.chaos.lyapunov",
    "find_orbit": "klingel.analysis.orbits.periodic",
    "floquet": "klingel.analysis.orbits.periodic",
    "linear_critical_speed": "klingel.simulation.linear_critical_speed",
    "smoothed": "klingel.model.smoothing",
    "load_branch": "klingel.simulation.orbits.result",
    "load_critical_speed": "klingel.simulation.critical.result",
    "load_rest_set": "klingel.simulation.resting.rest_set",
    "load_run": "klingel.simulation.run",
    "load_sweep": "klingel.simulation.sweep.result",
    "load_track": "klingel.io.track.files",
    "load_vehicle": "klingel.io.vehicle.files",
    "poincare_section": "klingel.analysis.chaos.poincare",
    "rest_set": "klingel.simulation.resting.rest_set",
    "simulate": "klingel.simulation.simulate",
    "solve_lcp": "klingel.numerics.linear.lcp",
    "suspension_energy": "klingel.simulation.suspension_energy",
    "sweep": "klingel.simulation.sweep.sweep",
    "with_value": "klingel.vehicles.values",
}

if TYPE_CHECKING:
    from klingel._errors import InputError
    from klingel._jit import kernel
    from klingel.analysis.chaos.lyapunov import largest_lyapunov
    from klingel.analysis.chaos.poincare import poincare_section
    from klingel.analysis.orbits.periodic import find_orbit, floquet
    from klingel.analysis.transients import FixedTransient, UntilSettled
    from klingel.contact.table.table_conicity import equivalent_conicity
    from klingel.io.contact.cache import contact_table
    from klingel.io.track.files import load_track
    from klingel.io.vehicle.files import load_vehicle
    from klingel.model.smoothing import smoothed
    from klingel.numerics.integrate import integrate
    from klingel.numerics.linear.lcp import solve_lcp
    from klingel.numerics.problem import HybridProblem
    from klingel.numerics.trajectory import IntegrationError, Trajectory
    from klingel.simulation.continue_run import continue_run
    from klingel.simulation.critical.critical_speed import critical_speed
    from klingel.simulation.critical.result import load_critical_speed
    from klingel.simulation.energy import energy_balance
    from klingel.simulation.irregular.edge_motion import edge_motion
    from klingel.simulation.irregular.irregular_motion import irregular_motion
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.simulation.orbits.continue_orbit import continue_orbit
    from klingel.simulation.orbits.result import load_branch
    from klingel.simulation.request.request import RunRequest
    from klingel.simulation.resting.rest_set import load_rest_set, rest_set
    from klingel.simulation.run import Run, SimulationError, load_run
    from klingel.simulation.simulate import simulate
    from klingel.simulation.suspension_energy import suspension_energy
    from klingel.simulation.sweep.result import Sweep, load_sweep
    from klingel.simulation.sweep.sweep import sweep
    from klingel.track.track import Track
    from klingel.vehicles.values import with_value

__all__ = [
    "FixedTransient",
    "HybridProblem",
    "InputError",
    "IntegrationError",
    "Run",
    "RunRequest",
    "SimulationError",
    "Sweep",
    "Track",
    "Trajectory",
    "UntilSettled",
    "contact_table",
    "continue_orbit",
    "continue_run",
    "critical_speed",
    "edge_motion",
    "energy_balance",
    "equivalent_conicity",
    "find_orbit",
    "floquet",
    "integrate",
    "irregular_motion",
    "kernel",
    "largest_lyapunov",
    "linear_critical_speed",
    "load_branch",
    "load_critical_speed",
    "load_rest_set",
    "load_run",
    "load_sweep",
    "load_track",
    "load_vehicle",
    "poincare_section",
    "rest_set",
    "simulate",
    "smoothed",
    "solve_lcp",
    "suspension_energy",
    "sweep",
    "with_value",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'klingel' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
