"""Example `guided-rod`: Hoffmann (2006), appendix B.3, figures B.20 to B.23.

Two runs with the printed start values: a slight rotation gives single contacts and irregular motion, none gives
double contacts. The second has a closed form: a point bouncing between two walls with restitution eps,

    v_n = v eps^n,   t_1 = c/v,   t_(n+1) = t_n + 2 c / v_n,

with which it is compared. The thesis prints no restitution and no duration for the rod; both are parameters.
"""

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.literature.example import Check, ExampleResult
from klingel.literature.guided_rod.pictures import rod_history_figure, rod_top_view_figure
from klingel.literature.guided_rod.system import GuidedRod, Memory, gaps, guided_rod
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

TOLERANCE = 1e-10
ROW_SPACING = 0.02  # longest step [s], for smooth curves
VIEWS = 5  # instants in the top view


@dataclass(frozen=True)
class Parameters(GuidedRod):
    duration: float = 20.0  # [s]
    speed_single: float = 0.12  # x_dot of the first run [m/s]
    spin_single: float = 0.001  # psi_dot of the first run [rad/s]
    speed_double: float = 0.2  # x_dot of the second run [m/s]

    def __post_init__(self):
        super().__post_init__()
        if not self.duration > 0.0:
            raise InputError("duration", self.duration, "must be positive")
        if not self.speed_double > 0.0:
            raise InputError("speed_double", self.speed_double, "must be positive")

    def system(self) -> GuidedRod:
        return GuidedRod(**{f.name: getattr(self, f.name) for f in fields(GuidedRod)})


def kinetic_energy(rod: GuidedRod, trajectory: Trajectory) -> np.ndarray:
    return 0.5 * trajectory.x[:, 3:] ** 2 @ np.array([rod.mass, rod.mass, rod.inertia])


def work_of_forces(rod: GuidedRod, trajectory: Trajectory) -> float:
    """Of the constant external force and moment, over the whole run [J]."""
    return float((trajectory.x[-1, :3] - trajectory.x[0, :3]) @ (rod.force_x, rod.force_y, rod.moment))


def bounce_times(v: float, clearance: float, restitution: float, t_end: float) -> np.ndarray:
    """Impacts of a point between two walls up to t_end; it starts in the middle."""
    times, t, speed = [], clearance / v, v
    while t < t_end and speed > 0.0:
        times.append(t)
        speed *= restitution
        t += 2 * clearance / speed if speed > 0.0 else np.inf
    return np.array(times)


def views(trajectory: Trajectory) -> np.ndarray:
    """Start and the first impacts."""
    times = np.unique(trajectory.events.time)
    return np.concatenate(([0.0], times[: VIEWS - 1]))


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    rod = parameters.system()
    starts = {
        "single": [0.0, 0.0, 0.0, parameters.speed_single, 0.0, parameters.spin_single],
        "double": [0.0, 0.0, 0.0, parameters.speed_double, 0.0, 0.0],
    }
    quantities: dict[str, float] = {}
    checks: list[Check] = []
    files: list[Path] = []
    for name, start in starts.items():
        trajectory = integrate(
            guided_rod(rod), start, parameters.duration, rtol=TOLERANCE, atol=1e-12, max_step=ROW_SPACING
        )
        quantities |= describe(name, rod, trajectory)
        checks += energy_checks(name, rod, trajectory)
        if name == "double" and rod.force_x == rod.force_y == rod.moment == 0.0:
            checks += bounce_checks(parameters, trajectory)
        files.append(save(rod_history_figure(rod, trajectory), folder / f"{name}-contact-history.png"))
        top_view = rod_top_view_figure(rod, trajectory, views(trajectory))
        files.append(save(top_view, folder / f"{name}-contact-top-view.png"))
    return ExampleResult("guided-rod", quantities, tuple(checks), tuple(files))


def describe(name: str, rod: GuidedRod, trajectory: Trajectory) -> dict[str, float]:
    return {
        f"{name}_impacts_one_contact": trajectory.memory[-1, Memory.SINGLE],
        f"{name}_impacts_more_contacts": trajectory.memory[-1, Memory.MULTIPLE],
        f"{name}_energy_start_J": kinetic_energy(rod, trajectory)[0],
        f"{name}_energy_end_J": kinetic_energy(rod, trajectory)[-1],
        f"{name}_deepest_gap_m": gaps(rod, trajectory.x).min(),
        f"{name}_largest_yaw_rad": np.abs(trajectory["psi"]).max(),
    }


def energy_checks(name: str, rod: GuidedRod, trajectory: Trajectory) -> list[Check]:
    energy = kinetic_energy(rod, trajectory)
    lost = trajectory.memory[-1, Memory.IMPACT_LOSS]
    expected = energy[0] + work_of_forces(rod, trajectory) - lost
    return [Check(f"{name}: energy at the end [J]", float(expected), float(energy[-1]), 1e-9 * float(energy[0]))]


def bounce_checks(parameters: Parameters, trajectory: Trajectory) -> list[Check]:
    rod = parameters.system()
    times = bounce_times(parameters.speed_double, rod.clearance, rod.restitution, parameters.duration)
    found = np.unique(trajectory.events.time)
    checks = [Check("double: number of impacts, closed form", times.size, found.size, 0)]
    if 0 < times.size == found.size:
        checks.append(Check("double: last impact [s], closed form", float(times[-1]), float(found[-1]), 1e-8))
        speed = parameters.speed_double * rod.restitution**times.size
        checks.append(Check("double: speed at the end [m/s]", speed, abs(float(trajectory.x[-1, 3])), 1e-10))
    return checks
