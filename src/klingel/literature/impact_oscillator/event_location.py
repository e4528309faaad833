"""Example `event-location`: what it costs to integrate through corners instead of locating them.

The oscillator of B.1 without its wall runs twice: all events located, and in rate form with corners ignored
(Hoffmann 2006, figures 1.12 and 1.13). Each way uses the cheapest tolerance, out of a fine series, that keeps
the error of the displacement below the same target. The error is measured against a located run of order six
at a tolerance near rounding. Steps are counted with the rejected ones.

Explicit methods are meant here: an implicit one whose Jacobian is differenced across a corner of the rate form
gets a wrong one.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf, pi
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.literature.example import Check, ExampleResult
from klingel.literature.impact_oscillator.energy import band_force
from klingel.literature.impact_oscillator.pictures import steps_figure, suspension_force
from klingel.literature.impact_oscillator.rate_form import oscillator_rate_form
from klingel.literature.impact_oscillator.system import ImpactOscillator, P, impact_oscillator
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.tableaus import find_method
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

GRID = 0.01  # spacing of the instants at which the error is measured [s]
TOLERANCES = 10.0 ** -np.arange(2.0, 11.01, 0.1)
AIM = 0.5  # steps located / steps ignored


@dataclass(frozen=True)
class Parameters(ImpactOscillator):
    wall: float = inf
    duration: float = 5.0  # [s]
    accuracy: float = 1e-5  # largest error of the displacement [m]
    method: str = "dopri54"

    def __post_init__(self):
        super().__post_init__()
        if self.wall != inf:
            raise InputError("wall", self.wall, "must be inf: an impact cannot be integrated through")
        if not 1e-10 <= self.accuracy <= 1e-2:
            raise InputError("accuracy", self.accuracy, "must lie between 1e-10 and 1e-2 m")
        if not self.duration > 3 * self.period:
            raise InputError("duration", self.duration, f"must exceed three periods, {3 * self.period:.3g} s")
        if not find_method(self.method).explicit:
            raise InputError("method", self.method, "must be explicit: see the text of this example")

    @property
    def period(self) -> float:
        return 2 * pi / self.omega

    def system(self) -> ImpactOscillator:
        return ImpactOscillator(**{f.name: getattr(self, f.name) for f in fields(ImpactOscillator)})


@dataclass(frozen=True)
class Way:
    """One way of integrating: a run per tolerance, on the error grid or step by step."""

    name: str
    at: Callable[[float, float | None], Trajectory]  # (tolerance, output_step)


def ways(parameters: Parameters) -> tuple[Way, Way]:
    system, end, method = parameters.system(), parameters.duration, parameters.method
    force = system.load * system.slider_limit
    located, ignored = impact_oscillator(system), oscillator_rate_form(system)

    def run_located(rtol: float, output_step: float | None) -> Trajectory:
        atol = [1e-2 * rtol, rtol]
        return integrate(located, [0.0, 0.0], end, method=method, rtol=rtol, atol=atol, output_step=output_step)

    def run_ignored(rtol: float, output_step: float | None) -> Trajectory:
        atol = [1e-2 * rtol, rtol, force * rtol]
        return integrate(
            ignored, [0.0, 0.0, 0.0], end, method=method, rtol=rtol, atol=atol, output_step=output_step
        )

    return Way("events located", run_located), Way("corners ignored", run_ignored)


def reference(parameters: Parameters) -> Trajectory:
    return integrate(
        impact_oscillator(parameters.system()), [0.0, 0.0], parameters.duration,
        method="verner65", rtol=1e-12, atol=[1e-14, 1e-12], output_step=GRID,
    )  # fmt: skip


def steps(trajectory: Trajectory) -> int:
    return trajectory.stats.accepted + trajectory.stats.rejected


def cheapest(way: Way, exact: Trajectory, accuracy: float) -> tuple[float, float, Trajectory]:
    """Tolerance, error and run with the fewest steps among those that are accurate enough."""
    best: tuple[float, float, Trajectory] | None = None
    for tolerance in TOLERANCES:
        trajectory = way.at(float(tolerance), GRID)
        error = float(np.abs(trajectory["x"] - exact["x"]).max())
        if error <= accuracy and (best is None or steps(trajectory) < steps(best[2])):
            best = float(tolerance), error, trajectory
    if best is None:
        raise InputError("accuracy", accuracy, f"cannot be reached with {way.name} by tolerances above 1e-11")
    return best


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    exact = reference(parameters)
    if exact.events.of("slip_pos").size == 0:
        raise InputError("amplitude", parameters.amplitude, "must be large enough for the slider to slip")
    located, ignored = ways(parameters)
    tolerance_l, error_l, run_l = cheapest(located, exact, parameters.accuracy)
    tolerance_i, error_i, run_i = cheapest(ignored, exact, parameters.accuracy)
    ratio = steps(run_l) / steps(run_i)
    files = (draw(folder, parameters, located.at(tolerance_l, None), ignored.at(tolerance_i, None)),)
    quantities = {
        "accuracy_m": parameters.accuracy,
        "error_located_m": error_l,
        "error_ignored_m": error_i,
        "tolerance_located": tolerance_l,
        "tolerance_ignored": tolerance_i,
        "steps_located": steps(run_l),
        "steps_ignored": steps(run_i),
        "rejected_located": run_l.stats.rejected,
        "rejected_ignored": run_i.stats.rejected,
        "events": run_l.stats.events,
        "right_hand_sides_located": run_l.stats.rhs,
        "right_hand_sides_ignored": run_i.stats.rhs,
        "steps_located_per_ignored": ratio,
    }
    checks = (Check("steps located / ignored at the same accuracy, at most 0.5", 0.0, ratio, AIM),)
    return ExampleResult("event-location", quantities, checks, files)


def draw(folder: Path, parameters: Parameters, run_l: Trajectory, run_i: Trajectory) -> Path:
    """Steps of the last period on the characteristic; framed: the corner where the slider begins to slip."""
    system = parameters.system()
    p, x = system.flat(), run_i["x"]
    smooth = integrate(
        impact_oscillator(system), [0.0, 0.0], parameters.duration, rtol=1e-9, atol=1e-11, max_step=2e-3
    )
    force_i = p[P.K] * x + band_force(system, x) + run_i["friction_force"]
    force_l, force_s = suspension_force(system, run_l), suspension_force(system, smooth)
    since = parameters.duration - parameters.period
    points = []
    for name, trajectory, force in (("corners ignored", run_i, force_i), ("events located", run_l, force_l)):
        shown = (trajectory.t >= since) & (np.diff(trajectory.t, prepend=-1.0) > 0.0)  # one point per event
        points.append((name, trajectory["x"][shown], force[shown]))
    late = smooth.t >= since
    corner = np.searchsorted(run_l.t, run_l.events.of("slip_pos")[-1])
    x_c, f_c = float(run_l["x"][corner]), float(force_l[corner])
    limits = (x_c - 5e-3, x_c + 7e-3, f_c - 2.5e3, f_c + 1.7e3)
    return save(steps_figure(points, (smooth["x"][late], force_s[late]), limits), folder / "steps.png")
