"""`klingel example leaf-spring`: Hoffmann (2006), appendix B.2 and figures 2.32-2.39.

Not published, chosen here and kept as parameters: the mass is released at rest from the unloaded spring; the
harmonic motion has the mean compressions below (with 80 mm the trapezoidal spring would meet |c z - F| < F_tol at
its lower turning point, far from rest: the measure of "close to equilibrium" is a force, and the loop is narrow
there).
"""

from dataclasses import dataclass, replace
from math import pi, sqrt
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, LeafSpring, Reading
from klingel.literature.example import Check, ExampleResult
from klingel.literature.leaf_spring import pictures as plots
from klingel.literature.leaf_spring.system import (
    dynamic_stiffness,
    force_along,
    loop_energy,
    mass_on_leaf_spring,
    moved_leaf_spring,
    static_stiffness,
)
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

LOADED_CARBODY = 41176.0  # loaded Hbbills 311 of the same thesis, on four springs [kg]
CYCLES = 3  # of harmonic motion; the loop has closed to 1e-12 after the first


@dataclass(frozen=True)
class Parameters:
    light_mass: float = 3000.0  # [kg]
    heavy_mass: float = 7500.0  # [kg]
    start_compression: float = 0.0  # at which the mass is released [m]
    duration: float = 6.0  # [s]
    small_amplitude: float = 0.020  # of the harmonic motion [m]
    large_amplitude: float = 0.0732  # [m]
    mean_trapezoidal: float = 0.090  # compression about which it happens [m]
    mean_parabolic: float = 0.080  # [m]
    gravity: float = 9.81  # [m/s2]
    reading: str = "simplified"  # of the law near rest: simplified (as printed) or full
    method: str = "dopri54"
    rtol: float = 1e-9  # relative tolerance of every step


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    p = parameters
    reading = _reading(p.reading)
    loops, checks = _harmonic(p)
    trapezoidal, parabolic = (replace(spring, reading=reading) for spring in (TRAPEZOIDAL, PARABOLIC))
    heavy, light = p.heavy_mass, p.light_mass
    rests = {
        "trapezoidal": _rest(p, trapezoidal, heavy),
        "parabolic_light": _rest(p, parabolic, light),
        "parabolic_heavy": _rest(p, parabolic, heavy),
    }
    checks += [_balance(f"{name}: energy balance", p, *found) for name, found in rests.items()]
    lingering = {r: _rest(p, replace(PARABOLIC, reading=r), heavy) for r in Reading}
    checks += [_frequency(p, lingering[Reading.FULL][0]), _factor(p, LOADED_CARBODY / 4)]
    files = _figures(folder, p, loops, rests, lingering)
    quantities = _quantities(p, rests, lingering)
    return ExampleResult("leaf-spring", quantities, tuple(checks), tuple(files))


def _reading(name: str) -> Reading:
    names = {reading.name.lower(): reading for reading in Reading}
    if name not in names:
        raise InputError("reading", name, f"must be one of {', '.join(names)}")
    return names[name]


def _harmonic(p: Parameters) -> tuple[list[plots.Loop], list[Check]]:
    loops, checks = [], []
    for name, spring, mean in (
        ("trapezoidal", TRAPEZOIDAL, p.mean_trapezoidal),
        ("two-stage parabolic", PARABOLIC, p.mean_parabolic),
    ):
        for amplitude in (p.small_amplitude, p.large_amplitude):
            problem, x0 = moved_leaf_spring(spring, amplitude, mean)
            out = integrate(
                problem, x0, CYCLES + 0.25, method=p.method, rtol=min(p.rtol, 1e-10), atol=1e-13,
                redo_events=True, output_step=1 / 400,
            )  # fmt: skip
            last = slice(-401, None)
            z = out["compression"][last]
            title = f"{name}, {1e3 * amplitude:g} mm amplitude"
            loops.append(plots.Loop(title, spring, z, force_along(z, out.memory[last])))
            expected = loop_energy(spring, mean - amplitude, mean + amplitude)
            lost = float(out["work"][-1] - out["work"][-401])
            checks.append(Check(f"{title}: energy lost per cycle [J]", expected, lost, 1e-8 * expected))
    return loops, checks


def _rest(p: Parameters, spring: LeafSpring, mass: float, rtol: float | None = None) -> tuple[Trajectory, float]:
    problem, x0 = mass_on_leaf_spring(spring, mass, p.start_compression, p.gravity)
    tolerance = p.rtol if rtol is None else rtol
    return integrate(problem, x0, p.duration, method=p.method, rtol=tolerance, atol=1e-2 * tolerance), mass


def _swing(p: Parameters, title: str, spring: LeafSpring, found: tuple[Trajectory, float]) -> plots.Swing:
    out, mass = found
    z, weight = out["compression"], mass * p.gravity
    rest = spring.static_deflection(weight)
    return plots.Swing(title, out.t, z, force_along(z, out.memory) / weight, out.events.time, rest)


def _balance(what: str, p: Parameters, out: Trajectory, mass: float) -> Check:
    """m v^2/2 - m g z + work stays what it was at the release."""
    total = 0.5 * mass * out["speed"] ** 2 - mass * p.gravity * out["compression"] + out["work"]
    scale = mass * p.gravity * float(np.ptp(out["compression"]))
    return Check(f"{what}, drift over m g stroke", 0.0, float(np.max(np.abs(total - total[0]))) / scale, 1e-6)


def _frequency(p: Parameters, out: Trajectory) -> Check:
    """Frequency of the last small swings against sqrt(k_dyn / m)."""
    speed, t = out["speed"], out.t
    up = np.flatnonzero((speed[:-1] < 0) & (speed[1:] >= 0) & (t[:-1] > p.duration / 2))
    at = t[up] - speed[up] * (t[up + 1] - t[up]) / (speed[up + 1] - speed[up])
    computed = float((len(at) - 1) / (at[-1] - at[0])) if len(at) > 1 else 0.0
    weight = p.heavy_mass * p.gravity
    expected = sqrt(dynamic_stiffness(PARABOLIC, weight) / p.heavy_mass) / (2 * pi)
    return Check("parabolic, heavy: frequency of small swings [Hz]", expected, computed, 0.02 * expected)


def _factor(p: Parameters, mass: float) -> Check:
    """Printed as "about 5" without a load: taken at a loaded wagon, to the printed digit."""
    weight = mass * p.gravity
    computed = dynamic_stiffness(TRAPEZOIDAL, weight) / static_stiffness(TRAPEZOIDAL, weight)
    return Check("trapezoidal: dynamic over static stiffness under a loaded wagon", 5.0, computed, 0.5)


def _quantities(p: Parameters, rests: dict, lingering: dict) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, (found, _) in rests.items():
        late = found.t > p.duration - 1.0
        z = found["compression"]
        out[f"{name}_final_swing_m"] = 0.5 * float(np.ptp(z[late]))
        out[f"{name}_final_compression_m"] = 0.5 * float(np.max(z[late]) + np.min(z[late]))
        out[f"{name}_events"] = float(found.stats.events)
        out[f"{name}_rejected_steps"] = float(found.stats.rejected)
    for reading, (found, _) in lingering.items():
        late = found.t > p.duration - 1.0
        out[f"lingering_swing_{reading.name.lower()}_m"] = 0.5 * float(np.ptp(found["compression"][late]))
    for mass in (p.light_mass, p.heavy_mass, LOADED_CARBODY / 4):
        weight = mass * p.gravity
        for name, spring in (("trapezoidal", TRAPEZOIDAL), ("parabolic", PARABOLIC)):
            factor = dynamic_stiffness(spring, weight) / static_stiffness(spring, weight)
            out[f"stiffness_factor_{name}_{mass:.0f}_kg"] = factor
    return out


def _figures(folder: Path, p: Parameters, loops, rests, lingering) -> list[Path]:
    springs = {"trapezoidal": TRAPEZOIDAL, "parabolic_light": PARABOLIC, "parabolic_heavy": PARABOLIC}
    swings = {
        name: _swing(p, f"{name.partition('_')[0]}, {found[1]:g} kg", springs[name], found)
        for name, found in rests.items()
    }
    coarse_run = _rest(p, replace(TRAPEZOIDAL, reading=_reading(p.reading)), p.heavy_mass, rtol=1e-4)
    coarse = _swing(p, "", TRAPEZOIDAL, coarse_run)
    corner = replace(swings["trapezoidal"], title="steps around the first corner")
    small = [
        _swing(p, f"parabolic, {p.heavy_mass:g} kg, {reading.name.lower()} law near rest", PARABOLIC, found)
        for reading, found in lingering.items()
    ]
    instant = float(coarse.event_times[0]) if len(coarse.event_times) else 0.0
    figures = {
        "harmonic_loops": plots.draw_loops(loops),
        "trapezoidal_rest": plots.draw_rest([swings["trapezoidal"]]),
        "trapezoidal_corner": plots.draw_corner(corner, coarse, instant, 0.06),
        "parabolic_rest": plots.draw_rest([swings["parabolic_light"], swings["parabolic_heavy"]]),
        "lingering": plots.draw_linger(small, 0.4 * p.duration),
    }
    return [save(fig, folder / f"{name}.png") for name, fig in figures.items()]
