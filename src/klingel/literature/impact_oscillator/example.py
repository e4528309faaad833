"""Example `impact-oscillator`: Hoffmann (2006), appendix B.1, figures B.5 to B.8.

The check values at the published parameters are those of the exact event-to-event solution in the tests
(closed forms in each mode, roots to rounding). For other parameters only the energy balance is checked.
"""

from dataclasses import asdict, dataclass, fields
from math import pi
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.literature.example import Check, ExampleResult
from klingel.literature.impact_oscillator.energy import energy_balance
from klingel.literature.impact_oscillator.pictures import history_figure, settled_figure
from klingel.literature.impact_oscillator.system import ImpactOscillator, Memory, impact_oscillator
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.tableaus import find_method
from klingel.numerics.options import AUTO
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

ROW_SPACING = 2e-3  # longest step [s]: smooth curves, and a quadrature error below that of the run


@dataclass(frozen=True)
class Parameters(ImpactOscillator):
    duration: float = 20.0  # [s]
    method: str = "dopri54"
    rtol: float = 1e-9

    def __post_init__(self):
        super().__post_init__()
        if not self.duration > 2 * pi / self.omega:
            raise InputError("duration", self.duration, "must be longer than one period of the excitation")
        if not 0.0 < self.rtol < 1.0:
            raise InputError("rtol", self.rtol, "must lie between 0 and 1")
        if self.method != AUTO:
            find_method(self.method)

    def system(self) -> ImpactOscillator:
        return ImpactOscillator(**{f.name: getattr(self, f.name) for f in fields(ImpactOscillator)})


# exact solution at the published parameters
EXACT_FIRST_IMPACT = 0.07202820308152  # [s]
EXACT_EVENTS = 480  # in 20 s
EXACT_IMPACTS = 60  # in 20 s


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    system = parameters.system()
    atol = [1e-2 * parameters.rtol, parameters.rtol]
    trajectory = integrate(
        impact_oscillator(system), [0.0, 0.0], parameters.duration,
        method=parameters.method, rtol=parameters.rtol, atol=atol, max_step=ROW_SPACING,
    )  # fmt: skip
    period = 2 * pi / system.omega
    end = parameters.duration
    zoom = (max(0.0, end - 3 * period), end)
    files = (
        save(history_figure(system, trajectory, zoom), folder / "history.png"),
        save(settled_figure(system, trajectory, max(0.0, end - period)), folder / "loop-and-phase.png"),
    )
    quantities = describe(system, trajectory, period)
    return ExampleResult("impact-oscillator", quantities, checks(parameters, trajectory), files)


def describe(system: ImpactOscillator, trajectory: Trajectory, period: float) -> dict[str, float]:
    """Settled motion: the last period of the excitation."""
    t, x = trajectory.t, trajectory["x"]
    late = t >= t[-1] - period
    impacts = trajectory.events.of("contact")
    hits = np.searchsorted(t, impacts[impacts > t[-1] - period])
    balance = energy_balance(system, trajectory)
    settled = {}
    if impacts.size > 1:  # distance in time of the last impact from the one that is a period older
        settled["settled_impact_repeat_s"] = np.abs(impacts[-1] - impacts[:-1] - period).min()
    return {
        "impacts": impacts.size,
        "events": trajectory.stats.events,
        "settled_max_m": x[late].max(),
        "settled_min_m": x[late].min(),
        "settled_impacts_per_period": hits.size,
        "settled_impact_speed_max_m_s": trajectory["v"][hits].max(initial=0.0),
        **settled,
        "work_of_excitation_J": balance.work,
        "friction_heat_J": balance.friction_heat,
        "impact_loss_J": trajectory.memory[-1, Memory.IMPACT_LOSS],
        "steps": trajectory.stats.accepted + trajectory.stats.rejected,
        "right_hand_sides": trajectory.stats.rhs,
        "wall_time_s": trajectory.stats.wall_time,
    }


def checks(parameters: Parameters, trajectory: Trajectory) -> tuple[Check, ...]:
    system = parameters.system()
    impacts = trajectory.events.of("contact")
    balance = energy_balance(system, trajectory)
    found = [Check("energy not accounted for / energy spent", 0.0, balance.residual, 1e-6)]
    if asdict(system) == asdict(ImpactOscillator()) and impacts.size:
        found.append(Check("first impact [s], exact solution", EXACT_FIRST_IMPACT, float(impacts[0]), 1e-6))
        if parameters.duration == 20.0:
            found.append(Check("impacts in 20 s, exact solution", EXACT_IMPACTS, impacts.size, 0))
            found.append(Check("events in 20 s, exact solution", EXACT_EVENTS, trajectory.stats.events, 0))
    return tuple(found)
