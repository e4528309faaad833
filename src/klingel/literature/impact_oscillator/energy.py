"""Energy balance of a run of the impact oscillator.

    work of the excitation = change of (kinetic + spring energy) + heat of the slider + loss in impacts

Heat is limit times sliding distance and the loss is counted at each impact, so both are exact sums; only the work
is a quadrature: by parts, W = [F x] - int F' x dt, with the trapezoidal rule corrected by the end slopes (fourth
order). It needs a run with one row per accepted step (no output grid), where an event has a row on each side.
"""

from dataclasses import dataclass

import numpy as np

from klingel.elements import dry_friction
from klingel.literature.impact_oscillator.system import Element, ImpactOscillator, Memory, P
from klingel.numerics.trajectory import Trajectory


@dataclass(frozen=True)
class EnergyBalance:
    work: float  # of the excitation [J]
    stored: float  # change of kinetic and spring energy [J]
    friction_heat: float  # [J]
    impact_loss: float  # [J]

    @property
    def residual(self) -> float:
        """What is not accounted for, as a fraction of all that was dissipated or stored."""
        spent = self.stored + self.friction_heat + self.impact_loss
        size = abs(self.stored) + self.friction_heat + self.impact_loss
        return (self.work - spent) / size if size > 0.0 else 0.0


def friction_force(parameters: ImpactOscillator, run: Trajectory) -> np.ndarray:
    """f1 [N], positive when it resists positive x, at every row."""
    p = parameters.flat()
    mode, anchor = run.mode[:, Element.FRICTION], run.memory[:, Memory.ANCHOR]
    stuck = p[P.K1] * (run["x"] - anchor)
    sliding = np.where(mode == dry_friction.Mode.SLIP_POS, p[P.LIMIT], -p[P.LIMIT])
    return np.where(mode == dry_friction.Mode.STICK, stuck, sliding)


def band_force(parameters: ImpactOscillator, x: np.ndarray) -> np.ndarray:
    """f2 [N], positive when it resists positive x."""
    p = parameters.flat()
    return p[P.K2] * (np.maximum(x - p[P.GAP], 0.0) + np.minimum(x + p[P.GAP], 0.0))


def stored_energy(parameters: ImpactOscillator, run: Trajectory) -> np.ndarray:
    """Kinetic and spring energy [J] at every row."""
    p, x, v = parameters.flat(), run["x"], run["v"]
    slider = friction_force(parameters, run) ** 2 / p[P.K1]
    band = band_force(parameters, x) ** 2 / p[P.K2] if p[P.K2] > 0.0 else 0.0
    return 0.5 * (p[P.MASS] * v**2 + p[P.K] * x**2 + slider + band)


def energy_balance(parameters: ImpactOscillator, run: Trajectory) -> EnergyBalance:
    p, t, x, v = parameters.flat(), run.t, run["x"], run["v"]
    omega, amplitude = p[P.OMEGA], p[P.AMPLITUDE]
    drive, slope, bend = (
        amplitude * np.cos(omega * t),
        -amplitude * omega * np.sin(omega * t),
        -amplitude * omega**2 * np.cos(omega * t),
    )
    h, g, g_dot = np.diff(t), slope * x, bend * x + slope * v
    integral = np.sum(h / 2 * (g[1:] + g[:-1]) - h**2 / 12 * np.diff(g_dot))
    slides = run.mode[:-1, Element.FRICTION] != dry_friction.Mode.STICK
    energy = stored_energy(parameters, run)
    return EnergyBalance(
        work=float(drive[-1] * x[-1] - drive[0] * x[0] - integral),
        stored=float(energy[-1] - energy[0]),
        friction_heat=float(p[P.LIMIT] * np.sum(np.abs(np.diff(x))[slides])),
        impact_loss=float(run.memory[-1, Memory.IMPACT_LOSS] - run.memory[0, Memory.IMPACT_LOSS]),
    )
