"""Example `constrained-wheelset`: Hoffmann (2006), appendix B.4, figures B.27 to B.34.

Three runs: without suspension at 20 m/s (the centre is unstable, the flange limits the motion), suspended at
100 m/s (stable), suspended with a steeper cone (unstable). Each is computed in the reduced and the augmented form.

All data of the wheelset are printed but the gravity; start values, durations and tolerances are not. Chosen: 1 mm
lateral shift with the spin of pure rolling, durations that show the final motion, and a tolerance that puts the
difference of the two forms far below the width of a line. All are parameters.
"""

from dataclasses import dataclass, fields, replace
from math import pi
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.literature.constrained_wheelset import pictures
from klingel.literature.constrained_wheelset.augmented import augmented_problem
from klingel.literature.constrained_wheelset.history import History, history, independent
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset
from klingel.literature.constrained_wheelset.reduced import motion as reduced_motion
from klingel.literature.constrained_wheelset.reduced import reduced_problem
from klingel.literature.constrained_wheelset.stability import hunting_mode, jacobian, kinematic_frequency
from klingel.literature.constrained_wheelset.start import full_state, rest, start
from klingel.literature.constrained_wheelset.switches import start_modes
from klingel.literature.example import Check, ExampleResult
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

RESIDUAL_BOUND = 1e-10
AGREEMENT = 100.0  # allowed difference of the two forms in units of rtol times the amplitude
COARSE, COARSE_DURATION = 1e-6, 3.0  # tolerance and length [s] of a run that shows the projections
SMALL_START = 1e-7  # of the run that is compared with its eigenvalue [m]


@dataclass(frozen=True)
class Parameters(ConstrainedWheelset):
    """The first run; the others differ by the fields that begin with `fast` and `steep`."""

    fast_speed: float = 100.0  # second and third run [m/s]
    fast_suspension: float = 1.823e6  # k_s there [N/m]
    steep_conicity: float = 0.08  # third run [rad]
    shift: float = 1e-3  # lateral start, all runs [m]
    duration: float = 15.0  # first run [s]
    fast_duration: float = 3.0  # second and third run [s]
    output_step: float = 2e-3  # [s]
    rtol: float = 1e-9  # of the integration; atol is a hundredth of it

    def __post_init__(self):
        super().__post_init__()
        for name in ("duration", "fast_duration", "output_step", "rtol", "shift"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(name, getattr(self, name), "must be positive and finite")

    def wheelsets(self) -> dict[str, ConstrainedWheelset]:
        """The three runs by name."""
        first = ConstrainedWheelset(**{f.name: getattr(self, f.name) for f in fields(ConstrainedWheelset)})
        second = replace(first, speed=self.fast_speed, suspension_stiffness=self.fast_suspension)
        return {
            "unsuspended": first,
            "suspended": second,
            "steep": replace(second, conicity=self.steep_conicity),
        }

    def as_printed(self) -> bool:
        """Whether the wheelsets are those of the thesis, so that its verdicts apply."""
        return self.wheelsets() == Parameters().wheelsets()


PRINTED_UNSTABLE = {"unsuspended": True, "suspended": False, "steep": True}


@dataclass(frozen=True)
class Run:
    """One wheelset in both forms."""

    wheelset: ConstrainedWheelset
    trajectory: Trajectory  # of the augmented form
    reduced: History
    augmented: History

    def conditions(self) -> str:
        w = self.wheelset
        stiffness = 1e-6 * w.suspension_stiffness
        return f"δ = {w.conicity:g}, " + (f"$k_s$ = {stiffness:.4g} MN/m" if stiffness else "not suspended")

    def title(self) -> str:
        return f"V = {self.wheelset.speed:g} m/s, {self.conditions()}"


def compute(wheelset: ConstrainedWheelset, duration: float, p: Parameters) -> Run:
    x = start(wheelset, y=p.shift)
    atol, every = 1e-2 * p.rtol, p.output_step
    small = integrate(reduced_problem(wheelset), x, duration, rtol=p.rtol, atol=atol, output_step=every)
    begin = full_state(wheelset, x)
    full = integrate(augmented_problem(wheelset), begin, duration, rtol=p.rtol, atol=atol, output_step=every)
    return Run(wheelset, full, history(wheelset, small), history(wheelset, full))


def nonlinear_eigenvalue(w: ConstrainedWheelset) -> complex:
    """Hunting eigenvalue measured in the nonlinear system: how the mode's share of a tiny motion evolves."""
    matrix = jacobian(w)
    values, left = np.linalg.eig(matrix.T)
    mode = int(np.argmax(np.real(values) + 1e-9 * (np.imag(values) > 0)))
    span = 0.3 * 2 * pi / max(abs(values[mode].imag), abs(values[mode].real))
    x = start(w, y=SMALL_START)
    run = integrate(reduced_problem(w), x, span, rtol=1e-11, atol=1e-11 * SMALL_START)
    shares = left[:, mode] @ (run.x[[0, -1]] - rest(w)).T
    rate = complex(np.log(shares[1] / shares[0]) / span)
    return complex(rate.real, abs(rate.imag))


def settled(h: History) -> tuple[float, float]:
    """Amplitude and frequency of y in the last third of a run; zero frequency without three zero crossings."""
    part = h.t >= h.t[0] + 2 / 3 * (h.t[-1] - h.t[0])
    t, y = h.t[part], h["y"][part]
    up = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    if up.size < 3:
        return float(np.abs(y).max()), 0.0
    crossings = t[up] - y[up] * (t[up + 1] - t[up]) / (y[up + 1] - y[up])
    return float(np.abs(y).max()), float((up.size - 1) / (crossings[-1] - crossings[0]))


def disagreement(run: Run) -> float:
    """Largest difference of the two forms over the amplitude of each independent state."""
    a, b = independent(run.reduced), independent(run.augmented)
    size = np.abs(a).max(axis=0)
    size[-1] = run.wheelset.speed / run.wheelset.nominal_radius
    return float(np.max(np.abs(a - b) / size))


def describe(name: str, run: Run) -> dict[str, float]:
    amplitude, frequency = settled(run.reduced)
    mode = hunting_mode(run.wheelset)
    log = run.trajectory.events
    flange = log.of("flange, y rises").size + log.of("flange, y falls").size
    return {
        f"{name}_growth_rate_1_s": mode.real,
        f"{name}_frequency_linear_Hz": mode.imag / (2 * pi),
        f"{name}_frequency_kinematic_Hz": kinematic_frequency(run.wheelset) / (2 * pi),
        f"{name}_final_amplitude_m": amplitude,
        f"{name}_final_frequency_Hz": frequency,
        f"{name}_flange_events": float(flange),
        f"{name}_drift_events": float(log.of("position drift").size + log.of("velocity drift").size),
        f"{name}_largest_roll_rad": float(np.abs(run.reduced["roll"]).max()),
        f"{name}_least_normal_force_N": float(min(run.reduced["n_left"].min(), run.reduced["n_right"].min())),
        f"{name}_largest_residual_position_m": float(run.augmented["position"].max()),
        f"{name}_largest_residual_velocity_m_s": float(run.augmented["velocity"].max()),
        f"{name}_difference_of_forms": disagreement(run),
    }


def checks(name: str, run: Run, p: Parameters) -> list[Check]:
    w, h = run.wheelset, run.augmented
    linear, measured = hunting_mode(w), nonlinear_eigenvalue(w)
    found = [
        Check(f"{name}: constraint residual [m]", 0.0, float(h["position"].max()), RESIDUAL_BOUND),
        Check(f"{name}: constraint residual of the rates [m/s]", 0.0, float(h["velocity"].max()), RESIDUAL_BOUND),
        Check(f"{name}: difference of the two forms over amplitude", 0.0, disagreement(run), AGREEMENT * p.rtol),
        Check(f"{name}: growth rate of a tiny motion [1/s]", linear.real, measured.real, 1e-3 * abs(linear)),
        Check(f"{name}: frequency of a tiny motion [rad/s]", linear.imag, measured.imag, 1e-3 * abs(linear)),
        Check(f"{name}: delta + phi - s21 [rad]", 0.0, _largest(w.conicity + h["roll"] - h["s21"]), 1e-9),
        Check(f"{name}: delta - phi + s32 [rad]", 0.0, _largest(w.conicity - h["roll"] + h["s32"]), 1e-9),
    ]
    if p.as_printed():
        verdict = float(PRINTED_UNSTABLE[name])
        digit = 0.005  # half a unit of the printed 0.05 and 0.08
        found += [
            Check(f"{name}: centre unstable (1) or stable (0), printed", verdict, float(linear.real > 0), 0.0),
            Check(f"{name}: delta + phi as printed", w.conicity, w.conicity + _largest(h["roll"]), digit),
        ]
    return found


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max())


def coarse_run(run: Run) -> History:
    """The start of the augmented run at a tolerance that needs projections, every step kept."""
    w = run.wheelset
    x = run.augmented.state[0]
    return history(w, integrate(augmented_problem(w), x, COARSE_DURATION, rtol=COARSE, atol=1e-2 * COARSE))


def growth_curve(run: Run, speeds: np.ndarray) -> tuple[str, np.ndarray, float, float]:
    w = run.wheelset
    rates = np.array([hunting_mode(replace(w, speed=v)).real for v in speeds])
    return run.conditions(), rates, w.speed, hunting_mode(w).real


def normal_forces(run: Run, periods: float) -> tuple[str, History, float, float]:
    """The last periods of the hunting mode, with the load at rest."""
    rest_load = reduced_motion(rest(run.wheelset), start_modes(), run.wheelset.flat()).forces.n_left
    span = min(periods * 2 * pi / max(hunting_mode(run.wheelset).imag, 1e-3), float(run.reduced.t[-1]))
    return run.title(), run.reduced, rest_load, span


def draw(runs: dict[str, Run], folder: Path) -> tuple[Path, ...]:
    first, fast, steep = runs["unsuspended"], runs["suspended"], runs["steep"]
    w = first.wheelset
    speeds = np.linspace(2.0, 160.0, 80)
    drawn = {
        "unsuspended": pictures.coordinates_figure(first.reduced, w.flange_clearance, first.title()),
        "suspended": pictures.comparison_figure([(run.title(), run.reduced) for run in (fast, steep)]),
        "normal-forces": pictures.normal_force_figure([normal_forces(first, 2.5), normal_forces(steep, 4.0)]),
        "two-forms": pictures.agreement_figure(first.reduced, first.augmented, coarse_run(steep), w.drift_limit),
        "stability": pictures.stability_figure(speeds, [growth_curve(run, speeds) for run in runs.values()]),
    }
    return tuple(save(fig, folder / f"{name}.png") for name, fig in drawn.items())


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Three runs in both forms, their figures, and what is known about them."""
    wheelsets = parameters.wheelsets()
    durations = (parameters.duration, parameters.fast_duration, parameters.fast_duration)
    runs = {
        name: compute(wheelset, duration, parameters)
        for (name, wheelset), duration in zip(wheelsets.items(), durations, strict=True)
    }
    quantities: dict[str, float] = {}
    compared: list[Check] = []
    for name, one in runs.items():
        quantities |= describe(name, one)
        compared += checks(name, one, parameters)
    return ExampleResult("constrained-wheelset", quantities, tuple(compared), draw(runs, folder))
